//! What is the ground at a place, along a line, between two points? Queries of the surface that the mesh converges to.
//!
//! The surface is the relief's own function of the geodetic normal, in f64: the one that every vertex of the mesh lies
//! on, that the camera is kept above, and that picking meets. An answer does not depend on what happens to be drawn or
//! loaded. Heights are above the datum of the data and are placed as heights above the WGS84 ellipsoid, as the mesh does.

use std::sync::Arc;

use geographiclib_rs::{DirectGeodesic, Geodesic, InverseGeodesic};
use glam::DVec3;

use crate::{
    geodesy::{Geodetic, ecef, normal_at},
    height::Relief,
    postings::Postings,
    slope::Slope,
};

/// Queries of one relief.
///
/// ```
/// use std::sync::Arc;
/// use terrain::{geodesy::Geodetic, height::{GlobalGrid, Registration, Relief}, surface::Surface};
/// let hill = GlobalGrid::from_fn(360, 181, Registration::Node, |lon, lat| 3000.0 - 100.0 * lon.hypot(lat));
/// let surface = Surface::new(Arc::new(Relief::from_grid(hill)?));
/// assert_eq!(surface.ground(Geodetic::from_degrees(0.0, 0.0, 0.0).normal()).height_m, 3000.0);
/// # Ok::<(), terrain::height::HeightError>(())
/// ```
#[derive(Clone)]
pub struct Surface {
    relief: Arc<Relief>,
    postings: Postings,
}

/// The ground at a place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ground {
    /// Height above the layer's datum.
    pub height_m: f64,
    /// Angle between the ground and the horizontal, radians.
    pub slope_rad: f64,
    /// Direction of steepest descent, radians clockwise from north; 0 where the ground is level.
    pub aspect_rad: f64,
    /// Unit normal of the ground, ECEF.
    pub normal: DVec3,
    /// Which of [`Relief::layers`] answers.
    pub layer: usize,
    /// Distance between that layer's samples.
    pub posting_m: f64,
}

/// Where a ray meets the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// Along the ray.
    pub distance_m: f64,
    /// The place, with the height of the ground there.
    pub place: Geodetic,
}

/// One sample of a profile.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ProfilePoint {
    /// Along the geodesic from the start.
    pub distance_m: f64,
    /// The place, with the height of the ground there.
    pub place: Geodetic,
}

/// Steps of a march, per posting: a ridge narrower than an eighth of the posting cannot be in the data.
const STEPS_PER_POSTING: f64 = 8.0;

/// Samples that a march takes at most: a quarter of the Earth at 100 m posting.
const MOST_STEPS: u32 = 1_000_000;

/// How far below the ground an eye may be and still look out: one that stands on the ground is there by rounding.
const STANDING_M: f64 = 1e-3;

/// The march along a ray could not be finished.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RayError {
    /// Origin or direction is not a usable number.
    #[error(
        "a ray from {origin_m} along {direction} over {reach_m} m goes nowhere: all must be finite, the direction not zero"
    )]
    NotFinite {
        /// Origin as given.
        origin_m: DVec3,
        /// Direction as given.
        direction: DVec3,
        /// Reach as given.
        reach_m: f64,
    },
    /// The data are too fine for the length of the ray.
    #[error("the ray would take more than {limit} samples of data {posting_m} m apart: shorten it")]
    TooLong {
        /// Most samples.
        limit: u32,
        /// Posting where the march stopped.
        posting_m: f64,
    },
}

impl Surface {
    /// Queries of a relief.
    pub fn new(relief: Arc<Relief>) -> Self {
        Self { postings: Postings::of(&relief), relief }
    }

    /// The layers that answer.
    pub fn relief(&self) -> &Relief {
        &self.relief
    }

