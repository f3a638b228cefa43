//! Which texels need more than one sample, and how many? Those under layers much finer than a texel.

use glam::DVec3;

use super::ShadeCube;
use crate::{geodesy::SEMI_MAJOR_M, height::relief::Relief};

/// Most samples taken for one layer: about half a second of one core.
const BUDGET: f64 = 8.0e6;
/// Most samples along a side of a texel.
const MOST: usize = 8;

/// The layers to average, where they are and how.
pub(super) struct Oversample {
    /// Cap that holds the layer, and samples along a side of a texel there.
    areas: Vec<(Option<(DVec3, f64)>, usize)>,
    /// Extent of a texel in face coordinates.
    texel: f64,
}

impl Oversample {
    /// For faces of `n` texels a side, the largest of which spans `2 a / n` metres.
    pub fn new(relief: &Relief, n: usize) -> Self {
        let texel_m = 2.0 * SEMI_MAJOR_M / n as f64;
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

    /// Mean height of the texel with centre `n` at `(s, t)` of a layer of the cube; `None` if one sample is enough.
    pub fn mean_m(&self, relief: &Relief, n: DVec3, layer: usize, s: f64, t: f64) -> Option<f64> {
        let inside = |cap: &Option<(DVec3, f64)>| cap.is_none_or(|(middle, cos_radius)| n.dot(middle) >= cos_radius);
        let side = self.areas.iter().filter(|(cap, _)| inside(cap)).map(|(_, side)| *side).max()?;
        let offset = |k: usize| ((k as f64 + 0.5) / side as f64 - 0.5) * self.texel;
        let mut normals = [DVec3::ZERO; MOST];
        let mut heights = [0.0; MOST];
        let mut sum = 0.0;
        for b in 0..side {
            for (a, normal) in normals[..side].iter_mut().enumerate() {
                *normal = ShadeCube::direction(layer, s + offset(a), t + offset(b));
            }
            relief.overview_row(&normals[..side], self.texel * SEMI_MAJOR_M / side as f64, &mut heights[..side]);
            sum += heights[..side].iter().sum::<f64>();
        }
        Some(sum / (side * side) as f64)
    }
}
