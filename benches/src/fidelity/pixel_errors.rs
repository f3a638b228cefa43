//! How far from its place does a mesh show the ground? The error in pixels, pixel by pixel, and the holes.

use rayon::prelude::*;

use super::mesh_triangles::{MeshTriangles, VisibleTriangles};
use super::reference::Reference;
use benches::figures::quantile;
use benches::views::sampled_view::SampledView;

/// Errors of a picture.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PixelErrors {
    /// Error in pixels of every measured pixel in which mesh or surface shows ground, ascending.
    pub px: Vec<f64>,
    /// Measured pixels through which the mesh is seen from below ([`VisibleTriangles::gaps`]), or whose ground it has
    /// no triangle for. A silhouette that is drawn too low is none: it is an error of as many pixels.
    pub holes: u32,
}

/// What one pixel tells.
struct Pixel {
    error_px: f64,
    hole: bool,
}

impl PixelErrors {
    /// Compares what a mesh shows with the surface, whose distances are `truth` ([`Reference::shown`]).
    ///
    /// The error of a pixel is the larger of two: the point that the mesh shows is moved along its vertical to the
    /// surface, and the point that the surface shows along its vertical to the mesh. Each move is measured in the picture.
    /// The second one finds what the mesh lacks: a ridge that it draws too low shows what lies behind it, or the sky.
    pub fn of(
        mesh: &MeshTriangles,
        shown: &VisibleTriangles,
        sampled: &SampledView,
        reference: &Reference,
        truth: &[Option<f64>],
    ) -> PixelErrors {
        let pixels: Vec<Pixel> = (0..sampled.rays().len())
            .into_par_iter()
            .with_min_len(64)
            .filter_map(|index| pixel(mesh, shown, sampled, reference, truth, index))
            .collect();
        let mut px: Vec<f64> = pixels.iter().map(|pixel| pixel.error_px).collect();
        px.sort_by(f64::total_cmp);
        PixelErrors { px, holes: pixels.iter().filter(|pixel| pixel.hole).count() as u32 }
    }

    /// The error that a part of the pixels stays within, pixels; `None` where no pixel shows ground.
    pub fn within(&self, part: f64) -> Option<f64> {
        quantile(&self.px, part)
    }
}

