//! HUD: keys open and close its parts; egui lays them out; the painter draws them over the scene.

use bevy_ecs::prelude::*;
use egui::{Color32, RichText};

use super::cursor::under_cursor;
use super::figures::{FrameTimes, figures, tiles_line};
use super::goto::{field, view_of};
use super::layout::{FIGURES, GO_TO, HELP, MEASURE, MESSAGE, RECORDING, boxed};
use super::measure::{Overlay, between};
use super::paint::Painter;
use super::state::{Figures, GoTo, Hud, HudInput, HudOutput};
use super::times::PartTimes;
use crate::app::{App, Clock, Plugin, Step};
use crate::camera::ground::clearance_m;
use crate::camera::{Camera, Lens, Recorder, start_flight};
use crate::input::Controls;
use crate::input::bindings::{Action, BINDINGS};
use crate::measure::Markers;
use crate::render::{Context, Drawing, FrameTimer, Markings, Renderer, Shade, Viewport};
use crate::terrain::Planet;

/// One press scales the tolerated error by this.
const ERROR_STEP: f64 = std::f64::consts::SQRT_2;
/// Seconds that the hint at the start stays.
const HINT_S: f64 = 8.0;

/// The display. Needs [`Painter`] in the world, and the resources of camera, input, render and terrain.
pub struct HudPlugin;

impl Plugin for HudPlugin {
    fn build(&self, app: &mut App) {
        let hint = (String::from("F1 shows the keys"), HINT_S);
        app.world.insert_resource(Hud { message: Some(hint), ..Hud::default() });
        app.world.init_resource::<FrameTimes>();
        app.world.init_resource::<PartTimes>();
        app.world.init_resource::<HudInput>();
        app.world.init_resource::<HudOutput>();
        app.systems(Step::Input, follow_keys.after(crate::input::read_devices));
        app.systems(Step::Hud, (read_times, write_figures, draw).chain());
    }
}

fn follow_keys(
    (clock, controls, renderer, recorder): (Res<Clock>, Res<Controls>, Res<Renderer>, Res<Recorder>),
    mut hud: ResMut<Hud>,
    mut planet: ResMut<Planet>,
    mut shade: ResMut<Shade>,
) {
    for action in &controls.actions {
        match action {
            Action::ToggleHud => hud.figures = hud.figures.next(),
            Action::ToggleHelp => hud.help = !hud.help,
            Action::GoTo => hud.goto = Some(GoTo::default()),
            Action::FreezeMesh => planet.frozen = !planet.frozen,
            Action::Replay if recorder.replay().is_none() => hud.say("no path to fly yet: P records one"),
            Action::Shade(one) if *one == Shade::WIREFRAME && !renderer.draws_wireframes() => {
                hud.say("this adapter draws no wireframe");
            }
            Action::Shade(one) => *shade = shade.toggled(*one),
            Action::Finer | Action::Coarser => {
                let factor = if *action == Action::Finer { 1.0 / ERROR_STEP } else { ERROR_STEP };
                let pixels = planet.scale_pixel_error(factor);
                hud.say(format!("tolerated error {pixels:.2} pixels"));
            }
            Action::Leave => {
                hud.help = false;
                hud.goto = None;
            }
            _ => {}
        }
    }
    if let Some((_, left_s)) = &mut hud.message {
        *left_s -= clock.dt_s;
    }
    if hud.message.as_ref().is_some_and(|(_, left_s)| *left_s <= 0.0) {
        hud.message = None;
    }
}

fn read_times(planet: Res<Planet>, mut times: ResMut<PartTimes>, timer: Option<ResMut<FrameTimer>>) {
    if let Some(mesh) = planet.times() {
        times.add_mesh(&mesh);
    }
    if let Some(drawn) = timer.and_then(|mut timer| timer.newest()) {
        times.add_gpu(&drawn);
    }
}

fn write_figures(
    (planet, times, parts): (Res<Planet>, Res<FrameTimes>, Res<PartTimes>),
    (camera, lens, viewport): (Res<Camera>, Res<Lens>, Res<Viewport>),
    (controls, markings, recorder): (Res<Controls>, Res<Markings>, Res<Recorder>),
    mut hud: ResMut<Hud>,
) {
    hud.recording_s = recorder.recording_s();
    hud.lines.clear();
    if hud.figures == Figures::Off {
        return;
    }
    let above_m = clearance_m(&camera, planet.ground());
    let line = figures(&camera.pose(), above_m, &times, planet.report().triangles, planet.frozen);
    hud.lines.push(line);
    let cursor = under_cursor(&camera, &lens, &viewport, controls.cursor, planet.surface());
    hud.lines.extend(cursor.map(|line| format!("cursor {line}")));
    hud.lines.extend(Some(markings.legend()).filter(|legend| !legend.is_empty()));
    if hud.figures == Figures::Times {
        hud.lines.push(parts.line());
        hud.lines.extend(planet.tiles().map(|tiles| tiles_line(&tiles)));
    }
}

