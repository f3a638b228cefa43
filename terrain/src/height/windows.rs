//! How is a raster read that is larger than its budget? Window by window, as places in it are asked for.
//!
//! A window is read with as many texels around it as its heights and weights depend on, so it gives what the whole raster in
//! memory would. Views of the whole use an average of it that fits.

mod bounds;

use std::{
    ops::Range,
    path::PathBuf,
    sync::{
        Arc, OnceLock,
        atomic::{AtomicU64, Ordering},
    },
};

use glam::DVec3;

use super::{
    error::HeightError,
    gdal_read::{Window, read_windows},
    gdal_source::{Described, describe_file, open_raster},
    kept::{Kept, TEXEL_BYTES},
    layer::{Area, Held, LayerInfo, OnPatches, Placed, Spacing, wrap},
    options::OpenOptions,
    patch::{Patch, Places},
    placement::Placement,
    raster::{BORDER, Raster, Spot, Wrap, margin},
    resample::{Extent, Spots, Window as Texels},
};

/// Columns and rows of a window, at most.
const SIDE: usize = 1024;
/// Columns and rows of a window, at least, however small the budget is.
const LEAST_SIDE: usize = 128;
/// Windows that the budget holds: those around a corner for several threads.
const MANY: usize = 16;
/// Columns and rows of a window for places that are far apart: most of a large one would never be looked at.
const SMALL_SIDE: usize = 32;
/// Postings between places from which on they are far apart.
const FAR_POSTINGS: f64 = 8.0;
/// Share of the budget that is spent on the average of the whole, at least.
const AVERAGE_SHARE: usize = 8;
/// Bytes of an average that is as fine as views of the whole ask for, wherever it lies: the lattice has 8 million places on the
/// Earth (`Lattice`), looks into its cells at 8 million more (`lattice::detail`), and the shade cube has 12 million texels.
const FINE_AVERAGE_BYTES: usize = (12 << 20) * TEXEL_BYTES;

/// Columns and rows of windows of which a budget holds many.
fn side_for(bytes: usize) -> usize {
    let holds_many = |side: usize| side * side * TEXEL_BYTES * MANY <= bytes;
    std::iter::successors(Some(SIDE), |side| Some(side / 2))
        .find(|side| holds_many(*side) || *side == LEAST_SIDE)
        .unwrap_or(SIDE)
}

/// A number that no other opened file has.
pub(crate) fn new_serial() -> u64 {
    static SERIAL: AtomicU64 = AtomicU64::new(0);
    SERIAL.fetch_add(1, Ordering::Relaxed)
}

/// A raster in windows.
#[derive(Debug)]
pub(crate) struct Windows {
    /// Distinguishes files that were opened, whatever their names.
    serial: u64,
    file: PathBuf,
    described: Described,
    options: OpenOptions,
    /// How it goes around the Earth, if it does so by whole columns.
    around: Option<Wrap>,
    average: Placed,
    /// Postings of the average.
    average_m: f64,
    /// Columns and rows of a window for places that are near each other.
    side: usize,
    /// By side, column and row of windows.
    kept: Kept<(usize, usize, usize)>,
    failure: OnceLock<HeightError>,
}

impl Windows {
    /// Describes a raster in windows, and reads the average of it; with what a user should know of it.
    ///
    /// # Errors
    /// What opening it as a whole answers.
    pub fn open(file: PathBuf, options: &OpenOptions) -> Result<(Self, LayerInfo), HeightError> {
        let average_bytes = FINE_AVERAGE_BYTES.clamp(options.layer_bytes / AVERAGE_SHARE, options.layer_bytes / 2);
        let (placed, average, opened) =
            open_raster(&file, &OpenOptions { layer_bytes: average_bytes, ..options.clone() })?;
        let kept_bytes = options.layer_bytes - average_bytes;
        let options = OpenOptions { layer_bytes: usize::MAX, ..options.clone() };
        let described = describe_file(&file, &options)?;
        // The average may be of another file that had its name a moment ago.
        if described.fingerprint != opened {
            return Err(HeightError::Changed { file });
        }
        let [columns, rows] = described.info.grid;
        let around = described.place.geographic().and_then(|g| wrap(g, columns, rows));
        let around = around.filter(|around| around.period % 2.0 == 0.0);
        let mut info = described.info.clone();
        (info.range_m, info.void_share) = (options.valid_range_m, average.void_share);
        info.range_is_bound = true;
        // Of the average, as the heights themselves have not been read; what was said of both is said once.
        for remark in average.remarks {
            if !info.remarks.contains(&remark) {
                info.remarks.push(remark);
            }
        }
        info.notes.push(format!(
            "{columns} x {rows} texels are read in windows as they are needed; averaged to {} x {} for views of the whole, they \
             range from {:.0} to {:.0} m",
            average.grid[0], average.grid[1], average.range_m.0, average.range_m.1
        ));
        Ok((
            Self {
                serial: new_serial(),
                file,
                described,
                options,
                around,
                average: placed,
                average_m: average.posting_m,
                side: side_for(kept_bytes),
                kept: Kept::new(kept_bytes),
                failure: OnceLock::new(),
            },
            info,
        ))
    }

