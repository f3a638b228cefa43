// Where in the table of pages is a tile? Open addressing, one step further on a collision.
// Generated from terrain/src/streaming/page.rs: ./x generate

//!once terrain::streaming::page::FIRST_SHADING_LEVEL
// Level of the coarsest tiles for shading: their texels are as fine as the map of the whole Earth.
const FIRST_SHADING_LEVEL: u32 = 3u;
//!end

//!once terrain::streaming::page::MARKED_LEVEL
// Finer shading tiles have the marks of the tile of this level that they lie in, so that what fades around fine data does so alike in all.
const MARKED_LEVEL: u32 = 9u;
//!end

//!once terrain::streaming::page::PAGES
// Pages of the table, a power of two: twice as many as tiles, so that chains are short.
const PAGES: u32 = 2048u;
//!end

//!once terrain::streaming::page::EMPTY
// First word of an empty page: no tile has it.
const EMPTY: u32 = 0xffffffffu;
//!end

//!once terrain::streaming::page::page_key
// Key of a tile, by column and row.
fn page_key(face: u32, level: u32, tile: vec2u) -> vec2u {
    return vec2u((tile.x << 5u) | level, (tile.y << 3u) | face);
}
//!end

//!once terrain::key_words::mix32
// Finaliser of a 32-bit hash: xor-shift-multiply rounds, a bijection of u32 in which every input bit changes about half
// of the output's.
fn mix32(value: u32) -> u32 {
    var x = value;
    x = (x ^ (x >> 16u)) * 0x7feb352du;
    x = (x ^ (x >> 15u)) * 0x846ca68bu;
    return x ^ (x >> 16u);
}
//!end

//!once terrain::streaming::page::page_of
// Page of a key after so many steps on occupied ones.
fn page_of(key: vec2u, probe: u32) -> u32 {
    return (mix32(key.x ^ mix32(key.y)) + probe) & (PAGES - 1u);
}
//!end
