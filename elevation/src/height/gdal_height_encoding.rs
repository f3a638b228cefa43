//! What do the numbers of a band mean? Metres or feet, heights or depths, ground or a picture; by the band, its coordinate
//! system and the file.

use std::path::Path;

use gdal::{
    Dataset, Metadata,
    raster::{GdalDataType, RasterBand},
};

use foreign::unit::metres_per_unit;

use super::{
    diagnostics::Diagnostics,
    error::HeightError,
    gdal_vrt_units::{BandUnits, UnknownUnits, has_signed_bytes, is_bag, units_of_sources},
    georeference::Georeference,
    options::OpenOptions,
    vertical_axis::VerticalAxis,
};

/// What turns the numbers of a band into heights, beside its scale and offset.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub(crate) struct HeightEncoding {
    /// Metres of one unit; below 0 where the numbers are depths.
    pub metres: f64,
    /// The band that tells where there is data, if it is one that GDAL does not take for a mask.
    pub alpha: Option<usize>,
    /// Heights in metres that are taken; others are voids.
    pub valid_range_m: (f64, f64),
}

impl HeightEncoding {
    /// Its part of keys of packs and of the cache of means, which stays as it was first written.
    pub fn key_text(self) -> String {
        let Self { metres, alpha, valid_range_m } = self;
        format!("Meaning {{ metres: {metres:?}, alpha: {alpha:?}, valid_range_m: {valid_range_m:?} }}")
    }
}

/// What the numbers of a band mean, and what a user should know of that.
///
/// # Errors
/// [`HeightError::Mixed`] for a virtual raster of files that do not go together, [`HeightError::Read`] if one is cut,
/// [`HeightError::SignedBytes`].
pub(super) fn height_encoding(
    file: &Path,
    dataset: &Dataset,
    band: &RasterBand,
    options: &OpenOptions,
    place: &Georeference,
    diagnostics: &mut Diagnostics,
) -> Result<HeightEncoding, HeightError> {
    if has_signed_bytes(band) {
        return Err(HeightError::SignedBytes { file: file.into() });
    }
    let axis = place.datum.axis.as_ref();
    // A system with a vertical axis says all that there is to know.
    let open = UnknownUnits { unit: axis.is_none() && !unit_is_stated(band, options), direction: axis.is_none() };
    let by_files = units_of_sources(file, dataset, band, open)?;
    let down_by_files = by_files.as_ref().and_then(|(stated, _)| stated.down).unwrap_or(false);
    // The format has elevations, whatever systems say that programs write into it.
    let are_bags = is_bag(dataset) || by_files.as_ref().is_some_and(|(stated, _)| stated.is_bag);
    let is_up = options.src_crs.is_none() && are_bags;
    let down = !is_up && axis.map_or(down_by_files, |axis| axis.down);
    if is_up && axis.is_some_and(|axis| axis.down) {
        diagnostics
            .notes
            .push("its vertical axis points down, but BAG files hold elevations: taken as these".to_owned());
    }
    if down {
        let whose = axis.map_or("its files".to_owned(), |axis| foreign::sanitized(&axis.datum).to_string());
        diagnostics
            .notes
            .push(format!("the vertical axis of {whose} points down: depths are taken as heights below 0"));
    }
    let metres = metres(band, options, axis, by_files.as_ref(), diagnostics);
    diagnostics.remarks.extend(kind(dataset, band, options));
    let alpha = alpha(dataset, band, options);
    if let Some(alpha) = alpha {
        diagnostics.notes.push(format!("band {alpha} is alpha: where it is 0 there is no height"));
    }
    let valid_range_m = options.valid_range_on(place.ellipsoid);
    Ok(HeightEncoding { metres: if down { -metres } else { metres }, alpha, valid_range_m })
}

/// Whether the user or the band says which unit it is, known or not.
fn unit_is_stated(band: &RasterBand, options: &OpenOptions) -> bool {
    options.unit_m.is_some() || !band.unit().trim().is_empty()
}

