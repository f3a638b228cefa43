//! Which view does a typed place mean? Coordinates in any notation, or a name of the gazetteer.

use egui::{Color32, Key, Modifiers, RichText};

use super::state::GoTo;
use crate::camera::{Destination, place};
use crate::gazetteer::search;

/// What can be typed, in signs that keyboards and the font have.
const HINT: &str = "a name, or 27°59' N, 86°55' E";
/// Names offered at once.
const OFFERED: usize = 6;

impl GoTo {
    /// Takes in a changed text: what is offered for it.
    fn offer(&mut self) {
        self.error = None;
        self.chosen = 0;
        self.offered = if place::parse(&self.text).is_ok() { Vec::new() } else { search(&self.text, OFFERED) };
    }

    /// What Enter goes to; else why it goes nowhere.
    fn destination(&self) -> Result<Destination, String> {
        match (place::parse(&self.text), self.offered.get(self.chosen)) {
            (Ok(place), _) => Ok(Destination::from(place)),
            (Err(_), Some(found)) => Ok(Destination::from(found.entry)),
            // Digits were meant as coordinates.
            (Err(error), None) if self.text.contains(|c: char| c.is_ascii_digit()) => Err(error.to_string()),
            (Err(_), None) => {
                Err(format!("no place is called \"{}\": try coordinates, like 27.99 N, 86.93 E", self.text.trim()))
            }
        }
    }
}

/// The field for a place, so many points wide.
pub(super) fn edit(ui: &mut egui::Ui, goto: &mut GoTo, width_pt: f32) -> egui::Response {
    let arrow = |ui: &egui::Ui, key| ui.input_mut(|input| input.consume_key(Modifiers::NONE, key));
    let (down, up) = (arrow(ui, Key::ArrowDown), arrow(ui, Key::ArrowUp));
    let last = goto.offered.len().saturating_sub(1);
    goto.chosen = (goto.chosen + usize::from(down)).saturating_sub(usize::from(up)).min(last);
    let edit = ui.add(egui::TextEdit::singleline(&mut goto.text).hint_text(HINT).desired_width(width_pt));
    if edit.changed() {
        goto.offer();
    }
    edit
}

/// The names that fit what is typed; gives where to go when Enter is pressed or a name is clicked.
pub(super) fn answers(ui: &mut egui::Ui, goto: &mut GoTo, edit: &egui::Response) -> Option<Destination> {
    let mut clicked = None;
    for (index, found) in goto.offered.iter().enumerate() {
        let doubt = if found.is_match { "" } else { "?" };
        let line = format!("{}{doubt}   {}", found.entry.title(), found.entry.kind.name());
        if ui.selectable_label(index == goto.chosen, line).clicked() {
            clicked = Some(Destination::from(found.entry));
        }
    }
    if let Some(error) = &goto.error {
        ui.label(RichText::new(error).color(Color32::from_rgb(255, 150, 130)));
    }
    let entered = edit.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
    if entered {
        match goto.destination() {
            Ok(to) => return Some(to),
            Err(error) => goto.error = Some(error),
        }
    }
    edit.request_focus();
    clicked
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(text: &str) -> Result<Destination, String> {
        let mut goto = GoTo { text: text.to_string(), ..GoTo::default() };
        goto.offer();
        goto.destination()
    }

    /// Law: what is typed goes to coordinates if it is some, else to the name that is chosen, else it says why not.
    #[test]
    fn names_and_coordinates_go_somewhere_and_nonsense_says_why() {
        let everest = typed("everest").expect("a summit");
        assert_eq!(everest.title.as_deref(), Some("Mount Everest, Nepal / China"));
        assert_eq!((everest.place.lat_deg, everest.place.height_m), (27.988, None));
        assert_eq!(typed("27°30′ N 86° E").expect("coordinates").title, None);
        let mut second = GoTo { text: String::from("mont"), ..GoTo::default() };
        second.offer();
        second.chosen = 1;
        assert_eq!(second.destination().expect("a name").title, Some(second.offered[1].entry.title()));
        assert!(typed("95 N 20 E").is_err_and(|why| why.contains("latitude 95")));
        assert!(typed("qqqq").is_err_and(|why| why.contains("\"qqqq\"") && why.contains("86.93 E")));
    }
}
