//! What does the camera know of the ground? Its height anywhere, and that the eye stays above it.

use glam::DVec3;
use terrain::geodesy;

use super::state::Camera;

/// The eye is never closer than this to the ground below it, metres.
pub const CLEARANCE_M: f64 = 2.0;

/// Heights of a surface over the geodetic normal.
pub trait Ground {
    /// Height above the datum in metres at the unit geodetic normal `n`.
    fn height_m(&self, n: DVec3) -> f64;
}

impl<F: Fn(DVec3) -> f64> Ground for F {
    fn height_m(&self, n: DVec3) -> f64 {
        self(n)
    }
}

/// The camera, raised to [`CLEARANCE_M`] above the ground where it is lower.
pub fn above_ground(camera: Camera, ground: &dyn Ground) -> Camera {
    let n = camera.normal();
    let lowest_m = ground.height_m(n) + CLEARANCE_M;
    if camera.height_m() >= lowest_m {
        return camera;
    }
    Camera { eye_m: geodesy::ecef(n, lowest_m), ..camera }
}

/// Height of the eye above the ground below it, metres.
pub fn clearance_m(camera: &Camera, ground: &dyn Ground) -> f64 {
    camera.height_m() - ground.height_m(camera.normal())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::camera::Pose;

    fn hills(n: DVec3) -> f64 {
        2_000.0 + 1_500.0 * (n.x * 300.0).sin() * (n.y * 200.0).cos()
    }

    #[test]
    fn the_eye_is_raised_out_of_the_ground_and_left_alone_above_it() {
        let pose = Pose { lat_deg: 45.0, lon_deg: 7.0, height_m: -500.0, heading_deg: 10.0, pitch_deg: -5.0 };
        let low = Camera::from_pose(&pose);
        let raised = above_ground(low, &hills);
        assert!((clearance_m(&raised, &hills) - CLEARANCE_M).abs() < 1e-5);
        assert_eq!(raised.orientation, low.orientation);
        let high = Camera::from_pose(&Pose { height_m: 9_000.0, ..pose });
        assert_eq!(above_ground(high, &hills), high);
    }
}
