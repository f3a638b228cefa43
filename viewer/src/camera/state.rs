//! Where is the eye and which way does it look? One state that every camera control moves.

use bevy_ecs::resource::Resource;
use glam::{DMat3, DQuat, DVec2, DVec3};
use terrain::geodesy::{self, Ellipsoid};

pub use foreign::path::Pose;

/// The optics of the camera.
#[derive(Resource, Debug, Clone, Copy, PartialEq)]
pub struct Lens {
    /// Vertical field of view, radians.
    pub fov_y_rad: f64,
}

/// The eye in Earth-centred, Earth-fixed metres, and its orientation.
///
/// The orientation maps camera axes (x right, y up, -z forward) to ECEF axes. Every control keeps the
/// roll at zero and carries the orientation along when the eye moves, so nothing here depends on
/// latitude and longitude: poles and the antimeridian are places like any other.
#[derive(Resource, Debug, Clone, Copy, PartialEq)]
pub struct Camera {
    /// ECEF position, metres.
    pub eye_m: DVec3,
    /// Camera axes to ECEF axes.
    pub orientation: DQuat,
    /// The planet that it is at.
    pub ellipsoid: Ellipsoid,
}

/// Horizontal unit heading and pitch of a camera: what is left of its orientation when roll is zero.
#[derive(Debug, Clone, Copy)]
pub struct Attitude {
    /// Unit vector in the horizontal plane.
    pub heading: DVec3,
    /// Radians, up positive.
    pub pitch_rad: f64,
}

impl Camera {
    /// The camera of a pose on the Earth.
    pub fn from_pose(pose: &Pose) -> Camera {
        Camera::on(Ellipsoid::WGS84, pose)
    }

    /// The camera of another pose on the same planet.
    pub fn at(&self, pose: &Pose) -> Camera {
        Camera::on(self.ellipsoid, pose)
    }

    /// The camera of a pose on a planet.
    pub fn on(ellipsoid: Ellipsoid, pose: &Pose) -> Camera {
        let n = geodesy::n_vector(pose.lat_deg.to_radians(), pose.lon_deg.to_radians());
        let (east, north, _) = geodesy::east_north_up(n);
        let (sin, cos) = pose.heading_deg.to_radians().sin_cos();
        let attitude = Attitude { heading: east * sin + north * cos, pitch_rad: pose.pitch_deg.to_radians() };
        Camera::new(ellipsoid, n, pose.height_m, attitude)
    }

    /// The camera above the point with geodetic normal `n`, at `height_m`, looking along `attitude`.
    pub fn new(ellipsoid: Ellipsoid, n: DVec3, height_m: f64, attitude: Attitude) -> Camera {
        // Removes what a moved heading has gained along the vertical.
        let heading = (attitude.heading - n * attitude.heading.dot(n)).normalize();
        let (sin, cos) = attitude.pitch_rad.sin_cos();
        let forward = heading * cos + n * sin;
        let up = n * cos - heading * sin;
        let axes = DMat3::from_cols(forward.cross(up), up, -forward);
        Camera { eye_m: ellipsoid.ecef(n, height_m), orientation: DQuat::from_mat3(&axes).normalize(), ellipsoid }
    }

    /// The pose of this camera. Heading is in [0, 360), also when looking straight up or down.
    pub fn pose(&self) -> Pose {
        let place = self.ellipsoid.geodetic(self.eye_m);
        let n = self.normal();
        let (east, north, _) = geodesy::east_north_up(n);
        let Attitude { heading, pitch_rad } = self.attitude();
        let heading_rad = heading.dot(east).atan2(heading.dot(north));
        Pose {
            lat_deg: place.lat_rad.to_degrees(),
            lon_deg: place.lon_rad.to_degrees(),
            height_m: place.height_m,
            // Of next to nothing below 0 the remainder is 360.
            heading_deg: heading_rad.to_degrees().rem_euclid(360.0) % 360.0,
            pitch_deg: pitch_rad.to_degrees(),
        }
    }

