//! Which rasters? A square of tiles of one degree, as the Shuttle's radar mission has them, of made-up ground.

use std::{io, path::Path};

use rayon::prelude::*;

/// South-western corner of the square, degrees: on land, in the Sahara.
const CORNER_DEG: [u32; 2] = [20, 5];

/// Tiles of one degree, side by side.
#[derive(Debug, Clone, Copy)]
pub struct Square {
    /// Tiles along a side.
    pub side: u32,
    /// Postings along the side of a tile: 1201 are three seconds of arc.
    pub postings: usize,
}

impl Square {
    /// West, south, east, north.
    pub fn bounds_deg(self) -> [f64; 4] {
        let [south, west] = CORNER_DEG.map(f64::from);
        [west, south, west + f64::from(self.side), south + f64::from(self.side)]
    }

    /// Writes the files (`.hgt`: heights of 16 bits, rows from north to south, the name says where); their bytes in all.
    ///
    /// # Errors
    /// A folder that cannot be written to.
    pub fn write(self, folder: &Path) -> io::Result<u64> {
        let mut bytes = 0;
        for (j, i) in (0..self.side).flat_map(|j| (0..self.side).map(move |i| (j, i))) {
            let (lat, lon) = (CORNER_DEG[0] + j, CORNER_DEG[1] + i);
            let step = 1.0 / (self.postings - 1) as f64;
            let columns: Vec<[f32; OCTAVES]> =
                (0..self.postings).map(|column| waves(f64::from(lon) + column as f64 * step)).collect();
            let mut heights = vec![[0u8; 2]; self.postings * self.postings];
            heights.par_chunks_mut(self.postings).enumerate().for_each(|(row, heights)| {
                let along = waves(f64::from(lat + 1) - row as f64 * step);
                for (height, across) in heights.iter_mut().zip(&columns) {
                    let products = along.iter().zip(across).zip(HEIGHTS_M);
                    let height_m = 900.0 + products.map(|((a, b), most_m)| a * b * most_m).sum::<f32>();
                    *height = (height_m as i16).to_be_bytes();
                }
            });
            std::fs::write(folder.join(format!("N{lat:02}E{lon:03}.hgt")), heights.as_flattened())?;
            bytes += size_of_val(&heights[..]) as u64;
        }
        Ok(bytes)
    }
}

/// Mountains with ever smaller ones on them, down to the posting: a mesh never has enough of them.
const OCTAVES: usize = 8;
/// How high they are, metres.
const HEIGHTS_M: [f32; OCTAVES] = [500.0, 260.0, 140.0, 75.0, 40.0, 20.0, 10.0, 5.0];

/// Waves along one axis, each about twice as short as the one before.
fn waves(deg: f64) -> [f32; OCTAVES] {
    std::array::from_fn(|octave| (7.3 * 2.1f64.powi(octave as i32) * deg).sin() as f32)
}
