// What is asked about, and does it touch a box? The inside of six planes.
// Generated from kernels/src/lbvh/region_frustum.rs: ./x generate

//!import kernels/lbvh/ray

//!once kernels::lbvh::region_frustum::Frustum
// The inside of six planes, 96 bytes: points where `x px + y py + z pz + w >= 0` for each plane `[x, y, z, w]`.
struct LbvhRegion {
    // The planes.
    planes: array<vec4f, 6>,
}
//!end

//!once kernels::lbvh::region_frustum::lbvh_usable_region
// The region as `lbvh_touches` takes it: as it is.
fn lbvh_usable_region(region: LbvhRegion) -> LbvhRegion {
    return region;
}
//!end

//!once kernels::lbvh::prepared_ray::LBVH_SLACK
// 2^-20 of its distance: by how much a box is widened, more than all rounding in its test and in that of triangles.
const LBVH_SLACK: f32 = 9.536743e-7f;
//!end

//!once kernels::lbvh::region_frustum::lbvh_touches
// False only where all of the box is outside of one plane, by more than rounding can feign. A plane with a NaN has nothing inside.
fn lbvh_touches(region: LbvhRegion, low: vec3f, high: vec3f) -> bool {
    if low.x > high.x {
        return false;
    }
    let reach = max(abs(low), abs(high));
    for (var i = 0u; i < 6u; i++) {
        let plane = vec4f(region.planes[i]);
        let normal = plane.xyz;
        let farthest = select(low, high, (normal >= vec3f(0.0f)));
        let inside = dot(normal, farthest) + plane.w;
        let slack = (dot(abs(normal), reach) + abs(plane.w)) * LBVH_SLACK;
        let is_inside = inside >= -slack;
        if !is_inside {
            return false;
        }
    }
    return true;
}
//!end
