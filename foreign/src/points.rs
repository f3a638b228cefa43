//! What does a line of a file of points say? A place, in one of the notations of people, or nothing.

use crate::place::{self, Place};

/// The place of a line; none where it is empty, a comment (`#`) or, as the first line, a header.
///
/// # Errors
/// Why it is no place, in few words.
///
/// ```
/// use foreign::points::read_line;
/// assert_eq!(read_line(b"lat,lon", true), Ok(None));
/// assert!(read_line(b"lon,lat", true).is_err());
/// assert!(read_line(b"27.99, 86.93", false)?.is_some_and(|place| place.lat_deg == 27.99));
/// # Ok::<(), String>(())
/// ```
pub fn read_line(line: &[u8], is_first: bool) -> Result<Option<Place>, String> {
    let text = line.trim_ascii();
    if text.is_empty() || text.starts_with(b"#") {
        return Ok(None);
    }
    match read_place(text) {
        Ok(place) => Ok(Some(place)),
        // A header is what people's files have.
        Err(wrong) => match is_first.then(|| header(text)).flatten() {
            Some(header) => header.map(|()| None),
            None => Err(wrong),
        },
    }
}

/// Whether a line is a header, and one that names latitude before longitude.
fn header(text: &[u8]) -> Option<Result<(), String>> {
    if text.iter().any(u8::is_ascii_digit) {
        return None;
    }
    let words = String::from_utf8_lossy(text).to_ascii_lowercase();
    let (lat, lon) = (words.find("lat"), words.find("lon").or_else(|| words.find("lng")));
    let swapped = lat.zip(lon).is_some_and(|(lat, lon)| lon < lat);
    Some(if swapped { Err(String::from("the header names longitude first; expected LAT,LON")) } else { Ok(()) })
}

fn read_place(text: &[u8]) -> Result<Place, String> {
    let text = std::str::from_utf8(text).map_err(|_| String::from("not text"))?;
    // What nearly all lines are; `parse` understands it too, and whatever else people write.
    let plain = || -> Option<Place> {
        let (lat, lon) = text.split_once(',')?;
        let (lat_deg, lon_deg) = (lat.trim_ascii().parse().ok()?, lon.trim_ascii().parse().ok()?);
        let near = (-90.0..=90.0).contains(&lat_deg) && (-180.0..180.0).contains(&lon_deg);
        near.then_some(Place { lat_deg, lon_deg, height_m: None })
    };
    plain().map_or_else(|| place::parse(text).map_err(|error| error.to_string()), Ok)
}
