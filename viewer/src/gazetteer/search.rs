//! Which place does a typed name mean? The best matches, without regard to accents, case and marks, and with a typo allowed.

use super::names::{Entry, Kind, entries};

/// A place that was found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Found {
    /// The place.
    pub entry: &'static Entry,
    /// Whether the text is in its name; else the name is only like it.
    pub is_match: bool,
}

/// How well a name fits; the smallest is the best.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Fit {
    Whole,
    Start,
    WordStart,
    Within,
    /// Letters that are wrong.
    Typo(usize),
}

/// The best places for a text, at most `most`, the best first. "Name, country" looks in that country only.
pub fn search(text: &str, most: usize) -> Vec<Found> {
    let (name, within) = text.split_once(',').unwrap_or((text, ""));
    let (name, within) = (folded(name), folded(within));
    if name.is_empty() || most == 0 {
        return Vec::new();
    }
    let inside = |entry: &&Entry| within.is_empty() || folded(entry.within).contains(&within);
    let mut fits: Vec<(Fit, Kind, usize, &'static Entry)> = entries()
        .iter()
        .filter(inside)
        .filter_map(|entry| Some((fit(&entry.key, &name)?, entry.kind, entry.key.len(), entry)))
        .collect();
    // Only where nothing fits is something like it looked for.
    if fits.is_empty() {
        fits = entries()
            .iter()
            .filter(inside)
            .filter_map(|entry| Some((Fit::Typo(typos(&entry.key, &name)?), entry.kind, entry.key.len(), entry)))
            .collect();
    }
    // A stable sort: equals stay in the order of the file, which has the better known first.
    fits.sort_by_key(|&(fit, kind, length, entry)| (fit, entry.rank, kind, length));
    let found = |&(fit, _, _, entry): &(Fit, Kind, usize, &'static Entry)| Found {
        entry,
        is_match: !matches!(fit, Fit::Typo(_)),
    };
    fits.iter().take(most).map(found).collect()
}

fn fit(key: &str, name: &str) -> Option<Fit> {
    let at = key.find(name)?;
    Some(match at {
        0 if key.len() == name.len() => Fit::Whole,
        0 => Fit::Start,
        _ if key.split(' ').any(|word| word.starts_with(name)) || key.contains(&format!(" {name}")) => Fit::WordStart,
        _ => Fit::Within,
    })
}

/// Letters that have to be changed, added or left out to make one word of the other (Levenshtein); none if more than one
/// in four.
fn typos(key: &str, name: &str) -> Option<usize> {
    let (key, name): (Vec<char>, Vec<char>) = (key.chars().collect(), name.chars().collect());
    let most = name.len() / 4;
    if key.len().abs_diff(name.len()) > most {
        return None;
    }
    let mut row: Vec<usize> = (0..=name.len()).collect();
    for (i, a) in key.iter().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, b) in name.iter().enumerate() {
            let changed = diagonal + usize::from(a != b);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(diagonal + 1).min(row[j] + 1);
        }
    }
    (row[name.len()] <= most).then_some(row[name.len()])
}

/// A name as it is compared: Latin letters without accents, small, and one blank for everything between words.
pub(super) fn folded(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for c in name.chars().flat_map(char::to_lowercase) {
        let plain = match c {
            'a'..='z' | '0'..='9' => {
                out.push(c);
                continue;
            }
            'à'..='å' | 'ā' | 'ă' | 'ą' => "a",
            'æ' => "ae",
            'ç' | 'ć' | 'č' | 'ĉ' => "c",
            'ď' | 'đ' | 'ð' => "d",
            'è'..='ë' | 'ē' | 'ė' | 'ę' | 'ě' => "e",
            'ğ' | 'ģ' | 'ĝ' => "g",
            'ì'..='ï' | 'ī' | 'į' | 'ı' => "i",
            'ķ' => "k",
            'ł' | 'ľ' | 'ļ' | 'ĺ' => "l",
            'ñ' | 'ń' | 'ň' | 'ņ' => "n",
            'ò'..='ö' | 'ø' | 'ō' | 'ő' => "o",
            'œ' => "oe",
            'ŕ' | 'ř' => "r",
            'ś' | 'š' | 'ş' | 'ș' => "s",
            'ß' => "ss",
            'ť' | 'ţ' | 'ț' => "t",
            'þ' => "th",
            'ù'..='ü' | 'ū' | 'ů' | 'ű' | 'ų' => "u",
            'ý' | 'ÿ' => "y",
            'ź' | 'ż' | 'ž' => "z",
            // Adam's, not Adam s; a combining accent is none.
            '\'' | '’' | '\u{300}'..='\u{36f}' => "",
            c if c.is_alphanumeric() => {
                out.push(c);
                continue;
            }
            _ if out.is_empty() || out.ends_with(' ') => "",
            _ => " ",
        };
        out.push_str(plain);
    }
    out.truncate(out.trim_end().len());
    out
}

#[cfg(test)]
mod tests {
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
            ("k2", "K2, Pakistan / China"),
            ("mont blanc", "Mont Blanc, France / Italy"),
            ("Zurich", "Zürich, Switzerland"),
            ("caspian", "Caspian Sea, Asia"),
            ("reykjavik", "Reykjavík, Iceland"),
            ("adams peak", "Adam's Peak, Sri Lanka"),
            ("aoraki", "Aoraki / Mount Cook, New Zealand"),
            ("south pole", "South Pole, Antarctica"),
            ("Barcelona, Venezuela", "Barcelona, Venezuela"),
            ("Barcelona", "Barcelona, Spain"),
        ] {
            assert_eq!(best(text), title, "{text}");
        }
    }

    #[test]
    fn a_typo_is_forgiven_and_said() {
        for (text, title) in
            [("kilimandjaro", "Kilimanjaro, Tanzania"), ("mattehorn", "Matterhorn, Switzerland / Italy")]
        {
            let found = search(text, 3);
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
    }

    #[test]
    fn typos_are_counted_as_levenshtein_did() {
        assert_eq!(typos("kitten", "sitting"), None);
        assert_eq!(typos("denali", "denalli"), Some(1));
        assert_eq!(typos("aconcagua", "aconcagua"), Some(0));
        assert_eq!(typos("ant", "cat"), None);
        assert_eq!(folded("São Tomé—& Príncipe!"), "sao tome principe");
    }
}
