//! The panel: every knob, where the time goes, and what is full.

use bevy_ecs::prelude::*;
use bevy_ecs::system::SystemParam;
use egui::{RichText, ScrollArea, Slider};
use terrain::feature_writer::VectorFormat;
use terrain::geodesy::Ellipsoid;

use super::frame_history::FrameHistory;
use super::graphs::times;
use super::layer_list::{LayerRequest, layer_list};
use super::layout::{WINDOWS, number, window_id};
use super::memory::{Memory, memory_use, note};
use super::state::{Figures, Hud, LoadRequests};
use super::sun_box::sun;
use crate::accessibility::Accessibility;
use crate::annotations::Units;
use crate::camera::{Lens, Speed};
use crate::frame::Viewport;
use crate::input::Keymap;
use crate::input::bindings::Action;
use crate::layers::{LayerPlace, Layers};
use crate::overlays::{OverlayGroup, Overlays};
use crate::render::{Light, MotionResolution, Ramp, RenderModes, Renderer};
use crate::sun_clock::SunClock;
use crate::sun_hours::LiveSunHours;
use crate::terrain::{DEFAULT_FRAME_MS, FrameBudget, NextPool, Planet};
use crate::theme::Theme;
use crate::viewshed::LiveViewshed;

/// What the knobs turn.
#[derive(SystemParam)]
pub(super) struct PanelControls<'w> {
    pub planet: ResMut<'w, Planet>,
    pub layers: Res<'w, Layers>,
    pub overlays: ResMut<'w, Overlays>,
    pub ramp: ResMut<'w, Ramp>,
    pub light: ResMut<'w, Light>,
    pub sun_clock: ResMut<'w, SunClock>,
    pub lens: ResMut<'w, Lens>,
    pub speed: ResMut<'w, Speed>,
    pub budget: ResMut<'w, FrameBudget>,
    pub pool: ResMut<'w, NextPool>,
    pub renderer: Res<'w, Renderer>,
    pub viewport: Res<'w, Viewport>,
    pub viewshed: ResMut<'w, LiveViewshed>,
    pub sun_hours: ResMut<'w, LiveSunHours>,
}

/// What the panel reads.
#[derive(SystemParam)]
pub(super) struct PanelReadings<'w> {
    pub history: Res<'w, FrameHistory>,
    pub memory: Res<'w, Memory>,
    pub accessibility: Res<'w, Accessibility>,
}

/// Where boxes begin, points from the upper edge.
const BELOW_TOOLBAR_PT: f32 = 52.0;

/// Most height of a box, points: what has no room is scrolled to.
fn most_height_pt(egui: &egui::Context) -> f32 {
    (egui.content_rect().height() - 140.0).max(160.0)
}

