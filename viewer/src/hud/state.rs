//! What does the display show, what does it hear from the window, and what does the user ask for in it?

use std::path::PathBuf;
use std::time::Duration;

use bevy_ecs::resource::Resource;
use foreign::settings::Settings;
use glam::DVec3;
use terrain::feature_writer::VectorFormat;
use terrain::geodesy::Geodetic;

use super::chooser::Chooser;
use super::picked::PickedFeature;
use super::placemark_form::PlacemarkForm;
use crate::annotations::Units;
use crate::bookmarks::Bookmark;
use crate::camera::{Destination, Pose};
use crate::gazetteer::PlaceMatch;
use crate::input::Keymap;
use crate::input::bindings::Action;
use crate::layers::{LayerEdit, LayerPlace, Layers};
use crate::placemarks::{Placemark, PlacemarkEdit};
use crate::recent_places::RecentPlace;

/// Seconds in which the program ends when it is asked to once more.
const LEAVE_S: f64 = 4.0;

/// What is open.
#[derive(Resource, Debug, Clone, Default)]
pub struct Hud {
    /// Which figures are shown.
    pub figures: Figures,
    /// Units of what it says.
    pub units: Units,
    /// The format in which markers are saved.
    pub vector_format: VectorFormat,
    /// The lines of figures of this frame.
    pub lines: Vec<String>,
    /// Seconds of the recording under way.
    pub recording_s: Option<f64>,
    /// The list of keys.
    pub help: bool,
    /// The panel of settings and times.
    pub panel: bool,
    /// The field for a place.
    pub goto: Option<SearchField>,
    /// The field for the name of a view.
    pub naming: Option<BookmarkField>,
    /// Whether a list hangs down from a button, and whether it is to be closed.
    pub has_list: bool,
    /// See [`has_list`](Self::has_list).
    pub closes_list: bool,
    /// The window in which files are chosen.
    pub chooser: Option<Chooser>,
    /// The folder in which files were chosen last.
    pub chosen_in: PathBuf,
    /// The menu of a place.
    pub place_menu: Option<PlaceMenu>,
    /// What is being said of a place.
    pub placemark: Option<PlacemarkForm>,
    /// The place that was found by its name, until another view is asked for.
    pub found: Option<FoundPlace>,
    /// What is drawn on the ground.
    pub layers: bool,
    /// The file that is chosen in their list.
    pub layer: Option<LayerPlace>,
    /// A file that is to be seen whole.
    pub shown_layer: Option<LayerPlace>,
    /// Where the sun stands.
    pub sun: bool,
    /// The corner in which the box of a measurement stands, by its number.
    pub measured_in: usize,
    /// What the mouse does, until something is done.
    pub hint: bool,
    /// A message, and the seconds it stays.
    pub message: Option<(String, f64)>,
    /// Whether the program shall end.
    pub leave: QuitState,
    /// Who can be asked for finer ground.
    pub public_ground: Option<String>,
    /// What is to be loaded.
    pub wanted: LoadRequests,
}

/// What has to be loaded for what the user asked for, until the window hears of it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct LoadRequests {
    /// Files to open, as if they were dropped on the window.
    pub files: Vec<PathBuf>,
    /// Finer ground around a latitude and longitude in degrees.
    pub ground: Option<[f64; 2]>,
    /// Heights that are drawn so many times as high.
    pub exaggeration: Option<f64>,
    /// Another choice of files.
    pub edited: Option<LayerEdit>,
    /// A file of vector data that has changed, and what to say when it is drawn.
    pub refreshed: Option<(PathBuf, String)>,
}

/// Whether the program shall end.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum QuitState {
    /// It goes on.
    #[default]
    No,
    /// The user has been asked, and has so many seconds to say yes.
    Asked(f64),
    /// The user has said yes.
    Yes,
}

/// The figures at the lower edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Figures {
    /// None.
    Off,
    /// Place, heights, rate, and what lies under the cursor.
    #[default]
    Place,
    /// Also where the time of a frame goes.
    Times,
}

