//! What about the heights in the files of a mosaic looks wrong? They are checked when they are read. Of some files, a part of the
//! heights is checked before that, with their headers, so that the mosaic can report it when it is opened.

use std::{path::Path, sync::PoisonError};

use super::{
    super::{
        diagnostics::{CheckedExtent, may_have_swapped_axes, misfit, remarks_on, remarks_on_windows},
        gdal_read::{Window, is_on_damage, read_once},
        headers::Header,
        layer::Layer,
        options::OpenOptions,
        values::range_of,
    },
    Mosaic,
};
use crate::geodesy::Ellipsoid;

/// Files that are looked at when many are opened, at most: to open them takes about as long as the headers of thousands.
const MOST_FILES: usize = 64;
/// Texels of all these files together, at most, where files are looked at in full.
const MOST_TEXELS: usize = 4 << 20;
/// Rectangles of a larger file that are looked at, by columns and rows, and the columns and rows of one.
pub(super) const RECTANGLES: usize = 3;
pub(super) const SIDE: usize = 32;
/// Heights of a file, at most, by which it is told whether its axes are exchanged.
const SPOTS: usize = 81;
/// Files on which remarks are made while they are read, at most.
const MOST_TOLD: usize = 5;

/// Which of many files have their heights checked when they are opened: so many, evenly spread.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CheckSampling {
    files: usize,
}

impl CheckSampling {
    /// For so many files.
    pub fn at(files: usize) -> Self {
        Self { files }
    }

    /// Remarks on heights of a file, which is the k-th, and on where they lie, by the relief below; `None` if it is not looked at,
    /// or cannot be read: then it says so when it is.
    pub fn remarks<'a>(
        self,
        k: usize,
        (file, header): (&Path, &Header),
        options: &OpenOptions,
        below: impl FnOnce() -> Option<&'a Layer>,
    ) -> Option<Vec<String>> {
        let step = self.files.div_ceil(MOST_FILES).max(1);
        if !k.is_multiple_of(step) {
            return None;
        }
        let [columns, rows] = header.info.grid;
        let most = MOST_TEXELS / self.files.div_ceil(step);
        let is_small = columns.saturating_mul(rows) <= most;
        let windows = if is_small {
            vec![Window::all([columns, rows])]
        } else {
            Window::spread([columns, rows], RECTANGLES, SIDE)
        };
        let mut remarks = Vec::new();
        let read = read_once(file, header.encoding, options, &windows, &mut remarks).ok()?;
        // The same was taken as void in each of them.
        remarks.truncate(1);
        let values = read.concat();
        remarks.extend(misfit_in(header, &windows, &read, below));
        let range = range_of(&values);
        remarks.extend(if is_small {
            remarks_on(header.info.ellipsoid, &values, range, CheckedExtent::All)
        } else {
            remarks_on_windows(header.info.ellipsoid, &read, range)
        });
        Some(remarks.into_iter().map(|remark| of_file(file, &remark)).collect())
    }
}

/// A remark on heights that were read of a file's windows, in degrees, if they do not fit the relief below.
fn misfit_in<'a>(
    header: &Header,
    windows: &[Window],
    read: &[Vec<f32>],
    below: impl FnOnce() -> Option<&'a Layer>,
) -> Option<String> {
    let g = header.place.as_ref()?.geographic()?;
    // What lies below tells it on the Earth alone.
    if header.info.ellipsoid != Ellipsoid::WGS84 {
        return None;
    }
    let may_be_swapped = may_have_swapped_axes(header.info.bbox_deg);
    // As many columns and rows of each window, evenly spread.
    let side = (SPOTS / windows.len()).isqrt();
    let along = |count: usize, k: usize| count * (k + 1) / (side + 1);
    let positions = windows.iter().zip(read).flat_map(|(window, values)| {
        (0..side * side).map(move |k| {
            let (column, row) = (along(window.columns, k % side), along(window.rows, k / side));
            let (x, y) = ((window.column + column) as f64 + 0.5, (window.row + row) as f64 + 0.5);
            let height_m = f64::from(values[row * window.columns + column]);
            (g[0] + g[1] * x + g[2] * y, g[3] + g[4] * x + g[5] * y, height_m)
        })
    });
    misfit(positions.filter(|(_, _, height_m)| !height_m.is_nan()), below()?, may_be_swapped)
}

/// A remark with the name of the file that it is on.
fn of_file(file: &Path, remark: &str) -> String {
    let name = file.file_name().unwrap_or(file.as_os_str()).to_string_lossy();
    format!("{}: {remark}", foreign::sanitized(&name))
}

impl Mosaic {
    /// Remarks once on each of the first files whose heights look wrong as they are read, NaN where void, unless it was remarked
    /// upon when the mosaic was opened; `remarks` are on what was taken as void.
    pub(super) fn check_heights(&self, k: u32, values: &[f32], mut remarks: Vec<String>, extent: CheckedExtent) {
        let member = &self.members[k as usize];
        // Told of any part of a file, whatever was noticed of others.
        if let Some(damage) = remarks.iter().find(|remark| is_on_damage(remark)) {
            let damage = of_file(&member.file, damage);
            let mut noticed = self.noticed.lock().unwrap_or_else(PoisonError::into_inner);
            if !noticed.contains(&damage) && !member.header.info.remarks.contains(&damage) {
                noticed.push(damage);
            }
            return;
        }
        let was_told = || {
            let about = of_file(&member.file, "");
            member.header.info.remarks.iter().any(|remark| remark.starts_with(&about))
        };
        if member.remarked.get().is_some() || was_told() {
            return;
        }
        remarks.extend(remarks_on(member.header.info.ellipsoid, values, range_of(values), extent));
        let Some(first) = remarks.first() else { return };
        let mut noticed = self.noticed.lock().unwrap_or_else(PoisonError::into_inner);
        if noticed.len() < MOST_TOLD && member.remarked.set(()).is_ok() {
            noticed.push(of_file(&member.file, first));
        }
    }
}
