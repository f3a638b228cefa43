//! What are the heights at the nodes of a grid? Those of patches, as long as one layer answers on them; what nodes need alike is done once.

use std::ops::Range;

use glam::DVec3;

use super::{
    super::{
        elevation_source::{PatchHeights, Spacing},
        kernel::Interpolation,
        patch::{Patch, PatchCoordinates},
        synthetic::COARSE_M,
    },
    Relief,
    sample::TOGETHER,
};

/// Nodes along the sides of the squares that are asked for together, at most and at least.
const SQUARES: [usize; 2] = [64, 8];
const _: () = assert!(SQUARES[1] * SQUARES[1] <= TOGETHER);

/// Nodes along the side of the squares that a patch of so many a side is asked for by at first.
fn square(side: usize) -> usize {
    side.next_power_of_two().clamp(SQUARES[1], SQUARES[0])
}

impl Relief {
    /// Heights in metres at the nodes of patches that lie over each other, vertices of the bisection about `spacing_m` apart:
    /// [`Relief::sample_spaced`] for each, to the rounding of its longitude and latitude. What patches need alike is done once.
    pub(crate) fn sample_patches<const N: usize>(&self, patches: [(Patch, f64); N]) -> [Vec<f64>; N] {
        let spacings = patches.each_ref().map(|(_, spacing_m)| *spacing_m);
        let patches = patches.map(|(patch, _)| {
            let places = patch.places();
            (patch, places)
        });
        let finest = Spacing::Grid(spacings.iter().copied().fold(f64::INFINITY, f64::min));
        let found = self.patch_heights(&patches, finest);
        if let PatchHeights::All(heights_m) = found {
            let mut heights_m = heights_m.into_iter();
            return patches.map(|_| heights_m.next().unwrap_or_default());
        }
        if let PatchHeights::BySquare = found {
            return self.all_by_squares(&patches.map(|(patch, _)| patch), spacings);
        }
        std::array::from_fn(|k| {
            let (patch, places) = &patches[k];
            self.node_by_node(patch, places, Spacing::Grid(spacings[k]))
        })
    }

    /// Heights in metres at the nodes of patches that lie over each other, square by square: what is read for one patch there is in memory
    /// for the next.
    fn all_by_squares<const N: usize>(&self, patches: &[Patch; N], spacings: [f64; N]) -> [Vec<f64>; N] {
        // All of a patch was asked for together.
        let side = square(patches.iter().map(Patch::side).max().unwrap_or(0).next_power_of_two() / 2);
        let squares = patches.each_ref().map(|patch| patch.squares(side).collect::<Vec<_>>());
        let mut heights_m = patches.each_ref().map(|patch| vec![0.0; patch.len()]);
        for at in 0..squares.iter().map(Vec::len).max().unwrap_or(0) {
            for k in 0..N {
                if let Some(square) = squares[k].get(at) {
                    self.put_square(&patches[k], square, side, Spacing::Grid(spacings[k]), &mut heights_m[k]);
                }
            }
        }
        heights_m
    }

    /// Heights in metres at the nodes of patches, where one layer has all of them.
    fn patch_heights(&self, patches: &[(Patch, PatchCoordinates)], spacing: Spacing) -> PatchHeights {
        // What is done together is the cubic.
        if self.interpolation != Interpolation::Cubic {
            return PatchHeights::ByNode;
        }
        for (k, (layer, shift)) in self.layers.iter().zip(&self.shifts).enumerate() {
            let mut found = match layer.source.patch_heights(patches, spacing) {
                PatchHeights::Empty => continue,
                PatchHeights::All(heights_m) => heights_m,
                asked @ (PatchHeights::BySquare | PatchHeights::ByNode) => return asked,
            };
            for (heights_m, (patch, places)) in found.iter_mut().zip(patches) {
                if shift.is_some() || self.sea.is_some() {
                    for (node, h) in heights_m.iter_mut().enumerate() {
                        let (lon_deg, lat_deg) = places.at(node, patch.columns());
                        let shift_m = shift.as_ref().map_or(0.0, |shift| shift.at(lon_deg, lat_deg, spacing));
                        *h = self.ground_m(k, || patch.normal(node), (*h, shift_m));
                    }
                }
                let coarse = f64::from(u8::from(self.infos[k].posting_m > COARSE_M));
                self.finish(heights_m, |node| patch.place(places, node), |_| coarse, spacing);
            }
            return PatchHeights::All(found);
        }
        PatchHeights::ByNode
    }

