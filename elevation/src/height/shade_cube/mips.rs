//! How is a mip level made from the one before? Each texel is the mean of the area it covers.

use half::{f16, slice::HalfBitsSliceExt, slice::HalfFloatSliceExt};
use rayon::prelude::*;

/// All levels of a cube map of `size` texels a side with `C` channels of 16-bit floats, from the finest one.
///
/// Means are taken in 32 bits from level to level, and rounded to 16 bits only for storage.
pub(super) fn chain<const C: usize>(finest: Vec<u16>, size: usize) -> Vec<Vec<u16>> {
    let mut levels = vec![finest];
    let mut n = size;
    let mut means: Option<Vec<f32>> = None;
    while n > 1 {
        let m = (n / 2).max(1);
        let mut coarse = vec![0f32; 6 * m * m * C];
        coarse.par_chunks_mut(m * C).enumerate().for_each(|(line, out)| {
            let (layer, row) = (line / m, line % m);
            let mut decoded = vec![0f32; n * C];
            for (r, weight) in covered(row, n, m) {
                let at = (layer * n + r) * n * C;
                match &means {
                    Some(fine) => add_row::<C>(&fine[at..at + n * C], weight, m, out),
                    None => {
                        levels[0][at..at + n * C].reinterpret_cast::<f16>().convert_to_f32_slice(&mut decoded);
                        add_row::<C>(&decoded, weight, m, out);
                    }
                }
            }
        });
        let mut stored = vec![0u16; coarse.len()];
        stored.reinterpret_cast_mut::<f16>().convert_from_f32_slice(&coarse);
        levels.push(stored);
        means = Some(coarse);
        n = m;
    }
    levels
}

/// Adds one fine row, shrunk to `m` texels, times `weight`.
fn add_row<const C: usize>(fine: &[f32], weight: f32, m: usize, out: &mut [f32]) {
    let n = fine.len() / C;
    if n == 2 * m {
        let half = 0.5 * weight;
        for (out, pair) in out.chunks_exact_mut(C).zip(fine.chunks_exact(2 * C)) {
            for c in 0..C {
                out[c] += half * (pair[c] + pair[C + c]);
            }
        }
        return;
    }
    for (i, out) in out.chunks_exact_mut(C).enumerate() {
        for (x, w) in covered(i, n, m) {
            for c in 0..C {
                out[c] += weight * w * fine[x * C + c];
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
        for n in [2, 3, 5, 8, 11, 13] {
            let values: Vec<f32> = (0..6 * n * n * 2).map(|i| ((i * 37) % 101) as f32).collect();
            let mut bits = vec![0u16; values.len()];
            bits.reinterpret_cast_mut::<f16>().convert_from_f32_slice(&values);
            let levels = chain::<2>(bits, n);
            let last = levels.last().expect("at least one level");
            assert_eq!(last.len(), 12);
            for layer in 0..6 {
                for c in 0..2 {
                    let texels = values[layer * n * n * 2..(layer + 1) * n * n * 2].iter().skip(c).step_by(2);
                    let mean = texels.sum::<f32>() / (n * n) as f32;
                    let got = f16::from_bits(last[layer * 2 + c]).to_f32();
                    assert!((got - mean).abs() < 0.04, "{n}: {got} {mean}");
                }
            }
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
