//! What does the camera know of the ground? Its height anywhere, the point under the cursor, and that
//! the eye stays above it.

use glam::DVec3;
use terrain::geodesy;

use super::state::Camera;

/// The eye is never closer than this to the ground below it, metres.
pub const CLEARANCE_M: f64 = 2.0;

/// Nothing on Earth is higher, metres: rays are followed only below this shell.
const SUMMIT_M: f64 = 9_000.0;

/// Heights of a surface over the geodetic normal.
pub trait Ground {
    /// Height above the datum in metres at the unit geodetic normal `n`.
    fn height_m(&self, n: DVec3) -> f64;
}

impl<F: Fn(DVec3) -> f64> Ground for F {
    fn height_m(&self, n: DVec3) -> f64 {
        self(n)
    }
}

/// The camera, raised to [`CLEARANCE_M`] above the ground where it is lower.
pub fn above_ground(camera: Camera, ground: &dyn Ground) -> Camera {
    let n = camera.normal();
    let lowest_m = ground.height_m(n) + CLEARANCE_M;
    if camera.height_m() >= lowest_m {
        return camera;
    }
    Camera { eye_m: geodesy::ecef(n, lowest_m), ..camera }
}

/// Height of the eye above the ground below it, metres.
pub fn clearance_m(camera: &Camera, ground: &dyn Ground) -> f64 {
    camera.height_m() - ground.height_m(camera.normal())
}

/// The first point where the ray from `eye_m` along the unit vector `ray` meets the ground, in ECEF
/// metres, or none if it goes past the horizon.
///
/// Follows the ray below the highest shell in steps of a fraction of the height above the ground, then
/// halves the last step: features narrower than that step may be missed, which a cursor forgives.
pub fn pick(ground: &dyn Ground, eye_m: DVec3, ray: DVec3) -> Option<DVec3> {
    let above = |t: f64| {
        let place = geodesy::from_ecef(eye_m + ray * t);
        let n = geodesy::n_vector(place.lat_rad, place.lon_rad);
        (place.height_m - ground.height_m(n), place.height_m)
    };
    let (mut t, exit) = shell_span(eye_m, ray, SUMMIT_M)?;
    let mut before = t;
    for _ in 0..600 {
        let (clearance, _) = above(t);
        if clearance <= 0.0 {
            return Some(eye_m + ray * refine(&above, before, t));
        }
        if t >= exit {
            return None;
        }
        before = t;
        t = (t + (0.4 * clearance).max(1e-4 * t).max(0.25)).min(exit);
    }
    None
}

/// Bisects [`above`](pick) = 0 between a point above and a point below the ground.
fn refine(above: &dyn Fn(f64) -> (f64, f64), mut high: f64, mut low: f64) -> f64 {
    for _ in 0..48 {
        let middle = 0.5 * (high + low);
        if above(middle).0 > 0.0 {
            high = middle;
        } else {
            low = middle;
        }
    }
    low
}

/// Where a ray is below the ellipsoid raised by `height_m`: (entry or 0, exit) along the ray.
fn shell_span(eye_m: DVec3, ray: DVec3, height_m: f64) -> Option<(f64, f64)> {
    // The raised ellipsoid, scaled to the unit sphere.
    let equator = geodesy::ecef(DVec3::X, height_m).x;
    let pole = geodesy::ecef(DVec3::Z, height_m).z;
    let scale = DVec3::new(1.0 / equator, 1.0 / equator, 1.0 / pole);
    sphere_span(eye_m * scale, ray * scale, 1.0)
}

/// The parts t >= 0 of a line inside a sphere around the origin; `ray` need not be a unit vector.
pub(super) fn sphere_span(eye: DVec3, ray: DVec3, radius: f64) -> Option<(f64, f64)> {
    let a = ray.length_squared();
    let b = eye.dot(ray);
    let c = eye.length_squared() - radius * radius;
    let root = b * b - a * c;
    if root < 0.0 {
        return None;
    }
    let root = root.sqrt();
    let exit = (-b + root) / a;
    (exit > 0.0).then(|| (((-b - root) / a).max(0.0), exit))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::camera::Pose;

    fn hills(n: DVec3) -> f64 {
        2_000.0 + 1_500.0 * (n.x * 300.0).sin() * (n.y * 200.0).cos()
    }

    #[test]
    fn straight_down_hits_the_ground_below() {
        for lat_deg in [-90.0, -30.0, 0.0, 60.0, 90.0] {
            let pose = Pose { lat_deg, lon_deg: 180.0, height_m: 50_000.0, heading_deg: 0.0, pitch_deg: -90.0 };
            let camera = Camera::from_pose(&pose);
            let hit = pick(&hills, camera.eye_m, camera.forward()).expect("ground below");
            let expected = geodesy::ecef(camera.normal(), hills(camera.normal()));
            assert!((hit - expected).length() < 0.05, "{lat_deg}: {}", (hit - expected).length());
        }
    }

    #[test]
    fn a_hit_lies_on_the_ground_and_on_the_ray() {
        let camera = Camera::from_pose(&Pose {
            lat_deg: 10.0,
            lon_deg: -70.0,
            height_m: 8_000.0,
            heading_deg: 120.0,
            pitch_deg: -12.0,
        });
        let ray = camera.forward();
        let hit = pick(&hills, camera.eye_m, ray).expect("a hill");
        let n = geodesy::normal_at(hit);
        assert!((geodesy::from_ecef(hit).height_m - hills(n)).abs() < 0.01);
        assert!((hit - camera.eye_m).normalize().dot(ray) > 1.0 - 1e-12);
    }

    #[test]
    fn the_sky_has_no_ground() {
        let camera = Camera::from_pose(&Pose {
            lat_deg: 10.0,
            lon_deg: -70.0,
            height_m: 20_000.0,
            heading_deg: 0.0,
            pitch_deg: 5.0,
        });
        assert!(pick(&hills, camera.eye_m, camera.forward()).is_none());
    }

    #[test]
    fn the_eye_is_raised_out_of_the_ground_and_left_alone_above_it() {
        let pose = Pose { lat_deg: 45.0, lon_deg: 7.0, height_m: -500.0, heading_deg: 10.0, pitch_deg: -5.0 };
        let low = Camera::from_pose(&pose);
        let raised = above_ground(low, &hills);
        assert!((clearance_m(&raised, &hills) - CLEARANCE_M).abs() < 1e-5);
        assert_eq!(raised.orientation, low.orientation);
        let high = Camera::from_pose(&Pose { height_m: 9_000.0, ..pose });
        assert_eq!(above_ground(high, &hills), high);
    }
}
