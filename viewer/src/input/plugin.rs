//! Input: turns the devices and the gamepad into the controls of the frame.

use bevy_ecs::prelude::*;
use glam::DVec2;

use super::bindings::Action;
use super::devices::{Click, Devices, Drag};
use super::fingers::Gesture;
use super::gamepad::Gamepad;
use crate::app::{App, FrameStep, Plugin};
use crate::camera::Thrust;
use crate::frame::Viewport;

/// Mouse and keyboard, and a [`Gamepad`] where there is one in the world.
pub struct InputPlugin;

/// What the user wants in this frame.
#[derive(Resource, Debug, Default)]
pub struct Controls {
    /// The cursor in the picture, in [-1, 1], right and up.
    pub cursor: DVec2,
    /// The drag under way.
    pub drag: Option<Drag>,
    /// Where in the picture it began and where it is now, as the cursor.
    pub dragged: (DVec2, DVec2),
    /// What two fingers do.
    pub gesture: Option<Gesture>,
    /// The middle between them in the picture, as the cursor.
    pub pinched: DVec2,
    /// What was clicked, the first one first, and where in the picture, as the cursor.
    pub clicks: Vec<Click>,
    /// Notches of zoom, positive closer.
    pub zoom: f64,
    /// Notches of zoom to the middle of the picture, of keys that went down.
    pub step: f64,
    /// Keys held to pan (right, up), to tilt (up) and to zoom (closer), each in [-1, 1].
    pub held: MapMotion,
    /// Flight.
    pub thrust: Thrust,
    /// How fast the head turns, each part in [-1, 1], right and up.
    pub turn: DVec2,
    /// Keys pressed in this frame.
    pub actions: Vec<Action>,
}

/// Motion of the view as a map by held keys.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct MapMotion {
    /// To the right and up in the picture.
    pub pan: DVec2,
    /// Up, towards the horizon.
    pub tilt: f64,
    /// Closer.
    pub zoom: f64,
}

impl Controls {
    /// Whether a key of the action was pressed in this frame.
    pub fn is_triggered(&self, action: Action) -> bool {
        self.actions.contains(&action)
    }

    /// Whether the user moves the camera by hand.
    pub fn moves_camera(&self) -> bool {
        let by_keys = !self.thrust.is_zero() || self.turn != DVec2::ZERO || self.held != MapMotion::default();
        self.drag.is_some() || self.gesture.is_some() || self.zoom != 0.0 || self.step != 0.0 || by_keys
    }
}

impl Plugin for InputPlugin {
    fn build(&self, app: &mut App) {
        app.world.init_resource::<Devices>();
        app.world.init_resource::<Controls>();
        app.systems(FrameStep::Input, read_devices);
    }
}

pub(crate) fn read_devices(
    mut devices: ResMut<Devices>,
    gamepad: Option<ResMut<Gamepad>>,
    mut controls: ResMut<Controls>,
    viewport: Res<Viewport>,
) {
    let pad = gamepad.map(|mut gamepad| gamepad.read()).unwrap_or_default();
    let (walk, look) = (pad.walk(), pad.look());
    let axis =
        |plus: Action, minus: Action| f64::from(i8::from(devices.is_held(plus)) - i8::from(devices.is_held(minus)));
    controls.thrust = Thrust {
        forward: axis(Action::Forward, Action::Back) + walk.1,
        right: axis(Action::Right, Action::Left) + walk.0,
        up: axis(Action::Up, Action::Down) + pad.rise(),
        fast: devices.is_held(Action::Fast) || pad.is_fast(),
    };
    controls.turn = DVec2::new(look.0, look.1);
    controls.held = MapMotion {
        pan: DVec2::new(axis(Action::PanRight, Action::PanLeft), axis(Action::PanUp, Action::PanDown)),
        tilt: axis(Action::TiltUp, Action::TiltDown),
        zoom: axis(Action::ZoomIn, Action::ZoomOut),
    };
    let size = DVec2::new(f64::from(viewport.size_px.0), f64::from(viewport.size_px.1));
    let in_picture = |px: DVec2| {
        let at = px / size.max(DVec2::ONE) * 2.0 - 1.0;
        DVec2::new(at.x, -at.y)
    };
    controls.cursor = in_picture(devices.cursor_px());
    let to_picture = |click| match click {
        Click::Once(action, px) => Click::Once(action, in_picture(px)),
        Click::Twice { action, at, takes_back } => Click::Twice { action, at: in_picture(at), takes_back },
    };
    controls.clicks = devices.take_clicks().into_iter().map(to_picture).collect();
    controls.drag = devices.take_drag();
    controls.dragged =
        controls.drag.map_or((DVec2::ZERO, DVec2::ZERO), |drag| (in_picture(drag.began_px), in_picture(drag.now_px())));
    controls.gesture = devices.take_gesture();
    controls.pinched = controls.gesture.map_or(DVec2::ZERO, |gesture| in_picture(gesture.middle_px));
    controls.zoom = devices.take_notches();
    controls.actions = devices.take_pressed();
    let pressed = |action: Action| controls.actions.iter().filter(|one| **one == action).count() as f64;
    controls.step = pressed(Action::ZoomIn) - pressed(Action::ZoomOut);
}
