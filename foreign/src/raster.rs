//! What is said of one raster behind its name? `dem.tif,band=2,nodata=-9999`.

use crate::{options, sanitized, values, vertical::VerticalDatum};

/// What is said of one raster alone; none where nothing is.
///
/// ```
/// use foreign::raster::RasterOptions;
/// let mut options = RasterOptions::default();
/// assert_eq!(options.set("valid-range", "-500:9000"), Ok(true));
/// assert_eq!(options.valid_range_m, Some((-500.0, 9_000.0)));
/// assert!(options.set("band", "none").is_err() && options.set("colour", "red") == Ok(false));
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct RasterOptions {
    /// The band that holds the heights.
    pub band: Option<usize>,
    /// The value that stands for no height.
    pub nodata: Option<f64>,
    /// The coordinate system in place of the file's.
    pub crs: Option<String>,
    /// Metres of the unit of heights.
    pub unit_m: Option<f64>,
    /// Postings of the feather.
    pub feather: Option<u32>,
    /// Heights that are taken, metres.
    pub valid_range_m: Option<(f64, f64)>,
    /// What the heights are measured from.
    pub vdatum: Option<VerticalDatum>,
}

impl RasterOptions {
    /// The keys that there are.
    pub const KEYS: [&str; 7] = ["band", "nodata", "crs", "unit", "feather", "valid-range", "vdatum"];

    /// Takes in what is said of a key; false if there is no such key.
    ///
    /// # Errors
    /// What is expected.
    pub fn set(&mut self, key: &str, value: &str) -> Result<bool, String> {
        match key {
            "band" => self.band = Some(values::band(value)?),
            "nodata" => self.nodata = Some(values::any_number(value)?),
            "crs" => self.crs = Some(value.to_owned()),
            "unit" => self.unit_m = Some(values::unit(value)?),
            "feather" => self.feather = Some(values::feather(value)?),
            "valid-range" => self.valid_range_m = Some(values::range(value)?),
            "vdatum" => self.vdatum = Some(value.parse()?),
            _ => return Ok(false),
        }
        Ok(true)
    }
}

/// A name and the options behind it. Whatever exists is a name, commas and all; so is what has no known option behind it.
///
/// # Errors
/// The option whose value is none, and what is expected.
///
/// ```
/// let (name, own) = foreign::raster::source("a,b.tif,band=2,unit=ft", |_| false)?;
/// assert_eq!((name, own.band, own.unit_m), ("a,b.tif", Some(2), Some(0.3048)));
/// let (name, own) = foreign::raster::source(r#"a.tif,unit=ft,crs=GEOGCS["x",DATUM["y",SPHEROID["z",1,2]]],band=2"#, |_| false)?;
/// assert_eq!((name, own.band, own.unit_m), ("a.tif", Some(2), Some(0.3048)));
/// assert_eq!(own.crs.as_deref(), Some(r#"GEOGCS["x",DATUM["y",SPHEROID["z",1,2]]]"#));
/// assert_eq!(foreign::raster::source("a.tif,crs=+proj=utm +towgs84=1,2,3 +units=m", |_| false)?.0, "a.tif");
/// assert_eq!(foreign::raster::source("a.tif,band=2", |_| true)?.0, "a.tif,band=2");
/// assert!(foreign::raster::source("a.tif,band=0", |_| false).is_err());
/// # Ok::<(), String>(())
/// ```
pub fn source(text: &str, exists: impl Fn(&str) -> bool) -> Result<(&str, RasterOptions), String> {
    let mut own = RasterOptions::default();
    let name = options::split_options(text, exists, |key, value| own.set(key, value))?;
    Ok((name, own))
}

/// The name of a picture and its opacity, 0 to 1, 1 unless `,opacity=X` stands behind it. Whatever exists is a name.
///
/// # Errors
/// The option whose value is none, and what is expected; what is no option, behind the name of a file.
///
/// ```
/// assert_eq!(foreign::raster::picture("a.tif,opacity=0.5", |_| false)?, ("a.tif", 0.5));
/// assert_eq!(foreign::raster::picture("a,b.tif", |_| false)?, ("a,b.tif", 1.0));
/// assert!(foreign::raster::picture("a.tif,opacity=2", |_| false).is_err());
/// assert!(foreign::raster::picture("a.tif,opacity=0,5", |_| false).is_err());
/// assert!(foreign::raster::picture("a.tif,opac=1", |name| name == "a.tif").is_err());
/// # Ok::<(), String>(())
/// ```
pub fn picture(text: &str, exists: impl Fn(&str) -> bool) -> Result<(&str, f64), String> {
    if exists(text) {
        return Ok((text, 1.0));
    }
    if let Some((name, value)) = text.rsplit_once(",opacity=") {
        let wrong = |reason: String| format!("opacity={}: {reason}", sanitized(value));
        return Ok((name, values::opacity(value).map_err(wrong)?));
    }
    match text.split_once(',') {
        Some((name, option)) if exists(name) => {
            Err(format!("{}: expected opacity=X, for example opacity=0.5", sanitized(option)))
        }
        _ => Ok((text, 1.0)),
    }
}
