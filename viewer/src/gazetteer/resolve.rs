//! Which one place does a name mean, where nobody can be asked? The best known of that name, unless others are as well known.

use super::aliases::common;
use super::names::{PlaceEntry, PlaceKind};
use super::search::{MatchKind, PlaceMatch, RANK, distance_km, is_town_of, nearest, search};
use super::spelling::folded;

/// A place that is less known by so many ranks is not meant.
const CLEARLY_LESS: u32 = 2 * RANK;
/// Places nearer than this are one, kilometres: a city and its airport.
const ONE_PLACE_KM: f64 = 150.0;
/// A town that is less known is not meant by a text that ends amid a word of its name.
const KNOWN_TOWN: u8 = 6;
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
    let all = search(name, 30);
    let found: Vec<PlaceMatch> = all.iter().filter(|found| may_be_meant(name, found)).copied().collect();
    let Some(first) = found.first() else {
        let like = if all.is_empty() { nearest(name, TOLD) } else { all };
        return Err(NameError::Unknown(like.iter().take(TOLD).map(|found| found.entry).collect()));
    };
    // Two states may have one name.
    let is_other = |other: &PlaceMatch| is_named_land(other) && other.entry.kind == first.entry.kind;
    if is_named_land(first) && !found[1..].iter().any(is_other) {
        return Ok(first.entry);
    }
    // A station of that name is none of towns that begin so, nor the other way round.
    let is_station = |found: &PlaceMatch| found.fit == MatchKind::Whole && found.entry.kind == PlaceKind::Station;
    let is_rival = |other: &&PlaceMatch| {
        is_station(other) == is_station(first)
            && other.class() == first.class()
            && other.score < first.score + CLEARLY_LESS
    };
    let mut places = vec![first.entry];
    for rival in found[1..].iter().filter(is_rival) {
        if !places.iter().any(|place| is_one_place(place, rival.entry)) {
            places.push(rival.entry);
        }
    }
    if places.len() == 1 {
        return Ok(first.entry);
    }
    places.truncate(TOLD);
    Err(NameError::Several(places))
}

/// Whether a place that a text finds may be what it means, where nobody can be asked: no station by a part of its name,
/// nor a small town by a text that ends amid a word.
fn may_be_meant(text: &str, found: &PlaceMatch) -> bool {
    let name = folded(text.split_once(',').map_or(text, |(name, _)| name));
    let key = found.entry.key.as_str();
    // "Paris France" has all of the name.
    let has_all = || name.strip_prefix(key).is_some_and(|rest| rest.starts_with(' '));
    let has_words = |name: &str| name.split(' ').all(|word| key.split(' ').any(|of_key| of_key == word));
    let is_part = match found.entry.kind {
        PlaceKind::Station => true,
        PlaceKind::City => found.entry.rank > KNOWN_TOWN && !has_words(&name) && !has_words(common(&name)),
        _ => false,
    };
    found.is_good() && (!is_part || found.fit == MatchKind::Whole || has_all())
}

/// Whether it is a country, or the like, that has the text as its name.
fn is_named_land(found: &PlaceMatch) -> bool {
    let is_land = matches!(found.entry.kind, PlaceKind::Continent | PlaceKind::Country | PlaceKind::State);
    is_land && found.fit == MatchKind::Whole
}

