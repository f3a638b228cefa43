// How high must ground be to see the sun over other ground? On the sphere that fits the ellipsoid along the sun's azimuth.
//!import viewer/shadow_inputs
//!import viewer/lit_height

@group(0) @binding(0) var<uniform> shadow_sun: ShadowSun;

// Half of the sun's angle, radians.
const SUN_RADIUS_RAD: f32 = 0.00465;
//!once elevation::geodesy::single::SEMI_MAJOR_M
const SEMI_MAJOR_M: f32 = 6378137.0;
//!end
//!once elevation::geodesy::single::ECCENTRICITY_SQUARED
const ECCENTRICITY_SQUARED: f32 = 0.00669438;
//!end
// What no ground is as high as, and what all is: in 16 bits, metres.
const NOWHERE_M: f32 = 60000.0;

// The way to the sun from a place.
struct SunRay {
    // Unit, across the geodetic normal.
    towards: vec3f,
    // Of the angles of the upper and the lower limb over the horizon.
    tangents: vec2f,
    // Of the curvature of the ellipsoid along it.
    radius_m: f32,
}

fn sun_ray(n: vec3f) -> SunRay {
    let sine = dot(n, shadow_sun.sun);
    let level = shadow_sun.sun - sine * n;
    // Under the sun any direction will do.
    let cosine = max(length(level), 0.02);
    let towards = level / cosine;
    let tangent = sine / cosine;
    let step = SUN_RADIUS_RAD;
    let tangents = vec2f((tangent + step) / (1.0 - tangent * step), (tangent - step) / (1.0 + tangent * step));
    let flat = 1.0 - ECCENTRICITY_SQUARED * n.z * n.z;
    // The share of the meridian in the direction.
    let north = saturate(towards.z * towards.z / max(1.0 - n.z * n.z, 1e-6));
    let curvature = sqrt(flat) * (north * flat / (1.0 - ECCENTRICITY_SQUARED) + 1.0 - north) / SEMI_MAJOR_M;
    return SunRay(towards, tangents, 1.0 / curvature);
}

// Heights here from which the limbs are seen over ground of a height at an angle from here.
fn seen_over(height_m: f32, angle: f32, ray: SunRay) -> vec2f {
    let square = angle * angle;
    let part = -0.5 * square * (1.0 - square / 12.0) - ray.tangents * (angle * (1.0 - square / 6.0));
    return height_m + (height_m + ray.radius_m) * part;
}

fn in_16_bits(near_m: vec2f, far_m: vec2f) -> vec4f {
    return clamp(vec4f(near_m, far_m), vec4f(-NOWHERE_M), vec4f(NOWHERE_M));
}
