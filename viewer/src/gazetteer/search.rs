//! Which places does a typed name mean? The best matches, without regard to accents, case and marks, and with wrong letters where no name
//! has the text.

use super::aliases::{common, country};
use super::names::{PlaceEntry, PlaceKind, entries};
use super::spelling::{FuzzyName, MatchExtent, folded, letters};

/// How a text matches a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MatchKind {
    /// It is the name.
    Whole,
    /// The name begins with it, or with it and then names the country.
    Start,
    /// Words of the name begin with it.
    Words,
    /// It is within a word of the name.
    Within,
    /// So many of its letters are wrong.
    Misspelt(usize),
}

/// A place that was found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PlaceMatch {
    /// The place.
    pub entry: &'static PlaceEntry,
    /// Whether the text is in its name; else the name is only like it.
    pub is_match: bool,
    /// How the text fits.
    pub fit: MatchKind,
    /// How far behind the best one could be, within its class of fits: two steps are those of one rank.
    pub(super) score: u32,
}

/// Steps of score that a rank is.
pub(super) const RANK: u32 = 2;
/// A start is better than words further on by so much, and than words in another order.
const LATER_WORD: u32 = 6;
const OTHER_ORDER: u32 = 10;
/// A text that ends amid a word is worse by so much.
const AMID_WORD: u32 = 2;
/// A station that has the text as its name is as good as names that begin with it, but for those of the best known places.
const STATION: u32 = RANK / 2;
/// Each wrong letter, and what is within words, is worse by so much.
const WRONG_LETTER: u32 = 12;
const WITHIN: u32 = 18;
/// As many letters may be wrong in what somebody may have meant.
const MOST_WRONG: usize = 4;
/// Wrong letters in a part of a name are worse by so much.
const PART_MISSPELT: u32 = 4;
/// A town is meant by the name that its state has too, unless it is less known by more ranks.
const TOWN_BELOW_STATE: u8 = 1;
/// A state and its town are nearer to each other, kilometres.
const STATE_REACH_KM: f64 = 800.0;

/// The best places for a text, at most `most`, the best first. "Name, country" looks in that country only.
///
/// A name that is the text comes before all others, then names that begin with it or have words that do, then those that are like it. Among
/// these the better known comes first. Stations are named for their towns, some by names that towns have in the gazetteer no more: such a
/// name is one among those that begin with it.
/// A country or a state comes before all towns of its name, but for the town that a state is named for.
pub fn search(text: &str, most: usize) -> Vec<PlaceMatch> {
    let Some(asked) = SearchQuery::new(text).filter(|_| most > 0) else { return Vec::new() };
    let is_inside = |found: &PlaceMatch| asked.is_in(found.entry);
    let mut found = Vec::new();
    for name in &asked.names {
        let of_name = (name.as_str(), letters(name));
        found.extend(entries().iter().filter_map(|entry| found_by(of_name, entry)).filter(is_inside));
    }
    put_behind_their_towns(&mut found);
    // Wrong letters are looked for only where nothing has the text at the start of a word.
    if !found.iter().any(PlaceMatch::is_good) {
        let name = &asked.names[0];
        let misspelt = FuzzyName::new(name, FuzzyName::usual(name));
        found.extend(entries().iter().filter_map(|entry| fuzzy_match(&misspelt, entry)).filter(is_inside));
    }
    best(found, most)
}

/// New York is the city before it is the state.
fn put_behind_their_towns(found: &mut [PlaceMatch]) {
    let is_whole = |found: &&PlaceMatch| found.fit == MatchKind::Whole && found.entry.kind == PlaceKind::City;
    let towns: Vec<PlaceMatch> = found.iter().filter(is_whole).copied().collect();
    let is_state = |found: &&mut PlaceMatch| found.fit == MatchKind::Whole && found.entry.kind == PlaceKind::State;
    for state in found.iter_mut().filter(is_state) {
        let entry = state.entry;
        let is_meant =
            |town: &&PlaceMatch| town.entry.rank <= entry.rank + TOWN_BELOW_STATE && is_town_of(town.entry, entry);
        if let Some(town) = towns.iter().filter(is_meant).min_by_key(|town| town.score) {
            state.score = town.score + 1;
        }
    }
}

