//! How does a label look? Text along its line, with a rim in the colour that it is not.

use egui::epaint::TextShape;
use egui::{Align2, Color32, FontId, pos2};
use glam::DVec2;
use gpu::Gpu;

use super::line::Line;
use super::placing::{Label, TEXT_PT};
use crate::frame::Viewport;
use crate::painter::Painter;
use crate::render::{Beside, FrameTimer};

/// Width of the rim, points.
const RIM_PT: f32 = 1.1;

/// Records labels over every picture; `timer` times the first.
pub(super) fn paint(
    painter: &mut Painter,
    gpu: &Gpu,
    encoder: &mut wgpu::CommandEncoder,
    pictures: &[wgpu::TextureView],
    viewport: &Viewport,
    labels: &[Label],
    timer: Option<&mut FrameTimer>,
) {
    let (size_px, scale) = (viewport.size_px, viewport.pixels_per_point);
    let input = Painter::input(size_px, scale);
    let mut output = painter.egui().clone().run_ui(input, |ui| {
        let layer = ui.ctx().layer_painter(egui::LayerId::background());
        for label in labels {
            write(&layer, label);
        }
    });
    painter.paint(gpu, encoder, pictures, size_px, &mut output, timer.map(|timer| (timer, Beside::Labels)));
}

/// Text and rim of a kind of line.
fn colours(line: Line) -> (Color32, Color32) {
    match line {
        Line::Contour(height_m) if height_m < 0 => (Color32::from_rgb(12, 40, 92), Color32::from_rgb(214, 230, 246)),
        Line::Contour(_) => (Color32::from_rgb(66, 34, 12), Color32::from_rgb(250, 240, 220)),
        Line::Parallel(_) | Line::Meridian(_) => (Color32::from_gray(250), Color32::from_gray(24)),
    }
}

fn write(layer: &egui::Painter, label: &Label) {
    let (ink, rim) = colours(label.spot.line);
    let opacity = label.opacity.clamp(0.0, 1.0) as f32;
    let galley =
        layer.layout_no_wrap(label.spot.line.text(label.spot.digits), FontId::proportional(TEXT_PT as f32), ink);
    let angle = label.at.along.y.atan2(label.at.along.x) as f32;
    let DVec2 { x, y } = label.at.centre;
    let at = |away: egui::Vec2, colour: Color32, opacity: f32| {
        let corner = pos2(x as f32, y as f32) - 0.5 * galley.size() + away;
        TextShape::new(corner, galley.clone(), colour)
            .with_override_text_color(colour)
            .with_angle_and_anchor(angle, Align2::CENTER_CENTER)
            .with_opacity_factor(opacity)
    };
    for eighth in 0..8 {
        let turn = egui::Vec2::angled(eighth as f32 * std::f32::consts::FRAC_PI_4);
        layer.add(at(RIM_PT * turn, rim, 0.55 * opacity));
    }
    layer.add(at(egui::Vec2::ZERO, ink, opacity));
}
