//!import terrain/pixel_tile
// How much of a pixel is sea, and how much lake? How far is the next border? See `Water` of elevation/src/water.rs and `Borders` of
// elevation/src/borders.rs.

@group(3) @binding(0) var<uniform> water_view: PixelView;
@group(3) @binding(1) var water_pages: texture_2d<u32>;
@group(3) @binding(2) var water_tiles: texture_2d_array<f32>;
@group(3) @binding(3) var water_sampler: sampler;

// The value of a texel that is all land, and what that of a lake is above and that of the sea below.
const LAND_VALUE: f32 = 100.0 / 255.0;
// A shore between texels is so many times as sharp as they are, at most: filters interpolate in 256 steps.
const SHARPEST: f32 = 64.0;
// From so many octaves on it would show these steps, and is interpolated here, where filters tell a shore so near.
const SHOWS_STEPS: f32 = 3.0;
const NEAR_SHORE: f32 = 0.05;
// Texels of this level tell how far the next shore is, up to so many of them: FINEST_LEVEL and SHORE_REACH of elevation/src/water.rs.
const WATER_FINEST_LEVEL: u32 = 12u;
const SHORE_REACH: f32 = 1.5;
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
    return water_of(water_tile(place, last, asked));
}

fn water_tile(place: PixelPlace, last: u32, asked: bool) -> PixelTile {
    return pixel_tile(water_pages, water_tiles, water_sampler, place, 0u, min(last, water_view.deepest), asked);
}

// At the pixel that a tile is that of.
fn water_of(tile: PixelTile) -> Water {
    let is_distance = tile.is_there && tile.level >= WATER_FINEST_LEVEL;
    // Half of a texel that is larger than the pixel is on either side of the shore.
    let sharp = select(1.0, 2.0 * SHORE_REACH, is_distance) * exp2(tile.enlarged);
    var part = select(0.0, part_of(tile.texel.r), tile.is_there);
    var sharpest = SHARPEST;
    if is_distance && tile.enlarged > SHOWS_STEPS && abs(abs(part) - 0.5) < NEAR_SHORE {
        part = enlarged_part(tile);
        sharpest = sharp;
    }
    let by = clamp(sharp, 1.0, sharpest);
    return Water(saturate((-part - 0.5) * by + 0.5), saturate((part - 0.5) * by + 0.5), saturate(-part));
}

// From -1, all sea, to 1, all lake.
fn part_of(value: f32) -> f32 {
    return value / LAND_VALUE - 1.0;
}

// Between four texels, in all steps that there are.
fn enlarged_part(tile: PixelTile) -> f32 {
    let at = tile.in_tile * SQUARE_TEXELS + (RIM_TEXELS - 0.5);
    let first = vec2u(at);
    let between = fract(at);
    let low = mix(water_texel(tile, first), water_texel(tile, first + vec2u(1u, 0u)), between.x);
    let high = mix(water_texel(tile, first + vec2u(0u, 1u)), water_texel(tile, first + vec2u(1u, 1u)), between.x);
    return part_of(mix(low, high, between.y));
}

fn water_texel(tile: PixelTile, at: vec2u) -> f32 {
    return textureLoad(water_tiles, at, tile.layer, 0u).r;
}

// What tells water, and what tells borders.
struct WaterAndBorders {
    water: Water,
    borders: PixelTile,
}

// Of a pixel, water from tiles of at most a level: most often one tile tells both.
fn water_and_borders_at(place: PixelPlace, last: u32) -> WaterAndBorders {
    var level = water_view.deepest;
    var tile: PixelTile;
    var finest: PixelTile;
    loop {
        tile = water_tile(place, level, true);
        if level == water_view.deepest {
            finest = tile;
        }
        let is_last = level <= last;
        level = min(level, last);
        continuing {
            break if is_last;
        }
    }
    return WaterAndBorders(water_of(tile), finest);
}

// Borders are told to so many texels: REACH_TEXELS of elevation/src/borders.rs.
const BORDER_REACH: f32 = 4.0;
// Metres to one that is farther away.
const NO_BORDER: f32 = 1e9;
// Texels along a pixel from which on its ends may be near a border though its middle is not.
const LONG_TEXELS: f32 = 3.0;

// Metres to the nearest border from four places along a pixel, from one end of which to the other the unit normal changes so; of those that
// are within some pixels. Beyond a tile its outermost texels go on.
fn borders_along(tile: PixelTile, n: vec3f, change_of_n: vec3f) -> vec4f {
    let along = face_change(n, change_of_n) * f32(1u << tile.level);
    let parts = vec4f(-0.125, 0.125, -0.375, 0.375);
    let is_long = length(along) * SQUARE_TEXELS > LONG_TEXELS;
    var near = vec4f(0.0);
    // Most pixels are done after the first place.
    var k = 0u;
    loop {
        let uv = tile_uv(tile.in_tile + parts[k] * along);
        near[k] = textureSampleLevel(water_tiles, water_sampler, uv, tile.layer, 0.0).g;
        let is_done = k == 3u || !(is_long || near.x > 0.0) || !tile.is_there;
        k += 1u;
        continuing {
            break if is_done;
        }
    }
    let reach_m = BORDER_REACH * texel_m(tile);
    return select(vec4f(NO_BORDER), reach_m * (1.0 - near), near > vec4f(select(1.0, 0.0, tile.is_there)));
}

// Metres between the texels of a tile.
fn texel_m(tile: PixelTile) -> f32 {
    return LEVEL_0_TEXEL_M / f32(1u << tile.level);
}
