//! What does the camera know of the ground? Its height anywhere, and that the eye stays above it.

use glam::DVec3;
use terrain::geodesy::Ellipsoid;
use terrain::height::Relief;

use super::state::{Camera, Lens};

/// The eye is never closer than this to the ground below it, metres.
pub const CLEARANCE_M: f64 = 2.0;

/// Heights of a surface over the geodetic normal.
pub trait Ground {
    /// Height above the datum in metres at the unit geodetic normal `n`.
    fn height_m(&self, n: DVec3) -> f64;

    /// The planet that it is of.
    fn ellipsoid(&self) -> Ellipsoid;

    /// Position in metres of its point at the unit geodetic normal `n`.
    fn position_m(&self, n: DVec3) -> DVec3 {
        self.ellipsoid().ecef(n, self.height_m(n))
    }
}

impl Ground for Relief {
    fn ellipsoid(&self) -> Ellipsoid {
        self.ellipsoid()
    }

    fn height_m(&self, n: DVec3) -> f64 {
        self.sample(n).height_m
    }
}

/// Heights on the Earth.
impl<F: Fn(DVec3) -> f64> Ground for F {
    fn ellipsoid(&self) -> Ellipsoid {
        Ellipsoid::WGS84
    }

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
    Camera { eye_m: camera.ellipsoid.ecef(n, lowest_m), ..camera }
}

/// Height of the eye above the ground below it, metres.
pub fn clearance_m(camera: &Camera, ground: &dyn Ground) -> f64 {
    camera.height_m() - ground.height_m(camera.normal())
}

/// The geodetic normal where a ray from above meets the ellipsoid.
pub fn sea_level(ellipsoid: Ellipsoid, eye_m: DVec3, ray: DVec3) -> Option<DVec3> {
    let unit = DVec3::new(ellipsoid.semi_major_m(), ellipsoid.semi_major_m(), ellipsoid.semi_minor_m());
    let (eye, way) = (eye_m / unit, ray / unit);
    let (a, b, c) = (way.length_squared(), eye.dot(way), eye.length_squared() - 1.0);
    let root = b * b - a * c;
    (root >= 0.0 && b < 0.0).then(|| ellipsoid.normal_at(eye_m + ray * ((-b - root.sqrt()) / a)))
}

/// Points of a picture, in [-1, 1] to the right and up: the middles of so many parts across and down.
pub fn screen_points(across: u32, down: u32) -> impl Iterator<Item = (f64, f64)> {
    let at = |i: u32, of: u32| 2.0 * (f64::from(i) + 0.5) / f64::from(of) - 1.0;
    (0..down).flat_map(move |j| (0..across).map(move |i| (at(i, across), at(j, down))))
}

/// Heights in metres of the ground in so many parts of the picture across and down, where it is not the sky. `height_m` is asked where rays
/// meet the ellipsoid, so that ground behind mountains counts as well.
fn heights_in_view_m(
    camera: &Camera,
    lens: &Lens,
    aspect: f64,
    (across, down): (u32, u32),
    height_m: impl Fn(DVec3) -> f64,
) -> impl Iterator<Item = f64> {
    let rays = screen_points(across, down).map(move |(x, y)| camera.ray(x, y, aspect, lens.fov_y_rad));
    rays.filter_map(|ray| sea_level(camera.ellipsoid, camera.eye_m, ray)).map(height_m)
}

/// The lowest and the highest of them; none in the sky.
pub fn height_range_in_view_m(
    camera: &Camera,
    lens: &Lens,
    aspect: f64,
    parts: (u32, u32),
    height_m: impl Fn(DVec3) -> f64,
) -> Option<(f64, f64)> {
    let heights_m = heights_in_view_m(camera, lens, aspect, parts, height_m);
    heights_m.map(|height_m| (height_m, height_m)).reduce(|all, one| (all.0.min(one.0), all.1.max(one.1)))
}

/// How far apart the heights of most of the ground in the picture are, metres: of all but a twentieth of it at each end; none in the sky.
pub fn relief_in_view_m(camera: &Camera, lens: &Lens, aspect: f64, height_m: impl Fn(DVec3) -> f64) -> Option<f64> {
    let mut heights_m: Vec<f64> = heights_in_view_m(camera, lens, aspect, (9, 7), height_m).collect();
    heights_m.sort_unstable_by(f64::total_cmp);
    let few = heights_m.len() / 20;
    Some(heights_m.get(heights_m.len().checked_sub(1 + few)?)? - heights_m.get(few)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::camera::Pose;
    use terrain::geodesy::{self, Ellipsoid};

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

    /// Law: heights are those of the ground in the picture: of the plain below, of hills beyond it, of nothing in the sky.
    #[test]
    fn a_picture_has_the_heights_of_its_ground() {
        let plain_and_hills = |n: DVec3| if geodesy::lat_lon(n).0.to_degrees() < 45.5 { 100.0 } else { 2_000.0 };
        let lens = Lens { fov_y_rad: 0.8 };
        let view = |height_m: f64, pitch_deg: f64| {
            let pose = Pose { lat_deg: 45.0, lon_deg: 7.0, height_m, heading_deg: 0.0, pitch_deg };
            let camera = Camera::from_pose(&pose);
            let relief_m = relief_in_view_m(&camera, &lens, 1.6, plain_and_hills);
            (height_range_in_view_m(&camera, &lens, 1.6, (16, 9), plain_and_hills), relief_m)
        };
        assert_eq!(view(5_000.0, -90.0), (Some((100.0, 100.0)), Some(0.0)));
        assert_eq!(view(30_000.0, -30.0), (Some((100.0, 2_000.0)), Some(1_900.0)));
        assert_eq!(view(5_000.0, 60.0), (None, None));
    }

    /// Law: a summit that is a twentieth of the picture wide is in the range of its heights, and none of most of them.
    #[test]
    fn one_summit_is_in_the_range_of_heights() {
        let camera = Camera::from_pose(&Pose {
            lat_deg: 45.0,
            lon_deg: 7.0,
            height_m: 100_000.0,
            heading_deg: 0.0,
            pitch_deg: -90.0,
        });
        let lens = Lens { fov_y_rad: 0.8 };
        let width_m = 2.0 * 100_000.0 * 0.4_f64.tan() * 1.6;
        for (x, y) in screen_points(11, 5) {
            let summit =
                sea_level(camera.ellipsoid, camera.eye_m, camera.ray(x, y, 1.6, lens.fov_y_rad)).expect("ground");
            let cone = |n: DVec3| (3_000.0 * (1.0 - n.distance(summit) * 6.371e6 / (0.025 * width_m))).max(0.0);
            let (low_m, high_m) = height_range_in_view_m(&camera, &lens, 1.6, (64, 36), cone).expect("ground");
            assert!(low_m == 0.0 && high_m > 1_500.0, "{high_m}");
            assert_eq!(relief_in_view_m(&camera, &lens, 1.6, cone), Some(0.0));
        }
    }

    #[test]
    fn rays_meet_the_sea_in_front_of_the_eye() {
        let n = geodesy::n_vector(0.7, -2.0);
        let eye_m = Ellipsoid::WGS84.ecef(n, 3_000.0);
        assert!(sea_level(Ellipsoid::WGS84, eye_m, -n).is_some_and(|below| below.distance(n) < 1e-9));
        assert!(
            sea_level(Ellipsoid::WGS84, eye_m, n).is_none()
                && sea_level(Ellipsoid::WGS84, eye_m, n.any_orthonormal_vector()).is_none()
        );
    }
}
