//! Which names ship with the program? `data/gazetteer.csv`, read once.

use std::{ops::Range, sync::OnceLock};

use orogen_data::GAZETTEER_CSV as CSV;

use super::spelling::{folded, letters};

/// Each step of rank is named from this part of the distance.
const NEXT_RANK: f64 = 0.58;

/// What is as large as a country fills a picture from this part of the distance.
const WHOLE: f64 = 0.2;

/// From how far away a river is looked at, metres: it has no size, but its valley has.
const RIVER_FROM_M: f64 = 60e3;

/// What a name stands for. The order is that in which equals are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PlaceKind {
    /// A part of the world.
    Continent,
    /// A country, by a place in its middle.
    Country,
    /// A state, a province, a region of a country.
    State,
    /// An ocean, a sea, a gulf, a strait.
    Sea,
    /// Mountains or a plateau.
    Range,
    /// A desert.
    Desert,
    /// A lake.
    Lake,
    /// A river, by a place on it.
    River,
    /// An island or a peninsula.
    Island,
    /// A mountain, to its top.
    Summit,
    /// A town.
    City,
    /// A canyon, a cape, a fall, a pole.
    Feature,
    /// A place of the deep sea.
    Deep,
    /// A weather station, most at an airport, by the name of its town.
    Station,
}

impl PlaceKind {
    /// As in the file.
    const NAMED: [(&str, PlaceKind); 14] = [
        ("continent", PlaceKind::Continent),
        ("country", PlaceKind::Country),
        ("state", PlaceKind::State),
        ("sea", PlaceKind::Sea),
        ("range", PlaceKind::Range),
        ("desert", PlaceKind::Desert),
        ("lake", PlaceKind::Lake),
        ("river", PlaceKind::River),
        ("island", PlaceKind::Island),
        ("summit", PlaceKind::Summit),
        ("city", PlaceKind::City),
        ("feature", PlaceKind::Feature),
        ("deep", PlaceKind::Deep),
        ("station", PlaceKind::Station),
    ];

    /// Metres from which it is named at rank 0, and the part of them from which on it is too near to be seen as a whole.
    fn named_from_m(self) -> (f64, f64) {
        match self {
            PlaceKind::Continent => (90e6, 0.16),
            PlaceKind::Country => (36e6, 0.02),
            PlaceKind::State => (18e6, 0.03),
            PlaceKind::Sea => (26e6, 0.03),
            PlaceKind::Range | PlaceKind::Desert => (14e6, 0.02),
            PlaceKind::Lake | PlaceKind::Island => (12e6, 0.01),
            PlaceKind::City => (16e6, 0.0),
            PlaceKind::Summit | PlaceKind::Feature | PlaceKind::Deep => (6e6, 0.0),
            // The line of a river is not drawn.
            PlaceKind::River | PlaceKind::Station => (0.0, 0.0),
        }
    }

    /// The word for it.
    pub fn name(self) -> &'static str {
        PlaceKind::NAMED.iter().find(|(_, kind)| *kind == self).map_or("", |(name, _)| name)
    }
}

/// A named place.
#[derive(Debug, Clone, PartialEq)]
pub struct PlaceEntry {
    /// Its name.
    pub name: &'static str,
    /// The country, continent or sea it is in; may be empty.
    pub within: &'static str,
    /// What it is.
    pub kind: PlaceKind,
    /// From how far away it is known: 0 from the farthest, 10 from near by.
    pub rank: u8,
    /// Geodetic latitude, degrees.
    pub lat_deg: f64,
    /// Longitude, degrees.
    pub lon_deg: f64,
    /// The name as it is compared.
    pub(super) key: String,
    /// The letters that it has.
    pub(super) letters: u32,
}

impl PlaceEntry {
    /// Name and country, for people.
    pub fn title(&self) -> String {
        match self.within {
            "" => self.name.to_string(),
            within => format!("{}, {within}", self.name),
        }
    }

    /// Metres from which its name is shown: not from farther away, nor from so near that it is larger than a picture.
    pub fn named_from_m(&self) -> Range<f64> {
        let (first_m, too_near) = self.kind.named_from_m();
        let most_m = first_m * NEXT_RANK.powi(i32::from(self.rank));
        too_near * most_m..most_m
    }

