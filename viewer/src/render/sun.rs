//! Where are sun, moon and stars? The sun beside the map maker's shoulder, or all where they stand at a time.

use foreign::sun::SunSetting;
use glam::{DMat3, DVec3};
use terrain::geodesy::{self, Ellipsoid};

use crate::camera::Camera;

/// Where the light comes from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum SunMode {
    /// At an azimuth (clockwise from north) and height as seen from below the eye, wherever the eye is: it is always
    /// day where one looks, and relief is lit as maps do it.
    Follow {
        /// Clockwise from north, degrees.
        azimuth_deg: f64,
        /// Above the horizon, degrees.
        elevation_deg: f64,
    },
    /// Where it stands at a time, in seconds since 1970-01-01T00:00:00Z.
    At {
        /// Seconds since 1970-01-01T00:00:00Z.
        unix_s: f64,
    },
}

impl From<SunMode> for SunSetting {
    fn from(sun: SunMode) -> SunSetting {
        match sun {
            SunMode::Follow { azimuth_deg, elevation_deg } => SunSetting::Follow { azimuth_deg, elevation_deg },
            SunMode::At { unix_s } => SunSetting::At { unix_s },
        }
    }
}

impl From<SunSetting> for SunMode {
    fn from(sun: SunSetting) -> SunMode {
        match sun {
            SunSetting::Follow { azimuth_deg, elevation_deg } => SunMode::Follow { azimuth_deg, elevation_deg },
            SunSetting::At { unix_s } => SunMode::At { unix_s },
        }
    }
}

/// From a sun as high as this over the shoulder there are shadows of cliffs alone, which would creep over the ground in flight.
const HIGHEST_CASTING_DEG: f64 = 35.0;

impl Default for SunMode {
    /// From the north-west, half-way up: the convention of relief maps.
    fn default() -> Self {
        SunMode::Follow { azimuth_deg: 315.0, elevation_deg: 42.0 }
    }
}

impl SunMode {
    /// What the sky around the Earth holds, for a camera.
    pub fn sky(&self, camera: &Camera) -> Sky {
        let sun = self.on(camera.ellipsoid);
        Sky { sun: sun.direction(camera), stars: sun.stars(), moon_m: sun.moon_m() }
    }

    /// The sun over a planet: where it stands at a time is known over the Earth, elsewhere it is the map maker's.
    pub fn on(self, ellipsoid: Ellipsoid) -> SunMode {
        let is_known = ellipsoid == Ellipsoid::WGS84 || matches!(self, SunMode::Follow { .. });
        if is_known { self } else { SunMode::default() }
    }

    /// Unit vector to the sun on ECEF axes.
    pub fn direction(&self, camera: &Camera) -> DVec3 {
        match *self {
            SunMode::Follow { azimuth_deg, elevation_deg } => {
                let n = camera.normal();
                let (east, north, up) = geodesy::east_north_up(n);
                let (sin_a, cos_a) = azimuth_deg.to_radians().sin_cos();
                let (sin_e, cos_e) = elevation_deg.to_radians().sin_cos();
                (east * sin_a + north * cos_a) * cos_e + up * sin_e
            }
            SunMode::At { unix_s } => at(days(unix_s)),
        }
    }

    /// Whether mountains cast shadows: always where the sun stands at a time; one that follows the eye lights relief as maps do, and casts
    /// some when it is low.
    pub fn casts_shadows(&self) -> bool {
        match *self {
            SunMode::Follow { elevation_deg, .. } => elevation_deg < HIGHEST_CASTING_DEG,
            SunMode::At { .. } => true,
        }
    }

    /// Axes of the stars' catalogue (equator and equinox of J2000) on ECEF axes. A sun that follows has no time: its stars are those of noon
    /// on 1 January 2000 in Greenwich.
    fn stars(&self) -> DMat3 {
        match *self {
            SunMode::Follow { .. } => stars(0.0),
            SunMode::At { unix_s } => stars(days(unix_s)),
        }
    }

    /// The middle of the moon from that of the Earth, metres on ECEF axes. Beside a sun that follows there is none.
    fn moon_m(&self) -> Option<DVec3> {
        match *self {
            SunMode::Follow { .. } => None,
            SunMode::At { unix_s } => Some(moon_m(days(unix_s))),
        }
    }
}

