//! How is a mip level made from the one before? Each texel is the mean of the area it covers.

use half::{f16, slice::HalfBitsSliceExt, slice::HalfFloatSliceExt};

use super::ShadeTexel;

/// All levels of a square of `side` texels, the finest first, until the side is odd.
pub(super) fn down_to_odd(finest: Vec<ShadeTexel>, side: usize) -> Vec<Vec<ShadeTexel>> {
    let levels = side.trailing_zeros() as usize;
    let coarser = levels_below(&finest, side).take(levels);
    let mut all: Vec<Vec<ShadeTexel>> = coarser.collect();
    all.insert(0, finest);
    all
}

/// All levels below a square of `side` texels, down to one texel.
pub(super) fn below(square: &[ShadeTexel], side: usize) -> Vec<Vec<ShadeTexel>> {
    levels_below(square, side).collect()
}

/// Means are taken in 32 bits from level to level, and rounded to 16 bits only for storage.
fn levels_below(square: &[ShadeTexel], side: usize) -> impl Iterator<Item = Vec<ShadeTexel>> {
    let mut fine = vec![[0f32; 4]; square.len()];
    let bits = square.as_flattened().reinterpret_cast::<f16>();
    bits.convert_to_f32_slice(fine.as_flattened_mut());
    let mut n = side;
    std::iter::from_fn(move || {
        if n < 2 {
            return None;
        }
        let m = n / 2;
        let mut coarse = vec![[0.0; 4]; m * m];
        for (row, out) in coarse.chunks_exact_mut(m).enumerate() {
            for (r, weight) in covered(row, n, m) {
                add_row(&fine[r * n..(r + 1) * n], weight, out);
            }
        }
        let mut stored = vec![[0; 4]; m * m];
        store(&coarse, &mut stored);
        (fine, n) = (std::mem::take(&mut coarse), m);
        Some(stored)
    })
}

/// Rounds to 16 bits.
pub(super) fn store(values: &[[f32; 4]], texels: &mut [ShadeTexel]) {
    texels.as_flattened_mut().reinterpret_cast_mut::<f16>().convert_from_f32_slice(values.as_flattened());
}

/// Adds one fine row, shrunk to as many texels as there are, times `weight`.
fn add_row(fine: &[[f32; 4]], weight: f32, out: &mut [[f32; 4]]) {
    let (n, m) = (fine.len(), out.len());
    if n == 2 * m {
        let half = 0.5 * weight;
        for (out, pair) in out.iter_mut().zip(fine.chunks_exact(2)) {
            for c in 0..4 {
                out[c] += half * (pair[0][c] + pair[1][c]);
            }
        }
        return;
    }
    for (i, out) in out.iter_mut().enumerate() {
        for (x, w) in covered(i, n, m) {
            for c in 0..4 {
                out[c] += weight * w * fine[x][c];
            }
        }
    }
}

/// Fine texels that coarse texel `i` of `m` covers, of `n = 2 m` or `2 m + 1` (or 1), with their shares of its area.
fn covered(i: usize, n: usize, m: usize) -> impl Iterator<Item = (usize, f32)> {
    let width = n as f64 / m as f64;
    let (from, to) = (i as f64 * width, (i + 1) as f64 * width);
    (2 * i..n.min(2 * i + 3)).filter_map(move |x| {
        let share = (to.min(x as f64 + 1.0) - from.max(x as f64)) / width;
        (share > 1e-12).then_some((x, share as f32))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_are_kept_for_even_and_odd_sizes() {
        for n in [13usize, 2, 3, 5, 8, 11] {
            let values: Vec<[f32; 4]> =
                (0..n * n).map(|i| std::array::from_fn(|c| (((4 * i + c) * 37) % 101) as f32)).collect();
            let mut texels = vec![[0; 4]; n * n];
            store(&values, &mut texels);
            let levels = below(&texels, n);
            assert_eq!(levels.len(), n.ilog2() as usize);
            let last = levels.last().expect("at least one level");
            assert_eq!(last.len(), 1);
            for c in 0..4 {
                let mean = values.iter().map(|texel| texel[c]).sum::<f32>() / (n * n) as f32;
                let got = f16::from_bits(last[0][c]).to_f32();
                assert!((got - mean).abs() < 0.04, "{n}: {got} {mean}");
            }
            let whole = down_to_odd(texels, n);
            assert_eq!(whole.len(), n.trailing_zeros() as usize + 1);
            assert_eq!(whole[1..], levels[..whole.len() - 1]);
        }
    }

    #[test]
    fn shares_sum_to_one() {
        for (n, m) in [(2, 1), (3, 1), (5, 2), (8, 4), (11, 5)] {
            let mut total = vec![0f32; n];
            for i in 0..m {
                let sum: f32 = covered(i, n, m).map(|(_, w)| w).sum();
                assert!((sum - 1.0).abs() < 1e-6);
                covered(i, n, m).for_each(|(x, w)| total[x] += w);
            }
            assert!(total.iter().all(|t| (t - m as f32 / n as f32).abs() < 1e-6), "every fine texel counts the same");
        }
    }
}
