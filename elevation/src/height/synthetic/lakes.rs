//! How far is the nearest lake? On lakes and around them the ground stays as the data have it.

use glam::{DVec3, Vec3};
use rayon::prelude::*;

use super::{
    super::{kernel::smoothstep, region::Region},
    RADIUS_M,
};
use crate::{geodesy::n_vector, water::Water};

/// Columns and rows of cells, by longitude and latitude.
const COLUMNS: usize = 1440;
const ROWS: usize = 720;
/// Cells a degree.
const PER_DEG: f64 = COLUMNS as f64 / 360.0;
/// Metres from a shore to ground with all of its detail.
const REACH_M: f64 = 3_000.0;

/// Shores of lakes by cells.
pub(crate) struct Lakes {
    /// The first shore of each cell, and the end.
    starts: Vec<u32>,
    /// Both ends, as normals, of the edges within reach of a place in the cell.
    shores: Vec<[Vec3; 2]>,
    /// How many lakes the middle of each cell is in.
    around_middle: Vec<i8>,
}

impl std::fmt::Debug for Lakes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Lakes").field("shores", &self.shores.len()).finish_non_exhaustive()
    }
}

impl Lakes {
    /// Those of outlines.
    pub fn of(water: &Water) -> Self {
        // Each shore goes to the next place of its cells, from the end on.
        let mut starts = vec![0u32; COLUMNS * ROWS + 1];
        for shore in water.lake_shores() {
            cells_near(shore).for_each(|cell| starts[cell] += 1);
        }
        (0..COLUMNS * ROWS).for_each(|cell| starts[cell + 1] += starts[cell]);
        let mut shores = vec![[Vec3::ZERO; 2]; starts[COLUMNS * ROWS] as usize];
        for shore in water.lake_shores() {
            for cell in cells_near(shore) {
                starts[cell] -= 1;
                shores[starts[cell] as usize] = shore.map(DVec3::as_vec3);
            }
        }
        // Where no shore passes, all is as it is to the west.
        let mut around_middle = vec![0; COLUMNS * ROWS];
        around_middle.par_chunks_mut(COLUMNS).enumerate().for_each(|(row, line)| {
            let mut last = None;
            for (column, to) in line.iter_mut().enumerate() {
                let cell = row * COLUMNS + column;
                let is_clear = starts[cell] == starts[cell + 1];
                let known = last.filter(|_| is_clear);
                *to = known.unwrap_or_else(|| water.lakes_around(middle(cell)).clamp(0, 100) as i8);
                last = is_clear.then_some(*to);
            }
        });
        Self { starts, shores, around_middle }
    }

    /// Share of the detail at a place: 0 on a lake, 1 far from all.
    pub fn share(&self, n: DVec3, (lon_deg, lat_deg): (f64, f64)) -> f64 {
        let cell = row(lat_deg) * COLUMNS + column(lon_deg).rem_euclid(COLUMNS as i64) as usize;
        let shores = &self.shores[self.starts[cell] as usize..self.starts[cell + 1] as usize];
        let mut lakes = i32::from(self.around_middle[cell]);
        let mut nearest = (REACH_M / RADIUS_M).powi(2);
        let most = nearest;
        // On the way from the middle of the cell shores are crossed.
        let middle = middle(cell);
        let way = middle.cross(n);
        for [from, to] in shores.iter().map(|shore| shore.map(Vec3::as_dvec3)) {
            nearest = nearest.min(distance_squared(n, from, to));
            if (from.dot(way) < 0.0) != (to.dot(way) < 0.0) {
                let shore = from.cross(to);
                // Lakes lie to the right of their shores.
                lakes += i32::from(n.dot(shore) < 0.0) - i32::from(middle.dot(shore) < 0.0);
            }
        }
        if lakes > 0 {
            return 0.0;
        }
        smoothstep((nearest / most).sqrt())
    }

    /// Least and greatest share in a region.
    pub fn shares(&self, region: &Region) -> (f64, f64) {
        // A smooth step is at most half again as steep as a straight one; the outlines are stored with a metre's rounding.
        let change = 1.5 * region.radius_rad * RADIUS_M / REACH_M + 1e-4;
        if change >= 1.0 {
            return (0.0, 1.0);
        }
        let here = self.share(region.n, (region.lon_deg, region.lat_deg));
        ((here - change).max(0.0), (here + change).min(1.0))
    }
}

