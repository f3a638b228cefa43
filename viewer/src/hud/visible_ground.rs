//! Whose ground is in the picture, and how large are its pixels? Looked up as the camera moves.

use bevy_ecs::prelude::*;

use super::memo::Memo;
use crate::annotations::{VisibleGround, layers_in_view};
use crate::app::Clock;
use crate::camera::{Camera, Lens};
use crate::frame::{FrameContext, Viewport};
use crate::layers::Layers;
use crate::terrain::Planet;

/// Frames between two lookups, while the camera moves.
const EVERY: u64 = 15;

/// Updates [`VisibleGround`] by rays through some pixels.
pub(super) fn update_visible_ground(
    (clock, drawing): (Res<Clock>, Res<FrameContext>),
    (camera, lens, viewport, planet): (Res<Camera>, Res<Lens>, Res<Viewport>, Res<Planet>),
    (mut view, layers): (ResMut<VisibleGround>, Res<Layers>),
    mut middle_m: Local<Memo<(Camera, f64, bool), Option<f64>>>,
    mut seen_from: Local<Option<Camera>>,
) {
    if layers.is_changed() {
        // Another ground may lie in the same view.
        (*middle_m, *seen_from) = (Memo::default(), None);
    }
    let distance_m = *middle_m.answer((*camera, planet.relief().exaggeration(), planet.water), || {
        planet.pick(camera.eye_m, camera.forward()).map(|hit| hit.distance_m)
    });
    view.pixel_m = VisibleGround::of(distance_m, &lens, &viewport).pixel_m;
    let due = drawing.still || clock.frame.is_multiple_of(EVERY);
    if *seen_from == Some(*camera) || !due {
        return;
    }
    *seen_from = Some(*camera);
    let titles = planet.credited_titles();
    let seen = layers_in_view((&planet, &camera, &lens, &viewport), distance_m);
    view.sources = seen.iter().filter_map(|&layer| titles.get(layer).cloned()).collect();
    view.sources.extend(planet.imagery_attributions());
}