/// What the sky around the Earth holds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sky {
    /// Unit vector to the sun on ECEF axes.
    pub sun: DVec3,
    /// Axes of the stars' catalogue (equator and equinox of J2000) on ECEF axes.
    pub stars: DMat3,
    /// The middle of the moon from that of the Earth, metres on ECEF axes; none where there is no time.
    pub moon_m: Option<DVec3>,
}

/// Days since noon of 1 January 2000.
fn days(unix_s: f64) -> f64 {
    unix_s / 86_400.0 - 10_957.5
}

/// Right ascension of Greenwich at a time, radians.
fn sidereal_rad(days: f64) -> f64 {
    (280.460_62 + 360.985_647_37 * days).to_radians()
}

/// Axes of equator and equinox of J2000 on ECEF axes.
fn stars(days: f64) -> DMat3 {
    DMat3::from_rotation_z(-sidereal_rad(days)) * precession(days)
}

/// From equator and equinox of J2000 to those of a time (IAU 1976; J. Meeus, Astronomical Algorithms, 1998, chapter 21): arc seconds for
/// centuries. Nutation and aberration, some 20 arc seconds, are left out.
fn precession(days: f64) -> DMat3 {
    let t = days / 36_525.0;
    let angle = |a: f64, b: f64, c: f64| (t * (a + t * (b + t * c)) / 3600.0).to_radians();
    let zeta = angle(2306.2181, 0.30188, 0.017998);
    let z = angle(2306.2181, 1.09468, 0.018203);
    let theta = angle(2004.3109, -0.42665, -0.041833);
    DMat3::from_rotation_z(z) * DMat3::from_rotation_y(-theta) * DMat3::from_rotation_z(zeta)
}

/// Direction to the sun at a time: low-precision formulas of the Astronomical Almanac, 0.01 degree from 1950 to 2050.
fn at(days: f64) -> DVec3 {
    let mean_longitude = (280.460 + 0.985_647_4 * days).to_radians();
    let anomaly = (357.528 + 0.985_600_3 * days).to_radians();
    let ecliptic = mean_longitude + (1.915 * anomaly.sin() + 0.020 * (2.0 * anomaly).sin()).to_radians();
    let obliquity = obliquity_rad(days);
    let right_ascension = (obliquity.cos() * ecliptic.sin()).atan2(ecliptic.cos());
    let declination = (obliquity.sin() * ecliptic.sin()).asin();
    geodesy::n_vector(declination, right_ascension - sidereal_rad(days))
}

/// The middle of the moon at a time: low-precision formulas of the Astronomical Almanac, 0.3 degrees along the ecliptic, 0.2 across,
/// and a third of a percent of the distance.
fn moon_m(days: f64) -> DVec3 {
    let t = days / 36_525.0;
    let angle = |degrees: f64, per_century: f64| (degrees + per_century * t).to_radians();
    let longitude_deg = 218.32 + 481_267.881 * t + 6.29 * angle(135.0, 477_198.87).sin()
        - 1.27 * angle(259.3, -413_335.36).sin()
        + 0.66 * angle(235.7, 890_534.22).sin()
        + 0.21 * angle(269.9, 954_397.74).sin()
        - 0.19 * angle(357.5, 35_999.05).sin()
        - 0.11 * angle(186.5, 966_404.03).sin();
    let latitude_deg = 5.13 * angle(93.3, 483_202.02).sin() + 0.28 * angle(228.2, 960_400.89).sin()
        - 0.28 * angle(318.3, 6_003.15).sin()
        - 0.17 * angle(217.6, -407_332.21).sin();
    let parallax_deg = 0.9508
        + 0.0518 * angle(135.0, 477_198.87).cos()
        + 0.0095 * angle(259.3, -413_335.36).cos()
        + 0.0078 * angle(235.7, 890_534.22).cos()
        + 0.0028 * angle(269.9, 954_397.74).cos();
    let toward = geodesy::n_vector(latitude_deg.to_radians(), longitude_deg.to_radians());
    let turned = DMat3::from_rotation_z(-sidereal_rad(days)) * DMat3::from_rotation_x(obliquity_rad(days));
    turned * toward * (Ellipsoid::WGS84.semi_major_m() / parallax_deg.to_radians().sin())
}

