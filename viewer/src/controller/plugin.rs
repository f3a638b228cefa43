//! Camera: hand, flight and keys move it, in this order; last it is raised out of the ground.

use bevy_ecs::prelude::*;
use glam::DVec3;

use super::hand_state::{CameraInMotion, HandState, Zoom};
use super::held_keys::apply_map_motion;
use super::jumps::{Home, apply_jumps, picked};
use super::recorder::{Recorder, record, replay};
use super::tilt::BeforeMap;
use super::view_history::ViewHistory;
use crate::accessibility::Accessibility;
use crate::app::{App, Clock, FrameStep, Plugin};
use crate::camera::fly::{eased, fly};
use crate::camera::ground::above_ground;
use crate::camera::path::CameraPath;
use crate::camera::{Camera, Flight, HeadingMode, Lens, Pose, Speed, globe};
use crate::frame::Viewport;
use crate::input::bindings::Action;
use crate::input::{Controls, Gesture};
use crate::terrain::Planet;

/// One notch of the wheel scales the distance by this.
const ZOOM_PER_NOTCH: f64 = 0.8;
/// Notches a second of a key that is held.
const NOTCHES_S: f64 = 4.0;
/// The part of the asked zoom that is done in this time, seconds: 63 %.
const ZOOM_SETTLING_S: f64 = 0.08;
/// Angle of an orbit across the height of the window, radians.
const ORBIT_RAD_PER_HEIGHT: f64 = std::f64::consts::PI;

/// A stick that is fully pushed turns the head this fast, radians a second.
const TURN_RAD_S: f64 = 1.2;

/// Whether what moves by itself stands still until the user lets it go on.
#[derive(Resource, Debug, Default)]
pub struct Paused(pub bool);

/// The camera by hand, and along paths. Needs [`Camera`] and [`Lens`] in the world.
pub struct CameraPlugin {
    /// Where `H` flies to.
    pub home: Pose,
    /// A path to fly at once, and again.
    pub path: Option<CameraPath>,
}

impl Plugin for CameraPlugin {
    fn build(&self, app: &mut App) {
        app.world.init_resource::<HandState>();
        app.world.init_resource::<CameraInMotion>();
        app.world.init_resource::<Paused>();
        app.world.init_resource::<Accessibility>();
        app.world.init_resource::<ViewHistory>();
        app.world.init_resource::<BeforeMap>();
        app.world.init_resource::<Speed>();
        app.world.insert_resource(Home(self.home));
        if let (Some(path), Some(camera)) = (&self.path, app.world.get_resource::<Camera>()) {
            let flight = Flight::along(camera, path.clone());
            app.world.insert_resource(flight);
        }
        app.world.insert_resource(Recorder::with_replay(self.path.clone()));
        app.systems(
            FrameStep::Camera,
            (
                (apply_jumps, replay, pause, advance_flight).chain(),
                (apply_drag, apply_gesture, apply_wheel, apply_map_motion, apply_turn, apply_thrust).chain(),
                (stay_above_ground, record).chain(),
            )
                .chain(),
        );
    }
}

/// Stops a flight, a path or a glide, or lets it go on. What the hand or a key moves goes on by itself.
fn pause((controls, flight, hand): (Res<Controls>, Option<Res<Flight>>, Res<HandState>), mut paused: ResMut<Paused>) {
    let is_under_way = flight.is_some() || hand.inertia.is_moving();
    if controls.is_triggered(Action::Pause) {
        paused.0 = !paused.0 && is_under_way;
    }
    let elsewhere = [Action::Replay, Action::Home, Action::NorthUp, Action::TopDown, Action::MapView, Action::ViewBack];
    let goes_elsewhere = elsewhere.iter().any(|action| controls.is_triggered(*action));
    if controls.moves_camera() || goes_elsewhere || !is_under_way {
        paused.0 = false;
    }
}

fn advance_flight(
    clock: Res<Clock>,
    controls: Res<Controls>,
    mut camera: ResMut<Camera>,
    (mut moving, paused): (ResMut<CameraInMotion>, Res<Paused>),
    flight: Option<ResMut<Flight>>,
    mut commands: Commands,
) {
    moving.0 = flight.is_some() && !paused.0;
    let Some(mut flight) = flight else { return };
    if controls.moves_camera() {
        commands.remove_resource::<Flight>();
        return;
    }
    if paused.0 {
        return;
    }
    let (next, arrived) = flight.advance(clock.dt_s);
    *camera = next;
    if arrived {
        commands.remove_resource::<Flight>();
    }
}

