//! How is a raster read that is larger than its budget? Window by window, as places in it are asked for.
//!
//! A window is read with as many texels around it as its heights and weights depend on, so it gives what the whole raster in
//! memory would. Views of the whole use an average of it that fits.

use std::{
    path::PathBuf,
    slice::from_ref,
    sync::{Arc, OnceLock},
};

use super::{
    elevation_source::{Elevation, ElevationSource, LayerSource, Location, PatchHeights, Spacing},
    error::HeightError,
    filled_quads::FilledQuads,
    gdal_read::is_on_damage,
    gdal_source::{FileDescription, describe_file, open_raster},
    layer::{PlacedRaster, wrap},
    layer_info::{Area, LayerInfo, MemoryUse},
    options::OpenOptions,
    parts::{
        self, PartReader, PartitionedRaster, are_far, corner_of, most_small_parts, new_serial, part_of, side_for,
        small_side,
    },
    patch::{Patch, PatchCoordinates},
    raster::{BORDER, NoBorder, Raster, Wrap},
    raster_cache::{RasterCache, TEXEL_BYTES},
    region::{HeightBounds, Region, hull},
    resample::{SamplePositions, Window as Texels},
};
use crate::geodesy::Overlap;

/// Share of the budget that is spent on the average of the whole, at least.
const AVERAGE_SHARE: usize = 8;
/// Bytes of an average that is as fine as views of the whole ask for, wherever it lies: the lattice has 8 million places on the
/// Earth (`CoarseErrors`), looks into its cells at 8 million more (`coarse_errors::detail`), and the shade cube has 12 million texels.
const FINE_AVERAGE_BYTES: usize = (12 << 20) * TEXEL_BYTES;

/// A raster in windows.
#[derive(Debug)]
pub(crate) struct Windows {
    /// Distinguishes files that were opened, whatever their names.
    serial: u64,
    file: PathBuf,
    described: FileDescription,
    options: OpenOptions,
    /// How it goes around the Earth, if it does so by whole columns.
    around: Option<Wrap>,
    average: PlacedRaster,
    /// Postings of the average.
    average_m: f64,
    /// Columns and rows of a window for places that are near each other.
    side: usize,
    /// By side, and column and row of windows.
    kept: RasterCache<(usize, [usize; 2])>,
    failure: OnceLock<HeightError>,
    /// The remark on windows that cannot be read, if it was not made of the average.
    damage: OnceLock<String>,
    is_damage_told: bool,
}