    /// The ground at a unit geodetic normal; slopes by differences over half a posting to each side.
    pub fn ground(&self, n: DVec3) -> Ground {
        let sample = self.relief.sample(n);
        let posting_m = self.relief.layers()[sample.layer].posting_m;
        let slope = Slope::of(|n| self.relief.sample(n).height_m, n, 0.5 * posting_m);
        Ground {
            height_m: sample.height_m,
            slope_rad: slope.steepness().atan(),
            aspect_rad: slope.aspect_rad(),
            normal: slope.normal(n),
            layer: sample.layer,
            posting_m,
        }
    }

    /// First point where a ray goes below the ground, within `reach_m`; `None` if it does not. A ray that starts below the ground
    /// hits at once.
    ///
    /// Above the highest ground the ray is cut off in closed form; below, it is marched in eighths of the local posting, or
    /// up to the next area with finer data, and the crossing bisected to a tenth of a millimetre.
    ///
    /// # Errors
    /// [`RayError::NotFinite`], and [`RayError::TooLong`] instead of a miss that is not one.
    pub fn ray(&self, origin_m: DVec3, direction: DVec3, reach_m: f64) -> Result<Option<Hit>, RayError> {
        self.march(origin_m, direction, reach_m, 0.0)
    }

    /// A ray that may start as far below the ground as `sunk_m`.
    fn march(&self, origin_m: DVec3, direction: DVec3, reach_m: f64, sunk_m: f64) -> Result<Option<Hit>, RayError> {
        let Some(direction) = direction.try_normalize().filter(|_| origin_m.is_finite() && reach_m.is_finite()) else {
            return Err(RayError::NotFinite { origin_m, direction, reach_m });
        };
        let Some((start, end)) = self.below_the_highest(origin_m, direction, reach_m) else { return Ok(None) };
        // From where it matters, so that distances have all their digits however far away the origin is.
        let entry_m = origin_m + direction * start;
        let length_m = end - start;
        let above = |n: DVec3, p: DVec3| (p - ecef(n, 0.0)).dot(n) - self.relief.sample(n).height_m;
        let above_at = |t: f64| {
            let p = entry_m + direction * t;
            above(normal_at(p), p)
        };
        let (mut t, mut clear) = (0.0, 0.0);
        let mut floor_m = -sunk_m;
        for _ in 0..MOST_STEPS {
            let p = entry_m + direction * t;
            let n = normal_at(p);
            if above(n, p) <= floor_m {
                let distance_m = crossing(above_at, clear, t);
                return Ok(Some(self.hit(entry_m + direction * distance_m, start + distance_m)));
            }
            if t >= length_m {
                return Ok(None);
            }
            floor_m = 0.0;
            clear = t;
            t = (t + self.postings.stride_m(n, STEPS_PER_POSTING)).min(length_m);
        }
        let posting_m = self.relief.posting_m(normal_at(entry_m + direction * t));
        Err(RayError::TooLong { limit: MOST_STEPS, posting_m })
    }

    /// What stands between two points, if anything: the first ground on the straight line from `from` to `to`, refraction left aside.
    ///
    /// The last metre before the target does not count, so that a target on the ground can be seen, nor does the ground under
    /// an eye that stands on it, up to a millimetre.
    ///
    /// # Errors
    /// As [`Surface::ray`].
    pub fn line_of_sight(&self, from: Geodetic, to: Geodetic) -> Result<Option<Hit>, RayError> {
        let (start, end) = (from.to_ecef(), to.to_ecef());
        let distance_m = start.distance(end);
        if distance_m <= 1.0 {
            return Ok(None);
        }
        self.march(start, end - start, distance_m - 1.0, STANDING_M)
    }

