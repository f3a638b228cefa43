//! From where are pictures measured? Cameras drawn at random, a third each in orbit, in the air and on the ground.

use glam::DVec3;
use rand::{Rng, SeedableRng, rngs::StdRng};
use terrain::geodesy::{Ellipsoid, lat_lon, n_vector};
use terrain::height::Relief;

use viewer::camera::Pose;

use crate::report::{Cell, number};

/// How high a camera is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Range {
    /// 400 to 15 000 km above sea level, looking anywhere from straight down to the horizon.
    Orbit,
    /// 1 to 100 km above the ground, looking between 60 degrees down and level.
    Air,
    /// 2 to 500 m above the ground, looking between 30 degrees down and 5 up.
    Ground,
}

impl Range {
    /// From the highest down.
    pub const ALL: [Range; 3] = [Range::Orbit, Range::Air, Range::Ground];

    /// As in tables.
    pub fn name(self) -> &'static str {
        match self {
            Range::Orbit => "orbit",
            Range::Air => "air",
            Range::Ground => "ground",
        }
    }

    /// The first `count` cameras of a seed over places spread evenly on the Earth, headings evenly, heights evenly by their
    /// logarithm. More cameras begin with the same ones.
    pub fn cameras(self, seed: u64, count: u32, relief: &Relief) -> Vec<Pose> {
        let mut rng = self.rng(seed);
        let camera = |_| {
            let lat_rad = rng.random_range(-1.0f64..1.0).asin();
            let n = n_vector(lat_rad, rng.random_range(-std::f64::consts::PI..std::f64::consts::PI));
            self.camera(&mut rng, relief, n, self.heights_m())
        };
        (0..count).map(camera).collect()
    }

    /// The same over places of a box, west, south, east and north in degrees, as far from its sides as from its middle at least; from
    /// the air as high as a tenth of its diagonal to all of it. None in orbit, where a raster is a few pixels.
    pub fn cameras_over(self, box_deg: [f64; 4], seed: u64, count: u32, relief: &Relief) -> Vec<Pose> {
        let [west, south, east, north] = box_deg;
        let normal = |lon_deg: f64, lat_deg: f64| n_vector(lat_deg.to_radians(), lon_deg.to_radians());
        let diagonal_m = normal(west, south).angle_between(normal(east, north)) * Ellipsoid::WGS84.semi_major_m();
        let heights_m = match self {
            Range::Orbit => return Vec::new(),
            Range::Air => (0.1 * diagonal_m, diagonal_m),
            Range::Ground => self.heights_m(),
        };
        let mut rng = self.rng(seed);
        let inner = |rng: &mut StdRng, low: f64, high: f64| low + (high - low) * rng.random_range(0.25..0.75);
        let camera = |_| {
            let n = normal(inner(&mut rng, west, east), inner(&mut rng, south, north));
            self.camera(&mut rng, relief, n, heights_m)
        };
        (0..count).map(camera).collect()
    }

    /// Unlike that of other ranges.
    fn rng(self, seed: u64) -> StdRng {
        StdRng::seed_from_u64(seed.wrapping_mul(3).wrapping_add(self as u64))
    }

    /// Least and greatest, above sea level in orbit and above the ground elsewhere.
    fn heights_m(self) -> (f64, f64) {
        match self {
            Range::Orbit => (400e3, 15e6),
            Range::Air => (1e3, 100e3),
            Range::Ground => (2.0, 500.0),
        }
    }

    fn camera(self, rng: &mut StdRng, relief: &Relief, n: DVec3, (low_m, high_m): (f64, f64)) -> Pose {
        let above_m = rng.random_range(low_m.ln()..high_m.ln()).exp();
        let heading_deg = rng.random_range(0.0..360.0);
        let pitch = match self {
            Range::Orbit => {
                -90.0
                    ..-(Ellipsoid::WGS84.semi_major_m() / (Ellipsoid::WGS84.semi_major_m() + above_m))
                        .acos()
                        .to_degrees()
            }
            Range::Air => -60.0..0.0,
            Range::Ground => -30.0..5.0,
        };
        let pitch_deg = rng.random_range(pitch);
        let ground_m = if self == Range::Orbit { 0.0 } else { relief.sample(n).height_m };
        let (lat_rad, lon_rad) = lat_lon(n);
        let (lat_deg, lon_deg) = (lat_rad.to_degrees(), lon_rad.to_degrees());
        Pose { lat_deg, lon_deg, height_m: ground_m + above_m, heading_deg, pitch_deg }
    }
}

/// The cells of a camera in a table.
pub fn cells(range: Range, pose: &Pose) -> Vec<Cell> {
    let Pose { lat_deg, lon_deg, height_m, heading_deg, pitch_deg } = pose;
    vec![
        ("range", 6, range.name().to_owned()),
        ("place", 17, format!("{lat_deg:.3},{lon_deg:.3}")),
        ("height m", 10, number(*height_m, 0)),
        ("look", 7, format!("{heading_deg:.0},{pitch_deg:.0}")),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use terrain::height::{GlobalGrid, Registration};

    #[test]
    fn a_seed_gives_the_same_cameras_above_the_ground() {
        let hills = GlobalGrid::from_fn(72, 37, Registration::Node, |lon, lat| 2000.0 * (lon + lat).sin());
        let relief = Relief::from_grid(hills).unwrap();
        for range in Range::ALL {
            let cameras = range.cameras(7, 20, &relief);
            assert_eq!(cameras[..5], range.cameras(7, 5, &relief));
            assert_ne!(cameras[0], range.cameras(8, 1, &relief)[0]);
            for pose in &cameras {
                let camera = viewer::camera::Camera::from_pose(pose);
                let clearance_m = pose.height_m - relief.sample(camera.normal()).height_m;
                assert!(clearance_m > 1.9 && (-90.0..=5.0).contains(&pose.pitch_deg), "{pose:?}");
            }
            let over = range.cameras_over([10.0, 20.0, 12.0, 21.0], 7, 20, &relief);
            assert_eq!(over.len(), if range == Range::Orbit { 0 } else { 20 });
            for pose in over {
                let clearance_m =
                    pose.height_m - relief.sample(viewer::camera::Camera::from_pose(&pose).normal()).height_m;
                assert!((10.4..11.6).contains(&pose.lon_deg) && (20.2..20.8).contains(&pose.lat_deg), "{pose:?}");
                assert!((1.9..240_000.0).contains(&clearance_m), "{pose:?}");
            }
            assert!(cameras.iter().any(|pose| pose.lat_deg < 0.0) && cameras.iter().any(|pose| pose.lat_deg > 0.0));
        }
    }
}
