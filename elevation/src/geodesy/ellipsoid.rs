//! What shape is a planet? An ellipsoid of revolution, flattened along its axis: positions from geodetic places and back.

use std::{fmt, str::FromStr};

use geographiclib_rs::Geodesic;
use glam::DVec3;

use super::{Geodetic, lat_lon};

/// Part by which radii of one body may differ.
const SAME_RADIUS: f64 = 0.01;
/// By how much its flattenings may: latitudes differ by as many radians.
const SAME_FLATTENING: f64 = 1e-6;

/// Smallest and largest equatorial radius, metres: of moons, and of planets as large as the Earth.
const RADII_M: [f64; 2] = [100e3, 7_000e3];
/// Largest flattening: shaders find normals by what it is small against.
const MOST_FLATTENING: f64 = 0.02;
/// Part of the semi-minor axis within which a point is answered with the direction from the middle, at least.
const CORE: f64 = 0.008;

/// The ellipsoid of a planet or moon: heights are above it, and geodetic latitudes are those of its normals.
///
/// ```
/// use elevation::geodesy::Ellipsoid;
/// let moon = Ellipsoid::new(1_737_400.0, 1_737_400.0)?;
/// assert_eq!(moon, Ellipsoid::MOON);
/// assert_eq!(Ellipsoid::default(), Ellipsoid::WGS84);
/// assert!(Ellipsoid::new(1_000.0, 2_000.0).is_err());
/// # Ok::<(), elevation::geodesy::EllipsoidError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(into = "[f64; 2]", try_from = "[f64; 2]")]
pub struct Ellipsoid {
    semi_major_m: f64,
    semi_minor_m: f64,
    flattening: f64,
    eccentricity_squared: f64,
}

/// Why two axes are no [`Ellipsoid`].
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum EllipsoidError {
    /// No planet, or none of a size that is drawn.
    #[error("an equatorial radius of {0} m is not between {low:.0} and {high:.0} km", low = RADII_M[0] / 1e3, high = RADII_M[1] / 1e3)]
    Radius(f64),
    /// Longer along its axis, or too flat.
    #[error("a polar radius of {polar_m} m is not between {:.0} and {semi_major_m} m: flattenings are 0 to {MOST_FLATTENING}", semi_major_m * (1.0 - MOST_FLATTENING))]
    Flattening {
        /// Equatorial radius, metres.
        semi_major_m: f64,
        /// Polar radius, metres.
        polar_m: f64,
    },
}

impl Default for Ellipsoid {
    /// [`Ellipsoid::WGS84`].
    fn default() -> Self {
        Self::WGS84
    }
}

impl From<Ellipsoid> for [f64; 2] {
    fn from(of: Ellipsoid) -> Self {
        [of.semi_major_m, of.semi_minor_m]
    }
}

impl TryFrom<[f64; 2]> for Ellipsoid {
    type Error = EllipsoidError;

    fn try_from([semi_major_m, semi_minor_m]: [f64; 2]) -> Result<Self, EllipsoidError> {
        Self::new(semi_major_m, semi_minor_m)
    }
}

impl FromStr for Ellipsoid {
    type Err = String;

    /// Reads a name, `earth`, `moon` or `mars`, or equatorial and polar radius in metres, `2440530,2438260`.
    fn from_str(text: &str) -> Result<Self, String> {
        Self::try_from(foreign::values::radii_m(text)?).map_err(|error| error.to_string())
    }
}

impl fmt::Display for Ellipsoid {
    /// Equatorial and polar radius in metres.
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "{},{}", self.semi_major_m, self.semi_minor_m)
    }
}

impl Ellipsoid {
    /// The Earth's (NIMA TR8350.2).
    pub const WGS84: Self = Self::flattened(6_378_137.0, 1.0 / 298.257_223_563);
    /// The Moon's: a sphere (IAU Working Group on Cartographic Coordinates and Rotational Elements, 2015).
    pub const MOON: Self = Self::flattened(1_737_400.0, 0.0);
    /// That of Mars (the same).
    pub const MARS: Self = Self::flattened(3_396_190.0, 1.0 - 3_376_200.0 / 3_396_190.0);

