// The sky behind the Earth: black space, the blue limb, the blue of day, the sun. One triangle over all pixels.
//!import viewer/atmosphere

struct SkyPixel {
    @builtin(position) clip: vec4f,
    @location(0) ray: vec3f,
}

@vertex
fn sky_vertex(@builtin(vertex_index) index: u32) -> SkyPixel {
    let corner = vec2f(f32((index << 1u) & 2u), f32(index & 2u)) * 2.0 - 1.0;
    var out: SkyPixel;
    // Depth 0 is infinitely far: anything drawn hides the sky.
    out.clip = vec4f(corner, 0.0, 1.0);
    out.ray = frame.ray_forward + corner.x * frame.ray_right + corner.y * frame.ray_up;
    return out;
}

// Cosines of the sun's radius seen from the Earth, drawn twice as large with a soft edge.
const SUN_OUTSIDE: f32 = 0.99996;
const SUN_INSIDE: f32 = 0.99998;

@fragment
fn sky_fragment(in: SkyPixel) -> @location(0) vec4f {
    let ray = normalize(in.ray);
    // The same ray where the ellipsoid is a sphere: z times a / b of WGS84.
    let sphere_ray = normalize(ray * vec3f(1.0, 1.0, 1.0033641));
    let cos_zenith = dot(sphere_ray, frame.sphere_up);
    let sin_zenith = sqrt(max(1.0 - cos_zenith * cos_zenith, 0.0));
    // A ray that goes down first comes through its lowest point.
    let lowest_m = frame.eye_radius_m * sin_zenith - RADIUS_M;
    let down = cos_zenith < 0.0;
    let here = frame.eye_density * slant(abs(cos_zenith));
    let air = select(here, max(2.0 * HORIZONTAL * density(lowest_m) - here, 0.0), down);
    let view_sun = dot(ray, frame.sun);
    // Height of the sun where most of that air is.
    let up_sun = dot(frame.sphere_up, frame.sun);
    let there = (up_sun - cos_zenith * dot(sphere_ray, frame.sun)) / max(sin_zenith, 1e-4);
    let sun_cos = select(up_sun, there, down);
    let left = transmittance(air, SKY_DEPTH);
    var light = airlight(view_sun, sun_cos, air) * (1.0 - left);
    // Haze and dust scatter forward: a glow around the sun.
    let away = 1.0 - view_sun;
    light += daylight(sun_cos) * (1.0 - left.g) * (0.9 / (1.0 + 300.0 * away));
    // The disc, and the glare that any lens adds.
    let disc = smoothstep(SUN_OUTSIDE, SUN_INSIDE, view_sun);
    let glare = 1.0 / (1.0 + 15000.0 * away);
    light += left * (24.0 * disc + 1.2 * glare * glare);
    // Half a step of noise hides the steps of 8 bits (Jimenez 2014, interleaved gradient noise).
    let noise = fract(52.982919 * fract(dot(in.clip.xy, vec2f(0.06711056, 0.00583715)))) - 0.5;
    return vec4f(develop(light) + noise / 255.0, 1.0);
}
