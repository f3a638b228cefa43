//! Where is a point on a planet? Geodetic coordinates, n-vectors and positions around the middle of its ellipsoid.
//!
//! The *n-vector* is the unit outward normal of the ellipsoid: it names a place without poles or an antimeridian
//! (Gade, "A Non-singular Horizontal Position Representation", J. Navigation 63, 2010). Its latitude and longitude
//! are the *geodetic* ones, so no auxiliary latitude ever appears in this crate.

mod ellipsoid;
pub(crate) mod extents;
pub mod single;

use glam::DVec3;

pub use ellipsoid::{Ellipsoid, EllipsoidError};
pub use extents::{box_in_common, box_of_all};

/// A place by geodetic latitude and longitude (radians) and height above the ellipsoid (metres).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Geodetic {
    /// Geodetic latitude, -pi/2 ..= pi/2.
    pub lat_rad: f64,
    /// Longitude, -pi ..= pi, east positive.
    pub lon_rad: f64,
    /// Height above the ellipsoid.
    pub height_m: f64,
}

impl Geodetic {
    /// From degrees and metres.
    ///
    /// ```
    /// use elevation::geodesy::{Ellipsoid, Geodetic};
    /// let everest = Geodetic::from_degrees(27.9881, 86.9250, 8849.0);
    /// assert!((everest.to_ecef(Ellipsoid::WGS84).length() - 6_382_300.0).abs() < 1_000.0);
    /// ```
    pub fn from_degrees(lat_deg: f64, lon_deg: f64, height_m: f64) -> Self {
        Self { lat_rad: lat_deg.to_radians(), lon_rad: lon_deg.to_radians(), height_m }
    }

    /// The n-vector of the place.
    pub fn normal(self) -> DVec3 {
        n_vector(self.lat_rad, self.lon_rad)
    }

    /// Position in metres from the middle of an ellipsoid, on axes that turn with it.
    pub fn to_ecef(self, ellipsoid: Ellipsoid) -> DVec3 {
        ellipsoid.ecef(self.normal(), self.height_m)
    }
}

/// Unit geodetic normal of a latitude and longitude in radians.
///
/// ```
/// use elevation::geodesy::n_vector;
/// assert!((n_vector(0.0, std::f64::consts::FRAC_PI_2).y - 1.0).abs() < 1e-15);
/// ```
pub fn n_vector(lat_rad: f64, lon_rad: f64) -> DVec3 {
    let (sin_lat, cos_lat) = lat_rad.sin_cos();
    let (sin_lon, cos_lon) = lon_rad.sin_cos();
    DVec3::new(cos_lat * cos_lon, cos_lat * sin_lon, sin_lat)
}

/// Latitude and longitude in radians of a unit normal; `atan2` keeps full accuracy at the poles, where longitude is 0.
pub fn lat_lon(n: DVec3) -> (f64, f64) {
    (n.z.atan2(n.x.hypot(n.y)), n.y.atan2(n.x))
}

/// East, north and up unit vectors at a unit normal; at the poles east is +y, as on the meridian of Greenwich.
///
/// ```
/// use elevation::geodesy::{east_north_up, n_vector};
/// let (east, north, up) = east_north_up(n_vector(0.8, 0.1));
/// assert!(east.z == 0.0 && north.z > 0.0 && east.cross(north).distance(up) < 1e-15);
/// ```
pub fn east_north_up(n: DVec3) -> (DVec3, DVec3, DVec3) {
    let east = DVec3::new(-n.y, n.x, 0.0).try_normalize().unwrap_or(DVec3::Y);
    (east, n.cross(east), n)
}

/// How much of a region lies in something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Overlap {
    /// Nothing of it.
    None,
    /// Possibly a part of it.
    Some,
    /// All of it.
    All,
}

/// The angle by which the direction of (x, y) turns at most while the unit normal, of which they are two components, moves by
/// `radius_rad`; `None` if it can be any, because the axis between them is in reach.
///
/// On the sphere round that axis it is a difference of longitudes; the meridians that touch a cap of radius r round the
/// latitude b are off by asin(sin r / cos b).
pub(crate) fn turn_rad(x: f64, y: f64, radius_rad: f64) -> Option<f64> {
    let cos_latitude = x.hypot(y);
    let sin_radius = radius_rad.sin();
    (radius_rad < std::f64::consts::FRAC_PI_2 && sin_radius < cos_latitude).then(|| (sin_radius / cos_latitude).asin())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tangent_frame_is_right_handed_everywhere() {
        for n in [DVec3::Z, -DVec3::Z, n_vector(0.3, 3.1), n_vector(-1.2, -2.0)] {
            let (e, north, up) = east_north_up(n);
            assert!((e.cross(north) - up).length() < 1e-14);
            assert!(e.dot(north).abs() < 1e-14 && (e.length() - 1.0).abs() < 1e-14);
        }
    }
}
