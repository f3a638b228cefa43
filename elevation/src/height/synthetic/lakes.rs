//! Where are lakes, and how far away? On them and around them the ground stays as the data have it.

use std::sync::{Arc, OnceLock};

use rayon::prelude::*;

use super::super::region::Region;
use crate::{
    cube::{FACES, face_normal},
    geodesy::{SEMI_MAJOR_M, n_vector},
    height::angle::lon_lat_deg,
    water::{Cover, LAND, Water},
};

/// Columns and rows of cells, by longitude and latitude.
const COLUMNS: usize = 720;
const ROWS: usize = 360;
/// Cells a degree.
const PER_DEG: f64 = COLUMNS as f64 / 360.0;
/// Parts of a side of a cell between nodes: 430 m from north to south.
const PARTS: usize = 128;
/// Degrees and metres between nodes from north to south.
const STEP_DEG: f64 = 1.0 / (PER_DEG * PARTS as f64);
const STEP_M: f64 = STEP_DEG / 180.0 * std::f64::consts::PI * SEMI_MAJOR_M;
/// Metres from a shore to ground with all of its detail.
const REACH_M: f64 = 3_000.0;
/// Most nodes to the side that are looked at, close to the poles.
const MOST_ASIDE: usize = 32;
/// There are none beyond, from the equator.
const NORTHERNMOST_DEG: f64 = 88.0;
/// Texels along a side of a face, of 20 km, that lakes are looked for in.
const TEXELS: usize = 512;

/// Cells near lakes, with the distances in them as these are asked for.
pub(crate) struct Lakes {
    water: Arc<Water>,
    /// For each cell one more than its place in `cells`, 0 far from lakes.
    places: Vec<u32>,
    cells: Vec<OnceLock<Vec<f32>>>,
}

impl std::fmt::Debug for Lakes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Lakes").field("cells", &self.cells.len()).finish_non_exhaustive()
    }
}

impl Lakes {
    /// Those of outlines that are larger than a few square kilometres.
    pub fn of(water: Arc<Water>) -> Self {
        let size = 2.0 / TEXELS as f64;
        let texels = (0..FACES).into_par_iter().flat_map_iter(|face| {
            let covers = water.texels(face, [-1.0; 2], size, TEXELS);
            let wet = covers.into_iter().enumerate().filter(|(_, cover)| *cover > LAND);
            wet.map(move |(k, _)| (face, k)).collect::<Vec<_>>()
        });
        let texels: Vec<(u32, usize)> = texels.collect();
        let mut near = vec![false; COLUMNS * ROWS];
        for (face, k) in texels {
            let at = |k: usize| (k as f64 + 0.5) * size - 1.0;
            let (lon_deg, lat_deg) = lon_lat_deg(face_normal(face, at(k % TEXELS), at(k / TEXELS)));
            // With what is around stays below that.
            if lat_deg.abs() > NORTHERNMOST_DEG - 2.0 {
                continue;
            }
            let (x, y) = cell(lon_deg, lat_deg);
            // A texel is less than half a cell from its middle, and its reach less than a tenth, from north to south.
            let aside = (1.2 / lat_deg.to_radians().cos().max(0.01)).ceil().min(COLUMNS as f64 / 2.0) as usize;
            for row in (y as usize).saturating_sub(1)..=(y as usize + 1).min(ROWS - 1) {
                for column in 0..=2 * aside {
                    near[row * COLUMNS + (x as usize + COLUMNS + column - aside) % COLUMNS] = true;
                }
            }
        }
        let mut count = 0;
        let place = |near: bool| {
            count += u32::from(near);
            if near { count } else { 0 }
        };
        let places: Vec<u32> = near.into_iter().map(place).collect();
        let cells = (0..count).map(|_| OnceLock::new()).collect();
        Self { water, places, cells }
    }

    /// Share of the detail at a place: 0 on a lake, 1 far from all.
    pub fn share(&self, lon_deg: f64, lat_deg: f64) -> f64 {
        let (x, y) = cell(lon_deg, lat_deg);
        let (column, row) = ((x as usize).min(COLUMNS - 1), (y as usize).min(ROWS - 1));
        let place = self.places[row * COLUMNS + column];
        if place == 0 {
            return 1.0;
        }
        let shares = self.cells[place as usize - 1].get_or_init(|| self.shares_of_cell(column, row));
        let (x, y) = ((x - column as f64) * PARTS as f64, (y - row as f64) * PARTS as f64);
        let (i, j) = ((x as usize).min(PARTS - 1), (y as usize).min(PARTS - 1));
        let (tx, ty) = (x - i as f64, y - j as f64);
        let line = |j: usize| {
            let [west, east] = [i, i + 1].map(|i| f64::from(shares[j * (PARTS + 1) + i]));
            west + (east - west) * tx
        };
        let (north, south) = (line(j), line(j + 1));
        north + (south - north) * ty
    }

