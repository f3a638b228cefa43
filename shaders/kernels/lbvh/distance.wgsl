// How far is a box or a triangle from a point?
// Generated from kernels/src/lbvh/distance.rs: ./x generate

//!import kernels/lbvh/ray

//!once kernels::lbvh::near::Point
// A point and how far around it is looked, 16 bytes.
struct LbvhPoint {
    // Where.
    position: vec3f,
    // The largest distance.
    reach: f32,
}
//!end

//!once kernels::lbvh::distance::LBVH_LARGEST_POINT
// 2^60: the most that a coordinate of a point may be.
const LBVH_LARGEST_POINT: f32 = 1.1529215e18f;
//!end

//!once kernels::lbvh::distance::lbvh_is_point
// False where a coordinate is not a number or too large, or `reach` is negative or not a number.
fn lbvh_is_point(point: vec3f, reach: f32) -> bool {
    return all((abs(point) <= vec3f(LBVH_LARGEST_POINT))) && reach >= 0.0f;
}
//!end

//!once kernels::lbvh::distance::LBVH_LONGEST_REACH
// 2^62: the longest reach that counts, farther than any two points are apart.
const LBVH_LONGEST_REACH: f32 = 4.611686e18f;
//!end

//!once kernels::lbvh::distance::lbvh_square_of_reach
// What squares of distances are compared with.
fn lbvh_square_of_reach(reach: f32) -> f32 {
    return min(reach, LBVH_LONGEST_REACH) * min(reach, LBVH_LONGEST_REACH);
}
//!end

//!once kernels::lbvh::prepared_ray::LBVH_SLACK
// 2^-20 of its distance: by how much a box is widened, more than all rounding in its test and in that of triangles.
const LBVH_SLACK: f32 = 9.536743e-7f;
//!end

//!once kernels::lbvh::distance::lbvh_square_to_box
// A square of a distance, less what rounding may have added to it; `LBVH_FAR` of an empty box.
fn lbvh_square_to_box(point: vec3f, low: vec3f, high: vec3f) -> f32 {
    if low.x > high.x {
        return LBVH_FAR;
    }
    let apart = max(max(low - point, point - high), vec3f(0.0f));
    return min(dot(apart, apart) * (1.0f - LBVH_SLACK), LBVH_FAR);
}
//!end

//!once kernels::lbvh::distance::lbvh_nearer
// `best`, or the point that is `apart` where that is nearer; of equally near ones, that of the smaller number.
fn lbvh_nearer(apart: vec3f, primitive: u32, u: f32, v: f32, best: LbvhHit) -> LbvhHit {
    let square = dot(apart, apart);
    let nearer = square < best.t || (square == best.t && primitive < best.primitive);
    if !nearer {
        return best;
    }
    return LbvhHit(square, primitive, u, v);
}
//!end

//!once kernels::lbvh::distance::lbvh_along
// Where on the way from 0 to `side` the nearest point to `point` lies, 0 to 1; 0 where the side has no length.
fn lbvh_along(point: vec3f, side: vec3f) -> f32 {
    let length_ = dot(side, side);
    return select(clamp(dot(point, side) / length_, 0.0f, 1.0f), 0.0f, (length_ == 0.0f));
}
//!end

//!once kernels::lbvh::distance::lbvh_near_triangle
// `best`, or this triangle's point nearest to `point` where that is nearer: the foot of the perpendicular if it lies inside, or
// the nearest point of the nearest side. `t` is the square of the distance.
fn lbvh_near_triangle(point: vec3f, a: vec3f, b: vec3f, c: vec3f, primitive: u32, best: LbvhHit) -> LbvhHit {
    let ab = b - a;
    let ac = c - a;
    let ap = point - a;
    let normal = cross(ab, ac);
    let area = dot(normal, normal);
    let u = dot(cross(ap, ac), normal) / area;
    let v = dot(cross(ab, ap), normal) / area;
    if area > 0.0f && u >= 0.0f && v >= 0.0f && u + v <= 1.0f {
        return lbvh_nearer(ap - u * ab - v * ac, primitive, u, v, best);
    }
    let of_ab: f32 = lbvh_along(ap, ab);
    let of_ac: f32 = lbvh_along(ap, ac);
    let of_bc: f32 = lbvh_along(ap - ab, ac - ab);
    var nearest: LbvhHit = lbvh_nearer(ap - of_ab * ab, primitive, of_ab, 0.0f, best);
    nearest = lbvh_nearer(ap - of_ac * ac, primitive, 0.0f, of_ac, nearest);
    return lbvh_nearer(ap - ab - of_bc * (ac - ab), primitive, 1.0f - of_bc, of_bc, nearest);
}
//!end
