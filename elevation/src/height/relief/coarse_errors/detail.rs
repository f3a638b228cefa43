//! What do layers finer than the lattice hide inside of its cells?
//!
//! The lattice is about as dense as the embedded relief. Where a user's finer layer lies, a cell of 10 km may hold a mountain
//! that none of its corners sees, and nothing would ever ask for more detail there. So the cells under finer layers are
//! sampled: how far the surface leaves the bilinear patch of the corners bounds the error of the vertices that would be next.
//! Elsewhere this costs nothing.

use glam::DVec3;
use rayon::prelude::*;

use super::topology::Bisection;
use crate::{
    cube::{FACES, ONE, warp},
    height::{Patch, Synthetic, relief::Relief},
};

/// Most samples taken, all cells together: about half a second of one core.
const BUDGET: u64 = 1 << 23;
/// Finest sampling of a cell: 2^5 steps along a side.
const FINEST_LOG2: u32 = 5;
/// Cells along the sides of blocks that are asked together which areas are near.
const BLOCK: u32 = 32;
/// Samples miss the extremes between them: what is found is enlarged by this.
const MISSED: f64 = 1.25;

/// What lies in one finest cell of a face.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CellDetail {
    /// Column and row of the cell.
    pub cell: (u32, u32),
    /// Largest distance in metres between the surface and the bilinear patch of the cell's corners.
    pub deviation_m: f32,
}

impl CellDetail {
    /// Raises the errors of the two vertices whose split would put a vertex in the middle of the cell.
    pub fn raise(&self, errors: &mut [f32], level: u32) {
        let side = (1usize << level) + 1;
        for (u, v) in corners(self.cell) {
            if Bisection::of(u, v, level).is_some_and(|edge| edge.axis && edge.s == 1) {
                let e = &mut errors[v as usize * side + u as usize];
                *e = e.max(self.deviation_m);
            }
        }
    }
}

/// Raises the errors of the lattice's finest vertices to how far made up ground leaves the planes around them; `axis` has the gnomonic
/// coordinates of columns and rows, `heights` those of a face's vertices.
pub(crate) fn raise_to_synthetic(
    synthetic: &Synthetic,
    (face, level): (u32, u32),
    axis: &[f64],
    heights: &[f32],
    errors: &mut [f32],
) {
    let rows = errors.par_chunks_mut(axis.len()).zip(heights.par_chunks(axis.len())).enumerate();
    rows.for_each(|(v, (errors, heights))| {
        for (u, (error, height_m)) in errors.iter_mut().zip(heights).enumerate() {
            let edge = Bisection::of(u as u32, v as u32, level);
            if *height_m > 0.0 && edge.is_some_and(|edge| edge.axis && edge.s == 1) {
                let n = super::normal_at(face, axis[u], axis[v]);
                *error = error.max(synthetic.deviation_m(n, f64::from(*height_m)) as f32);
            }
        }
    });
}

fn corners((i, j): (u32, u32)) -> [(u32, u32); 4] {
    [(i, j), (i + 1, j), (i, j + 1), (i + 1, j + 1)]
}

/// Details of the cells under layers that are finer than the lattice, by face; `heights` are the lattice's.
pub(crate) fn of_faces(relief: &Relief, level: u32, heights: &[Vec<f32>]) -> Vec<Vec<CellDetail>> {
    let m = 1u32 << level;
    let cell_m = relief.ellipsoid().semi_major_m() * std::f64::consts::FRAC_PI_2 / f64::from(m);
    let areas: Vec<Area> = relief
        .areas()
        .filter(|(_, posting_m)| *posting_m < 0.6 * cell_m)
        .map(|(cap, posting_m)| Area::new(cap, posting_m, cell_m, cell_m / relief.ellipsoid().semi_major_m()))
        .collect();
    if areas.is_empty() {
        return vec![Vec::new(); FACES as usize];
    }
    let step = (ONE >> level) >> FINEST_LOG2;
    let axis: Vec<f64> = (0..=m << FINEST_LOG2).map(|i| warp(i * step)).collect();
    let mut wanted: Vec<Vec<(u32, u32, u32)>> = (0..FACES).map(|face| wanted_cells(face, m, &axis, &areas)).collect();
    let mut counts = [0; FINEST_LOG2 as usize + 1];
    wanted.iter().flatten().for_each(|(_, _, log2)| counts[*log2 as usize] += 1);
    let affordable = affordable(counts);
    for cells in &mut wanted {
        cells.iter_mut().for_each(|cell| cell.2 = affordable[cell.2 as usize]);
        cells.retain(|cell| cell.2 > 0);
    }
    let side = m as usize + 1;
    wanted
        .into_iter()
        .enumerate()
        .map(|(face, cells)| {
            let heights = &heights[face];
            cells
                .into_par_iter()
                .map(|(i, j, log2)| {
                    let at = corners((i, j)).map(|(u, v)| f64::from(heights[v as usize * side + u as usize]));
                    sample_cell(relief, face as u32, (i, j), log2, &axis, at)
                })
                .collect()
        })
        .collect()
}

