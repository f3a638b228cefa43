//! What are the heights of a whole grid, for a view of the whole Earth? Those of patches, as long as one layer answers on them.

use super::{super::patch::Patch, Relief};
use crate::height::elevation_source::Spacing;

/// Nodes along the sides of the squares that are asked for together, at most and at least: a smaller one has its nodes asked one by
/// one where no layer answers on all of it.
const SIDES: [usize; 2] = [64, 16];

impl Relief {
    /// Heights in metres at the nodes of a patch about `spacing_m` apart: [`Relief::overview_row`] for each row of them, to the
    /// rounding of longitude and latitude, at a fraction of its price.
    pub(crate) fn overview_patch(&self, patch: &Patch, spacing_m: f64) -> Vec<f64> {
        self.overview_squares(patch, SIDES[0], spacing_m)
    }

    /// Heights in metres at the nodes of a patch about `spacing_m` apart, for means and slopes over more: averages, however coarse the budget
    /// makes them, where data in full would be read from very many files.
    pub(crate) fn mean_patch(&self, patch: &Patch, spacing_m: f64) -> Vec<f64> {
        self.node_by_node(patch, &patch.places(), Spacing::Whole(spacing_m))
    }

    /// Heights in metres of the data at the nodes of a patch, where one layer has all of them in memory.
    pub(crate) fn patch_in_memory(&self, patch: Patch) -> Option<Vec<f64>> {
        let places = patch.places();
        self.on_patches(&[(patch, places)], true)?.pop()
    }

    /// A square may cross the seam of a raster, or the edge of a layer: smaller ones in it have less of that.
    fn overview_squares(&self, whole: &Patch, side: usize, spacing_m: f64) -> Vec<f64> {
        let mut heights_m = vec![0.0; whole.len()];
        for square in whole.squares(side) {
            let patch = whole.part(&square);
            let places = patch.places();
            let patches = [(patch, places)];
            let [(patch, places)] = &patches;
            let found = match self.on_patches(&patches, true).and_then(|mut found| found.pop()) {
                Some(found) => found,
                None if side <= SIDES[1] => self.node_by_node(patch, places, Spacing::Whole(spacing_m)),
                None => self.overview_squares(patch, side / 2, spacing_m),
            };
            let [columns, rows] = square;
            let lines = heights_m.chunks_exact_mut(whole.columns()).skip(rows.start);
            for (line, found) in lines.zip(found.chunks_exact(columns.len())) {
                line[columns.clone()].copy_from_slice(found);
            }
        }
        heights_m
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::height::{GlobalGrid, Registration};
    use rand::Rng;

    /// Law: heights of a patch are those of its nodes one by one, to the rounding of their places, on every face, at the poles
    /// and where the raster begins.
    #[test]
    fn patches_have_the_heights_of_their_nodes() {
        let mut rng = crate::random::rng();
        let field = |_, _| rng.random_range(-9000.0..9000.0);
        let grid = std::cell::RefCell::new(field);
        let grid = GlobalGrid::from_fn(360, 181, Registration::Node, |lon, lat| (grid.borrow_mut())(lon, lat));
        let relief = Relief::from_grid(grid).expect("a sound grid");
        for face in 0..6 {
            let axis = |count: usize, first: f64| (0..count).map(|i| first + i as f64 * 0.0213).collect::<Vec<f64>>();
            let patch = Patch::new(face, axis(94, -1.002), axis(71, -0.497));
            let together = relief.overview_patch(&patch, 1e4);
            let normals: Vec<_> = (0..patch.len()).map(|node| patch.normal(node)).collect();
            let mut apart = vec![0.0; patch.len()];
            relief.overview_row(&normals, 1e4, &mut apart);
            for (node, (a, b)) in together.iter().zip(&apart).enumerate() {
                // 18 km of height between postings 111 km apart, or closer near the poles.
                assert!((a - b).abs() < 1e-6, "face {face}, node {node}: {a} {b}");
            }
        }
    }
}
