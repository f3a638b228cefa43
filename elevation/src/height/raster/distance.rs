//! How far is each texel of an array from the nearest of some texels, in columns or rows, whichever is more?
//!
//! Only blocks of texels near a void are looked at: the rest, most of most rasters, is as far as counts.

use rayon::prelude::*;

/// Texels on a side of a block; no distance that is asked for is longer.
const BLOCK: usize = 80;

/// The parts of an array that lie within [`BLOCK`] texels of a void.
#[derive(Debug)]
pub(super) struct NearVoids {
    stride: usize,
    lines: usize,
    /// Columns `first .. end` of each row of blocks, apart from each other.
    ranges: Vec<Vec<(usize, usize)>>,
}

impl NearVoids {
    /// Of an array of rows of `stride` values, NaN where void; `None` if there is no void.
    pub fn of(values: &[f32], stride: usize) -> Option<Self> {
        let lines = values.len() / stride;
        let (across, down) = (stride.div_ceil(BLOCK), lines.div_ceil(BLOCK));
        let has_void: Vec<bool> = (0..across * down)
            .into_par_iter()
            .map(|block| {
                let (x, y) = (block % across * BLOCK, block / across * BLOCK);
                (y..(y + BLOCK).min(lines))
                    .any(|y| values[y * stride..][x..(x + BLOCK).min(stride)].iter().any(|v| v.is_nan()))
            })
            .collect();
        if !has_void.contains(&true) {
            return None;
        }
        let near = |i: usize, j: usize| {
            let around = |k: usize, end: usize| k.saturating_sub(1)..(k + 2).min(end);
            around(j, down).any(|j| around(i, across).any(|i| has_void[j * across + i]))
        };
        let ranges = (0..down)
            .map(|j| {
                let mut ranges: Vec<(usize, usize)> = Vec::new();
                for i in (0..across).filter(|i| near(*i, j)) {
                    let (first, end) = (i * BLOCK, ((i + 1) * BLOCK).min(stride));
                    match ranges.last_mut() {
                        Some(last) if last.1 == first => last.1 = end,
                        _ => ranges.push((first, end)),
                    }
                }
                ranges
            })
            .collect();
        Some(Self { stride, lines, ranges })
    }

    /// Places in the array of all texels in these parts, row by row.
    pub fn texels(&self) -> impl Iterator<Item = usize> + '_ {
        let row = |y: usize| self.ranges[y / BLOCK].iter().map(move |(first, end)| (y, *first, *end));
        (0..self.lines).flat_map(row).flat_map(|(y, first, end)| y * self.stride + first..y * self.stride + end)
    }

    /// Chebyshev distance of each texel to the nearest one that is `among`, at most `limit`. Beyond the array there is none.
    pub fn distances(&self, limit: u8, among: impl Fn(usize) -> bool) -> Vec<u8> {
        debug_assert!(usize::from(limit) <= BLOCK);
        let stride = self.stride;
        let mut d = vec![limit; stride * self.lines];
        self.texels().filter(|at| among(*at)).for_each(|at| d[at] = 0);
        for forward in [true, false] {
            for step in 0..self.lines {
                let row = if forward { step } else { self.lines - 1 - step };
                let beside = if forward { row.checked_sub(1) } else { Some(row + 1).filter(|row| *row < self.lines) };
                for &(first, end) in &self.ranges[row / BLOCK] {
                    for k in 0..end - first {
                        let column = if forward { first + k } else { end - 1 - k };
                        let at = row * stride + column;
                        if d[at] == 0 {
                            continue;
                        }
                        let before = if forward { column.checked_sub(1) } else { Some(column + 1) };
                        let mut nearest = before.filter(|c| *c < stride).map_or(limit, |c| d[row * stride + c]);
                        if let Some(beside) = beside {
                            let line = &d[beside * stride..(beside + 1) * stride];
                            for v in &line[column.saturating_sub(1)..(column + 2).min(stride)] {
                                nearest = nearest.min(*v);
                            }
                        }
                        d[at] = d[at].min(nearest.saturating_add(1));
                    }
                }
            }
        }
        d
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::Rng;

    /// Law: the distance is that to the nearest of the texels, found by looking at all of them.
    #[test]
    fn distances_by_brute_force() {
        let mut rng = crate::random::rng();
        for round in 0..60 {
            let (width, height) = (rng.random_range(1..150usize), rng.random_range(1..150usize));
            let limit = rng.random_range(1..=BLOCK as u8);
            let mut values = vec![1f32; width * height];
            for _ in 0..rng.random_range(1..6) {
                let at = rng.random_range(0..values.len());
                values[at] = f32::NAN;
            }
            let near = NearVoids::of(&values, width).expect("there are voids");
            let to_voids = round % 2 == 0;
            let among = |at: usize| values[at].is_nan() == to_voids;
            let got = near.distances(limit, among);
            let all: Vec<usize> = (0..values.len()).filter(|at| among(*at)).collect();
            for at in (0..values.len()).filter(|at| to_voids || values[*at].is_nan()) {
                let away = |to: &usize| (at % width).abs_diff(to % width).max((at / width).abs_diff(to / width));
                let expected = all.iter().map(away).min().unwrap_or(usize::MAX).min(usize::from(limit));
                assert_eq!(usize::from(got[at]), expected, "{width} x {height}, limit {limit}, at {at}");
            }
        }
        assert!(NearVoids::of(&[1.0; 12], 4).is_none());
    }
}
