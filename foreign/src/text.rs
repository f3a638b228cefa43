//! How is text from elsewhere shown? Without what a terminal obeys and what hides characters from the reader, and not too long.

use std::fmt::{self, Display, Formatter, Write as _};

/// Most characters that are shown of a text.
const MOST: usize = 80;

/// A text that can be printed; see [`sanitized`] and [`escaped`].
#[derive(Clone, Copy, Debug)]
pub struct SanitizedText<'a> {
    text: &'a str,
    most: usize,
}

/// Text from elsewhere, in at most 80 characters and an ellipsis. What is not there to be seen is escaped: control characters,
/// line ends, marks of direction, characters without width.
///
/// ```
/// assert_eq!(foreign::sanitized("a\u{1b}[31m\n\u{202e}b").to_string(), "a\\u{1b}[31m\\n\\u{202e}b");
/// assert_eq!(foreign::sanitized(&"é".repeat(100)).to_string().chars().count(), 81);
/// ```
pub fn sanitized(text: &str) -> SanitizedText<'_> {
    SanitizedText { text, most: MOST }
}

/// The same in full length: for what a reader needs whole, as the path of a file.
///
/// ```
/// assert_eq!(foreign::escaped(&"a\n".repeat(50)).to_string(), "a\\n".repeat(50));
/// ```
pub fn escaped(text: &str) -> SanitizedText<'_> {
    SanitizedText { text, most: usize::MAX }
}

/// A sentence of a library that quotes files, on one line and at twice that length: its reason stands at the end.
///
/// ```
/// assert_eq!(foreign::sentence("`a.tif' is not\n  a\u{7} raster"), "`a.tif' is not a\\u{7} raster");
/// ```
pub fn sentence(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    SanitizedText { text: &text, most: 2 * MOST }.to_string()
}

impl Display for SanitizedText<'_> {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let mut room = self.most;
        // A neighbour before it, so that a combining mark counts as what it is on: a part of a letter.
        let mut pair = String::with_capacity(5);
        for c in self.text.chars() {
            if matches!(c, ' '..='~') {
                let Some(left) = room.checked_sub(1) else { return out.write_char('…') };
                room = left;
                out.write_char(c)?;
                continue;
            }
            pair.clear();
            pair.extend(['a', c]);
            let escape = || pair.escape_debug().skip(1);
            let Some(left) = room.checked_sub(escape().count()) else { return out.write_char('…') };
            room = left;
            escape().try_for_each(|c| out.write_char(c))?;
        }
        Ok(())
    }
}

/// A number that can be printed; see [`number`].
#[derive(Clone, Copy, Debug)]
pub struct Number(f64);

/// A number from elsewhere, in few digits however large or small it is.
///
/// ```
/// assert_eq!(foreign::number(-12.5).to_string(), "-12.5");
/// assert_eq!(foreign::number(1e308).to_string(), "1e308");
/// ```
pub fn number(value: f64) -> Number {
    Number(value)
}

impl Display for Number {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let Self(value) = *self;
        let is_long = value.is_finite() && value != 0.0 && !(1e-9..1e15).contains(&value.abs());
        if is_long { write!(out, "{value:e}") } else { write!(out, "{value}") }
    }
}

/// The known word that another one is most alike; none if it is alike none.
///
/// ```
/// assert_eq!(foreign::nearest("elevatoin", &["elevation", "imagery"]), Some("elevation"));
/// assert_eq!(foreign::nearest("water", &["elevation", "imagery"]), None);
/// ```
pub fn nearest<'a>(word: &str, known: &[&'a str]) -> Option<&'a str> {
    let word: Vec<char> = word.chars().take(MOST).flat_map(char::to_lowercase).collect();
    let nearest = known.iter().map(|known| (edits(&word, known), *known)).min()?;
    // Two letters that changed places are two edits.
    Some(nearest).filter(|(edits, known)| *edits <= 1 + known.len() / 4).map(|(_, known)| known)
}

/// Letters to put in, take out or change between two words (Levenshtein's distance).
fn edits(word: &[char], other: &str) -> usize {
    let mut before: Vec<usize> = (0..=word.len()).collect();
    for (row, letter) in other.chars().enumerate() {
        let mut now = vec![row + 1];
        for (at, own) in word.iter().enumerate() {
            let changed = before[at] + usize::from(*own != letter);
            now.push(changed.min(before[at + 1] + 1).min(now[at] + 1));
        }
        before = now;
    }
    before[word.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Law: of every character that there is, none that a terminal obeys or that hides others is printed, and letters are.
    #[test]
    fn every_character() {
        // Categories Cc, Cf, Zl and Zp of Unicode 16.
        let hides = |c: char| {
            c.is_control()
                || matches!(u32::from(c), 0xad | 0x600..=0x605 | 0x61c | 0x6dd | 0x70f | 0x890 | 0x891 | 0x8e2 | 0x180e
                    | 0x200b..=0x200f | 0x2028..=0x202e | 0x2060..=0x2064 | 0x2066..=0x206f | 0xfeff | 0xfff9..=0xfffb
                    | 0x110bd | 0x110cd | 0x13430..=0x1343f | 0x1bca0..=0x1bca3 | 0x1d173..=0x1d17a | 0xe0001 | 0xe0020..=0xe007f)
        };
        for c in ('\0'..=char::MAX).filter(|c| hides(*c)) {
            let text = sanitized(&c.to_string()).to_string();
            assert!(text.starts_with('\\') && text.is_ascii(), "U+{:04x} is {text:?}", u32::from(c));
        }
        for text in ["Mont Blanc", "C:\\dem\\\"a\" 'b'", "Čerchov", "e\u{301}", "ジャックスボロ", "جبل", "🏔"]
        {
            assert_eq!(sanitized(text).to_string(), text);
        }
    }

    /// Law: a word with a slip or two is the one that was meant; another word is none.
    #[test]
    fn slips_are_forgiven() {
        let known = ["band", "valid-range", "sun", "elevation"];
        for (word, meant) in [
            ("band", Some("band")),
            ("bnad", Some("band")),
            ("Valid_range", Some("valid-range")),
            ("suns", Some("sun")),
            ("elevatoin", Some("elevation")),
            ("moon", None),
            ("", None),
        ] {
            assert_eq!(nearest(word, &known), meant, "{word}");
        }
        assert_eq!(nearest("x", &[]), None);
        assert_eq!((edits(&['a', 'b'], "ba"), edits(&[], "abc"), edits(&['a'], "")), (2, 3, 1));
    }

    /// Law: a number is read back as it was, from at most 25 characters.
    #[test]
    fn numbers_are_short() {
        for value in
            [0.0, -0.0, 91.0, 1e-9, 9.9e-10, 5e-324, 1e15, 999_999_999_999_999.1, f64::MAX, f64::MIN, f64::INFINITY]
        {
            let text = number(value).to_string();
            assert!(text.len() <= 25 && text.parse() == Ok(value), "{text}");
        }
        assert_eq!(number(f64::NAN).to_string(), "NaN");
    }

    /// Law: eighty characters are shown, escapes counted as they are printed, and an ellipsis tells that there were more.
    #[test]
    fn eighty_characters() {
        assert_eq!(sanitized(&"a".repeat(80)).to_string(), "a".repeat(80));
        assert_eq!(sanitized(&"a".repeat(5_000_000)).to_string(), format!("{}…", "a".repeat(80)));
        assert_eq!(sanitized(&"\u{1b}".repeat(50)).to_string(), format!("{}…", "\\u{1b}".repeat(13)));
        assert_eq!(escaped(&"\n".repeat(500)).to_string(), "\\n".repeat(500));
    }
}