/// Whether a town may be one in a state.
pub(super) fn is_town_of(town: &PlaceEntry, state: &PlaceEntry) -> bool {
    town.kind == PlaceKind::City
        && state.kind == PlaceKind::State
        && town.within == state.within
        && distance_km(town, state) < STATE_REACH_KM
}

/// Along a great circle.
pub(super) fn distance_km(a: &PlaceEntry, b: &PlaceEntry) -> f64 {
    let normal =
        |entry: &PlaceEntry| terrain::geodesy::n_vector(entry.lat_deg.to_radians(), entry.lon_deg.to_radians());
    6_371.0 * normal(a).angle_between(normal(b))
}

/// What somebody may have meant by a text that [`search`] does not find: the country left out, words at its end left out, or more letters
/// wrong.
pub fn nearest(text: &str, most: usize) -> Vec<PlaceMatch> {
    let name = text.split_once(',').map_or(text, |(name, _)| name);
    // What is longer than every name is none.
    let longest = entries().iter().map(|entry| entry.key.chars().count()).max().unwrap_or(0);
    let name: String = folded(name).chars().take(longest + MOST_WRONG).collect();
    let mut part = name.as_str();
    loop {
        let found = search(part, most);
        if !found.is_empty() || part.is_empty() {
            return found;
        }
        let letters = part.chars().count();
        let misspelt = FuzzyName::new(part, (letters / 3).clamp(1, MOST_WRONG));
        let found: Vec<PlaceMatch> = entries().iter().filter_map(|entry| fuzzy_match(&misspelt, entry)).collect();
        if !found.is_empty() {
            return best(found, most);
        }
        part = part.rsplit_once(' ').map_or("", |(first, _)| first);
    }
}

fn best(mut found: Vec<PlaceMatch>, most: usize) -> Vec<PlaceMatch> {
    // A stable sort: equals stay in the order of the file, which has the better known first.
    found.sort_by_key(|found| (found.class(), found.score, found.entry.kind, found.entry.key.len()));
    let mut known = rustc_hash::FxHashSet::default();
    found.retain(|found| known.insert(std::ptr::from_ref(found.entry)));
    found.truncate(most);
    found
}

impl PlaceMatch {
    fn new(entry: &'static PlaceEntry, fit: MatchKind, worse: u32) -> PlaceMatch {
        let is_match = !matches!(fit, MatchKind::Misspelt(_));
        PlaceMatch { entry, is_match, fit, score: RANK * u32::from(entry.rank) + worse }
    }

    /// Which sort of match it is: every one comes before those of the next.
    pub(super) fn class(&self) -> u8 {
        match self.fit {
            MatchKind::Whole if self.entry.kind != PlaceKind::Station => 0,
            MatchKind::Whole | MatchKind::Start | MatchKind::Words => 1,
            MatchKind::Within | MatchKind::Misspelt(_) => 2,
        }
    }

    /// Whether words of the name begin with the text.
    pub fn is_good(&self) -> bool {
        matches!(self.fit, MatchKind::Whole | MatchKind::Start | MatchKind::Words)
    }
}

fn fuzzy_match(misspelt: &FuzzyName, entry: &'static PlaceEntry) -> Option<PlaceMatch> {
    let (errors, extent) = misspelt.errors(&entry.key, entry.letters)?;
    let worse =
        WRONG_LETTER * u32::try_from(errors).ok()? + if extent == MatchExtent::Whole { 0 } else { PART_MISSPELT };
    Some(PlaceMatch::new(entry, MatchKind::Misspelt(errors), worse))
}

/// A text, taken apart.
struct SearchQuery {
    /// What is typed, and another name of that.
    names: Vec<String>,
    within: String,
}

