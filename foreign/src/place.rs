//! Which place does a person mean by "27.99 N, 86.93 E" or "geo:27.99,86.93"?

pub use crate::notation::PlaceError;
use crate::{grid_reference, notation, plus_code};

/// A place that was read from text.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Place {
    /// Geodetic latitude, -90 to 90.
    pub lat_deg: f64,
    /// Longitude in [-180, 180).
    pub lon_deg: f64,
    /// Height above sea level in metres, where the text gives one.
    pub height_m: Option<f64>,
    /// Whether it is a place of the Earth alone, as grid references and names are; degrees are of any body.
    pub of_earth: bool,
}

impl Place {
    /// Degrees without a height.
    ///
    /// ```
    /// assert_eq!(foreign::place::Place::at(46.0, 8.5), foreign::place::parse("46, 8.5")?);
    /// # Ok::<(), foreign::place::PlaceError>(())
    /// ```
    pub const fn at(lat_deg: f64, lon_deg: f64) -> Place {
        Place { lat_deg, lon_deg, height_m: None, of_earth: false }
    }
}

/// Reads `LAT, LON[, HEIGHT]` in any common notation, a `geo:` URI (RFC 5870), a reference on the UTM grid (`32T 380000 5090000`) or of
/// the Military Grid Reference System (`32TLS8000090000`), or a full plus code (`8FVC9G8F+6X`). References name a square: its middle.
///
/// Degrees are decimal or have minutes and seconds, with a sign or with N, S, E, W before or behind them. Commas, semicolons
/// or blanks separate them; a decimal comma is understood where a comma cannot be anything else. A height is in metres, or
/// says `m`, `km` or `ft`. Longitude may come first where letters say so.
///
/// # Errors
/// [`PlaceError`] says what is wrong.
///
/// ```
/// use foreign::place::parse;
/// let everest = parse("27°59′17″ N, 86°55′30″ E, 9500 m")?;
/// assert!((everest.lat_deg - 27.988).abs() < 1e-3);
/// assert_eq!((everest.lon_deg, everest.height_m), (86.925, Some(9500.0)));
/// assert_eq!(parse("geo:-33.86,151.21;u=35")?.lon_deg, 151.21);
/// assert_eq!(parse("27,9881° N 86,925° E")?.lat_deg, 27.9881);
/// // On the UTM grid of the Earth.
/// let tower = parse("31U 448251 5411932")?;
/// assert!(tower.of_earth && (tower.lat_deg - 48.8582).abs() < 1e-4 && (tower.lon_deg - 2.2945).abs() < 1e-4);
/// # Ok::<(), foreign::place::PlaceError>(())
/// ```
pub fn parse(text: &str) -> Result<Place, PlaceError> {
    let trimmed = text.trim();
    if let Some(on_grid) = grid_reference::read(trimmed).or_else(|| plus_code::read(trimmed)) {
        let [lat_deg, lon_deg] = on_grid?;
        return Ok(Place { of_earth: true, ..checked(lat_deg, lon_deg, None)? });
    }
    let bare = match trimmed.get(..4).filter(|scheme| scheme.eq_ignore_ascii_case("geo:")) {
        Some(_) => trimmed[4..].split([';', '?']).next().unwrap_or_default(),
        None => trimmed,
    };
    let numbers = notation::read(bare).map_err(|error| match error {
        PlaceError::Form(_) => PlaceError::Form(trimmed.to_string()),
        other => other,
    })?;
    checked(numbers.lat_deg, numbers.lon_deg, numbers.height_m)
}

