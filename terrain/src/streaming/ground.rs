//! Where is the ground of a tile that is not made yet, and how near does it come to an eye?

use glam::DVec3;

use crate::{geodesy::Ellipsoid, metric::OUT_OF_PICTURE, tile::TileId, view::ViewFrustum};

/// A sphere round the ground of a square.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ground {
    pub centre_m: DVec3,
    /// Height of the centre, and how far from there its ground reaches and rises.
    pub height_m: f64,
    pub radius_m: f64,
    pub rise_m: f64,
}

/// What a view has of some ground.
pub(super) struct Visibility {
    /// No place of it is nearer to the eye.
    pub nearest_m: f64,
    /// 1 in the picture, less beside it.
    pub weight: f64,
}

impl Ground {
    /// Of the square of `side` texels from a texel of a tile on, between two heights and `slack_m` beyond them.
    pub fn of(
        ellipsoid: Ellipsoid,
        id: TileId,
        [x0, y0]: [u32; 2],
        side: u32,
        (low_m, high_m): (f64, f64),
        slack_m: f64,
    ) -> Self {
        let height_m = 0.5 * (low_m + high_m);
        let place = |x: u32, y: u32| ellipsoid.ecef(id.place(x0 + x, y0 + y).point().normal(), height_m);
        let centre_m = place(side / 2, side / 2);
        let rim = [0, side / 2, side].into_iter().flat_map(|x| [(x, 0), (x, side), (0, x), (side, x)]);
        let radius_m = rim.map(|(x, y)| place(x, y).distance(centre_m)).fold(0.0, f64::max);
        let rise_m = 0.5 * (high_m - low_m) + slack_m;
        Self { centre_m, height_m, radius_m: 1.02 * radius_m + rise_m, rise_m }
    }

    /// What an eye at a height above the ellipsoid has of it; `None` if all of it is behind the horizon.
    pub fn visibility(&self, frustum: &ViewFrustum, eye_height_m: f64) -> Option<Visibility> {
        let relative_m = self.centre_m - frustum.eye_m;
        if frustum.beyond_horizon(relative_m, self.height_m, self.radius_m, self.rise_m) {
            return None;
        }
        // Height above the ellipsoid is a distance, so the eye is at least as far from the ground as it is above its top.
        let top_m = self.height_m + self.rise_m;
        let nearest_m = (relative_m.length() - self.radius_m).max(eye_height_m - top_m).max(0.0);
        let weight = if frustum.may_show(relative_m, self.radius_m) { 1.0 } else { f64::from(OUT_OF_PICTURE) };
        Some(Visibility { nearest_m, weight })
    }
}
