//! How are the values of a command line read? Each parser says what it expects when it refuses.
//!
//! ```
//! use foreign::values::{above_ground_m, cell_m, exaggeration, fps, frame_ms, line_width_px, pixel_error, radius_m, refraction};
//! use foreign::values::{feather, samples};
//! let numbers: [fn(&str) -> Result<f64, String>; 9] =
//!     [above_ground_m, cell_m, exaggeration, fps, frame_ms, line_width_px, pixel_error, radius_m, refraction];
//! assert!(numbers.iter().all(|read| read("1") == Ok(1.0) && read("one").is_err() && read("1e9").is_err()));
//! assert_eq!(refraction("2").unwrap_err(), "refraction 2 is not in [-1, 1]");
//! assert_eq!((samples("4"), feather("12")), (Ok(4), Ok(12)));
//! assert!(samples("2").is_err() && feather("64").is_err());
//! ```

use std::ops::RangeInclusive;

use crate::{
    calendar::{DAY_S, days_of},
    number as briefly,
    place::{self, Place},
    sanitized,
    sun::SunSetting,
    unit::metres_per_unit,
};

/// `LAT,LON,ALT`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GeoPosition {
    /// Degrees.
    pub lat_deg: f64,
    /// Degrees.
    pub lon_deg: f64,
    /// Metres above sea level.
    pub height_m: f64,
}

/// `HEADING,PITCH`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ViewDirection {
    /// Degrees clockwise from north.
    pub heading_deg: f64,
    /// Degrees up.
    pub pitch_deg: f64,
}

/// `WxH` in pixels.
pub type Size = (u32, u32);

/// Largest side of a picture; a GPU may allow less.
const LARGEST_SIDE: u32 = 32_768;

/// A place above the ground.
///
/// ```
/// use foreign::values;
/// assert_eq!(values::geo_position("27.99,86.93,12000")?.height_m, 12_000.0);
/// assert_eq!((values::view_direction("90,-20")?.pitch_deg, values::size("1280x720")?), (-20.0, (1280, 720)));
/// // A refusal says what is expected.
/// assert_eq!(values::size("large").unwrap_err(), "expected WIDTHxHEIGHT in pixels, for example 1280x720");
/// assert_eq!(values::fov_deg("200").unwrap_err(), "field of view 200 is not in [1, 150]");
/// # Ok::<(), String>(())
/// ```
///
/// # Errors
/// What is expected.
pub fn geo_position(text: &str) -> Result<GeoPosition, String> {
    let place = place::parse(text).map_err(|e| e.to_string())?;
    let height_m = place.height_m.ok_or("expected LAT,LON,ALT, for example 27.99,86.93,12000")?;
    Ok(GeoPosition { lat_deg: place.lat_deg, lon_deg: place.lon_deg, height_m })
}

/// A place on the ground.
///
/// # Errors
/// What is expected.
pub fn place(text: &str) -> Result<Place, String> {
    let place = place::parse(text).map_err(|e| e.to_string())?;
    match place.height_m {
        Some(height_m) => Err(format!(
            "expected LAT,LON: the place is on the ground, so leave out the height of {} m",
            briefly(height_m)
        )),
        None => Ok(place),
    }
}

/// Any number, and what files write for none.
///
/// ```
/// use foreign::values::any_number;
/// assert_eq!(any_number(" -9999 "), Ok(-9999.0));
/// assert!(any_number("nan").is_ok_and(f64::is_nan));
/// ```
///
/// # Errors
/// What is expected.
pub fn any_number(text: &str) -> Result<f64, String> {
    text.trim().parse().map_err(|_| String::from("expected a number"))
}

/// Metres above the ground.
///
/// # Errors
/// What is expected.
pub fn above_ground_m(text: &str) -> Result<f64, String> {
    number(text, "height above ground", 0.0, 1e6)
}

