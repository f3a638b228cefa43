//! Which views does the user come back to? Those that were kept under a name; the settings hold them.

use analysis::calendar;
use bevy_ecs::resource::Resource;
use glam::DVec3;
use terrain::geodesy::n_vector;

pub use foreign::settings::{Bookmark, MOST_BOOKMARKS};

use crate::camera::Pose;
use crate::gazetteer::{PlaceEntry, entries, folded};

/// From here on a view is called by what is as large as a country, metres.
const FAR_M: f64 = 1e6;

/// The bookmarks, in the order in which they were kept.
#[derive(Resource, Debug, Clone, Default, PartialEq)]
pub struct Bookmarks(Vec<Bookmark>);

impl Bookmarks {
    /// Those of former flights.
    pub fn new(kept: Vec<Bookmark>) -> Bookmarks {
        Bookmarks(kept)
    }

    /// All of them, the oldest first.
    pub fn all(&self) -> &[Bookmark] {
        &self.0
    }

    /// Keeps a view under a name, in the place of another one of that name; gives the name as it is kept.
    ///
    /// # Errors
    /// A name without letters, and more than there may be.
    pub fn add(&mut self, name: &str, view: Pose) -> Result<String, String> {
        let name = Bookmark::name_of(name).ok_or("a bookmark needs a name")?;
        match self.0.iter().position(|known| known.name == name) {
            Some(at) => self.0[at].view = view,
            None if self.0.len() < MOST_BOOKMARKS => self.0.push(Bookmark { name: name.clone(), view }),
            None => {
                return Err(format!("there are {MOST_BOOKMARKS} bookmarks: forget one of them in the search first"));
            }
        }
        Ok(name)
    }

    /// Forgets the view of a name; false if there is none.
    pub fn forget(&mut self, name: &str) -> bool {
        let before = self.0.len();
        self.0.retain(|known| known.name != name);
        self.0.len() < before
    }

    /// Those whose name has a text in it, without regard to case and accents, the newest first; at most so many.
    pub fn matching(&self, text: &str, most: usize) -> Vec<Bookmark> {
        let text = folded(text);
        self.0.iter().rev().filter(|known| folded(&known.name).contains(&text)).take(most).cloned().collect()
    }

    /// A name that no other has for a view of a place, by its normal, from so many metres, at a time: the nearest name that is seen from
    /// there, and the date.
    pub fn fresh_name(&self, place: DVec3, distance_m: f64, unix_s: f64) -> String {
        let near = nearest_name(place, distance_m);
        let date = calendar::written(unix_s).chars().take_while(|c| *c != 'T').collect::<String>();
        let name = format!("{near}, {date}");
        let is_free = |name: &String| self.0.iter().all(|known| known.name != *name);
        let numbered = (2..).map(|number| format!("{name} ({number})"));
        std::iter::once(name.clone()).chain(numbered).find(is_free).unwrap_or(name)
    }
}

/// The name of the nearest place that is named from so far away, else of the nearest one.
fn nearest_name(place: DVec3, distance_m: f64) -> &'static str {
    let apart = |entry: &PlaceEntry| n_vector(entry.lat_deg.to_radians(), entry.lon_deg.to_radians()).distance(place);
    let is_large_enough = |entry: &PlaceEntry| distance_m < FAR_M || entry.seen_whole_from_m().is_some();
    let is_seen = |entry: &&PlaceEntry| entry.named_from_m().contains(&distance_m) && is_large_enough(entry);
    let nearest = |a: &&PlaceEntry, b: &&PlaceEntry| apart(a).total_cmp(&apart(b));
    let found = entries().iter().filter(is_seen).min_by(nearest).or_else(|| entries().iter().min_by(nearest));
    found.map_or("view", |entry| entry.name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn view(lat_deg: f64) -> Pose {
        Pose { lat_deg, ..Pose::HOME }
    }

    /// Law: a view is kept under its name and found by any part of it, the newest first; one of the same name takes its place; what is
    /// forgotten is not found.
    #[test]
    fn views_are_kept_found_and_forgotten() {
        let mut bookmarks = Bookmarks::default();
        for (name, lat) in [("Home", 1.0), (" Zürich\n\tfrom  the lake ", 2.0), ("Lake", 3.0)] {
            bookmarks.add(name, view(lat)).expect("kept");
        }
        let found = |bookmarks: &Bookmarks, text: &str| {
            bookmarks.matching(text, 5).into_iter().map(|known| (known.name, known.view.lat_deg)).collect::<Vec<_>>()
        };
        let (zurich, lake) = ((String::from("Zürich from the lake"), 2.0), (String::from("Lake"), 3.0));
        assert_eq!(found(&bookmarks, "LAKE"), [lake.clone(), zurich.clone()]);
        assert_eq!(found(&bookmarks, "zurich"), [zurich]);
        assert_eq!((found(&bookmarks, "").len(), bookmarks.matching("", 2).len()), (3, 2));
        bookmarks.add("Lake", view(4.0)).expect("kept");
        assert_eq!(found(&bookmarks, "lake")[0], (lake.0, 4.0));
        assert!(bookmarks.forget("Lake") && !bookmarks.forget("Lake") && bookmarks.all().len() == 2);
        assert!(bookmarks.add(" \n", view(0.0)).is_err());
        (0..MOST_BOOKMARKS - 2).for_each(|k| drop(bookmarks.add(&k.to_string(), view(0.0)).expect("kept")));
        assert!(bookmarks.add("one more", view(0.0)).is_err_and(|why| why.contains("forget one")));
        assert!(bookmarks.add("Home", view(5.0)).is_ok());
    }

    /// Law: the name that is offered is of what is seen from there, with the date, and no other bookmark has it.
    #[test]
    fn offered_names_tell_place_and_date() {
        let mut bookmarks = Bookmarks::default();
        let matterhorn = n_vector(45.97_f64.to_radians(), 7.66_f64.to_radians());
        let unix_s = 1_782_043_200.0;
        let name = bookmarks.fresh_name(matterhorn, 12_000.0, unix_s);
        assert_eq!(name, "Matterhorn, 2026-06-21");
        bookmarks.add(&name, view(1.0)).expect("kept");
        assert_eq!(bookmarks.fresh_name(matterhorn, 12_000.0, unix_s), "Matterhorn, 2026-06-21 (2)");
        let far = bookmarks.fresh_name(matterhorn, 1.3e7, unix_s);
        let is_large = |entry: &PlaceEntry| entry.seen_whole_from_m().is_some();
        assert!(entries().iter().any(|entry| far.starts_with(entry.name) && is_large(entry)), "{far}");
        assert!(!bookmarks.fresh_name(-matterhorn, 1e12, unix_s).is_empty());
    }
}
