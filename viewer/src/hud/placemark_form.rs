//! What does the user say of a place? A small box with a name, a colour and a note.

use egui::{Color32, Key, Sense, Stroke, TextEdit, vec2};

use super::layout::{WINDOWS, window_id};
use crate::placemarks::{COLOURS, Placemark, PlacemarkEdit};
use crate::theme::Palette;

/// Most characters of a name.
const MOST_CHARACTERS: usize = 80;
/// Side of a sample of a colour, points.
const SAMPLE_PT: f32 = 20.0;
const WIDTH_PT: f32 = 280.0;

/// What is being said of a place.
#[derive(Debug, Clone, PartialEq)]
pub struct PlacemarkForm {
    /// What was said before, if it is known.
    pub(super) before: Option<Placemark>,
    /// What is said now.
    pub(super) now: Placemark,
    /// Whether it has been laid out.
    pub(super) is_shown: bool,
}

impl PlacemarkForm {
    /// For a latitude and longitude in degrees.
    pub(super) fn at(place_deg: [f64; 2]) -> PlacemarkForm {
        let now = Placemark { place_deg, name: String::new(), note: String::new(), colour: COLOURS[0].1 };
        PlacemarkForm { before: None, now, is_shown: false }
    }

    /// For one that is known.
    pub(super) fn of(known: Placemark) -> PlacemarkForm {
        PlacemarkForm { before: Some(known.clone()), now: known, is_shown: false }
    }

    /// What is to be done, if it has a name.
    fn edit(&self) -> Option<PlacemarkEdit> {
        let one_line: Vec<&str> = self.now.name.split_whitespace().collect();
        let name: String = one_line.join(" ").chars().take(MOST_CHARACTERS).collect();
        // One that others wrote stays as it is.
        let kept = self.before.as_ref().filter(|before| before.name == self.now.name).map(|before| before.name.clone());
        let now = Placemark { name: kept.unwrap_or(name), note: self.now.note.trim().to_owned(), ..self.now.clone() };
        (!now.name.is_empty()).then(|| match &self.before {
            Some(before) => PlacemarkEdit::Replace(before.clone(), now),
            None => PlacemarkEdit::Add(now),
        })
    }
}

/// What becomes of the form.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum FormResult {
    /// It stays open.
    Open,
    /// It closes.
    Closed,
    /// It closes, and this is to be done.
    Edit(PlacemarkEdit),
}

/// Lays the box out. Enter in the name keeps it; its cross, and Esc, do not.
pub(super) fn placemark_form(egui: &egui::Context, form: &mut PlacemarkForm) -> FormResult {
    let (mut open, mut keeps, mut cancels) = (true, false, false);
    let middle = egui.content_rect().center() - vec2(0.5 * WIDTH_PT, 120.0);
    let shown = egui::Window::new(WINDOWS[3]).id(window_id(egui, WINDOWS[3])).default_pos(middle).resizable(false);
    shown.default_width(WIDTH_PT).open(&mut open).collapsible(false).show(egui, |ui| {
        ui.set_width(WIDTH_PT);
        let name = ui.add(TextEdit::singleline(&mut form.now.name).hint_text("name").desired_width(f32::INFINITY));
        if !std::mem::replace(&mut form.is_shown, true) {
            name.request_focus();
        }
        keeps |= name.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
        ui.horizontal(|ui| {
            ui.label("colour");
            for (words, colour) in COLOURS {
                let [red, green, blue, _] = colour;
                let (rect, response) = ui.allocate_exact_size(vec2(SAMPLE_PT, SAMPLE_PT), Sense::click());
                let is_chosen = form.now.colour == colour;
                response.widget_info(|| egui::WidgetInfo::selected(egui::Role::RadioButton, true, is_chosen, words));
                ui.painter().rect_filled(rect, 3.0, Color32::from_rgb(red, green, blue));
                if is_chosen || response.has_focus() {
                    let line = Stroke::new(if is_chosen { 3.0 } else { 1.0 }, Palette::of(ui.visuals()).strong);
                    ui.painter().rect_stroke(rect, 3.0, line, egui::StrokeKind::Outside);
                }
                if response.on_hover_text(words).clicked() {
                    form.now.colour = colour;
                }
            }
        });
        let note = TextEdit::multiline(&mut form.now.note).hint_text("note").desired_rows(3);
        ui.add(note.desired_width(f32::INFINITY));
        ui.horizontal(|ui| {
            let has_name = !form.now.name.trim().is_empty();
            keeps |= ui.add_enabled(has_name, egui::Button::new("Keep")).clicked();
            cancels = ui.button("Cancel").clicked();
        });
    });
    match form.edit() {
        Some(edit) if keeps => FormResult::Edit(edit),
        _ if cancels || !open => FormResult::Closed,
        _ => FormResult::Open,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Law: what is typed and Enter is one more placemark at the place; of one that is known what is said now takes the place of what was;
    /// without a name nothing is kept, and the cross keeps nothing.
    #[test]
    fn what_is_typed_is_kept() {
        let key = |key| {
            let (physical_key, modifiers) = (None, egui::Modifiers::NONE);
            egui::Event::Key { key, physical_key, pressed: true, repeat: false, modifiers }
        };
        let play = |mut form: PlacemarkForm, typed: &str| {
            let egui = egui::Context::default();
            let mut result = FormResult::Open;
            let typed = vec![egui::Event::Text(typed.to_owned())];
            let events = [vec![], vec![], typed, vec![key(Key::Enter)], vec![]];
            for events in events {
                let screen_rect = Some(egui::Rect::from_min_size(egui::Pos2::ZERO, vec2(500.0, 400.0)));
                let input = egui::RawInput { screen_rect, events, ..egui::RawInput::default() };
                let mut output = egui.run_ui(input, |ui| {
                    if result == FormResult::Open {
                        result = placemark_form(&ui.ctx().clone(), &mut form);
                    }
                });
                output.textures_delta.clear();
            }
            result
        };
        let at = PlacemarkForm::at([46.0, 7.5]);
        let camp = Placemark { name: String::from("Base camp"), ..at.now.clone() };
        assert_eq!(play(at.clone(), " Base \n camp "), FormResult::Edit(PlacemarkEdit::Add(camp.clone())));
        assert_eq!(play(at, "  "), FormResult::Open);
        let known = play(PlacemarkForm::of(camp.clone()), " 2");
        let FormResult::Edit(PlacemarkEdit::Replace(before, now)) = known else { panic!("{known:?}") };
        assert_eq!((before, now.place_deg), (camp.clone(), camp.place_deg));
        assert!(now.name.contains('2') && now.name.contains("camp"), "{}", now.name);
    }
}
