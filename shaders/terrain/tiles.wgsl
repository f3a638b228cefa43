//!import terrain/bisection
//!import terrain/mix32
// What is the height of a vertex? Texels of the tiles on the device, found by a hash table of pages. See terrain/src/tile.rs
// for texels, terrain/src/streaming/atlas.rs for the table.

const TILE_QUADS_LOG2: u32 = 8u;
const MAX_TILE_LEVEL: u32 = 22u;
// A power of two.
const PAGES: u32 = 2048u;
const NO_PAGE: u32 = 0xffffffffu;
const EMPTY: u32 = 0xffffffffu;

// Key (two words), layer of `tiles`, whether vertices here have normals of their own. An empty page has the key EMPTY.
@group(1) @binding(0) var<uniform> pages: array<vec4u, PAGES>;
// Height in the high 24 bits, code of the error in the low 8.
@group(1) @binding(1) var tiles: texture_2d_array<u32>;

// Height and error of a vertex. Where the tile it is born in is not on the device, the height is interpolated in the nearest ancestor.
struct Ground {
    height_m: f32,
    error_m: f32,
    resident: bool,
}

fn ground_at(p: FacePoint) -> Ground {
    let birth = MAX_TILE_LEVEL - min(countTrailingZeros(p.u | p.v), MAX_TILE_LEVEL);
    for (var up = 0u; up <= birth; up++) {
        let level = birth - up;
        let tile = tile_over(p, level);
        let page = find_page(p.face, level, tile);
        if page == NO_PAGE {
            continue;
        }
        let layer = pages[page].z;
        if up == 0u {
            let texel = load(p, level, tile, layer);
            return Ground(height_of(texel), error_of(texel), true);
        }
        return Ground(interpolated(p, level, tile, layer), 0.0, false);
    }
    return Ground(0.0, 0.0, false);
}

// Column and row of the tile of a level that holds a point; between two tiles the higher one, except at the far edge.
fn tile_over(p: FacePoint, level: u32) -> vec2u {
    return min(vec2u(p.u, p.v) >> vec2u(30u - level), vec2u((1u << level) - 1u));
}

fn find_page(face: u32, level: u32, tile: vec2u) -> u32 {
    let key = vec2u(tile.x << 5u | level, tile.y << 3u | face);
    let start = mix32(key.x ^ mix32(key.y));
    for (var probe = 0u; probe < PAGES; probe++) {
        let at = (start + probe) & (PAGES - 1u);
        let page = pages[at];
        if page.x == key.x && page.y == key.y {
            return at;
        }
        if page.x == EMPTY {
            return NO_PAGE;
        }
    }
    return NO_PAGE;
}

// The texel at or below a point.
fn load(p: FacePoint, level: u32, tile: vec2u, layer: u32) -> u32 {
    let texel = (vec2u(p.u, p.v) >> vec2u(MAX_TILE_LEVEL - level)) - (tile << vec2u(TILE_QUADS_LOG2));
    return textureLoad(tiles, texel, layer, 0).x;
}

// Exact: 24 bits of height are what an f32 holds.
fn height_of(texel: u32) -> f32 {
    return f32(texel >> 8u) * (1.0 / 512.0) - 16384.0;
}

// Codes are tenths of an octave from 1/1024 m; code 0 is anything below, which is let go.
fn error_of(texel: u32) -> f32 {
    let code = texel & 0xffu;
    return select(exp2(f32(code) * 0.1 - 10.0), 0.0, code == 0u);
}

fn interpolated(p: FacePoint, level: u32, tile: vec2u, layer: u32) -> f32 {
    let shift = MAX_TILE_LEVEL - level;
    let in_tile = vec2u(p.u, p.v) - (tile << vec2u(30u - level));
    let low = min(in_tile >> vec2u(shift), vec2u((1u << TILE_QUADS_LOG2) - 1u));
    let part = vec2f(in_tile - (low << vec2u(shift))) / f32(1u << shift);
    let near = mix(texel_height(low, layer), texel_height(low + vec2u(1u, 0u), layer), part.x);
    let far = mix(texel_height(low + vec2u(0u, 1u), layer), texel_height(low + vec2u(1u, 1u), layer), part.x);
    return mix(near, far, part.y);
}

fn texel_height(texel: vec2u, layer: u32) -> f32 {
    return height_of(textureLoad(tiles, texel, layer, 0).x);
}