/// `None` where mesh and surface agree on the sky.
fn pixel(
    mesh: &MeshTriangles,
    shown: &VisibleTriangles,
    sampled: &SampledView,
    reference: &Reference,
    truth: &[Option<f64>],
    index: usize,
) -> Option<Pixel> {
    let ray = sampled.rays()[index];
    let drawn_px =
        shown.distances_m[index].map(|t| sampled.displacement_px(ray * t, reference.at_place(sampled, ray * t).0));
    let lacking_px = truth[index].map(|t| {
        let n = terrain::geodesy::Ellipsoid::WGS84.normal_at(sampled.view().eye_m + ray * t);
        mesh.at_place(n, ray * t).map_or(f64::INFINITY, |foot| sampled.displacement_px(ray * t, foot))
    });
    let hole = shown.gaps[index] || lacking_px == Some(f64::INFINITY);
    // No error is larger than the picture; that of a gap in the sky is.
    let most_px = sampled.displacement_px(ray, -ray);
    let error_px = drawn_px.into_iter().chain(lacking_px).chain(hole.then_some(most_px)).reduce(f64::max)?;
    Some(Pixel { error_px: error_px.min(most_px), hole })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use glam::DVec3;
    use terrain::View;
    use terrain::bisection::{HeapId, ROOTS};
    use terrain::geodesy::{Ellipsoid, n_vector};
    use terrain::height::{GlobalGrid, Registration, Relief};

    /// A smooth globe at 500 m.
    fn reference() -> Reference {
        let grid = GlobalGrid::from_fn(72, 37, Registration::Node, |_, _| 500.0);
        Reference::new(Arc::new(Relief::from_grid(grid).unwrap()))
    }

    /// Bisectors `height_m` above the ellipsoid, to depth 34 (tens of metres) below the eye and far coarser elsewhere.
    fn mesh(eye_m: DVec3, height_m: f64) -> MeshTriangles {
        let mut live = Vec::new();
        let mut open: Vec<HeapId> = (0..ROOTS).map(HeapId::root).collect();
        while let Some(id) = open.pop() {
            let corners_m = id.triangle().0.map(|p| Ellipsoid::WGS84.ecef(p.normal(), height_m) - eye_m);
            let side_m = corners_m[0].distance(corners_m[2]);
            let nearest_m = corners_m.map(DVec3::length).into_iter().fold(f64::INFINITY, f64::min);
            if side_m * 30.0 > nearest_m && id.depth() < 34 {
                open.extend([id.child(0), id.child(1)]);
            } else {
                live.push((id, corners_m));
            }
        }
        MeshTriangles::new(live.into_iter())
    }

    fn errors(sampled: &SampledView, mesh: &MeshTriangles) -> PixelErrors {
        let reference = reference();
        let truth = reference.shown(sampled).unwrap();
        PixelErrors::of(mesh, &mesh.shown(sampled), sampled, &reference, &truth)
    }

    /// An eye `above_m` over the ground, looking `down_rad` below the level, and its picture of 160 x 90 pixels.
    fn sampled(above_m: f64, down_rad: f64) -> SampledView {
        sized(above_m, down_rad, (160, 90))
    }

    fn sized(above_m: f64, down_rad: f64, size_px: (u32, u32)) -> SampledView {
        let n = n_vector(0.7, 0.3);
        let level = n.any_orthonormal_vector();
        let forward = level * down_rad.cos() - n * down_rad.sin();
        SampledView::new(View::perspective(Ellipsoid::WGS84.ecef(n, 500.0 + above_m), forward, n, 0.8, size_px))
            .unwrap()
    }

    /// Law: ground that is drawn d metres too high or too low, seen level from a distance r, is off by f d / r pixels: the
    /// largest error is that of the nearest ground in the picture, all others follow from their distances.
    #[test]
    fn a_known_displacement_gives_as_many_pixels() {
        let sampled = sampled(2_000.0, 0.5);
        for offset_m in [-20.0, 20.0] {
            let mesh = mesh(sampled.view().eye_m, 500.0 + offset_m);
            let found = errors(&sampled, &mesh);
            assert_eq!(found.holes, 0);
            // All of the picture shows ground, whose directions below the level are known: d cos(down) / r radians off.
            let mut expected: Vec<f64> = Vec::new();
            let n = Ellipsoid::WGS84.normal_at(sampled.view().eye_m);
            let truth = reference().shown(&sampled).unwrap();
            for (ray, t) in sampled.rays().iter().zip(truth) {
                let (point, moved) = (*ray * t.unwrap(), *ray * t.unwrap() + n * offset_m);
                expected.push(sampled.displacement_px(point, moved));
            }
            expected.sort_by(f64::total_cmp);
            for part in [0.0, 0.5, 0.99, 1.0] {
                let (found, expected) =
                    (found.within(part).unwrap(), expected[((expected.len() - 1) as f64 * part).round() as usize]);
                // The point of the mesh is nearer, or farther, by 20 m of 2000 than that of the surface.
                assert!((found / expected - 1.0).abs() < 0.025, "{part}: {found} px, not {expected}");
                assert!(found > 0.05);
            }
        }
    }

    /// Law: a mesh on the surface has no error and no hole, from orbit and from the ground, silhouettes included.
    #[test]
    fn the_surface_itself_is_without_error() {
        for (above_m, down_rad) in [(2.0, 0.0), (300.0, 0.1), (20_000.0, 0.1), (3e6, 0.85)] {
            let sampled = sized(above_m, down_rad, (64, 36));
            let found = errors(&sampled, &mesh(sampled.view().eye_m, 500.0));
            assert!(found.px.len() > 300 && found.px.len() < sampled.rays().len(), "there is ground and sky");
            assert!(found.within(1.0).unwrap() < 0.2, "{above_m} m: {:?} px", found.within(1.0));
            assert_eq!(found.holes, 0);
        }
    }

    /// Law: a silhouette that is too low is an error of as many pixels, and no hole; a triangle that is not drawn is holes.
    #[test]
    fn low_silhouettes_are_errors_and_gaps_are_holes() {
        let sampled = sampled(20_000.0, 0.1);
        let eye_m = sampled.view().eye_m;
        let low = errors(&sampled, &mesh(eye_m, -9_500.0));
        assert_eq!(low.holes, 0);
        assert!(low.within(1.0).unwrap() > 3.0);

        // Triangles that are not drawn, one of them and all of them.
        let reference = reference();
        let truth = reference.shown(&sampled).unwrap();
        let seen = sampled.rays()[160 * 60 + 80] * truth[160 * 60 + 80].unwrap();
        let torn = mesh(eye_m, 500.0).without(Ellipsoid::WGS84.normal_at(eye_m + seen));
        let found = PixelErrors::of(&torn, &torn.shown(&sampled), &sampled, &reference, &truth);
        assert!((1..200).contains(&found.holes), "{} holes", found.holes);
        let nothing = MeshTriangles::default();
        let found = PixelErrors::of(&nothing, &nothing.shown(&sampled), &sampled, &reference, &truth);
        assert_eq!(found.holes as usize, truth.iter().flatten().count());
        // Under the mesh every pixel looks at it from below.
        let under = errors(&sampled, &mesh(eye_m, 30_000.0));
        assert_eq!((under.holes as usize, under.px.len()), (sampled.rays().len(), sampled.rays().len()));
    }
}