/// A box that a button of the toolbar opens, so far from the left edge, points: as high as what stands in it, if there is room.
fn small_box(
    egui: &egui::Context,
    (name, x_pt): (&'static str, f32),
    open: &mut bool,
    content: impl FnOnce(&mut egui::Ui),
) -> Option<egui::Response> {
    let small = egui::Window::new(name).id(window_id(egui, name)).default_pos([x_pt.max(8.0), BELOW_TOOLBAR_PT]);
    let height = most_height_pt(egui);
    let small = small.default_size([260.0, height + 40.0]);
    // Without a least height it keeps what a lower window left it.
    let scrolled = ScrollArea::vertical().max_height(height).min_scrolled_height(height).auto_shrink([false, true]);
    let shown = small.resizable(false).open(open).show(egui, |ui| scrolled.show(ui, content));
    shown.map(|shown| shown.response)
}

/// Lays the panel out; its cross closes it. What the user wants of motion, text and theme, if that is changed.
pub(super) fn panel(
    egui: &egui::Context,
    hud: &mut Hud,
    knobs: &mut PanelControls<'_>,
    readings: &PanelReadings<'_>,
) -> Option<Accessibility> {
    let mut wanted = *readings.accessibility;
    let mut open = hud.panel;
    egui::Window::new(WINDOWS[0])
        .id(window_id(egui, WINDOWS[0]))
        .open(&mut open)
        .default_pos([8.0, BELOW_TOOLBAR_PT])
        .default_width(300.0)
        .default_height(most_height_pt(egui))
        .max_height(most_height_pt(egui))
        .vscroll(true)
        .resizable(true)
        .show(egui, |ui| {
            section(ui, "Figures, units, files", true, |ui| figures(ui, hud));
            section(ui, "Camera", true, |ui| camera(ui, knobs));
            section(ui, "Accessibility", true, |ui| accessibility(ui, &mut wanted));
            section(ui, "Quality", true, |ui| quality(ui, knobs));
            section(ui, "Times", false, |ui| times(ui, &readings.history, knobs.budget.target_ms));
            section(ui, "Memory", false, |ui| memory_use(ui, &knobs.planet, &readings.memory));
        });
    hud.panel = open;
    (wanted != *readings.accessibility).then_some(wanted)
}

/// Lays out what buttons of the toolbar open: what is drawn on the ground, and where the sun stands; their crosses close them.
pub(super) fn boxes(egui: &egui::Context, hud: &mut Hud, knobs: &mut PanelControls<'_>, keymap: &Keymap) {
    let width = egui.content_rect().width();
    let mut opens_files = false;
    let wanted = (&mut hud.wanted, &mut hud.layer, &mut hud.shown_layer, &mut opens_files);
    small_box(egui, (WINDOWS[1], width - 330.0), &mut hud.layers, |ui| ground(ui, (&mut *knobs, keymap), wanted));
    if opens_files {
        hud.open_files();
    }
    small_box(egui, (WINDOWS[2], width - 640.0), &mut hud.sun, |ui| {
        let is_known = knobs.planet.relief().ellipsoid() == Ellipsoid::WGS84;
        sun(ui, (&mut knobs.light, &mut knobs.sun_clock), is_known, keymap);
    });
}

fn section(ui: &mut egui::Ui, title: &str, open: bool, content: impl FnOnce(&mut egui::Ui)) {
    egui::CollapsingHeader::new(title).default_open(open).show(ui, content);
}

fn quality(ui: &mut egui::Ui, knobs: &mut PanelControls<'_>) {
    let mut wished = knobs.planet.target_pixel_error();
    let meaning = "how far triangles may be off the ground on the screen: less is finer and slower";
    if number(ui, ("tolerated error", meaning), &mut wished, 0.1..=10.0, " px") {
        knobs.planet.set_pixel_error(wished);
    }
    let mut holds = knobs.budget.target_ms.is_some();
    let meaning = "up to eight times the tolerated error, while that makes frames faster";
    if ui.checkbox(&mut holds, "more error while frames are slow").on_hover_text(meaning).changed() {
        knobs.budget.target_ms = holds.then_some(DEFAULT_FRAME_MS);
    }
    if let Some(target_ms) = knobs.budget.target_ms {
        let mut ms = target_ms;
        if number(ui, ("longest frame", "frames that take longer are slow"), &mut ms, 5.0..=250.0, " ms") {
            knobs.budget.target_ms = Some(ms);
        }
        note(ui, format!("error now {:.2} px", knobs.planet.pixel_error()));
    }
    let capacity = knobs.planet.report().capacity;
    let mut wanted = f64::from(knobs.pool.0.unwrap_or(capacity)).log2().round();
    let text = |exponent: f64, _| format!("{}", 1u32 << exponent.clamp(6.0, 20.0) as u32);
    let slider = Slider::new(&mut wanted, 12.0..=20.0).step_by(1.0).custom_formatter(text).text("most triangles");
    let meaning = "where more are wanted, the smallest errors are left out";
    if ui.add(slider).on_hover_text(meaning).changed() {
        knobs.pool.0 = Some(1 << wanted as u32);
    }
    if knobs.pool.0.is_some_and(|next| next != capacity) {
        note(ui, String::from("most triangles: from the next start on"));
    }
    let frozen = &mut knobs.planet.frozen;
    let meaning = "triangles stay as they are while the camera moves: to look at them from elsewhere";
    ui.checkbox(frozen, "freeze the level of detail").on_hover_text(meaning);
    let RenderModes { moving, still, resolution } = knobs.renderer.samplings();
    note(ui, format!("samples a pixel: {} in motion, {} at rest (--samples)", moving.samples, still.samples));
    if resolution != MotionResolution::FULL {
        let percent = resolution.percent(knobs.viewport.size_px);
        note(ui, format!("pixels along a side in motion: {percent} % (--motion-resolution)"));
    }
    let [in_motion, at_rest] = [moving, still].map(|sampling| sampling.shading.name());
    note(
        ui,
        match in_motion == at_rest {
            true => format!("{in_motion} shading (--shading)"),
            false => format!("{in_motion} shading in motion, {at_rest} at rest (--shading)"),
        },
    );
}

/// What can be drawn.
pub(super) struct Drawable {
    pub wireframes: bool,
    /// Files of the user's.
    pub given: Overlays,
    /// Whether a place is looked from.
    pub looks: bool,
    pub ellipsoid: Ellipsoid,
}

/// Why something cannot be drawn here.
pub(super) fn missing(one: Overlays, drawable: &Drawable) -> Option<&'static str> {
    let Drawable { wireframes, given, looks, ellipsoid } = *drawable;
    match one {
        one if ellipsoid != Ellipsoid::WGS84 && Overlays::OF_EARTH.has(one) => Some(OF_EARTH),
        Overlays::WIREFRAME if !wireframes => Some("this adapter draws no wireframe"),
        Overlays::PLACE_CELLS if !looks => {
            Some("what is seen from a place, and hours of sun around it, are asked for in the menu of a right click")
        }
        Overlays::PICTURES if !given.has(one) => {
            Some("there are no pictures of yours: open some here, or by --imagery FILE")
        }
        Overlays::VECTORS if !given.has(one) => {
            Some("there are no points, lines and areas of yours: open some here, or by --vector FILE")
        }
        _ => None,
    }
}

