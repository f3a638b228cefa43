//! What is the ground at a place, along a line, between two points, all around? Queries of the surface that the mesh converges to.
//!
//! The surface is the relief's own function of the geodetic normal, in f64: the one that every vertex of the mesh lies
//! on, that the camera is kept above, and that picking meets. An answer does not depend on what happens to be drawn or
//! loaded. Heights are above the datum of the data and are placed as heights above the WGS84 ellipsoid, as the mesh does.
//! Each answer says which layer it comes from, how dense that is, and the level of tiles that shows it whole
//! ([`Provenance`]); the layer's name and datum are in [`Relief::layers`].
//!
//! Lines are not sampled but closed in on: see [`Surface::ray`].

mod descent;
#[cfg(feature = "gdal")]
mod geotiff;
mod profile;
mod ray;
mod sight;
#[cfg(test)]
mod tests;
mod viewshed;

use std::sync::Arc;

use glam::DVec3;
use rayon::prelude::*;

use crate::{height::Relief, pack::level_of, postings::Postings, slope::Slope};
pub use profile::ProfilePoint;
pub use ray::{Hit, Ray, RayError};
pub use viewshed::{Viewshed, ViewshedError, ViewshedOptions};

/// Places of a batch that one thread takes at a time.
const PLACES_PER_TASK: usize = 256;

/// Queries of one relief.
///
/// ```
/// use std::sync::Arc;
/// use terrain::{geodesy::Geodetic, height::{GlobalGrid, Registration, Relief}, surface::Surface};
/// let hill = GlobalGrid::from_fn(360, 181, Registration::Node, |lon, lat| 3000.0 - 100.0 * lon.hypot(lat));
/// let surface = Surface::new(Arc::new(Relief::from_grid(hill)?));
/// assert_eq!(surface.ground(Geodetic::from_degrees(0.0, 0.0, 0.0).normal()).height_m, 3000.0);
/// # Ok::<(), terrain::height::HeightError>(())
/// ```
#[derive(Clone)]
pub struct Surface {
    relief: Arc<Relief>,
    postings: Postings,
}

/// Where a height comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Provenance {
    /// Which of [`Relief::layers`] answers; name and datum are there.
    pub layer: usize,
    /// Distance between that layer's samples.
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
    /// Which of [`Relief::layers`] answers.
    pub layer: usize,
    /// Distance between that layer's samples.
    pub posting_m: f64,
    /// The coarsest level of tiles whose vertices are no farther apart than that.
    pub level: u32,
}

impl Surface {
    /// Queries of a relief.
    pub fn new(relief: Arc<Relief>) -> Self {
        Self { postings: Postings::of(&relief), relief }
    }

    /// The layers that answer.
    pub fn relief(&self) -> &Relief {
        &self.relief
    }

    /// Height in metres at a unit geodetic normal.
    pub fn height_m(&self, n: DVec3) -> f64 {
        self.relief.sample(n).height_m
    }

    /// Heights in metres at many unit geodetic normals, in their order, on all threads: [`Surface::height_m`] for each.
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

    /// The ground at a unit geodetic normal; slopes by differences over half a posting to each side.
    pub fn ground(&self, n: DVec3) -> Ground {
        let sample = self.relief.sample(n);
        let Provenance { layer, posting_m, level } = self.of_layer(sample.layer);
        let slope = Slope::of(|n| self.relief.sample(n).height_m, n, 0.5 * posting_m);
        Ground {
            height_m: sample.height_m,
            slope_rad: slope.steepness().atan(),
            aspect_rad: slope.aspect_rad(),
            normal: slope.normal(n),
            layer,
            posting_m,
            level,
        }
    }

    /// The ground at many unit geodetic normals, in their order, on all threads: [`Surface::ground`] for each.
    pub fn grounds(&self, normals: &[DVec3]) -> Vec<Ground> {
        normals.par_iter().with_min_len(PLACES_PER_TASK).map(|n| self.ground(*n)).collect()
    }

    /// What answers with a layer's data.
    fn of_layer(&self, layer: usize) -> Provenance {
        let posting_m = self.relief.layers()[layer].posting_m;
        Provenance { layer, posting_m, level: level_of(posting_m) }
    }
}
