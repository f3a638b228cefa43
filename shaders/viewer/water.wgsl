// What does the sea look like? A surface at 0 m: what is below it, the sky in it, the sun on its waves.
//!import viewer/atmosphere
//!import viewer/noise
//!import viewer/overlays

// Mean square slope of the waves that 5 m/s of wind make (C. Cox and W. Munk, 1954).
const WAVES: f32 = 0.0286;
// Colour of deep water.
const DEEP: vec3f = vec3f(0.010, 0.050, 0.120);

struct Sea {
    // From the eye, metres on ECEF axes.
    position_m: vec3f,
    // Unit geodetic normal.
    up: vec3f,
}

// Where a unit ray of the sphere's space that goes below the horizon meets the surface.
fn sea_along(sphere_ray: vec3f, cos_zenith: f32) -> Sea {
    let height_m = frame.eye_height_m;
    let eye_m = RADIUS_M + height_m;
    let above2 = height_m * (2.0 * RADIUS_M + height_m);
    let middle_m = eye_m * cos_zenith;
    // -m - sqrt(m^2 - h (2 R + h)), without the difference of nearly equal numbers.
    let along_m = above2 / (sqrt(max(middle_m * middle_m - above2, 0.0)) - middle_m);
    let up = frame.sphere_up * eye_m + sphere_ray * along_m;
    return Sea(sphere_ray * along_m / SPHERE_FROM_EARTH, normalize(up * SPHERE_FROM_EARTH));
}

// How much of a pixel is below the sea's horizon, whose edge is a pixel wide: the rasteriser knows nothing of it.
fn below_horizon(cos_zenith: f32) -> f32 {
    let sine = sqrt(max(1.0 - frame.horizon_cos * frame.horizon_cos, 1e-6));
    return saturate((frame.horizon_cos - cos_zenith) / (sine * frame.pixel_rad) + 0.5);
}

// Octaves of noise that are waves: cells of half a metre to 8 m, which are about half a wave long.
const FIRST_WAVE: u32 = 1u;
const LAST_WAVE: u32 = 5u;
// Share of the slope's mean square in each of them; the rest is in ripples that no pixel shows.
const WAVE_SHARE: f32 = 0.18;
// Slope that makes it so: the square root of WAVES * WAVE_SHARE over the mean square slope of the noise across the vertical.
const WAVE_SLOPE: f32 = 0.085;
// Where waves go, a unit vector on ECEF axes.
const WIND: vec3f = vec3f(0.60, 0.48, 0.64);

// The sun in the sea is at most so many times as bright as ground that faces it: more than a picture shows, so that its path
// glows from its edges to its middle, and little enough for a low sun to keep its colour.
const BRIGHTEST_GLINT: f32 = 2.5;
// And of much of its light less is shown, as the root of it grows, so that it has a middle also where all of it is bright.
const GLINT_ROOT: f32 = 1.1;
// The eye's sky is that of the sea at half its share this high, metres.
const NEAR_SEA_M: f32 = 4000.0;
// Sine of the elevation that waves lift what they mirror by, over the root of their mean square slope.
const LEANING: f32 = 0.8;

struct Waves {
    // Unit normal of the waves that a pixel shows.
    up: vec3f,
    // Mean square slope of those that it does not.
    left: f32,
}

// Waves at a place in metres from the eye. In the distance all of them are smaller than a pixel, and the sea is calm.
fn waves_at(sea: Sea, down: f32) -> Waves {
    let pixel_m = length(sea.position_m) * frame.pixel_rad / sqrt(clamp(down, 0.0016, 1.0));
    var slope = vec3f(0.0);
    var left = 1.0;
    for (var octave = max(finest_octave(pixel_m), FIRST_WAVE); octave <= LAST_WAVE; octave++) {
        let part = resolved(octave, pixel_m);
        let cell_m = GRAIN_M * f32(1u << octave);
        // On deep water a wave of length l goes at sqrt(g l / 2 pi). What goes up through the noise changes its shape.
        let cells = frame.time_s * 1.77 * inverseSqrt(cell_m);
        let one = noise(sea.position_m, octave, (0.8 * WIND + 0.45 * sea.up) * cells);
        slope += part * WAVE_SLOPE * (one.gradient - sea.up * dot(one.gradient, sea.up));
        left -= part * part * WAVE_SHARE;
    }
    return Waves(normalize(sea.up - slope), WAVES * left);
}

// Light from the sea towards the eye; `view` is the unit ray, `body` the light from below.
fn water_light(view: vec3f, sea: Sea, body: vec3f, ground: GroundLight) -> vec3f {
    let waves = waves_at(sea, -dot(view, sea.up));
    let up = waves.up;
    // Rounding must not make it more than one: a power of what is left would be none.
    let down = saturate(-dot(view, up));
    // Fresnel's reflection by a surface whose waves hide each other (E. Bruneton, F. Neyret, N. Holzschuch, 2010).
    let mirror = 0.02 + 0.98 * pow(1.0 - down, 3.17) / 2.10;
    let sky = mirrored_sky(view, sea.up, waves.left, down, ground);
    // Waves that mirror the sun are those half-way between it and the eye.
    let middle = normalize(frame.sun - view);
    let steep = max(dot(middle, up), 0.05);
    let tan2 = 1.0 / (steep * steep) - 1.0;
    let share = exp(-tan2 / waves.left) / (4.0 * waves.left * max(down, 0.08) * steep * steep * steep * steep);
    let grazing = 1.0 - saturate(-dot(middle, view));
    let glint = share * (0.02 + 0.98 * pow(grazing, 5.0));
    let shown = glint / (1.0 + GLINT_ROOT * glint * inverseSqrt(1.0 + glint) + glint / BRIGHTEST_GLINT);
    return mix(body, sky, mirror) + ground.sun * shown;
}

// The sky that waves mirror: that of the eye, which knows where the sun is, for an eye near the sea; from far above what light of the sky on
// level ground tells of it.
fn mirrored_sky(view: vec3f, up: vec3f, left: f32, down: f32, ground: GroundLight) -> vec3f {
    // A glancing look meets the sky near the horizon, which is brighter than the rest and has less colour.
    let horizon = 2.5 * mix(vec3f(ground.sky.g), ground.sky, 0.7) + 0.03 * ground.sun;
    let even = mix(horizon, ground.sky, smoothstep(0.0, 0.35, down));
    let near = exp2(-frame.eye_height_m / NEAR_SEA_M);
    if near < 0.01 {
        return even;
    }
    // One sees more of the waves that lean towards the eye: they mirror the sky higher up.
    let along = view - up * dot(view, up);
    let cosine = min(down + LEANING * sqrt(left), 1.0);
    // Straight down no way is along the sea.
    let level = along / max(length(along), 1e-6);
    let ray = normalize(level * sqrt(1.0 - cosine * cosine) + up * cosine);
    return mix(even, airlight(ray, cosine), near);
}

// How much of the sea floor one sees: maps show it, but not at a glancing look.
fn clarity(view: vec3f, up: vec3f) -> f32 {
    return smoothstep(0.02, 0.40, -dot(view, up));
}

// Light from below of a sea without a floor to be seen, where the sun stands at a cosine of its zenith angle.
fn deep_light(ground: GroundLight, sun_cos: f32) -> vec3f {
    return DEEP * (ground.sun * max(sun_cos, 0.0) + ground.sky + night_light());
}
