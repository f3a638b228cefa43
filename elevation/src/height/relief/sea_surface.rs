//! What is the ground where there is sea? Its surface, for light that does not reach the floor.

use std::sync::Arc;

use glam::DVec3;

use super::{super::datum_name::ELLIPSOID, Relief};
use crate::{
    cube::face_of,
    geodesy::{Ellipsoid, Overlap},
    height::region::{HeightBounds, Region},
    water::{FARTHEST_RAD, Water},
};

/// Outlines are right to a kilometre: ground so near to their sea that lies below it is its floor, metres.
const NEAR_SEA_M: f64 = 1_200.0;
/// Farther inland ground is below the sea by no more than this part of the way: coarse data have a coast elsewhere, and no wall is to stand
/// where they go on under it. Depressions that there are lie far behind, or are not so deep.
const STEEPEST: f64 = 0.02;
/// Of the way to the sea that is looked for, as an angle. No land is so deep as it may be there.
const FARTHEST_SEA_RAD: f64 = 0.016;
/// Ways to the sea on both sides of an edge of the cube differ by less, metres.
const EDGE_M: f64 = 2.0;

/// The sea, as high as each layer has it.
#[derive(Clone, Debug)]
pub(super) struct SeaSurface {
    water: Arc<Water>,
    levels: Vec<SeaLevel>,
}

/// Where the sea is in the heights of a layer.
#[derive(Clone, Copy, Debug)]
enum SeaLevel {
    /// At 0 m of its own datum.
    OfData,
    /// At 0 m of the datum that its heights are brought to.
    OfTarget,
    /// Heights are above an ellipsoid: it is where the data have it.
    Unknown,
}

impl Relief {
    /// The same layers, with the surface of the sea for the ground where there is sea: at 0 m, wherever data are lower. For what sees and is seen:
    /// lines of sight end there, and do not go on to the floor. As outlines are right to a kilometre, ground below 0 m within 1 200 m of their
    /// sea is its floor, too; farther inland it is no lower than 20 m for each kilometre. Heights above an ellipsoid stay as they are: the sea is
    /// not at 0 m of it.
    ///
    /// ```
    /// use elevation::{height::{GlobalGrid, Location, Registration, Relief}, water::Water};
    /// let deep = Relief::from_grid(GlobalGrid::from_fn(360, 181, Registration::Node, |_, _| -50.0))?;
    /// let relief = deep.with_sea_surface(Water::earth());
    /// let [black_sea, death_valley] = [(43.0, 34.0), (36.25, -116.83)].map(|(lat, lon)| Location::at(lat, lon).normal);
    /// assert_eq!([black_sea, death_valley].map(|n| relief.sample(n).height_m), [0.0, -50.0]);
    /// assert_eq!(deep.sample(black_sea).height_m, -50.0);
    /// # Ok::<(), elevation::height::HeightError>(())
    /// ```
    #[must_use]
    pub fn with_sea_surface(&self, water: &Arc<Water>) -> Self {
        let is_level = |datum: &str| !datum.contains(ELLIPSOID);
        let levels = self.layers.iter().zip(&self.infos).map(|(layer, info)| match is_level(&layer.info.datum) {
            true => SeaLevel::OfData,
            false if is_level(&info.datum) => SeaLevel::OfTarget,
            false => SeaLevel::Unknown,
        });
        let sea = SeaSurface { water: water.clone(), levels: levels.collect() };
        Self { sea: Some(Arc::new(sea)), ..self.shared() }
    }

    /// Outlines of the sea and of lakes, if the sea has a [surface](Self::with_sea_surface).
    pub fn water_outlines(&self) -> Option<&Water> {
        self.sea.as_ref().map(|sea| &*sea.water)
    }

    /// The same with the sea of another relief, where that has one.
    pub(super) fn with_sea_of(self, other: &Self) -> Self {
        match &other.sea {
            Some(sea) => self.with_sea_surface(&sea.water),
            None => self,
        }
    }

    /// The ground of a height of a layer, and of what brings it to the datum that was asked for.
    #[inline]
    pub(super) fn ground_m(&self, layer: usize, n: impl FnOnce() -> DVec3, (height_m, shift_m): (f64, f64)) -> f64 {
        let Some(sea) = &self.sea else { return height_m + shift_m };
        let raised = |height_m: f64| if height_m < 0.0 { sea.raised_m(n(), height_m) } else { height_m };
        match sea.levels[layer] {
            SeaLevel::OfData => raised(height_m) + shift_m,
            SeaLevel::OfTarget => raised(height_m + shift_m),
            SeaLevel::Unknown => height_m + shift_m,
        }
    }

