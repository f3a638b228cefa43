// How may ground look that is finer than the data? Rough where the data are steep, smooth where they are level. It turns the
// normal and shades the tint, and moves nothing: heights, picks and outlines stay those of the data.
//!import viewer/noise
//!import viewer/overlays

// Slope that each octave adds on level ground, and on ground that rises one in one.
const LEVEL_SLOPE: f32 = 0.02;
const STEEP_SLOPE: f32 = 0.42;
// From one octave to the next finer one slopes become this much larger: heights fall as the scale to the power 0.85.
const ROUGHER: f32 = 1.11;

struct Detail {
    // Tangent surface gradient, metres a metre.
    gradient: vec3f,
    // What the tint is multiplied by.
    shade: f32,
}

// At a place of the ground in metres from the eye, where the data have a gradient and postings this far apart.
fn detail_at(from_eye_m: vec3f, n: vec3f, view: vec3f, gradient: vec3f, posting_m: f32) -> Detail {
    // Of ground that is seen flat, a pixel covers more.
    let pixel_m = length(from_eye_m) * frame.pixel_rad / clamp(-dot(view, n), 0.1, 1.0);
    let finest = finest_octave(pixel_m);
    let slope = length(gradient);
    var amount = LEVEL_SLOPE + STEEP_SLOPE * slope / (1.0 + slope);
    var sum = vec3f(0.0);
    var shade = 0.0;
    // Two postings are the shortest wave that data have; a wave of noise is about two cells.
    let coarsest = u32(max(log2(posting_m / GRAIN_M), 0.0));
    for (var octave = min(coarsest, 15u); octave >= finest && octave < 16u; octave--) {
        let part = resolved(octave, pixel_m) * (1.0 - smoothstep(0.5, 1.0, GRAIN_M * f32(1u << octave) / posting_m));
        let one = noise(from_eye_m, octave, vec3f(0.0));
        let tangent = one.gradient - n * dot(one.gradient, n);
        // What is steep already has slid down: valleys fill and ridges stay (after I. Quilez, 2008).
        let kept = part * amount / (1.0 + 2.0 * dot(sum, sum));
        sum += kept * tangent;
        shade += kept * one.value;
        amount *= ROUGHER;
    }
    return Detail(sum, clamp(1.0 + 0.9 * shade, 0.6, 1.3));
}