    /// Heights in metres at the nodes of a patch: a square of at most `side` nodes a side may cross the seam of a raster, or the edge of a
    /// layer; smaller ones in it have less of that.
    fn by_squares(&self, whole: &Patch, side: usize, spacing: Spacing) -> Vec<f64> {
        let mut heights_m = vec![0.0; whole.len()];
        for square in whole.squares(side) {
            self.put_square(whole, &square, side, spacing, &mut heights_m);
        }
        heights_m
    }

    /// Puts the heights at the nodes of a square of a patch, columns and rows, among those of the patch.
    fn put_square(
        &self,
        whole: &Patch,
        square: &[Range<usize>; 2],
        side: usize,
        spacing: Spacing,
        heights_m: &mut [f64],
    ) {
        let patch = whole.part(square);
        let places = patch.places();
        let patches = [(patch, places)];
        let found = self.patch_heights(&patches, spacing);
        let [(patch, places)] = &patches;
        let found = match found {
            PatchHeights::All(mut found) => found.pop().unwrap_or_default(),
            PatchHeights::BySquare if side > SQUARES[1] => self.by_squares(patch, side / 2, spacing),
            _ => self.node_by_node(patch, places, spacing),
        };
        let [columns, rows] = square;
        let lines = heights_m.chunks_exact_mut(whole.columns()).skip(rows.start);
        for (line, found) in lines.zip(found.chunks_exact(columns.len())) {
            line[columns.clone()].copy_from_slice(found);
        }
    }

    /// Heights in metres at the nodes of a patch, each by itself.
    fn node_by_node(&self, patch: &Patch, places: &PatchCoordinates, spacing: Spacing) -> Vec<f64> {
        let mut heights_m = vec![0.0; patch.len()];
        // Those close to each other mostly lie in one file, which then is opened once.
        for [columns, rows] in patch.squares(SQUARES[1]) {
            let mut all = [(DVec3::ZERO, 0.0, 0.0); TOGETHER];
            let square = patch.all_places(places, [columns.clone(), rows.clone()]);
            all.iter_mut().zip(square).for_each(|(to, place)| *to = place);
            let mut found = [0.0; TOGETHER];
            let found = &mut found[..columns.len() * rows.len()];
            self.blend_all(|k| all[k], spacing, found);
            let lines = heights_m.chunks_exact_mut(patch.columns()).skip(rows.start);
            for (line, found) in lines.zip(found.chunks_exact(columns.len())) {
                line[columns.clone()].copy_from_slice(found);
            }
        }
        heights_m
    }

    /// Heights in metres at the nodes of a patch, each for a mean over about `spacing_m`.
    pub(crate) fn means_of_patch(&self, patch: &Patch, spacing_m: f64) -> Vec<f64> {
        self.by_squares(patch, square(patch.side()), Spacing::Overview(spacing_m))
    }

    /// Heights in metres at the nodes of a patch about `spacing_m` apart, for a view of the whole, or for means and slopes over more: a pack
    /// answers from coarser tiles, what is not in memory as a whole from averages.
    pub(crate) fn overview_patch(&self, patch: &Patch, spacing_m: f64) -> Vec<f64> {
        self.by_squares(patch, square(patch.side()), Spacing::Global(spacing_m))
    }
}

#[cfg(test)]
mod tests {
    use rand::Rng;