/// What is said of drawings that ship, on another body.
const OF_EARTH: &str = "this is known of the Earth alone";

/// Groups of what is drawn, with the titles of those that are always open.
const GROUPS: [(&str, OverlayGroup); 3] =
    [("Map", OverlayGroup::Map), ("Colours", OverlayGroup::Colours), ("Scene", OverlayGroup::Scene)];

/// Boxes to tick for the overlays of a group, in the words and with the keys of their table.
fn ticks(ui: &mut egui::Ui, knobs: &mut PanelControls<'_>, group: OverlayGroup) {
    for row in Overlays::TABLE.iter().filter(|row| row.group == group) {
        let drawable = Drawable {
            wireframes: knobs.renderer.draws_wireframes(),
            given: knobs.planet.imagery().given(),
            looks: knobs.viewshed.at().or(knobs.sun_hours.at()).is_some(),
            ellipsoid: knobs.planet.relief().ellipsoid(),
        };
        let why_not = missing(row.overlay, &drawable);
        let mut on = why_not.is_none() && knobs.overlays.has(row.overlay);
        let ticked = ui.add_enabled(why_not.is_none(), egui::Checkbox::new(&mut on, row.draws));
        let ticked = ticked.on_disabled_hover_text(why_not.unwrap_or_default());
        let ticked = match row.key.or(row.name) {
            Some(hint) => ticked.on_hover_text(hint),
            None => ticked,
        };
        if ticked.changed() {
            *knobs.overlays = knobs.overlays.toggled(row.overlay);
        }
    }
}

/// How many times as high heights may be drawn.
const EXAGGERATIONS: [f64; 7] = [0.5, 1.0, 1.5, 2.0, 3.0, 5.0, 10.0];

/// Buttons for how high heights are drawn.
fn exaggerations(ui: &mut egui::Ui, now: f64, wanted: &mut Option<f64>) {
    // One that the command line gave is among them.
    let mut all: Vec<f64> = EXAGGERATIONS.into_iter().chain([now]).collect();
    all.sort_by(f64::total_cmp);
    all.dedup();
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        ui.label("heights times ");
        for times in all {
            let button = ui.selectable_label(times == now, times.to_string());
            if button.on_hover_text("loads the ground again (--exaggerate)").clicked() && times != now {
                *wanted = Some(times);
            }
        }
    });
}

