//!import terrain/pixel_tile
// What colour do pictures have at a pixel? See `ImageryTile` of elevation/src/imagery_tile.rs.

@group(3) @binding(4) var<uniform> imagery_view: PixelView;
@group(3) @binding(5) var imagery_pages: texture_2d<u32>;
@group(3) @binding(6) var imagery_tiles: texture_2d_array<f32>;
@group(3) @binding(7) var imagery_sampler: sampler;

// Lines in tiles whose texels are larger than a pixel by so many octaves begin to go, and are gone: finer tiles are on their way.
const WIDE_FROM: f32 = 2.5;
const WIDE_TO: f32 = 4.0;

// Samples along a pixel, at most: longer ones have coarser texels.
const MOST_ALONG: f32 = 8.0;

// Linear light times alpha, and alpha; nothing where there is no tile. From one end of the pixel to the other the unit normal changes so; the
// pixel is so many times as long as it is wide. Where there are but lines, those of tiles that are far too coarse are left out: they would be
// as wide as roads are long.
fn imagery_at(place: PixelPlace, n: vec3f, change_of_n: vec3f, longer: f32, are_lines: bool) -> vec4f {
    let count = clamp(round(longer), 1.0, MOST_ALONG);
    let coarser = PixelPlace(place.face, place.at, place.level - log2(max(longer / MOST_ALONG, 1.0)));
    let tile = pixel_tile(
        imagery_pages, imagery_tiles, imagery_sampler, coarser, imagery_view.first, imagery_view.deepest, true);
    // The tile's mark tells in which of its quarters finer tiles show more: of columns from the left, then of rows.
    let far = select(vec2u(0u), vec2u(1u, 2u), tile.in_tile >= vec2f(0.5));
    let has_finer = are_lines && ((tile.mark >> (far.x + far.y)) & 1u) != 0u;
    let share = select(1.0, saturate((WIDE_TO - tile.enlarged) / (WIDE_TO - WIDE_FROM)), has_finer);
    if count < 2.0 || !tile.is_there {
        return tile.texel * share;
    }
    let along = face_change_on(place.face, n, change_of_n) * f32(1u << tile.level);
    var sum = vec4f(0.0);
    for (var k = 0.0; k < count; k += 1.0) {
        let uv = tile_uv(tile.in_tile + ((k + 0.5) / count - 0.5) * along);
        sum += textureSampleLevel(imagery_tiles, imagery_sampler, uv, tile.layer, clamp(-tile.enlarged, 0.0, 1.0));
    }
    return sum * share / count;
}
