//! How does a file become a layer? What fits the budget is read once, and only arrays are kept; the rest is read in windows.
//!
//! GDAL's handles may not be shared between threads, so none is kept by a layer. `AREA_OR_POINT` needs no care here: GDAL's
//! drivers already shift the geotransform of point-registered files so that it always refers to texel corners.

use std::{
    path::Path,
    sync::{
        Arc, Mutex, PoisonError, Weak,
        atomic::{AtomicU32, Ordering},
    },
};

use gdal::{Dataset, Metadata, errors::GdalError, vsi};

use super::{
    error::HeightError,
    fingerprint::Fingerprint,
    gdal_meaning::{Meaning, meaning},
    gdal_open::{Session, direct_files_of, message, open_dataset, parts},
    gdal_place::{Place, place},
    gdal_read::{Window, read_heights, read_parallel, to_heights},
    layer::{Layer, LayerInfo, Placed, Source, statistics},
    options::OpenOptions,
    suspect::{self, NOT_STATED, Told},
    windows::Windows,
};

/// The relief that ships with the program, see `data/README.md`.
pub(crate) static ETOPO5: &[u8] = include_bytes!("../../../data/etopo5.tif");

/// The embedded global relief as a layer; all reliefs that live at the same time share it.
pub(crate) fn embedded_layer() -> Result<Arc<Layer>, HeightError> {
    static SHARED: Mutex<Weak<Layer>> = Mutex::new(Weak::new());
    static COUNT: AtomicU32 = AtomicU32::new(0);
    // Not held while the file is read: a thread that waits for rayon may be given another task that comes here.
    let shared = || SHARED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(layer) = shared().upgrade() {
        return Ok(layer);
    }
    let name = format!("/vsimem/orogen-etopo5-{}.tif", COUNT.fetch_add(1, Ordering::Relaxed));
    let file = Path::new(&name);
    let failed = |e: GdalError| HeightError::Read { file: file.into(), reason: message(&e) };
    vsi::create_mem_file(file, ETOPO5.to_vec()).map_err(failed)?;
    let opened = open_raster(file, &OpenOptions::default());
    vsi::unlink_mem_file(file).map_err(failed)?;
    let (placed, info) = opened?;
    let mut layer = Layer { source: Source::Raster(placed), info };
    if !layer.is_complete() {
        return Err(HeightError::Read { file: file.into(), reason: "the embedded relief has voids".to_owned() });
    }
    "ETOPO5 (embedded)".clone_into(&mut layer.info.name);
    "mean sea level".clone_into(&mut layer.info.datum);
    (layer.info.notes, layer.info.remarks) = (Vec::new(), Vec::new());
    let layer = Arc::new(layer);
    *shared() = Arc::downgrade(&layer);
    Ok(layer)
}

/// What a file says of itself, before its heights are read.
#[derive(Debug)]
pub(crate) struct Described {
    /// Without range and voids.
    pub info: LayerInfo,
    pub place: Place,
    pub meaning: Meaning,
    /// Of the files behind it, so that no others are read in their place later.
    pub fingerprint: Fingerprint,
}

/// Opens one file as a layer: in memory, or in windows if it is larger than the budget.
pub(crate) fn open_layer(file: &Path, options: &OpenOptions) -> Result<Layer, HeightError> {
    let size = describe_file(file, &OpenOptions { layer_bytes: usize::MAX, ..options.clone() })?.info.size;
    if fit_budget((size[0], size[1]), options.layer_bytes) == (size[0], size[1]) {
        let (placed, info) = open_raster(file, options)?;
        return Ok(Layer { source: Source::Raster(placed), info });
    }
    let (windows, info) = Windows::open(file.into(), options)?;
    Ok(Layer { source: Source::Windows(Box::new(windows)), info })
}

/// Opens one file in memory, averaged if it is larger than the budget.
pub(crate) fn open_raster(file: &Path, options: &OpenOptions) -> Result<(Placed, LayerInfo), HeightError> {
    let _session = Session::begin(options.online());
    let dataset = open_dataset(file)?;
    let Described { mut info, place, meaning, .. } = describe(file, &dataset, options)?;
    let unreadable = |e: GdalError| HeightError::Read { file: file.into(), reason: message(&e) };
    let whole = Window { column: 0, row: 0, columns: info.size[0], rows: info.size[1] };
    let grid = (info.grid[0], info.grid[1]);
    let values = if grid == (info.size[0], info.size[1]) {
        let mut raw = vec![0f32; grid.0 * grid.1];
        read_parallel(file, options, grid, &mut raw)?;
        to_heights(&dataset, meaning, options, whole, grid, raw, &mut info.remarks)
    } else {
        read_heights(&dataset, meaning, options, whole, grid, &mut info.remarks)
    };
    let values = values.map_err(unreadable)?;
    (info.range_m, info.void_share) = statistics(&values);
    let told = suspect::heights(&values, &info);
    info.notes.extend(told.notes);
    info.remarks.extend(told.remarks);
    let placed = place.with_heights(values, info.grid);
    Ok((placed, info))
}

