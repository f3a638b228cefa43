//! Labels: looked for when the scene has been drawn, and drawn over it, under the display.

use bevy_ecs::prelude::*;

use super::anchor::LabelBudget;
use super::label_view::LabelView;
use super::paint::paint;
use super::placement::Labels;
use crate::app::{App, Clock, FrameStep, Plugin};
use crate::camera::{Camera, Lens};
use crate::frame::{Context, FrameContext, Viewport};
use crate::overlays::{OverlayParams, Overlays};
use crate::painter::Painter;
use crate::render::FrameTimer;
use crate::terrain::{Pace, Planet};

/// Labels on places and lines of the ground. Needs the resources of camera, render and terrain in the world.
pub struct LabelsPlugin;

/// What writes labels; it is made with the first of them.
#[derive(Resource, Default)]
pub(crate) struct LabelPainter(Option<Painter>);

impl Plugin for LabelsPlugin {
    fn build(&self, app: &mut App) {
        app.world.init_resource::<Labels>();
        app.world.init_resource::<LabelPainter>();
        app.systems(FrameStep::Labels, draw_labels);
    }
}

impl LabelsPlugin {
    /// Forgets what wrote on a device that was lost.
    pub fn rebuild_on_device(world: &mut World) {
        world.insert_resource(LabelPainter::default());
    }
}

/// Looks for labels and draws them.
pub(crate) fn draw_labels(
    (context, clock, pace): (Res<Context>, Res<Clock>, Res<Pace>),
    (camera, lens, viewport): (Res<Camera>, Res<Lens>, Res<Viewport>),
    (planet, overlay_params): (Res<Planet>, Res<OverlayParams>),
    (mut labels, mut pen, mut drawing): (ResMut<Labels>, ResMut<LabelPainter>, ResMut<FrameContext>),
    mut timer: Option<ResMut<FrameTimer>>,
) {
    let has_any = Overlays::LABELLED.into_iter().any(|one| overlay_params.overlays.has(one));
    if drawing.targets.is_empty() || (!has_any && labels.is_empty()) {
        return;
    }
    let effort = if *pace == Pace::Settled { LabelBudget::SETTLED } else { LabelBudget::FRAME };
    let eye = LabelView {
        camera: &camera,
        lens: &lens,
        viewport: &viewport,
        surface: planet.surface(),
        seen: planet.seen_surface(),
        water: planet.drawn_water(),
        features: planet.imagery().labels(),
    };
    let ground_m = planet.ground().height_m(camera.normal());
    labels.update(&eye, &overlay_params, ground_m, effort, clock.dt_s);
    if labels.is_empty() {
        return;
    }
    let gpu = &context.0;
    let format = drawing.format;
    let pen = pen.0.get_or_insert_with(|| Painter::new(&gpu.device, format));
    let targets = std::mem::take(&mut drawing.targets);
    paint(pen, gpu, drawing.encoder(&gpu.device), &targets, &eye, &labels.standing, timer.as_deref_mut());
    drawing.targets = targets;
}
