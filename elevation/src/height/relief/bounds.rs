//! Between which heights is the ground in a region?

use super::Relief;
use crate::height::{region::Region, synthetic::COARSE_M};

/// Metres by which bounds are widened for rounding.
const ROUNDING_M: f64 = 1e-6;

impl Relief {
    /// Lowest and highest height in metres that [`Relief::sample`] may answer in a region: proven bounds, closer the smaller
    /// the region.
    ///
    /// ```
    /// use elevation::height::{GlobalGrid, Location, Region, Registration, Relief};
    /// let hills = GlobalGrid::from_fn(360, 181, Registration::Node, |lon_deg, _| 900.0 * lon_deg.to_radians().sin());
    /// let relief = Relief::from_grid(hills)?;
    /// let place = Location::at(46.0, 8.0).normal;
    /// let (low_m, high_m) = relief.bounds_m(&Region::cap(place, 0.05));
    /// assert!(low_m <= relief.sample(place).height_m && relief.sample(place).height_m <= high_m);
    /// # Ok::<(), elevation::height::HeightError>(())
    /// ```
    pub fn bounds_m(&self, region: &Region) -> (f64, f64) {
        let (mut ground_m, coarse) = self.bounds_from(0, &Region { interpolation: self.interpolation, ..*region });
        if let Some(synthetic) = &self.synthetic
            && coarse.1 > 0.0
        {
            let (low_m, high_m) = synthetic.bounds_m(region, ground_m);
            ground_m.0 += low_m * if low_m < 0.0 { coarse.1 } else { coarse.0 };
            ground_m.1 += high_m * if high_m < 0.0 { coarse.0 } else { coarse.1 };
        }
        (ground_m.0 * self.exaggeration - ROUNDING_M, ground_m.1 * self.exaggeration + ROUNDING_M)
    }

    /// Bounds of the layers from the given one on, and of the share that coarse ones have among them.
    fn bounds_from(&self, layer: usize, region: &Region) -> ((f64, f64), (f64, f64)) {
        let Some(candidate) = self.layers.get(layer) else { return ((0.0, 0.0), (0.0, 0.0)) };
        let Some(bounds) = candidate.source.bounds(region) else { return self.bounds_from(layer + 1, region) };
        let mut bounds = self.ground_bounds(layer, region, bounds);
        if bounds.least < 1.0 && self.as_fine_below(layer).next().is_some() {
            // It gives way to those.
            bounds.least = 0.0;
        }
        let own = f64::from(u8::from(self.infos[layer].posting_m > COARSE_M));
        // A layer that answers alone hides those below.
        if bounds.least >= 1.0 {
            return ((bounds.low_m, bounds.high_m), (own, own));
        }
        let (below_m, below) = self.bounds_from(layer + 1, region);
        let mixed = |weight: f64, below: f64| own * weight + below * (1.0 - weight);
        let ends = [
            mixed(bounds.least, below.0),
            mixed(bounds.most, below.0),
            mixed(bounds.least, below.1),
            mixed(bounds.most, below.1),
        ];
        let coarse = ends.into_iter().fold((1.0f64, 0.0f64), |(low, high), x| (low.min(x), high.max(x)));
        (bounds.over(below_m), coarse)
    }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::{PI, TAU};

    use glam::DVec3;
    use rand::{Rng, rngs::StdRng};

    use super::*;
    use crate::{
        geodesy::{Ellipsoid, n_vector},
        height::{GlobalGrid, Registration},
        random::rng,
        water::Water,
    };

    /// Regions that a relief is tried with. Other ones with every seed.
    const ROUNDS: usize = 600;

    /// A normal at an angle from another.
    fn aside(n: DVec3, angle_rad: f64, rng: &mut StdRng) -> DVec3 {
        let (a, b) = n.any_orthonormal_pair();
        let (sin, cos) = rng.random_range(0.0..TAU).sin_cos();
        (n * angle_rad.cos() + (a * cos + b * sin) * angle_rad.sin()).normalize()
    }

