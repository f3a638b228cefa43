//! HUD: keys open and close its parts; egui lays them out; the painter draws them over the scene.

use bevy_ecs::prelude::*;
use egui::{Align2, Color32, RichText};

use super::cursor::under_cursor;
use super::figures::{FrameTimes, figures, tiles_line};
use super::goto::view_of;
use super::paint::Painter;
use super::state::{Figures, GoTo, Hud, HudInput, HudOutput};
use super::times::PartTimes;
use crate::app::{App, Clock, Plugin, Step};
use crate::camera::ground::clearance_m;
use crate::camera::{Camera, Lens, start_flight};
use crate::input::Controls;
use crate::input::bindings::{Action, BINDINGS};
use crate::render::{Context, Drawing, FrameTimer, Markings, Ramp, Renderer, Shade, Viewport};
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
    (clock, controls, renderer): (Res<Clock>, Res<Controls>, Res<Renderer>),
    mut hud: ResMut<Hud>,
    mut planet: ResMut<Planet>,
    (mut shade, mut ramp): (ResMut<Shade>, ResMut<Ramp>),
) {
    for action in &controls.actions {
        match action {
            Action::ToggleHud => hud.figures = hud.figures.next(),
            Action::ToggleHelp => hud.help = !hud.help,
            Action::GoTo => hud.goto = Some(GoTo::default()),
            Action::FreezeMesh => planet.frozen = !planet.frozen,
            Action::Shade(one) if *one == Shade::WIREFRAME && !renderer.draws_wireframes() => {
                hud.say("this adapter draws no wireframe");
            }
            Action::Shade(one) => *shade = shade.toggled(*one),
            Action::NextRamp => {
                *ramp = ramp.next();
                let name = Ramp::NAMED.iter().find(|(_, one)| *one == *ramp).map_or("", |(name, _)| *name);
                hud.say(format!("colours of heights: {name}"));
            }
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
    (controls, markings): (Res<Controls>, Res<Markings>),
    mut hud: ResMut<Hud>,
) {
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
    (viewport, planet): (Res<Viewport>, Res<Planet>),
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
        if !hud.lines.is_empty() {
            boxed(&egui, &FIGURES, |ui| {
                // A narrow window breaks the lines, between groups of figures, rather than lose their ends.
                ui.set_max_width(ui.ctx().content_rect().width() - 36.0);
                ui.style_mut().wrap_mode = Some(egui::TextWrapMode::Wrap);
                for line in &hud.lines {
                    let groups: Vec<String> = line.split("   ").map(|group| group.replace(' ', "\u{a0}")).collect();
                    ui.label(RichText::new(groups.join("   ")).monospace().size(12.5).color(Color32::from_gray(235)));
                }
            });
        }
        if let Some((message, _)) = &hud.message {
            boxed(&egui, &MESSAGE, |ui| {
                ui.label(RichText::new(message).size(14.0).color(Color32::WHITE));
            });
        }
        if hud.help {
            boxed(&egui, &HELP, keys);
        }
        if let Some(goto) = &mut hud.goto {
            boxed(&egui, &GO_TO, |ui| place = field(ui, goto));
        }
    });
    if let Some(text) = place {
        match view_of(&text, &camera, &*planet) {
            Ok(pose) => {
                hud.goto = None;
                start_flight(&mut commands, &mut camera, &pose);
            }
            Err(error) => hud.goto = Some(GoTo { text, error: Some(error.to_string()) }),
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

/// A dark box in the window.
struct Panel {
    name: &'static str,
    at: Align2,
    darkness: u8,
    /// Takes the mouse; otherwise a drag over it moves the globe.
    takes_mouse: bool,
}

const FIGURES: Panel = Panel { name: "figures", at: Align2::LEFT_BOTTOM, darkness: 150, takes_mouse: false };
const MESSAGE: Panel = Panel { name: "message", at: Align2::RIGHT_TOP, darkness: 150, takes_mouse: false };
const HELP: Panel = Panel { name: "help", at: Align2::CENTER_CENTER, darkness: 215, takes_mouse: false };
const GO_TO: Panel = Panel { name: "go to", at: Align2::CENTER_TOP, darkness: 215, takes_mouse: true };

fn boxed(egui: &egui::Context, panel: &Panel, content: impl FnOnce(&mut egui::Ui)) {
    let margin = -panel.at.to_sign() * 8.0;
    let area = egui::Area::new(egui::Id::unique(panel.name)).anchor(panel.at, margin);
    area.interactable(panel.takes_mouse).show(egui, |ui| {
        egui::Frame::new()
            .fill(Color32::from_black_alpha(panel.darkness))
            .corner_radius(6.0)
            .inner_margin(egui::Margin::symmetric(10, 6))
            .show(ui, |ui| {
                ui.style_mut().wrap_mode = Some(egui::TextWrapMode::Extend);
                content(ui);
            });
    });
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

/// The field for a place; gives its text when Enter is pressed.
fn field(ui: &mut egui::Ui, goto: &mut GoTo) -> Option<String> {
    ui.label(RichText::new("Go to latitude, longitude[, height in metres]").color(Color32::from_gray(235)));
    let edit =
        ui.add(egui::TextEdit::singleline(&mut goto.text).hint_text("27.9881 N, 86.9250 E").desired_width(320.0));
    if let Some(error) = &goto.error {
        ui.label(RichText::new(error).color(Color32::from_rgb(255, 150, 130)));
    }
    let entered = edit.lost_focus() && ui.input(|i| i.key_pressed(egui::Key::Enter));
    if !entered {
        edit.request_focus();
    }
    entered.then(|| goto.text.clone())
}