    /// The highest that the sea of a layer may be whose highest ground is given.
    pub(super) fn highest_sea_m(&self, layer: usize, highest_m: f64) -> f64 {
        match self.sea.as_ref().map(|sea| sea.levels[layer]) {
            // Where a shift lifts the highest ground the most, it lifts the sea as much.
            Some(SeaLevel::OfData) => highest_m - self.layers[layer].info.range_m.1.min(0.0),
            Some(SeaLevel::OfTarget) => 0.0,
            None | Some(SeaLevel::Unknown) => f64::NEG_INFINITY,
        }
    }

    /// Bounds of that in a region.
    pub(super) fn ground_bounds(&self, layer: usize, region: &Region, bounds: HeightBounds) -> HeightBounds {
        let shifted = |bounds: HeightBounds| match &self.shifts[layer] {
            Some(shift) => {
                let (low_m, high_m) = shift.bounds(region);
                HeightBounds { low_m: bounds.low_m + low_m, high_m: bounds.high_m + high_m, ..bounds }
            }
            None => bounds,
        };
        let Some(sea) = &self.sea else { return shifted(bounds) };
        match sea.levels[layer] {
            SeaLevel::OfData => shifted(sea.raised_bounds(region, bounds)),
            SeaLevel::OfTarget => sea.raised_bounds(region, shifted(bounds)),
            SeaLevel::Unknown => shifted(bounds),
        }
    }
}

/// The lowest that ground may be so far from the sea.
fn lowest_m(away_m: f64) -> f64 {
    -STEEPEST * (away_m - NEAR_SEA_M).max(0.0)
}

/// From how far the sea lifts ground of a height below it, as an angle.
fn reach_rad(height_m: f64) -> f64 {
    ((NEAR_SEA_M - height_m / STEEPEST) / radius_m()).min(FARTHEST_SEA_RAD)
}

fn radius_m() -> f64 {
    Ellipsoid::WGS84.mean_radius_m()
}

impl SeaSurface {
    /// Ground below the sea, or what is above it.
    fn raised_m(&self, n: DVec3, height_m: f64) -> f64 {
        let away_rad = self.water.sea_away_rad(n, reach_rad(height_m));
        away_rad.map_or(height_m, |away_rad| height_m.max(lowest_m(away_rad * radius_m())))
    }

    fn raised_bounds(&self, region: &Region, bounds: HeightBounds) -> HeightBounds {
        if bounds.low_m >= 0.0 {
            return bounds;
        }
        let (n, radius_rad) = (region.n, region.radius_rad);
        let reach_rad = reach_rad(bounds.low_m) + radius_rad;
        let above = |low_m: f64, high_m: f64| HeightBounds {
            low_m: bounds.low_m.max(low_m),
            high_m: bounds.high_m.max(high_m),
            ..bounds
        };
        if reach_rad > FARTHEST_RAD {
            return match self.water.sea_within(n, reach_rad) {
                Overlap::None => bounds,
                Overlap::Some => above(f64::NEG_INFINITY, 0.0),
                Overlap::All => above(0.0, 0.0),
            };
        }
        if self.water.sea_within(n, radius_rad) == Overlap::All {
            return above(0.0, 0.0);
        }
        let Some(away_rad) = self.water.sea_away_rad(n, reach_rad) else { return bounds };
        // The way to the sea is no more longer or shorter elsewhere than elsewhere is away.
        let (_, s, t) = face_of(n);
        let is_at_edge = s.abs().max(t.abs()) + 2.0 * radius_rad > 1.0;
        let off_m = if is_at_edge { EDGE_M } else { 0.0 };
        let [near_m, far_m] = [away_rad - radius_rad, away_rad + radius_rad].map(|rad| rad * radius_m());
        let low_m = if away_rad + radius_rad < FARTHEST_SEA_RAD { lowest_m(far_m + off_m) } else { f64::NEG_INFINITY };
        above(low_m, lowest_m(near_m - off_m))
    }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::{PI, TAU};

