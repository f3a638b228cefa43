//! How does an answer over an area become a file? As a GeoTIFF, through GDAL.

use std::{
    marker::PhantomData,
    path::{Path, PathBuf},
};

use gdal::{
    Dataset, DriverManager, Metadata,
    errors::GdalError,
    raster::{Buffer, GdalType, RasterCreationOptions},
    spatial_ref::SpatialRef,
};

use gdal_sys::CPLErr;

use crate::height::{Session, forget_failure, last_failure, message};

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
        let cells = self.size.0 * self.size.1;
        if let Some((name, values)) = self.bands.iter().find(|(_, values)| values.len() != cells) {
            let reason = format!("band {name:?} has {} values for {cells} cells", values.len());
            return Err(WriteError { file: file.into(), reason });
        }
        with_all_errors(|| self.write_by_gdal(file)).map_err(|error| failed(file, &error))
    }

    fn write_by_gdal(&self, file: &Path) -> Result<(), GdalError> {
        let layout = Layout {
            system: self.system.clone(),
            size: self.size,
            geo_transform: self.geo_transform,
            nodata: Some(self.nodata),
            bands: self.bands.iter().map(|(description, _)| description.clone()).collect(),
            options: vec!["COMPRESS=DEFLATE".into(), "TILED=YES".into()],
            metadata: Vec::new(),
        };
        let dataset = layout.create::<T>(file)?;
        for (index, (_, values)) in self.bands.iter().enumerate() {
            dataset.rasterband(index + 1)?.write((0, 0), self.size, &mut Buffer::new(self.size, values.to_vec()))?;
        }
        close(dataset)
    }
}

/// What a raster is like.
#[derive(Clone, Debug)]
pub struct Layout {
    /// Coordinate system, in any notation that PROJ reads: `EPSG:3857`, `+proj=...`.
    pub system: String,
    /// Columns and rows.
    pub size: (usize, usize),
    /// As of [`Raster`].
    pub geo_transform: [f64; 6],
    /// What stands for no answer, if something does.
    pub nodata: Option<f64>,
    /// Description of each band.
    pub bands: Vec<String>,
    /// GDAL's options of creation, `NAME=VALUE`.
    pub options: Vec<String>,
    /// GDAL's items of metadata.
    pub metadata: Vec<(String, String)>,
}

impl Layout {
    fn create<T: GdalType>(&self, file: &Path) -> Result<Dataset, GdalError> {
        let driver = DriverManager::get_driver_by_name("GTiff")?;
        let options: Vec<&str> = self.options.iter().map(String::as_str).chain(["BIGTIFF=IF_SAFER"]).collect();
        let options = RasterCreationOptions::from_iter(options);
        let (columns, rows) = self.size;
        let mut dataset =
            driver.create_with_band_type_with_options::<T, _>(file, columns, rows, self.bands.len(), &options)?;
        dataset.set_spatial_ref(&SpatialRef::from_definition(&self.system)?)?;
        dataset.set_geo_transform(&self.geo_transform)?;
        for (key, value) in &self.metadata {
            dataset.set_metadata_item(key, value, "")?;
        }
        for (index, description) in self.bands.iter().enumerate() {
            let mut band = dataset.rasterband(index + 1)?;
            if self.nodata.is_some() {
                band.set_no_data_value(self.nodata)?;
            }
            band.set_description(description)?;
        }
        Ok(dataset)
    }
}

/// Closes a file, which tells whether all of it could be written.
fn close(mut dataset: Dataset) -> Result<(), GdalError> {
    dataset.flush_cache()?;
    dataset.close()
}

/// A raster that is written part by part, for those larger than memory.
#[derive(Debug)]
pub struct Writer<T> {
    file: PathBuf,
    dataset: Dataset,
    values: PhantomData<T>,
}

impl<T: Copy + GdalType> Writer<T> {
    /// Makes the file; what is not written is 0, or no answer.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// let layout = elevation::geotiff::Layout {
    ///     system: "EPSG:3857".into(),
    ///     size: (2, 4),
    ///     geo_transform: [0.0, 100.0, 0.0, 0.0, 0.0, -100.0],
    ///     nodata: Some(-9999.0),
    ///     bands: vec!["height".into()],
    ///     options: vec!["COMPRESS=DEFLATE".into()],
    ///     metadata: Vec::new(),
    /// };
    /// let mut writer = elevation::geotiff::Writer::<f32>::create(&folder.path().join("heights.tif"), &layout)?;
    /// writer.write(0, (0, 2), (2, 2), vec![1.0, 2.0, 3.0, 4.0])?;
    /// writer.finish()?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`WriteError`] with GDAL's reason.
    pub fn create(file: &Path, layout: &Layout) -> Result<Self, WriteError> {
        let _session = Session::offline();
        let dataset = with_all_errors(|| layout.create::<T>(file)).map_err(|error| failed(file, &error))?;
        Ok(Self { file: file.into(), dataset, values: PhantomData })
    }

    /// Writes a window of a band, counted from 0: column and row of its north-west corner, columns and rows, values from north to south.
    ///
    /// # Errors
    /// [`WriteError`] with GDAL's reason.
    pub fn write(
        &mut self,
        band: usize,
        at: (usize, usize),
        size: (usize, usize),
        values: Vec<T>,
    ) -> Result<(), WriteError> {
        let _session = Session::offline();
        let at = (at.0 as isize, at.1 as isize);
        let mut values = Buffer::new(size, values);
        let written = with_all_errors(|| self.dataset.rasterband(band + 1)?.write(at, size, &mut values));
        written.map_err(|error| failed(&self.file, &error))
    }

    /// Writes what is left.
    ///
    /// # Errors
    /// [`WriteError`] with GDAL's reason, as where a disk is full.
    pub fn finish(self) -> Result<(), WriteError> {
        let _session = Session::offline();
        with_all_errors(|| close(self.dataset)).map_err(|error| failed(&self.file, &error))
    }
}

/// What a function of GDAL answers, or the error that it has told beside an answer that says nothing of it, as where a disk is full.
fn with_all_errors<T>(work: impl FnOnce() -> Result<T, GdalError>) -> Result<T, GdalError> {
    forget_failure();
    let answer = work()?;
    last_failure().map_or(Ok(answer), |msg| Err(GdalError::CplError { class: CPLErr::CE_Failure, number: 0, msg }))
}

fn failed(file: &Path, error: &GdalError) -> WriteError {
    WriteError { file: file.into(), reason: message(error) }
}
