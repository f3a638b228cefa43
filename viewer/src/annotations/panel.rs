//! How does a box with text look, and at which edge of a picture does it stand?

use egui::{Align2, Id, Rect, Vec2, vec2};

use crate::theme::Palette;

/// A box over a picture, dark or light as the theme is.
pub struct Panel {
    /// Its name, unlike any other's.
    pub name: &'static str,
    /// Where, with a margin.
    pub at: Align2,
    /// Opacity of its ground where it is dark.
    pub darkness: u8,
    /// Takes the mouse; otherwise a drag over it moves the globe.
    pub takes_mouse: bool,
    /// Lies over the boxes that people move.
    pub on_top: bool,
}

impl Panel {
    /// A box that the mouse goes through, under those that people move.
    pub const fn new(name: &'static str, at: Align2, darkness: u8) -> Panel {
        Panel { name, at, darkness, takes_mouse: false, on_top: false }
    }

    /// It takes the mouse.
    pub const fn taking_mouse(self) -> Panel {
        Panel { takes_mouse: true, ..self }
    }

    /// It lies over the boxes that people move.
    pub const fn on_top(self) -> Panel {
        Panel { on_top: true, ..self }
    }
}

/// Compass, scale bar and sources.
pub const MARKS: Panel = Panel::new("marks", Align2::RIGHT_BOTTOM, 150).taking_mouse();
/// What colours mean.
pub const LEGEND: Panel = Panel::new("legend", Align2::RIGHT_BOTTOM, 150);

/// Between two boxes above each other, points.
pub const GAP: f32 = 8.0;
/// Between a box and the edge of the picture, points.
pub const MARGIN_PT: f32 = 8.0;
/// Between the edge of a box and what is in it, points.
pub const PADDING_PT: Vec2 = vec2(10.0, 6.0);

/// Lays a box out, and returns its height; `lift` moves it further from its edge.
pub fn show_panel(egui: &egui::Context, panel: &Panel, lift: f32, content: impl FnOnce(&mut egui::Ui)) -> f32 {
    panel_rect(egui, panel, lift, content).height()
}

/// The same, with its place in points.
pub fn panel_rect(egui: &egui::Context, panel: &Panel, lift: f32, content: impl FnOnce(&mut egui::Ui)) -> Rect {
    let margin = -panel.at.to_sign() * vec2(MARGIN_PT, MARGIN_PT + lift);
    let area = egui::Area::new(Id::unique(panel.name)).anchor(panel.at, margin);
    let area = if panel.on_top { area.order(egui::Order::Tooltip) } else { area };
    let shown = area.interactable(panel.takes_mouse).show(egui, |ui| {
        egui::Frame::new()
            .fill(Palette::of(ui.visuals()).ground(panel.darkness))
            .corner_radius(6.0)
            .inner_margin(egui::Margin::from(PADDING_PT))
            .show(ui, |ui| {
                ui.style_mut().wrap_mode = Some(egui::TextWrapMode::Extend);
                content(ui);
            });
    });
    shown.response.rect
}