/// Whether two entries are the same for whoever names them.
fn is_one_place(a: &PlaceEntry, b: &PlaceEntry) -> bool {
    let is_in = |a: &PlaceEntry, b: &PlaceEntry| !b.within.is_empty() && folded(b.within) == a.key;
    // A river that is no better known than the town on it, which it may be called like, has no name of its own: "Anadyr River" finds it.
    let is_on = |town: &PlaceEntry, river: &PlaceEntry| {
        (town.kind, river.kind) == (PlaceKind::City, PlaceKind::River)
            && (&town.key, town.within) == (&river.key, river.within)
    };
    let is_named_for = is_town_of(a, b) || is_town_of(b, a) || is_on(a, b) || is_on(b, a);
    is_in(a, b) || is_in(b, a) || is_named_for || distance_km(a, b) < ONE_PLACE_KM
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
    fn states_and_rivers_are_meant_by_their_names() {
        for (name, title, kind) in [
            ("Wales", "Wales, United Kingdom", PlaceKind::State),
            ("California", "California, United States", PlaceKind::State),
            ("Texas", "Texas, United States", PlaceKind::State),
            ("Ontario", "Ontario, Canada", PlaceKind::State),
            ("Colorado", "Colorado, United States", PlaceKind::State),
            ("Missouri", "Missouri, United States", PlaceKind::State),
            ("Ohio", "Ohio, United States", PlaceKind::State),
            ("Mississippi", "Mississippi, United States", PlaceKind::State),
            ("Victoria", "Victoria, Australia", PlaceKind::State),
            ("Georgia, USA", "Georgia, United States", PlaceKind::State),
            ("Bayern", "Bavaria, Germany", PlaceKind::State),
            ("Toscana", "Tuscany, Italy", PlaceKind::State),
            ("Siberia", "Siberia, Russia", PlaceKind::State),
            ("England", "England, United Kingdom", PlaceKind::State),
            // Not the states of that name.
            ("New York", "New York, United States", PlaceKind::City),
            ("São Paulo", "São Paulo, Brazil", PlaceKind::City),
            ("Buenos Aires", "Buenos Aires, Argentina", PlaceKind::City),
            ("Salzburg", "Salzburg, Austria", PlaceKind::City),
            ("Geneva", "Geneva, Switzerland", PlaceKind::City),
            ("Washington", "Washington D.C., United States", PlaceKind::City),
            ("London, England", "London, United Kingdom", PlaceKind::City),
            ("Georgia", "Georgia, Asia", PlaceKind::Country),
            ("Mexico", "Mexico, North America", PlaceKind::Country),
            ("Jordan", "Jordan, Asia", PlaceKind::Country),
            ("Madeira", "Madeira, Portugal", PlaceKind::Island),
            ("Amazon", "Amazon, South America", PlaceKind::River),
            ("Rhine", "Rhine, Europe", PlaceKind::River),
            ("Rhein", "Rhine, Europe", PlaceKind::River),
            ("Donau", "Danube, Europe", PlaceKind::River),
            ("Nile", "Nile, Africa", PlaceKind::River),
            ("River Thames", "Thames, United Kingdom", PlaceKind::River),
            ("Colorado River", "Colorado, United States", PlaceKind::River),
            ("Mississippi River", "Mississippi, United States", PlaceKind::River),
        ] {
            let found = resolve(name).map(|place| (place.title(), place.kind));
            assert_eq!(found, Ok((title.to_string(), kind)), "{name}");
        }
    }

    /// Law: the beginning of a station's name, or of a small town's but for whole words of it, does not mean it.
    #[test]
    fn a_part_of_a_little_known_name_means_no_such_place() {
        let is_little = |entry: &&PlaceEntry| match entry.kind {
            PlaceKind::Station => true,
            PlaceKind::City => entry.rank > KNOWN_TOWN && !entry.key.contains(' '),
            _ => false,
        };
        for entry in entries().iter().filter(is_little).step_by(29) {
            let part: String = entry.key.chars().take(entry.key.chars().count() - 1).collect();
            let meant = match resolve(&part) {
                Ok(place) => vec![place],
                Err(NameError::Several(places)) => places,
                Err(NameError::Unknown(_)) => Vec::new(),
            };
            assert!(!meant.iter().any(|place| std::ptr::eq(*place, entry)), "{part}");
        }
    }

    #[test]
    fn an_unclear_name_is_told_in_one_line() {
        for (name, says) in [
            ("york", &["York, United States (39.963,-76.728)", "York, United Kingdom", "country"][..]),
            ("everst", &["no place is called \"everst\"", "Mount Everest, Nepal / China"]),
            ("paris texas", &["Paris, France"]),
            ("Atlantic", &["\"Atlantic\" may be North Atlantic Ocean", "South Atlantic Ocean"]),
            ("Pacific", &["\"Pacific\" may be North Pacific Ocean", "South Pacific Ocean"]),
            ("charles de gaulle", &["no place is called", "Paris - Charles De Gaulle, France"]),
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
