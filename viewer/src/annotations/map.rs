//! What makes a picture a map? Title, legend, scale bar, north, and whose data are seen: drawn over pictures without a window.

use bevy_ecs::prelude::*;
use egui::{Align2, Rect, RichText};
use glam::DVec2;

use super::legend::{legend, sources};
use super::marks::{VisibleGround, layers_in_view, marks};
use super::numbers::{Units, place};
use super::panel::{GAP, LEGEND, MARGIN_PT, MARKS, PADDING_PT, Panel, panel_rect};
use crate::app::{App, FrameStep, Plugin};
use crate::camera::{Camera, Lens};
use crate::frame::{Context, FrameContext, Viewport};
use crate::labels::{Labels, draw_labels};
use crate::overlays::{OverlayParams, Overlays};
use crate::painter::Painter;
use crate::render::{Legend, Ramp};
use crate::terrain::Planet;
use crate::theme::Palette;

/// Boxes stand beside each other in so many points.
const ROOM_PT: egui::Vec2 = egui::vec2(480.0, 270.0);

const TITLE: Panel = Panel::new("title", Align2::LEFT_TOP, 150);
const CREDIT: Panel = Panel::new("credit", Align2::LEFT_BOTTOM, 150);

/// Maps in place of bare pictures. Needs the resources of labels, render and terrain in the world.
pub struct MapPlugin {
    /// What stands above the map; none names the place in its middle.
    pub title: Option<String>,
}

#[derive(Resource)]
struct MapTitle(Option<String>);

/// What writes on maps, made with the first of them, and what it writes next.
#[derive(Resource, Default)]
struct MapPainter {
    painter: Option<Painter>,
    output: Option<egui::FullOutput>,
}

/// Title, legend and other text on a map.
struct MapAnnotations {
    title: String,
    legend: Option<Legend>,
    /// The layers, where their colours are shown.
    layers: Vec<String>,
    /// What lines mean, and what of the picture is made up; empty where there is nothing.
    notes: String,
    /// Of the middle of the picture.
    view: VisibleGround,
    credit: String,
}

impl Plugin for MapPlugin {
    fn build(&self, app: &mut App) {
        app.world.insert_resource(MapTitle(self.title.clone()));
        app.world.init_resource::<MapPainter>();
        // No label stands where the boxes do.
        app.systems(FrameStep::Labels, lay_out.before(draw_labels));
        app.systems(FrameStep::Hud, draw);
    }
}

/// Parts of a map across and down that its legend has heights of.
const LEGEND_PARTS: (u32, u32) = (96, 64);

