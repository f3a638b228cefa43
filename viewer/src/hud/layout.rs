//! Where do the boxes of the display stand, and how dark are they?

use egui::{Align2, Id, LayerId, Order, Rect, Slider, vec2};

use crate::annotations::{MARGIN_PT, Panel};

/// Edges on both sides of a text as wide as the window, points.
const BESIDE_TEXT_PT: f32 = 36.0;

pub(super) const FIGURES: Panel = Panel::new("figures", Align2::LEFT_BOTTOM, 150).taking_mouse();
pub(super) const RECORDING: Panel = Panel::new("recording", Align2::LEFT_TOP, 150);
pub(super) const MESSAGE: Panel = Panel::new("message", Align2::LEFT_BOTTOM, 150).on_top();
/// In one of the [`CORNERS`].
pub(super) const MEASURE: Panel = Panel::new("measure", Align2::RIGHT_BOTTOM, 190).taking_mouse();
pub(super) const HELP: Panel = Panel::new("help", Align2::CENTER_CENTER, 215).taking_mouse();
pub(super) const TOOLBAR: Panel = Panel::new("toolbar", Align2::LEFT_TOP, 190).taking_mouse();
pub(super) const SKYLINE: Panel = Panel::new("skyline", Align2::CENTER_TOP, 170).taking_mouse();
pub(super) const HINT: Panel = Panel::new("hint", Align2::CENTER_BOTTOM, 190);

/// Lets text of a box break rather than lose its end in a narrow window.
pub(super) fn wrap(ui: &mut egui::Ui) {
    ui.set_max_width(ui.ctx().content_rect().width() - BESIDE_TEXT_PT);
    ui.style_mut().wrap_mode = Some(egui::TextWrapMode::Wrap);
}

/// The names of what people move.
pub(super) const WINDOWS: [&str; 4] = ["Settings and times", "Layers", "Sun", "Placemark"];

/// A window from this size on has room for a panel, points.
const ROOMY_PT: egui::Vec2 = vec2(640.0, 400.0);

/// What a panel's place and size are remembered by: those in a window that is too low or narrow for it are others than those in a larger one.
pub(super) fn window_id(egui: &egui::Context, name: &'static str) -> Id {
    let size = egui.content_rect().size();
    Id::unique(name).with(size.x < ROOMY_PT.x || size.y < ROOMY_PT.y)
}

/// Puts open panels, which people move, over boxes that came back since.
pub(super) fn keep_below_panels(egui: &egui::Context, boxes: &[Panel]) {
    let panels = WINDOWS.map(|name| window_id(egui, name));
    let is_box = |layer: &LayerId| boxes.iter().any(|one| layer.id == Id::unique(one.name));
    let is_panel = |layer: &LayerId| panels.contains(&layer.id);
    // Those that are closed have their place in the order, too, and what is moved is taken for open.
    let order: Vec<LayerId> = egui.memory(|memory| {
        let is_shown = |layer: &LayerId| layer.order == Order::Middle && memory.areas().visible_last_frame(layer);
        memory.layer_ids().filter(is_shown).collect()
    });
    let (highest_box, lowest_panel) = (order.iter().rposition(is_box), order.iter().position(is_panel));
    if lowest_panel.is_some() && highest_box > lowest_panel {
        order.iter().filter(|layer| is_panel(layer)).for_each(|layer| egui.move_to_top(*layer));
    }
}

/// Where a box stood last.
pub(super) fn last_rect(egui: &egui::Context, panel: &Panel) -> Option<Rect> {
    egui.memory(|memory| memory.area_rect(Id::unique(panel.name)))
}

/// Corners for a box, the first one first.
pub(super) const CORNERS: [Align2; 4] =
    [Align2::RIGHT_BOTTOM, Align2::LEFT_BOTTOM, Align2::RIGHT_TOP, Align2::LEFT_TOP];

