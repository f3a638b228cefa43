//! Which view does a typed place mean? A bookmark, coordinates in any notation, or a name of the gazetteer; of nothing typed, where the
//! search has been lately.

use egui::text::{CCursor, CCursorRange};
use egui::{Id, Key, Modifiers, RichText, TextEdit};

use super::state::{BookmarkField, Hud, HudRequests, SearchField};
use crate::bookmark_pictures::BookmarkPictures;
use crate::bookmarks::{Bookmark, Bookmarks};
use crate::camera::{Destination, Pose, place};
use crate::gazetteer::search;
use crate::recent_places::{RecentPlace, RecentPlaces, destination};
use crate::theme::Palette;

/// What can be typed, in signs that keyboards and the font have.
const HINT: &str = "a name, or 27°59' N, 86°55' E";
/// Names offered at once.
const OFFERED: usize = 6;
/// Size of the pictures of bookmarks, points; a window that is narrower or lower than this has no room for them.
const PICTURE_PT: egui::Vec2 = egui::vec2(64.0, 36.0);
const PICTURES_FROM_PT: f32 = 480.0;

/// Where Enter or a click goes.
#[derive(Debug, Clone, PartialEq)]
enum SearchTarget {
    /// A place.
    Place(Destination),
    /// The view of a bookmark.
    View(Pose),
    /// Where the search has been before.
    Recent(RecentPlace),
}

impl SearchField {
    /// An empty field, which offers the newest bookmarks, and where the search has been lately.
    pub(super) fn new(bookmarks: &Bookmarks, recent: &RecentPlaces) -> SearchField {
        let mut field = SearchField::default();
        field.offer(bookmarks, recent);
        field
    }

    /// Takes in a changed text: what is offered for it, bookmarks first.
    fn offer(&mut self, bookmarks: &Bookmarks, recent: &RecentPlaces) {
        self.error = None;
        self.chosen = 0;
        let is_place = place::parse(&self.text).is_ok();
        self.bookmarks = if is_place { Vec::new() } else { bookmarks.matching(&self.text, OFFERED) };
        self.recent = if self.text.trim().is_empty() { recent.all().to_vec() } else { Vec::new() };
        self.offered = if is_place || self.is_elsewhere { Vec::new() } else { search(&self.text, OFFERED) };
    }

    /// What Enter goes to; else why it goes nowhere.
    fn target(&self) -> Result<SearchTarget, String> {
        let beyond = |all: usize| self.chosen.checked_sub(all);
        let recent = beyond(self.bookmarks.len()).and_then(|index| self.recent.get(index));
        let name = beyond(self.bookmarks.len() + self.recent.len()).and_then(|index| self.offered.get(index));
        if let Some(known) = recent {
            return Ok(SearchTarget::Recent(known.clone()));
        }
        match (place::parse(&self.text), self.bookmarks.get(self.chosen), name) {
            (Ok(place), ..) if place.of_earth && self.is_elsewhere => Err(place::PlaceError::OfEarth.to_string()),
            (Ok(place), ..) => Ok(SearchTarget::Place(Destination::from(place))),
            (Err(_), Some(bookmark), _) => Ok(SearchTarget::View(bookmark.view)),
            (Err(_), None, Some(found)) => Ok(SearchTarget::Place(Destination::from(found.entry))),
            // Digits were meant as coordinates.
            (Err(error), None, None) if self.text.contains(|c: char| c.is_ascii_digit()) => Err(error.to_string()),
            (Err(_), None, None) if self.is_elsewhere => Err(place::PlaceError::OfEarth.to_string()),
            (Err(_), None, None) => {
                Err(format!("no place is called \"{}\": try coordinates, like 27.99 N, 86.93 E", self.text.trim()))
            }
        }
    }
}

