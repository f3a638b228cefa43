//! Where is the ground that pictures show?

use glam::DVec3;
use terrain::geodesy::Ellipsoid;
use terrain::height::Relief;
use terrain::water::{Cover, Water};

use crate::camera::GroundData;
use crate::camera::ground::Ground;

/// The ground as pictures show it: heights as they are drawn, and the sea above its floor if water is drawn.
pub struct DrawnGround<'a> {
    /// The heights.
    pub relief: &'a Relief,
    /// Where water is, if it is drawn.
    pub water: Option<&'a Water>,
}

impl Ground for DrawnGround<'_> {
    fn ellipsoid(&self) -> Ellipsoid {
        self.relief.ellipsoid()
    }

    fn height_m(&self, n: DVec3) -> f64 {
        let height_m = self.relief.sample(n).height_m;
        if height_m < 0.0 && is_sea(self.water, n) { 0.0 } else { height_m }
    }
}

/// Whether a place is sea, where water is drawn.
pub(super) fn is_sea(drawn_water: Option<&Water>, n: DVec3) -> bool {
    drawn_water.is_some_and(|water| water.at(n) == Cover::Sea)
}

impl GroundData for DrawnGround<'_> {
    fn posting_m(&self, n: DVec3) -> f64 {
        self.relief.finest_m(n)
    }
}
