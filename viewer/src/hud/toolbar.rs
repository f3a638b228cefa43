//! What stands at the upper edge? The search for a place, and a button for what newcomers look for.

use egui::{Button, RichText, vec2};

use super::goto;
use super::state::{Hud, HudRequests, SearchField};
use crate::bookmark_pictures::BookmarkPictures;
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

/// What a press makes of the view, and of a map.
const MAP: &str = "2D";
const TILTED: &str = "3D";

/// The buttons with their words, in groups.
const GROUPS: [&[(&str, Action)]; 4] = [
    &[("Home", Action::Home), ("North", Action::NorthUp), ("Tilt", Action::TopDown)],
    &[("Layers", Action::ToggleLayers), ("Sun", Action::ToggleSun), ("Measure", Action::Measure)],
    &[("Settings", Action::TogglePanel), ("Full screen", Action::FullScreen), ("Help", Action::ToggleHelp)],
    // Where the others stand does not change by it.
    &[(MAP, Action::MapView)],
];

/// Lays the bar out over a view that is a map, or not; buttons ask for what their keys do.
pub(super) fn toolbar(
    ui: &mut egui::Ui,
    hud: &mut Hud,
    (bookmarks, pictures, recent): (&Bookmarks, &BookmarkPictures, &RecentPlaces),
    (keymap, is_map): (&Keymap, bool),
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
            ui.menu_button("Menu", |ui| GROUPS.iter().for_each(|group| buttons(ui, group, (keymap, is_map), wanted)));
        } else {
            for group in GROUPS {
                ui.separator();
                buttons(ui, group, (keymap, is_map), wanted);
            }
        }
        typed
    });
    if hud.naming.is_some() {
        ui.label(RichText::new("name of this view: Enter keeps it, Esc does not").color(palette.weak));
    }
    if let (Some(goto), Some(typed)) = (&mut hud.goto, typed.inner) {
        goto::answers(ui, goto, (&typed, pictures), wanted);
    }
}

fn buttons(ui: &mut egui::Ui, group: &[(&str, Action)], (keymap, is_map): (&Keymap, bool), wanted: &mut HudRequests) {
    let colour = Palette::of(ui.visuals()).text;
    for (words, action) in group {
        let words = if is_map && *action == Action::MapView { TILTED } else { *words };
        let button = Button::new(RichText::new(words).color(colour)).frame_when_inactive(false);
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
    use egui::Rect;

    use super::*;
    use crate::annotations::{MARGIN_PT, show_panel};
    use crate::hud::layout::{TOOLBAR, last_rect};

    /// Law: every button says what it does, and with which key the same is done.
    #[test]
    fn every_button_has_a_key() {
        let keymap = Keymap::default();
        for (words, action) in GROUPS.iter().flat_map(|group| group.iter()) {
            assert!(keys_of(&keymap, *action).ends_with(')'), "{words}");
        }
        assert!(keys_of(&keymap, Action::GoTo).contains("search"));
    }

    /// Law: the bar stands inside a window of any width, with all of its buttons where there is room for them, else with a menu; its last
    /// button says what becomes of the view, and asks for it.
    #[test]
    fn the_bar_fits() {
        let (bookmarks, recent, keymap) = (Bookmarks::default(), RecentPlaces::default(), Keymap::default());
        let pictures = BookmarkPictures::default();
        for (width, is_map) in
            [(320.0, false), (480.0, true), (899.0, true), (900.0, false), (900.0, true), (1_600.0, true)]
        {
            let egui = egui::Context::default();
            let screen = Rect::from_min_size(egui::Pos2::ZERO, vec2(width, 360.0));
            let mut asked = Vec::new();
            let mut frame = |events: Vec<egui::Event>| {
                let input = egui::RawInput { screen_rect: Some(screen), events, ..egui::RawInput::default() };
                let (mut hud, mut wanted) = (Hud::default(), HudRequests::default());
                let mut output = egui.run_ui(input, |ui| {
                    let known = (&bookmarks, &pictures, &recent);
                    show_panel(ui.ctx(), &TOOLBAR, 0.0, |ui| {
                        toolbar(ui, &mut hud, known, (&keymap, is_map), &mut wanted)
                    });
                });
                output.textures_delta.clear();
                asked.extend(wanted.actions);
                let texts = output.shapes.iter().filter_map(|clipped| match &clipped.shape {
                    egui::Shape::Text(text) => Some((text.galley.text().to_owned(), text.visual_bounding_rect())),
                    _ => None,
                });
                texts.collect::<Vec<_>>()
            };
            (0..2).for_each(|_| drop(frame(Vec::new())));
            let texts = frame(Vec::new());
            let bar = last_rect(&egui, &TOOLBAR).expect("a bar");
            assert!(screen.shrink(MARGIN_PT - 1.0).contains_rect(bar), "{width}: {bar}");
            assert!(texts.iter().all(|(_, at)| bar.expand(1.0).contains_rect(*at)), "{width}: {texts:?}");
            let words: Vec<&str> = texts.iter().map(|(words, _)| words.as_str()).collect();
            assert_eq!(words.contains(&"Menu"), width < NARROW_PT, "{words:?}");
            assert_eq!(words.contains(&"Help"), width >= NARROW_PT, "{words:?}");
            if width < NARROW_PT {
                continue;
            }
            let (last, at) = texts.last().expect("buttons");
            assert_eq!(last, if is_map { "3D" } else { "2D" });
            let (pos, button) = (at.center(), egui::PointerButton::Primary);
            let press = |pressed| {
                let modifiers = egui::Modifiers::NONE;
                egui::Event::PointerButton { pos, button, pressed, modifiers }
            };
            for events in [vec![egui::Event::PointerMoved(pos)], vec![press(true)], vec![press(false)], Vec::new()] {
                frame(events);
            }
            assert_eq!(asked, [Action::MapView]);
        }
    }
}