/// The field for a place, so many points wide.
pub(super) fn edit(
    ui: &mut egui::Ui,
    goto: &mut SearchField,
    (bookmarks, recent): (&Bookmarks, &RecentPlaces),
    width_pt: f32,
) -> egui::Response {
    let arrow = |ui: &egui::Ui, key| ui.input_mut(|input| input.consume_key(Modifiers::NONE, key));
    let (down, up) = (arrow(ui, Key::ArrowDown), arrow(ui, Key::ArrowUp));
    // By a name of its own it keeps the keyboard, whatever stands before it in the next frame.
    let id = Id::unique("search for a place");
    let edit = ui.add(TextEdit::singleline(&mut goto.text).id(id).hint_text(HINT).desired_width(width_pt));
    if edit.changed() {
        goto.offer(bookmarks, recent);
    }
    // Among what is offered for what was typed in the same frame.
    let last = (goto.bookmarks.len() + goto.recent.len() + goto.offered.len()).saturating_sub(1);
    goto.chosen = (goto.chosen + usize::from(down)).saturating_sub(usize::from(up)).min(last);
    edit
}

/// The field for the name of a view, so many points wide; Enter keeps it.
pub(super) fn name(ui: &mut egui::Ui, naming: &mut BookmarkField, width_pt: f32, wanted: &mut HudRequests) {
    let id = Id::unique("name of a view");
    let edit = ui.add(TextEdit::singleline(&mut naming.text).id(id).desired_width(width_pt));
    if !std::mem::replace(&mut naming.is_shown, true) {
        // What is typed takes the place of the name that is offered.
        let mut state = egui::text_edit::TextEditState::load(ui.ctx(), id).unwrap_or_default();
        let whole = CCursorRange::two(CCursor::new(0), CCursor::new(naming.text.chars().count()));
        state.cursor.set_char_range(Some(whole));
        state.store(ui.ctx(), id);
    }
    if edit.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter)) {
        wanted.keep = Some((naming.text.clone(), naming.view));
    } else {
        edit.request_focus();
    }
}

/// The bookmarks, places and names that fit what is typed; tells what is wanted when Enter is pressed or one is clicked.
pub(super) fn answers(
    ui: &mut egui::Ui,
    goto: &mut SearchField,
    (edit, pictures): (&egui::Response, &BookmarkPictures),
    wanted: &mut HudRequests,
) {
    let mut clicked = None;
    if !goto.bookmarks.iter().all(|known| pictures.is_looked_for(&known.name)) {
        // The next frame has them.
        ui.ctx().request_repaint();
    }
    let has_room = ui.ctx().content_rect().size().min_elem() >= PICTURES_FROM_PT;
    for (index, Bookmark { name, view }) in goto.bookmarks.iter().enumerate() {
        ui.horizontal(|ui| {
            if let Some(picture) = pictures.picture(name).filter(|_| has_room) {
                ui.image((picture.id(), PICTURE_PT));
            }
            if ui.selectable_label(index == goto.chosen, format!("{name}   bookmark")).clicked() {
                clicked = Some(SearchTarget::View(*view));
            }
            if ui.small_button("forget").clicked() {
                wanted.forget = Some(name.clone());
            }
        });
    }
    let above = goto.bookmarks.len();
    for (index, known) in goto.recent.iter().enumerate() {
        ui.horizontal(|ui| {
            let line = format!("{}   searched before", known.name);
            if ui.selectable_label(above + index == goto.chosen, line).clicked() {
                clicked = Some(SearchTarget::Recent(known.clone()));
            }
            if ui.small_button("forget").clicked() {
                wanted.forget_recent = Some(known.clone());
            }
        });
    }
    let above = above + goto.recent.len();
    for (index, found) in goto.offered.iter().enumerate() {
        let doubt = if found.is_match { "" } else { "?" };
        let line = format!("{}{doubt}   {}", found.entry.title(), found.entry.kind.name());
        if ui.selectable_label(above + index == goto.chosen, line).clicked() {
            clicked = Some(SearchTarget::Place(Destination::from(found.entry)));
        }
    }
    if let Some(error) = &goto.error {
        ui.label(RichText::new(error).color(Palette::of(ui.visuals()).error));
    }
    let entered = edit.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
    if entered {
        match goto.target() {
            Ok(target) => clicked = Some(target),
            Err(error) => goto.error = Some(error),
        }
    }
    // A field that closes leaves the keyboard to the flight.
    match clicked {
        Some(_) => edit.surrender_focus(),
        // One that is given again lets arrow keys go to what stands below it.
        None if !edit.has_focus() => edit.request_focus(),
        None => {}
    }
    match clicked {
        Some(SearchTarget::Place(to)) => (wanted.go_to, wanted.searched) = (Some(to), Some(goto.text.clone())),
        Some(SearchTarget::Recent(known)) => {
            (wanted.go_to, wanted.searched) = (Some(destination(&known)), Some(known.name))
        }
        Some(SearchTarget::View(view)) => wanted.view = Some(view),
        None => {}
    }
}

