// What is asked about, and does it touch a box? A box, faces included.

//!import kernels/lbvh/aabb

alias LbvhRegion = Aabb;

// The region as `lbvh_touches` takes it. A box with a NaN, or with its low side above its high side, touches nothing.
fn lbvh_usable_region(region: LbvhRegion) -> LbvhRegion {
    return aabb_usable(region);
}

fn lbvh_touches(region: LbvhRegion, low: vec3f, high: vec3f) -> bool {
    return aabb_touches(region, low, high);
}
