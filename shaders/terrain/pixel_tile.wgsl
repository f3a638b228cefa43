//!import terrain/find_page
//!import terrain/pixel_place
// What does the tile of a pixel have there? The tile whose texels are as large as the pixel, or the finest that is there.

struct PixelTile {
    // Filtered; 0 where there is no tile.
    texel: vec4f,
    // The tile's mark, and whether there is one.
    mark: u32,
    is_there: bool,
    // Place in the tile's square, 0 to 1.
    in_tile: vec2f,
    // By how many octaves a texel is larger than the pixel; at most 0 where it is not.
    enlarged: f32,
}

// Where on the cube a pixel is.
struct PixelPlace {
    face: u32,
    // Integer coordinates on the face.
    at: vec2u,
    // Of tiles whose texels are as large as the pixel.
    level: f32,
}

// Of a place in metres from the eye with its unit geodetic normal.
fn pixel_place(position_m: vec3f, n: vec3f, view: PixelView) -> PixelPlace {
    let face = face_at(n);
    let texel_m = max(length(position_m) * view.texel_rad, 1e-3);
    return PixelPlace(face, face_place(position_m, n, face, view), log2(LEVEL_0_TEXEL_M / texel_m));
}

// The finest tile of a level from `first` to `last`, or a coarser one where it is not there; none where nothing is asked. The sampler filters
// between the levels of a texel of the texture.
fn pixel_tile(
    pages: texture_2d<u32>, tiles: texture_2d_array<f32>, smooth_: sampler, place: PixelPlace, first: u32, last: u32, asked: bool,
) -> PixelTile {
    var level = min(u32(max(ceil(place.level), f32(first))), last);
    var tile = vec2u(0u);
    var page = vec4u(0u);
    var is_there = false;
    if asked {
        // Ancestors of a tile are there, most often that of the next level. Software rasterisers run a loop that ends before its body once more
        // than one that ends behind it.
        level += 1u;
        loop {
            level -= 1u;
            tile = min(place.at >> vec2u(30u - level), vec2u((1u << level) - 1u));
            page = find_page(pages, place.face, level, tile);
            is_there = page.x != EMPTY;
            continuing {
                break if is_there || level <= first;
            }
        }
    }
    let in_tile = vec2f(place.at - (tile << vec2u(30u - level))) / f32(1u << (30u - level));
    let uv = (in_tile * SQUARE_TEXELS + RIM_TEXELS) / (SQUARE_TEXELS + 2.0 * RIM_TEXELS);
    let enlarged = place.level - f32(level);
    // Texels of the level are at most as large as the pixel, or as fine as there are.
    let texel = textureSampleLevel(tiles, smooth_, uv, page.z, clamp(-enlarged, 0.0, 1.0));
    return PixelTile(select(vec4f(0.0), texel, is_there), page.w, is_there, in_tile, enlarged);
}
