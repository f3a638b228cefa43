//! Which numbers of a raster are heights, and how many metres are they?

use rayon::prelude::*;

/// What turns numbers into heights.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ValueScale {
    /// Numbers that stand for no height.
    pub voids: [Option<f64>; 2],
    pub scale: f64,
    pub offset: f64,
    /// Metres of one unit after scale and offset; below 0 for depths.
    pub metres: f64,
    /// Heights outside of it are voids.
    pub valid_range_m: (f64, f64),
}

impl ValueScale {
    /// Makes numbers heights in metres, NaN where void or where a mask is below 128; with a remark on numbers that are no heights.
    pub fn apply(&self, values: &mut [f32], mask: Option<&[u8]>) -> Option<String> {
        // Integers beyond 2^24 and doubles round on the way to f32; so must the values they are compared with.
        // No value equals NaN, which stands for none.
        let voids = self.voids.map(|v| v.map_or(f32::NAN, |v| v as f32));
        let Self { scale, offset, metres, valid_range_m: (low, high), .. } = *self;
        const CHUNK: usize = 1 << 14;
        let implausible: usize = values
            .par_chunks_mut(CHUNK)
            .enumerate()
            .map(|(chunk, values)| {
                if let Some(mask) = mask {
                    let masked = mask[chunk * CHUNK..].iter().map(|m| *m < 128);
                    values.iter_mut().zip(masked).filter(|(_, masked)| *masked).for_each(|(v, _)| *v = f32::NAN);
                }
                let mut implausible = 0;
                for v in values {
                    let valid = v.is_finite() & (*v != voids[0]) & (*v != voids[1]);
                    let h = (f64::from(*v) * scale + offset) * metres;
                    let plausible = (h >= low) & (h <= high);
                    *v = if valid & plausible { h as f32 } else { f32::NAN };
                    implausible += u32::from(valid & !plausible);
                }
                implausible as usize
            })
            .sum();
        (implausible > 0).then(|| format!("{implausible} heights outside {low} to {high} m are taken as voids"))
    }
}

/// Lowest and highest of heights, voids as NaN; `(0, 0)` where there is none. Side by side, so that many are compared at a time.
pub(crate) fn range_of(values: &[f32]) -> (f64, f64) {
    const LANES: usize = 16;
    const CHUNK: usize = 1 << 16;
    let of_part = |part: &[f32]| {
        let (mut low, mut high) = ([f32::INFINITY; LANES], [f32::NEG_INFINITY; LANES]);
        let mut see = |values: &[f32]| {
            for ((v, low), high) in values.iter().zip(&mut low).zip(&mut high) {
                *low = if *v < *low { *v } else { *low };
                *high = if *v > *high { *v } else { *high };
            }
        };
        let lanes = part.chunks_exact(LANES);
        see(lanes.remainder());
        lanes.for_each(see);
        (low.into_iter().fold(f32::INFINITY, f32::min), high.into_iter().fold(f32::NEG_INFINITY, f32::max))
    };
    let none = || (f32::INFINITY, f32::NEG_INFINITY);
    let (low, high) = values.par_chunks(CHUNK).map(of_part).reduce(none, |a, b| (a.0.min(b.0), a.1.max(b.1)));
    if low <= high { (low.into(), high.into()) } else { (0.0, 0.0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Law: the range is that of all heights, and of none it is 0 to 0.
    #[test]
    fn ranges_skip_voids() {
        use rand::Rng;
        let mut rng = crate::random::rng();
        for _ in 0..300 {
            let value = |_| if rng.random_range(0..3) == 0 { f32::NAN } else { rng.random_range(-9.0..9.0) };
            let values: Vec<f32> = (0..40).map(value).collect();
            let some = &values[..rand::random_range(0..40)];
            assert_eq!(range_of(some), super::super::layer::statistics(some).0, "{some:?}");
        }
    }
}
