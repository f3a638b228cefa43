//! How is the relief that ships with the program read? A block at a time for the first places, so that a question after one of
//! them need not wait for all; as a whole from then on.
//!
//! A place has the same bits either way: blocks answer where the arithmetic of columns and rows is exact, the whole elsewhere.

use std::{
    ffi::CString,
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, OnceLock, PoisonError, Weak,
        atomic::{AtomicU32, Ordering},
    },
};

use gdal::vsi;
use orogen_data::ETOPO5;

use super::{
    datum_name::SEA_LEVEL,
    elevation_source::{Elevation, ElevationSource, LayerSource, Location, PatchHeights, Spacing},
    error::HeightError,
    filled_quads::FilledQuads,
    fingerprint::Fingerprint,
    gdal_read::{Window, read_windows},
    gdal_source::{FileDescription, describe_file, open_raster},
    layer::{Layer, PlacedRaster},
    layer_info::{Area, LayerInfo, MemoryUse},
    options::OpenOptions,
    parts::new_serial,
    patch::{Patch, PatchCoordinates},
    raster::{BORDER, Raster, RasterSample, RepeatedBorder},
    raster_cache::RasterCache,
    region::{HeightBounds, Region},
};

/// Lowest and highest height in it, metres: known, so that they need not be looked for.
const RANGE_M: (f64, f64) = (-10_376.0, 7_833.0);
/// Columns and rows of a block.
const SIDE: usize = 64;
/// Places that blocks answer for, before it is all read: those of a few dozen questions.
const FEW: u32 = 512;

/// ETOPO5: the whole Earth without voids.
#[derive(Debug)]
pub(crate) struct Embedded {
    /// In GDAL's memory.
    file: PathBuf,
    serial: u64,
    described: FileDescription,
    /// By column and row.
    blocks: RasterCache<(usize, usize)>,
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
    let info = LayerInfo {
        name: "ETOPO5 (embedded)".to_owned(),
        datum: SEA_LEVEL.to_owned(),
        vertical_system: String::new(),
        attribution: String::new(),
        notes: Vec::new(),
        remarks: Vec::new(),
        range_m: RANGE_M,
        ..embedded.described.info.clone()
    };
    let layer = Arc::new(Layer::of(embedded, info));
    *shared = Arc::downgrade(&layer);
    Ok(layer)
}

impl Embedded {
    fn open() -> Result<Self, HeightError> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let name = format!("/vsimem/orogen-etopo5-{}.tif", COUNT.fetch_add(1, Ordering::Relaxed));
        let file = PathBuf::from(&name);
        let path = CString::new(name).map_err(|e| HeightError::Read { file: file.clone(), reason: e.to_string() })?;
        // SAFETY: the bytes are static, so GDAL, which is not to free them, needs no copy; it would write to them only through a
        // file that is opened for writing, and the name is known to this module alone.
        unsafe {
            let opened =
                gdal_sys::VSIFileFromMemBuffer(path.as_ptr(), ETOPO5.as_ptr().cast_mut(), ETOPO5.len() as u64, 0);
            if !opened.is_null() {
                gdal_sys::VSIFCloseL(opened);
            }
        }
        let described = describe_file(&file, &OpenOptions::default()).inspect_err(|_| forget(&file))?;
        Ok(Self {
            serial: new_serial(),
            described: FileDescription { fingerprint: Fingerprint::of_stamps(Vec::new()), ..described },
            file,
            blocks: RasterCache::new(OpenOptions::default().layer_bytes),
            asked: AtomicU32::new(0),
            whole: OnceLock::new(),
        })
    }

    #[cold]
    fn sample_early(&self, at: &Location) -> Option<RasterSample> {
        if self.asked.fetch_add(1, Ordering::Relaxed) < FEW
            && let Some(found) = self.sample_block(at)
        {
            return Some(found);
        }
        self.whole()?.raster_sample(at)
    }

    /// From a block, if that gives the bits of the whole.
    fn sample_block(&self, at: &Location) -> Option<RasterSample> {
        let &Location { normal: n, lon_deg, lat_deg, interpolation } = at;
        let (x, y) = self.described.place.placement.texel(n, lon_deg, lat_deg);
        // What follows only subtracts whole numbers from these, down to 0 at the least.
        let is_exact = |x: f64| (x + 1.0) - 1.0 == x;
        let first = |x: f64| (x.max(0.0) as usize / SIDE * SIDE).checked_sub(BORDER);
        let [columns, rows] = self.described.info.grid;
        let (x0, y0) = (first(x)?, first(y)?);
        let side = SIDE + 2 * BORDER + 1;
        if !is_exact(x) || !is_exact(y) || x0 + side > columns || y0 + side > rows {
            return None;
        }
        let window = Window { column: x0, row: y0, columns: side, rows: side };
        let block = self.blocks.get((x0, y0), || {
            let (encoding, options) = (self.described.encoding, OpenOptions::default());
            let read =
                read_windows(self.serial, &self.file, encoding, &options, &[window], &mut Vec::new()).ok()?.pop()?;
            Some(Raster::joined(side, side, read, None, 1, &RepeatedBorder([side, side])))
        })?;
        block.sample(interpolation, x - x0 as f64, y - y0 as f64)
    }

    /// All of it; none if GDAL cannot read what it could describe.
    fn whole(&self) -> Option<&PlacedRaster> {
        let read = || {
            let (placed, _, _) = open_raster(&self.file, &OpenOptions::default(), usize::MAX)?;
            if !placed.raster.is_complete() {
                return Err(HeightError::Read {
                    file: self.file.clone(),
                    reason: "the embedded relief has voids".to_owned(),
                });
            }
            Ok(placed)
        };
        // Others wait for it. By a thread and a pool of its own: one of rayon's that waits for rayon may be given another task
        // that comes here.
        let whole = self.whole.get_or_init(|| {
            std::thread::scope(|scope| {
                let apart = || {
                    // Where memory is scarce there are no further threads, and all of rayon's may wait here.
                    let alone = || rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread().build();
                    match rayon::ThreadPoolBuilder::new().build().or_else(|_| alone()) {
                        Ok(pool) => pool.install(read),
                        Err(error) => Err(HeightError::Read { file: self.file.clone(), reason: error.to_string() }),
                    }
                };
                let joined = scope.spawn(apart).join();
                let whole = joined.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
                if let Err(error) = &whole {
                    tracing::error!("{error}");
                }
                whole
            })
        });
        whole.as_ref().ok()
    }
}

