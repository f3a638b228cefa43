//! How few triangles can any mesh of this bisection do with? A proven bound, and a mesh that comes near it.
//!
//! Whatever its metric, a mesh is a set of vertices of which none is without those that must come before it. If they lie on the
//! surface, the depth alone determines the triangle over a place. It also determines how far beside its point the surface's place
//! in a pixel is drawn. So the triangles in the picture and the pixels that are wrong by more than a bound are sums over the
//! vertices. Each wrong pixel has a price, and the cheapest mesh is a minimum cut (`closure.rs`). Its cost, less the price of all
//! pixels that may be wrong, is a lower bound (Lagrange). No mesh with at most so many wrong pixels has fewer triangles. The
//! price is searched for at which that bound is highest.
//!
//! The bound knows the ground that pixels show, not what a mesh shows in its place. The meshes that it comes from are measured
//! like any other. The least one that is good enough is printed beside it.

use std::sync::Arc;

use terrain::height::Relief;

use super::candidate_vertices::{CandidateVertices, TRIANGLE};
use super::comparison::PART;
use super::mesh_triangles::MeshTriangles;
use super::pixel_errors::PixelErrors;
use super::reference::Reference;
use benches::views::sampled_view::SampledView;

/// Prices are powers of two up to 2^8 triangles a pixel, then narrowed down in so many steps.
const DOUBLINGS: u32 = 20;
const HALVINGS: u32 = 8;

/// Parts of the error with which a mesh is sought that shows nothing wrong in the place of the ground either.
const STRICTER: [f64; 3] = [0.85, 0.7, 0.5];

/// Triangles of which a picture's least meshes are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LeastMeshes {
    /// No mesh with fewer triangles in the picture has so small an error, if its vertices lie on the surface.
    pub bound: u32,
    /// One with so many has.
    pub found: Option<u32>,
}

/// The least triangles with which [`PART`] of the pixels stay within `error_px`. `truth` is [`Reference::shown`].
pub fn least_meshes(
    relief: &Arc<Relief>,
    sampled: &SampledView,
    reference: &Reference,
    truth: &[Option<f64>],
    error_px: f64,
) -> LeastMeshes {
    let good_enough = |mesh: &MeshTriangles| {
        let shown = mesh.shown(sampled);
        let errors = PixelErrors::of(mesh, &shown, sampled, reference, truth);
        let good = errors.holes == 0 && errors.within(PART).is_some_and(|found_px| found_px <= error_px);
        good.then_some(shown.triangles)
    };
    let within = |wrong_px: f64| {
        let mut candidates = CandidateVertices::new(relief, sampled, wrong_px);
        candidates.grow(sampled.rays().iter().zip(truth).filter_map(|(&ray, t)| Some(ray * (*t)?)));
        search(&mut candidates, good_enough)
    };
    let mut least = within(error_px);
    for stricter in STRICTER {
        least.found = least.found.or_else(|| within(error_px * stricter).found);
    }
    least
}

/// The highest bound of all prices, and the least of their meshes that is `good_enough`, which tells its triangles.
fn search(candidates: &mut CandidateVertices<'_>, good_enough: impl Fn(&MeshTriangles) -> Option<u32>) -> LeastMeshes {
    // Of no more pixels than are measured.
    let last = candidates.measured().saturating_sub(1);
    let most_wrong = (last - (last as f64 * PART).round() as usize) as i64;
    let mut least = LeastMeshes { bound: 0, found: None };
    let mut try_price = |price: i64| {
        let (vertices, cost, wrong) = candidates.at_price(price);
        let bound = ((cost - price * most_wrong).max(0) as u64).div_ceil(TRIANGLE as u64) as u32;
        least.bound = least.bound.max(bound);
        if wrong <= most_wrong
            && let Some(triangles) = good_enough(&candidates.mesh(&vertices))
        {
            least.found = Some(least.found.map_or(triangles, |found| found.min(triangles)));
        }
        wrong <= most_wrong
    };
    let Some(enough) = (0..=DOUBLINGS).find(|&doubling| try_price(1 << doubling)) else { return least };
    let (mut low, mut high) = ((1i64 << enough) / 2, 1i64 << enough);
    for _ in 0..HALVINGS {
        let middle = i64::midpoint(low, high);
        if try_price(middle) { high = middle } else { low = middle }
    }
    least
}
