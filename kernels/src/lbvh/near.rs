//! What lies nearest to a point? On the CPU, points in parallel; `lbvh/near.wgsl` is the device's.

use super::{
    Hit, Lbvh, Triangle,
    distance::{lbvh_is_point, lbvh_near_triangle, lbvh_square_of_reach, lbvh_square_to_box},
    node::{LBVH_LEAF as LEAF, LBVH_NONE as NONE},
    prepared_ray::LBVH_FAR,
    trace::STACK,
};
use crate::{KernelError, device};
use glam::Vec3;
use rayon::prelude::*;

/// A point and how far around it is looked, 16 bytes.
///
/// It is valid if its coordinates are at most 2^60 in size and `reach` is not negative; `reach` may be infinite.
#[device(name = "LbvhPoint")]
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
pub struct Point {
    /// Where.
    #[vector]
    pub position: [f32; 3],
    /// The largest distance.
    pub reach: f32,
}

/// The nearest of `triangles`, of whose [`bounds`](Triangle::bounds) `tree` was built, to each point: `t` of the [`Hit`] is the
/// distance, `u` and `v` say where on the triangle, [`Hit::MISS`] that nothing is within reach. Visits at most `max_steps`
/// nodes and leaves a point, see [`TraceOptions::max_steps`](super::TraceOptions::max_steps).
///
/// Fails with [`KernelError::TooShort`] where there are fewer triangles than the tree has primitives.
///
/// ```
/// use kernels::lbvh::{Lbvh, Outcome, Point, TraceOptions, Triangle, nearest};
/// let triangles = [Triangle { a: [0.0, 0.0, 5.0], b: [4.0, 0.0, 5.0], c: [0.0, 4.0, 5.0] }];
/// let tree = Lbvh::build(&triangles.map(|triangle| triangle.bounds()))?;
/// let points = [Point { position: [1.0, 2.0, 3.0], reach: f32::INFINITY }];
/// let found = nearest(&tree, &triangles, &points, TraceOptions::SAFE_STEPS)?;
/// assert!(matches!(found[0].outcome(), Outcome::Hit(hit) if hit.t == 2.0 && (hit.u, hit.v) == (0.25, 0.5)));
/// # Ok::<(), kernels::KernelError>(())
/// ```
pub fn nearest(tree: &Lbvh, triangles: &[Triangle], points: &[Point], max_steps: u32) -> Result<Vec<Hit>, KernelError> {
    let wanted = tree.primitives().len();
    if triangles.len() < wanted {
        return Err(KernelError::TooShort { slice: "triangles", len: triangles.len() as u32, wanted: wanted as u32 });
    }
    Ok(points.par_iter().with_min_len(64).map(|point| nearest_one(tree, triangles, point, max_steps)).collect())
}

fn nearest_one(tree: &Lbvh, triangles: &[Triangle], point: &Point, max_steps: u32) -> Hit {
    let position = Vec3::from_array(point.position);
    let mut best = Hit { t: lbvh_square_of_reach(point.reach), primitive: Hit::MISS, u: 0.0, v: 0.0 };
    if !lbvh_is_point(position, point.reach) {
        return Hit { t: 0.0, primitive: Hit::INVALID, ..best };
    }
    let mut waiting = [(0u32, 0.0f32); STACK];
    let mut top = 1;
    for _ in 0..max_steps {
        let Some(next) = usize::checked_sub(top, 1) else { break };
        top = next;
        let (child, at) = waiting[top];
        if at > best.t {
            continue;
        }
        if child & LEAF != 0 {
            let primitive = tree.primitives()[(child & !LEAF) as usize];
            let [a, b, c] = triangles[primitive as usize].corners();
            best = lbvh_near_triangle(position, a, b, c, primitive, best);
            continue;
        }
        let node = &tree.nodes()[child as usize];
        if top + 2 > STACK {
            break;
        }
        let square_to = |low: [f32; 3], high: [f32; 3]| lbvh_square_to_box(position, low.into(), high.into());
        let left = (node.left, square_to(node.left_low, node.left_high));
        let right = (node.right, square_to(node.right_low, node.right_high));
        for (child, at) in if left.1 <= right.1 { [right, left] } else { [left, right] } {
            if child != NONE && at != LBVH_FAR && at <= best.t {
                waiting[top] = (child, at);
                top += 1;
            }
        }
    }
    if top == 0 { Hit { t: best.t.sqrt(), ..best } } else { Hit { t: 0.0, primitive: Hit::LIMIT, u: 0.0, v: 0.0 } }
}
