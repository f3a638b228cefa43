//! What brings heights to another datum without GDAL and PROJ? Nothing does.

use super::{error::HeightError, layer_info::LayerInfo, options::VerticalDatum, region::Region};

/// There is none.
#[derive(Clone, Debug)]
pub(crate) enum Shift {}

impl Shift {
    /// `None` for heights that are above the target already.
    pub fn of(info: &mut LayerInfo, target: VerticalDatum) -> Result<Option<Self>, HeightError> {
        if info.datum == target.name() {
            return Ok(None);
        }
        Err(HeightError::NoGeoid { reason: "this build is without GDAL and PROJ".to_owned() })
    }

    /// Never called.
    pub fn at(&self, _lon_deg: f64, _lat_deg: f64) -> f64 {
        match *self {}
    }

    /// Never called.
    pub fn bounds(&self, _region: &Region) -> (f64, f64) {
        match *self {}
    }
}
