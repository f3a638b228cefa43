//! Which place does a reference on the UTM grid name: "32T 380000 5090000", or "32TLS8000090000" of the Military Grid Reference System?

use geoconvert::{LatLon, Mgrs, UtmUps};

use crate::notation::PlaceError;

/// Letters of bands of eight degrees, from 80 S on; the last one has twelve.
const BANDS: &[u8] = b"CDEFGHJKLMNPQRSTUVWX";
/// Degrees by which a place may lie beside the band that is written.
const BESIDE_BAND_DEG: f64 = 0.05;

/// Latitude and longitude of a text that has the form of a grid reference; `None` of another.
pub(crate) fn read(text: &str) -> Option<Result<[f64; 2], PlaceError>> {
    // Nearly all places are decimal degrees.
    if !text.bytes().any(|letter| letter.is_ascii_alphabetic()) {
        return None;
    }
    let found = mgrs(text).or_else(|| utm(text))?;
    Some(found.ok_or_else(|| PlaceError::Grid(text.to_string())))
}

/// Zone, band, square of 100 km, and digits of easting and northing: the middle of the square that they name.
fn mgrs(text: &str) -> Option<Option<[f64; 2]>> {
    let all: String = text.split_whitespace().collect::<String>().to_ascii_uppercase();
    let (zone, rest) = number(&all)?;
    let letters = rest.get(..3)?;
    let digits = rest.get(3..)?;
    let is_form = zone.len() <= 2
        && letters.bytes().all(|letter| letter.is_ascii_uppercase())
        && (2..=10).contains(&digits.len())
        && digits.bytes().all(|digit| digit.is_ascii_digit());
    is_form.then(|| Some(degrees(LatLon::from_mgrs(&Mgrs::parse_str(&all).ok()?))))
}

/// Zone, band or hemisphere, easting and northing in metres.
fn utm(text: &str) -> Option<Option<[f64; 2]>> {
    let words: Vec<String> = text
        .split(|c: char| c.is_whitespace() || c == ',' || c == ';')
        .filter(|word| !word.is_empty())
        .map(str::to_ascii_uppercase)
        .collect();
    let (zone, rest) = number(words.first()?)?;
    let (side, metres) = match rest {
        "" => (words.get(1)?.as_str(), words.get(2..)?),
        side => (side, &words[1..]),
    };
    let [easting, northing] = metres else { return None };
    let [easting, northing] = [(easting, "E"), (northing, "N")].map(|(word, end)| {
        let bare = word.strip_suffix(end).unwrap_or(word);
        bare.strip_suffix('M').unwrap_or(bare).parse::<f64>().ok()
    });
    let (zone, easting, northing) = (zone.parse::<i32>().ok()?, easting?, northing?);
    // Numbers like these are no degrees.
    if !(1e5..1e6).contains(&easting) || !(0.0..=1e7).contains(&northing) {
        return None;
    }
    let band = match (side, side.as_bytes()) {
        ("NORTH", _) | ("N", _) => return Some(place(zone, true, [easting, northing])),
        ("SOUTH", _) => return Some(place(zone, false, [easting, northing])),
        (_, [letter]) => BANDS.iter().position(|band| band == letter)?,
        _ => return None,
    };
    let lies_in_band = |[lat, _]: &[f64; 2]| {
        let south = -80.0 + 8.0 * band as f64;
        let north = if band + 1 == BANDS.len() { 84.0 } else { south + 8.0 };
        (south - BESIDE_BAND_DEG..=north + BESIDE_BAND_DEG).contains(lat)
    };
    let in_band = place(zone, band >= 10, [easting, northing]).filter(lies_in_band);
    if side != "S" {
        return Some(in_band);
    }
    // The band from 32 to 40 N, or the southern hemisphere: only one of the two may fit.
    Some(in_band.is_none().then(|| place(zone, false, [easting, northing])).flatten())
}

/// Leading digits, and what follows.
fn number(text: &str) -> Option<(&str, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    (end > 0).then(|| text.split_at(end))
}

fn place(zone: i32, is_north: bool, [easting, northing]: [f64; 2]) -> Option<[f64; 2]> {
    if !(1..=60).contains(&zone) {
        return None;
    }
    Some(degrees(LatLon::from_utmups(&UtmUps::create(zone, is_north, easting, northing).ok()?)))
}

fn degrees(place: LatLon) -> [f64; 2] {
    [place.latitude(), place.longitude()]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Places as PROJ has them (`cs2cs EPSG:326zz EPSG:4326`); the Eiffel Tower, and Honolulu of the standard.
    #[test]
    fn references_are_places() {
        for (text, lat, lon) in [
            ("32T 380000 5090000", 45.953_079_8, 7.451_561_7),
            ("32 T 380000 5090000", 45.953_079_8, 7.451_561_7),
            ("32T 380000mE 5090000mN", 45.953_079_8, 7.451_561_7),
            ("32N 380000, 5090000", 45.953_079_8, 7.451_561_7),
            ("32 north 380000 5090000", 45.953_079_8, 7.451_561_7),
            ("31U DQ 48251 11932", 48.858_198_4, 2.294_496_0),
            ("31UDQ4825111932", 48.858_198_4, 2.294_496_0),
            ("31udq 48251 11932", 48.858_198_4, 2.294_496_0),
            ("4QFJ12345678", 21.309_478_1, -157.916_818_9),
        ] {
            let [a, b] = read(text).expect(text).expect(text);
            assert!((a - lat).abs() < 1e-6 && (b - lon).abs() < 1e-6, "{text}: {a} {b}");
        }
        // South of the equator by band, by word, and by a letter that is no band's there.
        let [lat, lon] = read("56H 334873 6252266").expect("a form").expect("Sydney");
        assert!((lat + 33.857).abs() < 1e-3 && (lon - 151.215).abs() < 1e-3, "{lat} {lon}");
        for text in ["56 south 334873 6252266", "56S 334873 6252266"] {
            assert_eq!(read(text), Some(Ok([lat, lon])), "{text}");
        }
    }

    /// Law: what has the form and is no place is refused, and so is what may be two; what has another form is left to others.
    #[test]
    fn what_is_no_reference_is_refused_or_left() {
        for text in
            ["61T 380000 5090000", "32V 380000 5090000", "32S 380000 4000000", "32TAA1234567890", "32TLS123", "99ZZZ12"]
        {
            assert!(matches!(read(text), Some(Err(PlaceError::Grid(_)))), "{text}: {:?}", read(text));
        }
        for text in [
            "45 N 10 E",
            "45N10E",
            "27 59 17 N 86 55 30 E",
            "46,8",
            "10,20,3000",
            "27.5S 60.25W",
            "",
            "é",
            "12",
            "32T 380000",
            "7é",
            "32Té",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
