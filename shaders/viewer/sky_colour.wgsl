// What colour is the sky behind the Earth? Black space, stars, the moon, the blue limb, the blue of day, the sun; and the sea's horizon.
//!import viewer/enabled_overlays
//!import viewer/water
//!import viewer/stars
//!import viewer/moon

// Cosines of the sun's radius seen from the Earth, drawn twice as large with a soft edge.
const SUN_OUTSIDE: f32 = 0.99996;
const SUN_INSIDE: f32 = 0.99998;

// What the picture shows along a unit ray, at a pixel by its centre.
fn sky_colour(ray: vec3f, pixel: vec2f) -> vec3f {
    let sphere_ray = normalize(ray * SPHERE_FROM_EARTH);
    let cos_zenith = dot(sphere_ray, frame.sphere_up);
    // The floor of the sea has its horizon below that of the surface.
    let below = select(0.0, below_horizon(cos_zenith), (OVERLAYS & OVERLAY_WATER) != 0u);
    var colour = vec3f(0.0);
    if below < 1.0 {
        colour = open_sky(ray, sphere_ray, max(cos_zenith, frame.horizon_cos));
    }
    if below > 0.0 {
        let sea = sea_along(sphere_ray, cos_zenith);
        let sun_cos = dot(sea.up, frame.sun);
        let ground = light_at(0.0, sun_cos);
        let light = water_light(ray, sea, deep_light(ground, sun_cos), ground);
        let air = airlight(sphere_ray, cos_zenith);
        colour = mix(colour, tone_map(behind_air(light, air, sphere_ray, cos_zenith, cos_zenith, sea.up, 0.0)), below);
    }
    return finish(colour, pixel);
}

// Air and sun, down to the horizon.
fn open_sky(ray: vec3f, sphere_ray: vec3f, cos_zenith: f32) -> vec3f {
    var light = vec3f(0.0);
    // Space beside the Earth is black.
    if cos_zenith <= frame.top_cos {
        light = airlight(sphere_ray, cos_zenith);
    }
    var moon = Moon(vec3f(0.0), 0.0);
    if frame.moon_sine > 0.0 {
        moon = moon_along(ray);
    }
    if (OVERLAYS & OVERLAY_STARS) != 0u && moon.share < 1.0 {
        light += (1.0 - moon.share) * starlight(ray, cos_zenith, light);
    }
    light += moon.share * after_air(cos_zenith) * moon.light;
    // The disc, and the glare that any lens adds.
    let away = 1.0 - dot(ray, frame.sun);
    let disc = 1.0 - smoothstep(1.0 - SUN_INSIDE, 1.0 - SUN_OUTSIDE, away);
    let glare = 1.0 / (1.0 + 15000.0 * away);
    if glare > 0.003 {
        light += after_air(cos_zenith) * (24.0 * disc * (1.0 - moon.share) + 1.2 * glare * glare);
    }
    return tone_map(light);
}

fn finish(colour: vec3f, pixel: vec2f) -> vec3f {
    if IS_LINEAR {
        return colour;
    }
    // Half a step of noise hides the steps of 8 bits (Jimenez 2014, interleaved gradient noise).
    let noise = fract(52.982919 * fract(dot(pixel, vec2f(0.06711056, 0.00583715)))) - 0.5;
    return colour + noise / 255.0;
}
