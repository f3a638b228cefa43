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
/// assert!(foreign::raster::source("a.tif,band=1,band=2", |_| false).is_err_and(|why| why.contains("said twice")));
/// # Ok::<(), String>(())
/// ```
pub fn source(text: &str, exists: impl Fn(&str) -> bool) -> Result<(&str, RasterOptions), String> {
    let mut own = RasterOptions::default();
    let name = options::split_options(text, exists, |key, value| own.set(key, value))?;
    Ok((name, own))
}

/// How a picture is shown: as it is, unless something is said.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct PictureOptions {
    /// How much of what lies below it hides, 0 to 1.
    pub opacity: f64,
    /// Factors of its brightness, contrast and saturation, 0 to [`values::MOST_COLOUR_FACTOR`].
    pub colours: [f64; 3],
    /// Whether it is not shown.
    pub hidden: bool,
}

impl Default for PictureOptions {
    fn default() -> Self {
        Self { opacity: 1.0, colours: [1.0; 3], hidden: false }
    }
}

impl PictureOptions {
    /// The keys that there are.
    pub const KEYS: [&str; 5] = ["opacity", "brightness", "contrast", "saturation", "hidden"];

    /// Takes in what is said of a key; false if there is no such key.
    ///
    /// # Errors
    /// What is expected.
    pub fn set(&mut self, key: &str, value: &str) -> Result<bool, String> {
        match key {
            "opacity" => self.opacity = values::opacity(value)?,
            "brightness" => self.colours[0] = values::colour_factor(value)?,
            "contrast" => self.colours[1] = values::colour_factor(value)?,
            "saturation" => self.colours[2] = values::colour_factor(value)?,
            "hidden" => self.hidden = values::yes_or_no(value)?,
            _ => return Ok(false),
        }
        Ok(true)
    }
}

/// The name of a picture, and the options behind it. Whatever exists is a name.
///
/// # Errors
/// The option whose value is none, and what is expected; what is no option, behind the name of a file.
///
/// ```
/// let (name, own) = foreign::raster::picture("a.tif,opacity=0.5,saturation=0", |_| false)?;
/// assert_eq!((name, own.opacity, own.colours), ("a.tif", 0.5, [1.0, 1.0, 0.0]));
/// assert_eq!(foreign::raster::picture("a,b.tif", |_| false)?.0, "a,b.tif");
/// assert!(foreign::raster::picture("a.tif,opacity=2", |_| false).is_err());
/// assert!(foreign::raster::picture("a.tif,opacity=0,5", |_| false).is_err());
/// assert!(foreign::raster::picture("a.tif,opac=1", |name| name == "a.tif").is_err());
/// # Ok::<(), String>(())
/// ```
pub fn picture(text: &str, exists: impl Fn(&str) -> bool) -> Result<(&str, PictureOptions), String> {
    let mut own = PictureOptions::default();
    let name = options::split_options(text, &exists, |key, value| own.set(key, value))?;
    let is_known = |option: &str| PictureOptions::KEYS.iter().any(|key| option.starts_with(&format!("{key}=")));
    match name.split_once(',') {
        Some((file, option)) if !exists(name) && (exists(file) || is_known(option)) => {
            let keys = PictureOptions::KEYS.join(", ");
            Err(format!("{}: expected one of {keys}, for example opacity=0.5", sanitized(option)))
        }
        _ => Ok((name, own)),
    }
}
