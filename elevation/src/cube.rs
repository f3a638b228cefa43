//! Which point of the cube is which place? The six faces, the tangent warp, and exact dyadic cube points.
//!
//! Every vertex of the bisection is an integer point on the surface of the cube `[0, ONE]^3`. The same place has the same
//! three integers whichever face or triangle it is reached from, so it is the canonical key of everything that belongs to
//! a vertex. The warp takes each face coordinate `s` in [-1, 1] to `tan(pi/4 s)`, the gnomonic coordinate of the
//! *geodetic normal*. Lines of constant s are great circles of normals, and cell edges differ by a factor of at most
//! 1.41.

pub mod face;

use glam::{DVec3, UVec3};

pub use face::{FacePoint, ONE};

/// Number of faces of the cube.
pub const FACES: u32 = 6;

/// A point on the surface of the integer cube `[0, ONE]^3`; at least one coordinate is 0 or [`ONE`](const@ONE).
///
/// ```
/// use elevation::cube::{CubePoint, ONE};
/// let corner = CubePoint([0, 0, ONE]);
/// let middle = corner.midpoint(CubePoint([ONE, ONE, ONE])).unwrap();
/// assert_eq!(middle.normal(), glam::DVec3::Z); // the north pole
/// assert_eq!(CubePoint::nearest(middle.normal()), middle);
/// let place = middle.on_face();
/// assert_eq!((place.point(), middle.on(place.face)), (middle, Some(place)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CubePoint(pub [u32; 3]);

impl CubePoint {
    /// The exact midpoint of two points; `None` if it is not an integer point (a bisection past the resolution).
    pub fn midpoint(self, other: Self) -> Option<Self> {
        let mut mid = [0; 3];
        for ((m, a), b) in mid.iter_mut().zip(self.0).zip(other.0) {
            if (a ^ b) & 1 == 1 {
                return None;
            }
            *m = a / 2 + b / 2 + (a & b & 1);
        }
        Some(Self(mid))
    }

    /// The lowest face that contains the point, with its coordinates there: the canonical (face, u, v) form.
    ///
    /// # Panics
    /// If the point does not lie on the surface of the cube: if no coordinate is 0 or [`ONE`](const@ONE).
    pub fn on_face(self) -> FacePoint {
        assert!(self.0.into_iter().any(|x| x == 0 || x == ONE), "a CubePoint lies on the surface of the cube");
        face::on_face(self.0.into())
    }

    /// The coordinates of the point on one face, if it lies there.
    ///
    /// # Panics
    /// If `face` is not below [`FACES`].
    pub fn on(self, face: u32) -> Option<FacePoint> {
        let point = UVec3::from(self.0);
        face::is_on(point, face).then(|| face::on(point, face))
    }

    /// Unit geodetic normal of the place, the same bits for every triangle that shares the point.
    ///
    /// Each coordinate is warped on its own in world axis order, so no face is preferred and edges agree exactly.
    pub fn normal(self) -> DVec3 {
        DVec3::from_array(self.0.map(warp)).normalize()
    }

    /// The point of the integer lattice nearest to a unit normal.
    pub fn nearest(n: DVec3) -> Self {
        let largest = n.abs().max_element();
        let scaled = n / largest;
        Self(scaled.to_array().map(|x| {
            if x >= 1.0 {
                ONE
            } else if x <= -1.0 {
                0
            } else {
                ((unwarp(x) + 1.0) * (0.5 * f64::from(ONE))).round() as u32
            }
        }))
    }
}

impl FacePoint {
    /// The same point in cube coordinates.
    ///
    /// ```
    /// use elevation::cube::{FacePoint, ONE, face::{canonical, cube_point, is_on}};
    /// let corner = FacePoint { face: 4, u: ONE, v: ONE };
    /// assert_eq!(corner.point().0, [ONE; 3]);
    /// assert_eq!(canonical(corner), corner.point().on_face()); // on its lowest face
    /// assert!(is_on(cube_point(corner), 0) && is_on(cube_point(corner), 4) && !is_on(cube_point(corner), 1));
    /// ```
    ///
    /// # Panics
    /// If `face` is not below [`FACES`].
    pub fn point(self) -> CubePoint {
        CubePoint(face::cube_point(self).into())
    }
}

/// Gnomonic coordinate in [-1, 1] of an integer coordinate: `tan(pi/4 (2 i / ONE - 1))`, exactly -1, 0 and 1 where it must be.
///
/// ```
/// use elevation::cube::{ONE, face_coordinate, unwarp, warp};
/// assert_eq!((warp(0), warp(ONE / 2), warp(ONE)), (-1.0, 0.0, 1.0));
/// assert!((unwarp(warp(ONE / 8)) - face_coordinate(ONE / 8)).abs() < 1e-15);
/// ```
pub fn warp(i: u32) -> f64 {
    match i {
        0 => -1.0,
        ONE => 1.0,
        _ => (std::f64::consts::FRAC_PI_4 * face_coordinate(i)).tan(),
    }
}

