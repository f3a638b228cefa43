// What is drawn on the ground besides tint and relief: colours of slope and aspect, contour lines, graticule.
//!import viewer/frame
//!import viewer/change
//!import viewer/overlays

// Colours of contour lines on land and on the sea floor.
const CONTOUR: vec3f = vec3f(0.13, 0.06, 0.02);
const ISOBATH: vec3f = vec3f(0.01, 0.05, 0.16);

// Colour of ground that rises `steepness` metres a metre: green is level, then yellow at 5 degrees, orange at 15, red at
// 30, violet at 45 and beyond.
fn slope_tint(steepness: f32) -> vec3f {
    let degrees = atan(steepness) * 57.29578;
    var tint = mix(vec3f(0.30, 0.45, 0.22), vec3f(0.80, 0.74, 0.22), clamp(degrees / 5.0, 0.0, 1.0));
    tint = mix(tint, vec3f(0.85, 0.38, 0.06), clamp((degrees - 5.0) / 10.0, 0.0, 1.0));
    tint = mix(tint, vec3f(0.55, 0.04, 0.03), clamp((degrees - 15.0) / 15.0, 0.0, 1.0));
    return mix(tint, vec3f(0.16, 0.01, 0.22), clamp((degrees - 30.0) / 15.0, 0.0, 1.0));
}

// Colour of ground by the direction in which it falls: grey is level, then red to the north, yellow-green to the east,
// cyan to the south, violet to the west, all equally light (OKLab, B. Ottosson, 2020).
fn aspect_tint(gradient: vec3f, n: vec3f) -> vec3f {
    let east = vec3f(-n.y, n.x, 0.0) * inverseSqrt(max(n.x * n.x + n.y * n.y, 1e-12));
    let fall = -vec2f(dot(gradient, cross(n, east)), dot(gradient, east));
    let steepness = length(fall);
    // Level ground faces nowhere; from six in a hundred on colours are full.
    let chroma = 0.13 * smoothstep(0.0, 0.06, steepness);
    let hue = fall / max(steepness, 1e-9);
    // Hue 30 degrees is red.
    let a = chroma * (0.866 * hue.x - 0.5 * hue.y);
    let b = chroma * (0.5 * hue.x + 0.866 * hue.y);
    let lms = vec3f(0.7) + vec3f(0.3963378, -0.1055613, -0.0894842) * a + vec3f(0.2158038, -0.0638542, -1.2914855) * b;
    let cubed = lms * lms * lms;
    return saturate(vec3f(
        dot(cubed, vec3f(4.0767417, -3.3077116, 0.2309699)),
        dot(cubed, vec3f(-1.2684380, 2.6097574, -0.3413194)),
        dot(cubed, vec3f(-0.0041961, -0.7034186, 1.7076147))));
}

// How much of the pixel a line covers where `value` is a multiple of `step`; `change` is the value's change over a pixel.
// Lines closer than three pixels dissolve. So do those on level ground, where a line would be an area.
fn lines(value: f32, step: f32, change: f32, width_px: f32) -> f32 {
    let off = abs(fract(value / step + 0.5) - 0.5) * step;
    let covered = 1.0 - smoothstep(0.5 * width_px - 0.5, 0.5 * width_px + 0.5, off / max(change, 1e-9));
    let part = change / step;
    return covered * (1.0 - smoothstep(0.15, 0.33, part)) * smoothstep(1e-5, 1e-4, part);
}

// Contour lines, every fifth one bolder and seen from further away; `change` of the height over a pixel.
fn contours(height_m: f32, change: f32) -> f32 {
    return max(0.7 * lines(height_m, frame.contour_m, change, 1.0), lines(height_m, 5.0 * frame.contour_m, change, 1.6));
}

// Meridians and parallels at a unit geodetic normal.
fn graticule(n: vec3f, change: Change) -> f32 {
    let right = turn(n, change.right_m);
    let down = turn(n, change.down_m);
    let across2 = max(dot(n.xy, n.xy), 1e-12);
    let lat_change = (abs(right.z) + abs(down.z)) * inverseSqrt(across2);
    let lon_change = (abs(n.x * right.y - n.y * right.x) + abs(n.x * down.y - n.y * down.x)) / across2;
    let step = frame.graticule_rad;
    let lat = atan2(n.z, sqrt(across2));
    return max(lines(lat, step, lat_change, 1.2), lines(atan2(n.y, n.x), step, lon_change, 1.2));
}
