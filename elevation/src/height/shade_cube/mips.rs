//! How is a mip level made from the one before? Each texel is the mean of the area it covers.

use half::{f16, slice::HalfBitsSliceExt, slice::HalfFloatSliceExt};
use rayon::prelude::*;

use super::{ShadeFace, ShadeTexel};

/// All levels of a face of `size` texels a side, from the finest one, which is there.
///
/// Means are taken in 32 bits from level to level, and rounded to 16 bits only for storage.
pub(super) fn fill(face: &mut ShadeFace, size: usize) {
    let ShadeFace { mips, means: [fine, coarse] } = face;
    let mut n = size;
    for level in 1..mips.len() {
        let m = n / 2;
        let (finer, stored) = mips.split_at_mut(level);
        let finest = (level == 1).then(|| finer[0].as_slice());
        coarse.resize(m * m, [0.0; 4]);
        stored[0].resize(m * m, [0; 4]);
        let rows = coarse.par_chunks_mut(m).zip(stored[0].par_chunks_mut(m));
        rows.enumerate().for_each_init(
            || vec![[0f32; 4]; n],
            |decoded, (row, (out, stored))| {
                out.fill([0.0; 4]);
                for (r, weight) in covered(row, n, m) {
                    let texels = r * n..(r + 1) * n;
                    match finest {
                        Some(finest) => {
                            let bits = finest[texels].as_flattened().reinterpret_cast::<f16>();
                            bits.convert_to_f32_slice(decoded.as_flattened_mut());
                            add_row(decoded, weight, out);
                        }
                        None => add_row(&fine[texels], weight, out),
                    }
                }
                store(out, stored);
            },
        );
        std::mem::swap(fine, coarse);
        n = m;
    }
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
        let mut face = ShadeFace::default();
        for n in [13usize, 2, 3, 5, 8, 11] {
            let values: Vec<[f32; 4]> =
                (0..n * n).map(|i| std::array::from_fn(|c| (((4 * i + c) * 37) % 101) as f32)).collect();
            face.mips.resize_with(n.ilog2() as usize + 1, Vec::new);
            face.mips[0].resize(n * n, [0; 4]);
            store(&values, &mut face.mips[0]);
            fill(&mut face, n);
            let last = face.mips.last().expect("at least one level");
            assert_eq!(last.len(), 1);
            for c in 0..4 {
                let mean = values.iter().map(|texel| texel[c]).sum::<f32>() / (n * n) as f32;
                let got = f16::from_bits(last[0][c]).to_f32();
                assert!((got - mean).abs() < 0.04, "{n}: {got} {mean}");
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
