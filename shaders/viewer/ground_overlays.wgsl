// What is drawn on the ground besides tint and relief: colours of slope and aspect, contour lines, graticule, borders and shores.
//!import viewer/frame
//!import viewer/derivatives
//!import viewer/overlays
//!import viewer/tints
//!import terrain/water_tiles

// Colours of contour lines on land and on the sea floor.
const CONTOUR: vec3f = vec3f(0.13, 0.06, 0.02);
const ISOBATH: vec3f = vec3f(0.01, 0.05, 0.16);
// Colours of borders and shores.
const BORDER: vec3f = vec3f(1.0, 0.90, 0.55);
const SHORE: vec3f = vec3f(0.05, 0.08, 0.12);

// Colour of ground by the direction in which it falls.
fn aspect_colour(gradient: vec3f, n: vec3f) -> vec3f {
    let east = vec3f(-n.y, n.x, 0.0) * inverseSqrt(max(n.x * n.x + n.y * n.y, 1e-12));
    return aspect_tint(-vec2f(dot(gradient, cross(n, east)), dot(gradient, east)));
}

// Parts of the way from a line to the next that a pixel is from which on lines dissolve, and at which they are gone.
const CONTOURS_APART: vec2f = vec2f(0.15, 0.33);
const GRATICULE_APART: vec2f = vec2f(0.02, 0.05);

// How much of the pixel a line covers where `value` is a multiple of `step`; `derivatives` is the value's change over a
// pixel. Lines too close to each other dissolve. So do those on level ground, where a line would be an area.
fn lines(value: f32, step: f32, derivatives: f32, width_pt: f32, apart: vec2f) -> f32 {
    let width_px = width_pt * frame.pixels_per_point;
    let off = abs(fract(value / step + 0.5) - 0.5) * step;
    let covered = 1.0 - smoothstep(0.5 * width_px - 0.5, 0.5 * width_px + 0.5, off / max(derivatives, 1e-9));
    let part = derivatives / step;
    return covered * (1.0 - smoothstep(apart.x, apart.y, part)) * smoothstep(1e-5, 1e-4, part);
}

// Contour lines, every fifth one bolder and seen from further away; `derivatives` of the height over a pixel.
fn contours(height_m: f32, derivatives: f32) -> f32 {
    let thin = 0.7 * lines(height_m, frame.contour_m, derivatives, 1.0, CONTOURS_APART);
    return max(thin, lines(height_m, 5.0 * frame.contour_m, derivatives, 1.6, CONTOURS_APART));
}

// Where ten or a hundred steps are more than these angles, 30 and 90 degrees take their place: parts of a circle, so that the last line is as
// far from the first as from the one before.
const WIDEST_STEPS: vec2f = vec2f(0.36, 0.18);
const PARTS_OF_CIRCLE: vec2f = vec2f(0.523598776, 1.570796327);

// Lines of a graticule by one of its angles: all, about every tenth, about every hundredth, as far away as they can be told from each other.
fn grid_lines(angle: f32, derivatives: f32) -> f32 {
    let step = frame.graticule_rad;
    let many = vec2f(10.0, 100.0) * step;
    let coarser = select(many, PARTS_OF_CIRCLE, many > WIDEST_STEPS);
    let all = lines(angle, step, derivatives, 1.2, GRATICULE_APART);
    let tenth = lines(angle, coarser.x, derivatives, 1.2, GRATICULE_APART);
    let hundredth = lines(angle, coarser.y, derivatives, 1.2, GRATICULE_APART);
    return max(all, max(tenth, hundredth));
}

// Meridians and parallels at a unit geodetic normal.
fn graticule(n: vec3f, derivatives: PixelDerivatives) -> f32 {
    let right = normal_derivative(n, derivatives.right_m);
    let down = normal_derivative(n, derivatives.down_m);
    let across2 = max(dot(n.xy, n.xy), 1e-12);
    let lat_change = (abs(right.z) + abs(down.z)) * inverseSqrt(across2);
    let lon_change = (abs(n.x * right.y - n.y * right.x) + abs(n.x * down.y - n.y * down.x)) / across2;
    let lat = atan2(n.z, sqrt(across2));
    return max(grid_lines(lat, lat_change), grid_lines(atan2(n.y, n.x), lon_change));
}

// How much of a pixel the line between what covers a part of it and what does not.
fn edge(part: f32) -> f32 {
    return saturate(1.5 * (1.0 - abs(2.0 * part - 1.0)));
}

// What a pixel is on the ground.
struct PixelSides {
    // The longer side, metres.
    longer_m: vec3f,
    // Length of the other one.
    shorter_m: f32,
}

// A pixel is as wide as it is far away, and longer where it looks along the ground; at silhouettes the next one is anywhere.
const LONGEST: f32 = 16.0;

fn pixel_sides(distance_m: f32, derivatives: PixelDerivatives) -> PixelSides {
    let width_m = distance_m * frame.pixel_rad;
    let right_m = derivatives.right_m;
    let down_m = derivatives.down_m;
    let longer_m = select(right_m, down_m, dot(down_m, down_m) > dot(right_m, right_m));
    let length_m = clamp(length(longer_m), width_m, LONGEST * width_m);
    return PixelSides(longer_m * (length_m / max(length(longer_m), 1e-6)), width_m);
}

// Width of borders in points, without and with their dark rims, and in texels, which they are at least wide: distances that are filtered are
// never less than half of a texel.
const BORDER_PT: vec2f = vec2f(1.3, 3.3);
const BORDER_TEXELS: f32 = 1.2;

// How much of a pixel a border covers.
struct BorderLines {
    middle: f32,
    rim: f32,
}

// By the metres to the nearest border from four places along a pixel's longer side. Borders are painted on the ground, the wider the less
// steeply one looks at it: those across the view are thinner than those along it.
fn border_lines(border_m: vec4f, texel_m: f32, pixel: PixelSides) -> BorderLines {
    let longer_m = length(pixel.longer_m);
    // Of a square that is as large.
    let side_m = sqrt(pixel.shorter_m * longer_m);
    let half_m = 0.5 * BORDER_PT * max(side_m * frame.pixels_per_point, texel_m * BORDER_TEXELS / BORDER_PT.x);
    let soft_m = max(pixel.shorter_m, 0.25 * longer_m);
    // Lines end softly where distances are not told any more.
    let told = saturate(vec4f(BORDER_REACH) - border_m / texel_m);
    let middle = told * saturate((half_m.x - border_m) / soft_m + 0.5);
    let rim = told * saturate((half_m.y - border_m) / soft_m + 0.5);
    return BorderLines(dot(middle, vec4f(0.25)), dot(rim, vec4f(0.25)));
}