/// Metres of one unit: as the user says, else as the band does, else as the vertical axis does, else as the files of a virtual
/// raster do.
fn metres(
    band: &RasterBand,
    options: &OpenOptions,
    axis: Option<&VerticalAxis>,
    by_files: Option<&(BandUnits, [usize; 2])>,
    diagnostics: &mut Diagnostics,
) -> f64 {
    let stated = band.unit();
    let of_band = metres_per_unit(&stated);
    let (unit, metres, by) = match (options.unit_m, of_band, axis) {
        (Some(metres), ..) => (format!("units of {metres} m"), metres, "as asked"),
        (None, Some(metres), _) => (stated.clone(), metres, "as the band states"),
        (None, None, Some(axis)) => (axis.unit.0.clone(), axis.unit.1, "as the vertical axis of its system has it"),
        (None, None, None) => match by_files.filter(|_| stated.trim().is_empty()) {
            Some((BandUnits { unit: Some((unit, metres)), .. }, [some, all])) => {
                if some < all {
                    diagnostics.notes.push(format!("the unit of {some} of its {all} files was looked at"));
                }
                (unit.clone(), *metres, "as its files state")
            }
            _ => (String::from("metre"), 1.0, "by default"),
        },
    };
    if metres != 1.0 {
        let unit = foreign::sanitized(&unit);
        diagnostics.notes.push(format!("heights are converted from \"{unit}\" to metres, {by}"));
    }
    if options.unit_m.is_none() {
        if of_band.is_none() && !stated.trim().is_empty() {
            diagnostics.remarks.push(format!(
                "its unit \"{}\" is not known: taken as {}, {by}; `--unit` says which it is, like --unit ft",
                foreign::sanitized(&stated),
                foreign::sanitized(&unit)
            ));
        }
        if metres != 1.0 && stated.trim().parse::<f64>().is_ok() {
            diagnostics.remarks.push(format!(
                "its unit is a bare number, {metres}: taken as so many metres; `--unit` says which it is"
            ));
        }
        if let (Some(of_band), Some(axis)) = (of_band, axis)
            && (of_band / axis.unit.1 - 1.0).abs() > 1e-5
        {
            diagnostics.remarks.push(format!(
                "its band is in \"{}\", and the vertical axis of its system in \"{}\": the band's is taken; `--unit` says \
                 which is right",
                foreign::sanitized(&stated),
                foreign::sanitized(&axis.unit.0)
            ));
        }
    }
    metres
}

/// How GDAL says that a band is to be seen. (The binding's own question panics at answers that it does not know.)
fn interpretation(band: &RasterBand) -> gdal_sys::GDALColorInterp::Type {
    // SAFETY: the band is alive.
    unsafe { gdal_sys::GDALGetRasterColorInterpretation(band.c_rasterband()) }
}

/// What looks like something else than heights.
fn kind(dataset: &Dataset, band: &RasterBand, options: &OpenOptions) -> Option<String> {
    use gdal_sys::GDALColorInterp as Seen;
    let driver = dataset.driver().short_name();
    if matches!(driver.as_str(), "NTv2" | "NTv1" | "CTable2" | "LOSLAS" | "GTX") {
        return Some(format!("a grid of shifts between datums ({driver}), not elevation"));
    }
    // Geodetic grids in GeoTIFF (RFC 4 of PROJ).
    if let Some(kind) = dataset.metadata_item("TYPE", "").filter(|kind| {
        ["HORIZONTAL_OFFSET", "VERTICAL_OFFSET", "GEOCENTRIC_TRANSLATION", "VELOCITY", "DEFORMATION_MODEL"]
            .iter()
            .any(|known| kind.starts_with(known))
    }) {
        return Some(format!("a grid of shifts between datums ({kind}), not elevation"));
    }
    let count = dataset.raster_count();
    // SAFETY: the band is alive, and the other function takes any number.
    if unsafe { gdal_sys::GDALDataTypeIsComplex(gdal_sys::GDALGetRasterDataType(band.c_rasterband())) } != 0 {
        return Some("its numbers are complex, as radar's are: their real parts are taken".to_owned());
    }
    match interpretation(band) {
        Seen::GCI_PaletteIndex => Some("its numbers are of a palette: classes or colours, not elevation".to_owned()),
        Seen::GCI_AlphaBand => Some(format!("band {} is alpha: it tells where there is data", options.band)),
        Seen::GCI_RedBand | Seen::GCI_GreenBand | Seen::GCI_BlueBand => {
            Some(format!("band {} of {count} is a colour: this looks like a picture, not elevation", options.band))
        }
        _ if count >= 3 && band.band_type() == GdalDataType::UInt8 => {
            Some(format!("{count} bands of bytes: this looks like a picture, not elevation"))
        }
        _ => None,
    }
}

