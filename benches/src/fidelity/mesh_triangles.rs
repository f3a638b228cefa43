//! What does a mesh show? Its triangles as they are drawn, seen through pixels and found under places.
//!
//! A pixel is in a triangle if the ray lies on the inner side of the three planes through the eye and an edge. The normal of
//! such a plane is the same to the sign, bit for bit, for both triangles at the edge, so that no ray falls between them.

use std::collections::HashMap;

use glam::DVec3;
use terrain::bisection::{HeapId, MAX_DEPTH, Triangle};
use terrain::cube::{CubePoint, FacePoint};

use benches::views::sampled_view::SampledView;

/// The triangles of a mesh, relative to the eye.
#[derive(Debug, Default)]
pub struct MeshTriangles {
    corners_m: Vec<[DVec3; 3]>,
    by_id: HashMap<HeapId, u32>,
}

/// The nearest triangle and its distance in each measured pixel.
#[derive(Debug, Clone, PartialEq)]
pub struct VisibleTriangles {
    /// Distance from the eye of the ground in each measured pixel; `None` shows the sky.
    pub distances_m: Vec<Option<f64>>,
    /// Whether the first triangle on the ray of a measured pixel is met from below: the ray has come through a gap, or the
    /// eye is under the mesh.
    pub gaps: Vec<bool>,
    /// Triangles that face the eye and reach into the picture, hidden ones counted.
    pub triangles: u32,
}

impl MeshTriangles {
    /// Live bisectors with their corners as they are drawn, metres from the eye, counter-clockwise seen from outside.
    pub fn new(facets: impl Iterator<Item = (HeapId, [DVec3; 3])>) -> MeshTriangles {
        let mut all = MeshTriangles::default();
        for (id, corners_m) in facets {
            all.by_id.insert(id, all.corners_m.len() as u32);
            all.corners_m.push(corners_m);
        }
        all
    }

    /// All triangles, in the picture or not.
    pub fn len(&self) -> usize {
        self.corners_m.len()
    }

    /// The nearest triangle in every measured pixel.
    pub fn shown(&self, sampled: &SampledView) -> VisibleTriangles {
        let (columns, rows) = sampled.grid();
        let mut above = vec![f64::INFINITY; sampled.rays().len()];
        let mut below = above.clone();
        let mut triangles = 0;
        for corners_m @ [a, b, c] in &self.corners_m {
            let normal = (*b - *a).cross(*c - *a);
            let height = normal.dot(*a);
            let Some((low, high)) = bounds(sampled, *corners_m) else { continue };
            // Renderers draw what faces the eye.
            let (nearest, side) = if height < 0.0 { (&mut above, 1.0) } else { (&mut below, -1.0) };
            triangles += u32::from(height < 0.0);
            let planes = [a.cross(*b), b.cross(*c), c.cross(*a)];
            for row in sampled.samples_between(low.1, high.1, rows) {
                for column in sampled.samples_between(low.0, high.0, columns) {
                    let index = (row * columns + column) as usize;
                    let ray = sampled.rays()[index];
                    let towards = normal.dot(ray);
                    if side * towards < 0.0 && planes.iter().all(|plane| side * plane.dot(ray) <= 0.0) {
                        nearest[index] = nearest[index].min(height / towards);
                    }
                }
            }
        }
        // At a silhouette both sides are met at one place, up to rounding.
        let gaps = above.iter().zip(&below).map(|(above, below)| *below < *above * (1.0 - 1e-6)).collect();
        let distances_m = above.into_iter().map(|t| t.is_finite().then_some(t)).collect();
        VisibleTriangles { distances_m, gaps, triangles }
    }

    /// Where the mesh has the place of a point: the foot on the mesh of the vertical through it, whose unit geodetic normal is
    /// `n`. `None` where no triangle covers the place, which is never in a whole mesh.
    pub fn at_place(&self, n: DVec3, relative_m: DVec3) -> Option<DVec3> {
        foot(self.corners_m[self.leaf(n)? as usize], n, relative_m)
    }

    /// All but the triangle that covers a place.
    #[cfg(test)]
    pub fn without(self, n: DVec3) -> MeshTriangles {
        let missing = self.leaf(n);
        let rest = self.by_id.iter().filter(|(_, facet)| Some(**facet) != missing);
        MeshTriangles::new(rest.map(|(id, facet)| (*id, self.corners_m[*facet as usize])))
    }

    /// The triangle that covers a place, found from the root down on the integer lattice.
    fn leaf(&self, n: DVec3) -> Option<u32> {
        let place = CubePoint::nearest(n).on_face();
        let mut id = root_over(place)?;
        let mut triangle = id.triangle();
        loop {
            if let Some(&facet) = self.by_id.get(&id) {
                return Some(facet);
            }
            if id.depth() >= MAX_DEPTH {
                return None;
            }
            let child = child_over(triangle, place)?;
            (id, triangle) = (id.child(child), triangle.child(child));
        }
    }
}

