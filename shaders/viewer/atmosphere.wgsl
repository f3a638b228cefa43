// How much light does air take away and add between two points? An exponential atmosphere in closed form.
//!import viewer/frame

// Height over which the density of air falls by e (Rayleigh scattering).
const SCALE_HEIGHT_M: f32 = 8000.0;
// Equator's radius, which every direction has in the space where the ellipsoid is a sphere.
const RADIUS_M: f32 = 6378137.0;
// Optical depth straight up from sea level at 680, 550 and 440 nm: Rayleigh's 5.8, 13.5, 33.1 per 1000 km times
// the scale height, plus a little grey haze.
const SKY_DEPTH: vec3f = vec3f(0.055, 0.120, 0.280);
// In front of the ground the air is thinned to a half, so that maps stay readable.
const GROUND_DEPTH: vec3f = vec3f(0.030, 0.060, 0.136);
// The same of a horizontal way out, in vertical depths: sqrt(pi R / 2 H).
const HORIZONTAL: f32 = 35.4;
// Colour of air that is thick enough to hide what is behind it.
const AIR: vec3f = vec3f(0.56, 0.74, 1.0);

// Optical depth of a way out of the air that starts at unit density, in vertical depths; cos_zenith >= 0.
// Chapman's grazing incidence function as approximated by C. Schueler (GPU Pro 3, 2012): 1 straight up.
fn slant(cos_zenith: f32) -> f32 {
    return HORIZONTAL / ((HORIZONTAL - 1.0) * cos_zenith + 1.0);
}

// Relative density of air at a height above the sea.
fn density(height_m: f32) -> f32 {
    return exp2(max(height_m, 0.0) * (-1.442695 / SCALE_HEIGHT_M));
}

// Air between a point of the ground and the eye, in vertical depths. Both ends see the same way, from the ground to
// the eye; a way that first goes down passes its lowest point, where the air is as thick as at its thicker end.
fn air_between(ground_density: f32, ground_cos: f32, eye_cos: f32) -> f32 {
    let from_ground = sign(ground_cos) * ground_density * slant(abs(ground_cos));
    let from_eye = sign(eye_cos) * frame.eye_density * slant(abs(eye_cos));
    let dips = select(0.0, 2.0 * HORIZONTAL, ground_cos < 0.0) - select(0.0, 2.0 * HORIZONTAL, eye_cos < 0.0);
    return max(dips * max(ground_density, frame.eye_density) + from_ground - from_eye, 0.0);
}

// What is left of light after that much air of a vertical depth.
fn transmittance(air: f32, vertical_depth: vec3f) -> vec3f {
    return exp2(air * -1.442695 * vertical_depth);
}

// Sunlight where the sun stands at this height: none at night, red at the terminator.
fn daylight(sun_cos: f32) -> vec3f {
    let day = clamp(sun_cos * 4.0 + 0.45, 0.0, 1.0);
    let high = clamp(sun_cos * 3.5, 0.0, 1.0);
    return day * day * mix(vec3f(1.0, 0.50, 0.25), vec3f(1.0, 0.98, 0.95), high);
}

// Light scattered towards the eye by endless air; `view_sun` is the cosine between line of sight and sun. A low sun
// reddens long ways through the air; straight up the sky stays blue.
fn airlight(view_sun: f32, sun_cos: f32, air: f32) -> vec3f {
    let day = clamp(sun_cos * 4.0 + 0.45, 0.0, 1.0);
    let light = mix(vec3f(day * day), daylight(sun_cos), clamp(0.08 * air, 0.0, 1.0));
    return AIR * light * (0.72 + 0.28 * view_sun * view_sun);
}

// From light to the picture: bright parts are compressed, then gamma 2.
fn develop(light: vec3f) -> vec3f {
    let x = max(light, vec3f(0.0));
    return sqrt(x * (1.0 + 0.16 * x) / (1.0 + 0.45 * x));
}
