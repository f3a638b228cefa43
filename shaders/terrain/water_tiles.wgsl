//!import terrain/pixel_tile
// How much of a pixel is sea, and how much lake? See `Water` of elevation/src/water.rs.

@group(3) @binding(0) var<uniform> water_view: PixelView;
@group(3) @binding(1) var water_pages: texture_2d<u32>;
@group(3) @binding(2) var water_tiles: texture_2d_array<f32>;
@group(3) @binding(3) var water_sampler: sampler;

// The value of a texel that is all land, and what that of a lake is above and that of the sea below.
const LAND_VALUE: f32 = 100.0 / 255.0;
// A shore between texels is so many times as sharp as they are, at most: filters interpolate in 256 steps.
const SHARPEST: f32 = 64.0;
// Level whose texels are as large as the outlines are imprecise, about 1.2 km.
const WATER_PRECISE_LEVEL: u32 = 5u;

struct Water {
    sea: f32,
    lake: f32,
    // Of a texel and those beside it.
    some_sea: f32,
}

// At a pixel, from tiles of at most a level; nothing where nothing is asked.
fn water_at(place: PixelPlace, last: u32, asked: bool) -> Water {
    let tile = pixel_tile(water_pages, water_tiles, water_sampler, place, 0u, min(last, water_view.deepest), asked);
    let part = select(0.0, tile.texel.r / LAND_VALUE - 1.0, tile.is_there);
    // Half of a texel that is larger than the pixel is on either side of the shore.
    let sharp = clamp(exp2(tile.enlarged), 1.0, SHARPEST);
    return Water(saturate((-part - 0.5) * sharp + 0.5), saturate((part - 0.5) * sharp + 0.5), saturate(-part));
}
