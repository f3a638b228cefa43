//! How are the files of a mosaic read? In full, in parts and as overviews, each when a place in it is asked for.

use std::sync::{Arc, atomic::Ordering};

use super::{
    super::{
        decimate::read_coarse,
        diagnostics::CheckedExtent,
        error::HeightError,
        gdal_read::{Window, read_once},
        gdal_source::describe_file,
        georeference::Georeference,
        headers::FEW,
        kernel::Interpolation,
        layer::wrap,
        parts::PartReader,
        raster::{NoBorder, RIM, Raster, RasterSample, RepeatedBorder, Wrap},
    },
    Member, Mosaic, OVERVIEW_FEATHER, Overview,
    adjacent_members::MemberBorder,
    is_large,
    means_cache::MeansCache,
    overview_grid,
    vertex_cells::{VertexCells, windows},
};

impl Mosaic {
    /// Where a member lies; `None` if its file cannot be opened any more.
    pub(super) fn place(&self, k: u32) -> Option<&Georeference> {
        let member = &self.members[k as usize];
        if let Some(place) = &member.header.place {
            return Some(place);
        }
        // Not while the lock is held: a thread that waits for rayon may be given another task that comes here.
        if member.place.get().is_none() {
            let checked = member.header.fingerprint.check();
            let found = checked.and_then(|()| describe_file(&member.file, &self.options));
            let _first = member.place.set(self.log_error(found).map(|described| described.place));
        }
        member.place.get()?.as_ref()
    }

    /// A file's heights, from memory or read; `None` if it cannot be read.
    pub(super) fn full(&self, k: u32) -> Option<Arc<Raster>> {
        self.mark_read(k);
        self.kept.get((k, None), || self.log_error(self.read(k)))
    }

    /// Notes that heights of a member are asked for, whether they are in memory or not.
    pub(super) fn mark_read(&self, k: u32) {
        let is_read = &self.members[k as usize].is_read;
        // Mostly it is known, and threads do not take the line from each other.
        if !is_read.load(Ordering::Relaxed) {
            is_read.store(true, Ordering::Relaxed);
        }
    }

    /// Whether a member is read in parts only: not where it goes around the Earth by an odd number of columns.
    pub(super) fn is_large(&self, k: u32) -> bool {
        is_large(&self.members[k as usize].header, self.side)
            && self.around(k).is_none_or(|around| around.period % 2.0 == 0.0)
    }

    /// Whether small parts of a member are read: not where a small one goes around the Earth.
    pub(super) fn has_parts(&self, k: u32) -> bool {
        self.is_large(k) || self.around(k).is_none()
    }

    /// How a member goes around the Earth, if it does.
    pub(super) fn around(&self, k: u32) -> Option<Wrap> {
        let [columns, rows] = self.members[k as usize].header.info.grid;
        self.place(k).and_then(Georeference::geographic).and_then(|g| wrap(g, columns, rows))
    }

    /// How a member's overview goes around the Earth, if the member does and the overview has all of its columns.
    pub(super) fn overview_around(&self, k: u32) -> Option<Wrap> {
        let grid = self.members[k as usize].header.info.grid;
        if overview_grid(grid, self.overview) == grid { self.around(k) } else { None }
    }

    /// A part of a file's heights of so many columns and rows, from memory or read; `None` if it cannot be read.
    pub(super) fn part(&self, k: u32, side: usize, part: [usize; 2]) -> Option<Arc<Raster>> {
        self.mark_read(k);
        self.kept.get((k, Some((side, part))), || {
            let Member { serial, file, header, .. } = &self.members[k as usize];
            let whole = PartReader {
                serial: *serial,
                file,
                grid: header.info.grid,
                around: self.around(k),
                feather: header.feather,
                encoding: header.encoding,
                options: &self.options,
                fingerprint: &header.fingerprint,
                look: &|values, remarks| self.check_heights(k, values, remarks, CheckedExtent::Some),
            };
            self.log_error(whole.part(side, part, RIM, &MemberBorder { mosaic: self, member: k }))
        })
    }

