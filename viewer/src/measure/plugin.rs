//! Measuring: a click marks the ground under the cursor, a key takes the last mark away.

use bevy_ecs::prelude::*;

use super::markers::Markers;
use crate::app::{App, FrameStep, Plugin};
use crate::camera::{Camera, Lens};
use crate::frame::Viewport;
use crate::input::bindings::Action;
use crate::input::{Click, Controls};
use crate::terrain::Planet;

/// Markers. Needs camera, input, render and terrain.
pub struct MeasurePlugin;

impl Plugin for MeasurePlugin {
    fn build(&self, app: &mut App) {
        app.world.init_resource::<Markers>();
        // Before the camera moves: the click was meant for the picture that was on screen.
        app.systems(FrameStep::Input, follow_clicks.after(crate::input::read_devices));
    }
}

fn follow_clicks(
    controls: Res<Controls>,
    (camera, lens, viewport, planet): (Res<Camera>, Res<Lens>, Res<Viewport>, Res<Planet>),
    mut markers: ResMut<Markers>,
) {
    if controls.asks(Action::RemoveMarker) {
        markers.remove_last();
    }
    if controls.asks(Action::Measure) {
        markers.clear();
    }
    match controls.click {
        Some(Click::Once(Action::DropMarker, at)) => {
            let ray = camera.ray(at.x, at.y, viewport.aspect(), lens.fov_y_rad);
            match planet.pick(camera.eye_m, ray) {
                Some(hit) => markers.drop_at(hit.place, planet.data()),
                None => markers.keep(),
            }
        }
        Some(Click::Twice { takes_back: true, .. }) => markers.take_back(),
        _ => {}
    }
}
