// How bright is the air in front of everything, seen from the eye? A table by azimuth to the sun and zenith angle, for rays
// to the sea or into space: rgb by molecules and by scattering of higher orders, a by aerosol, once, before its phase.
// Twin of one ray: `scattered` of viewer/src/render/air/ground_light.rs.
//!import viewer/air

@group(0) @binding(1) var transmittance: texture_2d<f32>;
@group(0) @binding(2) var multiple: texture_2d<f32>;
@group(0) @binding(3) var smooth_sampler: sampler;
@group(0) @binding(4) var view_light: texture_storage_2d<rgba16float, write>;

const STEPS: u32 = 32u;

// A table whose first and last texels lie on the ends of its axes.
fn sample_ends(table: texture_2d<f32>, place: vec2f) -> vec3f {
    let size = vec2f(textureDimensions(table));
    let at = (saturate(place) * (size - 1.0) + 0.5) / size;
    return textureSampleLevel(table, smooth_sampler, at, 0.0).rgb;
}

fn horizon_cos_at(height_m: f32) -> f32 {
    return -sqrt(height_m * (2.0 * RADIUS_M + height_m)) / (RADIUS_M + height_m);
}

// What is left of sunlight at a height; the sun sets behind the sea's horizon.
fn sunlight(height_m: f32, sun_cos: f32) -> vec3f {
    let horizon = horizon_cos_at(height_m);
    let above = smoothstep(-SUN_SINE, SUN_SINE, sun_cos - horizon);
    let place = vec2f(sqrt(max((sun_cos - horizon) / (1.0 - horizon), 0.0)), sqrt(height_m / TOP_M));
    return above * sample_ends(transmittance, place);
}

// Mean of exp(-h / scale) between two heights, on a way that rises evenly.
fn mean_density(from_m: f32, to_m: f32, scale_m: f32) -> f32 {
    let change = (to_m - from_m) / scale_m;
    let start = density(from_m, scale_m);
    return select(start * (1.0 - exp(-change)) / change, start * (1.0 - 0.5 * change), abs(change) < 0.01);
}

@compute @workgroup_size(8, 8)
fn fill(@builtin(global_invocation_id) id: vec3u) {
    let half_rows = VIEW_ZENITHS / 2u;
    let above = id.y >= half_rows;
    let v = f32(id.y % half_rows) / f32(half_rows - 1u);
    let u = f32(id.x) / f32(VIEW_AZIMUTHS - 1u);
    let eye_cos = clamp(zenith_cos(v, above), -1.0, 1.0);
    let eye_sin = sqrt(1.0 - eye_cos * eye_cos);
    let eye_sun_cos = dot(frame.sphere_up, frame.sun);
    let view_sun = eye_cos * eye_sun_cos + eye_sin * sqrt(max(1.0 - eye_sun_cos * eye_sun_cos, 0.0)) * (1.0 - 2.0 * u * u);

    // From space the ray begins where the air does.
    var start_m = frame.eye_height_m;
    var cos_zenith = eye_cos;
    var sun_cos = eye_sun_cos;
    if start_m > TOP_M {
        let eye_m = RADIUS_M + start_m;
        let top_m = RADIUS_M + TOP_M;
        let sine = min(eye_m * eye_sin / top_m, 1.0);
        start_m = TOP_M;
        cos_zenith = -sqrt(1.0 - sine * sine);
        sun_cos = (eye_m * eye_sun_cos + (top_m * cos_zenith - eye_m * eye_cos) * view_sun) / top_m;
    }
    let radius_m = RADIUS_M + start_m;
    let middle_m = radius_m * cos_zenith;
    let end_height_m = select(0.0, TOP_M, above);
    let rise_m = end_height_m - start_m;
    let half_chord_m = sqrt(max(rise_m * (2.0 * radius_m + rise_m) + middle_m * middle_m, 0.0));
    let length_m = max(-middle_m + select(-half_chord_m, half_chord_m, above), 0.0);

    var light = vec4f(0.0);
    var left = vec3f(1.0);
    var passed_m = 0.0;
    var height_m = start_m;
    for (var i = 1u; i <= STEPS; i++) {
        // Short steps where the air is dense: at the sea, or at the eye, or everywhere on the way through.
        let s = f32(i) / f32(STEPS);
        let part = select(select(s, s * s, cos_zenith > 0.0), s * (2.0 - s), !above);
        let next_m = length_m * part;
        let rise2 = next_m * (next_m + 2.0 * middle_m);
        let next_radius_m = sqrt(max(radius_m * radius_m + rise2, 0.0));
        let next_height_m = clamp(start_m + rise2 / (next_radius_m + radius_m), 0.0, TOP_M);
        let along_m = 0.5 * (passed_m + next_m);
        let along2 = along_m * (along_m + 2.0 * middle_m);
        let here_radius_m = sqrt(max(radius_m * radius_m + along2, 0.0));
        let here_m = clamp(start_m + along2 / (here_radius_m + radius_m), 0.0, TOP_M);
        let here_sun_cos = (radius_m * sun_cos + along_m * view_sun) / here_radius_m;

        let rayleigh = RAYLEIGH * mean_density(height_m, next_height_m, RAYLEIGH_HEIGHT_M);
        let aerosol = mean_density(height_m, next_height_m, AEROSOL_HEIGHT_M);
        let ozone = OZONE * max(1.0 - abs(here_m - OZONE_MIDDLE_M) / OZONE_REACH_M, 0.0);
        let extinction = rayleigh + AEROSOL * aerosol + ozone;
        let sun = sunlight(here_m, here_sun_cos);
        let more = sample_ends(multiple, vec2f(0.5 + 0.5 * here_sun_cos, sqrt(here_m / TOP_M)));
        let rayleigh_phase = 0.0596831 * (1.0 + view_sun * view_sun);
        let source = rayleigh * (rayleigh_phase * sun + more) + AEROSOL_SCATTERING * aerosol * more;
        let weakened = exp(-extinction * (next_m - passed_m));
        let seen = left * (1.0 - weakened) / max(extinction, vec3f(1e-12));
        light += vec4f(seen * source, seen.g * AEROSOL_SCATTERING * aerosol * sun.g);
        left *= weakened;
        passed_m = next_m;
        height_m = next_height_m;
    }
    textureStore(view_light, id.xy, light);
}