    /// Law: no height of a region is outside of its bounds, from centimetres to half the Earth; and those of a region of
    /// centimetres are within what a slope of `steepest`, overestimated twentyfold, allows.
    fn check(relief: &Relief, places: &[(f64, f64)], spread_rad: f64, steepest: f64) {
        let mut rng = rng();
        let mut uneven = 0;
        for round in 0..ROUNDS {
            let (lat_deg, lon_deg) = places[round % places.len()];
            let place = n_vector(lat_deg.to_radians(), lon_deg.to_radians());
            let n = aside(place, spread_rad * rng.random::<f64>(), &mut rng);
            let radius_rad = (PI * 10f64.powf(rng.random_range(-9.0..0.0))).min(PI);
            let (low_m, high_m) = relief.bounds_m(&Region::cap(n, radius_rad));
            for k in 0..12 {
                // Up to the rim, on it, and in the middle.
                let angle_rad = radius_rad * if k % 3 == 0 { 1.0 } else { rng.random::<f64>() };
                let height_m = relief.sample(aside(n, angle_rad, &mut rng)).height_m;
                assert!(
                    (low_m..=high_m).contains(&height_m),
                    "{height_m} m is not in {low_m} ..= {high_m} m, {radius_rad} rad round {n}"
                );
            }
            let small = relief.bounds_m(&Region::cap(n, 1e-9));
            let width_m = small.1 - small.0;
            uneven += usize::from(width_m > 1e-5);
            assert!(
                width_m <= 20.0 * steepest * 1e-9 * Ellipsoid::WGS84.semi_major_m() + 1e-5,
                "{width_m} m in a cap of millimetres at {n}"
            );
        }
        assert!(uneven > ROUNDS / 20, "all is flat");
    }

    #[test]
    fn of_grids_with_poles_on_rows_and_between_them() {
        for registration in [Registration::Node, Registration::Cell] {
            let mut rng = rng();
            let mut grid = GlobalGrid::from_fn(720, 361, registration, |_, _| 0.0);
            grid.heights_m.iter_mut().for_each(|h| *h = rng.random_range(-8_000.0..8_000.0));
            let relief = Relief::from_grid(grid).unwrap();
            check(&relief, &[(10.0, 20.0), (-50.0, 180.0)], 0.3, 4.0);
            // At the poles cells are narrow. With a row on it, heights meet over all of that row; between rows, over the last
            // sixteenth of one, where cells are 30 m wide.
            let steepest = if registration == Registration::Node { 100.0 } else { 1_000.0 };
            check(&relief, &[(90.0, 0.0), (-90.0, 0.0), (89.9, 179.0)], 0.02, steepest);
            check(&relief.exaggerated(3.0), &[(10.0, 20.0), (-50.0, 180.0)], 0.3, 12.0);
        }
    }

    /// Hills between -500 and 2000 m, rugged and level.
    fn hills() -> Relief {
        let grid = GlobalGrid::from_fn(1440, 721, Registration::Node, |lon, lat| {
            let rough = (700.0 * (1.3 * lon).sin() * (1.7 * lat).cos()).abs();
            600.0 * (0.1 * lon).to_radians().cos() + rough * (lon.to_radians() * 0.5).sin() - 300.0
        });
        Relief::from_grid(grid).unwrap()
    }

    /// Bounds of what is made up are wide: twentyfold of 20 in 1.
    #[test]
    fn of_made_up_relief() {
        let relief = hills().with_synthetic_detail(Water::earth());
        let places = [(10.0, 20.0), (47.0, -120.0), (61.5, 28.0), (46.0, 8.6), (-50.0, 180.0)];
        check(&relief, &places, 0.1, 20.0);
        check(&relief.exaggerated(2.0), &[(10.0, 20.0), (89.9, 179.0)], 0.02, 40.0);
    }

