//! How does a viewshed become a file? As a GeoTIFF, through GDAL.

use std::path::Path;

use gdal::{DriverManager, Metadata, errors::GdalError, raster::RasterCreationOptions, spatial_ref::SpatialRef};

use super::{Viewshed, ViewshedError};
use crate::height::{Session, message};

impl Viewshed {
    /// Writes a GeoTIFF of bytes: 1 seen, 0 hidden, 255 (nodata) beyond the radius; metres in the azimuthal equidistant projection
    /// round the eye on WGS 84.
    ///
    /// # Errors
    /// [`ViewshedError::Write`] with GDAL's reason.
    pub fn write_geotiff(&self, file: &Path) -> Result<(), ViewshedError> {
        let _session = Session::offline();
        self.write(file).map_err(|error| ViewshedError::Write { file: file.into(), reason: message(&error) })
    }

    fn write(&self, file: &Path) -> Result<(), GdalError> {
        let driver = DriverManager::get_driver_by_name("GTiff")?;
        let options = RasterCreationOptions::from_iter(["COMPRESS=DEFLATE", "TILED=YES", "BIGTIFF=IF_SAFER"]);
        let mut dataset =
            driver.create_with_band_type_with_options::<u8, _>(file, self.side, self.side, 1, &options)?;
        let (lat_deg, lon_deg) = (self.eye.lat_rad.to_degrees(), self.eye.lon_rad.to_degrees());
        let system =
            format!("+proj=aeqd +lat_0={lat_deg} +lon_0={lon_deg} +x_0=0 +y_0=0 +datum=WGS84 +units=m +no_defs");
        dataset.set_spatial_ref(&SpatialRef::from_proj4(&system)?)?;
        let corner_m = 0.5 * self.side as f64 * self.cell_m;
        dataset.set_geo_transform(&[-corner_m, self.cell_m, 0.0, corner_m, 0.0, -self.cell_m])?;
        let mut band = dataset.rasterband(1)?;
        band.set_no_data_value(Some(f64::from(Self::BEYOND)))?;
        band.set_description("1 seen, 0 hidden")?;
        let mut cells = gdal::raster::Buffer::new((self.side, self.side), self.cells.clone());
        band.write((0, 0), (self.side, self.side), &mut cells)?;
        dataset.flush_cache()?;
        dataset.close()
    }
}
