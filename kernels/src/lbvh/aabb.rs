//! What is a box, and what does a wrong one mean? The elements that a tree is built from. Twin: `lbvh/aabb.wgsl`.

use super::flush::{AABB_LIMIT, aabb_flush, aabb_flush_outward};
use crate::{Element, Operator, Source};

/// An axis-aligned box, 24 bytes.
///
/// A tree keeps boxes finite, by clamping to 2^120, and takes a box with a NaN, or with `low` above `high` in some axis, for
/// [empty](Self::EMPTY): it is in the tree, but no query meets it.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
pub struct Aabb {
    /// The smallest coordinates.
    pub low: [f32; 3],
    /// The largest coordinates.
    pub high: [f32; 3],
}

impl Element for Aabb {
    const TYPE: &'static str = "Aabb";
    const DECLARATION: &'static str = "//!import kernels/lbvh/aabb";
}

impl Aabb {
    /// The box of nothing: the identity of [`union`](Self::union).
    pub const EMPTY: Self = Self { low: [f32::MAX; 3], high: [f32::MIN; 3] };

    /// The smallest box around points.
    ///
    /// ```
    /// use kernels::lbvh::Aabb;
    /// let around = Aabb::around([[0.0, 5.0, 2.0], [1.0, 4.0, 2.0]]);
    /// assert_eq!(around, Aabb { low: [0.0, 4.0, 2.0], high: [1.0, 5.0, 2.0] });
    /// ```
    pub fn around(points: impl IntoIterator<Item = [f32; 3]>) -> Self {
        points.into_iter().fold(Self::EMPTY, |all, point| all.union(Self { low: point, high: point }))
    }

    /// The smallest box around both.
    #[inline]
    pub fn union(self, other: Self) -> Self {
        Self {
            low: std::array::from_fn(|i| if other.low[i] < self.low[i] { other.low[i] } else { self.low[i] }),
            high: std::array::from_fn(|i| if other.high[i] > self.high[i] { other.high[i] } else { self.high[i] }),
        }
    }

    /// Whether it is the box of nothing.
    pub fn is_empty(&self) -> bool {
        self.low[0] > self.high[0]
    }

    /// The box as a tree keeps it: finite, without negative zeros and subnormals, or empty.
    #[inline]
    pub(crate) fn usable(self) -> Self {
        let low = self.low.map(|value| aabb_flush_outward(value, -1.0));
        let high = self.high.map(|value| aabb_flush_outward(value, 1.0));
        // Not `low > high`: a NaN is neither.
        if (0..3).all(|i| low[i] <= high[i]) {
            let clamp = |value: f32| value.clamp(-AABB_LIMIT, AABB_LIMIT);
            return Self { low: low.map(clamp), high: high.map(clamp) };
        }
        Self::EMPTY
    }

    /// Twice the centre of a usable box, as a box of one point; of an empty box the empty box.
    #[inline]
    pub(super) fn centre(self) -> Self {
        if self.is_empty() {
            return self;
        }
        let twice = std::array::from_fn(|i| aabb_flush(self.low[i] + self.high[i]));
        Self { low: twice, high: twice }
    }
}

/// The smallest box around two, as an operator.
#[derive(Clone, Copy, Debug, Default)]
pub struct BoxUnion;

impl Operator for BoxUnion {
    type Item = Aabb;
    const NAME: &'static str = "box union";
    const COMMUTATIVE: bool = true;
    const WGSL: &'static str = "fn op_identity() -> Elem { return aabb_empty(); }
fn op_combine(left: Elem, right: Elem) -> Elem { return aabb_union(left, right); }";

    #[inline]
    fn identity() -> Aabb {
        Aabb::EMPTY
    }

    #[inline]
    fn combine(left: Aabb, right: Aabb) -> Aabb {
        left.union(right)
    }
}

/// Twice the centre of each box, which the scene's bounds are taken of.
pub(super) struct Centres;

impl Source for Centres {
    type Stored = Aabb;
    type Item = Aabb;
    const NAME: &'static str = "box centres";
    const WGSL: &'static str =
        "fn source_map(stored: Stored, item: u32) -> Elem { return aabb_centre(aabb_usable(stored)); }";

    #[inline]
    fn map(stored: Aabb, _item: u32) -> Aabb {
        stored.usable().centre()
    }
}
