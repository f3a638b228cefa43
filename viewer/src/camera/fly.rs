//! Flying: move along the line of sight, at a speed that grows with the height above the ground.

use bevy_ecs::resource::Resource;
use glam::{DQuat, DVec3};

use super::globe::FARTHEST_M;
use super::ground::{Ground, above_ground, clearance_m};
use super::state::Camera;

/// Heights above ground flown in a second.
const HEIGHTS_PER_SECOND: f64 = 0.8;
/// Slowest flight, metres a second: walking the summit ridge.
const SLOWEST_M_S: f64 = 8.0;
/// Shift multiplies the speed by this.
const FAST: f64 = 5.0;
/// Time in which the speed comes within 63 % of what is asked, seconds.
const SETTLING_S: f64 = 0.12;

/// Factor of the speed of flight.
#[derive(Resource, Debug, Clone, Copy, PartialEq)]
pub struct Speed(pub f64);

impl Default for Speed {
    fn default() -> Self {
        Speed(1.0)
    }
}

/// What keys and sticks ask for: each part from -1 to 1.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Thrust {
    /// Along the line of sight.
    pub forward: f64,
    /// To the right.
    pub right: f64,
    /// Away from the ground.
    pub up: f64,
    /// Shift held.
    pub fast: bool,
}

impl Thrust {
    /// No key held.
    pub fn is_zero(&self) -> bool {
        self.forward == 0.0 && self.right == 0.0 && self.up == 0.0
    }
}

/// Speed of flight at a height above ground, metres a second.
pub fn speed_m_s(clearance_m: f64, fast: bool) -> f64 {
    let speed = (clearance_m * HEIGHTS_PER_SECOND).max(SLOWEST_M_S);
    if fast { speed * FAST } else { speed }
}

/// Eases a thrust vector (right, up, forward) towards the keys over `dt_s`; exactly zero once at rest.
pub fn eased(current: DVec3, thrust: &Thrust, dt_s: f64) -> DVec3 {
    let asked = DVec3::new(thrust.right, thrust.up, thrust.forward).clamp_length_max(1.0);
    let next = asked + (current - asked) * (-dt_s / SETTLING_S).exp();
    if thrust.is_zero() && next.length() < 1e-3 { DVec3::ZERO } else { next }
}

/// Flies for `dt_s` with the thrust (right, up, forward), which may be longer than 1: along a great circle at the height that the
/// climb gives, never below the clearance over the ground.
pub fn fly(camera: &Camera, ground: &dyn Ground, thrust: DVec3, fast: bool, dt_s: f64) -> Camera {
    let n = camera.normal();
    let height_m = camera.height_m();
    let way = camera.right() * thrust.x + n * thrust.y + camera.forward() * thrust.z;
    let step_m = way * speed_m_s(clearance_m(camera, ground), fast) * dt_s;
    let climb_m = step_m.dot(n);
    let along_m = step_m - n * climb_m;
    let angle = along_m.length() / camera.eye_m.length();
    let there = match n.cross(along_m).try_normalize() {
        Some(axis) => DQuat::from_axis_angle(axis, angle) * n,
        None => n,
    };
    let moved = camera.transported_to(there, (height_m + climb_m).min(FARTHEST_M));
    above_ground(moved, ground)
}

/// The normal one metre along `heading`; shows where a flight goes.
#[cfg(test)]
fn point_ahead(n: DVec3, heading: DVec3) -> DVec3 {
    use terrain::geodesy;
    geodesy::Ellipsoid::WGS84.normal_at(geodesy::Ellipsoid::WGS84.ecef(n, 0.0) + heading)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::camera::Pose;
    use crate::camera::ground::CLEARANCE_M;

    fn camera(lat_deg: f64, lon_deg: f64, height_m: f64, heading_deg: f64, pitch_deg: f64) -> Camera {
        Camera::from_pose(&Pose { lat_deg, lon_deg, height_m, heading_deg, pitch_deg })
    }

    #[test]
    fn level_flight_keeps_its_height_around_the_world() {
        let sea = |_: DVec3| 0.0;
        let mut c = camera(0.0, 175.0, 100_000.0, 45.0, 0.0);
        for _ in 0..2_000 {
            c = fly(&c, &sea, DVec3::Z, true, 0.05);
        }
        assert!((c.height_m() - 100_000.0).abs() < 1.0, "{}", c.height_m());
        assert!(c.attitude().pitch_rad.abs() < 1e-6);
    }

    #[test]
    fn a_flight_goes_where_it_looks() {
        let sea = |_: DVec3| 0.0;
        for (lat, lon, heading) in [(10.0, 179.999, 90.0), (89.999, 0.0, 0.0), (-50.0, 20.0, 200.0)] {
            let start = camera(lat, lon, 1_000.0, heading, 0.0);
            let moved = fly(&start, &sea, DVec3::Z, false, 0.1);
            let wanted = point_ahead(start.normal(), start.attitude().heading) - start.normal();
            let gone = moved.normal() - start.normal();
            assert!(gone.normalize().dot(wanted.normalize()) > 0.999, "{lat} {lon}");
            let metres = moved.eye_m.distance(start.eye_m);
            assert!((metres - 0.1 * speed_m_s(1_000.0, false)).abs() < 1.0, "{metres}");
        }
    }

    #[test]
    fn the_ground_stops_a_dive() {
        let wall = |n: DVec3| if n.z > 0.001 { 4_000.0 } else { 0.0 };
        let mut c = camera(0.0, 10.0, 500.0, 0.0, -5.0);
        for _ in 0..3_000 {
            c = fly(&c, &wall, DVec3::Z, true, 0.03);
            assert!(clearance_m(&c, &wall) >= CLEARANCE_M - 1e-5);
        }
        assert!(c.height_m() > 4_000.0, "slid over the wall");
    }

    #[test]
    fn speed_grows_with_height_and_comes_to_rest() {
        assert!(speed_m_s(10_000.0, false) > 10.0 * speed_m_s(100.0, false));
        assert!(speed_m_s(0.0, false) >= SLOWEST_M_S);
        let mut v = DVec3::ZERO;
        for _ in 0..60 {
            v = eased(v, &Thrust { forward: 1.0, ..Thrust::default() }, 1.0 / 60.0);
        }
        assert!((v - DVec3::Z).length() < 0.01);
        for _ in 0..120 {
            v = eased(v, &Thrust::default(), 1.0 / 60.0);
        }
        assert_eq!(v, DVec3::ZERO);
    }
}