    use rand::{Rng, rngs::StdRng};

    use super::*;
    use crate::{
        geodesy::n_vector,
        height::{GlobalGrid, LayerInfo, Patch, Registration, elevation_source::Spacing},
        random::rng,
        water::Cover,
    };

    /// Rough ground about sea level.
    fn rough(rng: &mut StdRng) -> Relief {
        let mut grid = GlobalGrid::from_fn(1440, 721, Registration::Node, |_, _| 0.0);
        grid.heights_m.iter_mut().for_each(|height_m| *height_m = rng.random_range(-300.0..200.0));
        Relief::from_grid(grid).unwrap()
    }

    /// Places all over the Earth, and around one of them more and more closely.
    fn places(rng: &mut StdRng) -> (DVec3, f64, Vec<DVec3>) {
        let middle = n_vector(rng.random_range(-1.0..1.0f64).asin(), rng.random_range(-PI..PI));
        let radius_rad = 10f64.powf(rng.random_range(-7.0..0.0));
        let (a, b) = middle.any_orthonormal_pair();
        let around = (0..24).map(|_| {
            let (angle_rad, (sin, cos)) = (radius_rad * rng.random::<f64>(), rng.random_range(0.0..TAU).sin_cos());
            (middle * angle_rad.cos() + (a * cos + b * sin) * angle_rad.sin()).normalize()
        });
        (middle, radius_rad, around.collect())
    }

    /// A place some metres from another.
    fn aside(n: DVec3, away_m: f64, rng: &mut StdRng) -> DVec3 {
        let ((a, b), (sin, cos)) = (n.any_orthonormal_pair(), rng.random_range(0.0..TAU).sin_cos());
        (n + (a * cos + b * sin) * (away_m / radius_m())).normalize()
    }

    /// Whether there is sea at a place or around it, within a part of what counts as near.
    fn is_sea_around(water: &Water, n: DVec3, part: f64) -> bool {
        let (a, b) = n.any_orthonormal_pair();
        let circles =
            (0..=6).flat_map(|circle| (0..24).map(move |k| (f64::from(circle) / 6.0, TAU * f64::from(k) / 24.0)));
        let mut around = circles.map(|(out, angle)| {
            let aside = (a * angle.cos() + b * angle.sin()) * (out * part * NEAR_SEA_M / radius_m());
            (n + aside).normalize()
        });
        around.any(|n| water.at(n) == Cover::Sea)
    }

