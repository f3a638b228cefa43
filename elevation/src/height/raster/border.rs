//! What lies around a raster: the other end of its rows, the far side of a pole, another file, or nothing?

use rayon::prelude::*;

use super::{Around, BORDER, Next, Side, Wrap, voids::Mark};

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

/// Puts what other data have around a raster into an array: their texels where these lie where the raster's would go on, and elsewhere
/// the outermost two texels of the raster, continued in a straight line, so that what two rasters have between them agrees to second
/// order. Returns the places in the array beyond the first texel of these, with their marks: there the other data answer, but it is no
/// void.
///
/// The array has rows of `stride` texels and begins at the column and row `first` of a raster of `size` columns and rows.
pub(crate) fn extrapolate(
    data: &mut [f32],
    stride: usize,
    first: [i64; 2],
    size: [usize; 2],
    around: &dyn Around,
) -> Vec<(usize, Mark)> {
    let lines = data.len() / stride;
    let mut overhang = Vec::new();
    for [low, high] in around.put(data, stride, first) {
        let beyond = |at: i64, axis: usize| (-at).max(at - size[axis] as i64 + 1);
        for (row, column) in (low[1]..high[1]).flat_map(|row| (low[0]..high[0]).map(move |column| (row, column))) {
            if beyond(column, 0).max(beyond(row, 1)) > 1 {
                let at = (row - first[1]) as usize * stride + (column - first[0]) as usize;
                overhang.push((at, Mark::ELSEWHERE));
            }
        }
    }
    let mut continue_from = |edge: usize, inner: usize, count: usize, next: Next| {
        let step = data[edge] - data[inner];
        let outward = edge as isize - inner as isize;
        for k in 1..=count {
            let at = (edge as isize + k as isize * outward) as usize;
            if next == Next::Other && data[at].is_nan() {
                data[at] = data[edge] + k.min(BORDER) as f32 * step;
            }
            match next {
                Next::Other if k > 1 => overhang.push((at, Mark::NOTHING)),
                Next::Texels if k > 1 => overhang.push((at, Mark::ELSEWHERE)),
                _ => {}
            }
        }
    };
    // Columns and rows of the array that the raster has, and what comes before and after them.
    let inside = |axis: usize, extent: usize| {
        let of = |at: i64| (at - first[axis]).clamp(0, extent as i64) as usize;
        (of(0), of(size[axis] as i64))
    };
    let (columns, rows) = (inside(0, stride), inside(1, lines));
    let in_raster = |axis: usize, at: usize| (at as i64 + first[axis]).clamp(0, size[axis] as i64 - 1) as usize;
    let at = |column: usize, row: usize| row * stride + column;
    if rows.1 - rows.0 > 1 {
        // Beyond a corner as well: what the other data fade to there is theirs.
        for column in 0..stride {
            if rows.0 > 0 {
                continue_from(
                    at(column, rows.0),
                    at(column, rows.0 + 1),
                    rows.0,
                    around.next(Side::Top, in_raster(0, column)),
                );
            }
            if rows.1 < lines {
                continue_from(
                    at(column, rows.1 - 1),
                    at(column, rows.1 - 2),
                    lines - rows.1,
                    around.next(Side::Bottom, in_raster(0, column)),
                );
            }
        }
    }
    if columns.1 - columns.0 > 1 {
        // Corners have heights where both their sides go on.
        for line in 0..lines {
            let row = in_raster(1, line);
            if columns.0 > 0 {
                continue_from(at(columns.0, line), at(columns.0 + 1, line), columns.0, around.next(Side::Left, row));
            }
            if columns.1 < stride {
                continue_from(
                    at(columns.1 - 1, line),
                    at(columns.1 - 2, line),
                    stride - columns.1,
                    around.next(Side::Right, row),
                );
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