    /// Means of a file's heights; `None` if it cannot be read.
    pub(super) fn overview(&self, k: u32) -> Option<&Raster> {
        let member = &self.members[k as usize];
        self.mark_read(k);
        // As above. Two threads may read the same, and one of them forgets its own.
        if member.overview.get().is_none() {
            let cells = self.vertex_cells(k);
            let _first = member.overview.set(self.log_error(self.read_overview(k, &cells)));
        }
        Some(&member.overview.get()?.as_ref()?.means)
    }

    /// Means of an earlier start, where there are many members.
    fn means_cache(&self) -> Option<&MeansCache> {
        let folder = self.options.index.as_deref().filter(|_| self.members.len() >= FEW)?;
        self.means_cache.get_or_init(|| MeansCache::open(folder)).as_ref()
    }

    /// The height at a column and row of a member, if it was kept when its means were read.
    pub(super) fn near_vertex(&self, k: u32, interpolation: Interpolation, at: [f64; 2]) -> Option<RasterSample> {
        self.members[k as usize].overview.get()?.as_ref()?.cells.sample(interpolation, at)
    }

    /// What was read; the first error is remembered and said.
    pub(super) fn log_error<T>(&self, result: Result<T, HeightError>) -> Option<T> {
        result
            .map_err(|error| {
                if self.failure.set(error.clone()).is_ok() {
                    tracing::error!("{error}; what lies below answers in its place");
                }
            })
            .ok()
    }

    /// Heights of all of a file.
    fn read(&self, k: u32) -> Result<Raster, HeightError> {
        let Member { file, header, .. } = &self.members[k as usize];
        let [columns, rows] = header.info.grid;
        let mut remarks = Vec::new();
        let all = [Window::all([columns, rows])];
        let read = || read_once(file, header.encoding, &self.options, &all, &mut remarks);
        let values = header.fingerprint.unchanged(read)?.pop().unwrap_or_default();
        self.check_heights(k, &values, remarks, CheckedExtent::All);
        let around = MemberBorder { mosaic: self, member: k };
        Ok(Raster::joined(
            columns,
            rows,
            values,
            self.around(k),
            (header.feather, header.encoding.valid_range_m),
            &around,
        ))
    }

    /// Means of a file's heights, and the heights around some of its cells.
    fn read_overview(&self, k: u32, cells: &[[usize; 2]]) -> Result<Overview, HeightError> {
        let Member { file, header, .. } = &self.members[k as usize];
        let grid @ [columns, rows] = overview_grid(header.info.grid, self.overview);
        let mut remarks = Vec::new();
        let kept = self.means_cache().zip(MeansCache::key(header, &self.options, grid, cells));
        let known = kept.and_then(|(kept, key)| kept.get(&key, &header.fingerprint));
        let (values, cells) = match known.and_then(|values| split(values, columns * rows)) {
            Some(known) => known,
            None => {
                let windows = windows(cells);
                let read =
                    || read_coarse(file, header.encoding, &self.options, (columns, rows), &windows, &mut remarks);
                let (values, around) = header.fingerprint.unchanged(read)?;
                let cells = VertexCells::of(cells, &around);
                // Remarks are made while heights are read.
                if let Some((kept, key)) = kept.filter(|_| remarks.is_empty()) {
                    kept.put(&key, &[&values[..], &cells.values()].concat());
                }
                (values, cells)
            }
        };
        self.check_heights(k, &values, remarks, CheckedExtent::Some);
        let continued = (OVERVIEW_FEATHER, header.encoding.valid_range_m);
        let means = match self.overview_around(k) {
            around @ Some(_) => Raster::joined(columns, rows, values, around, continued, &NoBorder),
            // What lies beyond a mean of many texels is no texel of another file.
            None => Raster::joined(columns, rows, values, None, continued, &RepeatedBorder(grid)),
        };
        Ok(Overview { means, cells })
    }
}

/// Means and cells of what was kept of both; `None` if it cannot be so.
fn split(mut values: Vec<f32>, means: usize) -> Option<(Vec<f32>, VertexCells)> {
    if values.len() < means {
        return None;
    }
    let cells = VertexCells::of_values(&values.split_off(means))?;
    Some((values, cells))
}
