// What is asked about, and does it touch a box? The inside of six planes. Twin: kernels/src/lbvh/frustum.rs.

struct LbvhRegion {
    // Inside where dot(plane.xyz, point) + plane.w >= 0, for all six.
    planes: array<vec4f, 6>,
}

fn lbvh_usable_region(region: LbvhRegion) -> LbvhRegion {
    return region;
}

// False only where all of the box is outside of one plane, by more than rounding can feign. A plane with a NaN has nothing inside.
fn lbvh_touches(region: LbvhRegion, low: vec3f, high: vec3f) -> bool {
    if low.x > high.x {
        return false;
    }
    let reach = max(abs(low), abs(high));
    for (var i = 0u; i < 6u; i += 1u) {
        let plane = region.planes[i];
        let farthest = select(low, high, plane.xyz >= vec3f(0.0));
        let inside = dot(plane.xyz, farthest) + plane.w;
        let slack = (dot(abs(plane.xyz), reach) + abs(plane.w)) * 0x1p-20f;
        if !(inside >= -slack) {
            return false;
        }
    }
    return true;
}