    /// By its equatorial and polar radius in metres.
    ///
    /// # Errors
    /// [`EllipsoidError`] of a radius outside of 100 to 7 000 km, of a polar one above the equatorial, and of a flattening above 0.02.
    pub fn new(semi_major_m: f64, semi_minor_m: f64) -> Result<Self, EllipsoidError> {
        if !(RADII_M[0]..=RADII_M[1]).contains(&semi_major_m) {
            return Err(EllipsoidError::Radius(semi_major_m));
        }
        let flattening = 1.0 - semi_minor_m / semi_major_m;
        if !(0.0..=MOST_FLATTENING).contains(&flattening) {
            return Err(EllipsoidError::Flattening { semi_major_m, polar_m: semi_minor_m });
        }
        let given = Self::flattened(semi_major_m, flattening);
        Ok([Self::WGS84, Self::MOON, Self::MARS].into_iter().find(|known| given.is(*known)).unwrap_or(given))
    }

    /// Whether both axes are those of another, to a millimetre: that of GRS 1980 is 0.1 mm from that of WGS 84.
    fn is(self, other: Self) -> bool {
        let off = [self.semi_major_m - other.semi_major_m, self.semi_minor_m - other.semi_minor_m];
        off.into_iter().all(|off_m| off_m.abs() < 1e-3)
    }

    const fn flattened(semi_major_m: f64, flattening: f64) -> Self {
        Self {
            semi_major_m,
            semi_minor_m: semi_major_m * (1.0 - flattening),
            flattening,
            eccentricity_squared: flattening * (2.0 - flattening),
        }
    }

    /// Semi-major axis, metres: the radius of the equator.
    pub const fn semi_major_m(self) -> f64 {
        self.semi_major_m
    }

    /// Semi-minor axis, metres: from the middle to a pole.
    pub const fn semi_minor_m(self) -> f64 {
        self.semi_minor_m
    }

    /// Flattening: `(a - b) / a`.
    ///
    /// ```
    /// use elevation::geodesy::Ellipsoid;
    /// let earth = Ellipsoid::WGS84;
    /// assert!((1.0 / earth.flattening() - 298.257_223_563).abs() < 1e-9);
    /// assert!((earth.semi_minor_m() - 6_356_752.314_2).abs() < 1e-4);
    /// assert!((earth.eccentricity_squared() - 6.694_379_990_14e-3).abs() < 1e-13);
    /// ```
    pub const fn flattening(self) -> f64 {
        self.flattening
    }

    /// The first eccentricity squared.
    pub const fn eccentricity_squared(self) -> f64 {
        self.eccentricity_squared
    }

    /// Whether another is one of the same body, on which latitudes are the same: spheres of the Earth have 6 370 km and more, and Venus
    /// has a twentieth less.
    ///
    /// ```
    /// use elevation::geodesy::Ellipsoid;
    ///
    /// assert!(Ellipsoid::MOON.is_of_same_body(Ellipsoid::new(1_738_140.0, 1_738_140.0)?));
    /// assert!(!Ellipsoid::MARS.is_of_same_body(Ellipsoid::new(3_396_190.0, 3_396_190.0)?), "not flattened");
    /// assert!(Ellipsoid::MARS.has_radius(3_396_000.0) && !Ellipsoid::MARS.has_radius(3_300_000.0));
    /// # Ok::<(), elevation::geodesy::EllipsoidError>(())
    /// ```
    pub fn is_of_same_body(self, other: Ellipsoid) -> bool {
        self.has_radius(other.semi_major_m) && (self.flattening - other.flattening).abs() <= SAME_FLATTENING
    }

    /// Whether its equatorial radius is a length in metres, to a hundredth: whatever its shape, it may be of the same body.
    pub fn has_radius(self, radius_m: f64) -> bool {
        (radius_m / self.semi_major_m - 1.0).abs() <= SAME_RADIUS
    }

