//! What colour is the Earth here? A picture from any raster that GDAL opens, in any coordinate system, in memory.

use std::{
    path::{Path, PathBuf},
    sync::atomic::{AtomicU32, Ordering},
};

use gdal::{
    Dataset,
    errors::GdalError,
    raster::{GdalDataType, RasterBand, ResampleAlg},
    vsi,
};
use glam::DVec3;
use orogen_data::BLUE_MARBLE;

use super::{
    angle::lon_lat_deg,
    error::HeightError,
    gdal_open::{Session, message, open_dataset},
    gdal_place::place,
    layer::wrap,
    options::{OpenOptions, is_remote},
    place::Place,
    suspect::Diagnostics,
};
use crate::geodesy::n_vector;

/// Why a file cannot be draped.
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
}

/// A picture on the Earth: sRGB colours by place.
#[derive(Debug)]
pub struct Imagery {
    size: (usize, usize),
    /// Red, green, blue times alpha, and alpha, row by row.
    texels: Vec<[u8; 4]>,
    /// Whether it goes around the Earth.
    around: bool,
    place: Place,
}

impl Imagery {
    /// Opens a raster: grey, grey with alpha, a palette, RGB or RGBA of 8 bits. Larger ones than `bytes` are averaged, from
    /// overviews where the file has any.
    ///
    /// # Errors
    /// [`ImageryError`], which says what to do.
    pub fn open(file: &Path, bytes: usize) -> Result<Imagery, ImageryError> {
        let _session = Session::begin(is_remote(file));
        let dataset = open_dataset(file)?;
        let count = dataset.raster_count();
        if count == 0 {
            return Err(HeightError::NoBand { file: file.into(), subdatasets: Vec::new() }.into());
        }
        let unreadable = |e: GdalError| HeightError::Read { file: file.into(), reason: message(&e) };
        let first = dataset.rasterband(1).map_err(unreadable)?;
        if first.band_type() != GdalDataType::UInt8 {
            return Err(ImageryError::Depth { file: file.into(), kind: first.band_type().name() });
        }
        let full = first.size();
        let excess = (full.0 as f64 * full.1 as f64 * 4.0 / bytes.max(4) as f64).sqrt().max(1.0);
        let shrink = |n: usize| ((n as f64 / excess) as usize).clamp(1, n);
        let size = (shrink(full.0), shrink(full.1));
        let place = place(file, &dataset, &OpenOptions::default(), full, size, &mut Diagnostics::default())?;
        let texels = read(&dataset, full, size).map_err(unreadable)?;
        let around = place.geographic().is_some_and(|g| wrap(g, size.0, size.1).is_some());
        Ok(Imagery { size, texels, around, place })
    }

    /// The picture of the whole Earth that ships with the program: NASA's Blue Marble, 7 km a pixel.
    ///
    /// # Errors
    /// If GDAL here reads no TIFF with JPEG in it.
    pub fn embedded() -> Result<Imagery, ImageryError> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let name = format!("/vsimem/orogen-imagery-{}.tif", COUNT.fetch_add(1, Ordering::Relaxed));
        let file = Path::new(&name);
        let failed = |e: GdalError| HeightError::Read { file: file.into(), reason: message(&e) };
        vsi::create_mem_file(file, BLUE_MARBLE.to_vec()).map_err(failed)?;
        let opened = Imagery::open(file, usize::MAX);
        vsi::unlink_mem_file(file).map_err(failed)?;
        opened
    }

    /// Metres between texels.
    pub fn posting_m(&self) -> f64 {
        self.place.posting_m
    }

    /// Unit normals around its outside; none where it reaches round the Earth or off the map.
    pub fn rim(&self) -> Option<Vec<DVec3>> {
        self.place.cap.filter(|_| !self.around)?;
        let normals = self.place.rim.iter().flatten().map(|(lon, lat)| n_vector(lat.to_radians(), lon.to_radians()));
        let normals: Vec<DVec3> = normals.collect();
        normals.iter().all(|n| n.is_finite()).then_some(normals)
    }

    /// Red, green, blue times alpha, and alpha, each 0 to 255, at a unit geodetic normal, linear between texels; nothing
    /// outside.
    pub fn sample(&self, n: DVec3) -> [f32; 4] {
        let (lon, lat) = lon_lat_deg(n);
        let (x, y) = self.place.placement.texel(n, lon, lat);
        let (width, height) = (self.size.0 as f64, self.size.1 as f64);
        // Half a texel beyond the outermost centres is still inside.
        let inside = (-0.5..=height - 0.5).contains(&y) && (self.around || (-0.5..=width - 0.5).contains(&x));
        if !(inside && x.is_finite()) {
            return [0.0; 4];
        }
        let (left, top) = (x.floor(), y.clamp(0.0, height - 1.0).floor());
        let (s, t) = ((x - left) as f32, (y.clamp(0.0, height - 1.0) - top) as f32);
        let column = |i: f64| match self.around {
            true => i.rem_euclid(width) as usize,
            false => i.clamp(0.0, width - 1.0) as usize,
        };
        let rows = [top as usize, (top as usize + 1).min(self.size.1 - 1)];
        let at = |i: usize, j: f64| self.texels[rows[i] * self.size.0 + column(left + j)].map(f32::from);
        let [a, b, c, d] = [at(0, 0.0), at(0, 1.0), at(1, 0.0), at(1, 1.0)];
        let mix = |p: f32, q: f32, w: f32| p + (q - p) * w;
        std::array::from_fn(|k| mix(mix(a[k], b[k], s), mix(c[k], d[k], s), t))
    }
}