/// The corner in which a box hides least of what is seen: that in which it stands, by its number, unless another one hides less. A corner's
/// lift is what lies between it and the box, points.
pub(super) fn freest_corner(
    egui: &egui::Context,
    panel: &Panel,
    now: usize,
    (lifts, seen): ([f32; 4], &[Rect]),
) -> usize {
    let Some(size) = last_rect(egui, panel).map(|rect| rect.size()) else {
        return now;
    };
    let hidden = |corner: usize| {
        let at = CORNERS[corner];
        let inside = egui.content_rect().shrink(MARGIN_PT).translate(-at.to_sign() * vec2(0.0, lifts[corner]));
        let place = at.align_size_within_rect(size, inside);
        seen.iter().filter(|one| one.intersects(place)).count()
    };
    // The first one of equals, but none is better than that of now.
    (0..CORNERS.len()).fold(now, |best, corner| if hidden(corner) < hidden(best) { corner } else { best })
}

/// A number with its name, and what it means where that needs words; true if it was changed.
pub(super) fn number(
    ui: &mut egui::Ui,
    (name, meaning): (&str, &str),
    value: &mut f64,
    range: std::ops::RangeInclusive<f64>,
    unit: &str,
) -> bool {
    let logarithmic = *range.start() > 0.0 && range.end() / range.start() > 20.0;
    let slider = Slider::new(value, range).logarithmic(logarithmic).suffix(unit).max_decimals(2);
    explained(ui.add(slider.text(name)), meaning).changed()
}

/// What something means is told to who points at it.
fn explained(shown: egui::Response, meaning: &str) -> egui::Response {
    if meaning.is_empty() { shown } else { shown.on_hover_text(meaning) }
}

#[cfg(test)]
mod tests {
    use egui::pos2;
    use proptest::prelude::*;

    use crate::annotations::show_panel;

    use super::*;

    proptest! {
        /// Law: a box hides no more than it has to: of all corners it stands in one that hides least, and it stays where it is unless
        /// another one hides less.
        #[test]
        fn a_box_hides_least(pins in prop::collection::vec((0.0..960.0_f32, 0.0..600.0_f32), 0..6), now in 0..4_usize) {
            let egui = egui::Context::default();
            let (screen, size) = (Rect::from_min_size(egui::Pos2::ZERO, vec2(960.0, 600.0)), vec2(440.0, 190.0));
            let lifts = [90.0, 50.0, 40.0, 40.0];
            let pins: Vec<Rect> = pins.iter().map(|(x, y)| Rect::from_center_size(pos2(*x, *y), vec2(15.0, 37.0))).collect();
            let (mut corner, mut shown) = (now, Vec::new());
            let frame = |corner: usize| {
                let input = egui::RawInput { screen_rect: Some(screen), ..egui::RawInput::default() };
                let mut next = corner;
                egui.run_ui(input, |ui| {
                    next = freest_corner(ui.ctx(), &MEASURE, corner, (lifts, &pins));
                    let panel = Panel { at: CORNERS[next], ..MEASURE };
                    show_panel(ui.ctx(), &panel, lifts[next], |ui| _ = ui.allocate_space(size));
                })
                .textures_delta
                .clear();
                (next, last_rect(&egui, &MEASURE).expect("a box"))
            };
            for _ in 0..4 {
                let (next, rect) = frame(corner);
                corner = next;
                shown.push((next, rect));
            }
            let hidden = |rect: Rect| pins.iter().filter(|pin| pin.intersects(rect)).count();
            let (last, rect) = shown[3];
            prop_assert_eq!((last, rect), shown[2], "it stands still");
            prop_assert!(screen.contains_rect(rect) && rect.size().x >= size.x);
            // Wherever else it could stand.
            for other in 0..4 {
                let inside = screen.shrink(MARGIN_PT).translate(-CORNERS[other].to_sign() * vec2(0.0, lifts[other]));
                let there = CORNERS[other].align_size_within_rect(rect.size(), inside);
                prop_assert!(hidden(rect) <= hidden(there), "{} {rect} {there}", CORNERS[other].to_sign());
                prop_assert!(other != now || other == last || hidden(rect) < hidden(there), "it moved for nothing");
            }
        }
    }
}