    use super::*;
    use crate::{
        height::{GlobalGrid, Registration},
        random::rng,
    };

    /// Law: heights of a patch are those of its nodes one by one, to the rounding of their places.
    fn check(relief: &Relief, patch: &Patch, spacing: Spacing, steepest: f64) {
        let apart = relief.node_by_node(patch, &patch.places(), spacing);
        let together = match spacing {
            Spacing::Global(spacing_m) => relief.overview_patch(patch, spacing_m),
            _ => {
                let [heights_m] = relief.sample_patches([(patch.clone(), spacing.metres())]);
                heights_m
            }
        };
        for (node, (a, b)) in together.iter().zip(&apart).enumerate() {
            // Places agree to some 10 nanometres.
            assert!((a - b).abs() < 1e-7 * steepest, "{spacing:?}, node {node}: {a} {b}");
        }
    }

    /// Nodes some steps of face coordinates apart, from a place on.
    fn patch_at(face: u32, [x, y]: [f64; 2], step: f64, [columns, rows]: [usize; 2]) -> Patch {
        let along = |count: usize, first: f64| (0..count).map(|k| first + k as f64 * step).collect();
        Patch::new(face, along(columns, x), along(rows, y))
    }

    /// On every face, at the poles and where the raster begins.
    #[test]
    fn patches_have_the_heights_of_their_nodes() {
        let mut rng = rng();
        let field = |_, _| rng.random_range(-9000.0..9000.0);
        let grid = std::cell::RefCell::new(field);
        let grid = GlobalGrid::from_fn(360, 181, Registration::Node, |lon, lat| (grid.borrow_mut())(lon, lat));
        let relief = Relief::from_grid(grid).expect("a sound grid");
        for face in 0..6 {
            // 18 km of height between postings 111 km apart, or closer near the poles.
            check(&relief, &patch_at(face, [-1.002, -0.497], 0.0213, [94, 71]), Spacing::Global(1e4), 10.0);
        }
    }

    /// Patches of face 0 about a place near the equator, from steps of less than a posting to many.
    #[cfg(feature = "gdal")]
    fn check_round(relief: &Relief, [lon_deg, lat_deg]: [f64; 2], posting_m: f64, rng: &mut rand::rngs::StdRng) {
        for _ in 0..15 {
            let step_m = posting_m * 10f64.powf(rng.random_range(-0.5..2.5));
            let (columns, rows) = (rng.random_range(1..90), rng.random_range(1..90));
            let first = |deg: f64, count: usize, rng: &mut rand::rngs::StdRng| {
                deg.to_radians().tan() - step_m / 6.4e6 * count as f64 * rng.random_range(0.0..1.0)
            };
            let at = [first(lon_deg, columns, rng), first(lat_deg, rows, rng)];
            let patch = patch_at(0, at, step_m / 6.4e6, [columns, rows]);
            for spacing in [Spacing::Grid(step_m), Spacing::Global(step_m)] {
                check(relief, &patch, spacing, 40.0);
            }
        }
    }

