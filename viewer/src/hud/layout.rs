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

impl Panel {
    /// A box that the mouse goes through, under those that people move.
    const fn new(name: &'static str, at: Align2, darkness: u8) -> Panel {
        Panel { name, at, darkness, takes_mouse: false, on_top: false }
    }

    const fn taking_mouse(self) -> Panel {
        Panel { takes_mouse: true, ..self }
    }

    const fn on_top(self) -> Panel {
        Panel { on_top: true, ..self }
    }
}

pub(super) const FIGURES: Panel = Panel::new("figures", Align2::LEFT_BOTTOM, 150);
pub(super) const RECORDING: Panel = Panel::new("recording", Align2::LEFT_TOP, 150);
pub(super) const MESSAGE: Panel = Panel::new("message", Align2::RIGHT_TOP, 150).on_top();
pub(super) const MEASURE: Panel = Panel::new("measure", Align2::RIGHT_BOTTOM, 190);
pub(super) const MARKS: Panel = Panel::new("marks", Align2::RIGHT_BOTTOM, 150).taking_mouse();
pub(super) const LEGEND: Panel = Panel::new("legend", Align2::RIGHT_BOTTOM, 150);
pub(super) const HELP: Panel = Panel::new("help", Align2::CENTER_CENTER, 215).taking_mouse();
pub(super) const TOOLBAR: Panel = Panel::new("toolbar", Align2::LEFT_TOP, 190).taking_mouse();
pub(super) const SKYLINE: Panel = Panel::new("skyline", Align2::CENTER_TOP, 170).taking_mouse();
pub(super) const HINT: Panel = Panel::new("hint", Align2::CENTER_BOTTOM, 190);

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