fn apply_drag(
    (clock, controls): (Res<Clock>, Res<Controls>),
    (viewport, lens, planet): (Res<Viewport>, Res<Lens>, Res<Planet>),
    (flight, paused, accessibility): (Option<Res<Flight>>, Res<Paused>, Res<Accessibility>),
    mut hand: ResMut<HandState>,
    mut camera: ResMut<Camera>,
    mut moving: ResMut<CameraInMotion>,
) {
    let Some(drag) = controls.drag else {
        hand.grabbed = None;
        if controls.moves_camera() || flight.is_some() || accessibility.reduced_motion {
            hand.inertia.stop();
        }
        if paused.0 {
            return;
        }
        if let Some(next) = hand.inertia.advance(&camera, clock.dt_s) {
            *camera = next;
            moving.0 = true;
        }
        return;
    };
    let before = camera.normal();
    let ((began, cursor), fov, aspect) = (controls.dragged, lens.fov_y_rad, viewport.aspect());
    let radians_per_px = fov / f64::from(viewport.size_px.1.max(1));
    if drag.began {
        let ray = match drag.action {
            Action::Orbit => camera.forward(),
            _ => camera.ray(began.x, began.y, aspect, fov),
        };
        hand.grabbed = picked(&planet, &camera, ray);
        hand.north_up = HeadingMode::of(&camera) == HeadingMode::North;
        hand.inertia.stop();
    }
    if drag.moved_px == glam::DVec2::ZERO {
        hand.inertia.update(before, before, clock.dt_s);
        return;
    }
    // A view that is turned away from north on the way stays free.
    let heading = if hand.north_up { HeadingMode::of(&camera) } else { HeadingMode::Free };
    let swing = drag.moved_px * (ORBIT_RAD_PER_HEIGHT / f64::from(viewport.size_px.1.max(1)));
    *camera = match (drag.action, hand.grabbed) {
        (Action::Pan, Some(grabbed)) => {
            globe::pan(&camera, grabbed, heading, |c| c.ray(cursor.x, cursor.y, aspect, fov))
        }
        (Action::Orbit, Some(pivot)) => globe::orbit(&camera, pivot, swing.x, swing.y),
        // Nothing is held: the sky is dragged along, so the head turns against the mouse.
        (Action::Pan | Action::Orbit, None) => {
            camera.turned(-drag.moved_px.x * radians_per_px, drag.moved_px.y * radians_per_px)
        }
        (Action::Look, _) => {
            camera.turned(2.0 * drag.moved_px.x * radians_per_px, -2.0 * drag.moved_px.y * radians_per_px)
        }
        _ => *camera,
    };
    if drag.action == Action::Pan && hand.grabbed.is_some() {
        hand.inertia.update(before, camera.normal(), clock.dt_s);
    }
}

/// Two fingers hold the ground between them: it comes closer, turns and tilts with them.
fn apply_gesture(
    controls: Res<Controls>,
    (viewport, lens, planet): (Res<Viewport>, Res<Lens>, Res<Planet>),
    mut hand: ResMut<HandState>,
    (mut camera, mut moving): (ResMut<Camera>, ResMut<CameraInMotion>),
) {
    let Some(gesture) = controls.gesture else {
        hand.pinched = None;
        return;
    };
    let (at, aspect, fov) = (controls.pinched, viewport.aspect(), lens.fov_y_rad);
    let ray = |camera: &Camera| camera.ray(at.x, at.y, aspect, fov);
    if gesture.began || hand.pinched.is_none() {
        hand.zoom = None;
        hand.inertia.stop();
        hand.pinched = picked(&planet, &camera, ray(&camera)).or_else(|| picked(&planet, &camera, -camera.normal()));
    }
    if let Some(held) = hand.pinched {
        let radians_per_px = ORBIT_RAD_PER_HEIGHT / f64::from(viewport.size_px.1.max(1));
        *camera = held_by_fingers(&camera, held, &gesture, (fov, radians_per_px), ray);
    }
    moving.0 = true;
}

/// The camera after fingers have moved that hold a point (ECEF metres). `ray` is that of the middle between them; a tilt turns by so many
/// radians a pixel.
fn held_by_fingers(
    camera: &Camera,
    held: DVec3,
    gesture: &Gesture,
    (fov_y_rad, radians_per_px): (f64, f64),
    ray: impl Fn(&Camera) -> DVec3,
) -> Camera {
    let mut moved = *camera;
    if gesture.down_px != 0.0 {
        moved = globe::orbit(&moved, held, 0.0, gesture.down_px * radians_per_px);
    }
    if gesture.twist_rad != 0.0 {
        // The picture turns with the fingers, so the eye goes the other way.
        moved = globe::orbit(&moved, held, -gesture.twist_rad, 0.0);
    }
    if gesture.spread != 1.0 {
        moved = globe::zoom(&moved, held, 1.0 / gesture.spread.clamp(0.1, 10.0), fov_y_rad, HeadingMode::Free, ray);
    }
    moved
}

