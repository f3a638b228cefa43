//! What of a relief is made up? Ridges and gullies between the postings of coarse layers, and where they are.

use std::sync::Arc;

use glam::DVec3;

use super::{
    super::synthetic::{COARSE_M, Synthetic},
    Relief,
};
use crate::water::Water;

impl Relief {
    /// The same layers with ridges and gullies made up where data are coarser than a kilometre, as high as these are rugged. They are
    /// deterministic, continuous, and within [`bounds_m`](Self::bounds_m); coasts and lakes stay where they are, and finer data as they are.
    ///
    /// ```
    /// use elevation::{height::{GlobalGrid, Location, Registration, Relief}, water::Water};
    /// let hills = |lon: f64, lat: f64| 1_500.0 + 900.0 * (40.0 * lon).to_radians().sin() * (40.0 * lat).to_radians().cos();
    /// let relief = Relief::from_grid(GlobalGrid::from_fn(1440, 721, Registration::Node, hills))?;
    /// let detailed = relief.with_synthetic_detail(Water::earth());
    /// let place = Location::at(46.3, 8.1).normal;
    /// assert!(relief.sample(place) != detailed.sample(place));
    /// assert!(detailed.is_synthetic(place) && !relief.is_synthetic(place));
    /// assert!(detailed.has_synthetic_detail() && !relief.has_synthetic_detail());
    /// assert!(detailed.has_synthetic_detail_near(place, 0.01) && !relief.has_synthetic_detail_near(place, 0.01));
    /// # Ok::<(), elevation::height::HeightError>(())
    /// ```
    #[must_use]
    pub fn with_synthetic_detail(&self, water: &Water) -> Self {
        let heights = |normals: &[DVec3], spacing, heights_m: &mut [f64]| self.sample_rows(normals, spacing, heights_m);
        Self { synthetic: Some(Arc::new(Synthetic::of(&heights, water))), ..self.shared() }
    }

    /// Whether some of the height at a unit normal is made up: see [`with_synthetic_detail`](Self::with_synthetic_detail).
    pub fn is_synthetic(&self, n: DVec3) -> bool {
        let Some(synthetic) = &self.synthetic else { return false };
        self.infos[self.sample(n).layer].posting_m > COARSE_M && synthetic.is_near(n, 0.0)
    }

    /// Whether detail is made up where data are coarse.
    pub fn has_synthetic_detail(&self) -> bool {
        self.synthetic.is_some()
    }

    /// Whether there may be such detail within an angle of a unit normal, where data are coarse.
    pub fn has_synthetic_detail_near(&self, n: DVec3, radius_rad: f64) -> bool {
        self.synthetic.as_ref().is_some_and(|synthetic| synthetic.is_near(n, radius_rad))
    }

    pub(crate) fn synthetic(&self) -> Option<&Arc<Synthetic>> {
        self.synthetic.as_ref()
    }

    /// Distance in metres between places that tell all of the ground at a normal: of postings, or closer where detail is
    /// [made up](Self::with_synthetic_detail).
    pub fn finest_m(&self, n: DVec3) -> f64 {
        let posting_m = self.posting_m(n);
        if self.is_synthetic(n) { posting_m.min(Synthetic::posting_m()) } else { posting_m }
    }
}