    /// Geodetic normal under the eye.
    pub fn normal(&self) -> DVec3 {
        self.ellipsoid.normal_at(self.eye_m)
    }

    /// Height of the eye above the datum, metres.
    pub fn height_m(&self) -> f64 {
        self.ellipsoid.height_m(self.eye_m)
    }

    /// Unit vector of sight.
    pub fn forward(&self) -> DVec3 {
        self.orientation * DVec3::NEG_Z
    }

    /// Unit vector to the top of the picture.
    pub fn up(&self) -> DVec3 {
        self.orientation * DVec3::Y
    }

    /// Unit vector to the right of the picture.
    pub fn right(&self) -> DVec3 {
        self.orientation * DVec3::X
    }

    /// Heading and pitch against the vertical under the eye.
    ///
    /// For a level camera forward is `d cos p + n sin p` and up is `-d sin p + n cos p`, so
    /// `forward cos p - up sin p`, projected, is `d` at every pitch, straight down included.
    pub fn attitude(&self) -> Attitude {
        let n = self.normal();
        let forward = self.forward();
        let sin = forward.dot(n).clamp(-1.0, 1.0);
        let cos = (1.0 - sin * sin).sqrt();
        let along = forward * cos - self.up() * sin;
        let flat = along - n * along.dot(n);
        Attitude { heading: flat.try_normalize().unwrap_or_else(|| geodesy::east_north_up(n).1), pitch_rad: sin.asin() }
    }

    /// The same eye and line of sight without roll.
    pub fn levelled(&self) -> Camera {
        Camera::new(self.ellipsoid, self.normal(), self.height_m(), self.attitude())
    }

    /// Moves the eye to `n`, `height_m` and carries the orientation along the great circle, so that
    /// heading and pitch stay what they were against the ground.
    pub fn transported_to(&self, n: DVec3, height_m: f64) -> Camera {
        let attitude = self.attitude();
        let turn = DQuat::from_rotation_arc(self.normal(), n);
        Camera::new(self.ellipsoid, n, height_m, Attitude { heading: turn * attitude.heading, ..attitude })
    }

    /// Turns the line of sight: `yaw_rad` clockwise, `pitch_rad` up, stopping at straight up and down.
    pub fn turned(&self, yaw_rad: f64, pitch_rad: f64) -> Camera {
        let n = self.normal();
        let attitude = self.attitude();
        let limit = std::f64::consts::FRAC_PI_2;
        Camera::new(
            self.ellipsoid,
            n,
            self.height_m(),
            Attitude {
                heading: DQuat::from_axis_angle(n, -yaw_rad) * attitude.heading,
                pitch_rad: (attitude.pitch_rad + pitch_rad).clamp(-limit, limit),
            },
        )
    }

    /// The unit ray through a point of the picture: `x`, `y` in [-1, 1], right and up, at the aspect
    /// ratio width / height.
    pub fn ray(&self, x: f64, y: f64, aspect: f64, fov_y_rad: f64) -> DVec3 {
        let half = (fov_y_rad * 0.5).tan();
        (self.orientation * DVec3::new(x * half * aspect, y * half, -1.0)).normalize()
    }

