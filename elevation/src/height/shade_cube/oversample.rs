//! Which texels need more than one sample, and how many? Those under layers much finer than a texel.

use glam::DVec3;

use super::patch_of;
use crate::height::relief::Relief;

/// Most samples taken for one layer: about half a second of one core.
const BUDGET: f64 = 8.0e6;
/// Most samples along a side of a texel.
const MOST: usize = 8;

/// The layers to average, where they are and how.
#[derive(Debug)]
pub(super) struct Oversample {
    /// Cap that holds the layer, and samples along a side of a texel there.
    areas: Vec<(Option<(DVec3, f64)>, usize)>,
    /// Extent of a texel in face coordinates.
    texel: f64,
}

impl Oversample {
    /// For faces of `n` texels a side, the largest of which spans `2 a / n` metres.
    pub fn new(relief: &Relief, n: usize) -> Self {
        let texel_m = 2.0 * relief.ellipsoid().semi_major_m() / n as f64;
        let texels = 6.0 * (n as f64).powi(2);
        let areas = relief
            .areas()
            .filter(|(_, posting_m)| *posting_m < 0.6 * texel_m)
            .filter_map(|(cap, posting_m)| {
                // A cap of radius r covers (1 - cos r) / 2 of the sphere.
                let share = cap.map_or(1.0, |(_, cos_radius)| 0.5 * (1.0 - cos_radius));
                let affordable = (BUDGET / (share * texels).max(1.0)).sqrt();
                let side = (texel_m / posting_m.max(1e-3)).ceil().min(affordable) as usize;
                (side >= 2).then(|| (cap, side.min(MOST)))
            })
            .collect();
        Self { areas, texel: 2.0 / n as f64 }
    }

    pub fn is_empty(&self) -> bool {
        self.areas.is_empty()
    }

    /// Puts means over texels in the place of their heights where one sample is not enough: of those with centres at `s` and `t` of a layer
    /// of the cube, and these normals.
    pub fn average_row(
        &self,
        relief: &Relief,
        layer: usize,
        (s, t, normals): (&[f64], f64, &[DVec3]),
        heights_m: &mut [f64],
    ) {
        let side = |n: &DVec3| {
            let holds = |cap: Option<(DVec3, f64)>| cap.is_none_or(|(middle, cos_radius)| n.dot(middle) >= cos_radius);
            self.areas.iter().filter(|(cap, _)| holds(*cap)).map(|(_, side)| *side).max().unwrap_or(1)
        };
        let sides: Vec<usize> = normals.iter().map(side).collect();
        let mut first = 0;
        for run in sides.chunk_by(|a, b| a == b) {
            let (texels, side) = (first..first + run.len(), run[0]);
            first = texels.end;
            if side < 2 {
                continue;
            }
            let offset = |k: usize| ((k as f64 + 0.5) / side as f64 - 0.5) * self.texel;
            let around = |centres: &[f64]| -> Vec<f64> {
                centres.iter().flat_map(|centre| (0..side).map(move |k| centre + offset(k))).collect()
            };
            let (patch, transposed) = patch_of(layer, &around(&s[texels.clone()]), &around(&[t]));
            let samples_m = relief.overview_patch(&patch, self.texel * relief.ellipsoid().semi_major_m() / side as f64);
            // From one sample to the next along `s`, and along `t`.
            let (along_s, along_t) = if transposed { (side, 1) } else { (1, run.len() * side) };
            for (texel, height_m) in heights_m[texels].iter_mut().enumerate() {
                let at = |a: usize, b: usize| samples_m[(texel * side + a) * along_s + b * along_t];
                let sum = (0..side).flat_map(|b| (0..side).map(move |a| (a, b))).map(|(a, b)| at(a, b)).sum::<f64>();
                *height_m = sum / (side * side) as f64;
            }
        }
    }
}
