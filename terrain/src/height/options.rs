//! How elevation files are opened: what the user may override, and the limits.

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
        }
    }
}
