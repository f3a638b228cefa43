//! How do held keys move the view as a map? Arrows pan, plus and minus zoom, Page Up and Page Down tilt.

use bevy_ecs::prelude::*;
use glam::{DVec2, DVec3};

use super::hand_state::{CameraInMotion, HandState};
use super::jumps::picked;
use crate::accessibility::Accessibility;
use crate::app::Clock;
use crate::camera::fly::eased;
use crate::camera::ground::clearance_m;
use crate::camera::{Camera, HeadingMode, Thrust, globe};
use crate::input::Controls;
use crate::terrain::Planet;

/// Heights above ground that an arrow key moves the eye in a second: about 0.7 of the picture.
const PAN_HEIGHTS_S: f64 = 0.6;
/// Fastest pan, radians a second: far out the globe turns, it does not whirl.
const FASTEST_PAN_RAD_S: f64 = 0.5;
/// Slowest pan, metres a second.
const SLOWEST_PAN_M_S: f64 = 3.0;
/// Shift multiplies the speed by this.
const FAST: f64 = 5.0;
/// A tilt around the middle of the picture, radians a second.
const TILT_RAD_S: f64 = 0.8;

/// Speed of a pan over a globe of a radius, radians a second.
fn pan_rad_s(clearance_m: f64, radius_m: f64, fast: bool) -> f64 {
    let speed = (PAN_HEIGHTS_S * clearance_m).max(SLOWEST_PAN_M_S) * if fast { FAST } else { 1.0 };
    (speed / radius_m).min(FASTEST_PAN_RAD_S)
}

pub(super) fn apply_map_motion(
    (clock, controls, planet, accessibility): (Res<Clock>, Res<Controls>, Res<Planet>, Res<Accessibility>),
    mut hand: ResMut<HandState>,
    (mut camera, mut moving): (ResMut<Camera>, ResMut<CameraInMotion>),
) {
    let held = controls.held;
    let asked = |pan: DVec2| Thrust { right: pan.x, forward: pan.y, up: held.tilt, fast: controls.thrust.fast };
    hand.held_keys = eased(hand.held_keys, &asked(held.pan), accessibility.settling_s(clock.dt_s));
    let DVec3 { x: right, y: tilt, z: ahead } = hand.held_keys;
    if hand.held_keys == DVec3::ZERO {
        return;
    }
    if (right, ahead) != (0.0, 0.0) {
        let clearance_m = clearance_m(&camera, planet.ground());
        let angle = pan_rad_s(clearance_m, camera.eye_m.length(), controls.thrust.fast) * clock.dt_s;
        *camera = globe::slide(&camera, right * angle, ahead * angle, HeadingMode::of(&camera));
    }
    if tilt != 0.0 {
        let angle = tilt * TILT_RAD_S * clock.dt_s;
        *camera = match picked(&planet, &camera, camera.forward()) {
            Some(pivot) => globe::orbit(&camera, pivot, 0.0, -angle),
            None => camera.turned(0.0, angle),
        };
    }
    moving.0 = true;
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Law: the speed grows with the height, is never zero, and far out is that of a globe that is turned by hand.
    #[test]
    fn the_speed_of_a_pan_is_that_of_the_picture() {
        let m_s = |height_m: f64| pan_rad_s(height_m, 6.4e6 + height_m, false) * (6.4e6 + height_m);
        assert_eq!((m_s(0.0), m_s(1_000.0).round()), (SLOWEST_PAN_M_S, 600.0));
        assert!(m_s(1e5) > m_s(1e4) && pan_rad_s(6e7, 6.6e7, true) == FASTEST_PAN_RAD_S);
    }
}