    /// Height and weight at a place.
    pub fn sample(&self, n: DVec3, lon_deg: f64, lat_deg: f64, spacing: Spacing) -> Option<Spot> {
        if spacing.is_of_the_whole() || spacing.overview_m() >= self.average_m {
            return self.average.sample(n, lon_deg, lat_deg);
        }
        let place = &self.described.place;
        if place.cap.is_some_and(|(middle, cos_radius)| n.dot(middle) < cos_radius) {
            return None;
        }
        let (x, y) = place.placement.texel(n, lon_deg, lat_deg);
        let [columns, rows] = self.described.info.grid;
        // Written so that NaN fails.
        let beyond = self.beyond();
        let inside = |x: f64, size: usize| x > -beyond && x < size as f64 - 1.0 + beyond;
        if !(inside(x, columns) && inside(y, rows)) {
            return None;
        }
        let far = spacing.metres() >= FAR_POSTINGS * self.described.info.posting_m;
        let side = if far { SMALL_SIDE } else { self.side };
        let window = |x: f64, size: usize| (x.max(0.0) as usize / side).min((size - 1) / side);
        let (i, j) = (window(x, columns), window(y, rows));
        let raster = self.window(side, i, j)?;
        raster.sample(x - (i * side) as f64, y - (j * side) as f64)
    }

    /// What it has on patches.
    pub fn on_patches(&self, patches: &[(Patch, Places)]) -> OnPatches {
        let [columns, rows] = self.described.info.grid;
        let spots = self.described.place.placement.spots_of(patches);
        if spots.iter().all(|spots| spots.miss((columns, rows), self.beyond())) {
            return OnPatches::Nothing;
        }
        self.texels(&spots).map_or(OnPatches::Some, |texels| OnPatches::of(&texels, &spots, patches))
    }

