//! How are features written for other programs? As GeoJSON or KML, and by GDAL as GPX or GeoPackage.

mod geojson;
mod kml;
#[cfg(feature = "gdal")]
mod memory_file;
#[cfg(feature = "gdal")]
mod ogr;
#[cfg(all(test, feature = "gdal"))]
mod tests;

use crate::features::{Colour, LonLat, Shape};

/// The measure that is the height of a point.
pub const HEIGHT_M: &str = "height_m";
/// Edges that leave [-180, 180] are cut into parts of at most so many degrees of longitude, where all of it has to stay within.
const WRAPPED_EDGE_DEG: f64 = 10.0;

/// A feature, and what is said of it.
#[derive(Debug, Clone, PartialEq)]
pub struct NamedFeature {
    /// Where it is.
    pub shape: Shape,
    /// Its name.
    pub name: String,
    /// What else is said of it; empty if nothing is.
    pub note: String,
    /// Colour of its pin or its line.
    pub colour: Colour,
    /// What is measured of it: names, which end in the unit, and numbers. [`HEIGHT_M`] is the height of a point.
    pub measures: Vec<(&'static str, f64)>,
}

impl NamedFeature {
    fn is_point(&self) -> bool {
        matches!(self.shape, Shape::Point(_))
    }

    fn height_m(&self) -> Option<f64> {
        self.measures.iter().find_map(|(name, height_m)| (*name == HEIGHT_M).then_some(*height_m))
    }

    /// The field of the simplestyle specification that its colour is written to.
    fn colour_field(&self) -> &'static str {
        if self.is_point() { "marker-color" } else { "stroke" }
    }

    fn colour_text(&self) -> String {
        let [red, green, blue, _] = self.colour;
        format!("#{red:02x}{green:02x}{blue:02x}")
    }
}

/// A format of files of features.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum VectorFormat {
    /// GeoJSON (RFC 7946), with colours by the simplestyle specification.
    #[default]
    GeoJson,
    /// KML 2.2, of Google Earth.
    Kml,
    /// GPX 1.1, of GPS devices. It has no colours, and areas are tracks around them.
    Gpx,
    /// OGC GeoPackage, of GIS programs.
    GeoPackage,
}

impl VectorFormat {
    /// Those that this build writes.
    pub const ALL: &'static [Self] = if cfg!(feature = "gdal") {
        &[Self::GeoJson, Self::Kml, Self::Gpx, Self::GeoPackage]
    } else {
        &[Self::GeoJson, Self::Kml]
    };

    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Self::GeoJson => "GeoJSON",
            Self::Kml => "KML",
            Self::Gpx => "GPX",
            Self::GeoPackage => "GeoPackage",
        }
    }

    /// How names of its files end, without the point.
    pub fn extension(self) -> &'static str {
        match self {
            Self::GeoJson => "geojson",
            Self::Kml => "kml",
            Self::Gpx => "gpx",
            Self::GeoPackage => "gpkg",
        }
    }

    /// The format whose files end so, in small letters or capitals; none of other words.
    ///
    /// ```
    /// use elevation::feature_writer::VectorFormat;
    /// assert_eq!(VectorFormat::of_extension("GPX"), Some(VectorFormat::Gpx));
    /// assert_eq!(VectorFormat::of_extension("tif"), None);
    /// ```
    pub fn of_extension(extension: &str) -> Option<Self> {
        let all = [Self::GeoJson, Self::Kml, Self::Gpx, Self::GeoPackage];
        all.into_iter().find(|format| extension.eq_ignore_ascii_case(format.extension()))
    }

    /// The bytes of a file of some features, which `feature_file` reads. GPX has points before lines.
    ///
    /// ```
    /// use elevation::{feature_writer::{NamedFeature, VectorFormat}, features::Shape};
    /// let (shape, name, note) = (Shape::Point([7.6, 45.9]), String::from("Hut"), String::new());
    /// let hut = NamedFeature { shape, name, note, colour: [255, 0, 0, 255], measures: vec![("height_m", 3260.0)] };
    /// let text = String::from_utf8(VectorFormat::Kml.encode(&[hut])?)?;
    /// assert!(text.contains("<name>Hut</name>") && text.contains("<coordinates>7.6,45.9,3260</coordinates>"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`FeatureWriteError`] where GDAL does not write them.
    pub fn encode(self, features: &[NamedFeature]) -> Result<Vec<u8>, FeatureWriteError> {
        match self {
            Self::GeoJson => Ok(geojson::text(features).into_bytes()),
            Self::Kml => Ok(kml::text(features).into_bytes()),
            #[cfg(feature = "gdal")]
            Self::Gpx | Self::GeoPackage => ogr::encode(self, features),
            #[cfg(not(feature = "gdal"))]
            Self::Gpx | Self::GeoPackage => Err(FeatureWriteError::NoDriver { format: self.name() }),
        }
    }
}

/// Why features are not written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FeatureWriteError {
    /// GDAL does not write the format.
    #[error(
        "{format} is written by a driver of GDAL that this build has not, or --gdal-drivers leaves out: choose GeoJSON or KML"
    )]
    NoDriver {
        /// The format.
        format: &'static str,
    },
    /// GDAL fails.
    #[error("GDAL cannot write {format} ({reason}): choose GeoJSON or KML")]
    Gdal {
        /// The format.
        format: &'static str,
        /// GDAL's words.
        reason: String,
    },
}

/// A text without the characters that XML and strings of C cannot hold.
fn plain(text: &str) -> String {
    let is_held = |c: &char| matches!(c, '\n' | '\t') || !c.is_control() && !matches!(c, '\u{fffe}' | '\u{ffff}');
    text.chars().filter(is_held).collect()
}

/// A longitude in [-180, 180].
fn wrapped_lon(lon_deg: f64) -> f64 {
    let is_within = (-180.0..=180.0).contains(&lon_deg);
    if is_within { lon_deg } else { (lon_deg + 180.0).rem_euclid(360.0) - 180.0 }
}

/// A line with longitudes in [-180, 180] alone. Edges beyond are short: one from 179 to -179 is known to be the short way.
fn wrapped_line(line: &[LonLat]) -> Vec<LonLat> {
    let mut corners = Vec::with_capacity(line.len());
    for edge in line.windows(2) {
        let [from, to] = [edge[0], edge[1]];
        let leaves = from[0].abs().max(to[0].abs()) > 180.0;
        let parts = if leaves { ((to[0] - from[0]).abs() / WRAPPED_EDGE_DEG).ceil().max(1.0) as u32 } else { 1 };
        let at = |part: u32| f64::from(part) / f64::from(parts);
        corners.extend((0..parts).map(|part| [0, 1].map(|axis| from[axis] + (to[axis] - from[axis]) * at(part))));
    }
    corners.extend(line.last());
    corners.into_iter().map(|[lon, lat]| [wrapped_lon(lon), lat]).collect()
}
