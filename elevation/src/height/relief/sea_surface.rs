//! What is the ground where there is sea? Its surface, for light that does not reach the floor.

use std::sync::Arc;

use glam::DVec3;

use super::{super::datum_name::ELLIPSOID, Relief};
use crate::{
    geodesy::Ellipsoid,
    height::region::{HeightBounds, Region},
    water::{SeaShare, Water},
};

/// Outlines are right to a kilometre: ground so near to their sea that lies below it is its floor, metres.
const NEAR_SEA_M: f64 = 1_200.0;

/// The sea, as high as each layer has it.
#[derive(Clone, Debug)]
pub(super) struct SeaSurface {
    water: Arc<Water>,
    levels: Vec<SeaLevel>,
    /// [`NEAR_SEA_M`] as an angle.
    near_rad: f64,
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
    /// sea is its floor, too. Heights above an ellipsoid stay as they are: the sea is not at 0 m of it.
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
        let near_rad = NEAR_SEA_M / Ellipsoid::WGS84.mean_radius_m();
        let sea = SeaSurface { water: water.clone(), levels: levels.collect(), near_rad };
        Self { sea: Some(Arc::new(sea)), ..self.shared() }
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
        let raised = |height_m: f64| if height_m < 0.0 && sea.covers(n()) { 0.0 } else { height_m };
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
            SeaLevel::OfData => shifted(sea.raised(region, bounds)),
            SeaLevel::OfTarget => sea.raised(region, shifted(bounds)),
            SeaLevel::Unknown => shifted(bounds),
        }
    }
}

impl SeaSurface {
    /// Whether ground below 0 m at a unit normal is under the sea.
    fn covers(&self, n: DVec3) -> bool {
        self.water.sea_within(n, self.near_rad) != SeaShare::None
    }

    fn raised(&self, region: &Region, bounds: HeightBounds) -> HeightBounds {
        if bounds.low_m >= 0.0 {
            return bounds;
        }
        let (low_m, high_m) = (bounds.low_m.max(0.0), bounds.high_m.max(0.0));
        match self.water.near_sea_within(region.n, region.radius_rad, self.near_rad) {
            SeaShare::None => bounds,
            SeaShare::Some => HeightBounds { high_m, ..bounds },
            SeaShare::All => HeightBounds { low_m, high_m, ..bounds },
        }
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

    /// Whether there is sea at a place or around it, within a part of what counts as near.
    fn is_sea_around(water: &Water, n: DVec3, part: f64) -> bool {
        let (a, b) = n.any_orthonormal_pair();
        let circles =
            (0..=6).flat_map(|circle| (0..24).map(move |k| (f64::from(circle) / 6.0, TAU * f64::from(k) / 24.0)));
        let mut around = circles.map(|(out, angle)| {
            let aside = (a * angle.cos() + b * angle.sin()) * (out * part * NEAR_SEA_M / 6_371_000.0);
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
        let data = rough(&mut rng);
        let relief = data.with_sea_surface(water);
        let (mut kinds, mut raised) = ([0; 3], [0; 2]);
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
                assert!(found_m == floor_m || found_m == floor_m.max(0.0), "{found_m} m over {floor_m} m");
                if is_sea {
                    assert_eq!(found_m, floor_m.max(0.0));
                } else if floor_m < 0.0 {
                    // The box round a circle counts, and inlets are narrow.
                    let [inside, outside] = [0.99, 2.5].map(|part| is_sea_around(water, n, part));
                    assert!(!inside || found_m == 0.0, "{found_m} m beside the sea");
                    raised[usize::from(outside)] += usize::from(found_m == 0.0);
                }
                assert!((low_m..=high_m).contains(&found_m), "{found_m} m is not in {low_m} ..= {high_m} m");
                kinds[usize::from(is_sea) + usize::from(is_sea && floor_m < 0.0)] += 1;
            }
        }
        assert!(kinds.iter().all(|count| *count > 10_000), "{kinds:?}");
        assert!(raised[1] > 200 && 50 * raised[0] < raised[1], "{raised:?}");
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
