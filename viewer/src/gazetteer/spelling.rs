//! How alike are two names? Both are folded to plain letters, then compared word by word, or by counting wrong letters.

/// A name as it is compared: Latin letters without accents, small, one blank for everything between words, `St.`, `Mt.` and `Ft.` in full,
/// and no `The` before it.
pub(crate) fn folded(name: &str) -> String {
    let plain = plain(name);
    let words: Vec<&str> = plain.split(' ').collect();
    let Some((last, first)) = words.split_last() else { return plain };
    let first = match first {
        ["the", rest @ ..] => rest,
        all => all,
    };
    // The last word may be one that is still being typed.
    let full = first.iter().map(|word| match *word {
        "st" => "saint",
        "ste" => "sainte",
        "mt" => "mount",
        "ft" => "fort",
        other => other,
    });
    full.chain([*last]).collect::<Vec<_>>().join(" ")
}

fn plain(name: &str) -> String {
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

/// How much of a name a text with wrong letters is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum MatchExtent {
    /// All of it.
    Whole,
    /// Whole words.
    Words,
    /// How it begins.
    Start,
}

/// A text for fuzzy matching: found in names although letters may be wrong.
pub(super) struct FuzzyName {
    text: Vec<char>,
    letters: u32,
    most: usize,
}

impl FuzzyName {
    /// Shortest text that may be a part of a name, letters.
    const LEAST_PART: usize = 5;

    /// A folded text with at most `most` wrong letters.
    pub fn new(text: &str, most: usize) -> Self {
        Self { text: text.chars().collect(), letters: letters(text), most }
    }

    /// As many wrong letters as a text of this length may have.
    pub fn usual(text: &str) -> usize {
        match text.chars().count() {
            ..4 => 0,
            4..8 => 1,
            8..13 => 2,
            _ => 3,
        }
    }

    /// The fewest letters that have to be changed, added, left out or swapped with the next one (optimal string alignment) to make the
    /// text of a name with these letters, of words of it, or of its start; none if more than allowed.
    pub fn errors(&self, key: &str, letters: u32) -> Option<(usize, MatchExtent)> {
        // Each error brings one letter that the name has not, or one letter more than it has.
        if (self.letters & !letters).count_ones() as usize > self.most || self.text.len() > key.len() + self.most {
            return None;
        }
        let key: Vec<char> = key.chars().collect();
        let starts = (0..key.len()).filter(|&k| k == 0 || key[k - 1] == ' ');
        starts.filter_map(|start| self.errors_from(&key, start)).min_by_key(|&(errors, extent)| (errors, extent))
    }

    fn errors_from(&self, key: &[char], start: usize) -> Option<(usize, MatchExtent)> {
        let tail = &key[start..];
        let is_part = self.text.len() >= Self::LEAST_PART;
        if start > 0 && !is_part {
            return None;
        }
        let count = self.text.len();
        // Letters beyond what errors can account for change nothing.
        let tail = &tail[..tail.len().min(count + self.most + 1)];
        let mut rows = [vec![0; count + 1], vec![0; count + 1], (0..=count).collect()];
        let mut best = None;
        let mut least = [0; 2];
        for (i, &a) in tail.iter().enumerate() {
            // A row comes from the last one, or with one error from that before it.
            if least[1] > self.most && least[0] >= self.most {
                break;
            }
            rows.rotate_left(1);
            let [before, last, row] = &mut rows;
            row[0] = i + 1;
            for (j, &b) in self.text.iter().enumerate() {
                let mut errors = (last[j] + usize::from(a != b)).min(last[j + 1] + 1).min(row[j] + 1);
                if i > 0 && j > 0 && a == self.text[j - 1] && tail[i - 1] == b {
                    errors = errors.min(before[j - 1] + 1);
                }
                row[j + 1] = errors;
            }
            least = [least[1], row.iter().copied().min().unwrap_or(0)];
            let end = start + i + 1;
            let extent = match (start, end == key.len(), end == key.len() || key[end] == ' ') {
                (0, true, _) => MatchExtent::Whole,
                (_, _, true) if is_part => MatchExtent::Words,
                (0, _, _) if is_part => MatchExtent::Start,
                _ => continue,
            };
            if row[count] <= self.most && best.is_none_or(|best| (row[count], extent) < best) {
                best = Some((row[count], extent));
            }
        }
        best
    }
}

/// Which of the letters a to z a name has.
pub(super) fn letters(name: &str) -> u32 {
    name.bytes().filter(u8::is_ascii_lowercase).fold(0, |letters, c| letters | 1 << (c - b'a'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn errors(text: &str, key: &str, most: usize) -> Option<(usize, MatchExtent)> {
        FuzzyName::new(text, most).errors(key, letters(key))
    }

    #[test]
    fn letters_are_counted_as_they_are_mistyped() {
        assert_eq!(errors("sitting", "kitten", 2), None);
        assert_eq!(errors("sitting", "kitten", 3), Some((3, MatchExtent::Whole)));
        assert_eq!(errors("denalli", "denali", 1), Some((1, MatchExtent::Whole)));
        assert_eq!(errors("aconcagua", "aconcagua", 2), Some((0, MatchExtent::Whole)));
        assert_eq!(errors("cat", "ant", 1), None);
        assert_eq!(errors("evreest", "everest", 1), Some((1, MatchExtent::Whole)));
        assert_eq!(errors("everst", "mount everest", 1), Some((1, MatchExtent::Words)));
        assert_eq!(errors("materh", "matterhorn", 1), Some((1, MatchExtent::Start)));
        assert_eq!(errors("mato", "matterhorn", 1), None, "too short to be a start");
    }

    /// Law: the number of errors is that of the definition, written as a recursion.
    #[test]
    fn errors_are_those_of_the_definition() {
        use rand::{Rng as _, SeedableRng as _};
        fn distance(a: &[u8], b: &[u8]) -> usize {
            let ([.., x], [.., y]) = (a, b) else { return a.len() + b.len() };
            let (short_a, short_b) = (&a[..a.len() - 1], &b[..b.len() - 1]);
            let mut least = distance(short_a, short_b) + usize::from(x != y);
            least = least.min(distance(short_a, b) + 1).min(distance(a, short_b) + 1);
            if let ([a @ .., p, _], [b @ .., q, _]) = (a, b)
                && (p, x) == (y, q)
            {
                least = least.min(distance(a, b) + 1);
            }
            least
        }
        let mut random = rand::rngs::StdRng::seed_from_u64(11);
        for _ in 0..2_000 {
            let mut word = || -> String {
                let length = random.random_range(1..=4);
                (0..length).map(|_| random.random_range(b'a'..=b'c') as char).collect()
            };
            let (a, b) = (word(), word());
            let expected = distance(a.as_bytes(), b.as_bytes());
            // So short a text is a whole name or none.
            assert_eq!(errors(&a, &b, 9), Some((expected, MatchExtent::Whole)), "{a} {b}");
        }
    }

    #[test]
    fn names_are_folded() {
        for (name, key) in [
            ("São Tomé—& Príncipe!", "sao tome principe"),
            ("St.-Denis", "saint denis"),
            ("Mt Ida", "mount ida"),
            ("The Hague", "hague"),
            ("the", "the"),
            ("St", "st"),
            ("  ", ""),
            ("Nuku'alofa", "nukualofa"),
        ] {
            assert_eq!(folded(name), key);
        }
    }
}