/// Angle between the equator and the ecliptic, radians.
fn obliquity_rad(days: f64) -> f64 {
    (23.439 - 4.0e-7 * days).to_radians()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::camera::Pose;

    #[test]
    fn the_sun_stands_where_the_almanac_says() {
        // June solstice of 2026, 21 June 08:24 UTC: declination 23.44; equation of time -1.8 minutes.
        let (lat, lon) = geodesy::lat_lon(at(days(1_782_030_240.0)));
        assert!((lat.to_degrees() - 23.44).abs() < 0.02, "{}", lat.to_degrees());
        let noon_lon = (12.0 - (8.0 + 24.0 / 60.0)) * 15.0 + 1.8 / 4.0;
        assert!((lon.to_degrees() - noon_lon).abs() < 0.15, "{}", lon.to_degrees());
        // March equinox of 2026, 20 March 14:46 UTC: over the equator.
        let (lat, _) = geodesy::lat_lon(at(days(1_774_017_960.0)));
        assert!(lat.to_degrees().abs() < 0.02, "{}", lat.to_degrees());
    }

    /// Meeus, examples 12.b and 21.b.
    #[test]
    fn the_sky_turns_as_the_almanac_says() {
        // 10 April 1987, 19:21:00 UT.
        let turned = sidereal_rad(days(545_080_860.0)).to_degrees().rem_euclid(360.0);
        assert!((turned - 128.737_873).abs() < 1e-3, "{turned}");
        // Theta Persei, 13.19 November 2028.
        let star = geodesy::n_vector(f64::to_radians(49.227_750), f64::to_radians(41.054_063));
        let (dec, ra) = geodesy::lat_lon(precession(10_543.69) * star);
        assert!(
            (ra.to_degrees() - 41.547_214).abs() < 1e-5 && (dec.to_degrees() - 49.348_483).abs() < 1e-5,
            "{ra} {dec}"
        );
        // Polaris stands over the pole, always.
        for days in [0.0, 9_800.3, 12_000.7] {
            let polaris = stars(days) * geodesy::n_vector(f64::to_radians(89.264), f64::to_radians(37.955));
            assert!(polaris.z.acos().to_degrees() < 0.75);
        }
    }

    /// Meeus, example 47.a: 12 April 1992, 0 h.
    #[test]
    fn the_moon_stands_where_the_almanac_says() {
        let days = days(703_036_800.0);
        let moon_m = DMat3::from_rotation_z(sidereal_rad(days)) * moon_m(days);
        let (declination, right_ascension) = geodesy::lat_lon(moon_m.normalize());
        let off_deg = (declination.to_degrees() - 13.768_368).hypot(right_ascension.to_degrees() - 134.688_470);
        assert!(off_deg < 0.3, "{off_deg}");
        assert!((moon_m.length() / 368_409_700.0 - 1.0).abs() < 4e-3, "{moon_m}");
    }

    /// The eclipse of 8 April 2024 was total at Nazas in Mexico (25.29 N, 104.14 W) at 18:17:20 UTC: from there the moon stands
    /// before the sun. From the other side of the Earth it would stand a degree beside it.
    #[test]
    fn the_moon_is_seen_from_where_one_stands() {
        let pose = Pose { lat_deg: 25.29, lon_deg: -104.14, height_m: 1e3, heading_deg: 0.0, pitch_deg: 0.0 };
        let camera = Camera::from_pose(&pose);
        let sky = SunMode::At { unix_s: 1_712_600_240.0 }.sky(&camera);
        let off = (sky.moon_m.unwrap() - camera.eye_m).angle_between(sky.sun).to_degrees();
        assert!(off < 0.35, "{off}");
        assert_eq!(SunMode::default().sky(&camera).moon_m, None);
    }

    #[test]
    fn the_following_sun_keeps_its_place_in_the_sky() {
        for lat_deg in [-90.0, -35.0, 0.0, 60.0, 90.0] {
            let pose = Pose { lat_deg, lon_deg: 12.0, height_m: 1e4, heading_deg: 0.0, pitch_deg: 0.0 };
            let camera = Camera::from_pose(&pose);
            let sun = SunMode::default().direction(&camera);
            let height = sun.dot(camera.normal()).asin().to_degrees();
            assert!((height - 42.0).abs() < 1e-9, "{height}");
        }
    }
}
