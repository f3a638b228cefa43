//! What are the heights of a whole grid, for a view of the whole Earth? Those of patches, as long as one layer answers on them.

use super::{super::patch::Patch, Relief};
use crate::height::elevation_source::Spacing;

/// Nodes along the sides of a patch that is not halved again where no layer answers on all of it.
const LEAST: usize = 16;

/// Part of a patch: its first column and row, and how many of each.
#[derive(Clone, Copy)]
struct Part {
    at: [usize; 2],
    size: [usize; 2],
}

impl Relief {
    /// Heights in metres at the nodes of a patch about `spacing_m` apart: [`Relief::overview_row`] for each row of them, to the
    /// rounding of longitude and latitude, at a fraction of its price.
    pub(crate) fn overview_patch(&self, patch: &Patch, spacing_m: f64) -> Vec<f64> {
        let mut heights_m = vec![0.0; patch.len()];
        let all = Part { at: [0, 0], size: [patch.columns(), patch.rows()] };
        self.overview_part(patch, all, spacing_m, &mut heights_m);
        heights_m
    }

    /// The patch may cross the seam of a raster, or the edge of a layer: its halves then have less of that.
    fn overview_part(&self, whole: &Patch, part: Part, spacing_m: f64, heights_m: &mut [f64]) {
        let Part { at, size } = part;
        let patch = whole.part(at, size);
        let places = patch.places();
        let patches = [(patch, places)];
        let found = self.on_patches(&patches, true).and_then(|mut found| found.pop());
        let [(patch, places)] = &patches;
        let found = match found {
            Some(found) => found,
            None if size[0].max(size[1]) <= LEAST => self.node_by_node(patch, places, Spacing::Whole(spacing_m)),
            None => {
                let half = size.map(|nodes| nodes.div_ceil(2));
                for [right, below] in [[0, 0], [1, 0], [0, 1], [1, 1]] {
                    let size = [[half[0], size[0] - half[0]][right], [half[1], size[1] - half[1]][below]];
                    if size[0] > 0 && size[1] > 0 {
                        let at = [at[0] + right * half[0], at[1] + below * half[1]];
                        self.overview_part(whole, Part { at, size }, spacing_m, heights_m);
                    }
                }
                return;
            }
        };
        let lines = heights_m.chunks_exact_mut(whole.columns()).skip(at[1]);
        for (line, found) in lines.zip(found.chunks_exact(size[0])) {
            line[at[0]..at[0] + size[0]].copy_from_slice(found);
        }
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