/// Whether bytes are said to be colours, or are as many as colours have.
pub(super) fn is_of_colours(dataset: &Dataset, band: &RasterBand) -> bool {
    use gdal_sys::GDALColorInterp as Seen;
    let said = [Seen::GCI_PaletteIndex, Seen::GCI_RedBand, Seen::GCI_GreenBand, Seen::GCI_BlueBand];
    let is_said = said.contains(&interpretation(band));
    band.band_type() == GdalDataType::UInt8 && (is_said || dataset.raster_count() >= 3)
}

/// The band of alpha that GDAL does not take for a mask: it does so with bytes and u16 alone, and `gdalwarp -dstalpha` writes it
/// in any type.
fn alpha(dataset: &Dataset, band: &RasterBand, options: &OpenOptions) -> Option<usize> {
    if !band.mask_flags().is_ok_and(|flags| flags.is_all_valid()) {
        return None;
    }
    (1..=dataset.raster_count()).filter(|k| *k != options.band).find(|k| {
        dataset.rasterband(*k).is_ok_and(|band| interpretation(&band) == gdal_sys::GDALColorInterp::GCI_AlphaBand)
    })
}

#[cfg(test)]
mod tests {
    use gdal::spatial_ref::SpatialRef;

    use super::*;
    use crate::height::gdal_system::definition;

    /// Law: unit, direction and datum of the vertical axis are found however a system states it.
    #[test]
    fn vertical_axes() {
        let axis = |system: &str| {
            let srs = SpatialRef::from_definition(system).expect("PROJ knows it");
            let axis = VerticalAxis::in_definition(&definition(&srs))?;
            Some((axis.datum, axis.unit.1, axis.down))
        };
        let is = |datum: &str, metres: f64, down: bool| Some((datum.to_owned(), metres, down));
        let survey_foot = 1200.0 / 3937.0;
        assert_eq!(axis("EPSG:4326"), None);
        assert_eq!(axis("EPSG:32633"), None);
        assert_eq!(axis("EPSG:4269+6360"), is("NAVD88 height", survey_foot, false));
        assert_eq!(axis("EPSG:4269+8228"), is("NAVD88 height", 0.3048, false));
        // A plane in feet below heights in metres.
        assert_eq!(axis("EPSG:2274+5703"), is("NAVD88 height", 1.0, false));
        assert_eq!(axis("EPSG:4326+5715"), is("MSL depth", 1.0, true));
        assert_eq!(axis("EPSG:4269+6357"), is("NAVD88 depth", 1.0, true));
        assert_eq!(axis("EPSG:4269+6358"), is("NAVD88 depth", survey_foot, true));
        assert_eq!(axis("EPSG:4979"), is("ellipsoid", 1.0, false));
        let utm = "+proj=utm +zone=33 +datum=WGS84 +vunits=us-ft +geoidgrids=egm96_15.gtx +type=crs";
        assert_eq!(axis(utm).map(|(_, metres, down)| (metres, down)), Some((survey_foot, false)));
    }
}