/// How finely (as a logarithm of steps) cells that want `2^l` steps along a side are sampled, for each l; 0: not at all.
///
/// As long as all together take more than the budget, the kind that takes most is halved: a layer of the whole Earth that is
/// little finer than the lattice yields to a small one that is much finer.
fn affordable(counts: [u64; FINEST_LOG2 as usize + 1]) -> [u32; FINEST_LOG2 as usize + 1] {
    let mut log2: [u32; FINEST_LOG2 as usize + 1] = std::array::from_fn(|l| l as u32);
    loop {
        let cost = |l: usize| if log2[l] > 0 { counts[l] << (2 * log2[l]) } else { 0 };
        let most = (0..log2.len()).max_by_key(|l| cost(*l)).unwrap_or(0);
        if (0..log2.len()).map(cost).sum::<u64>() <= BUDGET {
            return log2;
        }
        log2[most] -= 1;
    }
}

/// Where a finer layer lies, and how finely to sample a cell there.
struct Area {
    cap: Option<(DVec3, f64)>,
    log2: u32,
}

impl Area {
    fn new(cap: Option<(DVec3, f64)>, posting_m: f64, cell_m: f64, margin_rad: f64) -> Self {
        // A cell touches the cap if its middle lies within the cap enlarged by half the cell's diagonal, generously.
        let cap = cap.map(|(middle, cos_radius)| (middle, (cos_radius.acos() + margin_rad).min(3.1).cos()));
        let log2 = (cell_m / posting_m.max(1e-3)).log2().ceil().clamp(1.0, f64::from(FINEST_LOG2)) as u32;
        Self { cap, log2 }
    }

    fn holds(&self, n: DVec3) -> bool {
        self.cap.is_none_or(|(middle, cos_radius)| n.dot(middle) >= cos_radius)
    }

    /// Whether it may hold some place within `reach` radians of another.
    fn touches(&self, place: DVec3, reach: f64) -> bool {
        self.cap.is_none_or(|(middle, cos_radius)| place.angle_between(middle) <= cos_radius.acos() + reach + 1e-9)
    }
}

/// Cells `(i, j)` of a face that a finer layer may touch, with the logarithm of the steps to sample along a side.
fn wanted_cells(face: u32, m: u32, axis: &[f64], areas: &[Area]) -> Vec<(u32, u32, u32)> {
    let at = |halves: u32| axis[(halves << (FINEST_LOG2 - 1)) as usize];
    let normal = |[x, y]: [u32; 2]| super::normal_at(face, at(x), at(y));
    let blocks: Vec<[u32; 2]> =
        (0..m).step_by(BLOCK as usize).flat_map(|j| (0..m).step_by(BLOCK as usize).map(move |i| [i, j])).collect();
    let of_block = |first: [u32; 2]| {
        let end = first.map(|k| (k + BLOCK).min(m));
        // A folder has thousands of areas, of which few lie near a block.
        let middle = normal([0, 1].map(|axis| first[axis] + end[axis]));
        let corners = [first, [end[0], first[1]], [first[0], end[1]], end].map(|corner| normal(corner.map(|k| 2 * k)));
        let reach = corners.into_iter().map(|corner| corner.angle_between(middle)).fold(0.0, f64::max);
        let near: Vec<&Area> = areas.iter().filter(|area| area.touches(middle, reach)).collect();
        let cells = (first[1]..end[1]).flat_map(move |j| (first[0]..end[0]).map(move |i| [i, j]));
        cells
            .filter(|_| !near.is_empty())
            .filter_map(|[i, j]| {
                let n = normal([2 * i + 1, 2 * j + 1]);
                let log2 = near.iter().filter(|area| area.holds(n)).map(|area| area.log2).max()?;
                Some((i, j, log2))
            })
            .collect::<Vec<_>>()
    };
    blocks.into_par_iter().flat_map_iter(of_block).collect()
}