/// Opens a file and reads what it says of itself.
pub(crate) fn describe_file(file: &Path, options: &OpenOptions) -> Result<Described, HeightError> {
    let _session = Session::begin(options.online());
    describe(file, &open_dataset(file)?, options)
}

fn describe(file: &Path, dataset: &Dataset, options: &OpenOptions) -> Result<Described, HeightError> {
    let count = dataset.raster_count();
    if count == 0 {
        return Err(HeightError::NoBand { file: file.into(), subdatasets: subdatasets(dataset) });
    }
    if options.band == 0 || options.band > count {
        return Err(HeightError::BandOutOfRange { file: file.into(), asked: options.band, count });
    }
    let unreadable = |e: GdalError| HeightError::Read { file: file.into(), reason: message(&e) };
    let band = dataset.rasterband(options.band).map_err(unreadable)?;
    let mut told = Told::default();
    let size = band.size();
    let grid = fit_budget(size, options.layer_bytes);
    if grid != size {
        told.notes.push(format!(
            "{} x {} texels are averaged to {} x {} to fit {} MiB",
            size.0,
            size.1,
            grid.0,
            grid.1,
            options.layer_bytes >> 20
        ));
    }
    let place = place(file, dataset, options, size, grid, &mut told)?;
    let axis = place.vertical.as_ref();
    let meaning = meaning(dataset, &band, options, axis, &mut told);
    let info = LayerInfo {
        name: file.display().to_string(),
        driver: dataset.driver().short_name(),
        crs: place.crs.clone(),
        datum: axis.map_or_else(|| NOT_STATED.to_owned(), |axis| axis.datum.clone()),
        size: [size.0, size.1],
        grid: [grid.0, grid.1],
        posting_m: place.posting_m,
        bbox_deg: place.bbox_deg,
        nodata: band.no_data_value(),
        void_share: 0.0,
        range_m: (0.0, 0.0),
        range_is_bound: false,
        notes: told.notes,
        remarks: told.remarks,
    };
    let parts_of = |name: &Path| {
        let parts = if name == file { Ok(parts(dataset)) } else { direct_files_of(name, options.online()) };
        // What cannot be read says so when its heights are.
        parts.unwrap_or_default()
    };
    Ok(Described { info, place, meaning, fingerprint: Fingerprint::of(file, &parts_of) })
}

/// Names of the datasets inside a container.
fn subdatasets(dataset: &Dataset) -> Vec<String> {
    let entries = dataset.metadata_domain("SUBDATASETS").unwrap_or_default();
    entries
        .iter()
        .filter_map(|line| line.split_once('='))
        .filter(|(key, _)| key.ends_with("_NAME"))
        .map(|(_, name)| name.to_owned())
        .collect()
}

/// Columns and rows to keep so that values, distances and their copies stay within the budget.
fn fit_budget(size: (usize, usize), bytes: usize) -> (usize, usize) {
    // A height (f32) and a distance to the nearest void (u8).
    const TEXEL_BYTES: f64 = 5.0;
    let excess = size.0 as f64 * size.1 as f64 * TEXEL_BYTES / bytes.max(1) as f64;
    if bytes == usize::MAX || excess <= 1.0 {
        return size;
    }
    let shrink = |n: usize, by: f64| ((n as f64 / by).floor() as usize).clamp(1, n);
    // A side of a thin raster stops at one texel, and the other shrinks for both.
    let thin = size.0.min(size.1) as f64;
    let (along, across) = if thin < excess.sqrt() { (excess / thin, thin) } else { (excess.sqrt(), excess.sqrt()) };
    let by = |n: usize| if n as f64 == thin { across } else { along };
    (shrink(size.0, by(size.0)), shrink(size.1, by(size.1)))
}

#[cfg(test)]
mod tests {
    use super::fit_budget;

    /// Law: what is kept of a raster fits its budget, however thin the raster is, and without a budget all is kept.
    #[test]
    fn what_is_kept_fits() {
        let big = 2_000_000_000;
        for size in [(1, 1 << 31), (1 << 31, 1), (3, big), (big, big), (40_000, 20_000), (7000, 7000)] {
            for bytes in [1 << 20, 32 << 20, 256 << 20] {
                let (columns, rows) = fit_budget(size, bytes);
                assert!(columns * rows * 5 <= bytes && columns >= 1 && rows >= 1, "{size:?} {bytes}: {columns} {rows}");
                assert!(columns * rows * 5 * 3 > bytes.min(size.0 * size.1 * 5), "{size:?} {bytes}: {columns} {rows}");
            }
            assert_eq!(fit_budget(size, usize::MAX), size);
        }
        assert_eq!(fit_budget((300, 300), 1 << 20), (300, 300));
    }
}
