//! Which view does a typed place mean? Coordinates in any notation, or a name of the gazetteer.

use egui::{Color32, Key, Modifiers, RichText};
use glam::DVec3;
use terrain::geodesy;

use super::state::GoTo;
use crate::camera::ground::{CLEARANCE_M, Ground};
use crate::camera::place::{self, Place};
use crate::camera::{Camera, Pose};
use crate::gazetteer::{Entry, search};
use crate::terrain::Planet;

/// What can be typed, in signs that keyboards and the font have.
const HINT: &str = "Matterhorn   or   27°59' N, 86°55' E";
/// Names offered at once.
const OFFERED: usize = 6;
/// Least distance from which a place without a height is looked at, metres.
const VIEWING_M: f64 = 12_000.0;
/// Postings of the data that the distance is at least: coarse data wants to be seen from further away.
const VIEWING_POSTINGS: f64 = 12.0;
/// Pitch at which it is looked at, degrees.
const VIEWING_PITCH_DEG: f64 = -25.0;

/// Ground that knows how fine its data is.
pub trait Surface: Ground {
    /// Distance between data at the unit geodetic normal `n`, metres.
    fn posting_m(&self, n: DVec3) -> f64;
}

impl Surface for Planet {
    fn posting_m(&self, n: DVec3) -> f64 {
        self.relief().posting_m(n)
    }
}

/// Where to go, and what it is called.
#[derive(Debug, Clone, PartialEq)]
pub struct Destination {
    place: Place,
    /// Its name, where it was found by one.
    pub title: Option<String>,
    /// Metres from which all of it is seen, where it is as large as a lake or a country.
    whole_from_m: Option<f64>,
}

impl From<&Entry> for Destination {
    fn from(entry: &Entry) -> Destination {
        let place = Place { lat_deg: entry.lat_deg, lon_deg: entry.lon_deg, height_m: None };
        Destination { place, title: Some(entry.title()), whole_from_m: entry.seen_whole_from_m() }
    }
}

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
            (Ok(place), _) => Ok(Destination { place, title: None, whole_from_m: None }),
            (Err(_), Some(found)) => Ok(Destination::from(found.entry)),
            // Digits were meant as coordinates.
            (Err(error), None) if self.text.contains(|c: char| c.is_ascii_digit()) => Err(error.to_string()),
            (Err(_), None) => {
                Err(format!("no place is called \"{}\": try coordinates, like 27.99 N, 86.93 E", self.text.trim()))
            }
        }
    }
}

/// The view of a place: at the given height straight above it with the pitch that the camera has now, or, without a height,
/// looking north at it from a distance; what is large from above, where all of it is seen.
pub fn view_of(to: &Destination, camera: &Camera, planet: &impl Surface) -> Pose {
    let place = to.place;
    let n = geodesy::n_vector(place.lat_deg.to_radians(), place.lon_deg.to_radians());
    let ground_m = planet.height_m(n);
    if let Some(height_m) = place.height_m {
        let height_m = height_m.max(ground_m + CLEARANCE_M);
        return Pose { lat_deg: place.lat_deg, lon_deg: place.lon_deg, height_m, ..camera.pose() };
    }
    if let Some(whole_from_m) = to.whole_from_m {
        let height_m = ground_m + whole_from_m;
        return Pose { lat_deg: place.lat_deg, lon_deg: place.lon_deg, height_m, heading_deg: 0.0, pitch_deg: -90.0 };
    }
    let (_, north, up): (DVec3, DVec3, DVec3) = geodesy::east_north_up(n);
    let (sin, cos) = VIEWING_PITCH_DEG.to_radians().sin_cos();
    let viewing_m = VIEWING_M.max(VIEWING_POSTINGS * planet.posting_m(n));
    let eye_m = geodesy::ecef(n, ground_m) - (north * cos + up * sin) * viewing_m;
    let eye = geodesy::from_ecef(eye_m);
    Pose {
        lat_deg: eye.lat_rad.to_degrees(),
        lon_deg: eye.lon_rad.to_degrees(),
        height_m: eye.height_m,
        heading_deg: 0.0,
        pitch_deg: VIEWING_PITCH_DEG,
    }
}

/// The field for a place, with the names that fit below it; gives where to go when Enter is pressed or a name is clicked.
pub(super) fn field(ui: &mut egui::Ui, goto: &mut GoTo) -> Option<Destination> {
    let arrow = |ui: &egui::Ui, key| ui.input_mut(|input| input.consume_key(Modifiers::NONE, key));
    let (down, up) = (arrow(ui, Key::ArrowDown), arrow(ui, Key::ArrowUp));
    let last = goto.offered.len().saturating_sub(1);
    goto.chosen = (goto.chosen + usize::from(down)).saturating_sub(usize::from(up)).min(last);
    ui.label(RichText::new("Go to a place by name or coordinates").color(Color32::from_gray(235)));
    let edit = ui.add(egui::TextEdit::singleline(&mut goto.text).hint_text(HINT).desired_width(320.0));
    if edit.changed() {
        goto.offer();
    }
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
    use crate::terrain::flat;

    fn typed(text: &str) -> Result<Destination, String> {
        let mut goto = GoTo { text: text.to_string(), ..GoTo::default() };
        goto.offer();
        goto.destination()
    }

    struct Plain(f64);

    impl Ground for Plain {
        fn height_m(&self, _: DVec3) -> f64 {
            self.0
        }
    }

    impl Surface for Plain {
        fn posting_m(&self, _: DVec3) -> f64 {
            30.0
        }
    }

    #[test]
    fn a_place_without_a_height_is_in_the_middle_of_the_view() {
        let ground = Plain(5_000.0);
        let now = Camera::from_pose(&Pose::HOME);
        let pose = view_of(&typed("27.9881, 86.925").expect("a place"), &now, &ground);
        let camera = Camera::from_pose(&pose);
        let hit = flat(5_000.0).ray(camera.eye_m, camera.forward(), 1e8).expect("a short march").expect("ground").place;
        assert!((hit.lat_rad.to_degrees() - 27.9881).abs() < 1e-3, "{}", hit.lat_rad.to_degrees());
        assert!((hit.lon_rad.to_degrees() - 86.925).abs() < 1e-3);
    }

    #[test]
    fn what_is_large_is_seen_as_a_whole() {
        let now = Camera::from_pose(&Pose::HOME);
        let heights_m = ["caspian sea", "sahara", "everest"]
            .map(|name| view_of(&typed(name).expect("a name"), &now, &Plain(100.0)).height_m);
        assert!(heights_m[0] > 1e6 && heights_m[1] > heights_m[0] && heights_m[2] < 1e5, "{heights_m:?}");
    }

    #[test]
    fn a_height_below_the_ground_is_raised() {
        let now = Camera::from_pose(&Pose::HOME);
        let pose = view_of(&typed("10 20 30").expect("a place"), &now, &Plain(400.0));
        assert_eq!(pose.height_m, 402.0);
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
