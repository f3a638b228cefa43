//! What are vertical datums called? As PROJ names their systems.

use foreign::vertical::VerticalDatum;

use super::error::HeightError;

/// What a layer says whose file does not state a vertical datum.
pub(crate) const NOT_STATED: &str = "not stated";
/// What the relief that ships says.
pub(crate) const SEA_LEVEL: &str = "mean sea level";
/// The ellipsoid of WGS84.
pub(crate) const ELLIPSOID: &str = "ellipsoid";
/// The system of heights above it.
pub(crate) const WGS84_IN_SPACE: &str = "EPSG:4979";

/// The name of a datum.
///
/// # Errors
/// [`HeightError::NoVerticalDatum`] if it is none.
#[cfg(feature = "gdal")]
pub(crate) fn name(datum: VerticalDatum) -> Result<String, HeightError> {
    use std::sync::{Mutex, PoisonError};

    use rustc_hash::FxHashMap;

    // To ask takes as long as all else about a file.
    static NAMES: Mutex<Option<FxHashMap<u32, String>>> = Mutex::new(None);
    let VerticalDatum::Epsg(code) = datum else { return Ok(ELLIPSOID.to_owned()) };
    let mut names = NAMES.lock().unwrap_or_else(PoisonError::into_inner);
    let names = names.get_or_insert_default();
    if let Some(name) = names.get(&code) {
        return Ok(name.clone());
    }
    let no_datum = |reason| HeightError::NoVerticalDatum { given: datum.to_string(), reason };
    let name = super::proj::vertical_name(code).map_err(no_datum)?;
    names.insert(code, name.clone());
    Ok(name)
}

/// The name of a datum: of the best known ones, others by their codes.
///
/// # Errors
/// None.
#[cfg(not(feature = "gdal"))]
pub(crate) fn name(datum: VerticalDatum) -> Result<String, HeightError> {
    Ok(match datum {
        VerticalDatum::Ellipsoid => ELLIPSOID.to_owned(),
        VerticalDatum::EGM96 => "EGM96 height".to_owned(),
        VerticalDatum::EGM2008 => "EGM2008 height".to_owned(),
        VerticalDatum::NAVD88 => "NAVD88 height".to_owned(),
        VerticalDatum::Epsg(_) => datum.to_string(),
    })
}
