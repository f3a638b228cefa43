//! Where is a point on the Earth? WGS84: geodetic coordinates, n-vectors and Earth-centred positions.
//!
//! The *n-vector* is the unit outward normal of the ellipsoid: it names a place without poles or an antimeridian
//! (Gade, "A Non-singular Horizontal Position Representation", J. Navigation 63, 2010). Its latitude and longitude
//! are the *geodetic* ones, so no auxiliary latitude ever appears in this crate.

pub(crate) mod extents;
pub mod single;

use glam::DVec3;

/// Semi-major axis of WGS84 in metres (NIMA TR8350.2).
pub const SEMI_MAJOR_M: f64 = 6_378_137.0;
/// Flattening of WGS84 (NIMA TR8350.2).
pub const FLATTENING: f64 = 1.0 / 298.257_223_563;
/// Semi-minor axis of WGS84 in metres: `a (1 - f)`.
pub const SEMI_MINOR_M: f64 = SEMI_MAJOR_M * (1.0 - FLATTENING);
/// First eccentricity squared: `f (2 - f)`.
pub const ECCENTRICITY_SQUARED: f64 = FLATTENING * (2.0 - FLATTENING);

/// A place by geodetic latitude and longitude (radians) and height above the ellipsoid (metres).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Geodetic {
    /// Geodetic latitude, -pi/2 ..= pi/2.
    pub lat_rad: f64,
    /// Longitude, -pi ..= pi, east positive.
    pub lon_rad: f64,
    /// Height above the WGS84 ellipsoid.
    pub height_m: f64,
}

impl Geodetic {
    /// From degrees and metres.
    ///
    /// ```
    /// let everest = elevation::geodesy::Geodetic::from_degrees(27.9881, 86.9250, 8849.0);
    /// assert!((everest.to_ecef().length() - 6_382_300.0).abs() < 1_000.0);
    /// ```
    pub fn from_degrees(lat_deg: f64, lon_deg: f64, height_m: f64) -> Self {
        Self { lat_rad: lat_deg.to_radians(), lon_rad: lon_deg.to_radians(), height_m }
    }

    /// The n-vector of the place.
    pub fn normal(self) -> DVec3 {
        n_vector(self.lat_rad, self.lon_rad)
    }

    /// Earth-centred, Earth-fixed position in metres.
    pub fn to_ecef(self) -> DVec3 {
        ecef(self.normal(), self.height_m)
    }
}

