//! How urgent is a vertex? The metric as device functions: what CPU and GPU compute from one source. `shaders/terrain/metric.wgsl`
//! is generated from this file, which a test compares.
//!
//! Both compute it in f32: distances from the eye, edges and errors are exact to a part in ten millions, and what comes of them
//! is a quarter of an octave wide.

#[cfg(test)]
pub(crate) mod tests;

use crate::device;
use derive_setters::Setters;
use glam::{Vec3, Vec4, Vec4Swizzles};

use crate::{
    bisection::{SAGITTA_M, corners::BisectedEdge},
    cube::ONE,
    geodesy::Ellipsoid,
    key_words::BUCKET_SPLIT,
};

/// Error outside the picture counts a sixteenth: detail there stays coarse but is at hand when the camera turns.
#[device]
pub const OUT_OF_PICTURE: f32 = 1.0 / 16.0;

/// Apex distance over the edge in the most stretched bisector, at the corners of the cube, rounded up.
#[device]
pub const REACH_OVER_EDGE: f32 = 0.875;

/// Apex distance over the edge where cells are square, and a fiftieth for the flattening of the Earth and for arcs; for flatter bodies
/// both are multiplied by [`reach_scale`].
#[device]
pub const REACH_OVER_EVEN_EDGE: f32 = 0.51;

/// Square of the least tangent over its face coordinate, rounded down: a quarter of pi, in the middle of a face.
#[device]
pub const TANGENT_OVER_FACE_2: f32 = 0.61;

/// Edges that morphing looks down. Longer chains of edges that all morph are rare: what they leave out moves the surface by a
/// fiftieth of a pixel, at depth 2 it would be a quarter.
#[device]
pub const MORPH_DEPTH: u32 = 4;

/// Ratio of projected to tolerated error at which a pair stops being worth its bisection.
#[device]
pub const MERGE_BELOW: f32 = 0.95;

/// The ground in the two triangles that a vertex cuts rises so far over level ground there, where it slopes by 3 in 4.
#[device]
pub const RISE_OVER_REACH: f32 = 0.75;

/// And reaches so far.
#[device]
pub const BOUND_OVER_REACH: f32 = 1.25;

/// Apart from its slope, the ground strays by a few times the vertex's saturated error.
#[device]
pub const BOUND_OVER_ERROR: f32 = 3.0;

/// And by a part of the reach, where the error is an estimate that misses what is narrower than the samples.
#[device]
pub const ASTRAY_OVER_REACH: f32 = 1.0 / 16.0;

/// How good the picture has to be.
///
/// ```
/// use terrain::{Options, Quality};
/// let sketch = Quality::default().with_pixel_error(4.0).with_min_edge_px(16.0);
/// assert_eq!(sketch.morph_end, Quality::default().morph_end);
/// assert_eq!(Options::default().with_quality(sketch).quality.pixel_error, 4.0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Setters)]
#[setters(prefix = "with_")]
#[non_exhaustive]
pub struct Quality {
    /// Geometric error on screen at which an edge is bisected, in pixels.
    pub pixel_error: f64,
    /// Edges shorter than this on screen are never bisected, in pixels.
    pub min_edge_px: f64,
    /// Ratio of projected to tolerated error at which a new vertex has fully moved to its place; above 1.
    pub morph_end: f64,
}

impl Default for Quality {
    /// 1 px, 4 px, 1.35: measured to keep the motion of the surface below a quarter of a pixel a frame.
    fn default() -> Self {
        Self { pixel_error: 1.0, min_edge_px: 4.0, morph_end: 1.35 }
    }
}

/// What hides ground from an eye, in the space where the occluder of the horizon ([`crate::view::Occluder`]) is the unit sphere.
#[device]
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
pub struct Horizon {
    /// The direction of the eye, and one over its distance, which is the sine of the shadow cone's half angle; next to nothing
    /// when the eye is inside the occluder.
    pub towards_eye: Vec4,
    /// What takes metres there, and the cosine of that half angle.
    pub to_unit: Vec4,
    /// The most that a metre is there.
    pub unit_per_m: f32,
    /// Distance of the eye from the middle.
    pub eye_distance: f32,
    /// How far the plane of the horizon is below the eye.
    pub depth: f32,
    /// No ground that can be seen is higher, in metres above the datum.
    pub highest_m: f32,
}

