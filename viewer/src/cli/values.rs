//! What do values of the command line mean to the program? `foreign` reads them.

use std::path::{Path, PathBuf};
use terrain::geodesy::Ellipsoid;

use clap::builder::{OsStringValueParser, PossibleValue, PossibleValuesParser, TypedValueParser};
pub use foreign::values::*;
use terrain::Backend;

use super::source::Source;
use crate::camera::place::{self, Place, PlaceError};
use crate::camera::{Destination, Pose};
use crate::gazetteer::{self, PlaceEntry};
use crate::render::SunMode;

/// Above this height a view without `--look` looks straight down.
const SPACE_M: f64 = 500_000.0;

/// Degrees that a view without `--look` looks below the horizon.
const BELOW_HORIZON_DEG: f64 = 10.0;

/// The pose of `--at` and `--look`; without a look, straight down from space, else north and a little below the horizon.
pub fn pose(ellipsoid: Ellipsoid, at: &GeoPosition, look: Option<ViewDirection>) -> Pose {
    let radius_m = ellipsoid.semi_major_m();
    let dip_deg = (radius_m / (radius_m + at.height_m.max(0.0))).acos().to_degrees();
    let pitch_deg = if at.height_m > SPACE_M { -90.0 } else { -dip_deg - BELOW_HORIZON_DEG };
    let ViewDirection { heading_deg, pitch_deg } = look.unwrap_or(ViewDirection { heading_deg: 0.0, pitch_deg });
    Pose { lat_deg: at.lat_deg, lon_deg: at.lon_deg, height_m: at.height_m, heading_deg, pitch_deg }
}

/// Where the eye is, or what it looks at.
#[derive(Debug, Clone, PartialEq)]
pub enum Viewpoint {
    /// The eye.
    Eye(GeoPosition),
    /// A place on the ground.
    Place(Destination),
}

/// An eye at a height, or a place without one, by coordinates or its name.
pub fn viewpoint(text: &str) -> Result<Viewpoint, String> {
    match place::parse(text) {
        Ok(Place { lat_deg, lon_deg, height_m: Some(height_m), .. }) => {
            Ok(Viewpoint::Eye(GeoPosition { lat_deg, lon_deg, height_m }))
        }
        Ok(place) => Ok(Viewpoint::Place(place.into())),
        Err(PlaceError::Form(_)) if is_name(text) => entry(text).map(|entry| Viewpoint::Place(entry.into())),
        Err(error) => Err(error.to_string()),
    }
}

/// What is shown as a whole.
#[derive(Debug, Clone)]
pub enum Fit {
    /// West, south, east, north, degrees.
    Box([f64; 4]),
    /// A raster.
    File(Source),
}

/// Reads what is shown as a whole; a file that is called like a box is `./1,2,3,4`.
pub fn fit() -> impl TypedValueParser<Value = Fit> {
    OsStringValueParser::new().try_map(|word| {
        let is_box =
            |text: &str| text.split(',').count() == 4 && text.split(',').all(|part| part.trim().parse::<f64>().is_ok());
        match word.to_str() {
            Some(text) if is_box(text) => extent(text).map(Fit::Box),
            _ => Source::parse(word).map(Fit::File),
        }
    })
}

/// West, south, east, north in degrees.
pub fn bbox(text: &str) -> Result<[f64; 4], String> {
    let numbers: Option<Vec<f64>> = text.split(',').map(|n| n.trim().parse().ok()).collect();
    match numbers.as_deref() {
        Some([west, south, east, north]) => Ok([*west, *south, *east, *north]),
        _ => Err(String::from("expected WEST,SOUTH,EAST,NORTH in degrees, for example 6,45,9,46.5")),
    }
}

/// West, south, east, north in degrees of some ground.
fn extent(text: &str) -> Result<[f64; 4], String> {
    let [west, south, east, north] = bbox(text)?;
    let is_longitude = |lon: f64| (-360.0..=360.0).contains(&lon);
    if !is_longitude(west) || !is_longitude(east) || west == east || east - west > 360.0 {
        return Err(format!("west {west} and east {east} have to be two longitudes from -360 to 360"));
    }
    if !(-90.0..=90.0).contains(&south) || !(-90.0..=90.0).contains(&north) || south >= north {
        return Err(format!("south {south} has to be below north {north}, both from -90 to 90"));
    }
    Ok([west, south, east, north])
}

/// A place on the ground: coordinates, or the name of one.
pub fn place(text: &str) -> Result<Place, String> {
    match place::parse(text) {
        Err(PlaceError::Form(_)) if is_name(text) => named(text),
        _ => foreign::values::place(text),
    }
}

/// Whether a text that is no coordinates is meant as a name: it begins with a letter.
fn is_name(text: &str) -> bool {
    text.trim_start().starts_with(char::is_alphabetic)
}

