//! What are the colours in a part of a file? Any raster of 8 bits that GDAL opens, in any coordinate system.
//!
//! A part is read as means of its texels, from overviews where the file has them. So a picture of any size is never read as a whole.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use gdal::{
    Dataset,
    errors::GdalError,
    raster::{GdalDataType, RasterBand, ResampleAlg},
};

use super::{
    checked_reads::{checked, untold},
    diagnostics::Diagnostics,
    error::{HeightError, skip_hint},
    gdal_georeference::georeference,
    gdal_height_encoding::is_of_colours,
    gdal_open::{Session, message, open_dataset},
    gdal_read::with_open,
    gdal_source::attribution,
    imagery_layer::{Colours, ImageryLayer, Part, Reader},
    options::{OpenOptions, is_remote},
    parts::new_serial,
};
use crate::geodesy::Ellipsoid;

/// Why a file is no imagery.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ImageryError {
    /// It cannot be opened, placed or read.
    #[error(transparent)]
    Raster(#[from] HeightError),
    /// Its numbers are not colours.
    #[error("{}: its numbers are {kind}, not colours of 8 bits; `gdal_translate -ot Byte -scale` makes them so", file.display())]
    Depth {
        /// The path as given.
        file: PathBuf,
        /// GDAL's name of the type.
        kind: String,
    },
    /// Files of a folder or list that should be like the others cannot be used.
    #[error("{first}; {}", skip_hint(*others))]
    Bad {
        /// Why the first one cannot be used.
        first: Box<ImageryError>,
        /// How many more there are.
        others: usize,
    },
    /// None of the files of a folder or list is one.
    #[error("{}: no picture in it{}", file.display(), first.as_ref().map_or_else(String::new, |first| format!(" ({first})")))]
    NoPicture {
        /// The folder or list as given.
        file: PathBuf,
        /// Why the first of its files is none.
        first: Option<Box<ImageryError>>,
    },
    /// A folder or list has more pictures than are drawn one by one.
    #[error(
        "{}: {count} pictures, more than the {most} that are drawn one by one: `gdalbuildvrt all.vrt FILES` makes one of them",
        file.display()
    )]
    TooMany {
        /// The folder or list as given.
        file: PathBuf,
        /// Pictures in it.
        count: usize,
        /// As many as there may be.
        most: usize,
    },
}

/// Most texels that are read for one tile: 16 of them along one of its own.
const MOST_READ: f64 = 4096.0 * 4096.0;
/// Columns and rows of samples that stand for more.
const SKETCH: usize = 32;

/// A file.
#[derive(Debug)]
struct File {
    /// Distinguishes files that were opened, whatever their names.
    serial: u64,
    file: PathBuf,
    /// Factors of its overviews, 1 among them.
    factors: Vec<f64>,
    /// Colours of a palette.
    palette: Option<Vec<[u8; 4]>>,
    bands: usize,
}

impl ImageryLayer {
    /// Opens a raster: grey, grey with alpha, a palette, RGB or RGBA of 8 bits. Masks and values that stand for no data show what lies
    /// below. Nothing is read but its header.
    ///
    /// # Errors
    /// [`ImageryError`], which says what to do.
    pub fn open(file: &Path) -> Result<ImageryLayer, ImageryError> {
        Self::open_on(file, None)
    }

    /// The same of the body with an ellipsoid; `None`: of that which its coordinate system states. One of the Earth's systems is taken as
    /// of this body.
    ///
    /// ```
    /// use elevation::{geodesy::Ellipsoid, height::ImageryLayer};
    /// let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../data/bluemarble.tif");
    /// let (earth, moon) = (ImageryLayer::open(&file)?, ImageryLayer::open_on(&file, Some(Ellipsoid::MOON))?);
    /// assert_eq!(moon.ellipsoid(), Ellipsoid::MOON);
    /// assert!((moon.posting_m() / earth.posting_m() - Ellipsoid::MOON.size()).abs() < 0.01);
    /// # Ok::<(), elevation::height::ImageryError>(())
    /// ```
    ///
    /// # Errors
    /// [`ImageryError`], also where its coordinate system states another body.
    pub fn open_on(file: &Path, ellipsoid: Option<Ellipsoid>) -> Result<ImageryLayer, ImageryError> {
        let (layer, remarks) = Self::open_with_remarks(file, ellipsoid)?;
        remarks.iter().for_each(|remark| tracing::warn!("{remark}"));
        Ok(layer)
    }

    /// The same with what is remarkable about it, a line each.
    pub(super) fn open_with_remarks(
        file: &Path,
        ellipsoid: Option<Ellipsoid>,
    ) -> Result<(ImageryLayer, Vec<String>), ImageryError> {
        let _session = Session::begin(is_remote(file));
        let dataset = open_dataset(file)?;
        let bands = dataset.raster_count();
        if bands == 0 {
            return Err(HeightError::NoBand { file: file.into(), subdatasets: Vec::new() }.into());
        }
        let unreadable = |e: GdalError| HeightError::Read { file: file.into(), reason: message(&e) };
        let first = dataset.rasterband(1).map_err(unreadable)?;
        if first.band_type() != GdalDataType::UInt8 {
            return Err(ImageryError::Depth { file: file.into(), kind: first.band_type().name() });
        }
        let size = first.size();
        let options = OpenOptions::default().with_ellipsoid(ellipsoid);
        let mut diagnostics = Diagnostics::default();
        let place = georeference(file, &dataset, &options, size, size, &mut diagnostics)?;
        let told = [diagnostics.notes, diagnostics.remarks].concat();
        let mut remarks = Vec::new();
        if !told.is_empty() {
            remarks.push(format!("{}: {}", file.display(), told.join("; ")));
        }
        let factors = factors(&first).map_err(unreadable)?;
        let reduced = (size.0 as f64 * size.1 as f64) / factors.iter().fold(1.0, |most: f64, f| most.max(f * f));
        if reduced > MOST_READ {
            remarks.push(format!(
                "{}: without overviews it is seen from afar by a few samples; `gdaladdo -r average` makes some",
                file.display()
            ));
        }
        let palette = first.color_table().map(|table| {
            let entry = |i: usize| table.entry_as_rgb(i).map_or([0; 4], |c| [c.r, c.g, c.b, c.a]);
            (0..256).map(|i| entry(i).map(|v| v.clamp(0, 255) as u8)).collect()
        });
        let reader = File { serial: new_serial(), file: file.into(), factors, palette, bands };
        let layer = ImageryLayer::new(size, place, Arc::new(reader)).with_attribution(&attribution(&dataset));
        Ok((layer, remarks))
    }