/// Keeps and forgets bookmarks, forgets places of searches, and says so.
pub(super) fn apply_requests(
    wanted: &mut HudRequests,
    (bookmarks, pictures, recent): (&mut Bookmarks, &mut BookmarkPictures, &mut RecentPlaces),
    hud: &mut Hud,
) {
    if let Some((name, view)) = wanted.keep.take() {
        match bookmarks.add(&name, view) {
            Ok(name) => {
                hud.naming = None;
                pictures.name(&name);
                hud.show_message(format!("kept as \"{name}\": the search lists it"));
            }
            Err(why) => hud.show_message(why),
        }
    }
    if let Some(name) = wanted.forget.take()
        && bookmarks.forget(&name)
    {
        pictures.forget(&name);
        hud.show_message(format!("forgotten: \"{name}\""));
        if let Some(goto) = &mut hud.goto {
            goto.bookmarks.retain(|known| known.name != name);
        }
    }
    if let Some(place) = wanted.forget_recent.take()
        && recent.forget(&place)
    {
        hud.show_message(format!("forgotten: \"{}\"", place.name));
        if let Some(goto) = &mut hud.goto {
            goto.recent.retain(|known| *known != place);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(text: &str) -> Result<Destination, String> {
        let mut goto = SearchField { text: text.to_string(), ..SearchField::default() };
        goto.offer(&Bookmarks::default(), &RecentPlaces::default());
        goto.target().map(|target| match target {
            SearchTarget::Place(to) => to,
            other => panic!("{other:?}"),
        })
    }

    /// Law: on another planet no name of the Earth is offered.
    #[test]
    fn names_are_of_the_earth() {
        let mut goto = SearchField { text: String::from("apollo"), is_elsewhere: true, ..SearchField::default() };
        goto.offer(&Bookmarks::default(), &RecentPlaces::default());
        assert!(goto.target().is_err_and(|why| why.contains("of the Earth")));
        goto.text = String::from("20 N 31 E");
        assert!(goto.target().is_ok());
    }

    /// Law: bookmarks that fit come first, all of them for an empty field; arrow keys go on to names; coordinates are what they are.
    #[test]
    fn bookmarks_come_first() {
        let view = Pose { lat_deg: 1.0, ..Pose::HOME };
        let mut bookmarks = Bookmarks::default();
        bookmarks.add("Everest at 10 N, 20 E", view).expect("kept");
        assert_eq!(SearchField::new(&bookmarks, &RecentPlaces::default()).target(), Ok(SearchTarget::View(view)));
        assert!(SearchField::new(&Bookmarks::default(), &RecentPlaces::default()).target().is_err());
        let mut goto = SearchField { text: String::from("everest"), ..SearchField::default() };
        goto.offer(&bookmarks, &RecentPlaces::default());
        assert_eq!(goto.target(), Ok(SearchTarget::View(view)));
        goto.chosen = 1;
        assert_eq!(goto.target(), typed("everest").map(SearchTarget::Place));
        goto.text = String::from("10 N, 20 E");
        goto.offer(&bookmarks, &RecentPlaces::default());
        assert_eq!(goto.target(), typed("10 N, 20 E").map(SearchTarget::Place));
    }

    /// Law: with nothing typed, places of former searches stand below bookmarks, the last one first; an arrow chooses one, and Enter goes
    /// there as if it were searched again. When something is typed they are gone.
    #[test]
    fn places_of_former_searches_are_offered() {
        let (mut bookmarks, mut recent) = (Bookmarks::default(), RecentPlaces::default());
        let (everest, coordinates) = (typed("everest").expect("a summit"), typed("10 N, 20 E").expect("coordinates"));
        recent.add(&coordinates, "10 N, 20 E");
        recent.add(&everest, "everest");
        bookmarks.add("Hills", Pose::HOME).expect("kept");
        let names = |goto: &SearchField| goto.recent.iter().map(|known| known.name.clone()).collect::<Vec<_>>();
        assert_eq!(names(&SearchField::new(&bookmarks, &recent)), ["Mount Everest, Nepal / China", "10 N, 20 E"]);
        for (downs, expected) in [(0, None), (1, Some(&everest)), (2, Some(&coordinates)), (9, Some(&coordinates))] {
            let (egui, mut goto) = (egui::Context::default(), SearchField::new(&bookmarks, &recent));
            let mut frame = |events: Vec<egui::Event>| {
                let (input, mut wanted) =
                    (egui::RawInput { events, ..egui::RawInput::default() }, HudRequests::default());
                let shown = |ui: &mut egui::Ui| {
                    let typed = edit(ui, &mut goto, (&bookmarks, &recent), 200.0);
                    answers(ui, &mut goto, (&typed, &BookmarkPictures::default()), &mut wanted);
                };
                egui.run_ui(input, shown).textures_delta.clear();
                wanted
            };
            let press = |key| {
                let (physical_key, modifiers) = (None, Modifiers::NONE);
                vec![egui::Event::Key { key, physical_key, pressed: true, repeat: false, modifiers }]
            };
            frame(Vec::new());
            frame(Vec::new());
            (0..downs).for_each(|_| drop(frame(press(Key::ArrowDown))));
            let wanted = frame(press(Key::Enter));
            assert_eq!((wanted.go_to.as_ref(), wanted.view.is_some()), (expected, expected.is_none()));
            if let (Some(to), Some(typed)) = (wanted.go_to, wanted.searched) {
                let mut again = recent.clone();
                again.add(&to, &typed);
                assert_eq!(destination(&again.all()[0]), to);
            }
        }
        let mut goto = SearchField { text: String::from("e"), ..SearchField::default() };
        goto.offer(&bookmarks, &recent);
        assert!(goto.recent.is_empty() && !goto.offered.is_empty());
    }

    /// Law: what is typed goes to coordinates if it is some, else to the name that is chosen, else it says why not.
    #[test]
    fn names_and_coordinates_go_somewhere_and_nonsense_says_why() {
        let everest = typed("everest").expect("a summit");
        assert_eq!(everest.title.as_deref(), Some("Mount Everest, Nepal / China"));
        assert_eq!((everest.place.lat_deg, everest.place.height_m), (27.988, None));
        assert_eq!(typed("27°30′ N 86° E").expect("coordinates").title, None);
        let mut second = SearchField { text: String::from("mont"), ..SearchField::default() };
        second.offer(&Bookmarks::default(), &RecentPlaces::default());
        second.chosen = 1;
        assert_eq!(second.target(), Ok(SearchTarget::Place(Destination::from(second.offered[1].entry))));
        assert!(typed("95 N 20 E").is_err_and(|why| why.contains("latitude 95")));
        assert!(typed("qqqq").is_err_and(|why| why.contains("\"qqqq\"") && why.contains("86.93 E")));
    }

    /// Law: an arrow that comes in one frame with what is typed goes on among what is offered for that.
    #[test]
    fn an_arrow_follows_what_is_typed() {
        let (egui, mut goto) = (egui::Context::default(), SearchField::default());
        let mut frame = |events: Vec<egui::Event>| {
            let input = egui::RawInput { events, ..egui::RawInput::default() };
            let shown = |ui: &mut egui::Ui| {
                let typed = edit(ui, &mut goto, (&Bookmarks::default(), &RecentPlaces::default()), 200.0);
                answers(ui, &mut goto, (&typed, &BookmarkPictures::default()), &mut HudRequests::default());
            };
            egui.run_ui(input, shown).textures_delta.clear();
        };
        frame(Vec::new());
        frame(Vec::new());
        let (physical_key, modifiers) = (None, Modifiers::NONE);
        let down = egui::Event::Key { key: Key::ArrowDown, physical_key, pressed: true, repeat: false, modifiers };
        frame(vec![egui::Event::Text(String::from("mont")), down]);
        assert_eq!((goto.text.as_str(), goto.chosen), ("mont", 1));
    }

    /// Law: Enter in a field, and a click on an answer, tell what is wanted once, and leave the keyboard to the flight; until then it is the
    /// field's, which takes what is typed in the place of the name that is offered.
    #[test]
    fn a_field_that_closes_leaves_the_keyboard() {
        let key = |key| {
            let (physical_key, modifiers) = (None, Modifiers::NONE);
            vec![egui::Event::Key { key, physical_key, pressed: true, repeat: false, modifiers }]
        };
        let view = Pose { lat_deg: 1.0, ..Pose::HOME };
        let mut bookmarks = Bookmarks::default();
        bookmarks.add("Everest", view).expect("kept");
        for is_clicked in [false, true] {
            let egui = egui::Context::default();
            let mut goto = Some(SearchField::new(&bookmarks, &RecentPlaces::default()));
            let mut frame = |events: Vec<egui::Event>| {
                let mut wanted = HudRequests::default();
                let screen_rect = Some(egui::Rect::from_min_size(egui::Pos2::ZERO, egui::vec2(500.0, 300.0)));
                let input = egui::RawInput { screen_rect, events, ..egui::RawInput::default() };
                let mut output = egui.run_ui(input, |ui| match &mut goto {
                    Some(goto) => {
                        let typed = edit(ui, goto, (&bookmarks, &RecentPlaces::default()), 200.0);
                        answers(ui, goto, (&typed, &BookmarkPictures::default()), &mut wanted);
                    }
                    // In the place of the field there is a button.
                    None => drop(ui.button("Search a place")),
                });
                output.textures_delta.clear();
                if wanted.view.is_some() {
                    goto = None;
                }
                let of_first = output.shapes.iter().find_map(|clipped| match &clipped.shape {
                    egui::Shape::Text(text) if text.galley.text().ends_with("bookmark") => {
                        Some(text.visual_bounding_rect().center())
                    }
                    _ => None,
                });
                (wanted, of_first, egui.egui_wants_keyboard_input())
            };
            frame(Vec::new());
            let (_, at, types) = frame(Vec::new());
            assert!(types, "the field has the keyboard");
            let pos = at.expect("a bookmark");
            let button = |pressed| egui::Event::PointerButton {
                pos,
                button: egui::PointerButton::Primary,
                pressed,
                modifiers: Modifiers::NONE,
            };
            let events = match is_clicked {
                true => vec![vec![egui::Event::PointerMoved(pos)], vec![button(true)], vec![button(false)]],
                false => vec![key(Key::Enter)],
            };
            let views: Vec<Pose> = events.into_iter().filter_map(|events| frame(events).0.view).collect();
            assert_eq!(views, [view]);
            frame(Vec::new());
            assert!(!frame(Vec::new()).2, "the flight has the keyboard");
        }
        let egui = egui::Context::default();
        let mut naming = BookmarkField { text: String::from("Everest, 2026-06-21"), view, is_shown: false };
        let mut frame = |events: Vec<egui::Event>| {
            let mut wanted = HudRequests::default();
            let input = egui::RawInput { events, ..egui::RawInput::default() };
            egui.run_ui(input, |ui| name(ui, &mut naming, 200.0, &mut wanted)).textures_delta.clear();
            wanted.keep
        };
        frame(Vec::new());
        frame(Vec::new());
        assert_eq!(frame(vec![egui::Event::Text(String::from("K"))]), None);
        assert_eq!(frame(vec![egui::Event::Text(String::from("2"))]), None);
        assert_eq!(frame(key(Key::Enter)), Some((String::from("K2"), view)));
    }
}
