//! How faithful is the drawn mesh to the surface, and what would the usual metric take for the same?
//!
//! For cameras drawn at random ([`benches::views::cameras`]) the mesh is settled as the engine draws it
//! ([`mesh_source`]). It is evaluated per pixel, exactly and in f64 ([`mesh_triangles`]). The surface that it converges
//! to is evaluated beside it ([`reference`](mod@reference)). That is ray cast by brute force from the relief's own
//! function, in which no triangle occurs. The error is the distance in the picture between where mesh and surface have
//! a point ([`pixel_errors`](mod@pixel_errors)). Then the triangles in the picture are counted against those of a plain
//! screen-area metric ([`area`]) at the same error in 99.9 % of the pixels ([`comparison`]). This is done at the error
//! as drawn, and at one error that both metrics are made to have. The fewest triangles that any mesh of the bisection
//! can have there are computed as well ([`least_meshes`](mod@least_meshes)).
//!
//! Positions are those of the vertex buffers, f32 relative to the eye and morphed. What the rasteriser of a GPU adds, a
//! 256th of a pixel, and what shading makes of the ground is not in the figures.

mod area;
mod candidate_vertices;
mod comparison;
mod least_meshes;
mod max_closure;
mod mesh_source;
mod mesh_triangles;
mod options;
mod pixel_errors;
mod reference;
mod report;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use anyhow::Context as _;
use terrain::View;
use terrain::height::Relief;

use area::AreaMetric;
use benches::views::sampled_view::SampledView;
use comparison::{EQUAL_PX, PART, Series, Trial, TriangleCount};
use least_meshes::LeastMeshes;
use mesh_source::MeshSource;
use mesh_triangles::{MeshTriangles, VisibleTriangles};
use pixel_errors::PixelErrors;
use reference::Reference;
use viewer::camera::{Camera, Pose};

/// Runs the program.
pub fn main() -> std::process::ExitCode {
    benches::exit_code("fidelity", report::run(&clap::Parser::parse()))
}

/// Measures pictures of one relief.
pub struct FidelityMeter {
    relief: Arc<Relief>,
    meshes: MeshSource,
    reference: Reference,
    area: AreaMetric,
    size_px: (u32, u32),
    fov_y_rad: f64,
}

/// What one picture comes to.
#[derive(Debug, Clone)]
pub struct Measured {
    /// Errors of the mesh.
    pub errors: PixelErrors,
    /// Triangles that face the eye and reach into the picture.
    pub triangles: u32,
    /// All live triangles.
    pub live: u32,
    /// Triangles that the view wants and the pool does not have.
    pub starved: u32,
    /// What others take; `None` where the picture shows no ground, or was not compared.
    pub compared: Option<MeshComparison>,
}

/// Triangles of other meshes of the same image.
#[derive(Debug, Clone, Copy)]
pub struct MeshComparison {
    /// The area metric, for the error of this mesh.
    pub area: TriangleCount,
    /// The area metric, whatever the error.
    pub area_coarsest: u32,
    /// This mesh's metric and the area metric, each for an error of [`EQUAL_PX`].
    pub equal: [TriangleCount; 2],
    /// Any mesh of the bisection, at least, for the error of this one.
    pub least: LeastMeshes,
}

impl FidelityMeter {
    /// Measures the pictures of a size and vertical field of view that the meshes of a relief give.
    pub fn new(meshes: MeshSource, relief: Arc<Relief>, size_px: (u32, u32), fov_y_rad: f64) -> FidelityMeter {
        let (reference, area) = (Reference::new(relief.clone()), AreaMetric::new(relief.clone()));
        FidelityMeter { relief, meshes, reference, area, size_px, fov_y_rad }
    }

    /// Settles the mesh and measures its picture; `compare` finds the triangles of the area metric as well.
    ///
    /// # Errors
    /// A view that cannot be drawn or does not settle, data too fine for the length of a ray, a device that is lost.
    pub fn measure(&mut self, pose: &Pose, compare: bool) -> anyhow::Result<Measured> {
        let camera = Camera::from_pose(pose);
        let view = View::perspective(camera.eye_m, camera.forward(), camera.up(), self.fov_y_rad, self.size_px);
        let sampled = SampledView::new(view)?;
        let settled = self.meshes.settle(&view)?;
        let shown = settled.facets.shown(&sampled);
        let truth = self.reference.shown(&sampled).context("the surface cannot be ray cast")?;
        let picture = MeasuredImage { sampled: &sampled, reference: &self.reference, truth: &truth };
        let errors = picture.errors(&settled.facets, &shown);
        let compared = match errors.within(PART) {
            Some(error_px) if compare => {
                Some(compare_meshes(&mut self.meshes, &self.area, &self.relief, &picture, error_px)?)
            }
            _ => None,
        };
        Ok(Measured {
            errors,
            triangles: shown.triangles,
            live: settled.facets.len() as u32,
            starved: settled.starved,
            compared,
        })
    }
}

/// A view with its reference: the distance of the surface in each measured pixel.
struct MeasuredImage<'a> {
    sampled: &'a SampledView,
    reference: &'a Reference,
    truth: &'a [Option<f64>],
}

impl MeasuredImage<'_> {
    fn errors(&self, mesh: &MeshTriangles, shown: &VisibleTriangles) -> PixelErrors {
        PixelErrors::of(mesh, shown, self.sampled, self.reference, self.truth)
    }

    fn trial(&self, mesh: &MeshTriangles, starved: bool) -> Trial {
        let shown = mesh.shown(self.sampled);
        let error_px = self.errors(mesh, &shown).within(PART).unwrap_or(0.0);
        Trial { triangles: shown.triangles, error_px, starved }
    }
}

fn compare_meshes(
    meshes: &mut MeshSource,
    area: &AreaMetric,
    relief: &Arc<Relief>,
    picture: &MeasuredImage<'_>,
    error_px: f64,
) -> anyhow::Result<MeshComparison> {
    let mut by_area = Series::new(area::TOLERANCES, |area_px2| {
        let settled = area.settle(picture.sampled, area_px2)?;
        anyhow::Ok(picture.trial(&settled.facets, settled.starved))
    });
    let asked_px = meshes.pixel_error();
    let mut ours = Series::new(mesh_source::TOLERANCES, |pixel_error| {
        meshes.set_pixel_error(pixel_error)?;
        let settled = meshes.settle(picture.sampled.view())?;
        anyhow::Ok(picture.trial(&settled.facets, settled.starved > 0))
    });
    let equal = [ours.needed(EQUAL_PX)?, by_area.needed(EQUAL_PX)?];
    meshes.set_pixel_error(asked_px)?;
    Ok(MeshComparison {
        area: by_area.needed(error_px)?,
        area_coarsest: by_area.coarsest()?.triangles,
        equal,
        least: least_meshes::least_meshes(relief, picture.sampled, picture.reference, picture.truth, error_px),
    })
}