impl Figures {
    /// As in the settings.
    pub fn name(self) -> &'static str {
        match self {
            Figures::Off => "off",
            Figures::Place => "place",
            Figures::Times => "times",
        }
    }

    /// Those of a name; those of a start without settings where it is none.
    pub fn named(name: Option<&str>) -> Figures {
        [Figures::Off, Figures::Place, Figures::Times].into_iter().find(|f| Some(f.name()) == name).unwrap_or_default()
    }

    /// What the next press of the key shows.
    pub fn next(self) -> Figures {
        match self {
            Figures::Off => Figures::Place,
            Figures::Place => Figures::Times,
            Figures::Times => Figures::Off,
        }
    }
}

/// A place that was found by its name.
#[derive(Debug, Clone, PartialEq)]
pub struct FoundPlace {
    /// What it is called.
    pub title: String,
    /// Where its ground is drawn, ECEF metres.
    pub position_m: DVec3,
}

/// The field for a place.
#[derive(Debug, Clone, Default)]
pub struct SearchField {
    /// What is typed.
    pub text: String,
    /// Why it is no place.
    pub error: Option<String>,
    /// Bookmarks that fit it.
    pub bookmarks: Vec<Bookmark>,
    /// Places of former searches, where nothing is typed.
    pub recent: Vec<RecentPlace>,
    /// Names that fit it.
    pub offered: Vec<PlaceMatch>,
    /// Which of them Enter takes: bookmarks, places of former searches, then names.
    pub chosen: usize,
    /// Whether the planet is another than that of the names.
    pub is_elsewhere: bool,
}

/// The field for the name of a view that is kept.
#[derive(Debug, Clone, PartialEq)]
pub struct BookmarkField {
    /// What is typed.
    pub text: String,
    /// The view.
    pub view: Pose,
    /// Whether the field has been shown.
    pub is_shown: bool,
}

/// The menu of a place.
#[derive(Debug, Clone, PartialEq)]
pub struct PlaceMenu {
    /// The place on the ground as it is drawn.
    pub(super) drawn: Geodetic,
    /// Its height in the data, metres.
    pub(super) height_m: f64,
    /// What the data say of it.
    pub(super) told: String,
    /// The user's features that are drawn there, the one on top first.
    pub(super) features: Vec<PickedFeature>,
    /// Whether placemarks can be kept there.
    pub(super) takes_placemarks: bool,
    /// The placemark that is drawn there.
    pub(super) placemark: Option<Placemark>,
    /// Where it was clicked, points from the upper left corner.
    pub(super) at_pt: egui::Pos2,
}

impl Hud {
    /// Takes what the user has chosen in flights before.
    pub fn take_settings(&mut self, kept: &Settings) {
        self.units = Units::named(kept.units.as_deref());
        self.figures = Figures::named(kept.figures.as_deref());
        self.vector_format = kept.vector_format.as_deref().and_then(VectorFormat::of_extension).unwrap_or_default();
    }

    /// Whether one of its fields is open, which the keyboard is for.
    pub fn is_typed_into(&self) -> bool {
        self.goto.is_some() || self.naming.is_some() || self.chooser.is_some() || self.placemark.is_some()
    }

    /// Says how figures and buttons come back, where there are none, and no longer where there are.
    pub fn tell_if_bare(&mut self, keymap: &Keymap) {
        let told = format!("figures and buttons are hidden: {} shows them", keymap.key(Action::ToggleHud));
        if self.figures == Figures::Off {
            self.show_message(told);
        } else if self.message.as_ref().is_some_and(|(message, _)| *message == told) {
            self.message = None;
        }
    }

    /// Whether the menu of a place is open, which the keyboard is for.
    pub fn has_menu(&self) -> bool {
        self.place_menu.is_some()
    }

    /// Opens the window in which files are chosen.
    pub(super) fn open_files(&mut self) {
        // Where the program was started, at first.
        let folder = std::path::absolute(self.chosen_in.join("."));
        self.chooser = Some(Chooser::new(folder.as_deref().unwrap_or(&self.chosen_in)));
    }