    /// Mean radius, metres: `(2 a + b) / 3`.
    ///
    /// ```
    /// assert!((elevation::geodesy::Ellipsoid::WGS84.mean_radius_m() - 6_371_008.8).abs() < 0.1);
    /// ```
    pub const fn mean_radius_m(self) -> f64 {
        (2.0 * self.semi_major_m + self.semi_minor_m) / 3.0
    }

    /// Its equatorial radius over the Earth's: lengths of the Earth times this are as large an angle here.
    ///
    /// ```
    /// use elevation::geodesy::Ellipsoid;
    /// assert_eq!(Ellipsoid::WGS84.size(), 1.0);
    /// assert!((Ellipsoid::MOON.size() - 0.2724).abs() < 1e-4);
    /// ```
    pub const fn size(self) -> f64 {
        self.semi_major_m / Self::WGS84.semi_major_m
    }

    /// What takes positions to the space where the ellipsoid is a sphere of the equator's radius; lines stay lines.
    ///
    /// ```
    /// use elevation::geodesy::{Ellipsoid, n_vector};
    /// let mars = Ellipsoid::MARS;
    /// let position = mars.ecef(n_vector(0.8, 0.1), 0.0);
    /// assert!(((position * mars.sphere_scale()).length() - mars.semi_major_m()).abs() < 1e-6);
    /// ```
    pub fn sphere_scale(self) -> DVec3 {
        DVec3::new(1.0, 1.0, self.semi_major_m / self.semi_minor_m)
    }

    /// It in the words of PROJ.
    ///
    /// ```
    /// use elevation::geodesy::Ellipsoid;
    /// assert_eq!(Ellipsoid::WGS84.proj(), "+datum=WGS84");
    /// assert_eq!(Ellipsoid::MOON.proj(), "+a=1737400 +b=1737400");
    /// ```
    pub fn proj(self) -> String {
        if self == Self::WGS84 {
            return "+datum=WGS84".to_owned();
        }
        format!("+a={} +b={}", self.semi_major_m, self.semi_minor_m)
    }

    /// Geodesics on it, by C. F. F. Karney's algorithms.
    ///
    /// ```
    /// use geographiclib_rs::InverseGeodesic;
    /// let quarter_m: f64 = elevation::geodesy::Ellipsoid::MOON.geodesic().inverse(0.0, 0.0, 90.0, 0.0);
    /// assert!((quarter_m - std::f64::consts::FRAC_PI_2 * 1_737_400.0).abs() < 1e-6);
    /// ```
    pub fn geodesic(self) -> Geodesic {
        Geodesic::new(self.semi_major_m, self.flattening)
    }

    /// Radii of curvature at a sine of latitude, metres: across the meridian, and along it.
    ///
    /// ```
    /// let [across_m, along_m] = elevation::geodesy::Ellipsoid::WGS84.radii_m(1.0);
    /// assert_eq!(across_m, along_m, "at a pole");
    /// ```
    pub fn radii_m(self, sin_lat: f64) -> [f64; 2] {
        let one = 1.0 - self.eccentricity_squared * sin_lat * sin_lat;
        let across_m = self.semi_major_m / one.sqrt();
        [across_m, across_m * (1.0 - self.eccentricity_squared) / one]
    }