    /// Heights at `samples` (at least 2) evenly spaced places along the geodesic between two places.
    pub fn profile(&self, from: Geodetic, to: Geodetic, samples: usize) -> Vec<ProfilePoint> {
        let geodesic = Geodesic::wgs84();
        let degrees = |place: Geodetic| (place.lat_rad.to_degrees(), place.lon_rad.to_degrees());
        let ((lat1, lon1), (lat2, lon2)) = (degrees(from), degrees(to));
        let (length_m, azimuth_deg, _, _): (f64, f64, f64, f64) = geodesic.inverse(lat1, lon1, lat2, lon2);
        let last = samples.max(2) - 1;
        (0..=last)
            .map(|i| {
                let distance_m = length_m * i as f64 / last as f64;
                let (lat_deg, lon_deg): (f64, f64) = geodesic.direct(lat1, lon1, azimuth_deg, distance_m);
                let place = Geodetic::from_degrees(lat_deg, lon_deg, 0.0);
                let height_m = self.relief.sample(place.normal()).height_m;
                ProfilePoint { distance_m, place: Geodetic { height_m, ..place } }
            })
            .collect()
    }

    /// The part of a ray, in metres along it, that runs inside the sphere below which all ground lies.
    fn below_the_highest(&self, origin_m: DVec3, direction: DVec3, reach_m: f64) -> Option<(f64, f64)> {
        let radius_m = crate::geodesy::SEMI_MAJOR_M + self.relief.range_m().1.max(0.0) + 1.0;
        let along = -origin_m.dot(direction);
        let half_squared = radius_m * radius_m - (origin_m + direction * along).length_squared();
        let half_m = (half_squared > 0.0).then(|| half_squared.sqrt())?;
        let (enter, leave) = ((along - half_m).max(0.0), (along + half_m).min(reach_m));
        (enter <= leave).then_some((enter, leave))
    }

    fn hit(&self, position_m: DVec3, distance_m: f64) -> Hit {
        let place = crate::geodesy::from_ecef(position_m);
        let height_m = self.relief.sample(place.normal()).height_m;
        Hit { distance_m, place: Geodetic { height_m, ..place } }
    }
}

