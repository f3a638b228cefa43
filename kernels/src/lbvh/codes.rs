//! Where does each box lie along a space-filling curve? Twin: `lbvh/codes.wgsl`, whose comments say why.

use super::aabb::{Aabb, Centres};
use crate::{Source, reduce};
use rayon::prelude::*;

const CODE_BITS: u32 = 32;
/// 2^-90
const SMALLEST_EXTENT: f32 = f32::from_bits((127 - 90) << 23);

/// The code of each box; empty boxes go to the end.
pub(super) fn morton_codes(boxes: &[Aabb]) -> Vec<u32> {
    let scene = reduce::<super::BoxUnion, Centres>(boxes);
    let grid = Grid::of(&scene);
    boxes.par_iter().map(|stored| grid.code(Centres::map(*stored, 0))).collect()
}

/// Cells of the scene, and where their bits go.
struct Grid {
    low: [f32; 3],
    scale: [f32; 3],
    /// For each axis and byte of a cell's number: its bits, where the code has them.
    deposit: Box<[[[u32; 256]; 4]; 3]>,
}

impl Grid {
    fn of(scene: &Aabb) -> Self {
        let (mut mask, mut scale) = ([0u32; 3], [0.0f32; 3]);
        if !scene.is_empty() {
            let extent: [f32; 3] = std::array::from_fn(|i| scene.high[i] - scene.low[i]);
            (mask, scale) = share_bits(extent);
        }
        let mut deposit = Box::new([[[0; 256]; 4]; 3]);
        for (tables, mask) in deposit.iter_mut().zip(mask) {
            let places: Vec<u32> = (0..CODE_BITS).filter(|bit| mask >> bit & 1 == 1).collect();
            for (bit, place) in places.into_iter().enumerate() {
                for (value, code) in tables[bit / 8].iter_mut().enumerate() {
                    *code |= ((value >> (bit % 8)) as u32 & 1) << place;
                }
            }
        }
        Self { low: scene.low, scale, deposit }
    }

    fn code(&self, centre: Aabb) -> u32 {
        if centre.is_empty() {
            return u32::MAX;
        }
        (0..3).fold(0, |code, axis| {
            let cell = ((centre.low[axis] - self.low[axis]) * self.scale[axis]) as u32;
            let tables = &self.deposit[axis];
            cell.to_le_bytes().iter().zip(tables).fold(code, |code, (byte, table)| code | table[*byte as usize])
        })
    }
}

/// For each axis: the bits of the code that are its own, and the power of two from coordinates to cells.
fn share_bits(extent: [f32; 3]) -> ([u32; 3], [f32; 3]) {
    let used = extent.map(|extent| extent >= SMALLEST_EXTENT);
    // extent < 2^exponent
    let first = extent.map(|extent| (extent.to_bits() >> 23 & 255) as i32 - 126);
    let mut exponent: [i32; 3] = std::array::from_fn(|i| if used[i] { first[i] } else { -1000 });
    let mut mask = [0u32; 3];
    for bit in (0..CODE_BITS).rev() {
        let axis = if exponent[0] >= exponent[1] && exponent[0] >= exponent[2] {
            0
        } else if exponent[1] >= exponent[2] {
            1
        } else {
            2
        };
        mask[axis] |= 1 << bit;
        exponent[axis] -= 1;
    }
    let scale = std::array::from_fn(|i| {
        let power = mask[i].count_ones() as i32 - first[i];
        if used[i] { f32::from_bits(((power + 127) as u32) << 23) } else { 0.0 }
    });
    (std::array::from_fn(|i| if used[i] { mask[i] } else { 0 }), scale)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flat_scenes_give_their_height_few_bits_and_cells_are_cubes() {
        let (mask, scale) = share_bits([1000.0, 900.0, 30.0]);
        assert_eq!(mask.map(u32::count_ones), [13, 12, 7]);
        assert_eq!(mask[0] | mask[1] | mask[2], u32::MAX);
        assert_eq!(scale, [8.0, 4.0, 4.0]);
        assert_eq!(share_bits([0.0; 3]), ([0; 3], [0.0; 3]));
        assert_eq!(share_bits([0.0, 3.0, 0.0]).0, [0, u32::MAX, 0]);
    }

    #[test]
    fn codes_follow_the_halves_of_the_scene() {
        let at = |x: f32, y: f32| Aabb { low: [x, y, 0.0], high: [x, y, 0.0] };
        let codes = morton_codes(&[at(0.0, 0.0), at(0.0, 1.0), at(1.0, 0.0), at(1.0, 1.0)]);
        assert!(codes.windows(2).all(|pair| pair[0] < pair[1]), "{codes:x?}");
    }
}
