//! What lies around a raster: the other end of its rows, the far side of a pole, another file, or nothing?

use rayon::prelude::*;

use super::{BorderSource, Side, Wrap, voids::Mark};

/// Copies values into an array with a border, filled by wrapping and reflection; NaN where the raster just ends.
pub(super) fn padded(values: &[f32], width: usize, height: usize, wrap: Option<Wrap>, border: usize) -> Vec<f32> {
    let stride = width + 2 * border;
    let mut data = vec![f32::NAN; stride * (height + 2 * border)];
    data.par_chunks_mut(stride).enumerate().for_each(|(line, out)| {
        let row = line as isize - border as isize;
        let inside = row >= 0 && row < height as isize;
        if inside {
            let from = row as usize * width;
            out[border..border + width].copy_from_slice(&values[from..from + width]);
        }
        let Some(wrap) = wrap else { return };
        for (cell, v) in out.iter_mut().enumerate() {
            let column = cell as isize - border as isize;
            if !inside || column < 0 || column >= width as isize {
                *v = value_around(values, width, height, wrap, column as f64, row as f64);
            }
        }
    });
    data
}

/// Puts the texels that other data have around a raster into an array, where the raster's would go on. Returns the places in the
/// array beyond the first of them, with their marks: there the other data answer, but it is no void.
///
/// The array has rows of `stride` texels and begins at the column and row `first` of a raster of `size` columns and rows.
pub(crate) fn put_around(
    data: &mut [f32],
    stride: usize,
    first: [i64; 2],
    size: [usize; 2],
    around: &dyn BorderSource,
) -> Vec<(usize, Mark)> {
    let lines = data.len() / stride;
    let mut overhang = Vec::new();
    for [low, high] in around.fill_border(data, stride, first) {
        let beyond = |at: i64, axis: usize| (-at).max(at - size[axis] as i64 + 1);
        for (row, column) in (low[1]..high[1]).flat_map(|row| (low[0]..high[0]).map(move |column| (row, column))) {
            if beyond(column, 0).max(beyond(row, 1)) > 1 {
                let at = (row - first[1]) as usize * stride + (column - first[0]) as usize;
                overhang.push((at, Mark::ELSEWHERE));
            }
        }
    }
    // Columns and rows of the array that the raster has, and what comes before and after them.
    let inside = |axis: usize, extent: usize| {
        let of = |at: i64| (at - first[axis]).clamp(0, extent as i64) as usize;
        (of(0), of(size[axis] as i64))
    };
    let (columns, rows) = (inside(0, stride), inside(1, lines));
    let in_raster = |axis: usize, at: usize| (at as i64 + first[axis]).clamp(0, size[axis] as i64 - 1) as usize;
    let mut theirs = |column: usize, row: usize| overhang.push((row * stride + column, Mark::ELSEWHERE));
    if rows.1 - rows.0 > 1 {
        // Beyond a corner as well: what the other data fade to there is theirs.
        for column in 0..stride {
            if rows.0 > 0 && around.continues(Side::Top, in_raster(0, column)) {
                (0..rows.0 - 1).for_each(|row| theirs(column, row));
            }
            if rows.1 < lines && around.continues(Side::Bottom, in_raster(0, column)) {
                (rows.1 + 1..lines).for_each(|row| theirs(column, row));
            }
        }
    }
    if columns.1 - columns.0 > 1 {
        for line in 0..lines {
            let row = in_raster(1, line);
            if columns.0 > 0 && around.continues(Side::Left, row) {
                (0..columns.0 - 1).for_each(|column| theirs(column, line));
            }
            if columns.1 < stride && around.continues(Side::Right, row) {
                (columns.1 + 1..stride).for_each(|column| theirs(column, line));
            }
        }
    }
    overhang
}

/// Value at any column and row of a raster that goes around the Earth: exact at texels, linear between.
fn value_around(values: &[f32], width: usize, height: usize, wrap: Wrap, column: f64, row: f64) -> f32 {
    let last = (height - 1) as f64;
    let (end, pole) = match (wrap.first_pole, wrap.last_pole) {
        (Some(pole), _) if row < 0.0 => (0.0, pole),
        (_, Some(pole)) if row > last => (last, pole),
        _ => return between_rows(values, width, height, wrap, column, row),
    };
    // Beyond the pole the meridian half a turn on comes back; its first row lies as far behind the pole as ours before it.
    let (far, opposite) = (2.0 * pole - end, column + 0.5 * wrap.period);
    if (row - end).abs() < (far - end).abs() - 1e-9 {
        let near_value = between_rows(values, width, height, wrap, column, end);
        let far_value = between_rows(values, width, height, wrap, opposite, end);
        return mix(near_value, far_value, (row - end) / (far - end));
    }
    between_rows(values, width, height, wrap, opposite, 2.0 * pole - row)
}

/// Value at any column, and a row of the raster or between two; NaN at rows outside.
fn between_rows(values: &[f32], width: usize, height: usize, wrap: Wrap, column: f64, row: f64) -> f32 {
    // Poles are known to rounding, so a reflected row may miss the last one by as little.
    let last = (height - 1) as f64;
    if !(-1e-6..=last + 1e-6).contains(&row) {
        return f32::NAN;
    }
    let along = |row: usize| {
        let line = &values[row * width..(row + 1) * width];
        let c = column.rem_euclid(wrap.period);
        let edge = (width - 1) as f64;
        if c >= edge {
            // The step from the last column to the first one, which may be a fraction of a texel away.
            let gap = (wrap.period - edge).max(f64::MIN_POSITIVE);
            return mix(line[width - 1], line[0], ((c - edge) / gap).min(1.0));
        }
        let i = c as usize;
        mix(line[i], line[i + 1], c - i as f64)
    };
    let row = row.clamp(0.0, last);
    let r = row as usize;
    mix(along(r), along((r + 1).min(height - 1)), row - r as f64)
}

/// Linear interpolation that does not look at an end of weight 0, which may be void.
fn mix(a: f32, b: f32, t: f64) -> f32 {
    match t {
        t if t <= 1e-9 => a,
        t if t >= 1.0 - 1e-9 => b,
        t => (f64::from(a) * (1.0 - t) + f64::from(b) * t) as f32,
    }
}
