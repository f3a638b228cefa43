// Which colours have steepness, aspect and hours of sun?
// Generated from viewer/src/render/tints.rs: ./x generate

//!once viewer::render::tints::slope_tint
// Colour in linear light of ground that rises `steepness` metres a metre: green is level, then yellow at 5 degrees, orange at 15, red at
// 30, violet at 45 and beyond.
fn slope_tint(steepness: f32) -> vec3f {
    let angle_deg = atan(steepness) * 57.29578f;
    let yellow = clamp(angle_deg / 5.0f, 0.0f, 1.0f);
    let orange = clamp((angle_deg - 5.0f) / 10.0f, 0.0f, 1.0f);
    let red = clamp((angle_deg - 15.0f) / 15.0f, 0.0f, 1.0f);
    let violet = clamp((angle_deg - 30.0f) / 15.0f, 0.0f, 1.0f);
    return mix(mix(mix(mix(vec3f(0.3f, 0.45f, 0.22f), vec3f(0.8f, 0.74f, 0.22f), yellow), vec3f(0.85f, 0.38f, 0.06f), orange), vec3f(0.55f, 0.04f, 0.03f), red), vec3f(0.16f, 0.01f, 0.22f), violet);
}
//!end

//!once viewer::render::tints::aspect_tint
// Colour in linear light of ground by the way in which it falls, metres a metre to the north and to the east: grey is level, then red to the
// north, yellow-green to the east, cyan to the south, violet to the west, all equally light (OKLab, B. Ottosson, 2020).
fn aspect_tint(fall: vec2f) -> vec3f {
    let steepness = length(fall);
    let part = clamp(steepness / 0.06f, 0.0f, 1.0f);
    let chroma = 0.13f * part * part * (3.0f - 2.0f * part);
    let hue = fall / max(steepness, 1e-9f);
    let a = chroma * (0.866f * hue.x - 0.5f * hue.y);
    let b = chroma * (0.5f * hue.x + 0.866f * hue.y);
    let by_a = vec3f(0.3963378f, -0.1055613f, -0.0894842f) * a;
    let by_b = vec3f(0.2158038f, -0.0638542f, -1.2914855f) * b;
    let lms = vec3f(0.7f) + by_a + by_b;
    let cubed = lms * lms * lms;
    let red = dot(cubed, vec3f(4.0767417f, -3.3077116f, 0.2309699f));
    let green = dot(cubed, vec3f(-1.268438f, 2.6097574f, -0.3413194f));
    let blue = dot(cubed, vec3f(-0.0041961f, -0.7034186f, 1.7076147f));
    return clamp(vec3f(red, green, blue), vec3f(0.0f), vec3f(1.0f));
}
//!end

//!once viewer::render::tints::sun_tint
// Colour in linear light of ground by a part of the hours of sun, 0 to 1. It goes from violet black over violet and orange to pale yellow.
fn sun_tint(part: f32) -> vec3f {
    let violet = clamp(3.0f * part, 0.0f, 1.0f);
    let orange = clamp(3.0f * part - 1.0f, 0.0f, 1.0f);
    let yellow = clamp(3.0f * part - 2.0f, 0.0f, 1.0f);
    return mix(mix(mix(vec3f(0.02f, 0.01f, 0.06f), vec3f(0.15f, 0.02f, 0.22f), violet), vec3f(0.72f, 0.14f, 0.04f), orange), vec3f(1.0f, 0.86f, 0.3f), yellow);
}
//!end
