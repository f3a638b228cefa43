//! How does an answer over an area become a file? As a GeoTIFF, through GDAL.

use std::path::{Path, PathBuf};

use gdal::{
    DriverManager, Metadata,
    errors::GdalError,
    raster::{Buffer, GdalType, RasterCreationOptions},
    spatial_ref::SpatialRef,
};

use crate::height::{Session, message};

/// A raster of one or more bands that is to be written.
#[derive(Clone, Debug)]
pub struct Raster<'a, T> {
    /// Coordinate system in the notation of PROJ, `+proj=...`.
    pub system: String,
    /// Columns and rows.
    pub size: (usize, usize),
    /// GDAL's six numbers: x of the north-west corner, x by column, x by row; y of the corner, y by column, y by row.
    pub geo_transform: [f64; 6],
    /// What stands for no answer.
    pub nodata: f64,
    /// Description and values of each band, rows from north to south.
    pub bands: Vec<(String, &'a [T])>,
}

/// A raster could not be written.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("cannot write {file}: {reason}")]
pub struct WriteError {
    /// Where it was to go.
    pub file: PathBuf,
    /// GDAL's words.
    pub reason: String,
}

impl<T: Copy + GdalType> Raster<'_, T> {
    /// Writes the file: tiled, deflated, its values as they are.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// let raster = elevation::geotiff::Raster {
    ///     system: "+proj=longlat +datum=WGS84 +no_defs".into(),
    ///     size: (2, 1),
    ///     geo_transform: [8.0, 0.5, 0.0, 46.0, 0.0, -0.5],
    ///     nodata: -9999.0,
    ///     bands: vec![("horizon".into(), &[1.5f32, 2.5][..])],
    /// };
    /// raster.write(&folder.path().join("horizon.tif"))?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`WriteError`] with GDAL's reason; also where a band has another number of values than the raster has cells.
    pub fn write(&self, file: &Path) -> Result<(), WriteError> {
        let _session = Session::offline();
        let failed = |reason| WriteError { file: file.into(), reason };
        let cells = self.size.0 * self.size.1;
        if let Some((name, values)) = self.bands.iter().find(|(_, values)| values.len() != cells) {
            return Err(failed(format!("band {name:?} has {} values for {cells} cells", values.len())));
        }
        self.write_by_gdal(file).map_err(|error| failed(message(&error)))
    }

    fn write_by_gdal(&self, file: &Path) -> Result<(), GdalError> {
        let driver = DriverManager::get_driver_by_name("GTiff")?;
        let options = RasterCreationOptions::from_iter(["COMPRESS=DEFLATE", "TILED=YES", "BIGTIFF=IF_SAFER"]);
        let (columns, rows) = self.size;
        let mut dataset =
            driver.create_with_band_type_with_options::<T, _>(file, columns, rows, self.bands.len(), &options)?;
        dataset.set_spatial_ref(&SpatialRef::from_proj4(&self.system)?)?;
        dataset.set_geo_transform(&self.geo_transform)?;
        for (index, (description, values)) in self.bands.iter().enumerate() {
            let mut band = dataset.rasterband(index + 1)?;
            band.set_no_data_value(Some(self.nodata))?;
            band.set_description(description)?;
            band.write((0, 0), self.size, &mut Buffer::new(self.size, values.to_vec()))?;
        }
        dataset.flush_cache()?;
        dataset.close()
    }
}
