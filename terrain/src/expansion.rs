//! Where is a vertex, seen from the eye, in single precision? Per-face Taylor expansions round the point nearest the eye.
//!
//! An integer vertex minus the integer anchor of its face is exact. Within [`NEAR_M`] of the anchor a cubic in that difference, with
//! coefficients computed in f64 and the eye subtracted in f64, gives the position relative to the eye. Its truncation is below a
//! tenth of a millimetre at 10 km. Farther away the position is computed directly in f32 and the eye subtracted. Both errors are
//! largest where one hands over to the other, and nowhere more than ten millionths of the distance from the eye. With a field of view
//! of 60 degrees that is a hundredth of a pixel in a picture of 1080 lines, two hundredths in one of 2160. The GPU evaluates what is
//! prepared here in `shaders/terrain/planet.wgsl`, with functions of `place.rs`.

mod place;

use glam::{DVec3, UVec2, Vec4};

use crate::{
    cube::{FacePoint, ONE, face_normal, face_of},
    geodesy::Ellipsoid,
    jet::Jet,
};
pub use place::{FaceExpansion, PlanetView};

/// Distance from the anchor, in metres along the ground of the Earth, up to which the expansion is used: elsewhere the same angle.
pub const NEAR_M: f64 = 165_000.0;

impl PlanetView {
    /// Expands all faces for an eye in ECEF metres, at height 0.
    pub fn new(ellipsoid: Ellipsoid, eye_m: DVec3) -> Self {
        Self::at_base(ellipsoid, eye_m, 0.0)
    }

    /// Expands all faces at a base height in metres. Heights near it are added with the least rounding: take the ground's under
    /// the eye, as a number that f32 holds exactly.
    pub fn at_base(ellipsoid: Ellipsoid, eye_m: DVec3, base_m: f32) -> Self {
        let below = ellipsoid.normal_at(eye_m);
        Self {
            faces: std::array::from_fn(|face| expand(ellipsoid, face as u32, below, eye_m, f64::from(base_m))),
            eye_m: eye_m.as_vec3(),
            base_m,
            height_scale: 1.0,
            padding: 0,
            more_padding: UVec2::ZERO,
        }
    }
}

