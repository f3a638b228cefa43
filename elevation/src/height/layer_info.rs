//! What should a user know about a layer, where do its data lie, and how much of them is in memory?

use std::path::PathBuf;

use glam::DVec3;

use super::datum_name::{ASSUMED_NAME, NOT_STATED};
use crate::geodesy::Ellipsoid;
use crate::pack::MOST_REMARKS;

/// The system of heights that are above different datums.
pub(crate) const SEVERAL: &str = "several";

/// What is known about a layer.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct LayerInfo {
    /// File name as given, or the name of an embedded or synthetic grid.
    pub name: String,
    /// GDAL's name of the format.
    pub driver: String,
    /// Name of the horizontal coordinate reference system.
    pub crs: String,
    /// Name of the vertical datum, or "not stated".
    pub datum: String,
    /// The system of its heights as PROJ reads it, by code, name, WKT or PROJJSON: degrees, and what [`datum`](Self::datum) names. Empty
    /// where nothing is known of it.
    pub vertical_system: String,
    /// What its places and heights are on.
    #[serde(default)]
    pub ellipsoid: Ellipsoid,
    /// Columns and rows of the source.
    pub size: [usize; 2],
    /// Columns and rows that heights come from: those of the source, unless a reader says otherwise.
    pub grid: [usize; 2],
    /// Distance of the kept postings in metres, the coarser axis, in the middle of the layer.
    pub posting_m: f64,
    /// West, south, east, north in degrees; east exceeds 180 where the layer crosses the antimeridian.
    pub bbox_deg: [f64; 4],
    /// Value declared to mean "no data", before scale and offset.
    pub nodata: Option<f64>,
    /// Share of the kept texels without a height, 0 to 1.
    pub void_share: f64,
    /// Lowest and highest kept height in metres; `(0, 0)` where there is none.
    pub range_m: (f64, f64),
    /// Whether `range_m` is no measurement: heights are read as they are needed, and none outside of it is taken.
    pub range_is_bound: bool,
    /// What its makers want to be said where it is shown; empty where the file states nothing.
    pub attribution: String,
    /// How the file was understood, in words.
    pub notes: Vec<String>,
    /// What may make its heights wrong, in words, with the way out.
    pub remarks: Vec<String>,
}

impl LayerInfo {
    /// What is known about a layer that is no file: a function, or an array. The box is west, south, east, north in degrees, the
    /// range the lowest and highest height that it may have, in metres.
    pub fn synthetic(name: &str, posting_m: f64, bbox_deg: [f64; 4], range_m: (f64, f64)) -> Self {
        Self {
            name: name.to_owned(),
            driver: "none".to_owned(),
            crs: "WGS 84".to_owned(),
            datum: NOT_STATED.to_owned(),
            vertical_system: String::new(),
            ellipsoid: Ellipsoid::WGS84,
            size: [0, 0],
            grid: [0, 0],
            posting_m,
            bbox_deg,
            nodata: None,
            void_share: 0.0,
            range_m,
            range_is_bound: true,
            attribution: String::new(),
            notes: Vec::new(),
            remarks: Vec::new(),
        }
    }

    /// The same on another planet than the Earth.
    #[must_use]
    pub fn on(self, ellipsoid: Ellipsoid) -> Self {
        Self { ellipsoid, ..self }
    }
}

impl LayerInfo {
    /// As many of its remarks as a pack takes.
    pub(crate) fn remarks_of_record(&self) -> Vec<String> {
        self.remarks.iter().take(MOST_REMARKS).cloned().collect()
    }
}

/// The system of heights that are above these datums by these systems: that of the first, if they are all above one, of which those
/// whose system is not known count as above the assumed one.
pub(crate) fn one_system<'a>(all: impl Iterator<Item = (&'a str, String)>) -> String {
    let mut found: Option<(&str, String)> = None;
    for (datum, system) in all {
        let datum = if system.is_empty() { ASSUMED_NAME } else { datum };
        match &mut found {
            Some((first, _)) if *first != datum => return SEVERAL.to_owned(),
            // What is stated says more.
            Some((_, kept)) if kept.is_empty() => *kept = system,
            Some(_) => {}
            None => found = Some((datum, system)),
        }
    }
    found.map(|(_, system)| system).unwrap_or_default()
}

/// Memory that heights of a layer take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MemoryUse {
    /// Their bytes.
    pub bytes: usize,
    /// Most that may be; `None`: all of the layer is in memory, or will be when much of it is asked for.
    pub most: Option<usize>,
}

/// A file of many that make one layer, and that is read for places near it alone.
#[derive(Debug)]
pub(crate) struct MemberFile {
    pub file: PathBuf,
    /// Its part of the key of a pack: what is known without its heights, in the same words on every machine.
    pub key_text: String,
    /// Where the places lie for which it may be read: wider than its data.
    pub area: Area,
}

/// Where data of some posting lie.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Area {
    /// Middle and cosine of the radius of a cap that holds them; `None`: possibly the whole Earth.
    pub cap: Option<(DVec3, f64)>,
    /// West, south, east, north.
    pub bbox_deg: [f64; 4],
    pub posting_m: f64,
}

impl Area {
    /// Whether the place with a unit normal, and its longitude and latitude, may lie in it.
    pub fn holds(&self, normal: DVec3, [lon_deg, lat_deg]: [f64; 2]) -> bool {
        let [west, south, east, north] = self.bbox_deg;
        self.cap.is_none_or(|(middle, cos_radius)| normal.dot(middle) >= cos_radius)
            && (south..=north).contains(&lat_deg)
            && (lon_deg - west).rem_euclid(360.0) <= east - west
    }

    /// Whether it is the whole Earth.
    pub fn is_global(&self) -> bool {
        let [west, south, east, north] = self.bbox_deg;
        self.cap.is_none() && east - west >= 359.9 && north - south >= 179.9
    }
}
