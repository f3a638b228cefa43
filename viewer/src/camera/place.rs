//! Which place does a person mean by "27.99 N, 86.93 E" or "geo:27.99,86.93"?

/// A place that was read from text.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Place {
    /// Geodetic latitude, -90 to 90.
    pub lat_deg: f64,
    /// Longitude in [-180, 180).
    pub lon_deg: f64,
    /// Height above sea level in metres, where the text gives one.
    pub height_m: Option<f64>,
}

/// Why a text names no place.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum PlaceError {
    /// Not two or three numbers.
    #[error("\"{0}\" is not LAT, LON or LAT, LON, HEIGHT; for example 27.99, 86.93, 12000")]
    Form(String),
    /// Says the side of the Earth twice.
    #[error("\"{0}\" has a sign and a letter: write -33.9 or 33.9 S")]
    SignAndLetter(String),
    /// Not a latitude.
    #[error("latitude {0} is not in [-90, 90]")]
    Latitude(f64),
    /// Not a longitude.
    #[error("longitude {0} is not in [-360, 360]")]
    Longitude(f64),
    /// Not a height.
    #[error("height {0} m is not in [-12000, 6e7]")]
    Height(f64),
}

/// Reads `LAT, LON[, HEIGHT]`: decimal degrees with a sign or with N, S, E, W behind or before the
/// number, a degree sign allowed, separated by commas, semicolons or blanks; or a `geo:` URI (RFC 5870).
///
/// # Errors
/// [`PlaceError`] says what is wrong.
///
/// ```
/// use viewer::camera::place::parse;
/// let everest = parse("27.9881° N, 86.925° E, 9500")?;
/// assert_eq!((everest.lat_deg, everest.lon_deg, everest.height_m), (27.9881, 86.925, Some(9500.0)));
/// assert_eq!(parse("geo:-33.86,151.21;u=35")?.lon_deg, 151.21);
/// # Ok::<(), viewer::camera::place::PlaceError>(())
/// ```
pub fn parse(text: &str) -> Result<Place, PlaceError> {
    let form = || PlaceError::Form(text.trim().to_string());
    let trimmed = text.trim();
    let bare = match trimmed.strip_prefix("geo:") {
        Some(uri) => uri.split(';').next().unwrap_or(uri),
        None => trimmed,
    };
    let spaced: String = bare.chars().map(|c| if ",;°\t".contains(c) { ' ' } else { c }).collect();
    // Each number with whether it has a sign, and the letter before or behind it.
    let mut numbers: Vec<((f64, bool), Option<char>)> = Vec::new();
    let mut before: Option<char> = None;
    for word in spaced.split_whitespace() {
        let upper = word.to_ascii_uppercase();
        if let "N" | "S" | "E" | "W" = upper.as_str() {
            let letter = upper.chars().next();
            match numbers.last_mut() {
                Some(last) if last.1.is_none() && before.is_none() => last.1 = letter,
                _ if before.is_some() => return Err(form()),
                _ => before = letter,
            }
            continue;
        }
        let letters = |c: char| "NSEW".contains(c);
        let digits = upper.trim_matches(letters);
        let own = if digits.len() < upper.len() { upper.chars().find(|&c| letters(c)) } else { None };
        let value: f64 = digits.parse().map_err(|_| form())?;
        // One letter a number.
        if upper.len() > digits.len() + 1 || (own.is_some() && before.is_some()) {
            return Err(form());
        }
        numbers.push(((value, digits.starts_with(['-', '+'])), own.or(before.take())));
    }
    if before.is_some() {
        return Err(form());
    }
    if numbers.iter().any(|&((_, has_sign), letter)| has_sign && letter.is_some()) {
        return Err(PlaceError::SignAndLetter(trimmed.to_string()));
    }
    let numbers: Vec<(f64, Option<char>)> = numbers.into_iter().map(|((value, _), letter)| (value, letter)).collect();
    let (first, second, third) = match numbers[..] {
        [a, b] => (a, b, None),
        [a, b, (height, None)] => (a, b, Some(height)),
        _ => return Err(form()),
    };
    let (lat, lon) = match (first.1, second.1) {
        (Some('E' | 'W'), Some('N' | 'S')) => (second, first),
        (Some('E' | 'W'), _) | (_, Some('N' | 'S')) => return Err(form()),
        _ => (first, second),
    };
    let signed = |(value, letter): (f64, Option<char>)| match letter {
        Some('S' | 'W') => -value,
        _ => value,
    };
    checked(signed(lat), signed(lon), third)
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
    Ok(Place { lat_deg, lon_deg, height_m })
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
