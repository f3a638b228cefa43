//! How do people write coordinates? From characters to signed degrees: decimal degrees, degrees with minutes and seconds,
//! letters of the hemisphere, either comma.

/// Why a text names no place.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PlaceError {
    /// Not two or three numbers.
    #[error("\"{}\" is not LAT, LON or LAT, LON, HEIGHT; for example 27.99, 86.93, 12000", crate::sanitized(.0))]
    Form(String),
    /// Says the side of the Earth twice.
    #[error("\"{}\" has a sign and a letter: write -33.9 or 33.9 S", crate::sanitized(.0))]
    SignAndLetter(String),
    /// Not a latitude.
    #[error("latitude {} is not in [-90, 90]", crate::number(*.0))]
    Latitude(f64),
    /// Not a longitude.
    #[error("longitude {} is not in [-360, 360]", crate::number(*.0))]
    Longitude(f64),
    /// The form of a grid reference, and none.
    #[error("\"{}\" is no place on the UTM grid: write the zone with its band, then metres or squares, for example 32T 380000 5090000 or 32TLS8000090000; in place of a lone S, which is a \
             band and the south, write N or SOUTH", crate::sanitized(.0))]
    Grid(String),
    /// A plus code without its first letters.
    #[error("\"{}\" is not a full plus code, which has eight letters before the plus, for example 8FVC9G8F+6X", crate::sanitized(.0))]
    PlusCode(String),
    /// A place of the Earth on another body.
    #[error(
        "names, grid references and plus codes are of the Earth: on another body give latitude and longitude, like 27.99 N, 86.93 E"
    )]
    OfEarth,
    /// Not a height.
    #[error("height {} m is not in [-12000, 6e7]", crate::number(*.0))]
    Height(f64),
}

/// What a text consists of.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Token {
    Number {
        value: f64,
        has_sign: bool,
        is_negative: bool,
    },
    /// Degrees, minutes or seconds: 0, 1, 2.
    Unit(usize),
    /// N, S, E or W.
    Letter(char),
    /// Metres in the unit of a height.
    Metres(f64),
    /// A comma or semicolon.
    Break,
}

/// A latitude, a longitude or a height as written: up to three parts, and the letter beside them.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct WrittenCoordinate {
    parts: [f64; 3],
    count: usize,
    /// Whether a part is marked as degrees, minutes or seconds, and the last part that is.
    marked: bool,
    units: usize,
    has_sign: bool,
    is_negative: bool,
    letter: Option<char>,
    letter_before: bool,
    unit_m: Option<f64>,
}

/// Two or three numbers in the order latitude, longitude, height; degrees and metres.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Coordinates {
    pub lat_deg: f64,
    pub lon_deg: f64,
    pub height_m: Option<f64>,
}

/// Reads coordinates. A comma separates them, unless semicolons do; where that makes no sense and there is no point in the text, a comma
/// between digits is a decimal one.
pub(super) fn read(text: &str) -> Result<Coordinates, PlaceError> {
    let with_points = || {
        numbers(&with_decimal_points(text)).map_err(|error| match error {
            PlaceError::Form(_) => PlaceError::Form(text.to_string()),
            other => other,
        })
    };
    let may_have_commas = !text.contains('.');
    if may_have_commas && text.contains(';') {
        return with_points();
    }
    match numbers(text) {
        Err(PlaceError::Form(_)) if may_have_commas => with_points(),
        read => read,
    }
}

/// The text with a point for each comma that has digits on both sides.
fn with_decimal_points(text: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    let digit = |index: Option<usize>| index.and_then(|i| chars.get(i)).is_some_and(char::is_ascii_digit);
    let point =
        |(i, &c): (usize, &char)| if c == ',' && digit(i.checked_sub(1)) && digit(Some(i + 1)) { '.' } else { c };
    chars.iter().enumerate().map(point).collect()
}

fn numbers(text: &str) -> Result<Coordinates, PlaceError> {
    let form = || PlaceError::Form(text.to_string());
    let tokens = tokens(text).ok_or_else(form)?;
    let written = coordinates(&tokens).ok_or_else(form)?;
    let (first, second, third) = match written[..] {
        [a, b] => (a, b, None),
        [a, b, height] if height.count == 1 && height.letter.is_none() && !height.marked => (a, b, Some(height)),
        _ => return Err(form()),
    };
    // "1,5 2": where nothing says what is what, either both have minutes or none has.
    let bare = |one: WrittenCoordinate| !one.marked && one.letter.is_none();
    let uneven = first.count != second.count && (bare(first) || bare(second));
    if uneven || first.unit_m.is_some() || second.unit_m.is_some() {
        return Err(form());
    }
    let (lat, lon) = match (first.letter, second.letter) {
        (Some('E' | 'W'), Some('N' | 'S')) => (second, first),
        (Some('E' | 'W'), _) | (_, Some('N' | 'S')) => return Err(form()),
        _ => (first, second),
    };
    if [lat, lon].iter().any(|one| one.has_sign && one.letter.is_some()) {
        return Err(PlaceError::SignAndLetter(text.to_string()));
    }
    let height_m = third.map(|height| height.parts[0] * height.sign() * height.unit_m.unwrap_or(1.0));
    Ok(Coordinates { lat_deg: lat.degrees().ok_or_else(form)?, lon_deg: lon.degrees().ok_or_else(form)?, height_m })
}