    /// Metres from which all of it is seen, of a river a part; none of a point.
    pub fn seen_whole_from_m(&self) -> Option<f64> {
        if self.kind == PlaceKind::River {
            return Some(RIVER_FROM_M);
        }
        let Range { start, end } = self.named_from_m();
        (start > 0.0).then_some(WHOLE * end)
    }
}

/// All of them, in the order of the file.
pub fn entries() -> &'static [PlaceEntry] {
    static ENTRIES: OnceLock<Vec<PlaceEntry>> = OnceLock::new();
    // The file is a part of the program, and a test reads every line of it.
    ENTRIES.get_or_init(|| CSV.lines().skip(1).filter_map(entry).collect())
}

fn entry(line: &'static str) -> Option<PlaceEntry> {
    let mut cells = line.split(',');
    let (name, within, kind) = (cells.next()?, cells.next()?, cells.next()?);
    let (_, kind) = *PlaceKind::NAMED.iter().find(|(word, _)| *word == kind)?;
    let rank = cells.next()?.parse().ok().filter(|rank| *rank <= 10)?;
    let (lat_deg, lon_deg) = (cells.next()?.parse().ok()?, cells.next()?.parse().ok()?);
    let key = folded(name);
    let letters = letters(&key);
    cells.next().is_none().then_some(PlaceEntry { name, within, kind, rank, lat_deg, lon_deg, key, letters })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_file_is_a_place_on_earth() {
        assert_eq!(entries().len(), CSV.lines().count() - 1);
        assert!(entries().len() > 5_000);
        for entry in entries() {
            assert!((-90.0..=90.0).contains(&entry.lat_deg) && (-180.0..=180.0).contains(&entry.lon_deg), "{entry:?}");
            assert!(!entry.key.is_empty(), "{entry:?} could not be found");
        }
    }

    /// Law: a river has no name on the globe, and is looked at from where its valley is seen; a state is seen whole.
    #[test]
    fn rivers_and_states_are_looked_at_from_afar() {
        let of_kind = |kind| entries().iter().filter(move |entry| entry.kind == kind);
        assert!(of_kind(PlaceKind::River).count() > 200 && of_kind(PlaceKind::State).count() > 500);
        for river in of_kind(PlaceKind::River) {
            assert!(river.named_from_m().is_empty() && river.seen_whole_from_m() == Some(RIVER_FROM_M), "{river:?}");
        }
        for state in of_kind(PlaceKind::State) {
            assert!(state.seen_whole_from_m().is_some_and(|whole_m| (1e5..4e6).contains(&whole_m)), "{state:?}");
        }
    }

    /// Law: summits lie on high ground of the embedded relief and deeps below the sea, so that none is misplaced far; but
    /// islands and capes smaller than its posting.
    #[test]
    fn summits_are_high_and_deeps_are_low() {
        use terrain::geodesy::Geodetic;
        use terrain::height::{OpenOptions, Relief};
        let Ok(relief) = Relief::open(&[], &OpenOptions::default()) else { return };
        let height_m =
            |lat_deg, lon_deg| relief.sample(Geodetic::from_degrees(lat_deg, lon_deg, 0.0).normal()).height_m;
        let (mut low, mut shallow) = (Vec::new(), Vec::new());
        for entry in entries() {
            // The relief is a posting or two off in places, and 9 km coarse.
            let around = (-3..=3).flat_map(|i| (-3..=3).map(move |j| (f64::from(i) * 0.08, f64::from(j) * 0.08)));
            let near = around.map(|(lat, lon)| height_m((entry.lat_deg + lat).clamp(-90.0, 90.0), entry.lon_deg + lon));
            let highest = near.fold(f64::MIN, f64::max);
            match entry.kind {
                PlaceKind::Summit if highest < 300.0 => low.push(entry.name),
                PlaceKind::Deep if height_m(entry.lat_deg, entry.lon_deg) > -5_000.0 => shallow.push(entry.name),
                _ => {}
            }
        }
        assert_eq!((low, shallow), (vec!["Stromboli", "Pico", "Krakatoa", "Mount Pelee", "Table Mountain"], vec![]));
    }
}