/// The face's expansion at its point nearest to the normal below the eye.
fn expand(ellipsoid: Ellipsoid, face: u32, below: DVec3, eye_m: DVec3, base_m: f64) -> FaceExpansion {
    let anchor = nearest_on_face(face, below);
    let (s0, t0) = (face_offset(anchor.u), face_offset(anchor.v));
    let tangent = |s: Jet| (s * std::f64::consts::FRAC_PI_4).tan();
    let (x, y) = (tangent(Jet::x(s0)), tangent(Jet::y(t0)));
    // Axis order of `crate::cube`: the warped coordinates take the two axes after the face's own, swapped on far sides.
    let axis = (face / 2) as usize;
    let (sign, first, second) = if face.is_multiple_of(2) { (1.0, x, y) } else { (-1.0, y, x) };
    let mut direction = [Jet::constant(sign); 3];
    direction[(axis + 1) % 3] = first;
    direction[(axis + 2) % 3] = second;
    let dot = |a: [Jet; 3], b: [Jet; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    let scale = dot(direction, direction).inverse_sqrt();
    let normal = direction.map(|d| d * scale);
    let (a2, b2) = (ellipsoid.semi_major_m().powi(2), ellipsoid.semi_minor_m().powi(2));
    let scaled = [normal[0] * a2, normal[1] * a2, normal[2] * b2];
    let scale = dot(scaled, normal).inverse_sqrt();
    let mut position: [Jet; 3] = std::array::from_fn(|axis| scaled[axis] * scale + normal[axis] * base_m);
    // The constant term is where cancellation happens: eye and ellipsoid point, both in f64, from the anchor itself.
    let from_eye = ellipsoid.ecef(anchor.point().normal(), base_m) - eye_m;
    for (jet, relative) in position.iter_mut().zip(from_eye.to_array()) {
        jet.0[0] = relative;
    }
    let columns = |jets: [Jet; 3]| {
        std::array::from_fn(|term| {
            Vec4::new(jets[0].0[term] as f32, jets[1].0[term] as f32, jets[2].0[term] as f32, 0.0)
        })
    };
    // Half a face is a quarter of pi along the ground at most.
    let reach = NEAR_M / (Ellipsoid::WGS84.semi_major_m() * std::f64::consts::FRAC_PI_4) * f64::from(ONE / 2);
    FaceExpansion {
        position: columns(position),
        normal: columns(normal),
        anchor: UVec2::new(anchor.u, anchor.v),
        reach: reach as u32,
        padding: 0,
    }
}

/// The integer point of a face nearest to a normal, in face coordinates clamped to the face.
fn nearest_on_face(face: u32, n: DVec3) -> FacePoint {
    let (own, s, t) = face_of(n);
    let (s, t) = if own == face { (s, t) } else { clamped(face, n) };
    let integer = |s: f64| (((s + 1.0) * 0.5 * f64::from(ONE)).round() as u32).min(ONE);
    FacePoint { face, u: integer(s), v: integer(t) }
}

/// Face coordinates of a normal outside the face: its gnomonic image where there is one, pulled back onto the face.
fn clamped(face: u32, n: DVec3) -> (f64, f64) {
    let axis = (face / 2) as usize;
    let centre = face_normal(face, 0.0, 0.0);
    let components = n.to_array();
    let (b, c) = (components[(axis + 1) % 3], components[(axis + 2) % 3]);
    let (x, y) = if face.is_multiple_of(2) { (b, c) } else { (c, b) };
    // Behind the face there is no image: the direction alone says which edge is nearest.
    let depth = n.dot(centre).max(1e-3);
    (crate::cube::unwarp((x / depth).clamp(-1.0, 1.0)), crate::cube::unwarp((y / depth).clamp(-1.0, 1.0)))
}

fn face_offset(i: u32) -> f64 {
    crate::cube::face_coordinate(i)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{geodesy::Geodetic, metric::tests::bodies};
    use rand::{Rng, SeedableRng, rngs::StdRng};

    /// Law: within 10 km on the Earth, and as large an angle on other bodies, the cubic (here in f64 of the f32 coefficients) is the exact position to f32 rounding.
    #[test]
    fn expansion_is_exact_near_the_anchor() {
        let mut rng = StdRng::seed_from_u64(4);
        for round in 0..4_000 {
            let ellipsoid = bodies()[round % 4];
            let (lat, lon) = (rng.random_range(-90.0..90.0), rng.random_range(-180.0..180.0));
            let eye = Geodetic::from_degrees(lat, lon, rng.random_range(0.0..10_000.0)).to_ecef(ellipsoid);
            let view = PlanetView::new(ellipsoid, eye);
            let (face, ..) = face_of(ellipsoid.normal_at(eye));
            let expansion = &view.faces[face as usize];
            let step = |rng: &mut StdRng| rng.random_range(-1_000_000i64..1_000_000);
            let place = |anchor: u32, by: i64| (i64::from(anchor) + by).clamp(0, i64::from(ONE)) as u32;
            let point = FacePoint {
                face,
                u: place(expansion.anchor.x, step(&mut rng)),
                v: place(expansion.anchor.y, step(&mut rng)),
            };
            let offset = |i: u32, anchor: u32| (f64::from(i) - f64::from(anchor)) * (2.0 / f64::from(ONE));
            let (x, y) = (offset(point.u, expansion.anchor.x), offset(point.v, expansion.anchor.y));
            let sum = |terms: &[Vec4; 10]| {
                let jets: [Jet; 3] =
                    std::array::from_fn(|axis| Jet(std::array::from_fn(|i| f64::from(terms[i][axis]))));
                DVec3::from_array(jets.map(|jet| jet.at(x, y)))
            };
            let exact = ellipsoid.ecef(point.point().normal(), 0.0) - eye;
            let error = (sum(&expansion.position) - exact).length();
            assert!(error < 1e-4 + 1.5e-7 * exact.length(), "{error} m at {} m", exact.length());
            assert!((sum(&expansion.normal) - point.point().normal()).length() < 3e-7);
        }
    }
}
