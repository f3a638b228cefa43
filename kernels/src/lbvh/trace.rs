//! What do rays meet? The same traversal on the CPU, rays in parallel; `lbvh/trace.wgsl` is the device's.

use super::{
    Lbvh, Triangle,
    children::Probe,
    node::{LBVH_LEAF as LEAF, LBVH_NONE as NONE, LBVH_STACK, LbvhNode},
    prepared_ray::{LBVH_FAR, LbvhPreparedRay},
    ray::{Hit, Ray},
};
use crate::KernelError;
use multiversion::multiversion;
use rayon::prelude::*;

/// What is asked of each ray.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Query {
    /// The hit with the smallest t; of equally near ones, the smaller primitive.
    #[default]
    Closest,
    /// Some hit, or none: is there anything in the way?
    Any,
}

/// How rays are traced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TraceOptions {
    /// What is asked.
    pub query: Query,
    /// Nodes that a ray may visit, 1 to [`SAFE_STEPS`](Self::SAFE_STEPS) on a software device and to 2^20 elsewhere; one that
    /// needs more reports [`Hit::LIMIT`].
    pub max_steps: u32,
}

impl TraceOptions {
    /// Steps that every device takes. Mesa's llvmpipe silently ends all loops of an invocation after 65 535 iterations; a
    /// step is at most two.
    pub const SAFE_STEPS: u32 = 30_000;

    /// `query` with [`SAFE_STEPS`](Self::SAFE_STEPS).
    pub fn new(query: Query) -> Self {
        Self { query, max_steps: Self::SAFE_STEPS }
    }

    /// The same with another [`max_steps`](Self::max_steps).
    ///
    /// ```
    /// use kernels::lbvh::{Lbvh, Outcome, Query, Ray, TraceOptions, Triangle, trace};
    /// let triangles = [5.0, 6.0, 7.0, 8.0].map(|z| Triangle { a: [0.0, 0.0, z], b: [4.0, 0.0, z], c: [0.0, 4.0, z] });
    /// let tree = Lbvh::build(&triangles.map(|triangle| triangle.bounds()))?;
    /// let ray = [Ray::new([1.0, 1.0, 0.0], [0.0, 0.0, 1.0])];
    /// let options = TraceOptions::new(Query::Closest);
    /// assert_eq!(trace(&tree, &triangles, &ray, options)?[0].t, 5.0);
    /// // The root alone, which has two triangles on either side, is not enough.
    /// assert_eq!(trace(&tree, &triangles, &ray, options.with_max_steps(1))?[0].outcome(), Outcome::Limit);
    /// # Ok::<(), kernels::KernelError>(())
    /// ```
    pub fn with_max_steps(self, max_steps: u32) -> Self {
        Self { max_steps, ..self }
    }
}

/// As an index.
pub(super) const STACK: usize = LBVH_STACK as usize;

/// The hit of each ray among `triangles`, of whose [`bounds`](Triangle::bounds) `tree` was built.
///
/// Fails with [`KernelError::TooShort`] where there are fewer triangles than the tree has primitives.
///
/// ```
/// use kernels::lbvh::{Lbvh, Outcome, Query, Ray, TraceOptions, Triangle, trace};
/// let triangles = [Triangle { a: [0.0, 0.0, 5.0], b: [4.0, 0.0, 5.0], c: [0.0, 4.0, 5.0] }];
/// let tree = Lbvh::build(&triangles.map(|triangle| triangle.bounds()))?;
/// let ray = Ray::new([1.0, 2.0, 0.0], [0.0, 0.0, 1.0]);
/// let hits = trace(&tree, &triangles, &[ray], TraceOptions::new(Query::Closest))?;
/// assert!(matches!(hits[0].outcome(), Outcome::Hit(hit) if hit.t == 5.0 && (hit.u, hit.v) == (0.25, 0.5)));
/// # Ok::<(), kernels::KernelError>(())
/// ```
pub fn trace(
    tree: &Lbvh,
    triangles: &[Triangle],
    rays: &[Ray],
    options: TraceOptions,
) -> Result<Vec<Hit>, KernelError> {
    let wanted = tree.primitives().len();
    if triangles.len() < wanted {
        return Err(KernelError::TooShort { slice: "triangles", len: triangles.len() as u32, wanted: wanted as u32 });
    }
    let mut hits = vec![Hit { t: 0.0, primitive: Hit::MISS, u: 0.0, v: 0.0 }; rays.len()];
    let chunks = rays.par_chunks(CHUNK).zip(hits.par_chunks_mut(CHUNK));
    chunks.for_each(|(rays, hits)| trace_chunk(tree, triangles, rays, options, hits));
    Ok(hits)
}

/// Rays that one thread takes at a time.
const CHUNK: usize = 64;

/// Wider registers need fewer moves; numbers are the same.
#[multiversion(targets("x86_64+avx2"))]
fn trace_chunk(tree: &Lbvh, triangles: &[Triangle], rays: &[Ray], options: TraceOptions, hits: &mut [Hit]) {
    let primitives = tree.primitives();
    let hit = |prepared: &LbvhPreparedRay, leaf: u32, best| {
        let primitive = primitives[leaf as usize];
        triangles[primitive as usize].hit(prepared, primitive, best)
    };
    let mut waiting = [(0u32, 0.0f32); STACK];
    for (ray, found) in rays.iter().zip(hits) {
        *found = trace_ray(tree.nodes(), ray, options, hit, &mut waiting);
    }
}

/// The hit of one ray; `hit` is the nearer of a leaf's hit and the one given.
#[inline(always)]
fn trace_ray(
    nodes: &[LbvhNode],
    ray: &Ray,
    options: TraceOptions,
    hit: impl Fn(&LbvhPreparedRay, u32, Hit) -> Hit,
    waiting: &mut [(u32, f32); STACK],
) -> Hit {
    let probe = Probe::of(ray);
    let prepared = &probe.prepared;
    let mut best = Hit { t: prepared.t_max, primitive: Hit::MISS, u: 0.0, v: 0.0 };
    if !prepared.valid {
        return Hit { t: 0.0, primitive: Hit::INVALID, ..best };
    }
    let try_leaf = |child: u32, enters: f32, best: Hit| {
        let meets = enters != LBVH_FAR && enters <= best.t && child & LEAF != 0 && child != NONE;
        if meets { hit(prepared, child & !LEAF, best) } else { best }
    };
    let (mut top, mut at) = (0, 0u32);
    for _ in 0..options.max_steps {
        let node = &nodes[at as usize];
        let (left, right) = probe.enter_children(node, best.t);
        best = try_leaf(node.left, left, best);
        best = try_leaf(node.right, right, best);
        if options.query == Query::Any && best.primitive != Hit::MISS {
            return best;
        }
        let go = |child: u32, enters: f32| enters != LBVH_FAR && enters <= best.t && child & LEAF == 0;
        match (go(node.left, left), go(node.right, right)) {
            (true, true) => {
                let Some(slot) = waiting.get_mut(top) else { break };
                top += 1;
                (at, *slot) =
                    if right < left { (node.right, (node.left, left)) } else { (node.left, (node.right, right)) };
            }
            (true, false) => at = node.left,
            (false, true) => at = node.right,
            (false, false) => loop {
                let Some(next) = top.checked_sub(1) else { return best };
                top = next;
                if waiting[top].1 <= best.t {
                    at = waiting[top].0;
                    break;
                }
            },
        }
    }
    Hit { t: prepared.t_min, primitive: Hit::LIMIT, u: 0.0, v: 0.0 }
}
