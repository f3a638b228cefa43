// How bright are the lights of towns at night?
//!import viewer/atmosphere

// The square root of the light by the geodetic normal; see viewer/src/render/night_lights.rs.
@group(0) @binding(14) var night_lights: texture_cube<f32>;

// What the brightest towns are in the picture before gamma, however long it is exposed.
const BRIGHTEST_TOWN: vec3f = vec3f(1.35, 0.98, 0.60);
// Cosines of the sun's zenith angle at which all lamps are lit, and none: 6 degrees below the horizon, and 1 above.
const ALL_LIT: f32 = -0.105;
const NONE_LIT: f32 = 0.017;
// From texels that are so many pixels wide on, lamps are seen less and less by themselves, and more by the ground that they light; from so many
// on by that alone.
const WIDE_TEXEL: f32 = 4.0;
const WIDEST_TEXEL: f32 = 60.0;
// The part of the light that white ground has of lamps.
const LAMPLIT: f32 = 0.6;

// Light from towns around a place with a tint, where a pixel is so wide.
fn town_light(n: vec3f, tint: vec3f, pixel_m: f32) -> vec3f {
    let lit = 1.0 - smoothstep(ALL_LIT, NONE_LIT, dot(n, frame.sun));
    if lit <= 0.0 {
        return vec3f(0.0);
    }
    let texels = pixel_m * f32(textureDimensions(night_lights).x) / (1.57079633 * frame.radius_m);
    let root = textureSampleLevel(night_lights, smooth_sampler, n, log2(max(texels, 1.0))).r;
    let from_afar = smoothstep(1.0 / WIDEST_TEXEL, 1.0 / WIDE_TEXEL, texels);
    // Towns end within a texel: a filter between them makes them wider the larger texels are.
    let light = root * root * mix(root * root, 1.0, from_afar);
    // Lamps have the colour, ground the brightness.
    let brightness = dot(tint, vec3f(0.2126, 0.7152, 0.0722));
    return BRIGHTEST_TOWN * (mix(LAMPLIT * brightness, 1.0, from_afar) * lit * light / frame.exposure);
}
