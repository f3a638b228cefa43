// Where does the ground of the whole Earth lie in the shadow of other ground? By the shading map: heights here from which the sun's upper and
// lower limb are seen, over the ground by what is near (rg), and over the datum by what is far (ba): the former changes as the ground does, the
// latter as the ridges of a texel.
//!import viewer/shadow_rays

@group(0) @binding(1) var relief: texture_cube<f32>;
@group(0) @binding(2) var smooth_sampler: sampler;
@group(0) @binding(3) var shadow_map: texture_storage_2d_array<rgba16float, write>;

// Half of a texel of the shading map in the middle of a face, radians.
const STEP_RAD: f32 = 0.5 / f32(SHADOW_MAP_TEXELS);
// The nearest step that texels tell apart, the last near one, and the last ones that are two, four and eight times so long.
const FIRST: u32 = 2u;
const LAST: vec4u = vec4u(8u, 28u, 33u, 42u);

// Tangents of the sun's height below which no ground sees it, and above which all of it does: means over kilometres are not so steep.
const LOWEST_TANGENT: f32 = -0.08;
const HIGHEST_TANGENT: f32 = 0.6;

// Of a layer of a cube map, as `ShadeCube::direction` of elevation/src/height/shade_cube.rs.
fn map_direction(layer: u32, at: vec2f) -> vec3f {
    let along = select(1.0, -1.0, (layer & 1u) == 1u);
    if layer < 2u {
        return normalize(vec3f(along, -at.y, -along * at.x));
    }
    if layer < 4u {
        return normalize(vec3f(at.x, along, along * at.y));
    }
    return normalize(vec3f(along * at.x, -at.y, along));
}

@compute @workgroup_size(8, 8)
fn shadow_the_globe(@builtin(global_invocation_id) id: vec3u) {
    if any(id.xy >= vec2u(SHADOW_MAP_TEXELS)) {
        return;
    }
    let n = map_direction(id.z, (2.0 * vec2f(id.xy) + 1.0) / f32(SHADOW_MAP_TEXELS) - 1.0);
    if dot(n, shadow_sun.middle) < shadow_sun.least_cos {
        return;
    }
    let ray = sun_ray(n);
    if ray.tangents.x < LOWEST_TANGENT {
        textureStore(shadow_map, id.xy, id.z, vec4f(NOWHERE_M));
        return;
    }
    if ray.tangents.y > HIGHEST_TANGENT * shadow_sun.exaggeration {
        // As over level ground: a jump would be taken for an edge.
        let level_m = seen_over(0.0, f32(FIRST) * STEP_RAD, ray);
        textureStore(shadow_map, id.xy, id.z, in_16_bits(level_m, vec2f(-NOWHERE_M)));
        return;
    }
    var near_m = vec2f(-NOWHERE_M);
    var far_m = vec2f(-NOWHERE_M);
    var way = FIRST - 1u;
    for (var i = FIRST; i <= LAST.w; i++) {
        let longer = u32(i > LAST.x) + u32(i > LAST.y) + u32(i > LAST.z);
        way += 1u << longer;
        let angle = f32(way) * STEP_RAD;
        let lod = f32(max(longer, 1u) - 1u);
        let there = textureSampleLevel(relief, smooth_sampler, n * cos(angle) + ray.towards * sin(angle), lod);
        // The sea hides the sun by its surface.
        let height_m = shadow_sun.exaggeration * select(there.r, max(there.r, 0.0), there.a > 0.0);
        let seen_m = seen_over(height_m, angle, ray);
        if longer > 0u {
            far_m = max(far_m, seen_m);
        } else {
            near_m = max(near_m, seen_m);
        }
    }
    // The level of the shading map whose texels are these.
    let here = textureSampleLevel(relief, smooth_sampler, n, 1.0);
    let lit_m = lit_height_m(shadow_sun.exaggeration * here.r, here.a);
    textureStore(shadow_map, id.xy, id.z, in_16_bits(near_m - lit_m, far_m));
}
