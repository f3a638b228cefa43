//! Where are a raster's voids, how far is each texel from one, and what does the kernel find there?

use rayon::prelude::*;

use super::{BORDER, Wrap};

/// Chebyshev distance of each texel to the nearest void or open edge, in texels, at most `limit`; 0 on voids.
pub(super) fn void_distance(values: &[f32], width: usize, height: usize, wrap: Option<Wrap>, limit: u8) -> Vec<u8> {
    let mut d: Vec<u8> = values.iter().map(|v| if v.is_nan() { 0 } else { limit }).collect();
    let beyond = |pole: Option<f64>| if pole.is_some() { limit } else { 0 };
    let (above, below) = (beyond(wrap.and_then(|w| w.first_pole)), beyond(wrap.and_then(|w| w.last_pole)));
    // A wrapped raster needs a second round to carry distances across the seam.
    for _ in 0..if wrap.is_some() { 2 } else { 1 } {
        for forward in [true, false] {
            for step in 0..height {
                let row = if forward { step } else { height - 1 - step };
                let other = match (forward, row) {
                    (true, 0) => None,
                    (false, r) if r + 1 == height => None,
                    (true, r) => Some((r - 1) * width),
                    (false, r) => Some((r + 1) * width),
                };
                let edge = if forward { above } else { below };
                for k in 0..width {
                    let column = if forward { k } else { width - 1 - k };
                    let at = row * width + column;
                    if d[at] == 0 {
                        continue;
                    }
                    let left = if column > 0 { Some(column - 1) } else { wrap.map(|_| width - 1) };
                    let right = if column + 1 < width { Some(column + 1) } else { wrap.map(|_| 0) };
                    let beside = if forward { left } else { right };
                    let mut nearest = beside.map_or(0, |c| d[row * width + c]);
                    for c in [left, Some(column), right] {
                        let v = match (other, c) {
                            (Some(base), Some(c)) => d[base + c],
                            (None, Some(_)) => edge,
                            (_, None) => 0,
                        };
                        nearest = nearest.min(v);
                    }
                    d[at] = d[at].min(nearest.saturating_add(1));
                }
            }
        }
    }
    d
}

/// Copies distances into an array with a border: 0 where the raster ends, the neighbour's value where it goes on.
pub(super) fn padded_trust(distance: &[u8], width: usize, height: usize, wrap: Option<Wrap>) -> Vec<u8> {
    let stride = width + 2 * BORDER;
    let mut trust = vec![0; stride * (height + 2 * BORDER)];
    for (line, out) in trust.chunks_mut(stride).enumerate() {
        let row = line as isize - BORDER as isize;
        let (first, last) = (wrap.and_then(|w| w.first_pole), wrap.and_then(|w| w.last_pole));
        let source = match row {
            r if r < 0 && first.is_none() => continue,
            r if r >= height as isize && last.is_none() => continue,
            r => r.clamp(0, height as isize - 1) as usize,
        };
        let from = &distance[source * width..(source + 1) * width];
        out[BORDER..BORDER + width].copy_from_slice(from);
        if wrap.is_some() {
            for b in 0..BORDER {
                out[b] = from[(width - BORDER % width + b) % width];
                out[BORDER + width + b] = from[b % width];
            }
        }
    }
    trust
}

/// Gives each void that touches a value the mean of the values around it.
pub(super) fn continue_voids(data: &mut [f32], stride: usize) {
    let rows = data.len() / stride;
    let found: Vec<(usize, f32)> = (0..rows)
        .into_par_iter()
        .flat_map_iter(|row| {
            let data = &*data;
            (0..stride).filter_map(move |column| {
                let at = row * stride + column;
                if !data[at].is_nan() {
                    return None;
                }
                let (mut sum, mut count) = (0.0, 0u32);
                for r in row.saturating_sub(1)..=(row + 1).min(rows - 1) {
                    for c in column.saturating_sub(1)..=(column + 1).min(stride - 1) {
                        let v = data[r * stride + c];
                        if !v.is_nan() {
                            sum += f64::from(v);
                            count += 1;
                        }
                    }
                }
                (count > 0).then(|| (at, (sum / f64::from(count)) as f32))
            })
        })
        .collect();
    for (at, v) in found {
        data[at] = v;
    }
}
