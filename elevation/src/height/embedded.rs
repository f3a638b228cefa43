//! How is the relief that ships with the program read? A tile of its TIFF at a time for the first places, so that a question after
//! one of them need not wait for all; as a whole from then on.
//!
//! A place has the same bits either way: tiles answer where the arithmetic of columns and rows is exact, the whole elsewhere. No GDAL
//! is needed, so every build has it.

use std::{
    collections::hash_map::Entry,
    io::Cursor,
    path::PathBuf,
    sync::{
        Arc, Mutex, OnceLock, PoisonError, Weak,
        atomic::{AtomicU32, Ordering},
    },
};

use orogen_data::ETOPO5;
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use serde_json::Value;
use tiff::{
    TiffError,
    decoder::{Decoder, DecodingResult},
};

use super::{
    datum_name::SEA_LEVEL,
    diagnostics::Diagnostics,
    elevation_source::{Elevation, ElevationSource, LayerSource, Location, PatchHeights, Spacing},
    error::HeightError,
    filled_quads::FilledQuads,
    georeference::{CoordinateSystem, Georeference},
    layer::{Layer, PlacedRaster},
    layer_info::{Area, LayerInfo, MemoryUse},
    options::OpenOptions,
    patch::{Patch, PatchCoordinates},
    raster::{ANY_HEIGHT, BORDER, Raster, RasterSample},
    region::{HeightBounds, Region},
    vertical_axis::Datum,
};
use crate::geodesy::Ellipsoid;

/// What it is called.
const NAME: &str = "ETOPO5 (embedded)";
/// Columns and rows, the first and the last row on a pole.
const SIZE: [usize; 2] = [4320, 2161];
/// Every 5 minutes of arc.
const STEP_DEG: f64 = 1.0 / 12.0;
/// Its geotransform: columns to longitudes, rows to latitudes, in degrees.
const PLACE: [f64; 6] = [-180.0 - 0.5 * STEP_DEG, STEP_DEG, 0.0, 90.0 + 0.5 * STEP_DEG, 0.0, -STEP_DEG];
/// Lowest and highest height in it, metres: known, so that they need not be looked for.
const RANGE_M: (f64, f64) = (-10_376.0, 7_833.0);
/// Columns and rows of a tile of the TIFF.
const TILE_SIDE: usize = 512;
/// Places that tiles answer for, before it is all read: those of a few dozen questions.
const FEW: u32 = 512;

/// A tile of the TIFF, cut where the relief ends.
#[derive(Debug)]
struct Tile {
    columns: usize,
    /// In metres, row by row.
    heights: Vec<i16>,
}

/// ETOPO5: the whole Earth without voids.
#[derive(Debug)]
pub(crate) struct Embedded {
    info: LayerInfo,
    place: Georeference,
    /// By column and row of tiles; none any more once all is read.
    tiles: Mutex<FxHashMap<[usize; 2], Tile>>,
    asked: AtomicU32,
    whole: OnceLock<Result<PlacedRaster, HeightError>>,
}

/// The embedded global relief as a layer; all reliefs that live at the same time share it.
pub(crate) fn layer() -> Result<Arc<Layer>, HeightError> {
    static SHARED: Mutex<Weak<Layer>> = Mutex::new(Weak::new());
    let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(layer) = shared.upgrade() {
        return Ok(layer);
    }
    let embedded = Embedded::open()?;
    let info = embedded.info.clone();
    let layer = Arc::new(Layer::of(embedded, info));
    *shared = Arc::downgrade(&layer);
    Ok(layer)
}

fn unreadable(reason: impl ToString) -> HeightError {
    HeightError::Read { file: PathBuf::from(NAME), reason: reason.to_string() }
}

/// Where a raster in degrees lies that ships with the program.
pub(super) fn georeference(geo_transform: [f64; 6], [columns, rows]: [usize; 2]) -> Result<Georeference, String> {
    let nothing_to_do = |_: &mut [f64], _: &mut [f64]| ();
    let system = CoordinateSystem {
        name: "WGS 84",
        ellipsoid: Ellipsoid::WGS84,
        datum: Datum::of(&Value::Null, None).map_err(|e| e.to_string())?,
        is_geographic: true,
        to_wgs84: &nothing_to_do,
        from_wgs84: &|| Ok(Box::new(nothing_to_do)),
    };
    let feather = |posting_m| OpenOptions::default().feather(posting_m);
    Georeference::of(geo_transform, (columns, rows), system, feather, &mut Diagnostics::default())
}

