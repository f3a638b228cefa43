// What is drawn on the ground besides tint and relief: colours of slope and aspect, contour lines, graticule.
//!import viewer/frame
//!import viewer/change
//!import viewer/overlays
//!import viewer/tints

// Colours of contour lines on land and on the sea floor.
const CONTOUR: vec3f = vec3f(0.13, 0.06, 0.02);
const ISOBATH: vec3f = vec3f(0.01, 0.05, 0.16);

// Colour of ground by the direction in which it falls.
fn aspect_colour(gradient: vec3f, n: vec3f) -> vec3f {
    let east = vec3f(-n.y, n.x, 0.0) * inverseSqrt(max(n.x * n.x + n.y * n.y, 1e-12));
    return aspect_tint(-vec2f(dot(gradient, cross(n, east)), dot(gradient, east)));
}

// Parts of the way from a line to the next that a pixel is from which on lines dissolve, and at which they are gone.
const CONTOURS_APART: vec2f = vec2f(0.15, 0.33);
const GRATICULE_APART: vec2f = vec2f(0.02, 0.05);

// How much of the pixel a line covers where `value` is a multiple of `step`; `change` is the value's change over a pixel.
// Lines too close to each other dissolve. So do those on level ground, where a line would be an area.
fn lines(value: f32, step: f32, change: f32, width_px: f32, apart: vec2f) -> f32 {
    let off = abs(fract(value / step + 0.5) - 0.5) * step;
    let covered = 1.0 - smoothstep(0.5 * width_px - 0.5, 0.5 * width_px + 0.5, off / max(change, 1e-9));
    let part = change / step;
    return covered * (1.0 - smoothstep(apart.x, apart.y, part)) * smoothstep(1e-5, 1e-4, part);
}

// Contour lines, every fifth one bolder and seen from further away; `change` of the height over a pixel.
fn contours(height_m: f32, change: f32) -> f32 {
    let thin = 0.7 * lines(height_m, frame.contour_m, change, 1.0, CONTOURS_APART);
    return max(thin, lines(height_m, 5.0 * frame.contour_m, change, 1.6, CONTOURS_APART));
}

// Lines of a graticule by one of its angles: all, every tenth, every hundredth, as far away as they can be told from each other.
fn grid_lines(angle: f32, change: f32) -> f32 {
    let step = frame.graticule_rad;
    let all = lines(angle, step, change, 1.2, GRATICULE_APART);
    let tenth = lines(angle, 10.0 * step, change, 1.2, GRATICULE_APART);
    let hundredth = lines(angle, 100.0 * step, change, 1.2, GRATICULE_APART);
    return max(all, max(tenth, hundredth));
}

// Meridians and parallels at a unit geodetic normal.
fn graticule(n: vec3f, change: Change) -> f32 {
    let right = turn(n, change.right_m);
    let down = turn(n, change.down_m);
    let across2 = max(dot(n.xy, n.xy), 1e-12);
    let lat_change = (abs(right.z) + abs(down.z)) * inverseSqrt(across2);
    let lon_change = (abs(n.x * right.y - n.y * right.x) + abs(n.x * down.y - n.y * down.x)) / across2;
    let lat = atan2(n.z, sqrt(across2));
    return max(grid_lines(lat, lat_change), grid_lines(atan2(n.y, n.x), lon_change));
}