/// Warped coordinate `s` in [-1, 1] of an integer coordinate.
pub fn face_coordinate(i: u32) -> f64 {
    f64::from(i) * (2.0 / f64::from(ONE)) - 1.0
}

/// Inverse of the tangent warp: gnomonic coordinate to `s`, both in [-1, 1].
pub fn unwarp(x: f64) -> f64 {
    x.atan() * std::f64::consts::FRAC_2_PI * 2.0
}

/// Gnomonic coordinate of a warped coordinate in [-1, 1], and a little beyond: the bits of [`warp`] where both are defined.
pub(crate) fn warp_of(s: f64) -> f64 {
    tangent(s)
}

/// Unit geodetic normal of face coordinates `s, t` in [-1, 1] (beyond, the map continues smoothly past the face's edge).
///
/// ```
/// use elevation::cube::{face_normal, face_of};
/// let n = face_normal(3, 0.25, -0.5);
/// let (face, s, t) = face_of(n);
/// assert!(face == 3 && (s - 0.25).abs() < 1e-15 && (t + 0.5).abs() < 1e-15);
/// ```
///
/// # Panics
/// If `face` is not below [`FACES`].
pub fn face_normal(face: u32, s: f64, t: f64) -> DVec3 {
    let (x, y) = (tangent(s), tangent(t));
    let axis = (face / 2) as usize;
    let mut n = [0.0; 3];
    if face.is_multiple_of(2) {
        n[axis] = 1.0;
        n[(axis + 1) % 3] = x;
        n[(axis + 2) % 3] = y;
    } else {
        n[axis] = -1.0;
        n[(axis + 2) % 3] = x;
        n[(axis + 1) % 3] = y;
    }
    DVec3::from_array(n).normalize()
}

/// `tan(pi/4 s)` with the ends of the face exact.
fn tangent(s: f64) -> f64 {
    if s.abs() == 1.0 { s } else { (std::f64::consts::FRAC_PI_4 * s).tan() }
}

/// Face and warped coordinates `(face, s, t)` of a unit normal; on edges the lowest face wins.
pub fn face_of(n: DVec3) -> (u32, f64, f64) {
    let a = n.abs();
    let axis = if a.x >= a.y && a.x >= a.z {
        0
    } else if a.y >= a.z {
        1
    } else {
        2
    };
    let n = n.to_array();
    let side = u32::from(n[axis] < 0.0);
    let scale = n[axis].abs();
    let (b, c) = (n[(axis + 1) % 3] / scale, n[(axis + 2) % 3] / scale);
    let (x, y) = if side == 0 { (b, c) } else { (c, b) };
    (2 * axis as u32 + side, unwarp(x), unwarp(y))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{Rng, SeedableRng, rngs::StdRng};

    fn random_point(rng: &mut StdRng) -> FacePoint {
        FacePoint { face: rng.random_range(0..6), u: rng.random_range(0..=ONE), v: rng.random_range(0..=ONE) }
    }

    #[test]
    fn face_points_round_trip_and_agree_across_edges() {
        let mut rng = StdRng::seed_from_u64(1);
        for _ in 0..20_000 {
            let mut p = random_point(&mut rng);
            if rng.random() {
                p.u = [0, ONE][rng.random_range(0..2)];
            }
            let canonical = p.point();
            assert_eq!(canonical.on(p.face), Some(p));
            assert!(canonical.on_face().face <= p.face);
            assert_eq!(canonical.on_face().point(), canonical);
            // The normal of the face's own formula is the canonical one to rounding.
            let own = face_normal(p.face, face_coordinate(p.u), face_coordinate(p.v));
            assert!((own - canonical.normal()).length() < 1e-15);
        }
    }

    #[test]
    fn frames_are_counter_clockwise_seen_from_outside() {
        for face in 0..FACES {
            let at = |u, v| DVec3::from_array(FacePoint { face, u, v }.point().0.map(face_coordinate));
            let (o, x, y) = (at(ONE / 2, ONE / 2), at(ONE, ONE / 2), at(ONE / 2, ONE));
            assert_eq!((x - o).cross(y - o), o, "face {face}");
        }
    }

    #[test]
    fn normals_invert() {
        let mut rng = StdRng::seed_from_u64(2);
        for _ in 0..20_000 {
            let p = random_point(&mut rng).point();
            let q = CubePoint::nearest(p.normal());
            assert!(p.0.iter().zip(q.0).all(|(a, b)| a.abs_diff(b) <= 1), "{p:?} {q:?}");
            let (face, s, t) = face_of(p.normal());
            assert!((face_normal(face, s, t) - p.normal()).length() < 1e-15);
        }
    }

    #[test]
    fn midpoints_are_exact_or_refused() {
        let a = CubePoint([ONE, 3, 8]);
        assert_eq!(a.midpoint(CubePoint([ONE, 5, 0])), Some(CubePoint([ONE, 4, 4])));
        assert_eq!(a.midpoint(CubePoint([ONE, 4, 0])), None);
    }
}