    /// Texels around spots, from as many windows as hold them, if all are valid and none is beyond the raster's sides.
    fn texels(&self, spots: &[Spots<'_>]) -> Option<Texels> {
        let [columns, rows] = self.described.info.grid;
        let extent = Spots::extent(spots, columns, rows)?;
        let within = |first: usize, count: usize, size: usize| first >= BORDER && first + count <= size + BORDER;
        if !within(extent.column, extent.columns, columns) || !within(extent.row, extent.rows, rows) {
            return None;
        }
        let mut texels = Texels::new(extent);
        // From here on in texels of the file.
        let (left, top) = (extent.column - BORDER, extent.row - BORDER);
        let (right, bottom) = (left + extent.columns, top + extent.rows);
        let side = self.side;
        for j in top / side..=(bottom - 1) / side {
            for i in left / side..=(right - 1) / side {
                let raster = self.window(side, i, j)?;
                let part = |k: usize, from: usize, to: usize| (from.max(k * side), to.min((k + 1) * side));
                let ((x0, x1), (y0, y1)) = (part(i, left, right), part(j, top, bottom));
                let in_window = |texel: usize, k: usize| texel + BORDER - k * side;
                let of = Extent { column: in_window(x0, i), row: in_window(y0, j), columns: x1 - x0, rows: y1 - y0 };
                if !raster.put(&mut texels, (x0 - left, y0 - top), of) {
                    return None;
                }
            }
        }
        Some(texels)
    }

    /// A window, from memory or read; `None` if it cannot be read.
    fn window(&self, side: usize, i: usize, j: usize) -> Option<Arc<Raster>> {
        self.kept.get((side, i, j), || match self.read(side, i, j) {
            Ok(raster) => Some(raster),
            Err(error) => {
                if self.failure.set(error.clone()).is_ok() {
                    tracing::error!("{error}; what lies below answers in its place");
                }
                None
            }
        })
    }

    /// Texels beyond its sides at which it may still have a height.
    fn beyond(&self) -> f64 {
        f64::from(self.described.place.feather) + 1.0
    }

    /// Reads a window. With what interpolation looks at around it, if all of that is valid; else with all that decides how the
    /// voids in it are filled and how its heights go on beyond the raster.
    fn read(&self, side: usize, i: usize, j: usize) -> Result<Raster, HeightError> {
        let feather = self.described.place.feather;
        let mut border = BORDER;
        let mut values = self.read_around(side, i, j, border)?;
        if values.iter().any(|v| v.is_nan()) {
            border = margin(feather);
            values = self.read_around(side, i, j, border)?;
        }
        let [columns, rows] = self.described.info.grid;
        let size = |k: usize, size: usize| size.min((k + 1) * side) - k * side;
        Ok(Raster::part(size(i, columns), size(j, rows), border, values, feather))
    }

    /// Reads a window and texels around it: wrapped around 180 degrees and over the poles, void where the raster ends.
    fn read_around(&self, side: usize, i: usize, j: usize, margin: usize) -> Result<Vec<f32>, HeightError> {
        let [columns, rows] = self.described.info.grid;
        let extent =
            |k: usize, size: usize| (k * side) as i64 - margin as i64..(size.min((k + 1) * side) + margin) as i64;
        let (across, down) = (extent(i, columns), extent(j, rows));
        let (width, height) = ((across.end - across.start) as usize, (down.end - down.start) as usize);
        // Parts of the window, each from one rectangle of the file.
        let mut parts: Vec<(usize, usize, Window)> = Vec::new();
        for (y, row, count, turned) in self.row_runs(down) {
            for (x, column, length) in self.column_runs(across.clone(), turned) {
                parts.push((x, y, Window { column, row, columns: length, rows: count }));
            }
        }
        self.described.fingerprint.check()?;
        let windows: Vec<Window> = parts.iter().map(|(.., window)| *window).collect();
        let read = read_windows(self.serial, &self.file, self.described.meaning, &self.options, &windows)?;
        // It may have been changed while it was read.
        self.described.fingerprint.check()?;
        let mut values = vec![f32::NAN; width * height];
        for ((x, y, window), read) in parts.into_iter().zip(read) {
            for (k, line) in read.chunks_exact(window.columns).enumerate() {
                let at = (y + k) * width + x;
                values[at..at + window.columns].copy_from_slice(line);
            }
        }
        Ok(values)
    }

    /// Rows of a window in runs: the first row there, the first in the file, how many, and whether they come from half a turn
    /// on, beyond a pole.
    fn row_runs(&self, down: Range<i64>) -> Vec<(usize, usize, usize, bool)> {
        let rows = self.described.info.grid[1] as i64;
        let inside = down.start.max(0)..down.end.min(rows);
        let mut runs =
            vec![((inside.start - down.start) as usize, inside.start as usize, inside.clone().count(), false)];
        let Some(around) = self.around else { return runs };
        let last = (rows - 1) as f64;
        for row in down.clone().filter(|row| !inside.contains(row)) {
            let pole = if row < 0 { around.first_pole } else { around.last_pole };
            // Poles lie on rows or half-way between two.
            let Some(twice) = pole.map(|pole| 2.0 * pole).filter(|twice| twice.fract() == 0.0) else { continue };
            let source = twice - row as f64;
            if (0.0..=last).contains(&source) {
                runs.push(((row - down.start) as usize, source as usize, 1, true));
            }
        }
        runs
    }

    /// Columns of a window in runs: the first column there, the first in the file, and how many.
    fn column_runs(&self, across: Range<i64>, turned: bool) -> Vec<(usize, usize, usize)> {
        let columns = self.described.info.grid[0] as i64;
        let Some(around) = self.around else {
            let inside = across.start.max(0)..across.end.min(columns);
            return vec![((inside.start - across.start) as usize, inside.start as usize, inside.count())];
        };
        let period = around.period as i64;
        let turn = if turned { period / 2 } else { 0 };
        let mut runs = Vec::new();
        let mut column = across.start;
        while column < across.end {
            let source = (column + turn).rem_euclid(period);
            let length = (period - source).min(across.end - column);
            runs.push(((column - across.start) as usize, source as usize, length as usize));
            column += length;
        }
        runs
    }

    /// What maps places to its texels.
    pub fn placement(&self) -> &Placement {
        &self.described.place.placement
    }

    /// Where it lies.
    pub fn area(&self) -> Area {
        let Described { info, place, .. } = &self.described;
        Area { cap: place.cap, bbox_deg: place.reach_deg, posting_m: info.posting_m }
    }

    /// Whether the file is what it was when it was opened.
    pub fn check(&self) -> Result<(), HeightError> {
        self.described.fingerprint.look()
    }

    /// Heights in memory: windows, and the average.
    pub fn held(&self) -> Held {
        let ((bytes, most), average) = (self.kept.held(), self.average.raster.bytes());
        Held { bytes: bytes + average, most: Some(most + average) }
    }

    /// The first window that could not be read.
    pub fn failure(&self) -> Option<HeightError> {
        self.failure.get().cloned()
    }
}