    /// Chooses the file above (-1) or below (1) the chosen one in the list of layers, which opens.
    pub(super) fn choose_layer(&mut self, layers: &Layers, keymap: &Keymap, step: isize) {
        let next = layers.beside(self.layer.filter(|_| self.layers), step);
        if next.is_none() {
            self.show_message(format!("no files of yours are open: {} opens some", keymap.key(Action::OpenFiles)));
        }
        (self.layers, self.layer) = (true, next);
    }

    /// The chosen file; without one the topmost is chosen.
    fn chosen_layer(&mut self, layers: &Layers, keymap: &Keymap) -> Option<LayerPlace> {
        let chosen = self.layer.filter(|_| self.layers);
        if chosen.is_none() {
            self.choose_layer(layers, keymap, 1);
        }
        chosen
    }

    /// Asks for all of the chosen file.
    pub(super) fn show_layer(&mut self, layers: &Layers, keymap: &Keymap) {
        self.shown_layer = self.chosen_layer(layers, keymap);
    }

    /// Asks for the scene with the chosen file hidden, or shown again.
    pub(super) fn hide_layer(&mut self, layers: &Layers, keymap: &Keymap) {
        let Some(place) = self.chosen_layer(layers, keymap) else { return };
        match layers.is_hidden(place) {
            Some(hidden) => self.wanted.edited = Some(LayerEdit::Hide(place.0, place.1, !hidden)),
            None => {
                self.show_message(format!("elevation is not hidden: {} takes it away", keymap.key(Action::RemoveLayer)))
            }
        }
    }

    /// Asks for the scene without the chosen file.
    pub(super) fn remove_layer(&mut self, layers: &Layers, keymap: &Keymap) {
        if let Some((kind, number)) = self.chosen_layer(layers, keymap) {
            self.wanted.edited = Some(LayerEdit::Remove(kind, number));
        }
    }

    /// Asks for the chosen file above (-1) or below (1) its neighbour.
    pub(super) fn move_layer(&mut self, layers: &Layers, keymap: &Keymap, step: isize) {
        match self.layer.filter(|_| self.layers) {
            Some(place) => match layers.step(place, step) {
                Some(moved) => self.wanted.edited = Some(LayerEdit::Move(moved)),
                None => {
                    let end = if step < 0 { "topmost" } else { "lowest" };
                    self.show_message(format!("it is the {end} of {}", place.0.name()));
                }
            },
            None => self.choose_layer(layers, keymap, step),
        }
    }

    /// Closes what is open, the topmost first; false if nothing is.
    pub fn close_topmost(&mut self) -> bool {
        self.closes_list = std::mem::take(&mut self.has_list);
        let open = self.closes_list
            || self.chooser.take().is_some()
            || self.place_menu.take().is_some()
            || self.placemark.take().is_some()
            || self.naming.take().is_some()
            || self.goto.take().is_some();
        let parts = [&mut self.help, &mut self.layers, &mut self.sun, &mut self.panel];
        open || parts.into_iter().any(std::mem::take) || self.found.take().is_some()
    }

    /// The key that leaves was pressed while nothing was open, or the one that says yes: asks first.
    pub fn request_quit(&mut self, says_yes: bool) {
        self.leave = match (self.leave, says_yes) {
            (QuitState::No, true) => return,
            (QuitState::No, false) => {
                self.show_message_for("Esc or Enter ends the program", LEAVE_S);
                QuitState::Asked(LEAVE_S)
            }
            (QuitState::Asked(_) | QuitState::Yes, _) => QuitState::Yes,
        };
    }

    /// Time passes: messages go, and questions that nobody answers.
    pub fn wait(&mut self, dt_s: f64) {
        self.message = self.message.take().map(|(text, left_s)| (text, left_s - dt_s)).filter(|(_, left)| *left > 0.0);
        if let QuitState::Asked(left_s) = self.leave {
            let left_s = left_s - dt_s;
            self.leave = if left_s > 0.0 { QuitState::Asked(left_s) } else { QuitState::No };
        }
    }