impl SearchQuery {
    /// None if the text has no letters.
    fn new(text: &str) -> Option<SearchQuery> {
        let (name, within) = text.split_once(',').unwrap_or((text, ""));
        let name = folded(name);
        if name.is_empty() {
            return None;
        }
        let other = Some(common(&name)).filter(|other| *other != name).map(String::from);
        Some(SearchQuery {
            names: std::iter::once(name).chain(other).collect(),
            within: country(&folded(within)).to_owned(),
        })
    }

    /// Whether a place is in the country asked for.
    fn is_in(&self, entry: &PlaceEntry) -> bool {
        self.within.is_empty() || folded(entry.within).contains(&self.within)
    }
}

/// How a folded name with its letters fits a place.
fn found_by((name, name_letters): (&str, u32), entry: &'static PlaceEntry) -> Option<PlaceMatch> {
    let key = entry.key.as_str();
    // "Paris France".
    if let Some(behind) = name.strip_prefix(key).and_then(|rest| rest.strip_prefix(' '))
        && words(&folded(entry.within)).any(|at| at.starts_with(country(behind)))
    {
        return Some(PlaceMatch::new(entry, MatchKind::Start, 0));
    }
    // "Rhine River", "River Thames".
    let river = [name.strip_suffix(" river"), name.strip_prefix("river ")];
    if entry.kind == PlaceKind::River && river.contains(&Some(key)) {
        return Some(PlaceMatch::new(entry, MatchKind::Whole, RANK));
    }
    if name_letters & !entry.letters != 0 {
        return None;
    }
    if key == name {
        let score = match entry.kind {
            // A country or a state is what its name means, whatever towns are called so.
            PlaceKind::Continent | PlaceKind::Country | PlaceKind::State => 0,
            PlaceKind::Station => STATION,
            _ => RANK * u32::from(entry.rank) + RANK,
        };
        return Some(PlaceMatch { score, ..PlaceMatch::new(entry, MatchKind::Whole, 0) });
    }
    let in_order = key.contains(name);
    if let Some(at) = words(key).find(|at| in_order && at.starts_with(name)) {
        let amid = if matches!(at.as_bytes().get(name.len()), None | Some(b' ')) { 0 } else { AMID_WORD };
        let is_start = at.len() == key.len();
        let fit = if is_start { MatchKind::Start } else { MatchKind::Words };
        // The Atlantic is both oceans of that name.
        let is_ocean = entry.kind == PlaceKind::Sea && entry.rank == 0;
        let worse = if is_start || is_ocean { 0 } else { LATER_WORD };
        return Some(PlaceMatch::new(entry, fit, worse + amid));
    }
    if name.contains(' ') && name.split(' ').all(|word| words(key).any(|at| at.starts_with(word))) {
        return Some(PlaceMatch::new(entry, MatchKind::Words, OTHER_ORDER));
    }
    in_order.then(|| PlaceMatch::new(entry, MatchKind::Within, WITHIN))
}

/// A name from each of its words on.
fn words(name: &str) -> impl Iterator<Item = &str> {
    std::iter::once(name).chain(name.match_indices(' ').map(|(at, _)| &name[at + 1..]))
}

#[cfg(test)]
pub(super) mod tests {
    use rand::{Rng as _, SeedableRng as _, rngs::StdRng, seq::IndexedRandom as _};

    use super::*;

    fn best(text: &str) -> String {
        search(text, 1).first().map_or(String::new(), |found| found.entry.title())
    }