/// Columns, rows and values of a tile of a TIFF that ships, by its number.
pub(super) fn decoded(tiff: &[u8], number: usize) -> Result<([usize; 2], DecodingResult), TiffError> {
    let mut decoder = Decoder::new(Cursor::new(tiff))?;
    let chunk = u32::try_from(number)?;
    let (columns, rows) = decoder.chunk_data_dimensions(chunk);
    Ok(([columns as usize, rows as usize], decoder.read_chunk(chunk)?))
}

/// A tile by column and row of tiles.
fn decode([column, row]: [usize; 2]) -> Result<Tile, HeightError> {
    let number = row * SIZE[0].div_ceil(TILE_SIDE) + column;
    match decoded(ETOPO5, number).map_err(unreadable)? {
        ([columns, _], DecodingResult::I16(heights)) => Ok(Tile { columns, heights }),
        _ => Err(unreadable("its heights are no whole numbers of 16 bits")),
    }
}

/// The height at a column and row, from a tile that is decoded if it was not yet.
fn texel(tiles: &mut FxHashMap<[usize; 2], Tile>, x: usize, y: usize) -> Option<f32> {
    let [column, row] = [x / TILE_SIDE, y / TILE_SIDE];
    let tile = match tiles.entry([column, row]) {
        Entry::Occupied(kept) => kept.into_mut(),
        Entry::Vacant(free) => free.insert(decode([column, row]).ok()?),
    };
    tile.heights.get(y % TILE_SIDE * tile.columns + x % TILE_SIDE).map(|height_m| f32::from(*height_m))
}

impl Embedded {
    fn open() -> Result<Self, HeightError> {
        let place = georeference(PLACE, SIZE).map_err(unreadable)?;
        let info = LayerInfo {
            name: NAME.to_owned(),
            driver: "GTiff".to_owned(),
            crs: place.crs.clone(),
            datum: SEA_LEVEL.to_owned(),
            vertical_system: String::new(),
            ellipsoid: place.ellipsoid,
            size: SIZE,
            grid: SIZE,
            posting_m: place.posting_m,
            bbox_deg: place.bbox_deg,
            nodata: None,
            void_share: 0.0,
            range_m: RANGE_M,
            range_is_bound: false,
            attribution: String::new(),
            notes: Vec::new(),
            remarks: Vec::new(),
        };
        Ok(Self { info, place, tiles: Mutex::default(), asked: AtomicU32::new(0), whole: OnceLock::new() })
    }

    #[cold]
    fn sample_early(&self, at: &Location) -> Option<RasterSample> {
        if self.asked.fetch_add(1, Ordering::Relaxed) < FEW
            && let Some(found) = self.sample_tiles(at)
        {
            return Some(found);
        }
        self.whole()?.raster_sample(at)
    }

    /// From the tiles around a place, if that gives the bits of the whole.
    fn sample_tiles(&self, at: &Location) -> Option<RasterSample> {
        let &Location { normal: n, lon_deg, lat_deg, interpolation } = at;
        let (x, y) = self.place.placement.texel(n, lon_deg, lat_deg);
        // What follows only subtracts whole numbers from these, down to 0 at the least.
        let is_exact = |x: f64| (x + 1.0) - 1.0 == x;
        let first = |x: f64| (x.max(0.0) as usize).checked_sub(BORDER);
        let (x0, y0) = (first(x)?, first(y)?);
        // A quad and what the kernel looks at beyond it.
        let side = 2 + 2 * BORDER;
        if !is_exact(x) || !is_exact(y) || x0 + side > SIZE[0] || y0 + side > SIZE[1] {
            return None;
        }
        let mut tiles = self.tiles.lock().unwrap_or_else(PoisonError::into_inner);
        let mut heights = Vec::with_capacity(side * side);
        for (y, x) in (y0..y0 + side).flat_map(|y| (x0..x0 + side).map(move |x| (y, x))) {
            heights.push(texel(&mut tiles, x, y)?);
        }
        drop(tiles);
        let quad = Raster::part(2, 2, BORDER, heights, (1, ANY_HEIGHT));
        quad.sample(interpolation, x - (x0 + BORDER) as f64, y - (y0 + BORDER) as f64)
    }

