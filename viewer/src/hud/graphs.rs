//! How are times and shares drawn? A line for each part of a frame, a bar for each thing that can be full.

use egui::{Align2, Color32, FontId, ProgressBar, RichText, Sense, Shape, Stroke, pos2, vec2};

use super::frame_history::{FrameHistory, SERIES};
use crate::theme::Palette;

/// The times of the last frames as lines, and the median and worst of each.
pub(super) fn times(ui: &mut egui::Ui, history: &FrameHistory, target_ms: Option<f64>) {
    let (response, painter) = ui.allocate_painter(vec2(ui.available_width(), 96.0), Sense::hover());
    let (area, palette) = (response.rect, Palette::of(ui.visuals()));
    painter.rect_filled(area, 3.0, palette.plot);
    let top_ms = ceiling(history.spread(0).map_or(0.0, |(_, worst)| worst).max(target_ms.unwrap_or(0.0)));
    let y = |ms: f64| area.bottom() - (ms / top_ms) as f32 * area.height();
    if let Some(target_ms) = target_ms {
        let line = [pos2(area.left(), y(target_ms)), pos2(area.right(), y(target_ms))];
        painter.extend(Shape::dashed_line(&line, Stroke::new(1.0, palette.veil(110)), 4.0, 4.0));
    }
    let colours: [Color32; SERIES.len()] = palette.series;
    let step = area.width() / history.capacity() as f32;
    for (index, colour) in colours.iter().enumerate() {
        let points = history.series(index).map(|(back, ms)| pos2(area.right() - back as f32 * step, y(ms.min(top_ms))));
        painter.add(Shape::line(points.collect(), Stroke::new(1.0, *colour)));
    }
    let said = format!("{top_ms:.0} ms");
    painter.text(area.left_top() + vec2(4.0, 2.0), Align2::LEFT_TOP, said, FontId::proportional(10.0), palette.weak);
    egui::Grid::new("times").num_columns(3).spacing([14.0, 1.0]).show(ui, |ui| {
        for (index, (name, colour)) in SERIES.iter().zip(colours).enumerate() {
            let Some((median, worst)) = history.spread(index) else { continue };
            ui.label(RichText::new(format!("• {name}")).color(colour).size(12.0));
            ui.label(RichText::new(format!("{median:.2} ms")).size(12.0));
            ui.label(RichText::new(format!("worst {worst:.1}")).size(12.0).color(palette.weak));
            ui.end_row();
        }
    });
}

/// How much of something is used: a bar with its numbers on it.
pub(super) fn usage_bar(ui: &mut egui::Ui, used: f64, whole: f64, text: String) {
    let part = if whole > 0.0 { (used / whole).clamp(0.0, 1.0) } else { 0.0 };
    let [plain, full] = Palette::of(ui.visuals()).bars;
    let colour = if part > 0.95 { full } else { plain };
    ui.add(ProgressBar::new(part as f32).fill(colour).desired_height(16.0).text(RichText::new(text).size(11.5)));
}

/// The next of 1, 2, 5, 10, 20, 50 ... that is not below a time, at least 10: an axis that does not move all the time.
fn ceiling(ms: f64) -> f64 {
    let mut top = 10.0;
    for factor in [2.0, 2.5, 2.0].into_iter().cycle() {
        if top >= ms || top > 1e6 {
            break;
        }
        top *= factor;
    }
    top
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_end_at_round_numbers() {
        assert_eq!([0.0, 10.0, 11.0, 21.0, 51.0, 101.0].map(ceiling), [10.0, 10.0, 20.0, 50.0, 100.0, 200.0]);
        assert!(ceiling(f64::INFINITY).is_finite() && ceiling(f64::NAN).is_finite());
    }
}