/// Samples a cell at `2^log2 + 1` points along each side; `corners` are its heights in the order of [`corners`].
fn sample_cell(relief: &Relief, face: u32, cell: (u32, u32), log2: u32, axis: &[f64], corners: [f64; 4]) -> CellDetail {
    let steps = 1usize << log2;
    let at = |c: u32, k: usize| axis[((c as usize) << FINEST_LOG2) + (k << (FINEST_LOG2 - log2))];
    let spacing_m = relief.ellipsoid().semi_major_m() * std::f64::consts::FRAC_PI_2
        / ((axis.len() - 1) >> (FINEST_LOG2 - log2)) as f64;
    let along = |c: u32| (0..=steps).map(|k| at(c, k)).collect();
    let sampled = relief.overview_patch(&Patch::new(face, along(cell.0), along(cell.1)), spacing_m);
    let mut deviation = 0f64;
    for (b, sampled) in sampled.chunks_exact(steps + 1).enumerate() {
        let t = b as f64 / steps as f64;
        let (left, right) = (corners[0] + (corners[2] - corners[0]) * t, corners[1] + (corners[3] - corners[1]) * t);
        for (a, h) in sampled.iter().enumerate() {
            deviation = deviation.max((h - (left + (right - left) * (a as f64 / steps as f64))).abs());
        }
    }
    CellDetail { cell, deviation_m: (MISSED * deviation) as f32 }
}

#[cfg(test)]
mod tests {
    use rand::Rng;

    use super::*;
    use crate::random::rng;

    /// Law: by blocks, the same cells are found for the same areas as one by one.
    #[test]
    fn cells_of_areas_are_found_by_blocks() {
        let mut rng = rng();
        let m = 128u32;
        let axis: Vec<f64> = (0..=m << FINEST_LOG2).map(|i| warp(i * ((ONE / m) >> FINEST_LOG2))).collect();
        for _ in 0..20 {
            let mut area = || {
                let mut any = || rng.random_range(-1.0..1.0);
                let middle = DVec3::new(any(), any(), any()).normalize();
                Area::new(
                    Some((middle, 10f64.powf(1.5 * any() - 1.5).cos())),
                    10f64.powf(2.0 * any() + 3.0),
                    80_000.0,
                    0.0125,
                )
            };
            let areas: Vec<Area> = (0..30).map(|_| area()).collect();
            for face in 0..FACES {
                let half = 1 << (FINEST_LOG2 - 1);
                let at = |c: u32| axis[((c << FINEST_LOG2) + half) as usize];
                let alone = (0..m).flat_map(|j| (0..m).map(move |i| (i, j))).filter_map(|(i, j)| {
                    let n = crate::height::relief::coarse_errors::normal_at(face, at(i), at(j));
                    Some((i, j, areas.iter().filter(|area| area.holds(n)).map(|area| area.log2).max()?))
                });
                let alone: std::collections::BTreeSet<_> = alone.collect();
                let found = wanted_cells(face, m, &axis, &areas);
                assert_eq!(found.len(), alone.len());
                assert!(found.into_iter().all(|cell| alone.contains(&cell)), "face {face}");
            }
        }
    }

    #[test]
    fn small_fine_layers_keep_their_samples_beside_large_ones() {
        assert_eq!(affordable([0, 0, 0, 0, 0, 100]), [0, 1, 2, 3, 4, 5]);
        // Six million cells of a global layer and a thousand of a fine one.
        assert_eq!(affordable([0, 0, 6_000_000, 0, 0, 1000]), [0, 1, 0, 3, 4, 5]);
        assert_eq!(affordable([0, 0, 0, 0, 0, 30_000]), [0, 1, 2, 3, 4, 4]);
        assert_eq!(affordable([0, u32::MAX.into(), 0, 0, 0, 0])[1], 0);
    }
}
