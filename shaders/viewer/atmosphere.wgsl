// What does air do to what is behind it? It takes light away and adds some; both are read from tables.
//!import viewer/air

@group(0) @binding(4) var smooth_sampler: sampler;
// Light scattered towards the eye; made by viewer/view_table.
@group(0) @binding(5) var view_light: texture_2d<f32>;
// Light on the ground by the sun's zenith angle and the height: rgb of the sun, a of the sky.
@group(0) @binding(6) var ground_light: texture_2d<f32>;

// What is left of light after air in vertical depths.
fn after_molecules(air: f32) -> vec3f {
    return exp2(-1.442695 * RAYLEIGH_HEIGHT_M * RAYLEIGH * air);
}

fn after_aerosol(aerosol: f32) -> f32 {
    return exp2(-1.442695 * AEROSOL_HEIGHT_M * AEROSOL * aerosol);
}

// What is left of light from beyond the air.
fn after_air(cos_zenith: f32) -> vec3f {
    // Of aerosol there is as much more than overhead, up to where its own layer bends away.
    let aerosol = frame.eye_aerosol * slant(max(cos_zenith, 0.0), AEROSOL_HORIZONTAL);
    return after_molecules(air_to_end(cos_zenith)) * after_aerosol(aerosol);
}

// The air's colour is shown so much stronger than it is, as cameras show it.
const VIVID: f32 = 1.2;

// Light scattered towards the eye along a whole unit ray, in the sphere's space.
fn airlight(ray: vec3f, cos_zenith: f32) -> vec3f {
    let sun_cos = dot(frame.sphere_up, frame.sun);
    let view_sun = dot(ray, frame.sun);
    let sines2 = (1.0 - cos_zenith * cos_zenith) * (1.0 - sun_cos * sun_cos);
    let azimuth_cos = clamp((view_sun - cos_zenith * sun_cos) * inverseSqrt(max(sines2, 1e-9)), -1.0, 1.0);
    let size = vec2f(f32(VIEW_AZIMUTHS), f32(VIEW_ZENITHS));
    let texel = vec2f(sqrt(0.5 - 0.5 * azimuth_cos) * (size.x - 1.0), zenith_row(cos_zenith));
    let seen = textureSampleLevel(view_light, smooth_sampler, (texel + 0.5) / size, 0.0);
    // Phase of W. M. Cornette and J. G. Shanks (1992); the colour of light once scattered by aerosol is that by molecules,
    // without their own (Bruneton 2008).
    let g = AEROSOL_FORWARD;
    let spread = 1.0 + g * g - 2.0 * g * view_sun;
    let phase = 0.1193662 * (1.0 - g * g) / (2.0 + g * g) * (1.0 + view_sun * view_sun) / (spread * sqrt(spread));
    let light = seen.rgb * (3.14159265 + phase * 3.14159265 * seen.a / max(seen.g, 1e-7) * (RAYLEIGH.g / RAYLEIGH));
    return max(mix(vec3f(light.g), light, VIVID), vec3f(0.0));
}

struct GroundLight {
    // On a surface that faces the sun, from the sun.
    sun: vec3f,
    // On level ground, from the sky.
    sky: vec3f,
}

// Light at a height where the sun stands at a cosine of its zenith angle.
fn light_at(height_m: f32, sun_cos: f32) -> GroundLight {
    let size = vec2f(f32(LIGHT_SUNS), f32(LIGHT_HEIGHTS));
    let x = sqrt(saturate((sun_cos - LOWEST_SUN_COS) / (1.0 - LOWEST_SUN_COS)));
    let place = vec2f(x, saturate(height_m / HIGHEST_LIGHT_M));
    let light = textureSampleLevel(ground_light, smooth_sampler, (place * (size - 1.0) + 0.5) / size, 0.0);
    return GroundLight(light.rgb, light.a * SKY_COLOUR);
}

//!once viewer::atmosphere::NIGHT
// What white ground is in the picture of a night, before gamma: as by the moon.
const NIGHT: vec3f = vec3f(0.032, 0.044, 0.070);
//!end

//!once viewer::atmosphere::SOFTNESS
// How much of the sun's light comes from all around it, as clouds and air scatter it: it lights slopes a little beyond those that face the sun.
const SOFTNESS: f32 = 0.18;
//!end

// Light that makes it so, however long the picture is exposed.
fn night_light() -> vec3f {
    return NIGHT / frame.exposure;
}

// Light after the air between a point and the eye: `ray` is the unit ray to the point in the sphere's space, `whole` the
// light of all its air, `n` the point's geodetic normal.
fn behind_air(light: vec3f, whole: vec3f, ray: vec3f, eye_cos: f32, end_cos: f32, n: vec3f, height_m: f32) -> vec3f {
    let point_cos = dot(ray, normalize(n / SPHERE_FROM_EARTH));
    let air = air_between(
        frame.eye_density, eye_cos, density(height_m, RAYLEIGH_HEIGHT_M), point_cos, RAYLEIGH_HORIZONTAL);
    let aerosol = air_between(
        frame.eye_aerosol, eye_cos, density(height_m, AEROSOL_HEIGHT_M), point_cos, AEROSOL_HORIZONTAL);
    let left = after_molecules(air);
    // Of the light of the whole ray, the part that the air up to here makes: as if that air were lit evenly.
    let part = (1.0 - left) / max(1.0 - after_molecules(air_to_end(end_cos)), vec3f(1e-6));
    return light * left * after_aerosol(aerosol) + whole * saturate(part);
}

// Sunlight through clean air, at which paper looks white.
const WHITE: vec3f = vec3f(0.93, 1.0, 1.03);

//!once viewer::atmosphere::IS_LINEAR
// Whether pixels are light, exposed but not compressed: for files of more than 8 bits.
const IS_LINEAR: bool = false;
//!end

// From light to the picture: exposed, bright parts compressed, those brighter than sunlit snow so that they never reach 1, then gamma 2.
fn tone_map(light: vec3f) -> vec3f {
    let x = max(light * WHITE * frame.exposure, vec3f(0.0));
    if IS_LINEAR {
        return x;
    }
    let usual = x * (1.0 + 0.16 * x) / (1.0 + 0.45 * x);
    // Both are 0.8, and equally steep, at 1.
    let bright = 1.0 - 0.04 / (0.2 + 0.662 * (max(x, vec3f(1.0)) - 1.0));
    return sqrt(select(usual, bright, x > vec3f(1.0)));
}