/// The view as the metric knows it.
#[device]
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
pub struct Metric {
    /// Inward normals of the sides of the widened frustum, through the eye.
    pub sides: [Vec4; 4],
    pub horizon: Horizon,
    /// A move along the vertical of any ground is at most one over this, in radians a metre; negative for an eye under the ground.
    pub nearest_m: f32,
    /// Pixels per radian over the tolerated error in pixels.
    pub pixels_over_error: f32,
    /// Pixels per radian over the shortest edge in pixels.
    pub pixels_over_edge: f32,
    /// One over the width of the range of ratios in which a vertex moves.
    pub morph_scale: f32,
}

/// The edge that a vertex cuts.
#[device]
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
pub struct CutEdge {
    /// Length in metres.
    pub length_m: f32,
    /// How far the two triangles at the edge reach from the vertex, in metres.
    pub reach_m: f32,
}

/// How the eye sees a vertex.
#[device]
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
pub struct ProjectedDistance {
    /// Distance in metres.
    pub distance_m: f32,
    /// That from which a move along the vertical would look as large if seen square.
    pub sideways_m: f32,
}

/// How the eye sees a vertex at a position relative to it, where `normal` is the vertical.
#[device]
#[inline]
pub fn projected_distance(position_m: Vec3, normal: Vec3) -> ProjectedDistance {
    let distance_m: f32 = position_m.length();
    let along_m: f32 = position_m.dot(normal);
    let across_m: f32 = (distance_m * distance_m - along_m * along_m).max(0.0).sqrt();
    // A millionth keeps it finite for ground straight below.
    let sideways_m: f32 = distance_m * (distance_m / across_m.max(1.0e-6 * distance_m + 1.0e-9));
    ProjectedDistance { distance_m, sideways_m }
}

/// Projected error over tolerated error of a vertex, or its edge on screen over the shortest one, if that is less.
///
/// The error that a vertex takes away is largest at the vertex and vanishes at the rim of its two triangles. Seen from beyond
/// twice their reach, what is nearer is smaller by as much, so the vertex's own place tells: a move by e along a vertical that
/// the eye sees at an angle a, from a distance d, is `e sin(a) / d` radians. Seen from within their reach there may be ground at
/// the eye's feet, however far the vertex, but none is nearer than [`Metric::nearest_m`]. Ground that strays by more than
/// that gives no such bound: then the distance goes to nothing, and the edge's length decides.
#[device]
#[inline]
pub fn ratio_of(metric: Metric, projected: ProjectedDistance, edge: CutEdge, error_m: f32) -> f32 {
    let beside_m: f32 = 2.0 * (projected.distance_m - edge.reach_m);
    let above_m: f32 = metric.nearest_m - BOUND_OVER_ERROR * error_m;
    let within_m: f32 = beside_m.max(above_m);
    let error: f32 = error_m * metric.pixels_over_error / projected.sideways_m.min(within_m).max(0.1);
    let shortest: f32 = edge.length_m * metric.pixels_over_edge / projected.distance_m.min(within_m).max(0.1);
    error.min(shortest)
}

