//! Where does each box lie along a space-filling curve? How bits are shared out is one source with
//! `lbvh/codes.wgsl`, whose comments say why; a device moves bits where the CPU has tables.

use super::{
    aabb::{Aabb, Centres},
    cells::share_bits,
    code::Code,
};
use crate::{Source, reduce};
use rayon::prelude::*;

/// The code of each box; empty boxes go to the end.
pub(super) fn morton_codes<C: Code>(boxes: &[Aabb]) -> Vec<C> {
    let scene = reduce::<super::BoxUnion, Centres>(boxes);
    let grid = Grid::<C>::of(&scene);
    boxes.par_iter().map(|stored| grid.code(Centres::map(*stored, 0))).collect()
}

/// Cells of the scene, and where their bits go.
struct Grid<C> {
    low: [f32; 3],
    scale: [f32; 3],
    /// For each axis and byte of a cell's number: its bits, where the code has them.
    deposit: Box<[[[C; 256]; 4]; 3]>,
}

impl<C: Code> Grid<C> {
    fn of(scene: &Aabb) -> Self {
        let (mut mask, mut scale) = ([0u64; 3], [0.0f32; 3]);
        if !scene.is_empty() {
            let extent: [f32; 3] = std::array::from_fn(|i| scene.high[i] - scene.low[i]);
            (mask, scale) = shares_of(extent, C::MORTON_BITS);
        }
        let mut deposit = Box::new([[[C::from_bits(0); 256]; 4]; 3]);
        for (tables, mask) in deposit.iter_mut().zip(mask) {
            let places = (0..C::MORTON_BITS).filter(|bit| mask >> bit & 1 == 1);
            for (bit, place) in places.enumerate() {
                for (value, code) in tables[bit / 8].iter_mut().enumerate() {
                    *code = code.or(C::from_bits(((value >> (bit % 8)) as u64 & 1) << place));
                }
            }
        }
        Self { low: scene.low, scale, deposit }
    }

    fn code(&self, centre: Aabb) -> C {
        if centre.is_empty() {
            return C::from_bits(u64::MAX);
        }
        (0..3).fold(C::from_bits(0), |code, axis| {
            let cell = ((centre.low[axis] - self.low[axis]) * self.scale[axis]) as u32;
            let tables = &self.deposit[axis];
            cell.to_le_bytes().iter().zip(tables).fold(code, |code, (byte, table)| code.or(table[*byte as usize]))
        })
    }
}

/// For each axis: which of `bits` bits of the code are its own, and the power of two from coordinates to cells.
fn shares_of(extent: [f32; 3], bits: u32) -> ([u64; 3], [f32; 3]) {
    let shared = share_bits(extent.into(), bits);
    let words = |axis: usize| u64::from(shared.high[axis]) << 32 | u64::from(shared.low[axis]);
    (std::array::from_fn(words), shared.scale.to_array())
}

#[cfg(all(test, feature = "gpu"))]
mod tests {
    use super::*;

    #[test]
    fn flat_scenes_give_their_height_few_bits_and_cells_are_cubes() {
        let (mask, scale) = shares_of([1000.0, 900.0, 30.0], 32);
        assert_eq!(mask.map(u64::count_ones), [13, 12, 7]);
        assert_eq!(mask[0] | mask[1] | mask[2], u32::MAX.into());
        assert_eq!(scale, [8.0, 4.0, 4.0]);
        for bits in [32, 63] {
            assert_eq!(shares_of([0.0; 3], bits), ([0; 3], [0.0; 3]));
        }
        assert_eq!(shares_of([0.0, 3.0, 0.0], 32).0, [0, u32::MAX.into(), 0]);
    }

    #[test]
    fn long_codes_make_cells_of_a_planet_small_and_leave_no_axis_more_than_a_cell_has() {
        let (mask, scale) = shares_of([1.3e7; 3], 63);
        assert_eq!(mask.map(u64::count_ones), [21; 3]);
        // 2^24 metres in 2^21 cells.
        assert_eq!(scale, [1.0 / 8.0; 3]);
        assert_eq!(shares_of([0.0, 3.0, 0.0], 63).0.map(u64::count_ones), [0, 32, 0]);
        assert_eq!(shares_of([1e9, 1.0, 1.0], 63).0.map(u64::count_ones), [32, 16, 15]);
    }

    /// What the modules of codes say is what the traits do.
    #[test]
    fn shaders_have_codes_of_as_many_bits() {
        for (name, bits, width) in
            [(u32::MODULE, u32::MORTON_BITS, u32::BITS), (u64::MODULE, u64::MORTON_BITS, u64::BITS)]
        {
            let module = crate::WGSL.module(name).unwrap();
            for line in [
                format!("const LBVH_CODE_BITS: u32 = {bits}u;"),
                format!("const LBVH_CODE_WIDTH: u32 = {width}u;"),
                format!("const LBVH_CODE_WORDS: u32 = {}u;", width / 32),
            ] {
                assert!(module.text.contains(&line), "{name}: {line}");
            }
        }
    }

    #[test]
    fn codes_follow_the_halves_of_the_scene() {
        let at = |x: f32, y: f32| Aabb { low: [x, y, 0.0], high: [x, y, 0.0] };
        let boxes = [at(0.0, 0.0), at(0.0, 1.0), at(1.0, 0.0), at(1.0, 1.0)];
        let (short, long) = (morton_codes::<u32>(&boxes), morton_codes::<u64>(&boxes));
        assert!(short.windows(2).all(|pair| pair[0] < pair[1]), "{short:x?}");
        assert!(long.windows(2).all(|pair| pair[0] < pair[1]), "{long:x?}");
    }
}