fn draw(
    context: Res<Context>,
    (viewport, planet, lens, markers): (Res<Viewport>, Res<Planet>, Res<Lens>, Res<Markers>),
    (mut painter, mut input, mut output): (ResMut<Painter>, ResMut<HudInput>, ResMut<HudOutput>),
    mut hud: ResMut<Hud>,
    mut camera: ResMut<Camera>,
    (mut drawing, mut timer): (ResMut<Drawing>, Option<ResMut<FrameTimer>>),
    mut commands: Commands,
) {
    if drawing.pictures.is_empty() {
        return;
    }
    let egui = painter.egui().clone();
    let mut place = None;
    let mut full = egui.run_ui(std::mem::take(&mut input.0), |ui| {
        let egui = ui.ctx().clone();
        Overlay { camera: &camera, lens: &lens, viewport: &viewport, planet: &planet }.paint(&egui, &markers);
        let mut figures_height = 0.0;
        if !hud.lines.is_empty() {
            figures_height = boxed(&egui, &FIGURES, 0.0, |ui| {
                // A narrow window breaks the lines, between groups of figures, rather than lose their ends.
                ui.set_max_width(ui.ctx().content_rect().width() - 36.0);
                ui.style_mut().wrap_mode = Some(egui::TextWrapMode::Wrap);
                for line in &hud.lines {
                    let groups: Vec<String> = line.split("   ").map(|group| group.replace(' ', "\u{a0}")).collect();
                    ui.label(RichText::new(groups.join("   ")).monospace().size(12.5).color(Color32::from_gray(235)));
                }
            });
        }
        if let (Some(measurement), false) = (markers.measurement(), hud.help) {
            boxed(&egui, &MEASURE, figures_height + 8.0, |ui| between(ui, measurement));
        }
        if let Some(seconds) = hud.recording_s {
            boxed(&egui, &RECORDING, 0.0, |ui| {
                let text = format!("⏺ recording {seconds:.1} s   P saves");
                ui.label(RichText::new(text).size(14.0).color(Color32::from_rgb(255, 120, 100)));
            });
        }
        if let Some((message, _)) = &hud.message {
            boxed(&egui, &MESSAGE, 0.0, |ui| {
                ui.label(RichText::new(message).size(14.0).color(Color32::WHITE));
            });
        }
        if hud.help {
            boxed(&egui, &HELP, 0.0, keys);
        }
        if let Some(goto) = &mut hud.goto {
            boxed(&egui, &GO_TO, 0.0, |ui| place = field(ui, goto));
        }
    });
    if let Some(to) = place {
        hud.goto = None;
        let pose = view_of(&to, &camera, &*planet);
        start_flight(&mut commands, &mut camera, &pose);
        if let Some(title) = to.title {
            hud.say(format!("to {title}"));
        }
    }
    let gpu = &context.0;
    let pictures = std::mem::take(&mut drawing.pictures);
    let encoder = drawing.encoder(&gpu.device);
    let timer = timer.as_deref_mut();
    painter.paint(gpu, encoder, &pictures, viewport.size_px, &mut full, timer);
    drawing.pictures = pictures;
    output.repaint = full.viewport_output.values().any(|v| v.repaint_delay.is_zero());
    output.platform.append(std::mem::take(&mut full.platform_output));
}

fn keys(ui: &mut egui::Ui) {
    ui.label(RichText::new("Orogen").size(20.0).strong().color(Color32::WHITE));
    ui.add_space(4.0);
    // Two columns of lines, so that the list fits a small window.
    let (left, right) = BINDINGS.split_at(BINDINGS.len().div_ceil(2));
    egui::Grid::new("keys").num_columns(4).spacing([20.0, 3.0]).show(ui, |ui| {
        for (index, binding) in left.iter().enumerate() {
            for binding in [Some(binding), right.get(index)].into_iter().flatten() {
                ui.label(RichText::new(binding.keys).strong().color(Color32::from_rgb(255, 214, 140)));
                ui.label(RichText::new(binding.does).color(Color32::from_gray(235)));
            }
            ui.end_row();
        }
    });
}