/// Metres around a place.
///
/// # Errors
/// What is expected.
pub fn radius_m(text: &str) -> Result<f64, String> {
    number(text, "radius", 1.0, 1e7)
}

/// Metres that a cell is wide.
///
/// # Errors
/// What is expected.
pub fn cell_m(text: &str) -> Result<f64, String> {
    number(text, "side of a cell", 1e-3, 1e6)
}

/// How much of the curvature of the Earth a ray shares.
///
/// # Errors
/// What is expected.
pub fn refraction(text: &str) -> Result<f64, String> {
    number(text, "refraction", -1.0, 1.0)
}

/// A direction.
///
/// # Errors
/// What is expected.
pub fn view_direction(text: &str) -> Result<ViewDirection, String> {
    let (heading_deg, pitch_deg) = two(text, "HEADING,PITCH", "90,-20")?;
    within("heading", heading_deg, -360.0, 360.0)?;
    within("pitch", pitch_deg, -90.0, 90.0)?;
    Ok(ViewDirection { heading_deg, pitch_deg })
}

/// The size of a picture.
///
/// # Errors
/// What is expected.
pub fn size(text: &str) -> Result<Size, String> {
    let parsed =
        text.split_once(['x', 'X', '×']).and_then(|(w, h)| Some((w.trim().parse().ok()?, h.trim().parse().ok()?)));
    match parsed {
        Some((w, h)) if (1..=LARGEST_SIDE).contains(&w) && (1..=LARGEST_SIDE).contains(&h) => Ok((w, h)),
        Some((w, h)) => Err(format!("{w}x{h} pixels: both sides have to be 1 to {LARGEST_SIDE}")),
        None => Err(String::from("expected WIDTHxHEIGHT in pixels, for example 1280x720")),
    }
}

/// A place of the sun in the sky, degrees.
///
/// # Errors
/// What is expected.
pub fn sun(text: &str) -> Result<SunSetting, String> {
    let (azimuth_deg, elevation_deg) = two(text, "AZIMUTH,ELEVATION", "315,42")?;
    within("azimuth", azimuth_deg, -360.0, 360.0)?;
    within("elevation", elevation_deg, -90.0, 90.0)?;
    Ok(SunSetting::Follow { azimuth_deg, elevation_deg })
}

/// A time, at which the sun stands somewhere: UTC, or with the hours by which its zone is ahead.
///
/// ```
/// use foreign::{sun::SunSetting, values::{sun, time}};
/// assert_eq!(time("2026-06-21T14:00+02:00")?, time("2026-06-21T12:00:00Z")?);
/// assert_eq!(sun("315,42")?, SunSetting::Follow { azimuth_deg: 315.0, elevation_deg: 42.0 });
/// # Ok::<(), String>(())
/// ```
///
/// # Errors
/// What is expected.
pub fn time(text: &str) -> Result<SunSetting, String> {
    let expected = || format!("\"{}\" is not a time; expected one like 2026-06-21T12:00:00Z", sanitized(text));
    let (date, clock) = text.split_once(['T', 't', ' ']).ok_or_else(expected)?;
    let (clock, ahead_s) = zone(clock).ok_or_else(expected)?;
    let numbers = |text: &str, mark: char| -> Option<Vec<f64>> {
        text.split(mark)
            .map(|n| n.parse().ok().filter(|n: &f64| n.is_finite() && *n >= 0.0 && !n.is_sign_negative()))
            .collect()
    };
    let (Some(date), Some(clock)) = (numbers(date, '-'), numbers(clock, ':')) else { return Err(expected()) };
    let (hour, minute, second) = match clock[..] {
        [hour, minute] => (hour, minute, 0.0),
        [hour, minute, second] => (hour, minute, second),
        _ => return Err(expected()),
    };
    let [year, month, day] = date[..] else { return Err(expected()) };
    let whole = [year, month, day, hour, minute].iter().all(|n| n.fract() == 0.0);
    let fits = (1..=12).contains(&(month as u32))
        && (1.0..=f64::from(days_in_month(year as i64, month as u32))).contains(&day)
        && (1800.0..=2200.0).contains(&year)
        && hour < 24.0
        && minute < 60.0
        && second < 61.0;
    if !whole || !fits {
        return Err(expected());
    }
    let days = days_of(year as i64, month as i64, day as i64);
    Ok(SunSetting::At { unix_s: days as f64 * DAY_S + hour * 3_600.0 + minute * 60.0 + second - ahead_s })
}

