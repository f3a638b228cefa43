//! Is a pixel found where f64 says that it is?

use rand::Rng;

use super::{
    place::{face_at, face_place},
    *,
};
use crate::{
    cube::{FacePoint, face_of},
    geodesy::ecef,
    random,
};

/// A place on the ground near an eye that is somewhere over it, often near an edge or a corner of the cube.
pub(crate) fn eye_and_ground(rng: &mut impl Rng, away_m: f64) -> (DVec3, DVec3) {
    let mut unit = || DVec3::from_array(std::array::from_fn(|_| rng.random_range(-1.0..1.0))).normalize();
    let (n, aside) = (unit(), unit());
    let n = match rng.random_range(0..3) {
        0 => n,
        1 => (n.signum() * DVec3::new(1.0, 1.0, n.z) + aside * 1e-3).normalize(),
        _ => (n.signum() + aside * 1e-3).normalize(),
    };
    let eye_m = ecef(n, 10f64.powf(rng.random_range(0.3..4.0)));
    let there = normal_at(eye_m + aside * away_m);
    (eye_m, ecef(there, rng.random_range(-400.0..8_000.0)))
}

/// Law: a pixel's place is that of f64: near the eye to centimetres and a millionth of the distance, elsewhere to the rounding of a
/// normal in f32; at the edges of the cube as well.
#[test]
fn places_are_those_of_f64() {
    let mut rng = random::rng();
    for case in 0..20_000 {
        let away_m = 10f64.powf(rng.random_range(0.0..6.5));
        let (eye_m, ground_m) = eye_and_ground(&mut rng, away_m);
        let n = normal_at(ground_m);
        let position_m = (ground_m - eye_m).as_vec3();
        let face = face_at(n.as_vec3());
        let at = face_place(position_m, n.as_vec3(), face, pixel_view(eye_m, 1e-3, 30));
        let (own, ..) = face_of(n);
        let found = FacePoint { face, u: at.x, v: at.y }.point().normal();
        let off_m = found.distance(n) * 6.4e6;
        let distance_m = f64::from(position_m.length());
        // A coordinate of another face ends at the edge, and so near to it that the wrong one is taken: by rounding.
        let least_m = if own == face { 0.03 } else { 1.0 };
        let allowed_m = if distance_m < NEAR_M { least_m + 1e-6 * distance_m } else { 2.5 };
        assert!(off_m < allowed_m, "case {case}: {off_m} m off, {distance_m} m away");
    }
}
