//! The globe goes on turning when the hand lets go of it, and comes to rest.

use glam::{DQuat, DVec3};

use super::north::HeadingMode;
use super::state::Camera;

/// Time in which the speed falls to 37 %, seconds.
const SLOWING_S: f64 = 0.35;
/// Time over which the speed of the hand is taken, seconds: a hand that rests before it lets go throws nothing.
const HAND_S: f64 = 0.06;
/// Below this part of the eye's height a second, the globe stands still.
const REST_HEIGHTS_S: f64 = 0.01;
/// Fastest spin, heights of the eye a second: a flick of the hand moves the picture by a third of its height.
const FASTEST_HEIGHTS_S: f64 = 0.8;

/// The spin of the globe under the camera after it is let go (kinetic panning).
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct SpinInertia {
    /// Axis and speed of the camera's way, ECEF, radians a second.
    spin_rad_s: DVec3,
}

impl SpinInertia {
    /// Takes in what the hand did in `dt_s`: it moved the point under the eye from one unit normal to another.
    pub fn update(&mut self, from: DVec3, to: DVec3, dt_s: f64) {
        if dt_s <= 0.0 {
            return;
        }
        let axis = from.cross(to);
        let angle = axis.length().atan2(from.dot(to));
        let spin = axis.normalize_or_zero() * (angle / dt_s);
        self.spin_rad_s += (spin - self.spin_rad_s) * (1.0 - (-dt_s / HAND_S).exp());
    }

    /// Whether the globe turns.
    pub fn is_moving(&self) -> bool {
        self.spin_rad_s != DVec3::ZERO
    }

    /// Stops.
    pub fn stop(&mut self) {
        *self = SpinInertia::default();
    }

    /// The camera after `dt_s` of gliding; none at rest.
    pub fn advance(&mut self, camera: &Camera, dt_s: f64) -> Option<Camera> {
        let height_rad = camera.height_m().abs() / camera.eye_m.length();
        self.spin_rad_s = self.spin_rad_s.clamp_length_max(FASTEST_HEIGHTS_S * height_rad);
        let least_rad_s = REST_HEIGHTS_S * height_rad;
        if self.spin_rad_s.length() <= least_rad_s {
            self.stop();
            return None;
        }
        // The way of a speed that falls exponentially, so that it does not depend on the rate of frames.
        let kept = (-dt_s / SLOWING_S).exp();
        let way = self.spin_rad_s * (SLOWING_S * (1.0 - kept));
        self.spin_rad_s *= kept;
        let turn = DQuat::from_scaled_axis(way);
        Some(HeadingMode::of(camera).transport(camera, (turn * camera.normal()).normalize(), camera.height_m()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::camera::Pose;

    fn camera(lat_deg: f64, lon_deg: f64) -> Camera {
        Camera::from_pose(&Pose { lat_deg, lon_deg, height_m: 1e6, heading_deg: 30.0, pitch_deg: -60.0 })
    }

    fn thrown(from: &Camera, axis: DVec3, rad_s: f64) -> SpinInertia {
        let mut inertia = SpinInertia::default();
        for _ in 0..40 {
            let n = from.normal();
            inertia.update(n, DQuat::from_axis_angle(axis, rad_s / 60.0) * n, 1.0 / 60.0);
        }
        inertia
    }

    fn at_rest(mut camera: Camera, mut inertia: SpinInertia, fps: f64) -> (Camera, f64) {
        for frame in 0.. {
            match inertia.advance(&camera, 1.0 / fps) {
                Some(next) => camera = next,
                None => return (camera, f64::from(frame) / fps),
            }
        }
        unreachable!("the loop has no end but the return")
    }

    /// Law: the globe goes on along the great circle that the hand moved it, comes to rest in seconds, and where does not depend on the
    /// rate of frames.
    #[test]
    fn it_goes_on_and_comes_to_rest() {
        let start = camera(0.0, 179.5);
        let inertia = thrown(&start, DVec3::Z, 0.1);
        let (rest, seconds) = at_rest(start, inertia, 60.0);
        let pose = rest.pose();
        assert!(pose.lat_deg.abs() < 1e-6 && seconds < 4.0, "{pose:?} {seconds}");
        let east_deg = (pose.lon_deg - 179.5).rem_euclid(360.0);
        assert!((east_deg - (0.1f64 * SLOWING_S).to_degrees()).abs() < 0.2, "{east_deg}");
        assert!((rest.height_m() - 1e6).abs() < 1e-3);
        let (slow, _) = at_rest(start, inertia, 7.0);
        assert!(slow.normal().angle_between(rest.normal()) < 2e-3);
    }

    /// Law: over a pole nothing jumps: neither the way nor the heading against it.
    #[test]
    fn a_pole_is_a_place_like_any_other() {
        let mut camera = camera(89.0, 20.0);
        let axis = camera.normal().cross(DVec3::Z).normalize();
        let mut inertia = thrown(&camera, axis, 0.3);
        let mut crossed = false;
        let mut before = camera;
        while let Some(next) = inertia.advance(&camera, 1.0 / 60.0) {
            camera = next;
            let way = before.normal().angle_between(camera.normal());
            assert!(before.up().angle_between(camera.up()) <= 1.001 * way + 1e-9, "{way}");
            crossed |= camera.pose().lon_deg < -100.0;
            before = camera;
        }
        assert!(crossed, "{:?}", camera.pose());
    }

    #[test]
    fn a_flick_stays_within_the_picture() {
        let start = camera(0.0, 0.0);
        let (rest, _) = at_rest(start, thrown(&start, DVec3::Z, 50.0), 60.0);
        let way_m = start.normal().angle_between(rest.normal()) * start.eye_m.length();
        assert!(way_m < 0.35 * start.height_m(), "{way_m}");
    }

    #[test]
    fn a_hand_that_rests_throws_nothing() {
        let start = camera(0.0, 0.0);
        let mut inertia = thrown(&start, DVec3::Z, 0.2);
        for _ in 0..30 {
            inertia.update(start.normal(), start.normal(), 1.0 / 60.0);
        }
        assert_eq!(inertia.advance(&start, 1.0 / 60.0), None);
        inertia.update(start.normal(), camera(0.0, 1.0).normal(), 0.0);
        assert_eq!(inertia, SpinInertia::default());
    }
}