/// A clock without its zone, and the seconds by which that is ahead of UTC: `Z`, `+02:00`, `+0200`, `+02`, or nothing for UTC.
fn zone(clock: &str) -> Option<(&str, f64)> {
    let Some(at) = clock.find(['+', '-', '\u{2212}']) else { return Some((clock.trim_end_matches(['Z', 'z']), 0.0)) };
    let (clock, zone) = clock.split_at(at);
    let (sign, digits) = match zone.strip_prefix('+') {
        Some(digits) => (1.0, digits),
        None => (-1.0, zone.trim_start_matches(['-', '\u{2212}'])),
    };
    let (hours, minutes) = match digits.split_once(':') {
        Some((hours, minutes)) if minutes.len() == 2 => (hours, minutes),
        None if digits.len() == 4 => (digits.get(..2)?, digits.get(2..)?),
        None => (digits, "00"),
        Some(_) => return None,
    };
    let whole = |text: &str, most: u32| -> Option<f64> {
        let plain = text.len() == 2 && text.bytes().all(|c| c.is_ascii_digit());
        text.parse().ok().filter(|n: &u32| plain && *n <= most).map(f64::from)
    };
    Some((clock.trim_end(), sign * (whole(hours, 14)? * 3_600.0 + whole(minutes, 59)? * 60.0)))
}

/// A geometric error in pixels.
///
/// # Errors
/// What is expected.
pub fn pixel_error(text: &str) -> Result<f64, String> {
    number(text, "pixel error", 0.05, 100.0)
}

/// Equatorial and polar radius in metres of the planet or moon that data are of, by its name or as two numbers.
///
/// ```
/// use foreign::values::radii_m;
/// assert_eq!(radii_m("Moon"), Ok([1_737_400.0; 2]));
/// assert_eq!(radii_m("2440530, 2438260"), Ok([2_440_530.0, 2_438_260.0]));
/// assert!(radii_m("pluto").is_err());
/// ```
///
/// # Errors
/// What is expected.
pub fn radii_m(text: &str) -> Result<[f64; 2], String> {
    const KNOWN: [(&str, [f64; 2]); 3] = [
        ("earth", [6_378_137.0, 6_378_137.0 * (1.0 - 1.0 / 298.257_223_563)]),
        ("moon", [1_737_400.0; 2]),
        ("mars", [3_396_190.0, 3_376_200.0]),
    ];
    let known = KNOWN.into_iter().find(|(name, _)| name.eq_ignore_ascii_case(text.trim()));
    let pair = || -> Option<[f64; 2]> {
        let (a, b) = text.split_once(',')?;
        Some([a.trim().parse().ok()?, b.trim().parse().ok()?])
    };
    known.map(|(_, radii_m)| radii_m).or_else(pair).ok_or_else(|| {
        let shown = sanitized(text);
        format!("\"{shown}\" is no body: give earth, moon, mars, or equatorial and polar radius in metres, like 2440530,2438260")
    })
}

/// A field of view in degrees.
///
/// # Errors
/// What is expected.
pub fn fov_deg(text: &str) -> Result<f64, String> {
    number(text, "field of view", 1.0, 150.0)
}

/// How many times as high heights are drawn.
///
/// # Errors
/// What is expected.
pub fn exaggeration(text: &str) -> Result<f64, String> {
    number(text, "exaggeration", 0.5, 10.0)
}

