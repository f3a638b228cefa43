// How does what a pixel sees differ from what the next ones see? The rasteriser's derivatives, or differences of neighbours.

struct PixelDerivatives {
    // Of the place to the pixel on the right, metres on ECEF axes.
    right_m: vec3f,
    // The same to the pixel below.
    down_m: vec3f,
    // Of the height of the data, to the right and down together, metres.
    height_m: f32,
    // The same of `edge_height_m`.
    below_sun_m: f32,
}

// Radius of the Earth, near enough to tell how wide a line is.
//!once viewer::derivatives::MEAN_RADIUS_M
const MEAN_RADIUS_M: f32 = 6371000.0;
//!end

// What a change of the place is to the unit normal there.
fn normal_derivative(n: vec3f, place_m: vec3f) -> vec3f {
    return (place_m - n * dot(n, place_m)) / MEAN_RADIUS_M;
}
