//! How is a raster read that is larger than its budget? Window by window, as places in it are asked for.
//!
//! A window is read with as many texels around it as its heights and weights depend on, so it gives what the whole raster in
//! memory would. Views of the whole use an average of it that fits.

mod bounds;

use std::{
    path::PathBuf,
    sync::{Arc, OnceLock},
};

use super::{
    elevation_source::{Elevation, ElevationSource, LayerSource, Location, OnPatches, Spacing},
    error::HeightError,
    gdal_source::{Described, describe_file, open_raster},
    kept::{Kept, TEXEL_BYTES},
    layer::{Area, Held, LayerInfo, Placed, wrap},
    options::OpenOptions,
    parts::{SMALL_SIDE, Whole, are_far, new_serial, part_of},
    patch::{Patch, Places},
    raster::{BORDER, Raster, Wrap},
    region::{HeightBounds, Region},
    resample::{Spots, TexelWindow, Window as Texels},
};

/// Columns and rows of a window, at most.
const SIDE: usize = 1024;
/// Columns and rows of a window, at least, however small the budget is.
const LEAST_SIDE: usize = 128;
/// Windows that the budget holds: those around a corner for several threads.
const MANY: usize = 16;
/// Share of the budget that is spent on the average of the whole, at least.
const AVERAGE_SHARE: usize = 8;
/// Bytes of an average that is as fine as views of the whole ask for, wherever it lies: the lattice has 8 million places on the
/// Earth (`CoarseErrors`), looks into its cells at 8 million more (`coarse_errors::detail`), and the shade cube has 12 million texels.
const FINE_AVERAGE_BYTES: usize = (12 << 20) * TEXEL_BYTES;

/// Columns and rows of windows of which a budget holds many.
fn side_for(bytes: usize) -> usize {
    let holds_many = |side: usize| side * side * TEXEL_BYTES * MANY <= bytes;
    std::iter::successors(Some(SIDE), |side| Some(side / 2))
        .find(|side| holds_many(*side) || *side == LEAST_SIDE)
        .unwrap_or(SIDE)
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
        let (placed, average, opened) = open_raster(&file, &options.clone().with_layer_bytes(average_bytes))?;
        let kept_bytes = options.layer_bytes - average_bytes;
        let options = options.clone().with_layer_bytes(usize::MAX);
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

    /// Whether the average answers for the heights themselves.
    fn average_answers(&self, spacing: Spacing) -> bool {
        spacing.is_of_the_whole() || spacing.average_m() >= self.average_m
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
                let of =
                    TexelWindow { column: in_window(x0, i), row: in_window(y0, j), columns: x1 - x0, rows: y1 - y0 };
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

    /// Reads a window.
    fn read(&self, side: usize, i: usize, j: usize) -> Result<Raster, HeightError> {
        let Described { info, place, meaning, fingerprint } = &self.described;
        let whole = Whole {
            serial: self.serial,
            file: &self.file,
            grid: info.grid,
            around: self.around,
            feather: place.feather,
            meaning: *meaning,
            options: &self.options,
            fingerprint,
        };
        whole.part(side, [i, j], BORDER, &|_, _| false)
    }
}

impl ElevationSource for Windows {
    fn sample(&self, at: &Location, spacing: Spacing) -> Option<Elevation> {
        let Location { normal: n, lon_deg, lat_deg } = *at;
        if self.average_answers(spacing) {
            return self.average.sample(at, spacing);
        }
        let Described { info, place, .. } = &self.described;
        if place.cap.is_some_and(|(middle, cos_radius)| n.dot(middle) < cos_radius) {
            return None;
        }
        let (x, y) = place.placement.texel(n, lon_deg, lat_deg);
        let [columns, rows] = info.grid;
        // Written so that NaN fails.
        let beyond = self.beyond();
        let inside = |x: f64, size: usize| x > -beyond && x < size as f64 - 1.0 + beyond;
        if !(inside(x, columns) && inside(y, rows)) {
            return None;
        }
        let side = if are_far(spacing, info.posting_m) { SMALL_SIDE } else { self.side };
        let [i, j] = part_of([x, y], side, info.grid);
        let raster = self.window(side, i, j)?;
        raster.sample(x - (i * side) as f64, y - (j * side) as f64).map(Elevation::from)
    }

    fn bounds(&self, region: &Region) -> Option<HeightBounds> {
        self.bounds_in(region)
    }

    fn posting_m(&self, _: &Location) -> f64 {
        self.described.info.posting_m
    }
}

impl LayerSource for Windows {
    fn areas(&self) -> Vec<Area> {
        let Described { info, place, .. } = &self.described;
        vec![Area { cap: place.cap, bbox_deg: place.reach_deg, posting_m: info.posting_m }]
    }

    fn on_patches(&self, patches: &[(Patch, Places)], spacing: Spacing) -> OnPatches {
        if self.average_answers(spacing) {
            return self.average.on_patches(patches, spacing);
        }
        let Described { info, place, .. } = &self.described;
        let [columns, rows] = info.grid;
        let spots = place.placement.spots_of(patches);
        if spots.iter().all(|spots| spots.miss((columns, rows), self.beyond())) {
            return OnPatches::Nothing;
        }
        if are_far(spacing, info.posting_m) {
            return OnPatches::ByNode;
        }
        self.texels(&spots).map_or(OnPatches::BySquare, |texels| OnPatches::of(&texels, &spots, patches))
    }

    fn averages_m(&self) -> Option<f64> {
        Some(self.average_m)
    }

    fn texel(&self, at: &Location) -> Option<(f64, f64)> {
        Some(self.described.place.placement.texel(at.normal, at.lon_deg, at.lat_deg))
    }

    fn in_degrees(&self) -> bool {
        self.described.place.placement.is_in_degrees()
    }

    fn check(&self) -> Result<(), HeightError> {
        self.described.fingerprint.look()
    }

    /// Windows, and the average.
    fn held(&self) -> Option<Held> {
        let ((bytes, most), average) = (self.kept.held(), self.average.raster.bytes());
        Some(Held { bytes: bytes + average, most: Some(most + average) })
    }

    fn failure(&self) -> Option<HeightError> {
        self.failure.get().cloned()
    }
}