/// How much of what lies below a picture hides.
///
/// # Errors
/// What is expected.
pub fn opacity(text: &str) -> Result<f64, String> {
    number(text, "opacity", 0.0, 1.0)
}

/// Colours are not brighter, or of more contrast or saturation, than by so many times.
pub const MOST_COLOUR_FACTOR: f64 = 4.0;

/// Times as bright, or of as much contrast or saturation.
///
/// # Errors
/// What is expected.
pub fn colour_factor(text: &str) -> Result<f64, String> {
    number(text, "a factor", 0.0, MOST_COLOUR_FACTOR)
}

/// `true` or `false`.
///
/// # Errors
/// What is expected.
pub fn yes_or_no(text: &str) -> Result<bool, String> {
    named(text, &[("true", true), ("false", false)])
}

/// Widest lines that are drawn, in pixels.
pub const WIDEST_LINE_PX: f64 = 64.0;

/// Width of a line in pixels.
///
/// # Errors
/// What is expected.
pub fn line_width_px(text: &str) -> Result<f64, String> {
    number(text, "width", 0.0, WIDEST_LINE_PX)
}

/// Pictures a second.
///
/// # Errors
/// What is expected.
pub fn fps(text: &str) -> Result<f64, String> {
    number(text, "frame rate", 0.1, 240.0)
}

/// Milliseconds a frame.
///
/// # Errors
/// What is expected.
pub fn frame_ms(text: &str) -> Result<f64, String> {
    number(text, "time of a frame", 0.0, 10_000.0)
}

/// Samples a pixel.
///
/// # Errors
/// What is expected.
pub fn samples(text: &str) -> Result<u32, String> {
    match text {
        "1" => Ok(1),
        "4" => Ok(4),
        _ => Err(String::from("expected 1 or 4")),
    }
}

/// A parser of whole numbers within a range.
pub fn integer<T: TryFrom<u64>>(
    range: RangeInclusive<u64>,
) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync {
    move |text| {
        let value = text.parse().ok().filter(|value| range.contains(value)).and_then(|value| T::try_from(value).ok());
        value.ok_or_else(|| format!("expected a whole number from {} to {}", range.start(), range.end()))
    }
}

/// A band of a raster.
///
/// # Errors
/// What is expected.
pub fn band(text: &str) -> Result<usize, String> {
    integer::<usize>(1..=65_535)(text)
}

/// Postings of a feather.
///
/// # Errors
/// What is expected.
pub fn feather(text: &str) -> Result<u32, String> {
    integer::<u32>(1..=63)(text)
}

/// Metres of a unit, by its name or by themselves.
///
/// # Errors
/// What is expected.
pub fn unit(text: &str) -> Result<f64, String> {
    metres_per_unit(text)
        .filter(|metres| (1e-6..=1e6).contains(metres))
        .ok_or_else(|| String::from("expected a unit like m, ft, us-ft, km, dm, cm, mm or fathom, or metres of one"))
}

/// Heights that are taken, metres.
///
/// # Errors
/// What is expected.
pub fn range(text: &str) -> Result<(f64, f64), String> {
    let numbers =
        text.split_once(':').and_then(|(low, high)| Some((low.trim().parse().ok()?, high.trim().parse().ok()?)));
    numbers
        .filter(|(low, high): &(f64, f64)| low < high && low.abs().max(high.abs()) <= 1e6)
        .ok_or_else(|| String::from("expected LOW:HIGH in metres, for example -500:9000"))
}

/// What stands under a name in a table.
///
/// ```
/// use foreign::values::{named, integer};
/// let ways = [("forward", 1), ("deferred", 2)];
/// assert_eq!(named("deferred", &ways), Ok(2));
/// assert_eq!(named("back", &ways).unwrap_err(), "\"back\" is none of forward, deferred");
/// assert_eq!(integer::<u8>(1..=9)("12").unwrap_err(), "expected a whole number from 1 to 9");
/// ```
///
/// # Errors
/// The names there are.
pub fn named<T: Copy>(text: &str, table: &[(&str, T)]) -> Result<T, String> {
    let found = table.iter().find(|(name, _)| *name == text).map(|(_, value)| *value);
    let names = || table.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
    found.ok_or_else(|| format!("\"{}\" is none of {}", sanitized(text), names()))
}

