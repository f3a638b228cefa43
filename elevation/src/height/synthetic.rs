//! What may the ground look like between postings that are kilometres apart? Ridges and gullies, made up, as high as the data are rugged.
//!
//! Data of 9 km have no valleys. Where they are rugged some are added, level ground stays level, and neither coasts nor the sea change:
//! what is added is less than the height above 0 m. It is a function of the place, with proven bounds, and finest waves of 55 m.

mod lakes;
mod ruggedness;
mod waves;

use glam::DVec3;

use super::{elevation_source::Spacing, region::Region};
use crate::{geodesy::Ellipsoid, water::Water};
use lakes::Lakes;
use ruggedness::{Heights, Ruggedness};
use waves::{LANES, OCTAVES, RIDGES, values, wave_m};

/// It is the Earth whose relief is made up.
const RADIUS_M: f64 = Ellipsoid::WGS84.semi_major_m();
/// Data of postings farther apart than this get detail, in metres.
pub const COARSE_M: f64 = 1_000.0;

/// Share of the ruggedness that each octave has as its height, about as in mountains: ridges carry the relief, and what is finer is smoother.
const SHARES: [f64; OCTAVES] = [0.9, 0.6, 0.3, 0.12, 0.055, 0.026, 0.012, 0.005, 0.002];
/// Mean of ridges, which is taken away, so that the ground is as high as before on the whole.
const MEAN_RIDGE: f64 = 0.64;
/// Lowest value of a ridge.
const LOWEST_RIDGE: f64 = -0.43;
/// How much of the finer octaves there is in the valleys of the first one: they fill.
const IN_VALLEYS: f64 = 0.4;
/// All that is added is at most so many times the amplitude, up or down.
const MOST: f64 = 1.45;
/// Amplitudes below are none, metres.
const LEAST_M: f64 = 0.05;

/// Detail for a relief.
#[derive(Debug)]
pub(crate) struct Synthetic {
    ruggedness: Ruggedness,
    lakes: Lakes,
    steepest_per_m: [f64; OCTAVES],
}

impl Synthetic {
    /// As rugged as the ground of some heights is, and none on lakes.
    pub fn of(heights: &Heights<'_>, water: &Water) -> Self {
        let (ruggedness, lakes) = rayon::join(|| Ruggedness::of(heights), || Lakes::of(water));
        Self { ruggedness, lakes, steepest_per_m: waves::steepest_per_m() }
    }

    /// Distance in metres between places that tell all of it.
    pub fn posting_m() -> f64 {
        0.5 * wave_m(OCTAVES - 1)
    }

    /// Whether there is any within an angle of a place.
    pub fn is_near(&self, n: DVec3, radius_rad: f64) -> bool {
        self.ruggedness.range_m(&Region::cap(n, radius_rad)).1 > LEAST_M
    }

    /// No more is added anywhere, metres.
    pub fn most_m(&self) -> f64 {
        MOST * f64::from(self.ruggedness.most_m())
    }

    /// How far the ground may leave a plane over about ten kilometres, as a rule, in metres, where it is so high.
    pub fn deviation_m(&self, n: DVec3, ground_m: f64) -> f64 {
        let (lon_deg, lat_deg) = super::angle::lon_lat_deg(n);
        0.6 * amplitude_m(self.ruggedness.at(lon_deg, lat_deg), ground_m)
    }

    /// Adds to heights of data at places (unit normals, and their longitudes and latitudes in degrees), by the shares of coarse data in them.
    pub fn add(
        &self,
        heights_m: &mut [f64],
        place: impl Fn(usize) -> (DVec3, f64, f64),
        coarse: impl Fn(usize) -> f64,
        spacing: Spacing,
    ) {
        let shares = shares(spacing);
        let octaves = shares.iter().take_while(|share| **share > 0.0).count();
        if octaves == 0 {
            return;
        }
        for (block, heights_m) in heights_m.chunks_mut(LANES).enumerate() {
            let mut normals = [[0.0; LANES]; 3];
            let mut amplitudes_m = [0.0; LANES];
            for (lane, height_m) in heights_m.iter().enumerate() {
                let coarse = coarse(block * LANES + lane);
                if coarse == 0.0 {
                    continue;
                }
                let (n, lon_deg, lat_deg) = place(block * LANES + lane);
                (normals[0][lane], normals[1][lane], normals[2][lane]) = n.into();
                amplitudes_m[lane] = coarse * amplitude_m(self.ruggedness.at(lon_deg, lat_deg), *height_m);
                if amplitudes_m[lane] > 0.0 {
                    amplitudes_m[lane] *= self.lakes.share(n, (lon_deg, lat_deg));
                }
            }
            if amplitudes_m.iter().all(|amplitude_m| *amplitude_m == 0.0) {
                continue;
            }
            let values = values(&normals, RADIUS_M, octaves);
            for (lane, height_m) in heights_m.iter_mut().enumerate() {
                let value = |octave: usize| f64::from(values[octave][lane]);
                let (low, _) = sum(&shares, octaves, |octave| [value(octave); 2]);
                *height_m += amplitudes_m[lane] * low;
            }
        }
    }

