//! How high is the ground in a square of a raster at most? Proven bounds, those of blocks of cells kept.

use std::sync::atomic::{AtomicU32, Ordering};

use elevation::{height::Region, surface::Surface};
use glam::DVec3;

use super::cell_normals::CellNormals;

/// Cells along a side of a block.
const BLOCK: i64 = 8;

/// Cached upper bounds of the ground in blocks of cells.
pub struct BlockBounds {
    half: i64,
    blocks: usize,
    /// Bits of an f32 each, rounded up; not a number where nobody has asked yet.
    high_m: Vec<AtomicU32>,
}

impl BlockBounds {
    /// Of a raster of so many cells to each side of the eye.
    pub fn new(half: usize) -> Self {
        let half = half as i64 + 2 * BLOCK;
        let blocks = (2 * half / BLOCK + 1) as usize;
        Self { half, blocks, high_m: (0..blocks * blocks).map(|_| AtomicU32::new(f32::NAN.to_bits())).collect() }
    }

    /// A bound for the block that a cell is in.
    pub fn of_block_m(&self, surface: &Surface, places: &CellNormals, cell_m: f64, cell: [i64; 2]) -> f64 {
        let [i, j] = cell.map(|x| (x + self.half) / BLOCK);
        let kept = &self.high_m[j as usize * self.blocks + i as usize];
        let high_m = f32::from_bits(kept.load(Ordering::Relaxed));
        if !high_m.is_nan() {
            return high_m.into();
        }
        let middle = |k: i64| (k * BLOCK - self.half) as f64 + 0.5 * (BLOCK - 1) as f64;
        let high_m = of_square_m(surface, places.normal(middle(i), middle(j)), BLOCK as f64 * cell_m);
        // Whoever asks computes the same.
        let rounded = (high_m as f32).next_up();
        kept.store(rounded.to_bits(), Ordering::Relaxed);
        rounded.into()
    }
}

/// A bound for the square of so many metres a side round a place.
///
/// On the azimuthal equidistant plane nothing is shorter than on the ellipsoid.
pub fn of_square_m(surface: &Surface, n: DVec3, side_m: f64) -> f64 {
    // The least radius of curvature, of the meridian at the equator: so many metres turn a normal by a radian.
    let ellipsoid = surface.relief().ellipsoid();
    let radius_m = 0.9999 * ellipsoid.semi_minor_m() * ellipsoid.semi_minor_m() / ellipsoid.semi_major_m();
    surface.relief().bounds_m(&Region::cap(n, 0.5f64.sqrt() * side_m / radius_m)).1
}