/// The root that covers a place; `None` for one that is not on its face.
pub(super) fn root_over(place: FacePoint) -> Option<HeapId> {
    let root = Triangle::root(2 * place.face).0;
    Some(HeapId::root(2 * place.face + u32::from(side([root[2], root[0]], place)? < 0)))
}

/// The child that covers a place in a triangle; `None` for one on another face.
pub(super) fn child_over(triangle: Triangle, place: FacePoint) -> Option<u64> {
    let ([v0, v1, _], m) = (triangle.0, triangle.midpoint());
    Some(u64::from(side([v1, m], place)? * side([v1, m], v0.on(place.face)?)? < 0))
}

/// On which side of a line on its face is a place?
fn side([a, b]: [CubePoint; 2], place: FacePoint) -> Option<i64> {
    let ([a, b], p) = ([a.on(place.face)?, b.on(place.face)?].map(pair), pair(place));
    Some(((b.0 - a.0) * (p.1 - a.1) - (b.1 - a.1) * (p.0 - a.0)).signum())
}

/// Where the vertical through a point, of unit geodetic normal `n`, meets the plane of a triangle; `None` under a triangle
/// that faces down.
pub(super) fn foot([a, b, c]: [DVec3; 3], n: DVec3, relative_m: DVec3) -> Option<DVec3> {
    let normal = (b - a).cross(c - a);
    let rise = normal.dot(n);
    (rise > 0.0).then(|| relative_m + n * (normal.dot(a - relative_m) / rise))
}

/// Whether a triangle faces the eye and reaches into the picture.
pub(super) fn in_picture(sampled: &SampledView, [a, b, c]: [DVec3; 3]) -> bool {
    (b - a).cross(c - a).dot(a) < 0.0 && bounds(sampled, [a, b, c]).is_some()
}

fn pair(point: FacePoint) -> (i64, i64) {
    (i64::from(point.u), i64::from(point.v))
}