    #[test]
    fn names_are_found_as_people_type_them() {
        for (text, title) in [
            ("Mount Everest", "Mount Everest, Nepal / China"),
            ("everest", "Mount Everest, Nepal / China"),
            ("  EVEREST ", "Mount Everest, Nepal / China"),
            ("everest mount", "Mount Everest, Nepal / China"),
            ("mt everest", "Mount Everest, Nepal / China"),
            ("k2", "K2, Pakistan / China"),
            ("mont blanc", "Mont Blanc, France / Italy"),
            ("Zurich", "Zürich, Switzerland"),
            ("sao paulo", "São Paulo, Brazil"),
            ("saint petersburg", "St. Petersburg, Russia"),
            ("hague", "The Hague, Netherlands"),
            ("the netherlands", "Netherlands, Europe"),
            ("caspian", "Caspian Sea, Asia"),
            ("reykjavik", "Reykjavík, Iceland"),
            ("adams peak", "Adam's Peak, Sri Lanka"),
            ("aoraki", "Aoraki / Mount Cook, New Zealand"),
            ("south pole", "South Pole, Antarctica"),
            ("francisco", "San Francisco, United States"),
            ("France", "France, Europe"),
            ("Singapore", "Singapore, Asia"),
            ("usa", "United States, North America"),
            ("Saigon", "Ho Chi Minh City, Vietnam"),
            ("Barcelona, Venezuela", "Barcelona, Venezuela"),
            ("Barcelona venezuela", "Barcelona, Venezuela"),
            ("Barcelona", "Barcelona, Spain"),
            ("paris, usa", "Paris, United States"),
            // Towns, not the stations and towns of that name elsewhere.
            ("Washington", "Washington D.C., United States"),
            ("rio", "Rio de Janeiro, Brazil"),
            ("Wien", "Vienna, Austria"),
            ("Lisboa", "Lisbon, Portugal"),
            ("Praha", "Prague, Czechia"),
            ("Roma", "Rome, Italy"),
            ("Roma, Australia", "Roma, Australia"),
            ("München", "Munich, Germany"),
            ("Den Haag", "The Hague, Netherlands"),
            ("Ciudad de México", "Mexico City, Mexico"),
            ("Mont Cervin", "Matterhorn, Switzerland / Italy"),
            // States and rivers, not the stations that begin so.
            ("Wales", "Wales, United Kingdom"),
            ("Ontario", "Ontario, Canada"),
            ("california", "California, United States"),
            ("Toscana", "Tuscany, Italy"),
            ("andalucía", "Andalusia, Spain"),
            ("amazon", "Amazon, South America"),
            ("rhein", "Rhine, Europe"),
            ("Dunărea", "Danube, Europe"),
            ("Huang He", "Yellow River, China"),
            ("rhine river", "Rhine, Europe"),
            ("atlantic", "North Atlantic Ocean"),
            ("York, England", "York, United Kingdom"),
        ] {
            assert_eq!(best(text), title, "{text}");
        }
    }

    /// Law: a town that a state is named for comes before it, and it before what only begins so.
    #[test]
    fn a_town_comes_before_the_state_named_for_it() {
        for text in ["New York", "São Paulo", "Buenos Aires", "Salzburg", "Zürich"] {
            let kinds: Vec<PlaceKind> = search(text, 2).iter().map(|found| found.entry.kind).collect();
            assert_eq!(kinds, [PlaceKind::City, PlaceKind::State], "{text}");
        }
    }

    #[test]
    fn a_typo_is_forgiven_and_said() {
        for (text, title) in [
            ("kilimandjaro", "Kilimanjaro, Tanzania"),
            ("mattehorn", "Matterhorn, Switzerland / Italy"),
            ("materh", "Matterhorn, Switzerland / Italy"),
            ("everst", "Mount Everest, Nepal / China"),
            ("londno", "London, United Kingdom"),
            ("newyork", "New York, United States"),
            ("Mattehorn, Italy", "Matterhorn, Switzerland / Italy"),
        ] {
            let found = search(text, 3);
            assert!(!found.is_empty(), "{text}");
            assert_eq!((found[0].entry.title().as_str(), found[0].is_match), (title, false), "{text}");
        }
        assert!(search("matterh", 3)[0].is_match);
    }

