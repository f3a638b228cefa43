//!import terrain/find_page
//!import terrain/pixel_place
// What does the tile of a pixel have there? The tile whose texels are as large as the pixel, or the finest that is there.

// More levels than there are.
const MOST_LEVELS: u32 = 30u;

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

// At a place in metres from the eye with its unit geodetic normal, of the levels from `first` to `last`; none where nothing is asked.
fn pixel_tile(
    pages: texture_2d<u32>, tiles: texture_2d_array<f32>, smooth_: sampler, view: PixelView,
    position_m: vec3f, n: vec3f, first: u32, last: u32, asked: bool,
) -> PixelTile {
    let distance_m = length(position_m);
    let scale = log2(LEVEL_0_TEXEL_M / max(distance_m * view.texel_rad, 1e-3));
    // Ancestors of a tile are there: the finest that is there is the wanted one, or is found by halving the levels below it.
    var level = min(u32(max(ceil(scale), f32(first))), min(view.deepest, last));
    var low = first;
    var high = select(first, level + 1u, asked);
    var is_there = false;
    var page = vec4u(0u);
    var in_tile = vec2f(0.0);
    var found = 0u;
    while low < high {
        let face = face_at(n);
        let at = face_place(position_m, n, face, view);
        let tile = min(at >> vec2u(30u - level), vec2u((1u << level) - 1u));
        let one = find_page(pages, face, level, tile);
        if one.x != EMPTY {
            is_there = true;
            page = one;
            found = level;
            in_tile = vec2f(at - (tile << vec2u(30u - level))) / f32(1u << (30u - level));
            low = level + 1u;
        } else {
            high = level;
        }
        level = (low + high) / 2u;
    }
    let uv = (in_tile * SQUARE_TEXELS + RIM_TEXELS) / (SQUARE_TEXELS + 2.0 * RIM_TEXELS);
    // Texels of the level are at most as large as the pixel, or as fine as there are.
    let texel = textureSampleLevel(tiles, smooth_, uv, page.z, clamp(f32(found) - scale, 0.0, 1.0));
    return PixelTile(select(vec4f(0.0), texel, is_there), page.w, is_there, in_tile, scale - f32(found));
}