impl Windows {
    /// Describes a raster in windows, and reads the average of it; with what a user should know of it.
    ///
    /// # Errors
    /// What opening it as a whole answers.
    pub fn open(file: PathBuf, options: &OpenOptions) -> Result<(Self, LayerInfo), HeightError> {
        let average_bytes = FINE_AVERAGE_BYTES.clamp(options.layer_bytes / AVERAGE_SHARE, options.layer_bytes / 2);
        let (placed, average, opened) = open_raster(&file, options, average_bytes)?;
        let kept_bytes = options.layer_bytes - average_bytes;
        let described = describe_file(&file, options)?;
        // The average may be of another file that had its name a moment ago.
        if described.fingerprint != opened {
            return Err(HeightError::Changed { file });
        }
        let [columns, rows] = described.info.grid;
        let around = described.place.geographic().and_then(|g| wrap(g, columns, rows));
        let around = around.filter(|around| around.period % 2.0 == 0.0);
        let mut info = described.info.clone();
        (info.range_m, info.void_share) = (options.valid_range_on(info.ellipsoid), average.void_share);
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
                options: options.clone(),
                around,
                average: placed,
                average_m: average.posting_m,
                side: side_for(kept_bytes),
                kept: RasterCache::new(kept_bytes),
                failure: OnceLock::new(),
                damage: OnceLock::new(),
                is_damage_told: info.remarks.iter().any(|remark| is_on_damage(remark)),
            },
            info,
        ))
    }

    /// Whether the average answers for the heights themselves.
    fn average_answers(&self, spacing: Spacing) -> bool {
        spacing.is_global() || spacing.average_m() >= self.average_m
    }

    /// Texels around positions, from as many windows as hold them, if all are valid and none is beyond the raster's
    /// sides.
    fn texels(&self, positions: &[SamplePositions<'_>]) -> Option<Texels> {
        parts::texels(self.described.info.grid, self.side, positions, |part| self.window(self.side, part))
    }

    /// A window, from memory or read; `None` if it cannot be read.
    fn window(&self, side: usize, part: [usize; 2]) -> Option<Arc<Raster>> {
        self.kept.get((side, part), || match self.read(side, part) {
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
    fn read(&self, side: usize, part: [usize; 2]) -> Result<Raster, HeightError> {
        let FileDescription { info, place, encoding, fingerprint } = &self.described;
        let whole = PartReader {
            serial: self.serial,
            file: &self.file,
            grid: info.grid,
            around: self.around,
            feather: place.feather,
            encoding: *encoding,
            options: &self.options,
            fingerprint,
            // Other remarks are on the average.
            look: &|_, remarks| {
                if let Some(damage) = remarks.into_iter().find(|remark| is_on_damage(remark)) {
                    let _first = self.damage.set(damage);
                }
            },
        };
        whole.part(side, part, BORDER, &NoBorder)
    }
}

impl ElevationSource for Windows {
    fn sample(&self, at: &Location, spacing: Spacing) -> Option<Elevation> {
        let Location { normal: n, lon_deg, lat_deg, interpolation } = *at;
        if self.average_answers(spacing) {
            return self.average.sample(at, spacing);
        }
        let FileDescription { info, place, .. } = &self.described;
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
        let window = |side: usize| (side, part_of([x, y], side, info.grid));
        let (side, part) = if are_far(spacing, info.posting_m) {
            let small = small_side(spacing);
            self.kept.choose(window(self.side), window(small), most_small_parts(self.side * self.side, small))
        } else {
            window(self.side)
        };
        let [left, top] = corner_of(side, part);
        self.window(side, part)?.sample(interpolation, x - left, y - top).map(Elevation::from)
    }

    fn bounds(&self, region: &Region) -> Option<HeightBounds> {
        let FileDescription { info, place, .. } = &self.described;
        let overlap = region.within(place.cap);
        if overlap == Overlap::None {
            return None;
        }
        let parts = PartitionedRaster { grid: info.grid, side: self.side, beyond: self.beyond() };
        let rects = || place.placement.rects(region).into_iter().flatten();
        if !rects().all(|rect| parts.are_few(rect)) {
            return Some(HeightBounds::promised(self.options.valid_range_on(info.ellipsoid)));
        }
        let window = |part| self.window(self.side, part);
        let found = rects().map(|rect| Some(parts.bounds(region.interpolation, rect, window)?.0));
        let bounds = found.fold(None, hull)?;
        Some(if overlap == Overlap::All { bounds } else { HeightBounds { least: 0.0, ..bounds } })
    }

    fn posting_m(&self, _: &Location) -> f64 {
        self.described.info.posting_m
    }
}

impl LayerSource for Windows {
    fn areas(&self) -> Vec<Area> {
        let FileDescription { info, place, .. } = &self.described;
        vec![Area { cap: place.cap, bbox_deg: place.reach_deg, posting_m: info.posting_m }]
    }

    fn patch_heights(&self, patches: &[(Patch, PatchCoordinates)], spacing: Spacing) -> PatchHeights {
        if self.average_answers(spacing) {
            return self.average.patch_heights(patches, spacing);
        }
        let FileDescription { info, place, .. } = &self.described;
        let [columns, rows] = info.grid;
        let Some(positions) = place.placement.positions_near(place.cap, patches) else { return PatchHeights::Empty };
        if positions.iter().all(|positions| positions.are_outside((columns, rows), self.beyond())) {
            return PatchHeights::Empty;
        }
        if are_far(spacing, info.posting_m) {
            return PatchHeights::ByNode;
        }
        self.texels(&positions).map_or(PatchHeights::BySquare, |texels| PatchHeights::of(&texels, &positions, patches))
    }

    fn filled_quads(&self, patch: &(Patch, PatchCoordinates)) -> FilledQuads {
        let FileDescription { info, place, .. } = &self.described;
        let Some(positions) = place.placement.positions_near(place.cap, from_ref(patch)) else {
            return FilledQuads::Empty;
        };
        let [positions] = &positions[..] else { return FilledQuads::BySquare };
        if positions.are_outside((info.grid[0], info.grid[1]), self.beyond()) {
            return FilledQuads::Empty;
        }
        let quads = parts::quads(info.grid, self.side, |part| self.window(self.side, part));
        FilledQuads::of(positions, patch.0.columns(), quads)
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
        self.described.fingerprint.check_now()
    }

    /// Windows, and the average.
    fn memory_use(&self) -> Option<MemoryUse> {
        let ((bytes, most), average) = (self.kept.memory_use(), self.average.raster.bytes());
        Some(MemoryUse { bytes: bytes + average, most: Some(most + average) })
    }

    fn read_remarks(&self) -> Vec<String> {
        self.damage.get().filter(|_| !self.is_damage_told).cloned().into_iter().collect()
    }

    fn failure(&self) -> Option<HeightError> {
        self.failure.get().cloned()
    }
}
