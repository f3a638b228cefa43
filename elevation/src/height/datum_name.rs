//! What are vertical datums called? As PROJ names their systems.

use foreign::{unit::metres_per_unit, vertical::VerticalDatum};

use super::error::HeightError;

/// What heights count as above whose data state nothing.
pub(crate) const ASSUMED: VerticalDatum = VerticalDatum::EGM96;
/// Its name.
pub(crate) const ASSUMED_NAME: &str = "EGM96 height";
/// What a layer says whose file does not state a vertical datum.
pub(crate) const NOT_STATED: &str = "not stated";
/// What the relief that ships says.
pub(crate) const SEA_LEVEL: &str = "mean sea level";
/// The ellipsoid of WGS 84, and that of GRS 1980, a tenth of a millimetre from it.
pub(crate) const ELLIPSOID: &str = "ellipsoid";
/// What stands between the names of the two parts of a system.
pub(crate) const BY_NAME: &str = " + ";
/// Longitude and latitude on WGS 84.
pub(crate) const WGS84: u64 = 4326;
/// The same with heights above its ellipsoid.
pub(crate) const WGS84_IN_SPACE: &str = "EPSG:4979";

/// The name of a system without the unit behind it: heights are in metres, whatever those of the file are in.
pub(crate) fn without_unit(name: &str) -> &str {
    let unit = |rest: &str| {
        metres_per_unit(rest.strip_suffix(')').filter(|word| !word.contains(|c: char| c.is_ascii_digit()))?)
    };
    name.rsplit_once(" (")
        .filter(|(_, rest)| unit(rest).is_some_and(|metres| metres != 1.0))
        .map_or(name, |(name, _)| name)
}

/// The system of heights above a datum, with the longitudes and latitudes of a code of EPSG; those above the ellipsoid are on WGS 84, as
/// it is.
pub(crate) fn system(datum: VerticalDatum, plane: u64) -> String {
    match datum {
        VerticalDatum::Ellipsoid => WGS84_IN_SPACE.to_owned(),
        VerticalDatum::Epsg(code) => format!("EPSG:{plane}+{code}"),
    }
}

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
    let name = without_unit(&super::proj::vertical_name(code).map_err(no_datum)?).to_owned();
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
        ASSUMED => ASSUMED_NAME.to_owned(),
        VerticalDatum::EGM2008 => "EGM2008 height".to_owned(),
        VerticalDatum::NAVD88 => "NAVD88 height".to_owned(),
        VerticalDatum::Epsg(_) => datum.to_string(),
    })
}