    /// Law: the ground is that of the data, or the sea's surface where that is higher and sea is near; one by one, in rows and in patches,
    /// within bounds; and bounds of sea are those of its surface.
    #[test]
    fn the_sea_covers_its_floor() {
        let mut rng = rng();
        let water = Water::earth();
        let low = Relief::from_grid(GlobalGrid::from_fn(72, 37, Registration::Node, |_, _| -28.0)).unwrap();
        let low = low.with_sea_surface(water);
        let even = Relief::from_grid(GlobalGrid::from_fn(72, 37, Registration::Node, |_, _| -500.0)).unwrap();
        let even = even.with_sea_surface(water);
        let data = rough(&mut rng);
        let relief = data.with_sea_surface(water);
        let (mut kinds, mut raised) = ([0; 3], 0);
        for _ in 0..20_000 {
            let (middle, radius_rad, places) = places(&mut rng);
            let (low_m, high_m) = relief.bounds_m(&Region::cap(middle, radius_rad));
            let mut row = vec![0.0; places.len()];
            relief.sample_row(&places, &mut row);
            for (&n, of_row) in places.iter().zip(row) {
                let floor_m = data.sample(n).height_m;
                let is_sea = water.at(n) == Cover::Sea;
                let found_m = relief.sample(n).height_m;
                assert_eq!(found_m, of_row);
                assert!(floor_m <= found_m && found_m <= floor_m.max(0.0), "{found_m} m over {floor_m} m");
                if is_sea || (floor_m < 0.0 && is_sea_around(water, n, 0.99)) {
                    assert_eq!(found_m, floor_m.max(0.0), "beside the sea");
                }
                raised += usize::from(!is_sea && found_m > floor_m);
                // No wall stands where the sea is no more as near.
                let beside = aside(n, 10.0, &mut rng);
                let (here_m, there_m) = (even.sample(n).height_m, even.sample(beside).height_m);
                assert!((here_m - there_m).abs() < 10.1 * STEEPEST, "{here_m} and {there_m} m");
                assert!((low_m..=high_m).contains(&found_m), "{found_m} m is not in {low_m} ..= {high_m} m");
                kinds[usize::from(is_sea) + usize::from(is_sea && floor_m < 0.0)] += 1;
            }
        }
        assert!(kinds.iter().all(|count| *count > 10_000), "{kinds:?}");
        assert!(raised > 1_000, "{raised}");
        // Across the shore of the Caspian, in a lake and on land, a depression, Chukotka on 180 degrees, and the middle of Antarctica on it.
        let caspian = (0..500).map(|k| (42.5, 47.0 + 0.005 * f64::from(k)));
        let elsewhere = [(31.5, 35.47), (36.25, -116.83), (67.5, 180.0), (-85.0, 180.0), (-90.0, 0.0)];
        for (lat_deg, lon_deg) in caspian.chain(elsewhere) {
            let dry = n_vector(f64::to_radians(lat_deg), f64::to_radians(lon_deg));
            let around = Region::cap(dry, 1e-7);
            assert!(low.sample(dry).height_m == -28.0 && low.bounds_m(&around).1 < -27.9, "{lat_deg}, {lon_deg}");
        }
        assert_eq!((low.range_m(), data.range_m()), ((-28.0, 0.0), relief.range_m()));
        // Of the deep sea bounds are as close as its surface is level.
        let deep = Relief::from_grid(GlobalGrid::from_fn(72, 37, Registration::Node, |_, _| -4_000.0)).unwrap();
        let (low_m, high_m) = deep.with_sea_surface(water).bounds_m(&Region::cap(n_vector(0.0, -2.4), 0.05));
        assert!(low_m > -1e-3 && high_m < 1e-3, "{low_m} ..= {high_m} m");

        // Half in the Adriatic, half in Italy.
        let along = |from_deg: f64| (0..90).map(move |k| (from_deg + 0.05 * f64::from(k)).to_radians().tan()).collect();
        let patch = Patch::new(0, along(11.0), along(41.0));
        let coordinates = patch.places();
        let heights_m = relief.sample_patches([(patch.clone(), 5_000.0)]);
        for (node, height_m) in heights_m[0].iter().enumerate() {
            let expected_m = relief.sample(patch.place(&coordinates, node).0).height_m;
            assert!((height_m - expected_m).abs() < 1e-6, "{height_m} for {expected_m} m");
        }
    }

    /// Law: above an ellipsoid the sea is where data have it; layers below another keep theirs.
    #[test]
    fn heights_above_an_ellipsoid_are_left_as_they_are() {
        use crate::height::{Elevation, ElevationSource, Location};

        #[derive(Debug)]
        struct Even(f64);
        impl ElevationSource for Even {
            fn sample(&self, at: &Location, _: Spacing) -> Option<Elevation> {
                (at.lat_deg > 0.0).then(|| Elevation::whole(self.0))
            }
            fn bounds(&self, _: &Region) -> Option<HeightBounds> {
                Some(HeightBounds::promised((self.0, self.0)))
            }
            fn posting_m(&self, _: &Location) -> f64 {
                30.0
            }
        }
        let mut info = LayerInfo::synthetic("ellipsoidal", 30.0, [-180.0, 0.0, 180.0, 90.0], (-40.0, -40.0));
        let sea = Relief::from_grid(GlobalGrid::from_fn(72, 37, Registration::Node, |_, _| -4_000.0)).unwrap();
        let sea = sea.with_sea_surface(Water::earth());
        let [north, south] = [0.1, -0.1].map(|lat| n_vector(lat, -2.4));
        info.datum = "ellipsoid".to_owned();
        let mixed = sea.under(info.clone(), Arc::new(Even(-40.0)));
        assert_eq!([north, south].map(|n| mixed.sample(n).height_m), [-40.0, 0.0]);
        assert!(mixed.bounds_m(&Region::cap(north, 1e-6)).0 <= -40.0);
        info.datum = "EGM96".to_owned();
        let level = sea.under(info, Arc::new(Even(-40.0)));
        assert_eq!([north, south].map(|n| level.sample(n).height_m), [0.0, 0.0]);
    }
}
