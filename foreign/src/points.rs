//! What does a line of a file of points or rays say? A place in one of the notations of people, a ray, or nothing.

use crate::{
    place::{self, Place},
    sanitized,
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
/// Why it is no ray, in few words; of a header, that it names the heading or the pitch elsewhere.
///
/// ```
/// use foreign::points::read_ray;
/// assert_eq!(read_ray(b"lat,lon,alt,heading,pitch", true), Ok(None));
/// assert!(read_ray(b"lat,lon,alt,pitch,heading", true).is_err());
/// let (at, look) = read_ray(b"27.5,86.5,9000,40,-5", false)?.expect("a ray");
/// assert_eq!((at.height_m, look.pitch_deg), (9000.0, -5.0));
/// assert!(read_ray(b"27.5,86.5,9000,40", false).is_err_and(|wrong| wrong.contains("HEADING")));
/// # Ok::<(), String>(())
/// ```
pub fn read_ray(line: &[u8], is_first: bool) -> Result<Option<(GeoPosition, ViewDirection)>, String> {
    for (column, words) in [(3, &["heading", "azimuth", "bearing"][..]), (4, &["pitch"])] {
        let names = header(line, is_first).unwrap_or_default();
        let is_one = |name: &String| words_of(name).iter().any(|word| words.contains(&&**word));
        let elsewhere = names.iter().enumerate().find(|(at, name)| *at != column && is_one(name));
        if let Some((at, name)) = elsewhere {
            let (at, expected) = (at + 1, "expected LAT,LON,ALT,HEADING,PITCH in this order");
            return Err(format!("{} is column {at}: {expected}", sanitized(name.trim())));
        }
    }
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

/// The names of a first line, in small letters, if that is a header.
///
/// ```
/// assert_eq!(foreign::points::header(b"lat,lon,Height", true), Some(vec!["lat".into(), "lon".into(), "height".into()]));
/// assert!(foreign::points::header(b"46.5,7.5", true).is_none() && foreign::points::header(b"lat,lon", false).is_none());
/// ```
pub fn header(line: &[u8], is_first: bool) -> Option<Vec<String>> {
    let text = line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(line).trim_ascii();
    let is_one = is_first && is_header(text) && !text.is_empty() && !text.starts_with(b"#");
    if is_one { names(text).map(|(_, names)| names) } else { None }
}

/// What separates the names of a header, and they, in small letters; none of a line without separators.
fn names(text: &[u8]) -> Option<(char, Vec<String>)> {
    let header = String::from_utf8_lossy(text).to_ascii_lowercase();
    let separator = [';', '\t', ','].into_iter().find(|separator| header.contains(*separator))?;
    Some((separator, fields(&header, separator)))
}

const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

fn read<T>(line: &[u8], is_first: bool, read: impl Fn(&[u8]) -> Result<T, String>) -> Result<Option<T>, String> {
    let text = if is_first { line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(line) } else { line };
    let text = text.trim_ascii();
    one_line(text)?;
    if text.is_empty() || text.starts_with(b"#") {
        return Ok(None);
    }
    in_degrees(&header(line, is_first).unwrap_or_default())?;
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

/// Where places stand in the lines of a table: by the names of its header.
///
/// ```
/// use foreign::points::PlaceColumns;
/// let columns = PlaceColumns::of_header(b"name,lon_deg,lat_deg")?.expect("a table of places");
/// let place = columns.read(b"\"Bern, Bundesplatz\",7.444,46.947")?.expect("a place");
/// assert_eq!((place.lat_deg, place.lon_deg), (46.947, 7.444));
/// // Lines of a latitude and a longitude need no names, and a header without them says nothing.
/// assert_eq!(PlaceColumns::of_header(b"lat,lon"), Ok(None));
/// assert!(PlaceColumns::of_header(b"x,y").is_err());
/// # Ok::<(), String>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlaceColumns {
    lat: usize,
    lon: usize,
    count: usize,
    separator: char,
}

impl PlaceColumns {
    /// The columns of a first line; none where it is no header, or one of latitude and longitude alone.
    ///
    /// # Errors
    /// A header that names no latitude and longitude.
    pub fn of_header(line: &[u8]) -> Result<Option<PlaceColumns>, String> {
        let text = line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(line).trim_ascii();
        one_line(text)?;
        if text.is_empty() || text.starts_with(b"#") || read_place(text).is_ok() {
            return Ok(None);
        }
        let (separator, names) = names(text).unzip();
        let names: Vec<String> = names.unwrap_or_default();
        // Names may have digits, numbers are none.
        let is_header =
            is_header(text) || !names.is_empty() && names.iter().all(|name| name.trim().parse::<f64>().is_err());
        if is_header {
            in_degrees(&names)?;
        }
        if !is_header || names.len() == 2 && names_places(text) {
            return Ok(None);
        }
        let columns = (column(&names, &["lat", "latitude"])?, column(&names, &["lon", "lng", "long", "longitude"])?);
        match (columns, separator) {
            ((Some(lat), Some(lon)), Some(separator)) if lat != lon => {
                Ok(Some(PlaceColumns { lat, lon, count: names.len(), separator }))
            }
            _ if names_places(text) || !self::is_header(text) => Ok(None),
            _ => Err(NO_COLUMNS.to_owned()),
        }
    }

    /// The place of a line below the header; none where it is empty or a comment. A line without the separators of the header is read as
    /// [`read_line`] does.
    ///
    /// # Errors
    /// Why it is no place, in few words.
    pub fn read(&self, line: &[u8]) -> Result<Option<Place>, String> {
        let text = line.trim_ascii();
        one_line(text)?;
        if text.is_empty() || text.starts_with(b"#") {
            return Ok(None);
        }
        let fields = fields(utf8(text)?, self.separator);
        if fields.len() != self.count {
            // Others than the header's may separate latitude and longitude; what else has as many fields is no place.
            return match (self.lat, self.lon, fields.len()) {
                (0, 1, 1) => read_place(text).map(Some),
                (.., found) => Err(format!("{found} columns, the header has {}", self.count)),
            };
        }
        place::parse(&format!("{};{}", fields[self.lat], fields[self.lon])).map(Some).map_err(|error| error.to_string())
    }
}

/// That a line is one.
fn one_line(text: &[u8]) -> Result<(), String> {
    match text.contains(&b'\r') {
        true => {
            Err(String::from("lines end with carriage returns alone: save the file with line feeds (tr '\\r' '\\n')"))
        }
        false => Ok(()),
    }
}

/// The words of a name of a column.
fn words_of(name: &str) -> Vec<String> {
    name.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// That no name, in small letters, says that latitudes or longitudes are in another unit than degrees.
fn in_degrees(names: &[String]) -> Result<(), String> {
    let has = |name: &str, of: &[&str]| words_of(name).iter().any(|word| of.contains(&&**word));
    let is_other = |name: &&String| {
        has(name, &["lat", "latitude", "lon", "lng", "long", "longitude"])
            && has(name, &["rad", "rads", "radian", "radians", "gon", "e7"])
    };
    match names.iter().find(is_other) {
        Some(name) => Err(format!("\"{}\": latitudes and longitudes are in degrees", sanitized(name.trim()))),
        None => Ok(()),
    }
}

/// The number of the column with one of some names: as it is or with its unit, else among other words.
fn column(names: &[String], of: &[&str]) -> Result<Option<usize>, String> {
    let is_unit =
        |word: &str| matches!(word, "deg" | "degree" | "degrees" | "dd" | "wgs84" | "n" | "e" | "north" | "east");
    let is_plain = |name: &str| match &words_of(name)[..] {
        [first, rest @ ..] => of.contains(&first.as_str()) && rest.iter().all(|word| is_unit(word)),
        [] => false,
    };
    let is_among = |name: &str| words_of(name).iter().any(|word| of.contains(&word.as_str()));
    let all = |is_one: &dyn Fn(&str) -> bool| -> Vec<usize> {
        names.iter().enumerate().filter(|(_, name)| is_one(name)).map(|(k, _)| k).collect()
    };
    let plain = all(&is_plain);
    match &(if plain.is_empty() { all(&is_among) } else { plain })[..] {
        [] => Ok(None),
        [one] => Ok(Some(*one)),
        [first, second, ..] => {
            let [first, second] = [*first, *second].map(|k| sanitized(names[k].trim()).to_string());
            Err(format!("the columns \"{first}\" and \"{second}\" may both be {}: call one {} alone", of[1], of[0]))
        }
    }
}

/// What is said of a header without places.
const NO_COLUMNS: &str = "expected a place, or a header that names columns lat and lon: lat,lon";

/// The fields of a line of a table, without the quotes around some.
fn fields(line: &str, separator: char) -> Vec<String> {
    let (mut all, mut is_quoted) = (vec![String::new()], false);
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        let field = all.last_mut().expect("one at least");
        match c {
            '"' if is_quoted && chars.peek() == Some(&'"') => {
                field.push('"');
                chars.next();
            }
            '"' if is_quoted || field.trim().is_empty() => is_quoted = !is_quoted,
            c if c == separator && !is_quoted => all.push(String::new()),
            c => field.push(c),
        }
    }
    all
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
        near.then_some(Place::at(lat_deg, lon_deg))
    };
    plain().map_or_else(|| place::parse(text).map_err(|error| error.to_string()), Ok)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Law: a place is found by the names of columns, whatever else stands in the line, in any order and with any separator.
    #[test]
    fn tables_with_other_columns() {
        let read = |header: &str, line: &str| {
            let columns = PlaceColumns::of_header(header.as_bytes())?.ok_or("no table")?;
            columns.read(line.as_bytes()).map(|place| place.map(|at| (at.lat_deg, at.lon_deg)))
        };
        for (header, line) in [
            ("lat_deg,lon_deg,height_m,source", "46.04,9.25,200.5,a.tif"),
            ("distance_m,lat_deg,lon_deg", "0.0,46.04,9.25"),
            ("name,kind,lon,lat", "\"Bellano, \"\"Larian\"\" shore\",town,9.25,46.04"),
            ("\u{feff}Name;Latitude (deg);Longitude (deg)", "Bellano;46,04;9,25"),
            ("id\tgps_lat\tgps_lng", "x\t46.04 N\t9.25 E"),
            ("\"LON\",\"LAT\",\"plate\"", "\"9.25\",\"46.04\",\"x\""),
            ("Latitude; Longitude; name", "46.04, 9.25"),
            ("name,lat_err,lat,lon_err,lon", "x,0.5,46.04,0.5,9.25"),
            ("id2,lat,lon", "12,46.04,9.25"),
            ("lon,lat,h2020", "9.25,46.04,7"),
            ("lat_deg,lon_deg,seen_km2", "46.04,9.25,7"),
        ] {
            assert_eq!(read(header, line), Ok(Some((46.04, 9.25))), "{header}: {line}");
        }
        assert_eq!(read("lon,lat,name", " # 9,46,x"), Ok(None));
        for line in ["9.25,46.04", "9.25,46.04,a,b", "9.25,146.04,a", "9.25,,a", "46.04"] {
            assert!(read("lon,lat,name", line).is_err(), "{line}");
        }
        for header in ["x,y,z", "Matterhorn", "name", "lat,height"] {
            assert!(read(header, "").is_err_and(|wrong| wrong.contains("lat,lon")), "{header}");
        }
        // Angles in another unit, and lines that are several.
        for header in ["lat_rad,lon_rad,x", "lat_rad,lon_rad", "longitude (radians);latitude (radians)"] {
            assert!(read(header, "0.8,0.1,1").is_err_and(|wrong| wrong.contains("in degrees")), "{header}");
            assert!(read_line(header.as_bytes(), true).is_err(), "{header}");
        }
        assert!(read_ray(b"lat_deg,lon_deg,height_m,pitch_deg,heading_deg", true).is_err());
        assert_eq!(read_ray(b"lat_deg,lon_deg,height_m,heading_deg,pitch_deg", true), Ok(None));
        assert!(read_line(b"# places\r46,7\r47,8", true).is_err());
        assert!(read("lon,lat,name", "9.25,46.04,a\r9.3,46.1,b").is_err_and(|wrong| wrong.contains("line feeds")));
        assert!(read("lon,lat,name\r9.25,46.04,a", "").is_err_and(|wrong| wrong.contains("line feeds")));
        assert!(read_line(b"46,7\r47,8", true).is_err() && read_line(b"46,7\r", true).is_ok());
        assert!(
            read("start_lat,end_lat,lon", "1,2,3").is_err_and(|wrong| wrong.contains("\"start_lat\" and \"end_lat\""))
        );
        for line in [
            "lat,lon",
            "# lat,lon,x",
            "lat: 46, lon: 9",
            "nowhere 5,x",
            "",
            "1,2,3",
            "N10E20",
            "gps_lat gps_lon",
            "Lat;Lng",
        ] {
            assert_eq!(PlaceColumns::of_header(line.as_bytes()), Ok(None), "{line}");
        }
    }

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