    /// Position in metres from the middle of the point `height_m` above the ellipsoid along the unit normal `n`.
    ///
    /// The ellipsoid point with normal n is `(a^2 nx, a^2 ny, b^2 nz) / sqrt(a^2 (nx^2 + ny^2) + b^2 nz^2)`: the gradient of
    /// `x^2/a^2 + y^2/a^2 + z^2/b^2` there is parallel to n.
    ///
    /// ```
    /// use elevation::geodesy::{Ellipsoid, lat_lon, n_vector};
    /// let (earth, n) = (Ellipsoid::WGS84, n_vector(0.8, 0.1));
    /// assert_eq!(earth.ecef(glam::DVec3::X, 100.0).x, earth.semi_major_m() + 100.0);
    /// assert!(earth.normal_at(earth.ecef(n, 5_000.0)).distance(n) < 1e-15);
    /// assert!((earth.height_along_m(earth.ecef(n, 5_000.0), n) - 5_000.0).abs() < 1e-6);
    /// let (lat_rad, lon_rad) = lat_lon(n);
    /// assert!((lat_rad - 0.8).abs() < 1e-15 && (lon_rad - 0.1).abs() < 1e-15);
    /// ```
    pub fn ecef(self, n: DVec3, height_m: f64) -> DVec3 {
        let (a2, b2) = (self.semi_major_m * self.semi_major_m, self.semi_minor_m * self.semi_minor_m);
        let scaled = DVec3::new(a2 * n.x, a2 * n.y, b2 * n.z);
        scaled / scaled.dot(n).sqrt() + n * height_m
    }

    /// Geodetic coordinates of a position in metres from the middle.
    ///
    /// Bowring's iteration on the parametric latitude (Survey Review 23, 1976). From the ground to lunar distance two rounds
    /// reach the rounding of f64, some nanometres on the ground; there are three, for points deep inside the Earth. Positions
    /// near the middle, within a hundredth of the Earth's radius, have no unique normal; they are answered with the direction from there.
    ///
    /// ```
    /// use elevation::geodesy::{Ellipsoid, Geodetic};
    /// let pole = Geodetic::from_degrees(90.0, 0.0, 12.5).to_ecef(Ellipsoid::MARS);
    /// assert!((Ellipsoid::MARS.geodetic(pole).height_m - 12.5).abs() < 1e-8);
    /// ```
    pub fn geodetic(self, p: DVec3) -> Geodetic {
        let n = self.normal_at(p);
        let (lat_rad, lon_rad) = lat_lon(n);
        Geodetic { lat_rad, lon_rad, height_m: self.height_along_m(p, n) }
    }

    /// Height in metres of a position above the ellipsoid, along the unit normal there.
    pub fn height_m(self, p: DVec3) -> f64 {
        self.height_along_m(p, self.normal_at(p))
    }

    /// Height in metres of a position above the point of the ellipsoid with the unit normal `n`, along that.
    pub fn height_along_m(self, p: DVec3, n: DVec3) -> f64 {
        (p - self.ecef(n, 0.0)).dot(n)
    }

    /// Unit geodetic normal of the ellipsoid below (or above) a position in metres from the middle.
    pub fn normal_at(self, p: DVec3) -> DVec3 {
        let Self { semi_major_m, semi_minor_m, flattening, eccentricity_squared } = self;
        let axis_m = p.x.hypot(p.y);
        // Normals meet up to a e^2 from the middle.
        if p.length() < (CORE * semi_minor_m).max(1.05 * eccentricity_squared * semi_major_m) {
            return p.try_normalize().unwrap_or(DVec3::Z);
        }
        // Bowring 1976: tan(lat) = (z + e'^2 b sin^3 u) / (r - e^2 a cos^3 u), tan(u) from the previous latitude.
        let second_e2 = eccentricity_squared / (1.0 - eccentricity_squared);
        let (mut sin_u, mut cos_u) = unit(p.z * semi_major_m, axis_m * semi_minor_m);
        let mut lat = (0.0, 1.0);
        for _ in 0..3 {
            lat = unit(
                p.z + second_e2 * semi_minor_m * sin_u.powi(3),
                axis_m - eccentricity_squared * semi_major_m * cos_u.powi(3),
            );
            (sin_u, cos_u) = unit(lat.0 * (1.0 - flattening), lat.1);
        }
        let (sin_lat, cos_lat) = lat;
        let around = if axis_m > 0.0 { DVec3::new(p.x / axis_m, p.y / axis_m, 0.0) } else { DVec3::X };
        (around * cos_lat + DVec3::Z * sin_lat).normalize()
    }