    /// Lowest and highest of what is added in a region whose data are between two heights.
    pub fn bounds_m(&self, region: &Region, ground_m: (f64, f64)) -> (f64, f64) {
        let rugged = self.ruggedness.range_m(region);
        // More is added to higher and to more rugged ground.
        let amplitudes = (amplitude_m(rugged.0, ground_m.0), amplitude_m(rugged.1, ground_m.1));
        if amplitudes.1 == 0.0 {
            return (0.0, 0.0);
        }
        let kept = self.lakes.shares(region);
        let amplitudes = (amplitudes.0 * kept.0, amplitudes.1 * kept.1);
        // The chord is shorter than the arc.
        let radius_m = region.radius_rad * RADIUS_M;
        let shares = shares(Spacing::Any);
        let mut normals = [[0.0; LANES]; 3];
        (normals[0][0], normals[1][0], normals[2][0]) = region.n.into();
        let values = values(&normals, RADIUS_M, OCTAVES);
        let (low, high) = sum(&shares, OCTAVES, |octave| {
            let reach = self.steepest_per_m[octave] * radius_m + ROUNDING;
            let least = if octave < RIDGES { LOWEST_RIDGE } else { -1.0 };
            let value = f64::from(values[octave][0]);
            [(value - reach).max(least), (value + reach).min(1.0)]
        });
        let products = [amplitudes.0 * low, amplitudes.1 * low, amplitudes.0 * high, amplitudes.1 * high];
        products.into_iter().fold((f64::MAX, f64::MIN), |(low, high), x| (low.min(x), high.max(x)))
    }
}

/// Rounding of an octave's value.
const ROUNDING: f64 = 1e-6;

/// Metres that an octave's share is of: never more than the ground is high.
fn amplitude_m(ruggedness_m: f64, ground_m: f64) -> f64 {
    if ground_m <= 0.0 || ruggedness_m <= 0.0 {
        return 0.0;
    }
    (ruggedness_m * ground_m / (ground_m + MOST * ruggedness_m) - LEAST_M).max(0.0)
}

/// Shares of the octaves in heights so far apart: what is shorter than two of them is none.
fn shares(spacing: Spacing) -> [f64; OCTAVES] {
    let average_m = spacing.average_m();
    std::array::from_fn(|octave| {
        let kept = if average_m > 0.0 { (wave_m(octave) / (2.0 * average_m)).log2().clamp(0.0, 1.0) } else { 1.0 };
        kept * SHARES[octave]
    })
}

/// Lowest and highest sum of the octaves' values, of which lowest and highest are known, by their shares.
fn sum(shares: &[f64; OCTAVES], octaves: usize, value: impl Fn(usize) -> [f64; 2]) -> (f64, f64) {
    let first = value(0);
    let kept = first.map(|ridge| IN_VALLEYS + (1.0 - IN_VALLEYS) * (ridge - LOWEST_RIDGE) / (1.0 - LOWEST_RIDGE));
    let [mut low, mut high] = first.map(|ridge| shares[0] * (ridge - MEAN_RIDGE));
    for (octave, share) in shares.iter().enumerate().take(octaves).skip(1) {
        let mean = if octave < RIDGES { MEAN_RIDGE } else { 0.0 };
        let [least, most] = value(octave).map(|value| share * (value - mean));
        low += if least < 0.0 { kept[1] * least } else { kept[0] * least };
        high += if most < 0.0 { kept[0] * most } else { kept[1] * most };
    }
    (low, high)
}