fn ground(
    ui: &mut egui::Ui,
    (knobs, keymap): (&mut PanelControls<'_>, &Keymap),
    (wanted, chosen, shown, opens_files): (
        &mut LoadRequests,
        &mut Option<LayerPlace>,
        &mut Option<LayerPlace>,
        &mut bool,
    ),
) {
    let button = ui.button("Open files...");
    let keys = keymap.keys(Action::OpenFiles);
    *opens_files = button.on_hover_text(format!("elevation, pictures, vector data, scenes ({keys})")).clicked();
    match layer_list(ui, (&*knobs.layers, keymap), chosen) {
        Some(LayerRequest::Edit(edit)) => wanted.edited = Some(edit),
        Some(LayerRequest::Show(place)) => *shown = Some(place),
        None => {}
    }
    for (title, group) in GROUPS {
        ui.label(RichText::new(title).strong());
        ticks(ui, knobs, group);
    }
    if knobs.viewshed.at().is_some() {
        let mut radius_km = knobs.viewshed.radius_m / 1e3;
        if number(
            ui,
            ("how far is looked", "the radius round the eye of what is seen"),
            &mut radius_km,
            1.0..=100.0,
            " km",
        ) {
            knobs.viewshed.radius_m = (radius_km * 1e3).round();
        }
        knobs.viewshed.summary().into_iter().for_each(|told| note(ui, told));
    }
    knobs.sun_hours.summary().into_iter().for_each(|told| note(ui, told));
    let name = |ramp: Ramp| Ramp::NAMED.iter().find(|(_, one)| *one == ramp).map_or("", |(name, _)| *name);
    // The resource is touched by a change alone: what reads it looks for that.
    let mut ramp = *knobs.ramp;
    egui::ComboBox::from_label("colours of heights").selected_text(name(ramp)).show_ui(ui, |ui| {
        for (name, one) in Ramp::NAMED {
            ui.selectable_value(&mut ramp, one, name);
        }
    });
    if ramp != *knobs.ramp {
        *knobs.ramp = ramp;
    }
    exaggerations(ui, knobs.planet.relief().exaggeration(), &mut wanted.exaggeration);
    if knobs.planet.relief().has_synthetic_detail() {
        note(ui, "relief between samples over 1 km apart is made up (--detail=off)".into());
    }
    section(ui, "Mesh", false, |ui| ticks(ui, knobs, OverlayGroup::Mesh));
}

fn camera(ui: &mut egui::Ui, knobs: &mut PanelControls<'_>) {
    let mut fov_deg = knobs.lens.fov_y_rad.to_degrees();
    if number(ui, ("field of view", "from the lower to the upper edge of the picture"), &mut fov_deg, 10.0..=120.0, "°")
    {
        knobs.lens.fov_y_rad = fov_deg.to_radians();
    }
    let mut speed = knobs.speed.0;
    if number(
        ui,
        ("speed of flight", "times the speed that suits the height above the ground"),
        &mut speed,
        0.1..=10.0,
        " x",
    ) {
        knobs.speed.0 = speed;
    }
}

fn figures(ui: &mut egui::Ui, hud: &mut Hud) {
    ui.horizontal(|ui| {
        for figures in [Figures::Off, Figures::Place, Figures::Times] {
            ui.radio_value(&mut hud.figures, figures, figures.name());
        }
        ui.label("figures");
    });
    ui.horizontal(|ui| {
        for units in Units::ALL {
            ui.radio_value(&mut hud.units, units, units.name());
        }
        ui.label("units");
    });
    egui::ComboBox::from_label("for saved markers").selected_text(hud.vector_format.name()).show_ui(ui, |ui| {
        for format in VectorFormat::ALL {
            ui.selectable_value(&mut hud.vector_format, *format, format.name());
        }
    });
}

/// How many times as large text may be.
const TEXT_SCALES: [f64; 6] = [0.75, 1.0, 1.25, 1.5, 2.0, 3.0];

fn accessibility(ui: &mut egui::Ui, now: &mut Accessibility) {
    ui.checkbox(&mut now.reduced_motion, "nothing moves by itself")
        .on_hover_text("views are jumped to, and nothing glides on");
    // One that the settings' file says is among them.
    let mut all: Vec<f64> = TEXT_SCALES.into_iter().chain([now.text_scale]).collect();
    all.sort_by(f64::total_cmp);
    all.dedup();
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        ui.label("text times ");
        for times in all {
            ui.selectable_value(&mut now.text_scale, times, times.to_string());
        }
    });
    let before = now.theme;
    ui.horizontal(|ui| {
        for theme in Theme::ALL {
            ui.radio_value(&mut now.theme, theme, theme.name());
        }
        ui.label("theme").on_hover_text("whether the boxes are dark or light; the picture stays as it is");
    });
    if now.theme != before {
        // The next frame has it.
        ui.ctx().request_repaint();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Law: a click on another exaggeration asks for it, one on that of now for nothing; each step, and one of the command line's own, has
    /// its button.
    #[test]
    fn exaggerations_are_clicked() {
        let egui = egui::Context::default();
        let mut wanted = None;
        let mut frame = |events: Vec<egui::Event>| {
            let screen_rect = Some(egui::Rect::from_min_size(egui::Pos2::ZERO, egui::vec2(600.0, 100.0)));
            let input = egui::RawInput { screen_rect, events, ..egui::RawInput::default() };
            let mut output = egui.run_ui(input, |ui| exaggerations(ui, 2.5, &mut wanted));
            output.textures_delta.clear();
            let places: Vec<(String, egui::Pos2)> = output
                .shapes
                .iter()
                .filter_map(|clipped| match &clipped.shape {
                    egui::Shape::Text(text) => {
                        Some((text.galley.text().to_owned(), text.visual_bounding_rect().center()))
                    }
                    _ => None,
                })
                .collect();
            (places, wanted.take())
        };
        frame(Vec::new());
        let (places, _) = frame(Vec::new());
        let words: Vec<&str> = places.iter().map(|(words, _)| words.as_str()).collect();
        assert_eq!(words, ["heights times ", "0.5", "1", "1.5", "2", "2.5", "3", "5", "10"]);
        for (words, pos) in &places[1..] {
            let button = |pressed| {
                let (button, modifiers) = (egui::PointerButton::Primary, egui::Modifiers::NONE);
                egui::Event::PointerButton { pos: *pos, button, pressed, modifiers }
            };
            let events = [vec![egui::Event::PointerMoved(*pos)], vec![button(true)], vec![button(false)], Vec::new()];
            let asked: Vec<f64> = events.into_iter().filter_map(|events| frame(events).1).collect();
            let expected: Vec<f64> = words.parse().into_iter().filter(|times| *times != 2.5).collect();
            assert_eq!(asked, expected);
        }
    }

    /// Law: a click on another theme asks for it and for a frame that has it, and changes nothing else; one on that of now for nothing.
    #[test]
    fn themes_are_clicked() {
        for (words, expected) in [("light", Theme::Light), ("dark", Theme::Dark)] {
            let egui = egui::Context::default();
            let mut wanted = Accessibility::default();
            let mut frame = |events: Vec<egui::Event>| {
                let screen_rect = Some(egui::Rect::from_min_size(egui::Pos2::ZERO, egui::vec2(600.0, 200.0)));
                let input = egui::RawInput { screen_rect, events, ..egui::RawInput::default() };
                let mut output = egui.run_ui(input, |ui| accessibility(ui, &mut wanted));
                output.textures_delta.clear();
                let at = output.shapes.iter().find_map(|clipped| match &clipped.shape {
                    egui::Shape::Text(text) if text.galley.text() == words => {
                        Some(text.visual_bounding_rect().center())
                    }
                    _ => None,
                });
                (at.expect("a choice"), wanted)
            };
            frame(Vec::new());
            let (pos, _) = frame(Vec::new());
            let button = |pressed| {
                let (button, modifiers) = (egui::PointerButton::Primary, egui::Modifiers::NONE);
                egui::Event::PointerButton { pos, button, pressed, modifiers }
            };
            for events in [vec![egui::Event::PointerMoved(pos)], vec![button(true)], vec![button(false)]] {
                frame(events);
            }
            assert_eq!(frame(Vec::new()).1, Accessibility { theme: expected, ..Accessibility::default() });
        }
    }

    /// Law: a box is as high as what stands in it, and stays inside the window however much that is.
    #[test]
    fn boxes_stay_inside_the_window() {
        for (lines, size) in
            [(3, egui::vec2(900.0, 700.0)), (300, egui::vec2(900.0, 700.0)), (300, egui::vec2(420.0, 240.0))]
        {
            let egui = egui::Context::default();
            let screen = egui::Rect::from_min_size(egui::Pos2::ZERO, size);
            let frame = |_| {
                let input = egui::RawInput { screen_rect: Some(screen), ..egui::RawInput::default() };
                let mut place = None;
                let mut output = egui.run_ui(input, |ui| {
                    let lines = |ui: &mut egui::Ui| (0..lines).for_each(|line| drop(ui.label(format!("line {line}"))));
                    place = small_box(ui.ctx(), ("Layers", 8.0), &mut true, lines).map(|shown| shown.rect);
                });
                output.textures_delta.clear();
                place
            };
            let place = (0..4).filter_map(frame).reduce(|_, last| last).expect("a box");
            assert!(screen.contains_rect(place), "{lines} lines in {size:?}: {place:?}");
            assert_eq!(place.height() < 130.0, lines == 3, "{place:?}");
        }
    }
}