fn lay_out(
    (context, planet, title): (Res<Context>, Res<Planet>, Res<MapTitle>),
    (camera, lens, viewport): (Res<Camera>, Res<Lens>, Res<Viewport>),
    (overlays, ramp, overlay_params): (Res<Overlays>, Res<Ramp>, Res<OverlayParams>),
    (drawing, mut map, mut labels): (Res<FrameContext>, ResMut<MapPainter>, ResMut<Labels>),
) {
    if drawing.targets.is_empty() {
        return;
    }
    let hit = planet.pick(camera.eye_m, camera.forward());
    let (middle, distance_m) = (hit.map(|hit| hit.place), hit.map(|hit| hit.distance_m));
    let lat_deg = middle.map_or(camera.pose().lat_deg, |middle| middle.lat_rad.to_degrees());
    let layers = layers_in_view((&planet, &camera, &lens, &viewport), distance_m);
    let of_place = || middle.map_or_else(String::new, |middle| place(lat_deg, middle.lon_rad.to_degrees()));
    let of_heights = || {
        let heights_m = planet.height_range_in_view_m(&camera, &lens, viewport.aspect(), LEGEND_PARTS)?;
        Legend::of_heights(*overlays, ramp.on(camera.ellipsoid), heights_m, lat_deg)
    };
    let sheet = MapAnnotations {
        title: title.0.clone().unwrap_or_else(of_place),
        legend: Legend::of(*overlays).or_else(of_heights),
        layers: if overlays.has(Overlays::SOURCE) { planet.layer_titles() } else { Vec::new() },
        notes: overlay_params.legend(),
        credit: credit(&planet, &layers, *overlays),
        view: VisibleGround::of(distance_m, &lens, &viewport),
    };
    let format = drawing.format;
    let painter = map.painter.get_or_insert_with(|| {
        let painter = Painter::new(&context.0.device, format);
        // Boxes fade in, which no picture waits for.
        painter.egui().all_styles_mut(|style| style.animation_time = 0.0);
        painter
    });
    let size_px = viewport.size_px;
    let scale = pixels_per_point(size_px, viewport.pixels_per_point);
    let egui = painter.egui().clone();
    let mut boxes = Vec::new();
    let mut lay_out =
        || egui.run_ui(Painter::input(size_px, scale), |ui| boxes = sheet.lay_out(&ui.ctx().clone(), &camera, scale));
    // A box knows its size, and so its place, when it has been laid out once.
    let mut output = lay_out();
    output.append(lay_out());
    map.output = Some(output);
    // Of labels, which are as large as ever.
    let points = f64::from(scale / viewport.pixels_per_point);
    let point = |at: egui::Vec2| points * DVec2::new(f64::from(at.x), f64::from(at.y));
    labels.keep_out(boxes.iter().map(|rect| (point(rect.center().to_vec2()), 0.5 * point(rect.size()))));
}

fn draw(
    (context, viewport): (Res<Context>, Res<Viewport>),
    (mut map, mut drawing): (ResMut<MapPainter>, ResMut<FrameContext>),
) {
    let MapPainter { painter: Some(painter), output } = &mut *map else { return };
    let Some(mut output) = output.take() else { return };
    let targets = std::mem::take(&mut drawing.targets);
    let encoder = drawing.encoder(&context.0.device);
    painter.paint(&context.0, encoder, &targets, viewport.size_px, &mut output, None);
    drawing.targets = targets;
}

/// Pixels that a point of the boxes has: fewer than usual in a picture in which they would stand over each other.
fn pixels_per_point((width, height): (u32, u32), usual: f32) -> f32 {
    let [across, down] = [width as f32 / ROOM_PT.x, height as f32 / ROOM_PT.y];
    usual.min(across).min(down)
}

/// Whose data are seen, and what their heights are above.
fn credit(planet: &Planet, layers: &[usize], overlays: Overlays) -> String {
    let (titles, infos) = (planet.credited_titles(), planet.relief().layers());
    let named = |&layer: &usize| Some(format!("{}, datum {}", titles.get(layer)?, infos.get(layer)?.datum));
    let mut parts: Vec<String> = layers.iter().filter_map(named).collect();
    parts.extend(planet.imagery_attributions());
    if overlays.has(Overlays::IMAGERY) {
        parts.push(String::from("picture: NASA Blue Marble"));
    }
    if overlays.has(Overlays::LIGHTS) {
        parts.push(String::from("lights: NASA Black Marble"));
    }
    parts.push(format!("Orogen {}", env!("CARGO_PKG_VERSION")));
    parts.join("; ")
}

