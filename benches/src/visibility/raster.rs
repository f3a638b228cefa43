//! Which ground is looked at? Waves of all lengths from 20 km to four cells, in random directions, as a GeoTIFF round the eye.

use std::path::{Path, PathBuf};

use anyhow::Context;
use elevation::geotiff::Raster;
use rand::{Rng, SeedableRng, rngs::StdRng};
use rayon::prelude::*;
use tempfile::TempDir;
use terrain::geodesy::Geodetic;

use super::Options;

/// Waves that the ground is the sum of.
const WAVES: usize = 160;
/// Height of a wave is its length to this power, times what makes the mean slope about 20 degrees.
const POWER: f64 = 1.1;
const STEEP: f64 = 0.028;

/// A raster in the azimuthal equidistant projection round an eye in its middle cell, in a folder that goes with it.
pub struct Scene {
    folder: TempDir,
    pub eye: Geodetic,
    /// Cells to each side of the eye, and along a side.
    pub half: usize,
    pub side: usize,
    pub cell_m: f64,
    pub radius_m: f64,
}

impl Scene {
    /// Writes it.
    pub fn write(folder: &Path, half: usize, options: &Options, seed: u64) -> anyhow::Result<Self> {
        let folder = TempDir::new_in(folder).with_context(|| format!("cannot write to {}", folder.display()))?;
        let (side, cell_m) = (2 * half + 1, options.cell);
        let mut rng = StdRng::seed_from_u64(seed);
        let lengths = 20_000.0 / (4.0 * cell_m);
        let waves: Vec<[f64; 4]> = (0..WAVES)
            .map(|k| {
                let length_m = 20_000.0 * f64::powf(lengths, -(k as f64) / (WAVES - 1) as f64);
                let number = std::f64::consts::TAU / length_m;
                let (sin, cos) = rng.random_range(0.0..std::f64::consts::TAU).sin_cos();
                [
                    number * cos,
                    number * sin,
                    rng.random_range(0.0..9.0),
                    STEEP * length_m.powf(POWER) / (2.0 * number * length_m),
                ]
            })
            .collect();
        let place = |k: usize| (k as f64 - half as f64) * cell_m;
        // Sine and cosine of each wave along a row: of a sum by those of both parts.
        let columns: Vec<Vec<(f64, f64)>> = waves
            .iter()
            .map(|[a, _, phase, _]| (0..side).map(|k| (a * place(k) + phase).sin_cos()).collect())
            .collect();
        let mut heights_m = vec![0.0f32; side * side];
        heights_m.par_chunks_mut(side).enumerate().for_each(|(row, line)| {
            let mut sums = vec![1_500.0; side];
            for ([_, b, _, height_m], columns) in waves.iter().zip(&columns) {
                let (sin, cos) = (b * place(row)).sin_cos();
                let (sin, cos) = (height_m * sin, height_m * cos);
                sums.iter_mut().zip(columns).for_each(|(sum, (s, c))| *sum += s * cos + c * sin);
            }
            line.iter_mut().zip(sums).for_each(|(to, sum)| *to = sum as f32);
        });
        let eye = Geodetic::from_degrees(46.0, 8.0, 0.0);
        let corner_m = (half as f64 + 0.5) * cell_m;
        let raster = Raster {
            system: "+proj=aeqd +lat_0=46 +lon_0=8 +x_0=0 +y_0=0 +datum=WGS84 +units=m +no_defs".into(),
            size: (side, side),
            geo_transform: [-corner_m, cell_m, 0.0, corner_m, 0.0, -cell_m],
            nodata: -9999.0,
            bands: vec![("heights".into(), &heights_m)],
        };
        let scene = Self { eye, half, side, cell_m, radius_m: options.radius, folder };
        raster.write(&scene.file())?;
        Ok(scene)
    }

    /// The raster.
    pub fn file(&self) -> PathBuf {
        self.beside("heights.tif")
    }

    /// A file beside it.
    pub fn beside(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Whether a cell is within the radius.
    pub fn holds(&self, cell: usize) -> bool {
        let away = |k: usize| (k as f64 - self.half as f64) * self.cell_m;
        away(cell % self.side).hypot(away(cell / self.side)) <= self.radius_m
    }
}
