//! Which keys and clicks take the camera elsewhere? Home, north, straight down, to a map, closer, back and forward.

use bevy_ecs::prelude::*;
use glam::DVec3;

use super::pilot::CameraPilot;
use super::tilt::{BeforeMap, tipped};
use crate::camera::ground::CLEARANCE_M;
use crate::camera::{Camera, Lens, Pose, globe};
use crate::frame::Viewport;
use crate::input::bindings::Action;
use crate::input::{Click, Controls};
use crate::terrain::Planet;

/// A double click leaves this part of the distance.
const CLOSER: f64 = 0.3;

/// Where `H` flies to.
#[derive(Resource)]
pub(super) struct Home(pub Pose);

pub(super) fn apply_jumps(
    (controls, home): (Res<Controls>, Res<Home>),
    (viewport, lens, planet): (Res<Viewport>, Res<Lens>, Res<Planet>),
    (mut pilot, mut before_map): (CameraPilot, ResMut<BeforeMap>),
) {
    let closer_to = controls.clicks.iter().rev().find_map(|click| match click {
        Click::Twice { action: Action::FlyCloser, at, .. } => Some(at),
        _ => None,
    });
    if let Some(at) = closer_to {
        let ray = pilot.camera.ray(at.x, at.y, viewport.aspect(), lens.fov_y_rad);
        if let Some(target) = picked(&planet, &pilot.camera, ray) {
            let pose = closer(&pilot.camera, target, |n| planet.ground().height_m(n));
            pilot.fly_closer(&pose);
        }
    }
    for action in &controls.actions {
        let now = pilot.camera.pose();
        match action {
            Action::Home => pilot.fly_to(&home.0),
            Action::NorthUp => pilot.fly_to(&Pose { heading_deg: 0.0, ..now }),
            Action::TopDown => {
                let middle = picked(&planet, &pilot.camera, pilot.camera.forward());
                let pose = middle.map(|middle| tipped(&pilot.camera, middle));
                pilot.fly_to(&pose.unwrap_or(Pose { pitch_deg: -90.0, ..now }));
            }
            Action::MapView => {
                let camera = pilot.bound_for().filter(|end| before_map.is_end(end)).unwrap_or(*pilot.camera);
                let middle = picked(&planet, &camera, camera.forward());
                pilot.fly_to(&before_map.turned(&camera, middle));
            }
            Action::ViewBack => drop(pilot.fly_back()),
            Action::ViewForward => drop(pilot.fly_forward()),
            _ => {}
        }
    }
}

/// The point of the ground that a unit ray from the eye meets, ECEF metres.
pub(super) fn picked(planet: &Planet, camera: &Camera, ray: DVec3) -> Option<DVec3> {
    planet.pick(camera.eye_m, ray).map(|hit| camera.eye_m + ray * hit.distance_m)
}

/// The view with a place (ECEF metres) in its middle, nearer than now, with the same tilt; above the ground of the height given.
fn closer(camera: &Camera, target: DVec3, height_m: impl Fn(DVec3) -> f64) -> Pose {
    let distance_m = (CLOSER * camera.eye_m.distance(target)).max(2.0 * CLEARANCE_M);
    let there = globe::facing(camera, target, distance_m);
    let lowest_m = height_m(there.normal()) + CLEARANCE_M;
    let pose = there.pose();
    Pose { height_m: pose.height_m.max(lowest_m), ..pose }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terrain::flat;

    /// Law: double clicks come closer and closer with the same tilt, and never go under the ground.
    #[test]
    fn double_clicks_come_closer() {
        for pitch_deg in [-90.0, -30.0, -4.0] {
            let mut pose = Pose { lat_deg: 46.0, lon_deg: 7.0, height_m: 40_000.0, heading_deg: 0.0, pitch_deg };
            let ground = flat(1_000.0);
            for click in 0..20 {
                let camera = Camera::from_pose(&pose);
                let ray = camera.ray(0.2, -0.5, 1.6, 0.8);
                let hit = ground.ray(camera.eye_m, ray, 1e8).expect("a short march").expect("ground");
                let next = closer(&camera, camera.eye_m + ray * hit.distance_m, |_| 1_000.0);
                let left_m = Camera::from_pose(&next).eye_m.distance(camera.eye_m + ray * hit.distance_m);
                assert!(left_m <= (0.31 * hit.distance_m).max(10.0), "{click}: {left_m} of {}", hit.distance_m);
                assert!((next.pitch_deg - pitch_deg).abs() < 1e-3 && next.height_m >= 1_002.0, "{click}: {next:?}");
                pose = next;
            }
            assert!(pose.height_m < 1_010.0, "{pose:?}");
        }
    }
}