    /// All of it; none if it cannot be read.
    fn whole(&self) -> Option<&PlacedRaster> {
        let read = || {
            let (mut values, count) = (Vec::new(), SIZE[0] * SIZE[1]);
            let no_memory =
                |_| HeightError::NoMemory { file: PathBuf::from(NAME), bytes: count.saturating_mul(size_of::<f32>()) };
            values.try_reserve_exact(count).map_err(no_memory)?;
            values.resize(count, 0f32);
            values.par_chunks_mut(SIZE[0] * TILE_SIDE).enumerate().try_for_each(|(row, rows)| {
                (0..SIZE[0].div_ceil(TILE_SIDE)).try_for_each(|column| {
                    let Tile { columns, heights } = decode([column, row])?;
                    for (to, from) in rows.chunks_mut(SIZE[0]).zip(heights.chunks(columns)) {
                        let to = &mut to[column * TILE_SIDE..][..columns];
                        to.iter_mut().zip(from).for_each(|(to, from)| *to = f32::from(*from));
                    }
                    Ok::<(), HeightError>(())
                })
            })?;
            Ok(georeference(PLACE, SIZE).map_err(unreadable)?.with_heights(values, SIZE, ANY_HEIGHT))
        };
        let whole = self.whole.get_or_init(|| {
            let whole = in_own_pool(read);
            if let Err(error) = &whole {
                tracing::error!("{error}");
            }
            self.tiles.lock().unwrap_or_else(PoisonError::into_inner).clear();
            whole
        });
        whole.as_ref().ok()
    }
}