/// Where a function falls to zero between a distance where it is positive and one where it is not.
fn crossing(above: impl Fn(f64) -> f64, mut clear: f64, mut below: f64) -> f64 {
    while below - clear > 1e-4 {
        let middle = 0.5 * (clear + below);
        if middle <= clear || middle >= below {
            break; // neighbouring numbers
        }
        if above(middle) > 0.0 {
            clear = middle;
        } else {
            below = middle;
        }
    }
    below
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        geodesy::{east_north_up, n_vector},
        height::{GlobalGrid, Registration},
    };
    use rand::{Rng, SeedableRng, rngs::StdRng};

    fn surface(height: impl Fn(f64, f64) -> f64) -> Surface {
        Surface::new(Arc::new(Relief::from_grid(GlobalGrid::from_fn(1440, 721, Registration::Node, height)).unwrap()))
    }

    fn hilly() -> Surface {
        surface(|lon, lat| 2000.0 * (0.31 * lon).sin() * (0.27 * lat).cos() + 900.0 * (1.7 * lon + 1.1 * lat).sin())
    }

    /// Law: a ray meets the ground where a march sixteen times finer first does, unless that one only grazes it.
    #[test]
    fn rays_agree_with_brute_force() {
        let surface = hilly();
        let mut rng = StdRng::seed_from_u64(2);
        let mut hits = 0;
        for _ in 0..150 {
            let n = n_vector(rng.random_range(-1.2..1.2), rng.random_range(-3.0..3.0));
            let origin = ecef(n, surface.ground(n).height_m + rng.random_range(100.0..20_000.0));
            let (east, north, up) = east_north_up(n);
            let heading: f64 = rng.random_range(0.0..std::f64::consts::TAU);
            let direction = east * heading.cos() + north * heading.sin() - up * rng.random_range(0.0..0.3);
            let reach_m = 400_000.0;
            let above = |t: f64| {
                let place = crate::geodesy::from_ecef(origin + direction.normalize() * t);
                place.height_m - surface.relief.sample(place.normal()).height_m
            };
            let step_m = surface.relief.posting_m(n) / (16.0 * STEPS_PER_POSTING);
            let brute = (0..(reach_m / step_m) as u32).map(|i| f64::from(i) * step_m).find(|&t| above(t) <= 0.0);
            let hit = surface.ray(origin, direction, reach_m).unwrap();
            match (hit, brute) {
                (Some(hit), Some(t)) => {
                    assert!(above(hit.distance_m).abs() < 0.01, "a hit lies on the ground");
                    let grazes = (0..200).all(|i| above(t + f64::from(i) * step_m / 10.0) > -30.0);
                    assert!((hit.distance_m - t).abs() <= step_m || grazes, "{} and {t}", hit.distance_m);
                    hits += 1;
                }
                (None, None) => {}
                (None, Some(t)) => assert!(above(t + 8.0 * step_m) > -30.0, "missed the ground at {t}"),
                (Some(hit), None) => assert!(above(hit.distance_m).abs() < 0.01),
            }
        }
        assert!(hits > 80, "only {hits} rays hit");
    }

    /// Law: over a smooth sea the horizon is where geometry puts it: sqrt(2 R h) from each end.
    #[test]
    fn sight_ends_at_the_horizon() {
        let sea = surface(|_, _| 0.0);
        let at = |lon_deg: f64, height_m: f64| Geodetic::from_degrees(0.0, lon_deg, height_m);
        let reach_m = 2.0 * (2.0 * 6_378_137.0 * 100.0f64).sqrt();
        let reach_deg = (reach_m / 6_378_137.0).to_degrees();
        assert_eq!(sea.line_of_sight(at(0.0, 100.0), at(0.99 * reach_deg, 100.0)).unwrap(), None);
        let obstacle = sea.line_of_sight(at(0.0, 100.0), at(1.01 * reach_deg, 100.0)).unwrap().unwrap();
        assert!((obstacle.distance_m / reach_m - 0.5).abs() < 0.2 && obstacle.place.height_m == 0.0);
        // A target on the ground is seen from above it, whatever the rounding.
        assert_eq!(sea.line_of_sight(at(10.0, 100.0), at(10.1, 0.0)).unwrap(), None);
    }

    /// Law: an eye on the ground sees what an eye a centimetre above it sees, unless that one only just does.
    #[test]
    fn an_eye_on_the_ground_looks_out() {
        let surface = hilly();
        let mut rng = StdRng::seed_from_u64(6);
        let (mut seen, mut hidden, mut only_just) = (0, 0, 0);
        for _ in 0..200 {
            let (lat_deg, lon_deg) = (rng.random_range(-60.0..60.0), rng.random_range(-170.0..170.0));
            let standing = |above_m: f64| {
                let place = Geodetic::from_degrees(lat_deg, lon_deg, 0.0);
                Geodetic { height_m: surface.ground(place.normal()).height_m + above_m, ..place }
            };
            let aside = |range: f64, rng: &mut StdRng| rng.random_range(-range..range);
            let (dlat, dlon) = (aside(4.0, &mut rng), aside(4.0, &mut rng));
            let target = Geodetic::from_degrees(lat_deg + dlat, lon_deg + dlon, 0.0);
            let height_m = surface.ground(target.normal()).height_m + rng.random_range(0.0..6_000.0);
            let target = Geodetic { height_m, ..target };
            let sight = |above_m: f64| surface.line_of_sight(standing(above_m), target).unwrap();
            match (sight(0.0), sight(0.01)) {
                (None, higher) => {
                    assert_eq!(higher, None);
                    seen += 1;
                }
                (Some(_), Some(_)) => hidden += 1,
                (Some(_), None) => only_just += 1,
            }
        }
        assert!(seen > 30 && hidden > 30 && only_just < 3, "{seen} seen, {hidden} hidden, {only_just} only just");
        // Under the ground is under the ground.
        let below = Geodetic::from_degrees(10.0, 10.0, surface.ground(n_vector(0.1745, 0.1745)).height_m - 500.0);
        let up = Geodetic { height_m: 9_000.0, ..below };
        assert_eq!(surface.line_of_sight(below, up).unwrap().map(|hit| hit.distance_m), Some(0.0));
    }

    /// Law: a ray from far away ends, and meets the ground as well as its numbers can say.
    #[test]
    fn rays_from_far_away_end() {
        let surface = hilly();
        let n = n_vector(0.3, 0.4);
        let ground_m = surface.ground(n).height_m;
        for away_m in [1e9, 1e13, 1e17] {
            let origin = ecef(n, away_m);
            let hit = surface.ray(origin, -n, 2.0 * away_m).unwrap().expect("the Earth is in the way");
            let tolerance_m = 1e-3 + 1e-14 * away_m;
            assert!((hit.distance_m - (away_m - ground_m)).abs() <= tolerance_m, "{away_m}: {}", hit.distance_m);
        }
        // Between neighbouring numbers there is nothing to bisect.
        assert_eq!(crossing(|t| 1.5e13 - t, 1e13, 2e13), 1.5e13);
    }

    /// Law: slope and aspect of a cone are those of a cone.
    #[test]
    fn slope_and_aspect() {
        // 1 m down every 10 m eastwards near the equator.
        let m_per_deg = crate::geodesy::SEMI_MAJOR_M.to_radians();
        let ramp = surface(|lon, _| -0.1 * m_per_deg * lon.clamp(-10.0, 10.0));
        let ground = ramp.ground(n_vector(0.0, 0.05));
        assert!((ground.slope_rad - 0.1f64.atan()).abs() < 1e-3, "{ground:?}");
        assert!((ground.aspect_rad - std::f64::consts::FRAC_PI_2).abs() < 1e-6);
        assert!((ground.normal.dot(n_vector(0.0, 0.05)) - ground.slope_rad.cos()).abs() < 1e-9);
    }

    /// Law: a profile starts and ends at its places, is as long as the geodesic, and crosses 180 degrees the short way.
    #[test]
    fn profiles_follow_the_geodesic() {
        let surface = hilly();
        let (from, to) = (Geodetic::from_degrees(10.0, 175.0, 0.0), Geodetic::from_degrees(-5.0, -170.0, 0.0));
        let profile = surface.profile(from, to, 101);
        assert_eq!(profile.len(), 101);
        assert!(profile[0].place.to_ecef().distance(ecef(from.normal(), profile[0].place.height_m)) < 1e-6);
        assert!(profile[100].place.to_ecef().distance(ecef(to.normal(), profile[100].place.height_m)) < 1e-3);
        // GeographicLib's reference implementation gives 2 349 129.043 m.
        assert!((profile[100].distance_m - 2_349_129.043).abs() < 1e-3, "{}", profile[100].distance_m);
        assert!(profile.windows(2).all(|w| (w[1].distance_m - w[0].distance_m - profile[1].distance_m).abs() < 1e-6));
    }

    #[test]
    fn absurd_rays_are_refused() {
        let surface = hilly();
        assert!(matches!(surface.ray(DVec3::NAN, DVec3::X, 1.0), Err(RayError::NotFinite { .. })));
        assert!(matches!(surface.ray(DVec3::X * 7e6, DVec3::ZERO, 1.0), Err(RayError::NotFinite { .. })));
        // Away from the Earth, and past it.
        assert_eq!(surface.ray(DVec3::X * 7e6, DVec3::X, 1e9), Ok(None));
        assert_eq!(surface.ray(DVec3::new(8e6, 8e6, 0.0), -DVec3::X, 1e9), Ok(None));
        let down = surface.ray(DVec3::X * 7e6, -DVec3::X, 1e9).unwrap().unwrap();
        assert!((7e6 - down.distance_m - 6_378_137.0 - down.place.height_m).abs() < 0.01);
    }
}
