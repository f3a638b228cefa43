//! How rugged are the data of a place? By how much they rise and fall between places some 20 km apart, with bounds of regions.

use glam::DVec3;
use rayon::prelude::*;

use super::super::{elevation_source::Spacing, layer::metres_per_degree, region::Region};
use crate::geodesy::{Ellipsoid, n_vector};

/// How much the data rise and fall between places some 20 km apart, on a grid of longitudes and latitudes.
#[derive(Debug)]
pub struct Ruggedness {
    /// Metres, from 180 W and 90 N, columns fastest.
    nodes_m: Vec<f32>,
    /// Least and greatest in each block of cells and on its rim, columns fastest.
    blocks_m: Vec<[f32; 2]>,
}

/// Heights in metres at unit normals so far apart.
pub type Heights<'a> = dyn Fn(&[DVec3], Spacing, &mut [f64]) + Sync + 'a;

/// Cells along the side of a block.
const BLOCK: usize = 16;
/// Regions of more cells than this along an axis are bounded by blocks.
const FEW_CELLS: i64 = 2 * BLOCK as i64;

/// Columns and rows of cells.
const COLUMNS: usize = 1440;
const ROWS: usize = 720;
/// Cells a degree.
const PER_DEG: f64 = COLUMNS as f64 / 360.0;

impl Ruggedness {
    /// Of heights.
    pub fn of(heights: &Heights<'_>) -> Self {
        let spacing = Spacing::Global(360.0 / COLUMNS as f64 * metres_per_degree(Ellipsoid::WGS84));
        let mut heights_m = vec![0f32; COLUMNS * (ROWS + 1)];
        heights_m.par_chunks_mut(COLUMNS).enumerate().for_each(|(row, line)| {
            let lat_rad = (90.0 - row as f64 / PER_DEG).to_radians();
            let normal = |column: usize| n_vector(lat_rad, (column as f64 / PER_DEG - 180.0).to_radians());
            let normals: Vec<DVec3> = (0..COLUMNS).map(normal).collect();
            let mut sampled = vec![0.0; COLUMNS];
            heights(&normals, spacing, &mut sampled);
            line.iter_mut().zip(sampled).for_each(|(to, height_m)| *to = height_m as f32);
        });
        let mut nodes_m = vec![0f32; heights_m.len()];
        nodes_m.par_chunks_mut(COLUMNS).enumerate().for_each(|(row, line)| {
            // Meridians are close near the poles, and all is level there.
            if !(2..=ROWS - 2).contains(&row) {
                return;
            }
            let cos_lat = (90.0 - row as f64 / PER_DEG).to_radians().cos();
            let aside = (1.0 / cos_lat).round().clamp(1.0, 90.0) as usize;
            for (column, to) in line.iter_mut().enumerate() {
                let at = |dx: usize, row: usize| heights_m[row * COLUMNS + (column + COLUMNS + dx) % COLUMNS];
                let here = at(0, row);
                let (west, east) = (COLUMNS - aside, aside);
                let around = [
                    at(west, row - 1),
                    at(0, row - 1),
                    at(east, row - 1),
                    at(west, row),
                    at(east, row),
                    at(west, row + 1),
                    at(0, row + 1),
                    at(east, row + 1),
                ];
                // The sea's floor is not seen.
                if around.iter().all(|height_m| *height_m <= 0.0) && here <= 0.0 {
                    continue;
                }
                let above_sea = |height_m: f32| height_m.max(0.0);
                let squares = around.iter().map(|h| (above_sea(*h) - above_sea(here)).powi(2)).sum::<f32>();
                *to = RUGGED_SHARE * (squares / around.len() as f32).sqrt();
            }
        });
        Self { blocks_m: blocks_m(&nodes_m), nodes_m }
    }

    /// The greatest of all, metres.
    pub fn most_m(&self) -> f32 {
        self.nodes_m.iter().copied().fold(0.0, f32::max)
    }

    fn node_m(&self, column: usize, row: usize) -> f64 {
        f64::from(self.nodes_m[row.min(ROWS) * COLUMNS + column % COLUMNS])
    }

    /// Column and row of a place, in cells.
    fn cell(lon_deg: f64, lat_deg: f64) -> [f64; 2] {
        [(lon_deg + 180.0) * PER_DEG, ((90.0 - lat_deg) * PER_DEG).clamp(0.0, ROWS as f64)]
    }