    /// [`normal_at`](Self::normal_at) in a quarter of its time, to the rounding of both, and to 1e-10 radians inside of bodies flatter than
    /// the Earth, of a point that is not within half of the radius from the middle: two rounds, and lengths that cannot overflow.
    pub(crate) fn normal_outside(self, p: DVec3) -> DVec3 {
        let Self { semi_major_m, semi_minor_m, flattening, eccentricity_squared } = self;
        let second_e2 = eccentricity_squared / (1.0 - eccentricity_squared);
        let unit = |y: f64, x: f64| {
            let inverse = 1.0 / (y * y + x * x).sqrt();
            (y * inverse, x * inverse)
        };
        let axis_m = (p.x * p.x + p.y * p.y).sqrt();
        let latitude = |(sin_u, cos_u): (f64, f64)| {
            unit(
                p.z + second_e2 * semi_minor_m * (sin_u * sin_u * sin_u),
                axis_m - eccentricity_squared * semi_major_m * (cos_u * cos_u * cos_u),
            )
        };
        let (sin, cos) = latitude(unit(p.z * semi_major_m, axis_m * semi_minor_m));
        let (sin, cos) = latitude(unit(sin * (1.0 - flattening), cos));
        if axis_m > 0.0 { DVec3::new(p.x / axis_m * cos, p.y / axis_m * cos, sin) } else { DVec3::new(cos, 0.0, sin) }
    }
}

#[cfg(test)]
impl Ellipsoid {
    /// What laws are tried on: the Earth, the Moon, Mars, and one as small and as flat as a body with relief may well be.
    pub(crate) fn bodies() -> [Self; 4] {
        let flat = Self::new(300e3, 300e3 * (1.0 - 0.0199)).expect("a body");
        [Self::WGS84, Self::MOON, Self::MARS, flat]
    }
}

/// `(y, x)` scaled to unit length; `(0, 1)` for the zero vector.
fn unit(y: f64, x: f64) -> (f64, f64) {
    let length = y.hypot(x);
    if length > 0.0 { (y / length, x / length) } else { (0.0, 1.0) }
}

#[cfg(test)]
mod tests {
    use rand::{Rng, SeedableRng, rngs::StdRng};

    use super::*;
    use crate::geodesy::n_vector;

    /// Reference positions computed independently from the closed-form prime-vertical formula.
    fn reference(of: Ellipsoid, lat_deg: f64, lon_deg: f64, height_m: f64) -> DVec3 {
        let (lat, lon) = (lat_deg.to_radians(), lon_deg.to_radians());
        let e2 = 1.0 - (of.semi_minor_m() / of.semi_major_m()).powi(2);
        let prime_vertical_m = of.semi_major_m() / (1.0 - e2 * lat.sin().powi(2)).sqrt();
        DVec3::new(
            (prime_vertical_m + height_m) * lat.cos() * lon.cos(),
            (prime_vertical_m + height_m) * lat.cos() * lon.sin(),
            (prime_vertical_m * (1.0 - e2) + height_m) * lat.sin(),
        )
    }

    #[test]
    fn known_axes() {
        let at = |lat, lon, height| Geodetic::from_degrees(lat, lon, height).to_ecef(Ellipsoid::WGS84);
        assert!((at(0.0, 0.0, 0.0) - DVec3::new(6_378_137.0, 0.0, 0.0)).length() < 1e-9);
        let pole = at(-90.0, 123.0, 0.0);
        assert!((pole - DVec3::new(0.0, 0.0, -6_356_752.314_245)).length() < 1e-6, "{pole}");
        assert!((at(10.0, 180.0, 5.0) - at(10.0, -180.0, 5.0)).length() < 1e-8);
        assert!((Ellipsoid::MARS.semi_minor_m() - 3_376_200.0).abs() < 1e-6);
    }