/// Squared distance from a place to the edge between two others, on a sphere of radius 1.
fn distance_squared(n: DVec3, from: DVec3, to: DVec3) -> f64 {
    let (along, beside) = (to - from, n - from);
    let part = (beside.dot(along) / along.length_squared().max(f64::MIN_POSITIVE)).clamp(0.0, 1.0);
    (beside - along * part).length_squared()
}

/// Cells in reach of a shore.
fn cells_near([from, to]: [DVec3; 2]) -> impl Iterator<Item = usize> {
    // Rounding of the ends, and of cells.
    const MARGIN_RAD: f64 = 1e-6;
    let reach_rad = 0.5 * from.angle_between(to) + REACH_M / RADIUS_M + MARGIN_RAD;
    let region = Region::cap((from + to).normalize(), reach_rad);
    let reach_deg = region.lon_reach_deg.min(180.0 - 1e-9);
    let rows = row(region.lat_deg + region.lat_reach_deg)..=row(region.lat_deg - region.lat_reach_deg);
    let (west, east) = (column(region.lon_deg - reach_deg), column(region.lon_deg + reach_deg));
    let columns = west..=east.min(west + COLUMNS as i64 - 1);
    rows.flat_map(move |row| columns.clone().map(move |column| (row, column)))
        .map(|(row, column)| row * COLUMNS + column.rem_euclid(COLUMNS as i64) as usize)
}

/// The column of a longitude, which counts on around the Earth.
fn column(lon_deg: f64) -> i64 {
    ((lon_deg + 180.0) * PER_DEG).floor() as i64
}

/// The row of a latitude.
fn row(lat_deg: f64) -> usize {
    (((90.0 - lat_deg) * PER_DEG).max(0.0) as usize).min(ROWS - 1)
}

/// The middle of a cell.
fn middle(cell: usize) -> DVec3 {
    let deg = |k: usize| (k as f64 + 0.5) / PER_DEG;
    n_vector((90.0 - deg(cell / COLUMNS)).to_radians(), (deg(cell % COLUMNS) - 180.0).to_radians())
}

#[cfg(test)]
mod tests {
    use std::f64::consts::TAU;

    use rand::Rng;

    use super::*;
    use crate::{random::rng, water::Cover};

    /// Law: the share is that of the nearest of all shores, 0 on lakes, and within its bounds in a region.
    #[test]
    fn the_nearest_of_all_shores_counts() {
        let (water, mut rng) = (Water::earth(), rng());
        let lakes = Lakes::of(water);
        let shores: Vec<[DVec3; 2]> = water.lake_shores().collect();
        let (mut partly, mut wet) = (0, 0);
        let mut beside = |n: DVec3, most_m: f64| {
            let (a, b) = n.any_orthonormal_pair();
            let (sin, cos) = rng.random_range(0.0..TAU).sin_cos();
            (n + (a * cos + b * sin) * (rng.random_range(0.0..most_m) / RADIUS_M)).normalize()
        };
        let share = |n: DVec3| lakes.share(n, crate::height::angle::lon_lat_deg(n));
        for k in 0..200 {
            let n = beside(shores[k * shores.len() / 200][0], 5_000.0);
            let on_lake = matches!(water.at(n), Cover::Lake(_));
            let nearest = shores.iter().map(|[from, to]| distance_squared(n, *from, *to)).fold(f64::MAX, f64::min);
            let part = if on_lake { 0.0 } else { (nearest.sqrt() * RADIUS_M / REACH_M).min(1.0) };
            let expected = part * part * (3.0 - 2.0 * part);
            assert!((share(n) - expected).abs() < 2e-3, "{} for {expected} at {n}", share(n));
            partly += usize::from(part > 0.0 && part < 1.0);
            wet += usize::from(on_lake);
            let region = Region::cap(n, 400.0 / RADIUS_M);
            let bounds = lakes.shares(&region);
            for _ in 0..10 {
                let near = share(beside(n, 400.0));
                assert!((bounds.0..=bounds.1).contains(&near), "{near} is not in {bounds:?}");
            }
        }
        assert!(partly > 50 && wet > 20, "{partly} places near lakes, {wet} on them");
    }
}
