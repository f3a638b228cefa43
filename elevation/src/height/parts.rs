//! How is a part of a raster file read, so that it gives what the whole raster in memory would, and what do several parts give together?
//!
//! With as many texels around it as its heights and weights depend on. These are wrapped around 180 degrees and over the poles,
//! and continued with what another file has on the same lattice. Where there is nothing they are void.

mod bounds;

use std::{
    ops::Range,
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

pub(crate) use bounds::PartitionedRaster;

use super::{
    elevation_source::Spacing,
    error::HeightError,
    fingerprint::Fingerprint,
    gdal_height_encoding::HeightEncoding,
    gdal_read::{Window, read_windows},
    options::OpenOptions,
    raster::{BORDER, BorderSource, Quad, Raster, Wrap, margin, put_around},
    raster_cache::TEXEL_BYTES,
    region::Rect,
    resample::{SamplePositions, TexelWindow, Window as Texels},
};

/// Columns and rows of a part for places that are near each other, at most.
const SIDE: usize = 1024;
/// The same at least, however small the budget is.
const LEAST_SIDE: usize = 128;
/// Parts that the budget holds: those around a corner for several threads.
const MANY: usize = 16;

/// Columns and rows of a small part, for places that are far apart: most of a large one would never be looked at.
const SMALL_SIDE: usize = 32;
/// The same for nodes of a grid: in each lies one of them, and GDAL reads rows of most files as a whole.
const SMALL_SIDE_OF_GRID: usize = 8;
/// Postings between places from which on they are far apart.
const FAR_POSTINGS: f64 = 8.0;
/// The same where all of a grid are asked for: reading a file of 1201 x 1201 postings costs as much as 300 small parts of it, which
/// places 64 postings apart ask for.
const FAR_POSTINGS_OF_GRID: f64 = 64.0;

/// Whether places are so far apart that each has a small part of its own.
pub(crate) fn are_far(spacing: Spacing, posting_m: f64) -> bool {
    let far = if matches!(spacing, Spacing::Grid(_)) { FAR_POSTINGS_OF_GRID } else { FAR_POSTINGS };
    spacing.metres() >= far * posting_m
}

/// Columns and rows of a small part for places that are far apart.
pub(crate) fn small_side(spacing: Spacing) -> usize {
    if matches!(spacing, Spacing::Grid(_)) { SMALL_SIDE_OF_GRID } else { SMALL_SIDE }
}

/// Columns and rows of parts for places that are near each other, of which a budget holds many.
pub(crate) fn side_for(bytes: usize) -> usize {
    let holds_many = |side: usize| side * side * TEXEL_BYTES * MANY <= bytes;
    std::iter::successors(Some(SIDE), |side| Some(side / 2))
        .find(|side| holds_many(*side) || *side == LEAST_SIDE)
        .unwrap_or(SIDE)
}

/// Small parts of `side` columns and rows that are read of a larger one of so many texels before it is read itself. Reading it costs as much
/// as 100 to 300 of 32 columns and rows for each million texels, and what a small one costs is mostly its rows: so places far apart
/// never cost much more than twice what the better way does, however many they are.
pub(crate) fn most_small_parts(texels: usize, side: usize) -> usize {
    texels / (256 * side)
}

/// Column and row of the part that answers for a texel of a raster of `grid` columns and rows, on it or beyond its sides.
pub(crate) fn part_of(texel: [f64; 2], side: usize, grid: [usize; 2]) -> [usize; 2] {
    std::array::from_fn(|axis| (texel[axis].max(0.0) as usize / side).min((grid[axis] - 1) / side))
}

/// Column and row of a part's first texel.
pub(crate) fn corner_of(side: usize, part: [usize; 2]) -> [f64; 2] {
    part.map(|k| (k * side) as f64)
}

/// Texels around positions on a raster of `grid` columns and rows, from as many parts as hold them, if all are valid
/// and none is beyond the raster's sides. `part` gives a part by its column and row, or nothing where it cannot be
/// read.
pub(crate) fn texels(
    grid: [usize; 2],
    side: usize,
    positions: &[SamplePositions<'_>],
    part: impl Fn([usize; 2]) -> Option<Arc<Raster>>,
) -> Option<Texels> {
    let [columns, rows] = grid;
    let extent = SamplePositions::extent(positions, columns, rows)?;
    let within = |first: usize, count: usize, size: usize| first >= BORDER && first + count <= size + BORDER;
    if !within(extent.column, extent.columns, columns) || !within(extent.row, extent.rows, rows) {
        return None;
    }
    let mut texels = Texels::new(extent);
    // From here on in texels of the file.
    let (left, top) = (extent.column - BORDER, extent.row - BORDER);
    let (right, bottom) = (left + extent.columns, top + extent.rows);
    for j in top / side..=(bottom - 1) / side {
        for i in left / side..=(right - 1) / side {
            let raster = part([i, j])?;
            let range = |k: usize, from: usize, to: usize| (from.max(k * side), to.min((k + 1) * side));
            let ((x0, x1), (y0, y1)) = (range(i, left, right), range(j, top, bottom));
            let in_part = |texel: usize, k: usize| texel + BORDER - k * side;
            let of = TexelWindow { column: in_part(x0, i), row: in_part(y0, j), columns: x1 - x0, rows: y1 - y0 };
            if !raster.copy_to_window(&mut texels, (x0 - left, y0 - top), of) {
                return None;
            }
        }
    }
    Some(texels)
}

/// What a raster of `grid` columns and rows has in small rectangles, from its parts; `None` where one cannot be read. `part` is as above.
pub(crate) fn quads(
    grid: [usize; 2],
    side: usize,
    part: impl Fn([usize; 2]) -> Option<Arc<Raster>>,
) -> impl FnMut(Rect) -> Option<Quad> {
    let mut last: Option<([usize; 2], Arc<Raster>)> = None;
    move |rect| {
        let [first, after] = [0, 1].map(|end| part_of([rect.x[end], rect.y[end]], side, grid));
        let mut found: Option<Quad> = None;
        for at in (first[1]..=after[1]).flat_map(|j| (first[0]..=after[0]).map(move |i| [i, j])) {
            if last.as_ref().is_none_or(|(kept, _)| *kept != at) {
                last = Some((at, part(at)?));
            }
            let (_, raster) = last.as_ref()?;
            // The first and the last one go on to the end.
            let range = |axis: usize, [low, high]: [f64; 2]| {
                let [from, to] = [at[axis] * side, (at[axis] + 1) * side].map(|texel| texel as f64);
                [
                    if at[axis] == first[axis] { low } else { from.max(low) },
                    if at[axis] == after[axis] { high } else { to.min(high) },
                ]
            };
            let [left, top] = corner_of(side, at);
            let within = Rect { x: range(0, rect.x), y: range(1, rect.y) }.moved(-left, -top);
            let own = [[0, 0], grid].map(|texel| [0, 1].map(|axis| texel[axis] as i64 - (at[axis] * side) as i64));
            let quad = raster.quad(within, own);
            found = Some(found.map_or(quad, |before| before.and(quad)));
        }
        found
    }
}

/// A number that no other opened file has.
pub(crate) fn new_serial() -> u64 {
    static SERIAL: AtomicU64 = AtomicU64::new(0);
    SERIAL.fetch_add(1, Ordering::Relaxed)
}

/// Reads parts of a raster file.
pub(crate) struct PartReader<'a> {
    /// Distinguishes files that were opened, whatever their names.
    pub serial: u64,
    pub file: &'a Path,
    /// Columns and rows.
    pub grid: [usize; 2],
    /// How it goes around the Earth, if it does so by whole and even columns.
    pub around: Option<Wrap>,
    /// Texels over which it goes over to what lies below.
    pub feather: u32,
    pub encoding: HeightEncoding,
    pub options: &'a OpenOptions,
    pub fingerprint: &'a Fingerprint,
    /// Looks at heights that were read, NaN where void, with remarks on what was taken as void.
    pub look: &'a dyn Fn(&[f32], Vec<String>),
}

impl PartReader<'_> {
    /// Reads a part of `side` columns and rows. With `border` texels around it if all of these have a height; else with all that
    /// decides how the voids in it are filled and how its heights go on beyond the raster.
    ///
    /// # Errors
    /// [`HeightError::Read`], and [`HeightError::Missing`] or [`HeightError::Changed`] if the file is not what it was.
    pub fn part(
        &self,
        side: usize,
        part: [usize; 2],
        border: usize,
        around: &dyn BorderSource,
    ) -> Result<Raster, HeightError> {
        let size: [usize; 2] =
            std::array::from_fn(|axis| self.grid[axis].min((part[axis] + 1) * side) - part[axis] * side);
        let read = |border: usize| -> Result<_, HeightError> {
            let first = part.map(|k| (k * side) as i64 - border as i64);
            let mut values = self.values(first, size.map(|n| n + 2 * border))?;
            let overhang = put_around(&mut values, size[0] + 2 * border, first, self.grid, around);
            Ok((border, values, overhang))
        };
        let mut found = read(border)?;
        if found.1.iter().any(|v| v.is_nan()) {
            found = read(margin(self.feather))?;
        }
        let (border, values, overhang) = found;
        let continued = (self.feather, self.encoding.valid_range_m);
        Ok(Raster::part(size[0], size[1], border, values, continued).without(&overhang))
    }

    /// Heights of a rectangle that begins at a column and row, NaN where the raster has none.
    fn values(&self, first: [i64; 2], [width, height]: [usize; 2]) -> Result<Vec<f32>, HeightError> {
        // Parts of the rectangle, each from one of the file.
        let mut pieces: Vec<(usize, usize, Window)> = Vec::new();
        for (y, row, count, turned) in self.row_runs(first[1]..first[1] + height as i64) {
            for (x, column, length) in self.column_runs(first[0]..first[0] + width as i64, turned) {
                pieces.push((x, y, Window { column, row, columns: length, rows: count }));
            }
        }
        let windows: Vec<Window> = pieces.iter().map(|(.., window)| *window).collect();
        let mut remarks = Vec::new();
        let read = self
            .fingerprint
            .unchanged(|| read_windows(self.serial, self.file, self.encoding, self.options, &windows, &mut remarks))?;
        let mut values = vec![f32::NAN; width * height];
        for ((x, y, window), read) in pieces.into_iter().zip(read) {
            for (k, line) in read.chunks_exact(window.columns).enumerate() {
                let at = (y + k) * width + x;
                values[at..at + window.columns].copy_from_slice(line);
            }
        }
        (self.look)(&values, remarks);
        Ok(values)
    }

    /// Rows of a rectangle in runs: the first row there, the first in the file, how many, and whether they come from half a turn
    /// on, beyond a pole.
    fn row_runs(&self, down: Range<i64>) -> Vec<(usize, usize, usize, bool)> {
        let rows = self.grid[1] as i64;
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

    /// Columns of a rectangle in runs: the first column there, the first in the file, and how many.
    fn column_runs(&self, across: Range<i64>, turned: bool) -> Vec<(usize, usize, usize)> {
        let columns = self.grid[0] as i64;
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
}
