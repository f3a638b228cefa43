//! What stands at the upper edge? The search for a place, and a button for what newcomers look for.

use egui::{Button, RichText, vec2};

use super::goto;
use super::state::{Hud, HudRequests, SearchField};
use crate::bookmarks::Bookmarks;
use crate::input::Keymap;
use crate::input::bindings::Action;
use crate::recent_places::RecentPlaces;
use crate::theme::Palette;

/// Points of width of the field at most, and of what stands beside it.
const FIELD_PT: f32 = 210.0;
const BESIDE_FIELD_PT: f32 = 110.0;
/// In a narrower window the buttons stand in a menu, points.
const NARROW_PT: f32 = 900.0;

/// The buttons with their words, in groups.
const GROUPS: [&[(&str, Action)]; 3] = [
    &[("Home", Action::Home), ("North", Action::NorthUp), ("Tilt", Action::TopDown)],
    &[("Layers", Action::ToggleLayers), ("Sun", Action::ToggleSun), ("Measure", Action::Measure)],
    &[("Settings", Action::TogglePanel), ("Full screen", Action::FullScreen), ("Help", Action::ToggleHelp)],
];

/// Lays the bar out; buttons ask for what their keys do.
pub(super) fn toolbar(
    ui: &mut egui::Ui,
    hud: &mut Hud,
    (bookmarks, recent, keymap): (&Bookmarks, &RecentPlaces, &Keymap),
    wanted: &mut HudRequests,
) {
    let palette = Palette::of(ui.visuals());
    let width_pt = ui.ctx().content_rect().width();
    let field_pt = FIELD_PT.min(width_pt - BESIDE_FIELD_PT).max(60.0);
    let typed = ui.horizontal(|ui| {
        let typed = match (&mut hud.naming, &mut hud.goto) {
            (Some(naming), _) => {
                goto::name(ui, naming, field_pt, wanted);
                None
            }
            (None, Some(goto)) => Some(goto::edit(ui, goto, (bookmarks, recent), field_pt)),
            (None, None) => {
                let words = RichText::new("Search a place").color(palette.weak);
                let field = Button::new(words).fill(palette.field).min_size(vec2(field_pt, 0.0));
                if ui.add(field).on_hover_text(keys_of(keymap, Action::GoTo)).clicked() {
                    hud.goto = Some(SearchField::new(bookmarks, recent));
                }
                None
            }
        };
        if width_pt < NARROW_PT {
            ui.menu_button("Menu", |ui| GROUPS.iter().for_each(|group| buttons(ui, group, keymap, wanted)));
        } else {
            for group in GROUPS {
                ui.separator();
                buttons(ui, group, keymap, wanted);
            }
        }
        typed
    });
    if hud.naming.is_some() {
        ui.label(RichText::new("name of this view: Enter keeps it, Esc does not").color(palette.weak));
    }
    if let (Some(goto), Some(typed)) = (&mut hud.goto, typed.inner) {
        goto::answers(ui, goto, &typed, wanted);
    }
}

fn buttons(ui: &mut egui::Ui, group: &[(&str, Action)], keymap: &Keymap, wanted: &mut HudRequests) {
    let colour = Palette::of(ui.visuals()).text;
    for (words, action) in group {
        let button = Button::new(RichText::new(*words).color(colour)).frame_when_inactive(false);
        if ui.add(button).on_hover_text(keys_of(keymap, *action)).clicked() {
            wanted.actions.push(*action);
        }
    }
}

/// What a button does, and the keys that do the same.
fn keys_of(keymap: &Keymap, action: Action) -> String {
    let line = keymap.lines().iter().find(|line| line.action == action);
    line.map_or_else(String::new, |line| format!("{} ({})", line.does, line.keys))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Law: every button says what it does, and with which key the same is done.
    #[test]
    fn every_button_has_a_key() {
        let keymap = Keymap::default();
        for (words, action) in GROUPS.iter().flat_map(|group| group.iter()) {
            assert!(keys_of(&keymap, *action).ends_with(')'), "{words}");
        }
        assert!(keys_of(&keymap, Action::GoTo).contains("search"));
    }
}