    /// At a place: bilinear.
    pub fn at(&self, lon_deg: f64, lat_deg: f64) -> f64 {
        let [x, y] = Self::cell(lon_deg, lat_deg).map(|x| x.max(0.0));
        let (column, row) = (x as usize, y as usize);
        let (tx, ty) = (x - column as f64, y - row as f64);
        let line = |row: usize| {
            let (west, east) = (self.node_m(column, row), self.node_m(column + 1, row));
            west + (east - west) * tx
        };
        let (north, south) = (line(row), line(row + 1));
        north + (south - north) * ty
    }

    /// Least and greatest in blocks that hold columns and rows of cells, which go on around the Earth.
    fn range_of_blocks_m(&self, columns: [i64; 2], rows: [usize; 2]) -> (f64, f64) {
        const ACROSS: i64 = (COLUMNS / BLOCK) as i64;
        let [west, east] = columns.map(|column| column.div_euclid(BLOCK as i64));
        let (mut low_m, mut high_m) = (f32::MAX, f32::MIN);
        for row in rows[0] / BLOCK..=rows[1] / BLOCK {
            for column in west..=east.min(west + ACROSS - 1) {
                let [low, high] = self.blocks_m[row * ACROSS as usize + column.rem_euclid(ACROSS) as usize];
                (low_m, high_m) = (low_m.min(low), high_m.max(high));
            }
        }
        (low_m.into(), high_m.into())
    }

    /// Least and greatest in a region.
    pub fn range_m(&self, region: &Region) -> (f64, f64) {
        let [x, y] = Self::cell(region.lon_deg, region.lat_deg);
        let reach = [region.lon_reach_deg, region.lat_reach_deg].map(|deg| deg * PER_DEG + 1e-9);
        let whole = 2.0 * reach[0] >= (COLUMNS - 1) as f64;
        let (first, last) = if whole {
            (0, COLUMNS as i64)
        } else {
            ((x - reach[0]).floor() as i64, (x + reach[0]).floor() as i64 + 1)
        };
        let row = |y: f64| y.clamp(0.0, (ROWS - 1) as f64) as usize;
        let (top, bottom) = (row(y - reach[1]), row(y + reach[1]) + 1);
        if last - first > FEW_CELLS || bottom - top > FEW_CELLS as usize {
            return self.range_of_blocks_m([first, last], [top, bottom - 1]);
        }
        let column = |x: i64| x.rem_euclid(COLUMNS as i64) as usize;
        let (mut low_m, mut high_m, mut steps) = (f64::MAX, f64::MIN, [0f64; 2]);
        for row in top..=bottom {
            for x in first..=last {
                let here = self.node_m(column(x), row);
                (low_m, high_m) = (low_m.min(here), high_m.max(here));
                if x < last {
                    steps[0] = steps[0].max((self.node_m(column(x + 1), row) - here).abs());
                }
                if row < bottom {
                    steps[1] = steps[1].max((self.node_m(column(x), row + 1) - here).abs());
                }
            }
        }
        // It changes at most by the largest steps between nodes.
        let here = self.at(region.lon_deg, region.lat_deg);
        let change = steps[0] * reach[0] + steps[1] * reach[1] + 1e-9;
        (low_m.max(here - change), high_m.min(here + change))
    }
}

/// Least and greatest of the nodes of each block.
fn blocks_m(nodes_m: &[f32]) -> Vec<[f32; 2]> {
    let (across, down) = (COLUMNS / BLOCK, ROWS / BLOCK);
    let block = |k: usize| {
        let (x, y) = (k % across * BLOCK, k / across * BLOCK);
        let nodes = (y..=y + BLOCK).flat_map(|row| (x..=x + BLOCK).map(move |x| row * COLUMNS + x % COLUMNS));
        nodes.fold([f32::MAX, f32::MIN], |[low, high], at| [low.min(nodes_m[at]), high.max(nodes_m[at])])
    };
    (0..across * down).map(block).collect()
}

/// Ruggedness for each metre of difference between places about 20 km apart: postings of 9 km have few of the ridges and valleys between.
const RUGGED_SHARE: f32 = 1.8;