/// Corners of the rectangle round the part of a triangle that is in the picture, pixels; `None` if no part is.
fn bounds(sampled: &SampledView, corners_m: [DVec3; 3]) -> Option<((f64, f64), (f64, f64))> {
    let outside = |inward: &DVec3| corners_m.map(|corner| inward.dot(corner) < 0.0);
    if sampled.sides().iter().any(|inward| outside(inward) == [true; 3]) {
        return None;
    }
    // Clipped by the planes through the eye and the picture's edges that it crosses.
    let mut polygon = corners_m.to_vec();
    for inward in sampled.sides().iter().filter(|inward| outside(inward) != [false; 3]) {
        let whole = std::mem::take(&mut polygon);
        for (i, &here) in whole.iter().enumerate() {
            let next = whole[(i + 1) % whole.len()];
            let [inside, next_inside] = [inward.dot(here), inward.dot(next)];
            if inside >= 0.0 {
                polygon.push(here);
            }
            if (inside >= 0.0) != (next_inside >= 0.0) {
                polygon.push(here.lerp(next, inside / (inside - next_inside)));
            }
        }
    }
    let mut seen = polygon.iter().filter_map(|corner| sampled.project(*corner));
    let first = seen.next()?;
    let (low, high) = seen.fold((first, first), |(low, high), at| (low.min(at), high.max(at)));
    Some(((low.x, low.y), (high.x, high.y)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{Rng, SeedableRng, rngs::StdRng};
    use terrain::View;
    use terrain::bisection::ROOTS;
    use terrain::geodesy::Ellipsoid;

    /// All bisectors of a depth, at a height above the ellipsoid.
    fn globe(eye_m: DVec3, depth: u32, height_m: f64) -> MeshTriangles {
        let mut ids: Vec<HeapId> = (0..ROOTS).map(HeapId::root).collect();
        for _ in 0..depth {
            ids = ids.into_iter().flat_map(|id| [id.child(0), id.child(1)]).collect();
        }
        MeshTriangles::new(
            ids.into_iter()
                .map(|id| (id, id.triangle().0.map(|p| Ellipsoid::WGS84.ecef(p.normal(), height_m) - eye_m))),
        )
    }

    fn sampled(eye_m: DVec3, forward: DVec3) -> SampledView {
        SampledView::new(View::perspective(eye_m, forward, DVec3::Z, 1.0, (320, 200))).unwrap()
    }

    /// Law: a closed mesh covers the globe's disc without a gap, at the distances of the ellipsoid's chord.
    #[test]
    fn a_closed_mesh_has_no_gap() {
        let eye_m = Ellipsoid::WGS84.ecef(DVec3::new(0.5, -0.6, 0.3).normalize(), 2_000_000.0);
        let sampled = sampled(eye_m, -eye_m);
        let shown = globe(eye_m, 12, 0.0).shown(&sampled);
        for (ray, shown) in sampled.rays().iter().zip(&shown.distances_m) {
            let nearest_m = (eye_m + *ray * -eye_m.dot(*ray)).length();
            match shown {
                Some(t) => {
                    let p = eye_m + *ray * *t;
                    let sunk_m = -(p - Ellipsoid::WGS84.ecef(Ellipsoid::WGS84.normal_at(p), 0.0))
                        .dot(Ellipsoid::WGS84.normal_at(p));
                    assert!((-1e-3..20_000.0).contains(&sunk_m), "{sunk_m} m under the ellipsoid");
                }
                None => assert!(nearest_m > 6_330_000.0, "a hole {nearest_m} m from the centre"),
            }
        }
        assert!(shown.distances_m.iter().flatten().count() > 10_000);
        assert!(!shown.gaps.contains(&true));
        assert!((1_000..globe(eye_m, 12, 0.0).len() as u32 / 3).contains(&shown.triangles));
    }

    /// Law: a missing triangle is sky and a gap, and no other pixel changes.
    #[test]
    fn a_missing_triangle_is_a_gap() {
        let eye_m = Ellipsoid::WGS84.ecef(DVec3::new(0.1, 0.9, 0.2).normalize(), 3_000_000.0);
        let sampled = sampled(eye_m, -eye_m);
        let whole = globe(eye_m, 8, 0.0);
        let before = whole.shown(&sampled);
        let torn = whole.without(Ellipsoid::WGS84.normal_at(eye_m));
        let after = torn.shown(&sampled);
        let changed: Vec<bool> = before.distances_m.iter().zip(&after.distances_m).map(|(a, b)| a != b).collect();
        assert_eq!(after.gaps, changed);
        let changed = before.distances_m.iter().zip(&after.distances_m).filter(|(a, b)| a != b);
        assert!(changed.clone().count() > 100 && changed.into_iter().all(|(a, b)| a.is_some() && b.is_none()));
        assert_eq!(torn.at_place(Ellipsoid::WGS84.normal_at(eye_m), DVec3::ZERO), None);
    }

    /// Law: the foot of a vertical lies in the plane of the triangle that covers the place, on all faces.
    #[test]
    fn places_are_found_under_every_direction() {
        let eye_m = DVec3::new(1e7, 2e6, 3e6);
        let mesh = globe(eye_m, 11, 500.0);
        for i in 0..2_000 {
            let z = (f64::from(i) + 0.5) / 1_000.0 - 1.0;
            let turn = f64::from(i) * 2.399_963;
            let n = DVec3::new((1.0 - z * z).sqrt() * turn.cos(), (1.0 - z * z).sqrt() * turn.sin(), z);
            let foot = mesh.at_place(n, Ellipsoid::WGS84.ecef(n, 7_000.0) - eye_m).unwrap() + eye_m;
            let height_m = (foot - Ellipsoid::WGS84.ecef(n, 0.0)).dot(n);
            // A chord of 300 km lies up to 2 km under the arc.
            assert!((-3_000.0..501.0).contains(&height_m), "{n}: {height_m}");
        }
    }

    /// Law: a triangle that covers a pixel is in the picture; of those whose corners are all outside the picture some are, and some
    /// are not.
    #[test]
    fn triangles_in_the_picture_are_told_from_those_beside_it() {
        let eye_m = DVec3::new(7e6, 0.0, 0.0);
        let coarse = sampled(eye_m, -eye_m);
        let mut rng = StdRng::seed_from_u64(5);
        let mut within = |reach_m: f64| rng.random_range(-reach_m..reach_m);
        let (mut crossing, mut beside) = (0, 0);
        for _ in 0..2_000 {
            let corners_m: [DVec3; 3] =
                std::array::from_fn(|_| DVec3::new(-1e6 + within(0.75e6), within(1.5e6), within(1.5e6)));
            let [a, b, c] = corners_m;
            let corners_m = if (b - a).cross(c - a).dot(a) < 0.0 { [a, b, c] } else { [a, c, b] };
            let shown = MeshTriangles::new(std::iter::once((HeapId::root(0), corners_m))).shown(&coarse);
            let covers = shown.distances_m.iter().any(Option::is_some);
            let inside = in_picture(&coarse, corners_m);
            assert_eq!(shown.triangles, u32::from(inside));
            assert!(inside || !covers, "{corners_m:?}");
            let outside = corners_m.iter().all(|corner| coarse.sides().iter().any(|side| side.dot(*corner) < 0.0));
            crossing += u32::from(outside && covers);
            beside += u32::from(!inside);
        }
        assert!(crossing > 100 && beside > 100, "{crossing} {beside}");
    }

    /// Law: ground that reaches behind the eye is seen as far as it is in front.
    #[test]
    fn triangles_through_the_plane_of_the_eye_are_cut() {
        let n = DVec3::new(0.3, 0.4, 0.5).normalize();
        let eye_m = Ellipsoid::WGS84.ecef(n, 1_000.0);
        let mesh = globe(eye_m, 14, 0.0);
        let east = n.any_orthonormal_vector();
        let level = SampledView::new(View::perspective(eye_m, east, n, 1.0, (320, 200))).unwrap();
        let (columns, rows) = level.grid();
        let shown = mesh.shown(&level).distances_m;
        let (sky, ground) = shown.split_at((columns * rows / 2) as usize);
        let band = (columns * rows / 10) as usize;
        assert!(sky[..sky.len() - band].iter().all(Option::is_none));
        assert!(ground[band..].iter().all(Option::is_some));
    }
}