/// Colours of all of a dataset on a grid.
fn read(dataset: &Dataset, full: (usize, usize), size: (usize, usize)) -> Result<Vec<[u8; 4]>, GdalError> {
    let first = dataset.rasterband(1)?;
    let palette = first.color_table();
    // A mean of palette entries is no colour.
    let resample = (size != full).then_some(match palette {
        Some(_) => ResampleAlg::NearestNeighbour,
        None => ResampleAlg::Average,
    });
    let bytes = |band: &RasterBand| {
        let mut values = vec![0u8; size.0 * size.1];
        band.read_into_slice((0, 0), full, size, &mut values, resample).map(|()| values)
    };
    let band = |i: usize| bytes(&dataset.rasterband(i)?);
    let flags = first.mask_flags()?;
    // The mask band stands for an alpha band, a no-data value and a mask of its own alike.
    let alpha = if flags.is_all_valid() { None } else { Some(bytes(&first.open_mask_band()?)?) };
    let red = band(1)?;
    let colours: Vec<[u8; 3]> = match (palette, dataset.raster_count()) {
        (Some(table), _) => {
            let entry = |i: usize| match table.entry_as_rgb(i) {
                Some(c) => [c.r, c.g, c.b].map(|v| v.clamp(0, 255) as u8),
                None => [0; 3],
            };
            let colours: Vec<[u8; 3]> = (0..256).map(entry).collect();
            red.iter().map(|&i| colours[usize::from(i)]).collect()
        }
        (None, 1 | 2) => red.iter().map(|&grey| [grey; 3]).collect(),
        (None, _) => {
            let (green, blue) = (band(2)?, band(3)?);
            red.iter().zip(green).zip(blue).map(|((&r, g), b)| [r, g, b]).collect()
        }
    };
    let covered = |i: usize| alpha.as_ref().map_or(255, |alpha| alpha[i]);
    let times = |colour: u8, alpha: u8| (u32::from(colour) * u32::from(alpha) / 255) as u8;
    Ok(colours
        .into_iter()
        .enumerate()
        .map(|(i, c)| {
            let a = covered(i);
            [times(c[0], a), times(c[1], a), times(c[2], a), a]
        })
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(imagery: &Imagery, lat: f64, lon: f64) -> [f32; 4] {
        imagery.sample(n_vector(lat.to_radians(), lon.to_radians()))
    }

    #[test]
    fn the_embedded_picture_is_the_earth() {
        let earth = Imagery::embedded().expect("GDAL reads JPEG in TIFF");
        assert!(earth.rim().is_none() && (7_000.0..8_000.0).contains(&earth.posting_m()));
        let [r, _, b, a] = at(&earth, 23.0, 10.0);
        assert!(r > 1.3 * b && a == 255.0, "the Sahara is red");
        let [r, g, b, _] = at(&earth, 0.0, -150.0);
        assert!(b > 2.0 * r && b > g, "the Pacific is blue");
        assert!(at(&earth, -85.0, 100.0)[..3].iter().all(|&c| c > 200.0), "Antarctica is white");
        // Across 180 degrees there is no edge.
        let (east, west) = (at(&earth, -30.0, 179.9999), at(&earth, -30.0, -179.9999));
        assert!(east.iter().zip(west).all(|(e, w)| (e - w).abs() < 1.0));
    }

    #[test]
    fn elevation_is_no_picture() {
        let file = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../data/jacksboro.tif"));
        let error = Imagery::open(file, 1 << 20).expect_err("16-bit heights");
        assert!(error.to_string().contains("-ot Byte"), "{error}");
    }
}
