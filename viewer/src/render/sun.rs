//! Where is the sun? Beside the map maker's shoulder, or where it stands at a time.

use glam::DVec3;
use terrain::geodesy;

use crate::camera::Camera;

/// Where the light comes from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Sun {
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

impl Default for Sun {
    /// From the north-west, half-way up: the convention of relief maps.
    fn default() -> Self {
        Sun::Follow { azimuth_deg: 315.0, elevation_deg: 42.0 }
    }
}

impl Sun {
    /// Unit vector to the sun on ECEF axes.
    pub fn direction(&self, camera: &Camera) -> DVec3 {
        match *self {
            Sun::Follow { azimuth_deg, elevation_deg } => {
                let n = camera.normal();
                let (east, north, up) = geodesy::east_north_up(n);
                let (sin_a, cos_a) = azimuth_deg.to_radians().sin_cos();
                let (sin_e, cos_e) = elevation_deg.to_radians().sin_cos();
                (east * sin_a + north * cos_a) * cos_e + up * sin_e
            }
            Sun::At { unix_s } => at(unix_s),
        }
    }
}

/// Direction to the sun at a time: low-precision formulas of the Astronomical Almanac, 0.01 degree from 1950 to 2050.
fn at(unix_s: f64) -> DVec3 {
    // Days since noon of 1 January 2000.
    let days = unix_s / 86_400.0 - 10_957.5;
    let mean_longitude = (280.460 + 0.985_647_4 * days).to_radians();
    let anomaly = (357.528 + 0.985_600_3 * days).to_radians();
    let ecliptic = mean_longitude + (1.915 * anomaly.sin() + 0.020 * (2.0 * anomaly).sin()).to_radians();
    let obliquity = (23.439 - 4.0e-7 * days).to_radians();
    let right_ascension = (obliquity.cos() * ecliptic.sin()).atan2(ecliptic.cos());
    let declination = (obliquity.sin() * ecliptic.sin()).asin();
    let sidereal = (280.460_62 + 360.985_647_37 * days).to_radians();
    geodesy::n_vector(declination, right_ascension - sidereal)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::camera::Pose;

    #[test]
    fn the_sun_stands_where_the_almanac_says() {
        // June solstice of 2026, 21 June 08:24 UTC: declination 23.44; equation of time -1.8 minutes.
        let (lat, lon) = geodesy::lat_lon(at(1_782_030_240.0));
        assert!((lat.to_degrees() - 23.44).abs() < 0.02, "{}", lat.to_degrees());
        let noon_lon = (12.0 - (8.0 + 24.0 / 60.0)) * 15.0 + 1.8 / 4.0;
        assert!((lon.to_degrees() - noon_lon).abs() < 0.15, "{}", lon.to_degrees());
        // March equinox of 2026, 20 March 14:46 UTC: over the equator.
        let (lat, _) = geodesy::lat_lon(at(1_774_017_960.0));
        assert!(lat.to_degrees().abs() < 0.02, "{}", lat.to_degrees());
    }

    #[test]
    fn the_following_sun_keeps_its_place_in_the_sky() {
        for lat_deg in [-90.0, -35.0, 0.0, 60.0, 90.0] {
            let pose = Pose { lat_deg, lon_deg: 12.0, height_m: 1e4, heading_deg: 0.0, pitch_deg: 0.0 };
            let camera = Camera::from_pose(&pose);
            let sun = Sun::default().direction(&camera);
            let height = sun.dot(camera.normal()).asin().to_degrees();
            assert!((height - 42.0).abs() < 1e-9, "{height}");
        }
    }
}