fn number(text: &str, what: &str, low: f64, high: f64) -> Result<f64, String> {
    let value: f64 = text.parse().map_err(|_| format!("expected a number from {low} to {high}"))?;
    within(what, value, low, high)?;
    Ok(value)
}

fn within(what: &str, value: f64, low: f64, high: f64) -> Result<(), String> {
    if (low..=high).contains(&value) {
        return Ok(());
    }
    Err(format!("{what} {} is not in [{low}, {high}]", briefly(value)))
}

fn two(text: &str, form: &str, example: &str) -> Result<(f64, f64), String> {
    text.split_once(',')
        .and_then(|(a, b)| Some((a.trim().parse().ok()?, b.trim().parse().ok()?)))
        .ok_or_else(|| format!("expected {form} in degrees, for example {example}"))
}

fn days_in_month(year: i64, month: u32) -> u32 {
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    match month {
        2 => 28 + u32::from(leap),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_seconds_since_1970() {
        let unix = |text: &str| match time(text) {
            Ok(SunSetting::At { unix_s }) => unix_s,
            other => panic!("{text}: {other:?}"),
        };
        assert_eq!(unix("1970-01-01T00:00Z"), 0.0);
        assert_eq!(unix("2000-02-29T12:30:15Z"), 951_827_415.0);
        assert_eq!(unix("2026-06-21 08:24"), 1_782_030_240.0);
        for (text, utc) in [
            ("2026-06-21T18:00+02:00", "2026-06-21T16:00Z"),
            ("2026-06-21T18:00:30+0545", "2026-06-21T12:15:30Z"),
            ("2026-01-01 01:00 +02", "2025-12-31T23:00Z"),
            ("2026-06-21T18:00-09:30", "2026-06-22T03:30Z"),
            ("2026-06-21T18:00\u{2212}05:00", "2026-06-21T23:00Z"),
        ] {
            assert_eq!(unix(text), unix(utc), "{text}");
        }
        for bad in
            ["18:00+2", "18:00+15:00", "18:00+02:60", "18:00+02:0", "18:00+", "18:00+02:00Z", "18:00+-2:00", "18:00--2"]
        {
            assert!(time(&format!("2026-06-21T{bad}")).is_err(), "{bad}");
        }
        for bad in ["2026-02-29T00:00Z", "2026-13-01T00:00Z", "2026-06-21T24:00Z", "2026-06-21", "-1-1-1T1:1", "noon"] {
            assert!(time(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn whole_numbers_within_a_range() {
        let triangles = integer::<u32>(64..=1_048_576);
        assert_eq!([triangles("64"), triangles("1048576")], [Ok(64), Ok(1_048_576)]);
        for bad in ["0", "63", "1048577", "4294967360", "99999999999999999999", "-64", "1e5", "64.0", "", "many"] {
            assert_eq!(triangles(bad), Err(String::from("expected a whole number from 64 to 1048576")), "{bad}");
        }
        // A range beyond the type is narrowed to it.
        assert!(integer::<u32>(0..=1 << 40)("4294967296").is_err());
    }

    #[test]
    fn sizes_and_looks() {
        assert_eq!(size("1920x1080"), Ok((1920, 1080)));
        for bad in ["0x0", "10x0", "10", "10x", "-1x5", "99999x5", "axb"] {
            assert!(size(bad).is_err(), "{bad}");
        }
        assert_eq!(view_direction("90,-20"), Ok(ViewDirection { heading_deg: 90.0, pitch_deg: -20.0 }));
        for bad in ["90", "90,-91", "x,y", "NaN,0"] {
            assert!(view_direction(bad).is_err(), "{bad}");
        }
    }
}
