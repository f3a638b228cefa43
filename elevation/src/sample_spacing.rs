//! How fine may the data near a place be? Answered from the layers' caps alone, so that no triangle passes over a fine layer that
//! none of its own points lies on.

use std::sync::Arc;

use glam::DVec3;

use crate::{
    geodesy::Ellipsoid,
    height::{COARSE_M, Relief, Synthetic},
};

/// Where a layer may lie, and the distance between its samples.
#[derive(Clone, Copy, Debug)]
struct Area {
    /// Middle and angular radius of a cap that holds the layer; `None`: possibly the whole Earth.
    cap: Option<(DVec3, f64)>,
    posting_m: f64,
}

/// The areas of a relief's layers.
///
/// ```
/// use elevation::{geodesy::n_vector, height::{GlobalGrid, Registration, Relief}, sample_spacing::SampleSpacing};
/// let relief = Relief::from_grid(GlobalGrid::from_fn(360, 181, Registration::Node, |_, _| 0.0))?;
/// let finest_m = SampleSpacing::of(&relief).finest_m(n_vector(0.8, 0.1), 1_000.0);
/// assert!((finest_m - 111_000.0).abs() < 1_000.0); // a degree
/// # Ok::<(), elevation::height::HeightError>(())
/// ```
#[derive(Clone, Debug)]
pub struct SampleSpacing {
    areas: Vec<Area>,
    synthetic: Option<Arc<Synthetic>>,
    ellipsoid: Ellipsoid,
    /// The ellipsoid's radius of curvature is at least b^2 / a = b (1 - f); a point below the ellipsoid is that much nearer to the centre
    /// of curvature, and one of the sphere inside all ground a - b more at most, which is less than 1.03 b f. Of the rest, b (1 - 2.03 f),
    /// a 300th part of b is left over at least: 0.99 is less by so much where f is no more than a 300th, as the Earth's, and where it is
    /// more, 1 - 3 f.
    metres_per_radian: f64,
}

impl SampleSpacing {
    /// Of all layers of a relief.
    pub fn of(relief: &Relief) -> Self {
        let (ellipsoid, least_m) = (relief.ellipsoid(), relief.ellipsoid().semi_minor_m());
        let area = |(cap, posting_m): (Option<(DVec3, f64)>, f64)| Area {
            cap: cap.map(|(middle, cos_radius)| (middle, cos_radius.acos())),
            posting_m,
        };
        Self {
            ellipsoid,
            areas: relief.areas().map(area).collect(),
            synthetic: relief.synthetic().cloned(),
            metres_per_radian: (1.0 - 3.0 * ellipsoid.flattening()).min(0.99) * least_m
                + relief.range_m().0.clamp(-0.5 * least_m, 0.0),
        }
    }

    /// What heights are above.
    pub(crate) fn ellipsoid(&self) -> Ellipsoid {
        self.ellipsoid
    }

    /// Smallest posting of the layers that may have data within `radius_m` of the place with the unit normal `n`.
    pub fn finest_m(&self, n: DVec3, radius_m: f64) -> f64 {
        let finest_m = self.finest_data_m(n, radius_m);
        let near = || self.near(n).filter(|(_, away_m)| *away_m <= radius_m);
        // Detail that is made up is seen where no fine layer is all around.
        match &self.synthetic {
            Some(synthetic)
                if !near().any(|(posting_m, away_m)| posting_m <= COARSE_M && away_m < -radius_m)
                    && synthetic.is_near(n, radius_m / self.metres_per_radian) =>
            {
                finest_m.min(Synthetic::posting_m())
            }
            _ => finest_m,
        }
    }

    /// The same without what is made up.
    pub(crate) fn finest_data_m(&self, n: DVec3, radius_m: f64) -> f64 {
        self.near(n).filter(|(_, away_m)| *away_m <= radius_m).map(|(posting_m, _)| posting_m).fold(f64::MAX, f64::min)
    }

    /// Metres that a point moves at least while its geodetic normal turns by a radian, from the lowest ground up.
    pub(crate) fn metres_per_radian(&self) -> f64 {
        self.metres_per_radian
    }

    /// Posting of each layer, and the metres to its cap: at most the true distance, not positive inside.
    fn near(&self, n: DVec3) -> impl Iterator<Item = (f64, f64)> {
        self.areas.iter().map(move |area| {
            let away_rad = area.cap.map_or(0.0, |(middle, radius_rad)| {
                // By the chord, which is accurate for small angles.
                2.0 * (0.5 * n.distance(middle)).min(1.0).asin() - radius_rad
            });
            (area.posting_m, self.metres_per_radian * away_rad)
        })
    }
}
