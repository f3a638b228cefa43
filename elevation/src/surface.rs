//! What is the ground at a place, along a line, between two points? Queries of the surface that the mesh converges to.
//!
//! The surface is the relief's own function of the geodetic normal, in f64. Every vertex of the mesh lies on it, the
//! camera is kept above it, and picking meets it. An answer does not depend on what happens to be drawn or loaded. Heights
//! are above the datum of the data and are placed as heights above the WGS84 ellipsoid, as the mesh does. Each answer says
//! which layer it comes from, how dense the data are there, the level of tiles that shows them whole, and whether the
//! height is blended or filled ([`Provenance`]). Names and datums are in [`Relief::layers`] and [`Relief::source_at`].
//!
//! Lines are not sampled but closed in on: see [`Surface::ray`].

mod descent;
mod error;
mod height_offset;
mod profile;
mod ray;
mod sight;
mod sight_line;
mod slope_rule;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use glam::DVec3;
use rayon::prelude::*;

use crate::{
    height::{Relief, Sample},
    sample_spacing::SampleSpacing,
    tile::level_of,
};
pub use error::RayError;
pub use profile::ProfilePoint;
pub use ray::{Hit, Ray};
pub use sight_line::SightLine;
pub use slope_rule::SlopeRule;

/// Places of a batch that one thread takes at a time.
const PLACES_PER_TASK: usize = 256;

/// Queries of one relief.
///
/// ```
/// use std::sync::Arc;
/// use elevation::{geodesy::Geodetic, height::{GlobalGrid, Registration, Relief}, surface::Surface};
/// let hill = GlobalGrid::from_fn(360, 181, Registration::Node, |lon, lat| 3000.0 - 100.0 * lon.hypot(lat));
/// let surface = Surface::new(Arc::new(Relief::from_grid(hill)?));
/// assert_eq!(surface.ground(Geodetic::from_degrees(0.0, 0.0, 0.0).normal()).height_m, 3000.0);
/// # Ok::<(), elevation::height::HeightError>(())
/// ```
#[derive(Clone)]
pub struct Surface {
    relief: Arc<Relief>,
    postings: SampleSpacing,
}

/// Where a height comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Provenance {
    /// Which of [`Relief::layers`] has the largest share in it.
    pub layer: usize,
    /// That share, above 0 to 1; 1 where the layer answers alone. In packs, that of what the layer was made from, and in folders that
    /// of the file.
    pub share: f64,
    /// The layer with the next largest share, where the height is blended: outside of a layer's data, within its feather. What is
    /// blended within a folder or pack is told by [`Relief::source_at`].
    pub blended_with: Option<usize>,
    /// Whether a posting beside the place is not a file's own, but filled or continued from the heights around it. Packs tell
    /// it by quads between their vertices, beyond the sides of data by four of them; older ones do not tell it.
    pub filled: bool,
    /// Distance between the layer's samples there.
    pub posting_m: f64,
    /// The coarsest level of tiles whose vertices are no farther apart than that.
    pub level: u32,
}

/// The ground at a place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ground {
    /// Height above the layer's datum.
    pub height_m: f64,
    /// Angle between the ground and the horizontal, radians.
    pub slope_rad: f64,
    /// Direction of steepest descent, radians clockwise from north; 0 where the ground is level.
    pub aspect_rad: f64,
    /// Unit normal of the ground, ECEF.
    pub normal: DVec3,
    /// Where the height comes from.
    pub provenance: Provenance,
}

impl Surface {
    /// Queries of a relief.
    pub fn new(relief: Arc<Relief>) -> Self {
        Self { postings: SampleSpacing::of(&relief), relief }
    }

    /// The layers that answer.
    pub fn relief(&self) -> &Arc<Relief> {
        &self.relief
    }

    /// Height in metres at a unit geodetic normal.
    pub fn height_m(&self, n: DVec3) -> f64 {
        self.relief.sample(n).height_m
    }

