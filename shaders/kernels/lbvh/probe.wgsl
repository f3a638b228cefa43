// When does a ray meet a box of a scene? Prepared once a ray, so that a box takes six products and sums.
//
// Boxes are widened by one length for all of a scene, so that no triangle is missed because of its box. By hand on both sides, as the
// CPU asks boxes in lanes: kernels/src/lbvh/children.rs and bvh8/node.rs.

//!import kernels/lbvh/ray

// 2^-18 of the largest distance and coordinate: by how much boxes are widened, four times as much as on the CPU, as a side is
// multiplied before the origin is subtracted.
const LBVH_PROBE_SLACK: f32 = 0x1p-18f;

// 2^-30: the ratio of the parts of a direction at least. A smaller part is taken as larger, which moves the ray by less than the slack.
const LBVH_PROBE_FLATTEST: f32 = 0x1p-30f;

// 2^100: where all boxes end, in units of the scene.
const LBVH_PROBE_END: f32 = 0x1p100f;

// 2^124: larger than all distances and coordinates together.
const LBVH_PROBE_REACH: f32 = 0x1p124f;

// What boxes are asked with. Distances along the ray are in units of the scene, so that none is too large.
struct LbvhProbe {
    // Units for each length along x, y, z.
    inverse: vec3f,
    // Where the ray would enter and leave boxes whose sides are at 0.
    enters: vec3f,
    leaves: vec3f,
    is_forward: vec3<bool>,
    t_min: f32,
    // Units for each t, and the t at which all boxes end.
    unit: f32,
    end: f32,
}

// Of a valid ray in a scene from `low` to `high`.
fn lbvh_probe(ray: LbvhRay, low: vec3f, high: vec3f) -> LbvhProbe {
    let origin = vec3f(ray.origin);
    let direction = vec3f(ray.direction);
    let most = max(abs(low), abs(high)) + 2.0 * abs(origin);
    let reach = min(max(max(most.x, most.y), most.z), LBVH_PROBE_REACH);
    // A power of two near 1 / reach.
    let scale = bitcast<f32>((254u - clamp(bitcast<u32>(reach) >> 23u, 67u, 252u)) << 23u);
    let size = abs(direction);
    let largest = max(max(size.x, size.y), size.z);
    let is_forward = direction >= vec3f(0.0);
    let steep = scale * largest / max(size, vec3f(largest * LBVH_PROBE_FLATTEST));
    let inverse = select(-steep, steep, is_forward);
    let slack = steep * (LBVH_PROBE_SLACK * reach);
    let unit = largest * scale;
    let end = select(LBVH_FAR, LBVH_PROBE_END / max(unit, 1.0), unit > 1.0);
    let at_zero = -origin * inverse;
    return LbvhProbe(
        inverse, at_zero - slack, at_zero + slack, is_forward, max(ray.t_min, -end) * unit, unit, end);
}

// A t in units of the scene, where boxes may end.
fn lbvh_probe_units(probe: LbvhProbe, t: f32) -> f32 {
    return min(t, probe.end) * probe.unit;
}

// Where the ray enters a box, in units of the scene; `LBVH_FAR` where it does not meet it before `end`. Nothing meets a box whose low
// side is above its high side.
fn lbvh_probe_box(probe: LbvhProbe, low: vec3f, high: vec3f, end: f32) -> f32 {
    let near = select(high, low, probe.is_forward) * probe.inverse + probe.enters;
    let far = select(low, high, probe.is_forward) * probe.inverse + probe.leaves;
    let enters = max(max(near.x, near.y), max(near.z, probe.t_min));
    let leaves = min(min(far.x, far.y), min(far.z, end));
    return select(LBVH_FAR, enters, enters <= leaves);
}
