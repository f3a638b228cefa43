// How much of the sun does a pixel of the ground see over other ground? See viewer/shadow_map and viewer/shadow_tiles.
//!import viewer/atmosphere
//!import terrain/shading

@group(0) @binding(11) var shadow_map: texture_cube<f32>;
@group(0) @binding(12) var shadow_tiles: texture_2d_array<f32>;

// What other ground takes of the light.
struct GroundShadow {
    // Metres that ground lies below where the sun's upper and lower limb are seen; below 0 where it lies above.
    below_sun_m: vec2f,
    // The share of the sky's light that is left.
    sky: f32,
}

// By the map for ground at a height, and so much of it by tiles: means over kilometres hide next to nothing of the sky.
fn ground_shadow(n: vec3f, height_m: f32, data: ShadingPoint, share: f32) -> GroundShadow {
    let map = textureSampleLevel(shadow_map, smooth_sampler, n, 0.0);
    let coarse = vec3f(max(map.xy, map.zw - height_m), 1.0);
    let fine = textureSampleLevel(shadow_tiles, smooth_sampler, data.uv, data.layer, 0.0).xyz;
    let both = mix(coarse, fine, select(0.0, share, data.is_there));
    return GroundShadow(both.xy, both.z);
}

// What of it tells how wide an edge is: on lit ground it is as far below 0 as texels are large, which differs from data to data. A few widths
// of a pixel's part of the sun's height are far enough from an edge.
fn edge_height_m(below_m: vec2f, position_m: vec3f, n: vec3f) -> f32 {
    let lit_m = 2.0 * frame.pixel_rad * length(position_m) * max(dot(n, frame.sun), 0.02);
    return max(below_m.x, -lit_m);
}

// The share of the sun's disc that is seen from a pixel; `change_m` of `edge_height_m` to the pixels beside it.
fn visible_sun_share(below_m: vec2f, change_m: f32) -> f32 {
    // The edge of a shadow is a pixel wide at least.
    let half_m = 0.35 * change_m;
    let part = saturate((half_m - below_m.x) / max(below_m.y - below_m.x + 2.0 * half_m, 1e-3));
    // Of a disc that an edge moves across.
    return part * part * (3.0 - 2.0 * part);
}
