//! Which view does a typed place mean?

use glam::DVec3;
use terrain::geodesy;

use crate::camera::ground::{CLEARANCE_M, Ground};
use crate::camera::place::{self, PlaceError};
use crate::camera::{Camera, Pose};
use crate::terrain::Planet;

/// Least distance from which a place without a height is looked at, metres.
const VIEWING_M: f64 = 12_000.0;
/// Postings of the data that the distance is at least: coarse data wants to be seen from further away.
const VIEWING_POSTINGS: f64 = 12.0;
/// Pitch at which it is looked at, degrees.
const VIEWING_PITCH_DEG: f64 = -25.0;

/// Ground that knows how fine its data is.
pub trait Surface: Ground {
    /// Distance between data at the unit geodetic normal `n`, metres.
    fn posting_m(&self, n: DVec3) -> f64;
}

impl Surface for Planet {
    fn posting_m(&self, n: DVec3) -> f64 {
        self.relief().posting_m(n)
    }
}

/// The view that a text asks for: at the given height straight above the place with the pitch that the camera has now,
/// or, without a height, looking north at the place from a distance.
///
/// # Errors
/// [`PlaceError`] if the text is no place.
pub fn view_of(text: &str, camera: &Camera, planet: &impl Surface) -> Result<Pose, PlaceError> {
    let place = place::parse(text)?;
    let n = geodesy::n_vector(place.lat_deg.to_radians(), place.lon_deg.to_radians());
    let ground_m = planet.height_m(n);
    if let Some(height_m) = place.height_m {
        let height_m = height_m.max(ground_m + CLEARANCE_M);
        return Ok(Pose { lat_deg: place.lat_deg, lon_deg: place.lon_deg, height_m, ..camera.pose() });
    }
    let (_, north, up): (DVec3, DVec3, DVec3) = geodesy::east_north_up(n);
    let (sin, cos) = VIEWING_PITCH_DEG.to_radians().sin_cos();
    let viewing_m = VIEWING_M.max(VIEWING_POSTINGS * planet.posting_m(n));
    let eye_m = geodesy::ecef(n, ground_m) - (north * cos + up * sin) * viewing_m;
    let eye = geodesy::from_ecef(eye_m);
    Ok(Pose {
        lat_deg: eye.lat_rad.to_degrees(),
        lon_deg: eye.lon_rad.to_degrees(),
        height_m: eye.height_m,
        heading_deg: 0.0,
        pitch_deg: VIEWING_PITCH_DEG,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terrain::flat;

    struct Plain(f64);

    impl Ground for Plain {
        fn height_m(&self, _: DVec3) -> f64 {
            self.0
        }
    }

    impl Surface for Plain {
        fn posting_m(&self, _: DVec3) -> f64 {
            30.0
        }
    }

    #[test]
    fn a_place_without_a_height_is_in_the_middle_of_the_view() {
        let ground = Plain(5_000.0);
        let now = Camera::from_pose(&Pose::HOME);
        let pose = view_of("27.9881, 86.925", &now, &ground).expect("a place");
        let camera = Camera::from_pose(&pose);
        let hit = flat(5_000.0).ray(camera.eye_m, camera.forward(), 1e8).expect("a short march").expect("ground").place;
        assert!((hit.lat_rad.to_degrees() - 27.9881).abs() < 1e-3, "{}", hit.lat_rad.to_degrees());
        assert!((hit.lon_rad.to_degrees() - 86.925).abs() < 1e-3);
    }

    #[test]
    fn a_height_below_the_ground_is_raised() {
        let now = Camera::from_pose(&Pose::HOME);
        let pose = view_of("10 20 30", &now, &Plain(400.0)).expect("a place");
        assert_eq!(pose.height_m, 402.0);
        assert!(view_of("nowhere", &now, &Plain(0.0)).is_err());
    }
}
