//! The table of pages as device functions: what CPU and GPU compute from one source. `shaders/terrain/page.wgsl` is generated
//! from this file, which a test compares.

use glam::UVec2;
use kernels::device;

use crate::key_words::mix32;

/// Level of the coarsest tiles for shading: their texels are as fine as the map of the whole Earth.
#[device]
pub const FIRST_SHADING_LEVEL: u32 = 3;

/// Finer shading tiles have the marks of the tile of this level that they lie in, so that what fades around fine data does so alike in all.
#[device]
pub const MARKED_LEVEL: u32 = 9;

/// Pages of the table, a power of two: twice as many as tiles, so that chains are short.
#[device]
pub const PAGES: u32 = 2048;

/// First word of an empty page: no tile has it.
#[device]
pub const EMPTY: u32 = 0xffff_ffff;

/// Key of a tile, by column and row.
#[device]
#[inline]
pub fn page_key(face: u32, level: u32, tile: UVec2) -> UVec2 {
    UVec2::new(tile.x << 5 | level, tile.y << 3 | face)
}

/// Page of a key after so many steps on occupied ones.
#[device]
#[inline]
pub fn page_of(key: UVec2, probe: u32) -> u32 {
    mix32(key.x ^ mix32(key.y)).wrapping_add(probe) & (PAGES - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shader_is_what_this_file_generates() {
        const PAGE: &str = device::module!(FIRST_SHADING_LEVEL, MARKED_LEVEL, PAGES, EMPTY, page_key, page_of);
        let question = "Where in the table of pages is a tile? Open addressing, one step further on a collision.";
        crate::generated::check("page.wgsl", question, "streaming/page", PAGE);
    }

    /// Law: CPU and GPU look for a tile in the same pages, which are all pages.
    #[test]
    fn tiles_are_looked_for_alike() {
        let gpu = gpu::Gpu::new(&Default::default()).unwrap();
        let kernels = kernels::Kernels::new(&gpu.device);
        let keys: Vec<_> = (0..5_000u32)
            .map(|i| (i % 6, i % 23, UVec2::new(mix32(2 * i), mix32(2 * i + 1)) >> (32 - i % 23).min(31)))
            .collect();
        kernels::testing::check_function::<page_key>(&kernels, &gpu, &keys, |a, b| a == b).unwrap();
        let pages: Vec<_> =
            keys.iter().map(|&(face, level, tile)| (page_key(face, level, tile), tile.x % PAGES)).collect();
        kernels::testing::check_function::<page_of>(&kernels, &gpu, &pages, |a, b| a == b).unwrap();
        let mut seen: Vec<u32> = (0..PAGES).map(|probe| page_of(pages[0].0, probe)).collect();
        seen.sort_unstable();
        assert!(seen.into_iter().eq(0..PAGES));
    }
}