    /// Whether a file holds a picture rather than heights: bytes with a palette, or red, green and blue.
    ///
    /// ```
    /// use elevation::height::ImageryLayer;
    /// let data = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../data");
    /// assert!(!ImageryLayer::is_in(&data.join("jacksboro.tif")) && ImageryLayer::is_in(&data.join("bluemarble.tif")));
    /// ```
    pub fn is_in(file: &Path) -> bool {
        Self::kind(file).unwrap_or(false)
    }

    /// The same; none if it is no raster.
    pub(super) fn kind(file: &Path) -> Option<bool> {
        kind_if(file, |_| true)
    }

    /// The same; none if it is no raster that says where it lies.
    pub(super) fn kind_in_place(file: &Path) -> Option<bool> {
        kind_if(file, |dataset| dataset.geo_transform().is_ok())
    }
}

/// Whether a raster that fulfils a condition holds a picture.
fn kind_if(file: &Path, condition: impl Fn(&Dataset) -> bool) -> Option<bool> {
    let _session = Session::begin(is_remote(file));
    let dataset = open_dataset(file).ok().filter(condition)?;
    Some(dataset.rasterband(1).is_ok_and(|band| is_of_colours(&dataset, &band)))
}

/// How many of its texels one of an overview has along each side, for all of them.
fn factors(band: &RasterBand) -> Result<Vec<f64>, GdalError> {
    let overviews = 0..usize::try_from(band.overview_count()?).unwrap_or(0);
    let of = |k: usize| Ok(band.x_size() as f64 / band.overview(k)?.x_size().max(1) as f64);
    std::iter::once(Ok(1.0)).chain(overviews.map(of)).collect()
}

impl Reader for File {
    fn read(&self, part: Part, (columns, rows): (usize, usize)) -> Result<Colours, HeightError> {
        let (columns, rows) = (columns.clamp(1, part.columns.max(1)), rows.clamp(1, part.rows.max(1)));
        let factor = (part.columns as f64 / columns as f64).min(part.rows as f64 / rows as f64);
        let nearest = self.factors.iter().filter(|f| **f <= 1.01 * factor).fold(1.0, |most: f64, f| most.max(*f));
        let is_sketch = (part.columns as f64 * part.rows as f64) / (nearest * nearest) > MOST_READ;
        let grid = if is_sketch { (columns.min(SKETCH), rows.min(SKETCH)) } else { (columns, rows) };
        let resample = (grid != (part.columns, part.rows)).then_some(match is_sketch || self.palette.is_some() {
            // A mean of palette entries is no colour.
            true => ResampleAlg::NearestNeighbour,
            false => ResampleAlg::Average,
        });
        let texels = with_open(self.serial, &self.file, is_remote(&self.file), |dataset| {
            self.texels(dataset, part, grid, resample)
                .map_err(|e| HeightError::Read { file: self.file.clone(), reason: message(&e) })
        })?;
        Ok(Colours { columns: grid.0, rows: grid.1, texels })
    }
}

impl File {
    fn texels(
        &self,
        dataset: &Dataset,
        part: Part,
        grid: (usize, usize),
        resample: Option<ResampleAlg>,
    ) -> Result<Vec<[u8; 4]>, GdalError> {
        let (corner, size) = ((part.column as isize, part.row as isize), (part.columns, part.rows));
        let bytes = |band: &RasterBand| {
            let mut values = vec![0u8; grid.0 * grid.1];
            checked(|| band.read_into_slice(corner, size, grid, &mut values, resample), untold).map(|()| values)
        };
        let first = dataset.rasterband(1)?;
        let red = bytes(&first)?;
        let mut texels: Vec<[u8; 4]> = match (&self.palette, self.bands) {
            (Some(palette), _) => red.iter().map(|&i| palette[usize::from(i)]).collect(),
            (None, 1 | 2) => red.iter().map(|&grey| [grey, grey, grey, 255]).collect(),
            (None, _) => {
                let (green, blue) = (bytes(&dataset.rasterband(2)?)?, bytes(&dataset.rasterband(3)?)?);
                red.iter().zip(green).zip(blue).map(|((&r, g), b)| [r, g, b, 255]).collect()
            }
        };
        // The mask band stands for an alpha band, a no-data value and a mask of its own alike.
        if !first.mask_flags()?.is_all_valid() {
            let covered = bytes(&first.open_mask_band()?)?;
            texels.iter_mut().zip(covered).for_each(|(texel, alpha)| texel[3] = texel[3].min(alpha));
        }
        Ok(texels)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elevation_is_no_picture() {
        let file = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../data/jacksboro.tif"));
        let error = ImageryLayer::open(file).expect_err("16-bit heights");
        assert!(error.to_string().contains("-ot Byte"), "{error}");
    }
}