impl WrittenCoordinate {
    fn sign(&self) -> f64 {
        if self.is_negative || matches!(self.letter, Some('S' | 'W')) { -1.0 } else { 1.0 }
    }

    /// Degrees with their sign; none where minutes or seconds are 60 or more, or a part before them is not whole.
    fn degrees(&self) -> Option<f64> {
        let [degrees, minutes, seconds] = self.parts;
        let whole = self.parts[..self.count.saturating_sub(1)].iter().all(|part| part.fract() == 0.0);
        let fits = (0.0..60.0).contains(&minutes) && (0.0..60.0).contains(&seconds);
        // Rounded once, so that 55' 30" is .925; decimal degrees are not rounded at all.
        let parts = || (degrees * 3600.0 + minutes * 60.0 + seconds) / 3600.0;
        (whole && fits).then(|| self.sign() * if self.count == 1 { degrees } else { parts() })
    }
}

/// Groups tokens to coordinates; none where they make none.
fn coordinates(tokens: &[Token]) -> Option<Vec<WrittenCoordinate>> {
    if tokens.iter().all(|token| matches!(token, Token::Number { .. } | Token::Metres(_))) {
        return split_bare(tokens);
    }
    let segments = tokens.split(|token| *token == Token::Break).map(segment_coordinates);
    Some(segments.collect::<Option<Vec<_>>>()?.concat())
}

/// Numbers without any mark between them: what their count says.
fn split_bare(tokens: &[Token]) -> Option<Vec<WrittenCoordinate>> {
    let size = match tokens.iter().filter(|token| matches!(token, Token::Number { .. })).count() {
        2 | 3 => 1,
        4 => 2,
        6 => 3,
        _ => return None,
    };
    let mut all: Vec<WrittenCoordinate> = Vec::new();
    for token in tokens {
        match *token {
            Token::Number { .. } if all.last().is_none_or(|last| last.count == size) => {
                all.push(WrittenCoordinate::default());
                all.last_mut()?.add(token)?;
            }
            _ => all.last_mut()?.add(token)?,
        }
    }
    Some(all)
}

/// The coordinates between two commas: letters and the mark of degrees begin or end one.
fn segment_coordinates(tokens: &[Token]) -> Option<Vec<WrittenCoordinate>> {
    let mut all: Vec<WrittenCoordinate> = Vec::new();
    for (index, token) in tokens.iter().enumerate() {
        let begins = match (all.last(), token) {
            (None, _) => true,
            (Some(last), _) if last.count == 0 => false,
            (Some(last), Token::Number { .. }) => {
                let degrees_follow = matches!(tokens.get(index + 1), Some(Token::Unit(0)));
                let letter_behind = last.letter.is_some() && !last.letter_before;
                degrees_follow || letter_behind || last.is_full()
            }
            // A second letter is the next coordinate's.
            (Some(last), Token::Letter(_)) => last.letter.is_some(),
            _ => false,
        };
        if begins {
            all.push(WrittenCoordinate::default());
        }
        all.last_mut()?.add(token)?;
    }
    all.iter().all(|one| one.count > 0).then_some(all)
}

impl WrittenCoordinate {
    /// Whether no further part can follow: there are three, or the last one has decimals.
    fn is_full(&self) -> bool {
        self.count == 3 || self.unit_m.is_some() || self.parts[self.count - 1].fract() != 0.0
    }

    /// Takes in the next token; none where it does not fit.
    fn add(&mut self, token: &Token) -> Option<()> {
        match *token {
            Token::Number { value, has_sign, is_negative } => {
                if self.count == 3 || (has_sign && self.count > 0) {
                    return None;
                }
                self.parts[self.count] = value;
                self.count += 1;
                self.has_sign |= has_sign;
                self.is_negative |= is_negative;
            }
            Token::Unit(unit) => {
                // Units stand behind their own number, in their order.
                if self.count != unit + 1 || self.units > unit {
                    return None;
                }
                self.marked = true;
                self.units = unit + 1;
            }
            Token::Letter(letter) => {
                if self.letter.is_some() {
                    return None;
                }
                self.letter = Some(letter);
                self.letter_before = self.count == 0;
            }
            Token::Metres(metres) => {
                if self.count != 1 || self.marked || self.letter.is_some() || self.unit_m.is_some() {
                    return None;
                }
                self.unit_m = Some(metres);
            }
            Token::Break => return None,
        }
        Some(())
    }
}