    /// Across files that overlap, abut and have voids, over their ends, in full, in parts and as overviews.
    #[cfg(feature = "gdal")]
    #[test]
    fn patches_of_files_have_the_heights_of_their_nodes() {
        use super::super::test_terrain::{open, rough_folder, rough_terrain};
        use crate::height::OpenOptions;

        let mut rng = rng();
        let folder = rough_folder(&mut rng, [[7.0, 4.0], [7.1, 4.0], [7.0, 3.92], [7.1, 3.9]], 1e-3, 100);
        for bytes in [1 << 28, 200_000] {
            let relief = open(&[folder.path().to_owned()], OpenOptions::default().with_layer_bytes(bytes));
            check_round(&relief, [7.1, 3.9], 111.0, &mut rng);
        }
        // Files of other lattices: finer ones over a coarse one, and one beside it.
        let others = tempfile::tempdir().unwrap();
        let file = |name: &str| others.path().join(name);
        rough_terrain(&file("a.tif"), &mut rng, 4326, [7.0, 4.0], [1e-3, -1e-3], (100, 100));
        rough_terrain(&file("b.tif"), &mut rng, 4326, [7.05, 3.95], [2e-4, -2e-4], (300, 300));
        rough_terrain(&file("c.tif"), &mut rng, 4326, [7.1003, 4.0], [1e-3, -1e-3], (100, 100));
        for bytes in [1 << 28, 200_000] {
            let relief = open(&[others.path().to_owned()], OpenOptions::default().with_layer_bytes(bytes));
            check_round(&relief, [7.1, 3.95], 111.0, &mut rng);
            check_round(&relief, [7.05, 3.95], 22.0, &mut rng);
        }
        let parts = rough_folder(&mut rng, [[7.0, 4.0], [7.12, 4.0], [7.0, 3.88], [7.12, 3.876]], 4e-4, 300);
        // Of 128 columns and rows.
        let relief = open(&[parts.path().to_owned()], OpenOptions::default().with_layer_bytes(2_000_000));
        check_round(&relief, [7.12, 3.878], 44.0, &mut rng);
        let file =
            rough_terrain(&folder.path().join("large.tif"), &mut rng, 4326, [7.0, 4.0], [4e-4, -4e-4], (3_000, 600));
        let relief = open(&[file], OpenOptions::default().with_layer_bytes(8_900_000));
        check_round(&relief, [7.4, 3.9], 44.0, &mut rng);
    }

    /// Law: heights at vertices of the coarse lattice are those of the files, whether a file was read in parts for them or as means before,
    /// and then need the file no more where no void is near.
    #[cfg(feature = "gdal")]
    #[test]
    fn coarse_vertices_are_read_with_means() {
        use super::super::test_terrain::{open, rough_folder};
        use crate::{bisection::LATTICE_LEVEL, cube::ONE, cube::warp, height::OpenOptions};

        let mut rng = rng();
        let folder = rough_folder(&mut rng, [[7.0, 4.0], [7.36, 4.0], [7.0, 3.64], [7.36, 3.64]], 4e-4, 900);
        let files = [folder.path().to_owned()];
        // The vertices in and around the files.
        let unit = ONE >> LATTICE_LEVEL;
        let along = |from_deg: f64, to_deg: f64| -> Vec<f64> {
            let all = (0..=1u32 << LATTICE_LEVEL).map(|i| warp(i * unit));
            all.filter(|x| (from_deg.to_radians().tan()..to_deg.to_radians().tan()).contains(x)).collect()
        };
        let patch = Patch::new(0, along(6.9, 7.8), along(3.2, 4.1));
        let spacing_m = 9_784.0;
        let heights_m = |relief: &Relief| {
            let [heights_m] = relief.sample_patches([(patch.clone(), spacing_m)]);
            heights_m
        };
        let expected = heights_m(&open(&files, OpenOptions::default()));
        let relief = open(&files, OpenOptions::default());
        relief.overview_patch(&patch, spacing_m);
        for entry in std::fs::read_dir(folder.path()).unwrap() {
            std::fs::remove_file(entry.unwrap().path()).unwrap();
        }
        let found = heights_m(&relief);
        let kept = expected.iter().zip(&found).filter(|(a, b)| (*a - *b).abs() < 1e-9).count();
        let below = heights_m(&open(&[], OpenOptions::default()));
        let in_files = expected.iter().zip(&below).filter(|(a, b)| a != b).count();
        assert!(in_files > 40 && kept > expected.len() - in_files + in_files / 4, "{kept} of {in_files}");
        // Where a file would be read, it is missed.
        for ((found, expected), below) in found.iter().zip(&expected).zip(&below) {
            assert!((found - expected).abs() < 1e-9 || (found - below).abs() < 1e-9, "{found}: {expected} or {below}");
        }
    }
}
