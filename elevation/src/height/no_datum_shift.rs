//! What brings heights to another datum without GDAL and PROJ? Nothing does.

use foreign::vertical::VerticalDatum;

use super::{datum_name::name, elevation_source::Spacing, error::HeightError, layer_info::LayerInfo, region::Region};

/// There is none.
#[derive(Clone, Debug)]
pub(crate) enum DatumShift {}

/// There are none.
#[derive(Default)]
pub(crate) struct ShiftTables(());

impl DatumShift {
    /// `None` for heights that are above the target already.
    pub fn of(
        info: &mut LayerInfo,
        _reach_deg: [f64; 4],
        target: VerticalDatum,
        _made: &mut ShiftTables,
    ) -> Result<Option<Self>, HeightError> {
        let to = name(target)?;
        if info.datum == to {
            return Ok(None);
        }
        Err(HeightError::NoDatumShift {
            layer: info.name.clone(),
            from: info.datum.clone(),
            to,
            reason: "this build is without GDAL and PROJ".to_owned(),
        })
    }

    /// Never called.
    pub fn at(&self, _lon_deg: f64, _lat_deg: f64, _spacing: Spacing) -> f64 {
        match *self {}
    }

    /// Never called.
    pub fn bounds(&self, _region: &Region) -> (f64, f64) {
        match *self {}
    }
}
