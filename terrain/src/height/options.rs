//! How elevation files are opened: what the user may override, and the limits.

use std::path::PathBuf;

/// What heights are measured from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VerticalDatum {
    /// The ellipsoid of WGS84, as satellite navigation has it.
    Ellipsoid,
    /// The geoid of EGM96: mean sea level.
    Egm96,
}

impl VerticalDatum {
    /// Its name in [`super::LayerInfo::datum`].
    pub fn name(self) -> &'static str {
        match self {
            Self::Ellipsoid => "ellipsoid",
            Self::Egm96 => "EGM96 height",
        }
    }
}

/// Options of `Relief::open`; the default suits files that describe themselves.
#[derive(Debug, Clone, PartialEq)]
pub struct OpenOptions {
    /// Most bytes that one layer may take in memory; a larger raster is read at a lower resolution, area-averaged.
    pub layer_bytes: usize,
    /// Band that holds the heights, from 1.
    pub band: usize,
    /// Coordinate reference system to assume instead of the file's: `EPSG:CODE`, WKT or a PROJ string.
    pub src_crs: Option<String>,
    /// Value that means "no data" in addition to what the file says, before scale and offset.
    pub nodata: Option<f64>,
    /// Distance in source texels over which a layer goes over to the one below at its edges and voids, 1 to 255.
    pub feather_texels: u32,
    /// Heights outside of this range, in metres, are taken as voids: undeclared "no data" values like -32768 or 1e38.
    pub valid_range_m: (f64, f64),
    /// Datum to which the heights of all layers are brought, by PROJ's grid of EGM96; `None`: they stay as they are. Data
    /// above mean sea level by another geoid, or that do not say, count as EGM96.
    pub vertical: Option<VerticalDatum>,
    /// Whether files of a folder or list that are damaged are told and left out; without it the first one is an error.
    pub skip_bad: bool,
    /// Folder in which headers of many files are remembered, so that the next start opens none that is unchanged.
    pub index: Option<PathBuf>,
}

impl Default for OpenOptions {
    fn default() -> Self {
        Self {
            layer_bytes: 256 << 20,
            band: 1,
            src_crs: None,
            nodata: None,
            feather_texels: 8,
            valid_range_m: (-20_000.0, 20_000.0),
            vertical: None,
            skip_bad: false,
            index: None,
        }
    }
}