    /// Law: no step between places a metre apart is higher than 8 m, across the cells of all octaves.
    #[test]
    fn made_up_relief_has_no_steps() {
        let relief = hills().with_synthetic_detail(Water::earth());
        let mut rng = rng();
        for _ in 0..200 {
            let n = n_vector(rng.random_range(-1.5..1.5), rng.random_range(-PI..PI));
            let to = aside(n, 2_000.0 / Ellipsoid::WGS84.semi_major_m(), &mut rng);
            let heights_m: Vec<f64> =
                (0..=2_000).map(|k| relief.sample(n.lerp(to, f64::from(k) / 2_000.0).normalize()).height_m).collect();
            for two in heights_m.windows(2) {
                assert!((two[1] - two[0]).abs() < 8.0, "{two:?} beside {n}");
            }
        }
    }

    #[cfg(feature = "gdal")]
    mod of_files {
        use super::{
            super::super::test_terrain::{open, rough_folder, rough_terrain},
            *,
        };
        use crate::{
            bake::{Bake, BakeOptions},
            height::{OpenOptions, VerticalDatum},
        };

        #[test]
        fn in_other_systems_above_other_data_and_datums() {
            let (folder, mut rng) = (tempfile::tempdir().unwrap(), rng());
            // 30 m round Chamonix, in UTM, amid the embedded relief.
            let file = rough_terrain(
                &folder.path().join("a.tif"),
                &mut rng,
                32632,
                [330_000.0, 5_090_000.0],
                [30.0, -30.0],
                (400, 300),
            );
            check(&open(std::slice::from_ref(&file), OpenOptions::default()), &[(45.88, 6.87)], 2e-3, 40.0);
            let vertical = Some(VerticalDatum::Ellipsoid);
            check(&open(&[file], OpenOptions::default().with_vertical(vertical)), &[(45.88, 6.87)], 2e-3, 40.0);
            // Polar stereographic, across the pole.
            let file = rough_terrain(
                &folder.path().join("b.tif"),
                &mut rng,
                3413,
                [-9_000.0, 9_000.0],
                [90.0, -90.0],
                (200, 200),
            );
            // Where a void shows the relief below, its cells are narrow.
            check(&open(&[file], OpenOptions::default()), &[(90.0, 0.0)], 3e-3, 1_000.0);
        }

        #[test]
        fn in_windows_and_across_the_antimeridian() {
            let (folder, mut rng) = (tempfile::tempdir().unwrap(), rng());
            let file =
                rough_terrain(&folder.path().join("a.tif"), &mut rng, 4326, [179.5, 10.4], [4e-4, -4e-4], (3_000, 600));
            // Two of the windows fit: where they meet, where they cross 180 degrees, and a corner of the raster.
            let options = OpenOptions::default().with_layer_bytes(8_900_000);
            check(&open(&[file], options), &[(10.3, 179.91), (10.3, -179.99), (10.4, 179.5)], 1e-3, 40.0);
        }

        #[test]
        fn of_many_files() {
            // The third overlaps the first by twenty rows.
            let folder = rough_folder(&mut rng(), [[7.0, 46.0], [7.1, 46.0], [7.0, 45.92], [7.1, 45.9]], 1e-3, 100);
            let relief = open(&[folder.path().to_owned()], OpenOptions::default());
            check(&relief, &[(45.9, 7.1)], 3e-3, 100.0);
            // West of all, within metres of the row beyond which the third answers alone. Across it bounds are wide, as the first
            // may answer or not.
            check(&relief, &[(45.8995, 6.992), (45.8995, 6.997)], 3e-7, f64::INFINITY);
        }