#[cfg(test)]
mod tests {
    use std::{
        f64::consts::{FRAC_PI_2, PI},
        sync::Arc,
    };

    use rand::Rng;

    use super::*;
    use crate::{
        geodesy::n_vector,
        height::{
            Elevation, ElevationSource, GlobalGrid, HeightBounds, LayerInfo, Location, Registration, Relief,
            patch::Patch,
        },
        random::rng,
    };

    /// Land and sea with ranges of mountains.
    fn ranges() -> Relief {
        let grid = GlobalGrid::from_fn(1440, 721, Registration::Node, |lon, lat| {
            let (x, y) = (lon.to_radians(), lat.to_radians());
            2_500.0 * (3.0 * x).sin() * y.cos() + 900.0 * (31.0 * x).sin() * (37.0 * y).cos()
        });
        Relief::from_grid(grid).unwrap()
    }

    fn place(rng: &mut rand::rngs::StdRng) -> DVec3 {
        n_vector(rng.random_range(-FRAC_PI_2..FRAC_PI_2), rng.random_range(-PI..PI))
    }

    /// Law: land stays land, the sea's floor stays as it is, the range holds all heights, and land is as high as before on the whole.
    #[test]
    fn coasts_stay_where_they_are() {
        let (data, mut rng) = (ranges(), rng());
        let relief = data.with_synthetic_detail(Water::earth());
        let (low_m, high_m) = relief.range_m();
        let (mut changed, mut added_m, mut squares) = (0, 0.0, 0.0);
        for _ in 0..20_000 {
            let n = place(&mut rng);
            let (before, after) = (data.sample(n).height_m, relief.sample(n).height_m);
            assert!((low_m..=high_m).contains(&after), "{after} m");
            if before <= 0.0 {
                assert_eq!(before, after);
            } else {
                assert!(after > 0.0, "{before} m became {after} m");
                changed += usize::from((after - before).abs() > 10.0);
                added_m += after - before;
                squares += (after - before).powi(2);
            }
        }
        assert!(changed > 2_000, "{changed} places of 20000 changed by 10 m");
        let count = 20_000.0f64;
        let (mean_m, rms_m) = (added_m / count, (squares / count).sqrt());
        assert!(mean_m.abs() < 0.2 * rms_m, "{mean_m} m added on average, {rms_m} m rms");
    }

    /// Law: heights in rows and on patches are those of the places one by one; averages hardly differ from those of the data.
    #[test]
    fn heights_are_a_function_of_the_place() {
        let (data, mut rng) = (ranges(), rng());
        let relief = data.with_synthetic_detail(Water::earth());
        let normals: Vec<DVec3> = (0..1_000).map(|_| place(&mut rng)).collect();
        let mut heights_m = vec![0.0; normals.len()];
        relief.sample_row(&normals, &mut heights_m);
        for (n, height_m) in normals.iter().zip(&heights_m) {
            assert_eq!(relief.sample(*n).height_m, *height_m);
        }
        let along = |first: f64| (0..40).map(|k| first + 1e-4 * f64::from(k)).collect();
        for face in 0..6 {
            let patch = Patch::new(face, along(rng.random_range(-1.0..0.99)), along(rng.random_range(-1.0..0.99)));
            let [together] = relief.sample_patches([(patch.clone(), 640.0)]);
            for (node, height_m) in together.iter().enumerate() {
                let alone = relief.sample(patch.normal(node)).height_m;
                assert!((height_m - alone).abs() < 1e-3, "{height_m} {alone}");
            }
            let far = relief.means_of_patch(&patch, 20_000.0);
            assert_eq!(far, data.means_of_patch(&patch, 20_000.0), "waves are shorter than that");
        }
        // Over the edge of finer data, where each node is asked for by itself.
        let relief = relief.under(table(), Arc::new(Table));
        let edge = 10f64.to_radians().tan();
        let patch = Patch::new(0, along(edge - 1.03e-3), along(rng.random_range(-0.1..0.1)));
        let [together] = relief.sample_patches([(patch.clone(), 640.0)]);
        let (mut fine, mut made_up) = (0, 0);
        for (node, height_m) in together.iter().enumerate() {
            let n = patch.normal(node);
            let alone = relief.sample(n).height_m;
            assert!((height_m - alone).abs() < 1e-3, "{height_m} {alone}");
            fine += usize::from(alone == 700.0);
            made_up += usize::from(relief.is_synthetic(n));
        }
        assert!(fine > 300 && made_up > 300, "{fine} nodes of finer data, {made_up} of made-up relief");
    }

