//! Measuring: a click marks the ground under the cursor, with Shift as the next place of a path; a key takes the last mark away.

use bevy_ecs::prelude::*;
use glam::DVec2;

use super::markers::{Markers, PIN_PT};
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
        app.systems(FrameStep::Input, handle_clicks.after(crate::input::read_devices));
    }
}

/// A click as near to the pin of the first marker closes the path, points.
const CLOSING_PT: f64 = 12.0;

pub(crate) fn handle_clicks(
    controls: Res<Controls>,
    (camera, lens, viewport, planet): (Res<Camera>, Res<Lens>, Res<Viewport>, Res<Planet>),
    mut markers: ResMut<Markers>,
) {
    if controls.is_triggered(Action::RemoveMarker) {
        markers.remove_last(&*planet);
    }
    if controls.is_triggered(Action::Measure) {
        markers.clear();
    }
    let (fov, aspect) = (lens.fov_y_rad, viewport.aspect());
    let picked = |at: DVec2| planet.pick(camera.eye_m, camera.ray(at.x, at.y, aspect, fov)).map(|hit| hit.place);
    for click in &controls.clicks {
        match *click {
            Click::Once(Action::DropMarker, at) => match picked(at) {
                Some(place) => markers.drop_at(place, &*planet),
                None => markers.commit_drop(),
            },
            Click::Once(Action::ExtendPath, at) => {
                let first = markers.markers().first().filter(|_| markers.can_close());
                // A pin on the far side of the Earth is not shown.
                let first = first.filter(|first| first.place.normal().dot(camera.eye_m - first.position_m) > 0.0);
                let pin = first.and_then(|first| camera.project(first.position_m, aspect, fov));
                if pin.is_some_and(|pin| is_at_pin(at, pin, &viewport)) {
                    markers.close(&*planet);
                } else if let Some(place) = picked(at) {
                    markers.extend(place, &*planet);
                } else {
                    markers.commit_drop();
                }
            }
            Click::Twice { takes_back: true, .. } => markers.undo_drop(),
            _ => {}
        }
    }
}

/// Whether a click is at the foot or the head of a pin, which stands above its foot; both in the picture.
fn is_at_pin(click: DVec2, foot: DVec2, viewport: &Viewport) -> bool {
    let (width, height) = viewport.size_px;
    let points = 0.5 * DVec2::new(f64::from(width), f64::from(height)) / f64::from(viewport.pixels_per_point);
    let from_foot = (click - foot) * points;
    let head = DVec2::new(0.0, f64::from(PIN_PT));
    from_foot.length() <= CLOSING_PT || from_foot.distance(head) <= CLOSING_PT
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Law: foot and head of a pin are clicked, also where a point has two pixels; what is beside or below is not.
    #[test]
    fn pins_are_clicked_at_both_ends() {
        for pixels_per_point in [1.0, 2.0] {
            let viewport = Viewport { size_px: (800, 600), pixels_per_point };
            let part =
                |x_pt: f64, y_pt: f64| 0.1 + DVec2::new(x_pt / 400.0, y_pt / 300.0) * f64::from(pixels_per_point);
            let is_at = |x_pt: f64, y_pt: f64| is_at_pin(part(x_pt, y_pt), DVec2::splat(0.1), &viewport);
            assert!(is_at(0.0, 0.0) && is_at(8.0, -8.0) && is_at(0.0, 22.0) && is_at(-5.0, 30.0));
            assert!(!is_at(13.0, 0.0) && !is_at(0.0, -13.0) && !is_at(0.0, 36.0));
        }
    }
}