impl MapAnnotations {
    /// Lays out its boxes, and tells where they are, in points.
    fn lay_out(&self, egui: &egui::Context, camera: &Camera, pixels_per_point: f32) -> Vec<Rect> {
        let screen = egui.content_rect().width();
        let widest = 0.6 * screen;
        let text = |ui: &mut egui::Ui, text: &str, size: f32, widest: f32| {
            ui.set_max_width(widest);
            ui.style_mut().wrap_mode = Some(egui::TextWrapMode::Wrap);
            ui.label(RichText::new(text).size(size).color(Palette::of(ui.visuals()).strong));
        };
        let mut boxes = Vec::new();
        if !self.title.is_empty() {
            boxes.push(panel_rect(egui, &TITLE, 0.0, |ui| text(ui, &self.title, 20.0, widest)));
        }
        let north_and_scale = |ui: &mut egui::Ui| {
            marks(ui, &self.view, camera, (pixels_per_point, Units::Metric));
        };
        let marks = panel_rect(egui, &MARKS, 0.0, north_and_scale);
        boxes.push(marks);
        // Beside them, within the padding of its own box. Widths are known at once, places when boxes have been laid out.
        let beside = screen - marks.width() - GAP - 2.0 * (MARGIN_PT + PADDING_PT.x);
        boxes.push(panel_rect(egui, &CREDIT, 0.0, |ui| text(ui, &self.credit, 11.0, beside.clamp(0.0, widest))));
        if self.legend.is_none() && self.layers.is_empty() && self.notes.is_empty() {
            return boxes;
        }
        let of_legend = panel_rect(egui, &LEGEND, marks.height() + GAP, |ui| {
            if let Some(shown) = &self.legend {
                legend(ui, shown);
            }
            if !self.layers.is_empty() {
                sources(ui, &self.layers);
            }
            if !self.notes.is_empty() {
                text(ui, &self.notes, 12.0, widest);
            }
        });
        boxes.push(of_legend);
        boxes
    }
}

#[cfg(test)]
mod tests {
    use egui::vec2;

    use super::*;
    use crate::camera::Pose;

    /// Law: everything that is to be read stands inside the picture, above nothing else, in a picture of any size.
    #[test]
    fn a_map_has_its_parts_beside_each_other() {
        let legend = Legend::of_heights(Overlays::default(), Ramp::Atlas, (0.0, 4_000.0), 46.0);
        let mut sheet = MapAnnotations {
            title: String::from("The Alps"),
            legend,
            layers: Vec::new(),
            notes: String::from("contours 200 m  graticule 0.5°"),
            view: VisibleGround::default(),
            credit: String::from("ETOPO5 (embedded), datum mean sea level; Orogen"),
        };
        let camera = Camera::from_pose(&Pose::HOME);
        for size_px in [(160, 120), (320, 240), (240, 400), (480, 270), (640, 360), (1280, 720), (3840, 2160)] {
            let egui = egui::Context::default();
            let scale = pixels_per_point(size_px, 1.0);
            let size = vec2(size_px.0 as f32, size_px.1 as f32) / scale;
            let screen = Rect::from_min_size(egui::Pos2::ZERO, size);
            sheet.view.pixel_m = Some(120.0 / f64::from(scale));
            let (mut shapes, mut boxes) = (Vec::new(), Vec::new());
            for _ in 0..2 {
                let input = Painter::input(size_px, scale);
                let mut output = egui.run_ui(input, |ui| boxes = sheet.lay_out(&ui.ctx().clone(), &camera, scale));
                output.textures_delta.clear();
                shapes = output.shapes;
            }
            let written: Vec<(String, Rect)> = shapes
                .iter()
                .filter_map(|clipped| match &clipped.shape {
                    egui::Shape::Text(text) => Some((text.galley.text().to_owned(), text.visual_bounding_rect())),
                    _ => None,
                })
                .collect();
            for wanted in ["The Alps", "height, metres", "1000", "N", "10 km", &sheet.notes, &sheet.credit] {
                assert!(written.iter().any(|(text, _)| text == wanted), "{wanted} is not in {written:?}");
            }
            for (text, at) in &written {
                assert!(boxes.iter().any(|one| one.contains_rect(*at)), "{text} is in none of {boxes:?}");
                assert!(screen.contains_rect(*at), "{text} is outside {size}");
                let over = written.iter().find(|(other, rect)| other != text && rect.shrink(2.0).intersects(*at));
                assert!(over.is_none(), "{text} is written over {over:?}");
            }
        }
    }
}