/// Words that mean something.
const WORDS: &[(&str, Option<Token>)] = &[
    ("LATITUDE", None),
    ("LONGITUDE", None),
    ("LAT", None),
    ("LONG", None),
    ("LON", None),
    ("LNG", None),
    ("ALT", None),
    ("NORTH", Some(Token::Letter('N'))),
    ("SOUTH", Some(Token::Letter('S'))),
    ("EAST", Some(Token::Letter('E'))),
    ("WEST", Some(Token::Letter('W'))),
    ("DEG", Some(Token::Unit(0))),
    ("MIN", Some(Token::Unit(1))),
    ("SEC", Some(Token::Unit(2))),
    ("KM", Some(Token::Metres(1000.0))),
    ("FT", Some(Token::Metres(0.3048))),
    ("M", Some(Token::Metres(1.0))),
    ("D", Some(Token::Unit(0))),
    ("N", Some(Token::Letter('N'))),
    ("S", Some(Token::Letter('S'))),
    ("E", Some(Token::Letter('E'))),
    ("W", Some(Token::Letter('W'))),
];

/// Cuts a text into tokens; none at what has no meaning.
fn tokens(text: &str) -> Option<Vec<Token>> {
    let chars: Vec<char> = text.replace("''", "\"").replace('\u{2212}', "-").chars().collect();
    let mut tokens = Vec::new();
    let mut at = 0;
    while at < chars.len() {
        let c = chars[at];
        match c {
            ',' | ';' => tokens.push(Token::Break),
            '°' | 'º' | '˚' => tokens.push(Token::Unit(0)),
            '\'' | '′' | '’' | '‘' | '´' => tokens.push(Token::Unit(1)),
            '"' | '″' | '”' | '“' => tokens.push(Token::Unit(2)),
            // Between degrees, minutes and seconds, or behind a name.
            ':' | '=' => {}
            _ if c.is_whitespace() => {}
            _ if c.is_ascii_digit() || "+-.".contains(c) => {
                let end = number_end(&chars, at);
                let digits: String = chars[at..end].iter().collect();
                let value: f64 = digits.trim_start_matches(['-', '+']).parse().ok()?;
                tokens.push(Token::Number { value, has_sign: "+-".contains(c), is_negative: c == '-' });
                at = end;
                continue;
            }
            _ => {
                let end = at + chars[at..].iter().take_while(|c| c.is_alphabetic()).count();
                let word = chars[at..end].iter().collect::<String>().to_uppercase();
                let (_, token) = WORDS.iter().find(|(name, _)| *name == word)?;
                tokens.extend(*token);
                at = end;
                continue;
            }
        }
        at += 1;
    }
    Some(tokens)
}

/// Where a number ends that begins at `at`; `e` and an exponent belong to it, and so does `E` with a signed one. `E` for east
/// does not.
fn number_end(text: &[char], at: usize) -> usize {
    let digits = |from: usize| from + text[from..].iter().take_while(|c| c.is_ascii_digit() || **c == '.').count();
    let end = digits(at + usize::from("+-".contains(text[at])));
    let signed = matches!(text.get(end + 1), Some('+' | '-'));
    let marked = text.get(end) == Some(&'e') || text.get(end) == Some(&'E') && signed;
    let first = end + 1 + usize::from(signed);
    if marked && text.get(first).is_some_and(char::is_ascii_digit) { digits(first) } else { end }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_what_they_look_like() {
        let number = |value| Token::Number { value, has_sign: false, is_negative: false };
        let read = tokens("27°59′17″N; 1e3 m").expect("tokens");
        let expected = [
            number(27.0),
            Token::Unit(0),
            number(59.0),
            Token::Unit(1),
            number(17.0),
            Token::Unit(2),
            Token::Letter('N'),
            Token::Break,
            number(1000.0),
            Token::Metres(1.0),
        ];
        assert_eq!(read, expected);
        let signed = |value| Token::Number { value, has_sign: true, is_negative: true };
        let tiny = tokens("1e-9,-2.5E-7,1e+2 E").expect("tokens");
        let expected = [number(1e-9), Token::Break, signed(2.5e-7), Token::Break, number(100.0), Token::Letter('E')];
        assert_eq!(tiny, expected);
        assert_eq!(tokens("Everest"), None);
        assert_eq!(with_decimal_points("27,5, 86,9"), "27.5, 86.9");
    }
}