/// The place of a name.
fn named(name: &str) -> Result<Place, String> {
    entry(name).map(|entry| Destination::from(entry).place)
}

/// Checks that a place is one of a body.
///
/// # Errors
/// It is on the Earth, and the body is not.
pub fn check_body(place: &Place, ellipsoid: Ellipsoid) -> Result<(), PlaceError> {
    if place.of_earth && ellipsoid != Ellipsoid::WGS84 { Err(PlaceError::OfEarth) } else { Ok(()) }
}

/// What a name means.
fn entry(name: &str) -> Result<&'static PlaceEntry, String> {
    gazetteer::resolve(name).map_err(|unclear| unclear.line(name))
}

/// A place of the sun in the sky.
pub fn sun(text: &str) -> Result<SunMode, String> {
    foreign::values::sun(text).map(SunMode::from)
}

/// Where the sun stands at a time.
pub fn time(text: &str) -> Result<SunMode, String> {
    if text == "now" {
        let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        let since = since.map_err(|_| String::from("the clock of this machine is before 1970"))?;
        return Ok(SunMode::At { unix_s: since.as_secs_f64() });
    }
    foreign::values::time(text).map(SunMode::from)
}

/// What is made up between the samples of the data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Detail {
    /// None
    Off,
    /// Ridges and gullies between postings more than a kilometre apart
    Relief,
    /// Those, and roughness in the light of any data
    All,
}

impl Detail {
    /// That of a name.
    pub fn named(name: &str) -> Option<Detail> {
        clap::ValueEnum::from_str(name, false).ok()
    }
}

/// Whether something is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Switch {
    /// It is.
    On,
    /// It is not.
    Off,
}

/// Whether water is drawn, and which.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WaterChoice {
    /// That which ships.
    On,
    /// None.
    Off,
    /// That which ships, changed by a file's.
    File(PathBuf),
}

impl WaterChoice {
    /// The file that it names.
    pub fn file(&self) -> Option<&Path> {
        if let WaterChoice::File(file) = self { Some(file) } else { None }
    }
}

/// A choice of water; a file that is called `on` is `./on`.
pub fn water() -> impl TypedValueParser<Value = WaterChoice> {
    OsStringValueParser::new().try_map(|word| match word.to_str() {
        Some("on") => Ok(WaterChoice::On),
        Some("off") => Ok(WaterChoice::Off),
        Some("") => Err("expected on, off or a file"),
        _ => Ok(WaterChoice::File(word.into())),
    })
}

/// Where the mesh lives.
pub fn backend() -> impl TypedValueParser<Value = Backend> {
    let value = |backend: Backend| {
        PossibleValue::new(backend.name()).help(match backend {
            Backend::Cpu => "Topology and vertices on the CPU, uploaded every frame: best beside a software rasteriser",
            Backend::Gpu => "Topology, vertices and elevation tiles on the GPU, drawn indirectly",
        })
    };
    PossibleValuesParser::new(Backend::ALL.map(value)).try_map(|word| word.parse::<Backend>())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Law: what is coordinates is coordinates, what is not is a name, and what is neither is told in one line.
    #[test]
    fn places_are_coordinates_or_names() {
        let lat_lon = |text: &str| place(text).map(|place| (place.lat_deg, place.lon_deg));
        assert_eq!(lat_lon("10,20"), Ok((10.0, 20.0)));
        assert_eq!(lat_lon("S10 E20"), Ok((-10.0, 20.0)));
        assert_eq!(lat_lon("Matterhorn"), Ok((45.976, 7.658)));
        assert_eq!(lat_lon("K2"), Ok((35.881, 76.513)));
        for (text, says) in [
            ("95,10", "latitude 95"),
            ("10,20,30", "leave out the height"),
            ("12", "\"12\" is not LAT, LON"),
            ("york", "York, United Kingdom"),
            ("everst", "did you mean Mount Everest"),
            ("", "is not LAT, LON"),
        ] {
            let line = place(text).expect_err(text);
            assert!(line.contains(says) && !line.contains('\n'), "{text}: {line}");
        }
    }

    #[test]
    fn without_a_look_space_looks_down_and_the_ground_ahead() {
        let at = |height_m| GeoPosition { lat_deg: 1.0, lon_deg: 2.0, height_m };
        assert_eq!(pose(Ellipsoid::WGS84, &at(1e7), None).pitch_deg, -90.0);
        assert!((pose(Ellipsoid::WGS84, &at(0.0), None).pitch_deg + 10.0).abs() < 1e-9);
        // From 400 km the horizon is 19.8 degrees down.
        assert!((pose(Ellipsoid::WGS84, &at(400e3), None).pitch_deg + 29.8).abs() < 0.1);
    }
}