        #[test]
        fn of_files_of_two_postings() {
            let (folder, mut rng) = (tempfile::tempdir().unwrap(), rng());
            // They fade out over different numbers of texels.
            let file = |name: &str| folder.path().join(name);
            rough_terrain(&file("coarse.tif"), &mut rng, 4326, [7.0, 46.0], [1e-3, -1e-3], (100, 100));
            rough_terrain(&file("fine.tif"), &mut rng, 4326, [7.101, 46.0], [2e-4, -2e-4], (300, 300));
            let relief = open(&[folder.path().to_owned()], OpenOptions::default());
            // Beyond the south of both, and where they meet.
            check(&relief, &[(45.9, 7.1), (45.94, 7.1), (45.92, 7.12)], 2e-4, 400.0);
        }

        #[test]
        fn of_files_over_each_other() {
            let (folder, mut rng) = (tempfile::tempdir().unwrap(), rng());
            let file = |name: &str| folder.path().join(name);
            rough_terrain(&file("coarse.tif"), &mut rng, 4326, [7.0, 46.0], [1e-3, -1e-3], (150, 150));
            rough_terrain(&file("fine.tif"), &mut rng, 4326, [7.05, 45.95], [2e-4, -2e-4], (200, 200));
            rough_terrain(&file("zone.tif"), &mut rng, 32632, [350_000.0, 5_085_000.0], [60.0, -60.0], (150, 100));
            let relief = open(&[folder.path().to_owned()], OpenOptions::default());
            // Corners of the fine one, the rim of the coarse one, and of the one of another system.
            let places = [(45.95, 7.05), (45.91, 7.09), (45.9, 7.15), (45.895, 7.07)];
            check(&relief, &places, 2e-4, 400.0);
        }

        #[test]
        fn of_files_that_lie_in_each_other() {
            let (folder, mut rng) = (tempfile::tempdir().unwrap(), rng());
            for k in 0..6 {
                let (posting, inset) = (2e-3 * 0.7f64.powi(k), 0.01 * f64::from(k));
                let file = folder.path().join(format!("{k}.tif"));
                let side = ((0.16 - 2.0 * inset) / posting) as usize;
                rough_terrain(&file, &mut rng, 4326, [7.0 + inset, 46.0 - inset], [posting, -posting], (side, side));
            }
            let relief = open(&[folder.path().to_owned()], OpenOptions::default());
            // The middle, corners of the finest and of others, and the rim of the coarsest.
            check(&relief, &[(45.92, 7.08), (45.95, 7.05), (45.97, 7.03), (45.84, 7.08)], 2e-4, 400.0);
        }

        #[test]
        fn of_many_files_in_parts() {
            // The third overlaps the first by 20 rows.
            let corners = [[7.0, 46.0], [7.124, 46.0], [7.0, 45.88], [7.124, 45.876]];
            let folder = rough_folder(&mut rng(), corners, 2e-4, 620);
            // Parts of 128 texels, of which some ten fit.
            let options = OpenOptions::default().with_layer_bytes(5_900_000);
            // Where all meet, and where parts of the first do.
            check(&open(&[folder.path().to_owned()], options), &[(45.876, 7.124), (45.9744, 7.0512)], 3e-4, 80.0);
        }

        #[test]
        fn of_packs() {
            let (folder, mut rng) = (tempfile::tempdir().unwrap(), rng());
            let files =
                [rough_terrain(&folder.path().join("a.tif"), &mut rng, 4326, [7.0, 46.0], [4e-3, -4e-3], (60, 60))];
            let pack = folder.path().join("a.pack");
            let bake = Bake::new(&files, &OpenOptions::default(), &BakeOptions::default()).unwrap();
            bake.run(&pack, false, &mut |_| {}).unwrap();
            let relief = open(&[pack], OpenOptions::default());
            check(&relief, &[(45.88, 7.12)], 6e-3, 4.0);
            // All over the Earth, edges and corners of the cube with it.
            check(&relief, &[(35.26, 45.0), (0.0, 45.0), (90.0, 0.0), (20.0, -120.0)], 0.2, 4.0);
        }
    }
}