    /// Shows a message for so many seconds.
    pub fn show_message_for(&mut self, message: impl Into<String>, seconds: f64) {
        self.message = Some((message.into(), seconds));
    }

    /// Shows a message for some seconds.
    pub fn show_message(&mut self, message: impl Into<String>) {
        self.show_message_for(message, 5.0);
    }
}

/// What egui hears in this frame.
#[derive(Resource, Default)]
pub struct HudInput(pub egui::RawInput);

/// What egui wants from the window after this frame.
#[derive(Resource, Default)]
pub struct HudOutput {
    /// Cursor, clipboard, open links.
    pub platform: egui::PlatformOutput,
    /// Whether egui or a label moves and wants another frame.
    pub repaint: bool,
    /// When egui wants another frame if nothing else happens: for a tooltip.
    pub repaint_after: Option<Duration>,
    /// Whether something of the display is being typed into.
    pub typing: bool,
}

/// What the user asked for in the display.
#[derive(Debug, Default)]
pub(super) struct HudRequests {
    /// Fly there.
    pub go_to: Option<Destination>,
    /// What was typed to find it, where it was searched.
    pub searched: Option<String>,
    /// Fly to this view.
    pub view: Option<Pose>,
    /// Forget the bookmark of this name.
    pub forget: Option<String>,
    /// Forget that this place was searched.
    pub forget_recent: Option<RecentPlace>,
    /// Keep a view under a name.
    pub keep: Option<(String, Pose)>,
    /// What buttons ask for.
    pub actions: Vec<Action>,
    /// A text for the clipboard.
    pub copied: Option<String>,
    /// Hours of sun around a place.
    pub sun_hours: Option<Geodetic>,
    /// Look from a place.
    pub seen_from: Option<Geodetic>,
    /// A marker.
    pub mark: Option<MarkerEdit>,
    /// A line or an area of a file of vector data, by its number there, that is measured.
    pub measured: Option<(PathBuf, u32)>,
    /// A box for a placemark.
    pub form: Option<PlacemarkForm>,
    /// Another placemark.
    pub placemark: Option<PlacemarkEdit>,
    /// Finer ground around a latitude and longitude in degrees.
    pub ground: Option<[f64; 2]>,
}

/// What is done with markers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum MarkerEdit {
    /// The first of a new measurement.
    First(Geodetic),
    /// The next one.
    Next(Geodetic),
    /// The first one once more: the path is closed.
    Close,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Law: what is open closes one after the other, the last opened kind first, before the program asks whether to end.
    #[test]
    fn what_is_open_closes_first() {
        let mut hud = Hud { help: true, sun: true, panel: true, goto: Some(SearchField::default()), ..Hud::default() };
        assert!(hud.close_topmost() && hud.goto.is_none() && hud.help);
        assert!(hud.close_topmost() && !hud.help && hud.sun);
        assert!(hud.close_topmost() && !hud.sun && hud.panel);
        assert!(hud.close_topmost() && !hud.panel);
        assert!(!hud.close_topmost());
    }

    /// Law: the program ends when it has asked and is told again within the time, and says how; a yes to no question is none.
    #[test]
    fn the_program_asks_before_it_ends() {
        for says_yes in [false, true] {
            let mut hud = Hud::default();
            hud.request_quit(true);
            assert_eq!((hud.leave, hud.message.is_some()), (QuitState::No, false));
            hud.request_quit(false);
            assert!(hud.message.as_ref().is_some_and(|(text, _)| text.contains("Esc") && text.contains("Enter")));
            hud.wait(3.0);
            assert!(matches!(hud.leave, QuitState::Asked(_)) && hud.message.is_some());
            let mut later = hud.clone();
            hud.request_quit(says_yes);
            assert_eq!(hud.leave, QuitState::Yes);
            later.wait(2.0);
            assert_eq!((later.leave, later.message.is_some()), (QuitState::No, false));
            later.request_quit(false);
            assert!(matches!(later.leave, QuitState::Asked(_)), "it asks anew");
        }
    }
}