/// What others wait for, by a thread and a pool of its own: one of rayon's that waits for rayon may be given another task, which waits for
/// this.
pub(super) fn in_own_pool<T: Send>(work: impl FnOnce() -> Result<T, HeightError> + Send) -> Result<T, HeightError> {
    let apart = || {
        // Where memory is scarce there are no further threads, and all of rayon's may wait here.
        let alone = || rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread().build();
        let pool = rayon::ThreadPoolBuilder::new().build().or_else(|_| alone());
        pool.map_err(unreadable).and_then(|pool| pool.install(work))
    };
    let joined = std::thread::scope(|scope| scope.spawn(apart).join());
    joined.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

impl ElevationSource for Embedded {
    /// None if it cannot be read.
    fn sample(&self, at: &Location, _: Spacing) -> Option<Elevation> {
        let spot = match self.whole.get() {
            Some(Ok(whole)) => whole.raster_sample(at),
            _ => self.sample_early(at),
        };
        spot.map(Elevation::from)
    }

    fn bounds(&self, region: &Region) -> Option<HeightBounds> {
        self.whole()?.bounds(region)
    }

    fn posting_m(&self, _: &Location) -> f64 {
        self.info.posting_m
    }
}

impl LayerSource for Embedded {
    fn areas(&self) -> Vec<Area> {
        let LayerInfo { bbox_deg, posting_m, .. } = self.info;
        vec![Area { cap: None, bbox_deg, posting_m }]
    }

    fn patch_heights(&self, patches: &[(Patch, PatchCoordinates)], spacing: Spacing) -> PatchHeights {
        self.whole().map_or(PatchHeights::ByNode, |whole| whole.patch_heights(patches, spacing))
    }

    /// It has no voids.
    fn filled_quads(&self, _: &(Patch, PatchCoordinates)) -> FilledQuads {
        FilledQuads::Own
    }

    fn texel(&self, at: &Location) -> Option<(f64, f64)> {
        Some(self.place.placement.texel(at.normal, at.lon_deg, at.lat_deg))
    }

    #[cfg(feature = "gdal")]
    fn in_degrees(&self) -> bool {
        self.place.placement.is_in_degrees()
    }

    fn is_complete(&self) -> bool {
        true
    }

    fn memory_use(&self) -> Option<MemoryUse> {
        let whole = self.whole.get().and_then(|whole| whole.as_ref().ok()).map_or(0, |placed| placed.raster.bytes());
        let tiles = self.tiles.lock().unwrap_or_else(PoisonError::into_inner);
        let early: usize = tiles.values().map(|tile| size_of_val(&tile.heights[..])).sum();
        Some(MemoryUse { bytes: early + whole, most: None })
    }

    fn failure(&self) -> Option<HeightError> {
        self.whole.get().and_then(|whole| whole.as_ref().err().cloned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::height::Interpolation;
    use rand::Rng;

    /// Law: a place has the bits of the whole, whoever answers; and what is said of the heights is so.
    #[test]
    fn tiles_have_the_bits_of_the_whole() {
        let (early, late) = (Embedded::open().unwrap(), Embedded::open().unwrap());
        let whole = late.whole().unwrap();
        let mut rng = crate::random::rng();
        let mut by_tiles = 0;
        for k in 0..4000 {
            let z: f64 = rng.random_range(-1.0..1.0);
            let mut lon: f64 = rng.random_range(-180.0..180.0);
            if k % 4 == 0 {
                // Where columns go over to another power of two, and at the seam.
                lon = [-180.0, 180.0, -180.0 + 4096.0 / 12.0, -180.0 + 512.0 / 12.0][k / 4 % 4]
                    + rng.random_range(-0.2..0.2);
            }
            let n = crate::geodesy::n_vector(z.asin(), lon.to_radians());
            let at =
                Location { interpolation: [Interpolation::Cubic, Interpolation::Bilinear][k % 2], ..Location::of(n) };
            let Location { lon_deg, lat_deg, .. } = at;
            let expected = whole.raster_sample(&at);
            if let Some(found) = early.sample_tiles(&at) {
                by_tiles += 1;
                assert_eq!(Some(found), expected, "{lon_deg} {lat_deg}");
            }
        }
        assert!(by_tiles > 3000, "{by_tiles}");
        assert!(early.whole.get().is_none());
        let mut range = (f64::INFINITY, f64::NEG_INFINITY);
        let (columns, rows) = whole.raster.size();
        for (x, y) in (0..rows).flat_map(|y| (0..columns).map(move |x| (x, y))) {
            let height_m = f64::from(whole.raster.texel(x, y));
            range = (range.0.min(height_m), range.1.max(height_m));
        }
        assert_eq!(range, RANGE_M);
    }

    /// Law: it is what GDAL reads of the file, bit for bit, heights and place.
    #[cfg(feature = "gdal")]
    #[test]
    fn it_is_what_gdal_reads() {
        let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../data/etopo5.tif");
        let (placed, info, _) =
            crate::height::gdal_source::open_raster(&file, &OpenOptions::default(), usize::MAX).unwrap();
        let embedded = Embedded::open().unwrap();
        let whole = embedded.whole().unwrap();
        let (columns, rows) = whole.raster.size();
        for (x, y) in (0..rows).flat_map(|y| (0..columns).map(move |x| (x, y))) {
            assert_eq!(whole.raster.texel(x, y).to_bits(), placed.raster.texel(x, y).to_bits(), "{x} {y}");
        }
        let mut rng = crate::random::rng();
        for _ in 0..1000 {
            let (z, lon): (f64, f64) = (rng.random_range(-1.0..1.0), rng.random_range(-180.0..180.0));
            let at = Location::of(crate::geodesy::n_vector(z.asin(), lon.to_radians()));
            assert_eq!(whole.raster_sample(&at), placed.raster_sample(&at), "{} {}", at.lon_deg, at.lat_deg);
        }
        assert_eq!((whole.cap, whole.bbox_deg, whole.posting_m), (placed.cap, placed.bbox_deg, placed.posting_m));
        let LayerInfo { name, datum, attribution, notes, .. } = info.clone();
        assert_eq!(LayerInfo { name, datum, attribution, notes, ..embedded.info }, info);
    }
}
