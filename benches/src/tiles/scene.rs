//! Which tiles, and from which raster? A square of tiles on a face, and a GeoTIFF around it of the tiles' own posting.

use anyhow::Context;
use benches::programs::output_of;
use std::{
    path::{Path, PathBuf},
    process::Command,
};
use tempfile::TempDir;
use terrain::{
    geodesy::lat_lon,
    tile::{TILE_QUADS, TileId},
};

/// Level of the tiles: 306 m between their vertices.
const LEVEL: u32 = 7;
/// Degrees between vertices on the middle line of a face.
const POSTING_DEG: f64 = 90.0 / (1 << LEVEL) as f64 / TILE_QUADS as f64;

/// A square of tiles.
pub struct Block {
    pub name: &'static str,
    pub face: u32,
    /// Its first column and row.
    pub corner: (u32, u32),
    /// Its columns and rows.
    pub side: u32,
    /// How much further apart postings are along a parallel than along a meridian, in degrees: as national data have it.
    pub stretch: f64,
}

impl Block {
    /// North of the equator, off West Africa.
    pub fn equatorial(side: u32) -> Self {
        Self { name: "equatorial", face: 0, corner: (70, 66), side, stretch: 1.0 }
    }

    /// Between 62 and 72 degrees north, in Scandinavia.
    pub fn polar(side: u32) -> Self {
        Self { name: "polar", face: 4, corner: (90, 66), side, stretch: 2.0 }
    }

    /// Its tiles, row by row.
    pub fn ids(&self) -> Vec<TileId> {
        let id = |k: u32| TileId {
            face: self.face,
            level: LEVEL,
            i: self.corner.0 + k % self.side,
            j: self.corner.1 + k / self.side,
        };
        (0..self.side * self.side).map(id).collect()
    }

    /// West, south, east, north of it in degrees, with room for what lies between the vertices looked at, and a rim.
    fn bounds_deg(&self) -> [f64; 4] {
        let rim = |id: &TileId| {
            let id = *id;
            (0..=8).flat_map(move |k| {
                let (a, last) = (k * TILE_QUADS / 8, TILE_QUADS);
                [(a, 0), (a, last), (0, a), (last, a)].map(|(x, y)| lat_lon(id.place(x, y).point().normal()))
            })
        };
        let places: Vec<(f64, f64)> = self.ids().iter().flat_map(rim).collect();
        let low = |f: fn(&(f64, f64)) -> f64| places.iter().map(f).fold(f64::INFINITY, f64::min).to_degrees() - 0.1;
        let high =
            |f: fn(&(f64, f64)) -> f64| places.iter().map(f).fold(f64::NEG_INFINITY, f64::max).to_degrees() + 0.1;
        [low(|p| p.1), low(|p| p.0), high(|p| p.1), high(|p| p.0)]
    }
}

/// A GeoTIFF of hills in a folder of its own, which goes with it.
pub struct Source {
    folder: TempDir,
    texels: usize,
}

impl Source {
    /// Computes hills around a block and has GDAL write them.
    pub fn write(block: &Block, folder: &Path, compress: &str) -> anyhow::Result<Self> {
        let folder = TempDir::new_in(folder).with_context(|| format!("cannot write to {}", folder.display()))?;
        let [west, south, east, north] = block.bounds_deg();
        let columns = ((east - west) / (POSTING_DEG * block.stretch)).ceil() as usize;
        let rows = ((north - south) / POSTING_DEG).ceil() as usize;
        let heights: Vec<f32> = (0..columns * rows)
            .map(|k| {
                hills(
                    west + (k % columns) as f64 * POSTING_DEG * block.stretch,
                    north - (k / columns) as f64 * POSTING_DEG,
                )
            })
            .collect();
        let bytes: Vec<u8> = heights.iter().flat_map(|h| h.to_le_bytes()).collect();
        let source = Self { folder, texels: columns * rows };
        let right = west + columns as f64 * POSTING_DEG * block.stretch;
        let bottom = north - rows as f64 * POSTING_DEG;
        let corners = [west, north, right, bottom].map(|x| x.to_string());
        let [left, top, right, bottom] = corners.each_ref().map(String::as_str);
        let compress = format!("COMPRESS={compress}");
        let place = ["-a_srs", "EPSG:4326", "-co", &compress, "-a_ullr", left, top, right, bottom];
        write_tiled([columns, rows], 4, &bytes, &place, &source.file())?;
        Ok(source)
    }

    /// The GeoTIFF.
    pub fn file(&self) -> PathBuf {
        self.folder.path().join("hills.tif")
    }

    /// A file beside it.
    pub fn beside(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Bytes that it takes in memory.
    pub fn bytes(&self) -> usize {
        5 * self.texels
    }
}

/// A tiled and compressed GeoTIFF, without a place, of rough hills in whole metres.
pub fn write_square(side: usize, file: &Path) -> anyhow::Result<()> {
    let at = |k: usize| k as f64 * POSTING_DEG;
    let heights = (0..side * side).flat_map(|k| (hills(at(k % side), at(k / side)) as i16).to_le_bytes());
    let bytes: Vec<u8> = heights.collect();
    write_tiled([side, side], 2, &bytes, &["-co", "COMPRESS=LZW", "-co", "PREDICTOR=2"], file)
}

/// A tiled GeoTIFF of rows of texels, of the type that ENVI rasters call so, by gdal_translate with some options.
fn write_tiled(
    [columns, rows]: [usize; 2],
    kind: u8,
    bytes: &[u8],
    options: &[&str],
    file: &Path,
) -> anyhow::Result<()> {
    let raw = file.with_extension("raw");
    std::fs::write(&raw, bytes)?;
    let header = format!(
        "ENVI\nsamples = {columns}\nlines = {rows}\nbands = 1\nheader offset = 0\nfile type = ENVI Standard\n\
         data type = {kind}\ninterleave = bsq\nbyte order = 0\n"
    );
    std::fs::write(file.with_extension("hdr"), header)?;
    output_of(Command::new("gdal_translate").args(["-q", "-co", "TILED=YES"]).args(options).arg(&raw).arg(file))?;
    Ok(std::fs::remove_file(raw)?)
}

/// Rough hills in metres: octaves of value noise from 11 km down to four postings.
fn hills(lon_deg: f64, lat_deg: f64) -> f32 {
    let (mut wave_deg, mut height_m, mut sum_m) = (0.1, 600.0, 800.0);
    while wave_deg > 4.0 * POSTING_DEG {
        sum_m += height_m * noise(lon_deg / wave_deg, lat_deg / wave_deg);
        (wave_deg, height_m) = (0.5 * wave_deg, 0.45 * height_m);
    }
    sum_m as f32
}

/// Smooth noise between -1 and 1 with one random value at each whole place.
fn noise(x: f64, y: f64) -> f64 {
    let (i, j) = (x.floor(), y.floor());
    let smooth = |t: f64| t * t * (3.0 - 2.0 * t);
    let (tx, ty) = (smooth(x - i), smooth(y - j));
    let at = |di: i64, dj: i64| {
        let mut h = ((i as i64 + di) as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15)
            ^ ((j as i64 + dj) as u64).wrapping_mul(0xC2B2_AE3D_27D4_EB4F);
        h = (h ^ (h >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        (h >> 32) as f64 / f64::from(1u32 << 31) - 1.0
    };
    let along = |dj: i64| at(0, dj) + (at(1, dj) - at(0, dj)) * tx;
    along(0) + (along(1) - along(0)) * ty
}
