//!import terrain/pixel_tile
//!import terrain/shading_point
// What takes the place of `terrain/shading` where no data are finer than the maps? Nothing.

const HAS_SHADING_TILES: bool = false;

fn shading_at(place: PixelPlace, n: vec3f, asked: bool) -> ShadingPoint {
    return ShadingPoint(vec3f(0.0), 0.0, 0.0, 1.0, 0.0, false, 0u, vec2f(0.0));
}