fn apply_wheel(
    (clock, controls, accessibility): (Res<Clock>, Res<Controls>, Res<Accessibility>),
    (viewport, lens): (Res<Viewport>, Res<Lens>),
    planet: Res<Planet>,
    mut hand: ResMut<HandState>,
    mut camera: ResMut<Camera>,
    mut moving: ResMut<CameraInMotion>,
) {
    let (fov, aspect) = (lens.fov_y_rad, viewport.aspect());
    let by_keys = controls.step + controls.held.zoom * NOTCHES_S * clock.dt_s;
    let asked = controls.zoom + by_keys;
    if asked != 0.0 {
        let to_cursor = controls.zoom != 0.0;
        let at = if to_cursor { controls.cursor } else { glam::DVec2::ZERO };
        let ray = camera.ray(at.x, at.y, aspect, fov);
        let target = picked(&planet, &camera, ray).or_else(|| picked(&planet, &camera, -camera.normal()));
        let waiting = hand.zoom.map_or(0.0, |zoom| zoom.notches);
        let notches = (waiting + asked).clamp(-20.0, 20.0);
        hand.zoom = target.map(|target| Zoom { target, notches, to_cursor });
    }
    let Some(Zoom { target, notches, to_cursor }) = hand.zoom else { return };
    if controls.drag.is_some() {
        hand.zoom = None;
        return;
    }
    let part = 1.0 - (-accessibility.settling_s(clock.dt_s) / ZOOM_SETTLING_S).exp();
    let (now, left) = if notches.abs() < 0.02 { (notches, 0.0) } else { (notches * part, notches * (1.0 - part)) };
    let at = if to_cursor { controls.cursor } else { glam::DVec2::ZERO };
    let ray = |c: &Camera| c.ray(at.x, at.y, aspect, fov);
    *camera = globe::zoom(&camera, target, ZOOM_PER_NOTCH.powf(now), fov, HeadingMode::of(&camera), ray);
    hand.zoom = (left != 0.0).then_some(Zoom { target, notches: left, to_cursor });
    moving.0 |= left != 0.0;
}

fn apply_thrust(
    (clock, controls, speed): (Res<Clock>, Res<Controls>, Res<Speed>),
    (planet, accessibility): (Res<Planet>, Res<Accessibility>),
    mut hand: ResMut<HandState>,
    mut camera: ResMut<Camera>,
    mut moving: ResMut<CameraInMotion>,
) {
    hand.thrust = eased(hand.thrust, &controls.thrust, accessibility.settling_s(clock.dt_s));
    if hand.thrust == DVec3::ZERO {
        return;
    }
    *camera = fly(&camera, planet.ground(), hand.thrust * speed.0, controls.thrust.fast, clock.dt_s);
    moving.0 = true;
}

/// Turns the head as long as a stick is pushed.
fn apply_turn(
    (clock, controls): (Res<Clock>, Res<Controls>),
    mut camera: ResMut<Camera>,
    mut moving: ResMut<CameraInMotion>,
) {
    if controls.turn != glam::DVec2::ZERO {
        let angle = controls.turn * TURN_RAD_S * clock.dt_s;
        *camera = camera.turned(angle.x, angle.y);
        moving.0 = true;
    }
}

fn stay_above_ground(planet: Res<Planet>, mut camera: ResMut<Camera>) {
    let raised = above_ground(*camera, planet.ground());
    if raised != *camera {
        *camera = raised;
    }
}

#[cfg(test)]
mod tests {
    use glam::DVec2;

    use super::*;
    use crate::terrain::flat;

    const FOV: f64 = 0.8;
    const ASPECT: f64 = 1.6;

    /// Law: fingers that part by a factor come closer by it, those that turn clockwise turn the picture clockwise, those that move down look
    /// down more steeply; the ground between them stays there.
    #[test]
    fn two_fingers_hold_the_ground() {
        let start = Camera::from_pose(&Pose {
            lat_deg: 46.0,
            lon_deg: 7.0,
            height_m: 9_000.0,
            heading_deg: 40.0,
            pitch_deg: -50.0,
        });
        let ray = |camera: &Camera| camera.ray(0.2, 0.1, ASPECT, FOV);
        let surface = flat(0.0);
        let hit = surface.ray(start.eye_m, ray(&start), 1e8).expect("a short march").expect("ground");
        let held = start.eye_m + ray(&start) * hit.distance_m;
        let with = |spread: f64, twist_deg: f64, down_px: f64| {
            let twist_rad = f64::to_radians(twist_deg);
            let gesture = Gesture { began: false, middle_px: DVec2::ZERO, spread, twist_rad, down_px };
            let moved = held_by_fingers(&start, held, &gesture, (FOV, 0.002), ray);
            let off = ray(&moved).angle_between(held - moved.eye_m);
            assert!(off < 2e-3, "{gesture:?}: {off}");
            moved
        };
        let closer = with(2.0, 0.0, 0.0).eye_m.distance(held) / start.eye_m.distance(held);
        assert!((closer - 0.5).abs() < 0.02, "{closer}");
        let turned = with(1.0, 30.0, 0.0).pose();
        assert!((turned.heading_deg - 10.0).abs() < 2.0, "{turned:?}");
        let [up, down] = [-100.0, 100.0].map(|down_px| with(1.0, 0.0, down_px).pose().pitch_deg);
        assert!(down < -55.0 && up > -45.0, "{down} {up}");
        assert_eq!(with(1.0, 0.0, 0.0), start);
    }
}