    /// Least and greatest share in a region.
    pub fn shares(&self, region: &Region) -> (f64, f64) {
        let here = self.share(region.lon_deg, region.lat_deg);
        let (lowest_deg, highest_deg) =
            (region.lat_deg.abs() - region.lat_reach_deg, region.lat_deg.abs() + region.lat_reach_deg);
        if highest_deg > NORTHERNMOST_DEG {
            return (if lowest_deg > NORTHERNMOST_DEG { 1.0 } else { 0.0 }, 1.0);
        }
        // A smooth step is at most half again as steep as a straight one, on either axis. Nodes may be closer than is counted.
        let closer = (aside_m(highest_deg) / (STEP_M * highest_deg.to_radians().cos())).max(1.0);
        let change = 2.0 * 1.5 * closer * region.radius_rad * SEMI_MAJOR_M / (0.9 * REACH_M) + 1e-6;
        ((here - change).max(0.0), (here + change).min(1.0))
    }

    /// Shares at the nodes of a cell, from what is a lake at these and around: a function of the node.
    fn shares_of_cell(&self, column: usize, row: usize) -> Vec<f32> {
        let lat_deg = |j: i64| (90.0 - ((row * PARTS) as i64 + j) as f64 * STEP_DEG).clamp(-90.0, 90.0);
        let lon_deg = |i: i64| ((column * PARTS) as i64 + i) as f64 * STEP_DEG - 180.0;
        let aside_m = |j: i64| aside_m(lat_deg(j));
        let rows_around = (REACH_M / STEP_M).ceil() as i64;
        let parts = PARTS as i64;
        let around = (0..=parts).map(|j| (REACH_M / aside_m(j)).ceil() as i64).max().unwrap_or(0);
        let width = (parts + 1 + 2 * around) as usize;
        let is_lake: Vec<bool> = (-rows_around..=parts + rows_around)
            .flat_map(|j| (-around..=parts + around).map(move |i| (i, j)))
            .map(|(i, j)| {
                let n = n_vector(lat_deg(j).to_radians(), lon_deg(i).to_radians());
                matches!(self.water.at(n), Cover::Lake(_))
            })
            .collect();
        let wet = |i: i64, j: i64| is_lake[(j + rows_around) as usize * width + (i + around) as usize];
        // The nearest lake of a row first, then of the rows.
        let mut shares = Vec::with_capacity((PARTS + 1) * (PARTS + 1));
        for (i, j) in (0..=parts).flat_map(|j| (0..=parts).map(move |i| (i, j))) {
            let aside_m = aside_m(j);
            let reach = (REACH_M / aside_m).ceil() as i64;
            let mut nearest_m2 = REACH_M * REACH_M;
            for dj in -rows_around..=rows_around {
                let down_m2 = (dj as f64 * STEP_M).powi(2);
                if down_m2 >= nearest_m2 {
                    continue;
                }
                let nearest = (0..=reach).find(|di| wet(i + di, j + dj) || wet(i - di, j + dj));
                if let Some(di) = nearest {
                    nearest_m2 = nearest_m2.min(down_m2 + (di as f64 * aside_m).powi(2));
                }
            }
            let part = nearest_m2.sqrt() / REACH_M;
            shares.push((part * part * (3.0 - 2.0 * part)) as f32);
        }
        shares
    }
}

/// Metres from node to node along a row, never so few that a reach is more nodes than are looked at.
fn aside_m(lat_deg: f64) -> f64 {
    (lat_deg.to_radians().cos() * STEP_M).max(REACH_M / MOST_ASIDE as f64)
}

/// Column and row of a place, in cells.
fn cell(lon_deg: f64, lat_deg: f64) -> (f64, f64) {
    let x = (lon_deg + 180.0) * PER_DEG;
    (x.clamp(0.0, COLUMNS as f64), ((90.0 - lat_deg) * PER_DEG).clamp(0.0, ROWS as f64))
}