fn checked(lat_deg: f64, lon_deg: f64, height_m: Option<f64>) -> Result<Place, PlaceError> {
    if !(-90.0..=90.0).contains(&lat_deg) {
        return Err(PlaceError::Latitude(lat_deg));
    }
    if !(-360.0..=360.0).contains(&lon_deg) {
        return Err(PlaceError::Longitude(lon_deg));
    }
    if let Some(height) = height_m.filter(|h| !(-12_000.0..=6e7).contains(h)) {
        return Err(PlaceError::Height(height));
    }
    let lon_deg =
        if (-180.0..180.0).contains(&lon_deg) { lon_deg } else { (lon_deg + 180.0).rem_euclid(360.0) - 180.0 };
    Ok(Place { height_m, ..Place::at(lat_deg, lon_deg) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notations_that_people_use() {
        for text in [
            "-27.5, -60.25",
            "-27.5 -60.25",
            "27.5S 60.25W",
            "27.5 S, 60.25 W",
            "60.25W 27.5S",
            "S27.5 W60.25",
            "S 27.5 W 60.25",
            "geo:-27.5,-60.25",
            " 27.5° S;60.25°W ",
        ] {
            let place = parse(text).unwrap_or_else(|e| panic!("{text}: {e}"));
            assert_eq!((place.lat_deg, place.lon_deg, place.height_m), (-27.5, -60.25, None), "{text}");
        }
        assert_eq!(parse("10,20,3000").expect("three").height_m, Some(3000.0));
        assert_eq!(parse("0, 270").expect("east").lon_deg, -90.0);
        assert_eq!(parse("0, 180").expect("antimeridian").lon_deg, -180.0);
    }

    /// Law: every number that the program prints for a place is read back as the same place.
    #[test]
    fn what_is_printed_is_read() {
        for value in [1e-5, -1e-5, 1e-9, -2.5e-7, 5e-324, 0.1, 89.999_999_999_999_99, 1e-300] {
            for text in [format!("{value:?},-150"), format!("{value},-150"), format!("{value:e} -150")] {
                assert_eq!(parse(&text).map(|place| (place.lat_deg, place.lon_deg)), Ok((value, -150.0)), "{text}");
            }
        }
    }

    /// Law: degrees, minutes and seconds are read with every mark that people and programs write.
    #[test]
    fn minutes_and_seconds() {
        for text in [
            "27°59′17″N 86°55′30″E",
            "27° 59' 17\" N, 86° 55' 30\" E",
            "27°59’17”N, 86°55’30”E",
            "27°59'17''N 86°55'30''E",
            "N27°59'17\" E86°55'30\"",
            "N 27 59 17 E 86 55 30",
            "27 59 17 N 86 55 30 E",
            "27 59 17, 86 55 30",
            "27 59 17 86 55 30",
            "27:59:17N 86:55:30E",
            "27:59:17, 86:55:30",
            "27d59'17\"N 86d55'30\"E",
            "27deg 59min 17sec north 86deg 55min 30sec east",
            "86°55′30″E 27°59′17″N",
            "lat: 27°59'17\", lon: 86°55'30\"",
            "27°59.283333333' N 86°55.5' E",
            "27 59.283333333 86 55.5",
            "N27°59.283333333 E086°55.500",
        ] {
            let place = parse(text).unwrap_or_else(|e| panic!("{text}: {e}"));
            let (lat_deg, lon_deg) = (27.0 + 59.0 / 60.0 + 17.0 / 3600.0, 86.925);
            assert!(
                (place.lat_deg - lat_deg).abs() < 1e-9 && (place.lon_deg - lon_deg).abs() < 1e-9,
                "{text}: {place:?}"
            );
            assert_eq!(place.height_m, None, "{text}");
        }
        let south = parse("-0°30' \u{2212}70°15'").expect("half a degree south");
        assert_eq!((south.lat_deg, south.lon_deg), (-0.5, -70.25));
        for text in ["27°60'N 86°E", "27°59'61\"N 86°E", "27.5°30'N 86°E", "27'30°N 86°E", "27°59°N 86°E", "1 2 3 4 5"]
        {
            assert!(parse(text).is_err(), "{text}");
        }
    }

    /// Law: a decimal comma is one where a comma cannot separate; where it can, it does.
    #[test]
    fn decimal_commas_where_they_are_unambiguous() {
        for text in
            ["27,5; 86,25", "27,5 86,25", "27,5, 86,25", "27,5° N 86,25° E", "27,5N, 86,25E", "27°30,0'N 86°15,0'E"]
        {
            let place = parse(text).unwrap_or_else(|e| panic!("{text}: {e}"));
            assert_eq!((place.lat_deg, place.lon_deg), (27.5, 86.25), "{text}");
        }
        assert_eq!(parse("27,86").map(|place| (place.lat_deg, place.lon_deg)), Ok((27.0, 86.0)));
        assert_eq!(parse("27,86,500").map(|place| place.height_m), Ok(Some(500.0)));
        assert!(parse("27,5,86,2").is_err());
        // Where semicolons separate, a comma does not, also if one number has none.
        for (text, place) in [
            ("46,04;9", (46.04, 9.0, None)),
            ("46; 9,05", (46.0, 9.05, None)),
            ("-46,5;-9;1200", (-46.5, -9.0, Some(1200.0))),
            ("46;9;1200,5", (46.0, 9.0, Some(1200.5))),
            ("46.5;9.25", (46.5, 9.25, None)),
        ] {
            assert_eq!(parse(text).map(|at| (at.lat_deg, at.lon_deg, at.height_m)), Ok(place), "{text}");
        }
    }

    /// Law: no text is too strange to be answered.
    #[test]
    fn any_text_is_read_or_refused() {
        use rand::{Rng as _, SeedableRng as _};
        let mut random = rand::rngs::StdRng::seed_from_u64(7);
        let alphabet: Vec<char> = "0123456789..,,;;  °'\"′″+-−NSEWnsewkmftdé:=?\u{1F30D}".chars().collect();
        for _ in 0..50_000 {
            let length = random.random_range(0..14);
            let text: String = (0..length).map(|_| alphabet[random.random_range(0..alphabet.len())]).collect();
            if let Ok(place) = parse(&text) {
                assert!((-90.0..=90.0).contains(&place.lat_deg), "{text:?}: {place:?}");
                assert!((-180.0..180.0).contains(&place.lon_deg), "{text:?}: {place:?}");
            }
        }
    }

    #[test]
    fn heights_have_units() {
        for (text, height_m) in [
            ("10, 20, 3000", 3_000.0),
            ("10, 20, 3000 m", 3_000.0),
            ("10 20 3 km", 3_000.0),
            ("10N 20E 1000ft", 304.8),
            ("N10 E20.5 500", 500.0),
            ("geo:10,20,-5?z=3", -5.0),
            ("GEO:10,20,7;crs=wgs84", 7.0),
        ] {
            assert_eq!(parse(text).expect(text).height_m, Some(height_m), "{text}");
        }
        assert!(parse("10 m, 20 m").is_err());
    }

    #[test]
    fn nonsense_is_refused_with_the_reason() {
        assert_eq!(parse("91, 0"), Err(PlaceError::Latitude(91.0)));
        assert_eq!(parse("0, 400"), Err(PlaceError::Longitude(400.0)));
        assert!(matches!(parse("0, 0, 1e9"), Err(PlaceError::Height(_))));
        for text in [
            "",
            "north",
            "12",
            "1,2,3,4",
            "10N 20S",
            "NaN, 3",
            "inf 1",
            "S10S 20E",
            "N 10S 20E",
            "10 N S 20",
            "10 20 N E",
        ] {
            assert!(parse(text).is_err(), "{text}");
        }
        // South twice is not north.
        for text in
            ["-33.9S, 151.2E", "-33.9 S 151.2", "S-33.9 151.2", "S -33.9 151.2", "+33.9S 151.2", "33.9S, -151.2 W"]
        {
            let error = parse(text).expect_err(text);
            assert_eq!(error, PlaceError::SignAndLetter(text.to_string()));
            assert!(error.to_string().contains("33.9 S"));
        }
    }
}