    #[test]
    fn nonsense_finds_nothing() {
        for text in ["", "   ", ",", "qqqqqqqq", "°", "Paris, Atlantis"] {
            assert_eq!(search(text, 5), [], "{text}");
        }
        assert_eq!(search("a", 6).len(), 6);
        assert_eq!(search("everest", 0), []);
        assert_eq!(nearest("", 3), []);
        assert_eq!(nearest("Paris, Atlantis", 1)[0].entry.title(), "Paris, France");
        assert_eq!(nearest("paris texas", 1)[0].entry.title(), "Paris, France");
    }

    /// Whether a place may be meant by the name of another: it is called so, in its own or people's words, or, of a station's, begins so.
    pub(in crate::gazetteer) fn may_be_called(place: &PlaceEntry, entry: &PlaceEntry) -> bool {
        let begins_so = || words(&place.key).any(|at| at.starts_with(&entry.key));
        place.key == entry.key || place.key == common(&entry.key) || entry.kind == PlaceKind::Station && begins_so()
    }

    /// Law: every name finds its place before all that nobody calls so, and "name, country" finds it among those of the country.
    #[test]
    fn every_name_finds_itself() {
        for entry in entries() {
            let found = search(entry.name, 40);
            let at = found.iter().position(|found| std::ptr::eq(found.entry, entry));
            let at = at.unwrap_or_else(|| panic!("{} is not found", entry.title()));
            assert!(found[..at].iter().all(|other| may_be_called(other.entry, entry)), "{}", entry.title());
        }
        for entry in entries().iter().step_by(7) {
            let found = search(&entry.title(), 40);
            let at = found.iter().position(|found| std::ptr::eq(found.entry, entry));
            let at = at.unwrap_or_else(|| panic!("{} is not found", entry.title()));
            assert!(found[..at].iter().all(|other| may_be_called(other.entry, entry)), "{}", entry.title());
        }
    }

    /// Law: what is better known is never behind what is less known and fits no better; asking for fewer gives the first of more.
    #[test]
    fn better_known_names_come_first() {
        for text in ["mont", "san", "vic", "new", "lake", "alp", "berg", "everst", "tokio", "lond"] {
            let found = search(text, 30);
            for pair in found.windows(2) {
                let same = pair[0].fit == pair[1].fit && pair[0].score > pair[1].score;
                assert!(!same, "{text}: {pair:?}");
            }
            assert_eq!(search(text, 3), found[..3.min(found.len())], "{text}");
        }
    }

    /// A name with one letter changed, added, left out or swapped with the next.
    fn with_an_error(name: &str, random: &mut StdRng) -> String {
        let mut letters: Vec<char> = name.chars().collect();
        let at = random.random_range(0..letters.len());
        let letter = char::from(random.random_range(b'a'..=b'z'));
        match random.random_range(0..4) {
            0 => letters[at] = letter,
            1 => letters.insert(at, letter),
            2 => drop(letters.remove(at)),
            _ => {
                let at = at.min(letters.len() - 2);
                letters.swap(at, at + 1);
            }
        }
        letters.into_iter().collect()
    }

    /// Law: of names of 6 letters and more, 95 % are among the first five with one error in them.
    #[test]
    fn a_name_with_one_error_is_among_the_first_five() {
        let long: Vec<&PlaceEntry> = entries().iter().filter(|entry| entry.name.chars().count() >= 6).collect();
        let seed = std::env::var("OROGEN_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or_else(rand::random);
        println!("OROGEN_SEED={seed}");
        let mut random = StdRng::seed_from_u64(seed);
        let (tries, mut hits) = (2_000, 0);
        for _ in 0..tries {
            let entry = long.choose(&mut random).expect("names");
            let text = with_an_error(entry.name, &mut random);
            // Those of one name are one answer.
            hits += usize::from(search(&text, 5).iter().any(|found| found.entry.key == entry.key));
        }
        assert!(hits * 100 >= 95 * tries, "{hits} of {tries}");
    }
}