/// How far from a vertex its two triangles reach, over the length of the edge that it cuts, rounded up: a half where the cells of
/// the face are square, [`REACH_OVER_EDGE`] at the corners of the cube.
///
/// On the gnomonic plane of the face, at (X, Y), a step along one coordinate is `sqrt(1 + X X)` of what one along the other
/// is in `sqrt(1 + Y Y)`, and the product of both is `-X Y`. Face coordinates are used in place of their tangents, and the worst
/// ones of all of the two triangles in place of the vertex's, which both round up.
#[device]
#[inline]
pub fn reach_over_edge(edge: BisectedEdge) -> f32 {
    let along_u: u32 = edge.start.u.max(edge.end.u) - edge.start.u.min(edge.end.u);
    let along_v: u32 = edge.start.v.max(edge.end.v) - edge.start.v.min(edge.end.v);
    let unit: f32 = 1.0 / ONE as f32;
    let s: f32 = (edge.start.u as f32 + edge.end.u as f32) * unit - 1.0;
    let t: f32 = (edge.start.v as f32 + edge.end.v as f32) * unit - 1.0;
    let half: f32 = along_u.max(along_v) as f32 * unit;
    let far_s: f32 = (s.abs() + half).min(1.0);
    let far_t: f32 = (t.abs() + half).min(1.0);
    let near_s: f32 = (s.abs() - half).max(0.0);
    let near_t: f32 = (t.abs() - half).max(0.0);
    // Square of the way to the right-angle corners over that to the ends of the edge: of an edge along u, along v, and of a diagonal.
    let mut stretch: f32 = (1.0 + far_t * far_t) / (1.0 + TANGENT_OVER_FACE_2 * near_s * near_s);
    if along_u == 0 {
        stretch = (1.0 + far_s * far_s) / (1.0 + TANGENT_OVER_FACE_2 * near_t * near_t);
    }
    if along_u > 0 && along_v > 0 {
        let mut product: f32 = s * t;
        if (edge.end.u > edge.start.u) != (edge.end.v > edge.start.v) {
            product = -product;
        }
        product = (product + half * (s.abs() + t.abs() + half)).min(far_s * far_t);
        let squares: f32 = 2.0 + (s * s + t * t).max(2.0 * product.abs());
        stretch = (squares + 2.0 * product) / (squares - 2.0 * product);
    }
    REACH_OVER_EVEN_EDGE * stretch.max(1.0).sqrt()
}

/// How much farther triangles reach on a body than on one that is as flat as the Earth, at most: as metres across the meridian over those
/// along it, at the equator, where they differ most. Rounder ones are taken as it.
pub fn reach_scale(ellipsoid: Ellipsoid) -> f64 {
    let ratio = |of: Ellipsoid| 1.0 - of.eccentricity_squared();
    (ratio(Ellipsoid::WGS84) / ratio(ellipsoid)).max(1.0)
}

/// False only if the sphere, relative to the eye, is wholly outside the widened frustum.
#[device]
#[inline]
pub fn may_show(metric: Metric, centre_m: Vec3, radius_m: f32) -> bool {
    let left: Vec4 = metric.sides[0];
    let right: Vec4 = metric.sides[1];
    let low: Vec4 = metric.sides[2];
    let high: Vec4 = metric.sides[3];
    left.xyz().dot(centre_m) >= -radius_m
        && right.xyz().dot(centre_m) >= -radius_m
        && low.xyz().dot(centre_m) >= -radius_m
        && high.xyz().dot(centre_m) >= -radius_m
}

/// Ground round a place, as culling knows it.
#[device]
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
pub struct GroundBounds {
    /// Height of the place above the datum in metres.
    pub height_m: f32,
    /// How far the ground reaches from the place, in metres along the ground.
    pub reach_m: f32,
    /// How high above the place it rises, in metres.
    pub rise_m: f32,
    /// Radius round the place of all of it, in metres.
    pub bound_m: f32,
}

/// The ground in the two triangles that a vertex cuts, of which the lowest and the highest corner or sample are known.
#[device]
#[inline]
pub fn bounds_between(height_m: f32, lowest_m: f32, highest_m: f32, reach_m: f32, error_m: f32) -> GroundBounds {
    let astray_m: f32 = BOUND_OVER_ERROR * error_m + ASTRAY_OVER_REACH * reach_m;
    let rise_m: f32 = highest_m - height_m + astray_m;
    let fall_m: f32 = height_m - lowest_m + astray_m;
    GroundBounds { height_m, reach_m, rise_m, bound_m: reach_m + rise_m.max(fall_m) }
}

/// The same ground where only its slope is bounded: [`RISE_OVER_REACH`].
#[device]
#[inline]
pub fn bounds_by_slope(height_m: f32, reach_m: f32, error_m: f32) -> GroundBounds {
    let astray_m: f32 = BOUND_OVER_ERROR * error_m;
    let rise_m: f32 = RISE_OVER_REACH * reach_m + astray_m;
    GroundBounds { height_m, reach_m, rise_m, bound_m: BOUND_OVER_REACH * reach_m + astray_m }
}