impl ElevationSource for Embedded {
    /// None if GDAL cannot read what it could describe.
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
        self.described.info.posting_m
    }
}

impl LayerSource for Embedded {
    fn areas(&self) -> Vec<Area> {
        let LayerInfo { bbox_deg, posting_m, .. } = self.described.info;
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
        Some(self.described.place.placement.texel(at.normal, at.lon_deg, at.lat_deg))
    }

    fn in_degrees(&self) -> bool {
        self.described.place.placement.is_in_degrees()
    }

    fn is_complete(&self) -> bool {
        true
    }

    fn memory_use(&self) -> Option<MemoryUse> {
        let whole = self.whole.get().and_then(|whole| whole.as_ref().ok()).map_or(0, |placed| placed.raster.bytes());
        Some(MemoryUse { bytes: self.blocks.memory_use().0 + whole, most: None })
    }

    fn failure(&self) -> Option<HeightError> {
        self.whole.get().and_then(|whole| whole.as_ref().err().cloned())
    }
}

impl Drop for Embedded {
    fn drop(&mut self) {
        forget(&self.file);
    }
}

fn forget(file: &Path) {
    let _never_there = vsi::unlink_mem_file(file);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::height::Interpolation;
    use rand::Rng;

    /// Law: a place has the bits of the whole, whoever answers; and what is said of the heights is so.
    #[test]
    fn blocks_have_the_bits_of_the_whole() {
        let (early, late) = (Embedded::open().unwrap(), Embedded::open().unwrap());
        let whole = late.whole().unwrap();
        let mut rng = crate::random::rng();
        let mut by_blocks = 0;
        for k in 0..4000 {
            let z: f64 = rng.random_range(-1.0..1.0);
            let mut lon: f64 = rng.random_range(-180.0..180.0);
            if k % 4 == 0 {
                // Where columns go over to another power of two, and at the seam.
                lon = [-180.0, 180.0, -180.0 + 4096.0 / 12.0, -180.0 + 64.0 / 12.0][k / 4 % 4]
                    + rng.random_range(-0.2..0.2);
            }
            let n = crate::geodesy::n_vector(z.asin(), lon.to_radians());
            let at =
                Location { interpolation: [Interpolation::Cubic, Interpolation::Bilinear][k % 2], ..Location::of(n) };
            let Location { lon_deg, lat_deg, .. } = at;
            let expected = whole.raster_sample(&at);
            if let Some(found) = early.sample_block(&at) {
                by_blocks += 1;
                assert_eq!(Some(found), expected, "{lon_deg} {lat_deg}");
            }
        }
        assert!(by_blocks > 3000, "{by_blocks}");
        assert!(early.whole.get().is_none());
        let mut range = (f64::INFINITY, f64::NEG_INFINITY);
        let (columns, rows) = whole.raster.size();
        for (x, y) in (0..rows).flat_map(|y| (0..columns).map(move |x| (x, y))) {
            let height_m = f64::from(whole.raster.texel(x, y));
            range = (range.0.min(height_m), range.1.max(height_m));
        }
        assert_eq!(range, RANGE_M);
    }
}
