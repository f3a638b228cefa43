//! Which primitives' boxes touch a region? On the CPU, queries in parallel; `lbvh/overlap.wgsl` is the device's.

use super::{
    Aabb, Lbvh,
    aabb::aabb_touches,
    node::{LBVH_LEAF as LEAF, LBVH_NONE as NONE},
    ray::LBVH_LIMIT,
    trace::{STACK, TraceOptions},
};
use crate::Element;
use rayon::prelude::*;

/// What an overlap query can ask about: a box ([`Aabb`]) or the inside of six planes ([`Frustum`](super::Frustum)).
///
/// ```
/// use kernels::lbvh::{Aabb, Frustum, Lbvh, OverlapOptions, Region, overlap};
///
/// fn touched(tree: &Lbvh, region: impl Region) -> Option<Vec<u32>> {
///     overlap(tree, &[region], OverlapOptions::ALL).remove(0)
/// }
/// let at = |x: f32| Aabb { low: [x, 0.0, 0.0], high: [x + 1.0, 1.0, 1.0] };
/// let tree = Lbvh::build(&[at(0.0), at(5.0)])?;
/// assert_eq!(touched(&tree, at(4.5)), Some(vec![1]));
/// // x is at least -1 and at most 2; the other planes have everything inside.
/// let all = [0.0, 0.0, 0.0, 1.0];
/// let slab = Frustum { planes: [[1.0, 0.0, 0.0, 1.0], [-1.0, 0.0, 0.0, 2.0], all, all, all, all] };
/// assert_eq!(touched(&tree, slab), Some(vec![0]));
/// # Ok::<(), kernels::KernelError>(())
/// ```
pub trait Region: Element + sealed::Sealed {
    /// The WGSL of `LbvhRegion`, `lbvh_usable_region` and `lbvh_touches`.
    #[doc(hidden)]
    const MODULE: &'static str;

    /// The region as [`touches`](Self::touches) takes it.
    #[doc(hidden)]
    #[must_use]
    fn usable(self) -> Self;

    /// Whether it touches a box of a tree. Call it on a region that is [`usable`](Self::usable).
    #[doc(hidden)]
    fn touches(&self, bounds: Aabb) -> bool;
}

pub(super) mod sealed {
    pub trait Sealed {}
}

impl sealed::Sealed for Aabb {}

impl Region for Aabb {
    const MODULE: &'static str = "kernels/lbvh/region_box";

    fn usable(self) -> Self {
        self.usable()
    }

    #[inline]
    fn touches(&self, bounds: Aabb) -> bool {
        aabb_touches(*self, bounds.low.into(), bounds.high.into())
    }
}

/// How regions are asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct OverlapOptions {
    /// Whether one primitive is enough: is there anything?
    pub any: bool,
    /// Nodes and leaves that a query may visit, within the limits of [`TraceOptions::max_steps`].
    pub max_steps: u32,
}

impl OverlapOptions {
    /// All that a region touches, within [`TraceOptions::SAFE_STEPS`].
    pub const ALL: Self = Self { any: false, max_steps: TraceOptions::SAFE_STEPS };
    /// One that it touches.
    pub const ANY: Self = Self { any: true, ..Self::ALL };

    /// The same with another [`max_steps`](Self::max_steps).
    pub fn with_max_steps(self, max_steps: u32) -> Self {
        Self { max_steps, ..self }
    }
}

/// The number of an overlap query that reached its limit of steps: how many there are is not known.
pub const OVERLAP_LIMIT: u32 = LBVH_LIMIT;

/// The primitives whose boxes touch each region of `queries`, faces included, in the order of the leaves. `None` where the limit of
/// steps was reached.
///
/// A box with a NaN, or with `low` above `high`, touches nothing.
///
/// ```
/// use kernels::lbvh::{Aabb, Lbvh, OverlapOptions, overlap};
/// let boxes = [0.0f32, 1.0, 5.0].map(|x| Aabb::around([[x, 0.0, 0.0], [x + 0.5, 1.0, 1.0]]));
/// let tree = Lbvh::build(&boxes)?;
/// let query = Aabb { low: [0.5, 0.5, 0.5], high: [4.0, 0.5, 0.5] };
/// assert_eq!(overlap(&tree, &[query], OverlapOptions::ALL), [Some(vec![0, 1])]);
/// // A node and two leaves at least would have to be visited.
/// assert!(overlap(&tree, &[query], OverlapOptions::ALL.with_max_steps(2))[0].is_none());
/// # Ok::<(), kernels::KernelError>(())
/// ```
pub fn overlap<R: Region>(tree: &Lbvh, queries: &[R], options: OverlapOptions) -> Vec<Option<Vec<u32>>> {
    queries.par_iter().map(|query| overlap_one(tree, query.usable(), options)).collect()
}

fn overlap_one(tree: &Lbvh, region: impl Region, options: OverlapOptions) -> Option<Vec<u32>> {
    let mut waiting = [0u32; STACK];
    let (mut top, mut found) = (1, Vec::new());
    for _ in 0..options.max_steps {
        let Some(next) = usize::checked_sub(top, 1) else { return Some(found) };
        top = next;
        let child = waiting[top];
        if child & LEAF != 0 {
            found.push(tree.primitives()[(child & !LEAF) as usize]);
            if options.any {
                return Some(found);
            }
            continue;
        }
        let node = &tree.nodes()[child as usize];
        if top + 2 > STACK {
            return None;
        }
        for (child, bounds) in [(node.right, node.right_box()), (node.left, node.left_box())] {
            if child != NONE && region.touches(bounds) {
                waiting[top] = child;
                top += 1;
            }
        }
    }
    (top == 0).then_some(found)
}
