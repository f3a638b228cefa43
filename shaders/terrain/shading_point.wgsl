// What do shading tiles say about a pixel?

// All is 0 where no tile is there.
struct ShadingPoint {
    // Of the data on ECEF axes, tangent, metres a metre.
    gradient: vec3f,
    // Of the data, metres above the datum.
    height_m: f32,
    // 1 where data are finer than a map of the whole Earth, less around, down to 0.
    fine: f32,
    // 1 unless the tile has no data that are so fine, and detail made up in their place.
    is_data: f32,
    // By how many octaves a texel is larger than the pixel; at most 0 where it is not.
    enlarged: f32,
    // Where it is in the texture of tiles, if it is there: its layer, and its place in it.
    is_there: bool,
    layer: u32,
    uv: vec2f,
}
