//! What lies nearest to a point? On the CPU, points in parallel. Twins: `lbvh/near.wgsl`, `lbvh/nearby_triangles.wgsl`.

use super::{
    Aabb, Hit, Lbvh, Triangle,
    node::{LEAF, NONE},
    sight::LBVH_FAR as FAR,
    trace::STACK,
};
use crate::{Element, KernelError};
use glam::Vec3;
use rayon::prelude::*;

/// A point and how far around it is looked, 16 bytes.
///
/// It is valid if its coordinates are at most 2^60 in size and `reach` is not negative; `reach` may be infinite.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
pub struct Point {
    /// Where.
    pub position: [f32; 3],
    /// The largest distance.
    pub reach: f32,
}

impl Element for Point {
    const TYPE: &'static str = "LbvhPoint";
    const DECLARATION: &'static str = "//!import kernels/lbvh/near_points";
}

/// 2^-20, 2^60, 2^62
const SLACK: f32 = f32::from_bits((127 - 20) << 23);
const LARGEST: f32 = f32::from_bits((127 + 60) << 23);
const LARGEST_REACH: f32 = f32::from_bits((127 + 62) << 23);

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
    let (position, reach) = (Vec3::from(point.position), point.reach.min(LARGEST_REACH));
    let mut best = Hit { t: reach * reach, primitive: Hit::MISS, u: 0.0, v: 0.0 };
    if !(point.position.iter().all(|x| x.abs() <= LARGEST) && point.reach >= 0.0) {
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
            best = triangles[primitive as usize].near(position, primitive, best);
            continue;
        }
        let node = &tree.nodes()[child as usize];
        if top + 2 > STACK {
            break;
        }
        let left = (node.left, square_to_box(position, node.left_box()));
        let right = (node.right, square_to_box(position, node.right_box()));
        for (child, at) in if left.1 <= right.1 { [right, left] } else { [left, right] } {
            if child != NONE && at != FAR && at <= best.t {
                waiting[top] = (child, at);
                top += 1;
            }
        }
    }
    if top == 0 { Hit { t: best.t.sqrt(), ..best } } else { Hit { t: 0.0, primitive: Hit::LIMIT, u: 0.0, v: 0.0 } }
}

/// A square of a distance, less what rounding may have added to it; [`FAR`] of an empty box.
fn square_to_box(point: Vec3, bounds: Aabb) -> f32 {
    if bounds.is_empty() {
        return FAR;
    }
    let apart = (Vec3::from(bounds.low) - point).max(point - Vec3::from(bounds.high)).max(Vec3::ZERO);
    (apart.length_squared() * (1.0 - SLACK)).min(FAR)
}

/// Where on the way from 0 to `side` the nearest point to `point` lies, 0 to 1; 0 where the side has no length.
fn along(point: Vec3, side: Vec3) -> f32 {
    let length = side.length_squared();
    if length == 0.0 { 0.0 } else { (point.dot(side) / length).clamp(0.0, 1.0) }
}

impl Triangle {
    /// `best`, or this triangle's point nearest to `point` where that is nearer; of equally near ones, the smaller number. The
    /// foot of the perpendicular if it lies inside, or the nearest point of the nearest side. `t` is the square of the distance.
    fn near(&self, point: Vec3, primitive: u32, best: Hit) -> Hit {
        let nearer = |apart: Vec3, u: f32, v: f32, best: Hit| {
            let square = apart.length_squared();
            let nearer = square < best.t || (square == best.t && primitive < best.primitive);
            if nearer { Hit { t: square, primitive, u, v } } else { best }
        };
        let [a, b, c] = [self.a, self.b, self.c].map(Vec3::from);
        let (ab, ac, ap) = (b - a, c - a, point - a);
        let normal = ab.cross(ac);
        let area = normal.length_squared();
        let (u, v) = (ap.cross(ac).dot(normal) / area, ab.cross(ap).dot(normal) / area);
        if area > 0.0 && u >= 0.0 && v >= 0.0 && u + v <= 1.0 {
            return nearer(ap - u * ab - v * ac, u, v, best);
        }
        let (of_ab, of_ac, of_bc) = (along(ap, ab), along(ap, ac), along(ap - ab, ac - ab));
        let best = nearer(ap - of_ab * ab, of_ab, 0.0, best);
        let best = nearer(ap - of_ac * ac, 0.0, of_ac, best);
        nearer(ap - ab - of_bc * (ac - ab), 1.0 - of_bc, of_bc, best)
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn points_mean_the_same_bytes_in_wgsl() {
        use super::Point as LbvhPoint;
        let mut composer = shaders::Composer::new();
        composer.bind_module("kernels/lbvh/tree", "kernels/lbvh/tree_bound");
        composer.bind_module("kernels/lbvh/nearby", "kernels/lbvh/nearby_triangles");
        let composed = composer.compose("kernels/lbvh/near_points").unwrap();
        shaders::assert_layout!(composed, LbvhPoint { position, reach });
    }
}
