// When does a ray meet boxes? Prepared once a ray, and once for boxes that lie together.
//
// Boxes are widened by 2^-19 of the distance to the farthest side of those that are asked together, so that no triangle is missed
// because of its box: twice as much as on the CPU (kernels/src/lbvh/children.rs), as distances along the ray are in units of the
// scene here. By hand on both sides, as the CPU asks boxes in lanes.

//!import kernels/lbvh/ray

// 2^-19: by how much of the distance boxes are widened.
const LBVH_PROBE_SLACK: f32 = 0x1p-19f;

// 2^-30: the ratio of the parts of a direction at least. A smaller part is taken as larger, which moves the ray by less than the slack.
const LBVH_PROBE_FLATTEST: f32 = 0x1p-30f;

// 2^100: where all boxes end, in units of the scene.
const LBVH_PROBE_END: f32 = 0x1p100f;

// What boxes are asked with. Distances along the ray are in units of the scene, so that none is too large.
struct LbvhProbe {
    origin: vec3f,
    // Units for each length along x, y, z, by the direction; and without its sign.
    inverse: vec3f,
    steep: vec3f,
    is_forward: vec3<bool>,
    t_min: f32,
    // Units for each t, and the t at which all boxes end.
    unit: f32,
    end: f32,
}

// Of a valid ray in a scene from `low` to `high`.
fn lbvh_probe(ray: LbvhRay, low: vec3f, high: vec3f) -> LbvhProbe {
    let origin = vec3f(ray.origin);
    let size = abs(vec3f(ray.direction));
    let largest = max(max(size.x, size.y), size.z);
    // Powers of two: near 1 / the distance to the farthest side, but not so small that a unit is no number, and of the direction.
    let reach = lbvh_reach(max(abs(low - origin), abs(high - origin)));
    let scale = bitcast<f32>((254u - clamp(bitcast<u32>(reach) >> 23u, 67u, 193u)) << 23u);
    let length = bitcast<f32>(bitcast<u32>(largest) & 0x7f800000u);
    let flattest = LBVH_PROBE_FLATTEST * length;
    let steep = scale * (length / max(size, vec3f(flattest)));
    let is_forward = vec3f(ray.direction) >= vec3f(0.0);
    let unit = length * scale;
    let end = select(LBVH_FAR, LBVH_PROBE_END / max(unit, 1.0), unit > 1.0);
    return LbvhProbe(
        origin, select(-steep, steep, is_forward), steep, is_forward, clamp(ray.t_min, -end, end) * unit, unit, end);
}

fn lbvh_reach(distance: vec3f) -> f32 {
    return max(max(distance.x, distance.y), distance.z);
}

// A t in units of the scene, where boxes may end.
fn lbvh_probe_units(probe: LbvhProbe, t: f32) -> f32 {
    return min(t, probe.end) * probe.unit;
}

// Where the ray enters two boxes, in units of the scene; `LBVH_FAR` where it does not meet one before `end`. Nothing meets a box whose
// low side is above its high side.
fn lbvh_probe_boxes(
    probe: LbvhProbe, low: vec3f, high: vec3f, other_low: vec3f, other_high: vec3f, end: f32,
) -> vec2f {
    let one = array(low - probe.origin, high - probe.origin);
    let other = array(other_low - probe.origin, other_high - probe.origin);
    // A box of nothing is as far as can be, and does not count.
    let there = select(vec3f(0.0), max(abs(one[0]), abs(one[1])), low.x <= high.x);
    let other_there = select(vec3f(0.0), max(abs(other[0]), abs(other[1])), other_low.x <= other_high.x);
    let slack = probe.steep * (LBVH_PROBE_SLACK * lbvh_reach(max(there, other_there)));
    return vec2f(
        lbvh_probe_sides(probe, one[0], one[1], slack, end),
        lbvh_probe_sides(probe, other[0], other[1], slack, end),
    );
}

fn lbvh_probe_sides(probe: LbvhProbe, low: vec3f, high: vec3f, slack: vec3f, end: f32) -> f32 {
    let near = select(high, low, probe.is_forward) * probe.inverse - slack;
    let far = select(low, high, probe.is_forward) * probe.inverse + slack;
    let enters = max(max(near.x, near.y), max(near.z, probe.t_min));
    let leaves = min(min(far.x, far.y), min(far.z, end));
    return select(LBVH_FAR, enters, enters <= leaves);
}
