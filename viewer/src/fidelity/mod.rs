//! How faithful is the drawn mesh to the surface, and what would the usual metric take for the same?
//!
//! For cameras drawn at random ([`cameras`]) the mesh is settled as the engine draws it ([`meshes`]) and looked at through
//! pixels, exactly and in f64 ([`facets`]), beside the surface that it converges to ([`reference`](mod@reference)): ray cast by
//! brute force from the relief's own function, in which no triangle occurs. The error is the distance in the picture
//! between where mesh and surface have a point ([`error`](mod@error)). Then the triangles in the picture are counted against those
//! of a plain screen-area metric ([`area`]) at the same error in 99.9 % of the pixels ([`comparison`]), and with the fewest that
//! any mesh of the bisection can have there ([`least`](mod@least)).
//!
//! Positions are those of the vertex buffers, f32 relative to the eye and morphed. What the rasteriser of a GPU adds, a
//! 256th of a pixel, and what shading makes of the ground is not in the figures.

pub mod area;
pub mod cameras;
mod choices;
mod closure;
pub mod comparison;
pub mod error;
pub mod facets;
pub mod frame;
pub mod least;
pub mod meshes;
pub mod reference;

use std::sync::Arc;

use anyhow::Context as _;
use terrain::View;
use terrain::height::Relief;

use crate::camera::{Camera, Pose};
use area::AreaMetric;
use comparison::Baseline;
use error::Errors;
use frame::Frame;
use least::Least;
use meshes::Meshes;
use reference::Reference;

/// Measures pictures of one relief.
pub struct Gauge {
    relief: Arc<Relief>,
    meshes: Meshes,
    reference: Reference,
    area: AreaMetric,
    size_px: (u32, u32),
    fov_y_rad: f64,
}

/// What one picture comes to.
#[derive(Debug, Clone)]
pub struct Measured {
    /// Errors of the mesh.
    pub errors: Errors,
    /// Triangles that face the eye and reach into the picture.
    pub triangles: u32,
    /// All live triangles.
    pub live: u32,
    /// Triangles that the view wants and the pool does not have.
    pub starved: u32,
    /// What the area metric takes; `None` where the picture shows no ground, or was not compared.
    pub baseline: Option<Baseline>,
    /// What the area metric takes at least, whatever the error; `None` as before.
    pub coarsest: Option<u32>,
    /// What any mesh of the bisection takes at least for the error of this one; `None` as before.
    pub least: Option<Least>,
}

impl Gauge {
    /// Measures the pictures of a size and vertical field of view that the meshes of a relief give.
    pub fn new(meshes: Meshes, relief: Arc<Relief>, size_px: (u32, u32), fov_y_rad: f64) -> Gauge {
        let (reference, area) = (Reference::new(relief.clone()), AreaMetric::new(relief.clone()));
        Gauge { relief, meshes, reference, area, size_px, fov_y_rad }
    }

    /// Settles the mesh and measures its picture; `compare` finds the triangles of the area metric as well.
    ///
    /// # Errors
    /// A view that cannot be drawn or does not settle, data too fine for the length of a ray, a device that is lost.
    pub fn measure(&mut self, pose: &Pose, compare: bool) -> anyhow::Result<Measured> {
        let camera = Camera::from_pose(pose);
        let view = View {
            eye_m: camera.eye_m,
            forward: camera.forward(),
            up: camera.up(),
            fov_y_rad: self.fov_y_rad,
            size_px: self.size_px,
        };
        let frame = Frame::new(view)?;
        let settled = self.meshes.settle(&view)?;
        let shown = settled.facets.shown(&frame);
        let truth = self.reference.shown(&frame).context("the surface cannot be ray cast")?;
        let errors = Errors::of(&settled.facets, &shown, &frame, &self.reference, &truth);
        let (mut baseline, mut coarsest, mut least) = (None, None, None);
        if let (Some(error_px), true) = (errors.within(comparison::PART), compare) {
            baseline = Some(comparison::baseline(&self.area, &frame, &self.reference, &truth, error_px)?);
            coarsest = Some(comparison::coarsest(&self.area, &frame)?);
            least = Some(least::least(&self.relief, &frame, &self.reference, &truth, error_px));
        }
        Ok(Measured {
            errors,
            triangles: shown.triangles,
            live: settled.facets.len() as u32,
            starved: settled.starved,
            baseline,
            coarsest,
            least,
        })
    }
}
