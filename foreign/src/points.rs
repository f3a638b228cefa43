//! What does a line of a file of points or rays say? A place in one of the notations of people, a ray, or nothing.

use crate::{
    place::{self, Place},
    values::{self, GeoPosition, ViewDirection},
};

/// The place of a line; none where it is empty, a comment (`#`) or, as the first line, a header that begins with latitude and longitude.
///
/// # Errors
/// Why it is no place, in few words; of a first line [without digits](is_header), that it is no such header.
///
/// ```
/// use foreign::points::read_line;
/// assert_eq!(read_line(b"lat,lon", true), Ok(None));
/// assert!(read_line(b"lon,lat", true).is_err() && read_line(b"id,lat,lon", true).is_err());
/// assert!(read_line(b"27.99, 86.93", false)?.is_some_and(|place| place.lat_deg == 27.99));
/// # Ok::<(), String>(())
/// ```
pub fn read_line(line: &[u8], is_first: bool) -> Result<Option<Place>, String> {
    read(line, is_first, read_place)
}

/// The ray of a line: `LAT,LON,ALT,HEADING,PITCH`, the last three in metres above sea level, degrees clockwise from north and degrees up;
/// none as [`read_line`] has it.
///
/// # Errors
/// Why it is no ray, in few words.
///
/// ```
/// use foreign::points::read_ray;
/// assert_eq!(read_ray(b"lat,lon,alt,heading,pitch", true), Ok(None));
/// let (at, look) = read_ray(b"27.5,86.5,9000,40,-5", false)?.expect("a ray");
/// assert_eq!((at.height_m, look.pitch_deg), (9000.0, -5.0));
/// assert!(read_ray(b"27.5,86.5,9000,40", false).is_err_and(|wrong| wrong.contains("HEADING")));
/// # Ok::<(), String>(())
/// ```
pub fn read_ray(line: &[u8], is_first: bool) -> Result<Option<(GeoPosition, ViewDirection)>, String> {
    read(line, is_first, |text| {
        let text = utf8(text)?;
        let look = text.rmatch_indices(',').nth(1).map(|(comma, _)| text.split_at(comma));
        let expected = || String::from("expected LAT,LON,ALT,HEADING,PITCH, for example 27.5,86.5,9000,40,-5");
        let (at, look) = look.filter(|(at, _)| at.contains(',')).ok_or_else(expected)?;
        // A number too few is missing anywhere.
        let position =
            values::geo_position(at).map_err(|wrong| if at.matches(',').count() < 2 { expected() } else { wrong })?;
        Ok((position, values::view_direction(&look[1..])?))
    })
}

fn read<T>(line: &[u8], is_first: bool, read: impl Fn(&[u8]) -> Result<T, String>) -> Result<Option<T>, String> {
    const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();
    let text = if is_first { line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(line) } else { line };
    let text = text.trim_ascii();
    if text.is_empty() || text.starts_with(b"#") {
        return Ok(None);
    }
    match read(text) {
        Ok(value) => Ok(Some(value)),
        // A header is what people's files have.
        Err(_) if is_first && is_header(text) => match names_places(text) {
            true => Ok(None),
            false => Err(String::from(
                "expected a place, or a header that begins with lat,lon: the columns are taken in this order",
            )),
        },
        Err(wrong) => Err(wrong),
    }
}

/// Whether a line without a place can only be a header.
pub fn is_header(line: &[u8]) -> bool {
    !line.iter().any(u8::is_ascii_digit)
}

fn utf8(text: &[u8]) -> Result<&str, String> {
    std::str::from_utf8(text).map_err(|_| String::from("not text"))
}

/// Whether the first two columns of a header are latitude and longitude.
fn names_places(header: &[u8]) -> bool {
    let words = String::from_utf8_lossy(header).to_ascii_lowercase();
    let has_separators = words.contains([',', ';', '\t']);
    let names = words.split(|c| matches!(c, ',' | ';' | '\t') || !has_separators && c == ' ');
    let mut names = names.filter(|name| !name.trim().is_empty());
    let mut is_one = |of: &[&str]| names.next().is_some_and(|name| of.iter().any(|part| name.contains(part)));
    is_one(&["lat"]) && is_one(&["lon", "lng"])
}

/// The words of a line of which each stands in quotes, as spreadsheets write them, with semicolons between them.
fn unquoted(text: &str) -> Option<String> {
    let words = text.strip_prefix('"')?.strip_suffix('"')?;
    let words =
        ["\",\"", "\";\"", "\"\t\""].into_iter().fold(words.to_owned(), |words, between| words.replace(between, ";"));
    // Two stand for one, which means seconds.
    Some(words.replace("\"\"", "\u{2033}"))
}

fn read_place(text: &[u8]) -> Result<Place, String> {
    let text = utf8(text)?;
    if let Some(words) = unquoted(text) {
        return place::parse(&words).map_err(|error| error.to_string());
    }
    // What nearly all lines are; `parse` understands it too, and whatever else people write.
    let plain = || -> Option<Place> {
        let (lat, lon) = text.split_once(',')?;
        let (lat_deg, lon_deg) = (lat.trim_ascii().parse().ok()?, lon.trim_ascii().parse().ok()?);
        let near = (-90.0..=90.0).contains(&lat_deg) && (-180.0..180.0).contains(&lon_deg);
        near.then_some(Place { lat_deg, lon_deg, height_m: None })
    };
    plain().map_or_else(|| place::parse(text).map_err(|error| error.to_string()), Ok)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Law: what spreadsheets write, with quotes, semicolons and decimal commas, is the place that it shows, or refused.
    #[test]
    fn lines_of_spreadsheets() {
        let read = |line: &str| read_line(line.as_bytes(), false).map(|place| place.map(|at| (at.lat_deg, at.lon_deg)));
        for line in [
            "46.04,9.25",
            "46.04;9.25",
            "46,04;9,25",
            "46.04\t9.25",
            r#""46.04","9.25""#,
            r#""46,04";"9,25""#,
            r#""46,04","9,25""#,
            "\"46.04\"\t\"9.25\"",
            r#""46°2'24""N","9°15'0""E""#,
        ] {
            assert_eq!(read(line), Ok(Some((46.04, 9.25))), "{line}");
        }
        assert_eq!(read("46,04;9"), Ok(Some((46.04, 9.0))));
        assert_eq!(read(r#""46,04","9""#), Ok(Some((46.04, 9.0))));
        for line in [r#""46.04",9.25"#, r#""46.04"#, r#""""#, r#"""#, r#""46.04,9.25"#] {
            assert!(read(line).is_err(), "{line}: {:?}", read(line));
        }
    }
}
