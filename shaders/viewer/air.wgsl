// How much air lies on a way, and where in the view's table is the light that it scatters? A clean atmosphere round a
// sphere.
//!import viewer/frame
//!import viewer/air_model
//!import viewer/air_sizes

// Optical depth of a horizontal way out, in vertical depths: sqrt(pi R / 2 H).
//!once viewer::air::RAYLEIGH_HORIZONTAL
const RAYLEIGH_HORIZONTAL: f32 = 35.4;
//!end
const AEROSOL_HORIZONTAL: f32 = 91.4;

// Optical depth of a way out of the air that starts at unit density, in vertical depths; cos_zenith >= 0.
// Chapman's grazing incidence function as approximated by C. Schueler (GPU Pro 3, 2012): 1 straight up.
fn slant(cos_zenith: f32, horizontal: f32) -> f32 {
    return horizontal / ((horizontal - 1.0) * cos_zenith + 1.0);
}

// Relative density at a height above the sea.
fn density(height_m: f32, scale_m: f32) -> f32 {
    return exp2(max(height_m, 0.0) * (-1.442695 / scale_m));
}

// Air between the eye and a point further along a ray, in vertical depths. Both ends see the same way out; a way that
// first goes down passes its lowest point, where the air is as thick as at its thicker end.
fn air_between(eye_density: f32, eye_cos: f32, point_density: f32, point_cos: f32, horizontal: f32) -> f32 {
    // Seen from the point, the way back to the eye goes up where the ray goes down. A level ray goes down.
    let from_point = select(1.0, -1.0, point_cos > 0.0) * point_density * slant(abs(point_cos), horizontal);
    let from_eye = select(1.0, -1.0, eye_cos > 0.0) * eye_density * slant(abs(eye_cos), horizontal);
    let dips = 2.0 * horizontal * (f32(point_cos > 0.0) - f32(eye_cos > 0.0));
    return max(dips * max(point_density, eye_density) + from_point - from_eye, 0.0);
}

// Air on the whole of a ray from the eye, to the sea or into space, in vertical depths.
fn air_to_end(cos_zenith: f32) -> f32 {
    let eye_radius_m = RADIUS_M + frame.eye_height_m;
    let sine2 = max(1.0 - cos_zenith * cos_zenith, 0.0);
    let here = frame.eye_density * slant(abs(cos_zenith), RAYLEIGH_HORIZONTAL);
    if cos_zenith < frame.horizon_cos {
        let stretch = eye_radius_m / RADIUS_M;
        let sea_cos = sqrt(max(1.0 - stretch * stretch * sine2, 0.0));
        return max(slant(sea_cos, RAYLEIGH_HORIZONTAL) - here, 0.0);
    }
    let lowest_m = eye_radius_m * sqrt(sine2) - RADIUS_M;
    let through = 2.0 * RAYLEIGH_HORIZONTAL * density(lowest_m, RAYLEIGH_HEIGHT_M) - here;
    return select(here, max(through, 0.0), cos_zenith < 0.0);
}

// Zenith angle of a place v in [0, 1] from the horizon to the nadir, or up to where the air ends: finest at the horizon.
fn zenith_cos(v: f32, above: bool) -> f32 {
    let end = select(-1.0, frame.top_cos, above);
    return frame.horizon_cos + v * v * (end - frame.horizon_cos);
}

// The way back: the row of the table for a ray, in texels.
fn zenith_row(cos_zenith: f32) -> f32 {
    let above = cos_zenith >= frame.horizon_cos;
    let end = select(-1.0, frame.top_cos, above);
    let v = sqrt(clamp((cos_zenith - frame.horizon_cos) / (end - frame.horizon_cos), 0.0, 1.0));
    let half_rows = f32(VIEW_ZENITHS / 2u);
    return v * (half_rows - 1.0) + select(0.0, half_rows, above);
}