/// Radii of curvature of the ellipsoid at a sine of latitude, metres: across the meridian, and along it.
///
/// ```
/// let [across_m, along_m] = elevation::geodesy::radii_m(1.0);
/// assert_eq!(across_m, along_m, "at a pole");
/// ```
pub fn radii_m(sin_lat: f64) -> [f64; 2] {
    let one = 1.0 - ECCENTRICITY_SQUARED * sin_lat * sin_lat;
    let across_m = SEMI_MAJOR_M / one.sqrt();
    [across_m, across_m * (1.0 - ECCENTRICITY_SQUARED) / one]
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

/// Earth-centred position in metres of the point `height_m` above the ellipsoid along the unit normal `n`.
///
/// The ellipsoid point with normal n is `(a^2 nx, a^2 ny, b^2 nz) / sqrt(a^2 (nx^2 + ny^2) + b^2 nz^2)`: the gradient of
/// `x^2/a^2 + y^2/a^2 + z^2/b^2` there is parallel to n.
///
/// ```
/// use elevation::geodesy::{SEMI_MAJOR_M, ecef, lat_lon, n_vector, normal_at};
/// let n = n_vector(0.8, 0.1);
/// assert_eq!(ecef(glam::DVec3::X, 100.0).x, SEMI_MAJOR_M + 100.0);
/// assert!(normal_at(ecef(n, 5_000.0)).distance(n) < 1e-15);
/// let (lat_rad, lon_rad) = lat_lon(n);
/// assert!((lat_rad - 0.8).abs() < 1e-15 && (lon_rad - 0.1).abs() < 1e-15);
/// ```
pub fn ecef(n: DVec3, height_m: f64) -> DVec3 {
    const A2: f64 = SEMI_MAJOR_M * SEMI_MAJOR_M;
    const B2: f64 = SEMI_MINOR_M * SEMI_MINOR_M;
    let scaled = DVec3::new(A2 * n.x, A2 * n.y, B2 * n.z);
    scaled / scaled.dot(n).sqrt() + n * height_m
}

/// Geodetic coordinates of an Earth-centred position in metres.
///
/// Bowring's iteration on the parametric latitude (Survey Review 23, 1976). From the ground to lunar distance two rounds
/// reach the rounding of f64, some nanometres on the ground; there are three, for points deep inside the Earth. Positions
/// within 50 km of the centre have no unique normal; they are answered with the direction from the centre.
///
/// ```
/// use elevation::geodesy::{Geodetic, from_ecef};
/// let pole = from_ecef(Geodetic::from_degrees(90.0, 0.0, 12.5).to_ecef());
/// assert!((pole.height_m - 12.5).abs() < 1e-8);
/// ```
pub fn from_ecef(p: DVec3) -> Geodetic {
    let n = normal_at(p);
    let (lat_rad, lon_rad) = lat_lon(n);
    Geodetic { lat_rad, lon_rad, height_m: (p - ecef(n, 0.0)).dot(n) }
}

/// Unit geodetic normal of the ellipsoid below (or above) an Earth-centred position.
pub fn normal_at(p: DVec3) -> DVec3 {
    let axis_m = p.x.hypot(p.y);
    if p.length() < 50_000.0 {
        return p.try_normalize().unwrap_or(DVec3::Z);
    }
    // Bowring 1976: tan(lat) = (z + e'^2 b sin^3 u) / (r - e^2 a cos^3 u), tan(u) from the previous latitude.
    let second_e2 = ECCENTRICITY_SQUARED / (1.0 - ECCENTRICITY_SQUARED);
    let (mut sin_u, mut cos_u) = unit(p.z * SEMI_MAJOR_M, axis_m * SEMI_MINOR_M);
    let mut lat = (0.0, 1.0);
    for _ in 0..3 {
        lat = unit(
            p.z + second_e2 * SEMI_MINOR_M * sin_u.powi(3),
            axis_m - ECCENTRICITY_SQUARED * SEMI_MAJOR_M * cos_u.powi(3),
        );
        (sin_u, cos_u) = unit(lat.0 * (1.0 - FLATTENING), lat.1);
    }
    let (sin_lat, cos_lat) = lat;
    let around = if axis_m > 0.0 { DVec3::new(p.x / axis_m, p.y / axis_m, 0.0) } else { DVec3::X };
    (around * cos_lat + DVec3::Z * sin_lat).normalize()
}

/// [`normal_at`] in a quarter of its time, to the rounding of both, of a point that is not within 3000 km of the centre: two
/// rounds, and lengths that cannot overflow.
pub(crate) fn normal_outside(p: DVec3) -> DVec3 {
    const SECOND_E2: f64 = ECCENTRICITY_SQUARED / (1.0 - ECCENTRICITY_SQUARED);
    let unit = |y: f64, x: f64| {
        let inverse = 1.0 / (y * y + x * x).sqrt();
        (y * inverse, x * inverse)
    };
    let axis_m = (p.x * p.x + p.y * p.y).sqrt();
    let latitude = |(sin_u, cos_u): (f64, f64)| {
        unit(
            p.z + SECOND_E2 * SEMI_MINOR_M * (sin_u * sin_u * sin_u),
            axis_m - ECCENTRICITY_SQUARED * SEMI_MAJOR_M * (cos_u * cos_u * cos_u),
        )
    };
    let (sin, cos) = latitude(unit(p.z * SEMI_MAJOR_M, axis_m * SEMI_MINOR_M));
    let (sin, cos) = latitude(unit(sin * (1.0 - FLATTENING), cos));
    if axis_m > 0.0 { DVec3::new(p.x / axis_m * cos, p.y / axis_m * cos, sin) } else { DVec3::new(cos, 0.0, sin) }
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

/// `(y, x)` scaled to unit length; `(0, 1)` for the zero vector.
fn unit(y: f64, x: f64) -> (f64, f64) {
    let length = y.hypot(x);
    if length > 0.0 { (y / length, x / length) } else { (0.0, 1.0) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{Rng, SeedableRng, rngs::StdRng};

    /// Reference positions computed independently from the closed-form prime-vertical formula.
    fn reference(lat_deg: f64, lon_deg: f64, height_m: f64) -> DVec3 {
        let (lat, lon) = (lat_deg.to_radians(), lon_deg.to_radians());
        let prime_vertical_m = SEMI_MAJOR_M / (1.0 - ECCENTRICITY_SQUARED * lat.sin().powi(2)).sqrt();
        DVec3::new(
            (prime_vertical_m + height_m) * lat.cos() * lon.cos(),
            (prime_vertical_m + height_m) * lat.cos() * lon.sin(),
            (prime_vertical_m * (1.0 - ECCENTRICITY_SQUARED) + height_m) * lat.sin(),
        )
    }

    #[test]
    fn known_axes() {
        assert!((Geodetic::from_degrees(0.0, 0.0, 0.0).to_ecef() - DVec3::new(6_378_137.0, 0.0, 0.0)).length() < 1e-9);
        let pole = Geodetic::from_degrees(-90.0, 123.0, 0.0).to_ecef();
        assert!((pole - DVec3::new(0.0, 0.0, -6_356_752.314_245)).length() < 1e-6, "{pole}");
        let east = Geodetic::from_degrees(10.0, 180.0, 5.0).to_ecef();
        let west = Geodetic::from_degrees(10.0, -180.0, 5.0).to_ecef();
        assert!((east - west).length() < 1e-8);
    }

    #[test]
    fn ecef_equals_prime_vertical_formula_and_inverts() {
        let mut rng = StdRng::seed_from_u64(7);
        for _ in 0..20_000 {
            let lat = rng.random_range(-90.0..=90.0);
            let lon = rng.random_range(-180.0..180.0);
            let height = [rng.random_range(-11e3..9e3), rng.random_range(0.0..4e8)][rng.random_range(0..2)];
            let p = Geodetic::from_degrees(lat, lon, height).to_ecef();
            assert!((p - reference(lat, lon, height)).length() < 1e-6 * (1.0 + height.abs() * 1e-6));
            let back = from_ecef(p);
            assert!((back.height_m - height).abs() < 1e-6 + 1e-14 * height.abs(), "{lat} {lon} {height} {back:?}");
            assert!((back.to_ecef() - p).length() < 1e-5 + 2e-15 * height.abs());
        }
    }

    #[test]
    fn normals_outside_are_those_anywhere() {
        let mut rng = StdRng::seed_from_u64(8);
        for i in 0..20_000 {
            let lat = [rng.random_range(-90.0..=90.0), 90.0, -90.0, 0.0][if i % 8 == 0 { i / 8 % 4 } else { 0 }];
            let height =
                [rng.random_range(-12e3..30e3), rng.random_range(-3e6..1e6), rng.random_range(0.0..1e8)][i % 3];
            let p = Geodetic::from_degrees(lat, rng.random_range(-180.0..180.0), height).to_ecef();
            let (n, expected) = (normal_outside(p), normal_at(p));
            assert!((n - expected).length() < 1e-15 && (n.length() - 1.0).abs() < 1e-15, "{p}: {n}, not {expected}");
        }
        let pole = normal_outside(DVec3::new(0.0, 0.0, -7e6));
        assert!((pole - DVec3::NEG_Z).length() < 1e-15, "{pole}");
    }

    #[test]
    fn tangent_frame_is_right_handed_everywhere() {
        for n in [DVec3::Z, -DVec3::Z, n_vector(0.3, 3.1), n_vector(-1.2, -2.0)] {
            let (e, north, up) = east_north_up(n);
            assert!((e.cross(north) - up).length() < 1e-14);
            assert!(e.dot(north).abs() < 1e-14 && (e.length() - 1.0).abs() < 1e-14);
        }
    }
}