    /// Law: axes that are no planet's are refused, whatever they are, and what is taken has these axes.
    #[test]
    fn axes_are_those_given_or_refused() {
        let numbers =
            [f64::NAN, f64::INFINITY, -1.0, 0.0, 1e3, 100e3, 1e6, 0.99e6, 0.979e6, 1e6 + 1.0, 7_000e3, 7_001e3];
        for (a, b) in numbers.into_iter().flat_map(|a| numbers.map(|b| (a, b))) {
            let sound = (100e3..=7_000e3).contains(&a) && (0.98 * a..=a).contains(&b);
            match Ellipsoid::new(a, b) {
                Ok(of) => {
                    assert!(sound && of.semi_major_m() == a && (of.semi_minor_m() - b).abs() < 1e-9 * a, "{a} {b}")
                }
                Err(_) => assert!(!sound, "{a} {b}"),
            }
        }
    }

    /// Law: names and radii are planets, all else is refused with what to give.
    #[test]
    fn bodies_are_names_or_radii() {
        assert_eq!("Moon".parse(), Ok(Ellipsoid::MOON));
        assert_eq!(["3396190, 3376200", "mars"].map(str::parse), [Ok(Ellipsoid::MARS), Ok(Ellipsoid::MARS)]);
        assert_eq!("earth".parse(), Ok(Ellipsoid::WGS84));
        assert_eq!("2439700,2439700".parse().map(Ellipsoid::semi_major_m), Ok(2_439_700.0));
        for wrong in ["pluto", "", "1e6", "1e6,", "1e6,2e6", "nan,nan", "-1,-1", "1,1", "1e6,1e6,1e6"] {
            assert!(wrong.parse::<Ellipsoid>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn ecef_equals_prime_vertical_formula_and_inverts() {
        let mut rng = StdRng::seed_from_u64(7);
        for (i, of) in (0..40_000).map(|i| (i, Ellipsoid::bodies()[i % 4])) {
            let lat = rng.random_range(-90.0..=90.0);
            let lon = rng.random_range(-180.0..180.0);
            let height = [rng.random_range(-11e3..9e3), rng.random_range(0.0..4e8)][i / 4 % 2];
            let p = Geodetic::from_degrees(lat, lon, height).to_ecef(of);
            assert!((p - reference(of, lat, lon, height)).length() < 1e-6 * (1.0 + height.abs() * 1e-6));
            let back = of.geodetic(p);
            assert!(
                (back.height_m - height).abs() < 1e-6 + 1e-14 * height.abs(),
                "{of:?} {lat} {lon} {height} {back:?}"
            );
            assert!((back.to_ecef(of) - p).length() < 1e-5 + 2e-15 * height.abs());
        }
    }

    #[test]
    fn normals_outside_are_those_anywhere() {
        let mut rng = StdRng::seed_from_u64(8);
        for (i, of) in (0..40_000).map(|i| (i, Ellipsoid::bodies()[i % 4])) {
            let lat = [rng.random_range(-90.0..=90.0), 90.0, -90.0, 0.0][if i % 8 == 0 { i / 8 % 4 } else { 0 }];
            let deep_m = -0.47 * of.semi_minor_m();
            let height =
                [rng.random_range(-12e3..30e3), rng.random_range(deep_m..1e6), rng.random_range(0.0..1e8)][i % 3];
            let p = Geodetic::from_degrees(lat, rng.random_range(-180.0..180.0), height).to_ecef(of);
            let (n, expected) = (of.normal_outside(p), of.normal_at(p));
            let within = if of.flattening > 0.005 { 1e-10 } else { 1e-15 };
            assert!((n - expected).length() < within && (n.length() - 1.0).abs() < 1e-15, "{p}: {n}, not {expected}");
        }
        let pole = Ellipsoid::WGS84.normal_outside(DVec3::new(0.0, 0.0, -7e6));
        assert!((pole - DVec3::NEG_Z).length() < 1e-15, "{pole}");
    }

    /// Law: in the space where the ellipsoid is a sphere, its points are at the equator's radius.
    #[test]
    fn the_scaled_ellipsoid_is_a_sphere() {
        for of in Ellipsoid::bodies() {
            let p = of.ecef(n_vector(0.7, 2.0), 0.0) * of.sphere_scale();
            assert!((p.length() - of.semi_major_m()).abs() < 1e-8);
        }
    }
}
