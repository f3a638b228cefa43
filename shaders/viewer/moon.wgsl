// How bright is the moon along a ray? A ball of dust, lit by the sun.
//!import viewer/frame

// What its dust reflects of the light that it gets, straight back.
const MOON_ALBEDO: f32 = 0.14;
// No part of it is brighter in the picture before gamma, however long that is exposed.
const BRIGHTEST_MOON: f32 = 0.9;

struct Moon {
    light: vec3f,
    // How much of the pixel it covers.
    share: f32,
}

// Along a unit ray.
fn moon_along(ray: vec3f) -> Moon {
    let off = ray - frame.moon;
    // In radii of its disc; a chord is as long as its sine to a hundred thousandth.
    let away = length(off) / frame.moon_sine;
    let share = saturate((1.0 - away) * frame.moon_sine / frame.pixel_rad + 0.5);
    if share <= 0.0 {
        return Moon(vec3f(0.0), 0.0);
    }
    let across = off / frame.moon_sine;
    // Unit normal of its surface, towards the eye in the middle of the disc.
    let facing = sqrt(saturate(1.0 - away * away));
    let lit = max(dot(normalize(across - facing * frame.moon), frame.sun), 0.0);
    // Dust looks as bright at the edge of the full moon as in its middle (Lommel and Seeliger).
    let bright = MOON_ALBEDO * 2.0 * lit / (lit + facing + 1e-3);
    return Moon(vec3f(min(bright, BRIGHTEST_MOON / frame.exposure)), share);
}