    /// Where a point (ECEF metres) is in the picture, the inverse of [`ray`](Self::ray); none behind the eye.
    pub fn project(&self, point_m: DVec3, aspect: f64, fov_y_rad: f64) -> Option<DVec2> {
        let p = self.orientation.inverse() * (point_m - self.eye_m);
        let half = (fov_y_rad * 0.5).tan();
        (p.z < 0.0).then(|| DVec2::new(p.x / (half * aspect), p.y / half) / -p.z)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pose(lat: f64, lon: f64, height: f64, heading: f64, pitch: f64) -> Pose {
        Pose { lat_deg: lat, lon_deg: lon, height_m: height, heading_deg: heading, pitch_deg: pitch }
    }

    fn turn_between(a_deg: f64, b_deg: f64) -> f64 {
        ((a_deg - b_deg + 180.0).rem_euclid(360.0) - 180.0).abs()
    }

    #[test]
    fn a_pose_survives_the_round_trip_everywhere() {
        for lat in [-89.9, -45.0, 0.0, 27.9, 89.9] {
            for lon in [-180.0, -179.999, -60.0, 0.0, 86.9, 179.999] {
                for (heading, pitch) in [(0.0, -90.0), (77.0, -89.0), (200.0, 0.0), (359.0, 45.0), (30.0, 90.0)] {
                    let there = pose(lat, lon, 1234.5, heading, pitch);
                    let back = Camera::from_pose(&there).pose();
                    assert!((back.lat_deg - lat).abs() < 1e-9, "{there:?} {back:?}");
                    assert!(turn_between(back.lon_deg, lon) < 1e-7, "{there:?} {back:?}");
                    assert!((back.height_m - 1234.5).abs() < 1e-5, "{there:?} {back:?}");
                    assert!(turn_between(back.heading_deg, heading) < 1e-4, "{there:?} {back:?}");
                    assert!((back.pitch_deg - pitch).abs() < 1e-5, "{there:?} {back:?}");
                }
            }
        }
    }

    #[test]
    fn the_axes_are_right_handed_and_level() {
        let camera = Camera::from_pose(&pose(-33.0, 151.0, 100.0, 123.0, -20.0));
        let n = camera.normal();
        assert!((camera.right().cross(camera.up()) + camera.forward()).length() < 1e-12);
        assert!(camera.right().dot(n).abs() < 1e-12);
        assert!(camera.up().dot(n) > 0.9);
        assert!((camera.forward().dot(n) - (-20f64).to_radians().sin()).abs() < 1e-12);
    }

    #[test]
    fn crossing_the_pole_keeps_going_straight() {
        // North along 10 E over the pole: on the other side the same way is south along 170 W.
        let camera = Camera::from_pose(&pose(89.0, 10.0, 5_000.0, 0.0, -10.0));
        let over = geodesy::n_vector(89f64.to_radians(), (-170f64).to_radians());
        let mid = camera.transported_to(geodesy::n_vector(std::f64::consts::FRAC_PI_2, 0.0), 5_000.0);
        let after = mid.transported_to(over, 5_000.0).pose();
        assert!(turn_between(after.heading_deg, 180.0) < 1e-6, "{after:?}");
        assert!((after.pitch_deg + 10.0).abs() < 1e-9);
    }

    #[test]
    fn turning_stops_at_straight_up_and_down() {
        let camera = Camera::from_pose(&pose(10.0, 20.0, 100.0, 45.0, 0.0));
        let down = camera.turned(0.0, -9.0).pose();
        assert!((down.pitch_deg + 90.0).abs() < 1e-5);
        assert!(turn_between(down.heading_deg, 45.0) < 1e-3);
        let right = camera.turned(std::f64::consts::FRAC_PI_2, 0.0).pose();
        assert!(turn_between(right.heading_deg, 135.0) < 1e-9);
    }

    #[test]
    fn the_central_ray_is_the_line_of_sight() {
        let camera = Camera::from_pose(&pose(10.0, 20.0, 100.0, 45.0, -30.0));
        assert!((camera.ray(0.0, 0.0, 1.6, 1.0) - camera.forward()).length() < 1e-12);
        assert!(camera.ray(1.0, 0.0, 1.6, 1.0).dot(camera.right()) > 0.0);
        let top = camera.ray(0.0, 1.0, 1.6, 1.0);
        assert!((top.dot(camera.forward()).acos() - 0.5).abs() < 1e-12);
    }

    #[test]
    fn projecting_undoes_the_ray() {
        let camera = Camera::from_pose(&pose(-80.0, 179.9, 3_000.0, 250.0, -35.0));
        let at = DVec2::new(0.3, -0.8);
        let point_m = camera.eye_m + camera.ray(at.x, at.y, 1.7, 0.9) * 4_321.0;
        assert!(camera.project(point_m, 1.7, 0.9).expect("ahead").distance(at) < 1e-9);
        assert_eq!(camera.project(camera.eye_m - camera.forward(), 1.7, 0.9), None);
    }
}
