//! How does a label look? Text along its line, or above its place, with a rim in the colour that it is not.

use std::sync::Arc;

use egui::epaint::TextShape;
use egui::text::LayoutJob;
use egui::{Align2, Color32, FontId, Galley, Pos2, Shape, Stroke, pos2, vec2};
use glam::DVec2;
use gpu::Gpu;

use super::label_view::LabelView;
use super::placement::{Label, TEXT_PT};
use super::style::Symbol;
use super::subject::Subject;
use crate::painter::Painter;
use crate::render::{AuxiliaryPass, FrameTimer};

/// Width of the rim, points.
const RIM_PT: f32 = 1.1;

/// How much of its colour each of the eight copies adds.
const RIM_OF_LINES: f32 = 0.55;
const RIM_OF_NAMES: f32 = 0.45;

/// Records labels over every picture; `timer` times the first.
pub(super) fn paint(
    painter: &mut Painter,
    gpu: &Gpu,
    encoder: &mut wgpu::CommandEncoder,
    pictures: &[wgpu::TextureView],
    eye: &LabelView<'_>,
    labels: &[Label],
    timer: Option<&mut FrameTimer>,
) {
    let (size_px, scale) = (eye.viewport.size_px, eye.viewport.pixels_per_point);
    let input = Painter::input(size_px, scale);
    let mut output = painter.egui().clone().run_ui(input, |ui| {
        let layer = ui.ctx().layer_painter(egui::LayerId::background());
        for label in labels {
            write(&layer, eye, label);
        }
    });
    painter.paint(gpu, encoder, pictures, size_px, &mut output, timer.map(|timer| (timer, AuxiliaryPass::Labels)));
}

/// Text and rim of a kind of line.
fn colours(line: Subject) -> (Color32, Color32) {
    match line {
        Subject::Contour(height_m) if height_m < 0 => (Color32::from_rgb(12, 40, 92), Color32::from_rgb(214, 230, 246)),
        Subject::Contour(_) => (Color32::from_rgb(66, 34, 12), Color32::from_rgb(250, 240, 220)),
        _ => (Color32::from_gray(250), Color32::from_gray(24)),
    }
}

fn write(layer: &egui::Painter, eye: &LabelView<'_>, label: &Label) {
    let subject = label.anchor.subject;
    let text = subject.text(label.anchor.digits, eye.features).into_owned();
    let opacity = label.opacity.clamp(0.0, 1.0) as f32;
    let DVec2 { x, y } = label.at.centre;
    let centre = pos2(x as f32, y as f32);
    let Some(style) = eye.style(subject) else {
        let (ink, rim) = colours(subject);
        let galley = layer.layout_no_wrap(text, FontId::proportional(TEXT_PT as f32), ink);
        let angle = label.at.along.y.atan2(label.at.along.x) as f32;
        return write_at(layer, &galley, (centre, angle), (ink, rim, RIM_OF_LINES), opacity);
    };
    let galley = layer.layout_job(LayoutJob::single_section(text, style.format()));
    // From the middle of text and mark to that of each.
    let at = centre + vec2(0.0, (label.at.half.y - style.below_pt()) as f32);
    let text_at = at - vec2(0.0, style.above_pt() as f32);
    let (ink, rim) = (style.mark_ink.gamma_multiply(opacity), style.rim.gamma_multiply(opacity));
    let size = style.mark_pt as f32;
    match style.mark {
        Symbol::None => {}
        Symbol::Dot => drop(layer.circle(at, size - 0.5, ink, Stroke::new(1.0, rim))),
        Symbol::Triangle => {
            let corners = vec![at + vec2(0.0, -size), at + vec2(size, size), at + vec2(-size, size)];
            layer.add(Shape::convex_polygon(corners, ink, Stroke::new(1.0, rim)));
        }
    }
    write_at(layer, &galley, (text_at, 0.0), (style.ink, style.rim, RIM_OF_NAMES), opacity);
}

/// Text with its middle at a point, at an angle, in a colour with a rim of another, which counts by a part.
fn write_at(
    layer: &egui::Painter,
    galley: &Arc<Galley>,
    (centre, angle): (Pos2, f32),
    (ink, rim, part): (Color32, Color32, f32),
    opacity: f32,
) {
    let at = |away: egui::Vec2, colour: Color32, opacity: f32| {
        let corner = centre - 0.5 * galley.size() + away;
        TextShape::new(corner, galley.clone(), colour)
            .with_override_text_color(colour)
            .with_angle_and_anchor(angle, Align2::CENTER_CENTER)
            .with_opacity_factor(opacity)
    };
    for eighth in 0..8 {
        let turn = egui::Vec2::angled(eighth as f32 * std::f32::consts::FRAC_PI_4);
        layer.add(at(RIM_PT * turn, rim, part * opacity));
    }
    layer.add(at(egui::Vec2::ZERO, ink, opacity));
}
