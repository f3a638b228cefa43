//! Where has the search been lately? A few places, the last one first; the settings hold them.

use bevy_ecs::resource::Resource;

pub use foreign::settings::{Bookmark, MOST_RECENT_PLACES, RecentPlace};

use crate::camera::{Destination, place};
use crate::gazetteer::entries;

/// Places of the gazetteer are this near to where they were, degrees.
const SAME_DEG: f64 = 1e-3;

/// The places, the last one first, each once.
#[derive(Resource, Debug, Clone, Default, PartialEq)]
pub struct RecentPlaces(Vec<RecentPlace>);

impl RecentPlaces {
    /// Those of former flights.
    pub fn new(kept: Vec<RecentPlace>) -> RecentPlaces {
        let mut places = RecentPlaces::default();
        kept.into_iter().rev().for_each(|place| places.put_first(place));
        places
    }

    /// All of them, the last one first.
    pub fn all(&self) -> &[RecentPlace] {
        &self.0
    }

    /// A search has led there; `typed` is its text, by which a place without a name is called.
    pub fn add(&mut self, to: &Destination, typed: &str) {
        let name = Bookmark::name_of(to.title.as_deref().unwrap_or(typed));
        // A text that is too long is not what was typed any more.
        let Some(name) =
            name.filter(|name| to.title.is_some() || place::parse(name).is_ok_and(|place| place == to.place))
        else {
            return;
        };
        self.put_first(RecentPlace { name, lat_deg: to.place.lat_deg, lon_deg: to.place.lon_deg });
    }

    /// Forgets a place; whether it was there.
    pub fn forget(&mut self, place: &RecentPlace) -> bool {
        let before = self.0.len();
        self.0.retain(|known| known != place);
        self.0.len() < before
    }

    fn put_first(&mut self, place: RecentPlace) {
        self.0.retain(|known| *known != place);
        self.0.insert(0, place);
        self.0.truncate(MOST_RECENT_PLACES);
    }
}

/// What a search for it would find: coordinates as they were typed, or a place of the gazetteer, else the place under its name.
pub fn destination(known: &RecentPlace) -> Destination {
    if let Ok(place) = place::parse(&known.name) {
        return Destination::from(place);
    }
    let is_near = |lat_deg: f64, lon_deg: f64| {
        (lat_deg - known.lat_deg).abs() < SAME_DEG && (lon_deg - known.lon_deg).abs() < SAME_DEG
    };
    let entry = entries().iter().find(|entry| is_near(entry.lat_deg, entry.lon_deg) && entry.title() == known.name);
    entry.map_or_else(
        || {
            let place = place::Place::at(known.lat_deg, known.lon_deg);
            let mut to = Destination::from(place);
            to.title = Some(known.name.clone());
            to
        },
        Destination::from,
    )
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Law: what was searched is offered again as what it was: the same place, as large, with its height.
    #[test]
    fn places_are_found_again() {
        let mut places = RecentPlaces::default();
        let mut searched: Vec<Destination> = entries().iter().step_by(97).map(Destination::from).collect();
        let typed = ["27°59′ N 86° E", "-33.86 151.21 2000 m"];
        searched.extend(typed.map(|text| Destination::from(place::parse(text).expect("coordinates"))));
        for (number, to) in searched.iter().enumerate() {
            let text = (number + 2).checked_sub(searched.len()).map_or("a beginning", |at| typed[at]);
            places.add(to, text);
            assert_eq!(&destination(&places.all()[0]), to);
        }
        places.add(&searched[searched.len() - 1], &"9".repeat(500));
        assert_eq!(places.all()[0].name, typed[1], "a text that cannot be kept is not");
        let (first, second) = (places.all()[0].clone(), places.all()[1].clone());
        assert!(places.forget(&first) && !places.forget(&first), "a place is forgotten once");
        assert_eq!(places.all()[0], second, "and no other");
        let gone = RecentPlace { name: String::from("Atlantis"), lat_deg: 31.0, lon_deg: -24.0 };
        let to = destination(&gone);
        assert_eq!((to.title.as_deref(), to.place.lat_deg, to.place.lon_deg), (Some("Atlantis"), 31.0, -24.0));
    }

    proptest! {
        /// Law: the last ones are kept, each once, the last one first.
        #[test]
        fn the_last_ones_are_kept(numbers in prop::collection::vec(0..12_usize, 0..40)) {
            let all: Vec<Destination> = entries().iter().step_by(101).take(12).map(Destination::from).collect();
            let (mut places, mut expected) = (RecentPlaces::default(), Vec::new());
            for number in &numbers {
                places.add(&all[*number], "");
            }
            for number in numbers.iter().rev() {
                let title = all[*number].title.clone().expect("a title");
                if !expected.contains(&title) && expected.len() < MOST_RECENT_PLACES {
                    expected.push(title);
                }
            }
            let names: Vec<String> = places.all().iter().map(|place| place.name.clone()).collect();
            prop_assert_eq!(names, expected);
            prop_assert_eq!(RecentPlaces::new(places.all().to_vec()), places);
        }
    }
}
