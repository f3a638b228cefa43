//! Where do the boxes of the display stand, and how dark are they?

use egui::{Align2, Color32};

/// A dark box in the window.
pub(super) struct Panel {
    /// Its name, unlike any other's.
    pub name: &'static str,
    /// Where, with a margin.
    pub at: Align2,
    /// Opacity of its ground.
    pub darkness: u8,
    /// Takes the mouse; otherwise a drag over it moves the globe.
    pub takes_mouse: bool,
    /// Lies over the boxes that people move.
    pub on_top: bool,
}

pub(super) const FIGURES: Panel =
    Panel { name: "figures", at: Align2::LEFT_BOTTOM, darkness: 150, takes_mouse: false, on_top: false };
pub(super) const RECORDING: Panel =
    Panel { name: "recording", at: Align2::LEFT_TOP, darkness: 150, takes_mouse: false, on_top: false };
pub(super) const MESSAGE: Panel =
    Panel { name: "message", at: Align2::RIGHT_TOP, darkness: 150, takes_mouse: false, on_top: true };
pub(super) const MEASURE: Panel =
    Panel { name: "measure", at: Align2::RIGHT_BOTTOM, darkness: 190, takes_mouse: false, on_top: false };
pub(super) const MARKS: Panel =
    Panel { name: "marks", at: Align2::RIGHT_BOTTOM, darkness: 150, takes_mouse: true, on_top: false };
pub(super) const LEGEND: Panel =
    Panel { name: "legend", at: Align2::RIGHT_BOTTOM, darkness: 150, takes_mouse: false, on_top: false };
pub(super) const HELP: Panel =
    Panel { name: "help", at: Align2::CENTER_CENTER, darkness: 215, takes_mouse: true, on_top: false };
pub(super) const TOOLBAR: Panel =
    Panel { name: "toolbar", at: Align2::LEFT_TOP, darkness: 190, takes_mouse: true, on_top: false };
pub(super) const SKYLINE: Panel =
    Panel { name: "skyline", at: Align2::CENTER_TOP, darkness: 170, takes_mouse: true, on_top: false };
pub(super) const HINT: Panel =
    Panel { name: "hint", at: Align2::CENTER_BOTTOM, darkness: 190, takes_mouse: false, on_top: false };

/// Lays a box out, and returns its height; `lift` moves it further from its edge.
pub(super) fn boxed(egui: &egui::Context, panel: &Panel, lift: f32, content: impl FnOnce(&mut egui::Ui)) -> f32 {
    let margin = -panel.at.to_sign() * egui::vec2(8.0, 8.0 + lift);
    let area = egui::Area::new(egui::Id::unique(panel.name)).anchor(panel.at, margin);
    let area = if panel.on_top { area.order(egui::Order::Tooltip) } else { area };
    let shown = area.interactable(panel.takes_mouse).show(egui, |ui| {
        egui::Frame::new()
            .fill(Color32::from_black_alpha(panel.darkness))
            .corner_radius(6.0)
            .inner_margin(egui::Margin::symmetric(10, 6))
            .show(ui, |ui| {
                ui.style_mut().wrap_mode = Some(egui::TextWrapMode::Extend);
                content(ui);
            });
    });
    shown.response.rect.height()
}
