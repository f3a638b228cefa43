//! How is the meaning of colours laid out? A ramp with numbers below it.

use egui::{Align2, Color32, FontId, Rect, RichText, Sense, pos2, vec2};

use crate::render::{Legend, layer_colour};
use crate::theme::Palette;

/// Size of the ramp.
const SIZE: egui::Vec2 = vec2(230.0, 12.0);

/// Lays it out.
pub fn legend(ui: &mut egui::Ui, legend: &Legend) {
    let palette = Palette::of(ui.visuals());
    ui.label(RichText::new(legend.title).size(12.0).color(palette.text));
    let (response, painter) = ui.allocate_painter(SIZE + vec2(24.0, 16.0), Sense::hover());
    let start = response.rect.left_top() + vec2(6.0, 0.0);
    let width = SIZE.x / legend.colours.len() as f32;
    for (piece, [r, g, b]) in legend.colours.iter().enumerate() {
        let corner = start + vec2(piece as f32 * width, 0.0);
        // A little wider, so that no seam shows.
        painter.rect_filled(Rect::from_min_size(corner, vec2(width + 0.5, SIZE.y)), 0.0, Color32::from_rgb(*r, *g, *b));
    }
    for (part, text) in &legend.ticks {
        let x = start.x + part * SIZE.x;
        painter.line_segment([pos2(x, start.y), pos2(x, start.y + SIZE.y + 2.0)], (1.0, Color32::from_gray(20)));
        let (at, font) = (pos2(x, start.y + SIZE.y + 2.0), FontId::proportional(10.5));
        painter.text(at, Align2::CENTER_TOP, text, font, palette.value);
    }
}

/// Most layers with a line of their own.
const MOST_LAYERS: usize = 12;

/// Lays out which layer has which colour.
pub fn sources(ui: &mut egui::Ui, names: &[String]) {
    let palette = Palette::of(ui.visuals());
    ui.label(RichText::new("heights come from").size(12.0).color(palette.text));
    for (layer, name) in names.iter().enumerate() {
        if layer >= MOST_LAYERS && layer + 1 < names.len() {
            continue;
        }
        ui.horizontal(|ui| {
            let (response, painter) = ui.allocate_painter(vec2(14.0, 12.0), Sense::hover());
            let [r, g, b] = layer_colour(layer, names.len()).to_array().map(|value| (value * 255.0).round() as u8);
            painter.rect_filled(response.rect, 2.0, Color32::from_rgb(r, g, b));
            ui.label(RichText::new(name).size(11.5).color(palette.value));
        });
    }
}