/// True only if all ground round a place, relative to the eye, is hidden by the occluder.
///
/// What hides a point, in the space where the occluder is a ball, is a matter of its distance from the middle and its angle from
/// the eye's direction, the more of the one and the less of the other. So if the highest of such places that is nearest to the
/// eye's direction lies in the shadow, inside its cone and beyond its plane, all others do.
#[device]
#[inline]
pub fn beyond_horizon(horizon: Horizon, position_m: Vec3, bounds: GroundBounds) -> bool {
    let to_unit: Vec4 = horizon.to_unit;
    let towards_eye: Vec4 = horizon.towards_eye;
    let position = position_m * to_unit.xyz();
    // Below the eye, and beside the line from there to the middle.
    let depth: f32 = -position.dot(towards_eye.xyz());
    let across: f32 = (position.dot(position) - depth * depth).max(0.0).sqrt();
    let axial: f32 = horizon.eye_distance - depth;
    let radius: f32 = (axial * axial + across * across).sqrt();
    let cosine: f32 = axial / radius;
    let sine: f32 = across / radius;
    let rise_above_m: f32 = bounds.rise_m.min(horizon.highest_m - bounds.height_m);
    // A millionth of the Earth's radius covers rounding.
    let rise: f32 = rise_above_m * horizon.unit_per_m + 1.0e-6;
    // Radians by which the vertical is off the line to the middle, and a fifth more: the flattening of the occluder.
    let vertical_off: f32 = 1.2 * (to_unit.z / to_unit.x - 1.0);
    let reach: f32 = (bounds.reach_m + vertical_off * bounds.rise_m) * horizon.unit_per_m + 1.0e-6;
    // Along the tangent to the angle that the reach is on the ground.
    let tangent: f32 = reach / (1.0 - reach * reach).max(1.0e-6).sqrt();
    let nearest_across: f32 = across + rise * sine - tangent * cosine;
    let nearest_depth: f32 = depth - rise * cosine - tangent * sine;
    reach < 0.9
        && nearest_across > 0.0
        && nearest_depth > horizon.depth
        && nearest_depth * towards_eye.w > nearest_across * to_unit.w
}

/// The ratio that the view sees: nothing beyond the horizon, little outside the picture.
#[device]
#[inline]
pub fn seen_ratio(metric: Metric, ratio: f32, position_m: Vec3, bounds: GroundBounds) -> f32 {
    let horizon: Horizon = metric.horizon;
    if beyond_horizon(horizon, position_m, bounds) {
        return 0.0;
    }
    if may_show(metric, position_m, bounds.bound_m) {
        return ratio;
    }
    ratio * OUT_OF_PICTURE
}

/// How far a vertex of a ratio has moved from the middle of its edge to its place: from 0 at ratio 1; all the way at 1 and above.
#[device]
#[inline]
pub fn morph_weight(ratio: f32, morph_scale: f32) -> f32 {
    ((ratio - 1.0) * morph_scale).max(0.0)
}

/// Bucket of a ratio of projected to tolerated error: 0 to merge, 1 to stay as it is, from 2 on four an octave to cut.
#[device]
#[inline]
#[expect(clippy::neg_cmp_op_on_partial_ord, reason = "what is not a number asks for nothing")]
pub fn bucket_of_ratio(ratio: f32) -> u32 {
    if !(ratio >= MERGE_BELOW) {
        return 0;
    }
    if ratio < 1.0 {
        return 1;
    }
    BUCKET_SPLIT + (4.0 * ratio.log2()).floor().min(253.0) as u32
}

/// The error that the curve of the Earth makes of an edge, for the longest ones, in metres.
#[device]
#[inline]
pub fn least_error_m(edge: BisectedEdge) -> f32 {
    let along_u: u32 = edge.start.u.max(edge.end.u) - edge.start.u.min(edge.end.u);
    let along_v: u32 = edge.start.v.max(edge.end.v) - edge.start.v.min(edge.end.v);
    // A power of two; a diagonal comes before the sides it leads to.
    let halvings = along_u.max(along_v).leading_zeros() - 1;
    let depth = 2 * halvings + (along_u.min(along_v) == 0) as u32;
    if depth < 8 {
        return SAGITTA_M[depth as usize];
    }
    0.0
}
