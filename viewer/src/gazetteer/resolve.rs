//! Which one place does a name mean, where nobody can be asked? The best known of that name, unless others are as well known.

use super::names::{PlaceEntry, PlaceKind};
use super::search::{MatchKind, PlaceMatch, RANK, nearest, search};
use super::spelling::folded;

/// A place that is less known by so many ranks is not meant.
const CLEARLY_LESS: u32 = 2 * RANK;
/// Places nearer than this are one, kilometres: a city and its airport.
const ONE_PLACE_KM: f64 = 150.0;
/// Places that are told of.
const TOLD: usize = 4;

/// The one place that a name means, or why there is none.
pub type Resolution = Result<&'static PlaceEntry, NameError>;

/// Why a name means no one place.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum NameError {
    /// Several are called so and are about as well known.
    Several(Vec<&'static PlaceEntry>),
    /// None is called so; these are like it.
    Unknown(Vec<&'static PlaceEntry>),
}

/// The place that is meant by a name, which may have its country behind a comma.
///
/// # Errors
/// [`NameError`] if there is none, or more than one.
pub fn resolve(name: &str) -> Resolution {
    let found = search(name, 30);
    let Some(first) = found.first().filter(|first| first.is_good()) else {
        let like = if found.is_empty() { nearest(name, TOLD) } else { found };
        return Err(NameError::Unknown(like.iter().take(TOLD).map(|found| found.entry).collect()));
    };
    if matches!(first.entry.kind, PlaceKind::Continent | PlaceKind::Country) && first.fit == MatchKind::Whole {
        return Ok(first.entry);
    }
    // A station of that name is none of towns that begin so, nor the other way round.
    let is_station = |found: &PlaceMatch| found.fit == MatchKind::Whole && found.entry.kind == PlaceKind::Station;
    let is_rival = |other: &&PlaceMatch| {
        is_station(other) == is_station(first)
            && other.class() == first.class()
            && other.is_good()
            && other.score < first.score + CLEARLY_LESS
            && !is_one_place(first.entry, other.entry)
    };
    let rivals: Vec<&'static PlaceEntry> = found[1..].iter().filter(is_rival).map(|found| found.entry).collect();
    if rivals.is_empty() {
        return Ok(first.entry);
    }
    Err(NameError::Several(std::iter::once(first.entry).chain(rivals).take(TOLD).collect()))
}

/// Whether two entries are the same for whoever names them.
fn is_one_place(a: &PlaceEntry, b: &PlaceEntry) -> bool {
    let is_in = |a: &PlaceEntry, b: &PlaceEntry| !b.within.is_empty() && folded(b.within) == a.key;
    is_in(a, b) || is_in(b, a) || distance_km(a, b) < ONE_PLACE_KM
}

/// Along a great circle.
fn distance_km(a: &PlaceEntry, b: &PlaceEntry) -> f64 {
    let normal =
        |entry: &PlaceEntry| terrain::geodesy::n_vector(entry.lat_deg.to_radians(), entry.lon_deg.to_radians());
    6_371.0 * normal(a).angle_between(normal(b))
}

/// For people, in one line.
impl NameError {
    /// What is wrong with a name, and what to write instead.
    pub fn line(&self, name: &str) -> String {
        let name = foreign::sanitized(name.trim());
        match self {
            NameError::Unknown(like) if like.is_empty() => {
                format!("no place is called \"{name}\": try coordinates, like 27.99,86.93")
            }
            NameError::Unknown(like) => {
                let mut titles: Vec<String> = like.iter().map(|entry| entry.title()).collect();
                titles.dedup();
                format!("no place is called \"{name}\": did you mean {}?", any_of(&titles, "; "))
            }
            NameError::Several(places) => {
                let places: Vec<String> = places
                    .iter()
                    .map(|entry| format!("{} ({},{})", entry.title(), entry.lat_deg, entry.lon_deg))
                    .collect();
                format!("\"{name}\" may be {}: add the country or give coordinates", any_of(&places, "; "))
            }
        }
    }
}

/// `a; b or c`.
fn any_of(words: &[String], mark: &str) -> String {
    match words.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(mark)),
        _ => words.concat(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::entries;
    use super::super::search::tests::may_be_called;
    use super::*;

    #[test]
    fn a_well_known_name_means_one_place() {
        for (name, title) in [
            ("Paris", "Paris, France"),
            ("matterhorn", "Matterhorn, Switzerland / Italy"),
            ("matterh", "Matterhorn, Switzerland / Italy"),
            ("everest", "Mount Everest, Nepal / China"),
            ("Georgia", "Georgia, Asia"),
            ("Barcelona", "Barcelona, Spain"),
            ("Barcelona, Venezuela", "Barcelona, Venezuela"),
            ("Zurich", "Zürich, Switzerland"),
            ("Lake Geneva", "Lake Geneva, Switzerland / France"),
            ("tokyo", "Tokyo, Japan"),
            ("grand canyon", "Grand Canyon, United States"),
        ] {
            assert_eq!(resolve(name).map(PlaceEntry::title), Ok(title.to_string()), "{name}");
        }
    }

    #[test]
    fn an_unclear_name_is_told_in_one_line() {
        for (name, says) in [
            ("york", &["York, United States (39.963,-76.728)", "York, United Kingdom", "country"][..]),
            ("everst", &["no place is called \"everst\"", "Mount Everest, Nepal / China"]),
            ("paris texas", &["Paris, France"]),
            ("qqqqqqqq", &["no place is called \"qqqqqqqq\"", "27.99,86.93"]),
            ("\u{1b}[2J", &["no place"]),
        ] {
            let line = resolve(name).expect_err(name).line(name);
            assert!(says.iter().all(|part| line.contains(part)), "{line}");
            assert!(!line.contains(char::is_control), "{line:?}");
        }
    }

    /// Law: a name means a place that is called so, or several, and is never unknown.
    #[test]
    fn every_name_means_its_place_or_is_unclear() {
        for entry in entries().iter().step_by(11) {
            match resolve(entry.name) {
                Ok(place) => assert!(may_be_called(place, entry), "{} is {}", entry.title(), place.title()),
                Err(NameError::Several(places)) => assert!(places.iter().all(|place| may_be_called(place, entry))),
                Err(NameError::Unknown(_)) => panic!("{} is unknown", entry.name),
            }
        }
    }
}