    /// Law: the range of a region holds what is in it, of whatever size it is, over poles and 180 degrees, too.
    #[test]
    fn ruggedness_is_within_its_range() {
        let (relief, mut rng) = (ranges(), rng());
        let ruggedness = Ruggedness::of(&|normals, spacing, heights_m| relief.sample_rows(normals, spacing, heights_m));
        for _ in 0..300 {
            let (n, radius_rad) = (place(&mut rng), 10f64.powf(rng.random_range(-5.0..0.5)));
            let (low_m, high_m) = ruggedness.range_m(&Region::cap(n, radius_rad));
            for _ in 0..200 {
                let other = place(&mut rng);
                let part = rng.random_range(0.0..1.0) * radius_rad;
                let aside = n.cross(other).normalize();
                let at = n * part.cos() + aside * part.sin();
                let (lon_deg, lat_deg) = crate::height::angle::lon_lat_deg(at);
                let found = ruggedness.at(lon_deg, lat_deg);
                assert!((low_m - 1e-6..=high_m + 1e-6).contains(&found), "{found} of {low_m} to {high_m}");
            }
        }
    }

    /// Law: lakes are as level as the data, and nothing is added to them; on the shore there is no step.
    #[test]
    fn lakes_stay_as_they_are() {
        let (data, mut rng) = (ranges(), rng());
        let relief = data.with_synthetic_detail(Water::earth());
        let mut wet = 0;
        // Lake Maggiore, Lake Victoria, lakes of Finland and of Canada.
        for (lat_deg, lon_deg, reach_deg) in
            [(46.0, 8.6, 0.2), (-1.0, 33.0, 2.5), (61.5, 28.0, 1.0), (65.9, -121.0, 3.0)]
        {
            for _ in 0..2_000 {
                let mut near = |deg: f64| f64::to_radians(deg + rng.random_range(-reach_deg..reach_deg));
                let n = n_vector(near(lat_deg), near(lon_deg));
                if matches!(Water::earth().at(n), crate::water::Cover::Lake(_)) {
                    wet += 1;
                    let added_m = relief.sample(n).height_m - data.sample(n).height_m;
                    // Shores are stored with a rounding of half a metre.
                    assert!(added_m.abs() < 1e-3, "{added_m} m at {n}");
                }
            }
        }
        assert!(wet > 1_000, "{wet} places on lakes");
    }

    /// 700 m, in a box.
    #[derive(Debug)]
    struct Table;

    fn table() -> LayerInfo {
        LayerInfo::synthetic("table", 30.0, [-10.0, -10.0, 10.0, 10.0], (700.0, 700.0))
    }

    impl ElevationSource for Table {
        fn sample(&self, at: &Location, _: Spacing) -> Option<Elevation> {
            let inside = at.lon_deg.abs() < 10.0 && at.lat_deg.abs() < 10.0;
            inside.then(|| Elevation::whole(700.0))
        }

        fn bounds(&self, _: &Region) -> Option<HeightBounds> {
            Some(HeightBounds { low_m: 700.0, high_m: 700.0, least: 0.0, most: 1.0 })
        }

        fn posting_m(&self, _: &Location) -> f64 {
            30.0
        }
    }

    /// Law: nothing is added where finer data answer.
    #[test]
    fn fine_data_stay_as_they_are() {
        let relief = ranges().under(table(), Arc::new(Table)).with_synthetic_detail(Water::earth());
        let mut rng = rng();
        for _ in 0..1_000 {
            let [lon_deg, lat_deg] = [rng.random_range(-9.99..9.99f64), rng.random_range(-9.99..9.99f64)];
            let n = n_vector(lat_deg.to_radians(), lon_deg.to_radians());
            assert_eq!((relief.sample(n).height_m, relief.is_synthetic(n)), (700.0, false));
            assert_eq!(relief.finest_m(n), 30.0);
        }
        let beside = (0..400).map(|k| n_vector(0.3, 0.2 + 0.002 * f64::from(k)));
        assert!(beside.filter(|n| relief.is_synthetic(*n) && relief.finest_m(*n) < 30.0).count() > 50);
    }
}