    /// Heights in metres at many unit geodetic normals, in their order, on all threads: [`Surface::height_m`] for each.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use elevation::{geodesy::Geodetic, height::{GlobalGrid, Registration, Relief}, surface::Surface};
    /// let hill = GlobalGrid::from_fn(360, 181, Registration::Node, |lon, lat| 3000.0 - 100.0 * lon.hypot(lat));
    /// let surface = Surface::new(Arc::new(Relief::from_grid(hill)?));
    /// let places = [0.0, 5.0, 10.0].map(|lat| Geodetic::from_degrees(lat, 0.0, 0.0).normal());
    /// assert_eq!(surface.heights_m(&places), places.map(|n| surface.height_m(n)));
    /// assert!(surface.grounds(&places)[1].slope_rad > 0.0);
    /// # Ok::<(), elevation::height::HeightError>(())
    /// ```
    pub fn heights_m(&self, normals: &[DVec3]) -> Vec<f64> {
        let mut heights_m = vec![0.0; normals.len()];
        let pieces = normals.par_chunks(PLACES_PER_TASK).zip(heights_m.par_chunks_mut(PLACES_PER_TASK));
        pieces.for_each(|(normals, heights_m)| self.relief.sample_row(normals, heights_m));
        heights_m
    }

    /// Unit normal of the ground at a unit geodetic normal, ECEF.
    pub fn normal(&self, n: DVec3) -> DVec3 {
        self.ground(n).normal
    }

    /// Angle between the ground and the horizontal at a unit geodetic normal, radians.
    pub fn slope_rad(&self, n: DVec3) -> f64 {
        self.ground(n).slope_rad
    }

    /// The ground at a unit geodetic normal; slopes by [`SlopeRule::Central`].
    pub fn ground(&self, n: DVec3) -> Ground {
        self.ground_by(SlopeRule::Central, n)
    }

    /// The ground at a unit geodetic normal, with slope, aspect and normal by a rule.
    ///
    /// Where a layer answers alone, those above it do not count in the slope either: coarse data around fine ones are as steep as
    /// without them.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use elevation::{geodesy::Geodetic, height::{GlobalGrid, Registration, Relief}, surface::{SlopeRule, Surface}};
    /// let ramp = GlobalGrid::from_fn(360, 181, Registration::Node, |_, lat| 1_000.0 * lat);
    /// let surface = Surface::new(Arc::new(Relief::from_grid(ramp)?));
    /// let ground = surface.ground_by(SlopeRule::Horn, Geodetic::from_degrees(30.0, 5.0, 0.0).normal());
    /// // It rises to the north by 1000 m a degree, so it falls to the south.
    /// assert!((ground.slope_rad.tan() - 1_000.0 / 110_850.0).abs() < 1e-5);
    /// assert!((ground.aspect_rad - std::f64::consts::PI).abs() < 1e-6);
    /// assert_eq!((ground.provenance.layer, ground.provenance.share), (0, 1.0));
    /// # Ok::<(), elevation::height::HeightError>(())
    /// ```
    pub fn ground_by(&self, rule: SlopeRule, n: DVec3) -> Ground {
        let sample = self.relief.sample(n);
        let provenance = self.provenance(n, &sample);
        let topmost = sample.blended_with.map_or(sample.layer, |other| other.min(sample.layer));
        let slope = self.slope(rule, topmost, n);
        Ground {
            height_m: sample.height_m,
            slope_rad: slope.steepness().atan(),
            aspect_rad: slope.aspect_rad(),
            normal: slope.normal(n),
            provenance,
        }
    }

    /// The ground at many unit geodetic normals, in their order, on all threads: [`Surface::ground`] for each.
    pub fn grounds(&self, normals: &[DVec3]) -> Vec<Ground> {
        normals.par_iter().with_min_len(PLACES_PER_TASK).map(|n| self.ground(*n)).collect()
    }

    /// Where the height at a unit geodetic normal comes from.
    fn provenance(&self, n: DVec3, sample: &Sample) -> Provenance {
        let &Sample { layer, share, blended_with, filled, .. } = sample;
        let posting_m = self.relief.posting_of_m(layer, n);
        let (within, filled_within) = self.relief.share_within(layer, n);
        let (share, filled) = (share * within, filled || filled_within);
        Provenance {
            layer,
            share,
            blended_with,
            filled,
            posting_m,
            level: level_of(self.relief.ellipsoid(), posting_m),
        }
    }
}
