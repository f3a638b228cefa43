//! Where is the sun in the sky of a place? NREL's solar position algorithm, and refraction.

use elevation::geodesy::Geodetic;
use solar_positioning::{Location, SolarPositions, delta_t, time::JulianDate};

use crate::calendar::DAY_S;

/// The last year for which the turning of the Earth is estimated (by the crate from 500 years before ours on). It is taken a year on and some
/// hours: 0.0001 degrees.
const ESTIMATED_YEAR: f64 = 3000.0;
const LAST_YEAR: f64 = ESTIMATED_YEAR + 1.01;

/// Half of the sun's disc as it is seen, degrees.
pub const HALF_DISC_DEG: f64 = 0.266_67;

/// The sun as seen from a place, from the surface of the Earth and not from its middle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SunPosition {
    /// Radians clockwise from north, 0 to 2 pi.
    pub azimuth_rad: f64,
    /// Of the disc's middle above the level plane, without refraction, radians.
    pub elevation_rad: f64,
}

/// Why the sun's position is not known.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SunError {
    /// A time far from ours.
    #[error("the position of the sun is not known at {unix_s} s after 1970: only in the years -499 to 3000")]
    Time {
        /// Seconds since 1970-01-01T00:00:00Z, as given.
        unix_s: f64,
    },
    /// A place that is not on the Earth.
    #[error("the position of the sun is known on the Earth alone")]
    OtherBody,
}

impl SunPosition {
    /// The sun at a place at a time, in seconds since 1970-01-01T00:00:00Z.
    ///
    /// Reda and Andreas, "Solar position algorithm for solar radiation applications", Solar Energy 76 (2004): 0.0003 degrees.
    /// The time by which the Earth's turning is behind (delta T) is estimated: a second of it is 0.00001 degrees.
    ///
    /// ```
    /// use analysis::sun::SunPosition;
    /// use elevation::geodesy::Geodetic;
    /// // Noon of midsummer at 8 degrees east.
    /// let sun = SunPosition::at(Geodetic::from_degrees(46.0, 8.0, 500.0), 1_782_041_700.0)?;
    /// assert!((sun.elevation_rad.to_degrees() - 67.4).abs() < 0.1);
    /// # Ok::<(), analysis::sun::SunError>(())
    /// ```
    ///
    /// # Errors
    /// [`SunError`] for a time far from ours.
    pub fn at(place: Geodetic, unix_s: f64) -> Result<Self, SunError> {
        let unknown = SunError::Time { unix_s };
        let year = 1970.0 + unix_s / (365.2425 * DAY_S);
        if year > LAST_YEAR {
            return Err(unknown);
        }
        let delta_s = delta_t::estimate(year.min(ESTIMATED_YEAR)).map_err(|_| unknown)?;
        let time = JulianDate::new(2_440_587.5 + unix_s / DAY_S, delta_s).map_err(|_| unknown)?;
        let (latitude, longitude) = (place.lat_rad.to_degrees().clamp(-90.0, 90.0), place.lon_rad.to_degrees());
        let location = Location { latitude, longitude };
        let found = SolarPositions::new().at_from_julian(time, location, place.height_m, None).map_err(|_| unknown)?;
        Ok(Self { azimuth_rad: found.azimuth().to_radians(), elevation_rad: found.elevation_angle().to_radians() })
    }
}

/// By how much air of a pressure lifts a body at a true elevation, degrees for degrees: Meeus, Astronomical Algorithms, 16.4, as
/// the solar position algorithm has it, at 12 degrees Celsius. Lower than -1.5 degrees it stays what it is there.
///
/// ```
/// use analysis::sun::refraction_deg;
/// // Half a degree at sea level for a body on the horizon, next to nothing for one overhead.
/// assert!((refraction_deg(0.0, 101_000.0) - 0.48).abs() < 0.01);
/// assert!(refraction_deg(90.0, 101_000.0).abs() < 1e-4);
/// ```
pub fn refraction_deg(elevation_deg: f64, pressure_pa: f64) -> f64 {
    let e = elevation_deg.max(-1.5);
    pressure_pa / 101_000.0 * (283.0 / 285.0) * 1.02 / (60.0 * (e + 10.3 / (e + 5.11)).to_radians().tan())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Law: positions are those of NREL's algorithm, to 0.0003 degrees. The first is the worked example of the paper. Made by
    /// `pvlib.solarposition.spa_python(time, lat, lon, altitude, delta_t=pvlib.spa.calculate_deltat(year, month))`, pvlib 0.16.1,
    /// columns `elevation` and `azimuth`.
    #[test]
    fn the_sun_is_where_pvlib_has_it() {
        for (unix_s, lat, lon, height_m, elevation_deg, azimuth_deg) in [
            (1_066_419_030.0, 39.742476, -105.1786, 1830.14, 39.872051, 194.340277),
            (1_782_043_200.0, 46.0, 8.0, 500.0, 66.626556, 197.680015),
            (1_797_837_154.0, -33.9, 151.2, 20.0, 20.854356, 255.121838),
            (921_974_399.0, 78.2, 15.6, 10.0, -11.489659, 14.018923),
            (2_514_423_845.0, -89.9, 0.0, 2835.0, -6.740568, 133.649450),
        ] {
            let sun = SunPosition::at(Geodetic::from_degrees(lat, lon, height_m), unix_s).unwrap();
            let off = [sun.elevation_rad.to_degrees() - elevation_deg, sun.azimuth_rad.to_degrees() - azimuth_deg];
            assert!(off.iter().all(|off| off.abs() < 3e-4), "{off:?} at {unix_s}");
        }
        // The year 3000 in every time zone, and nothing of 3002.
        let [year_3001, year_3002] = [32_535_216_000.0, 32_566_752_000.0];
        assert!(SunPosition::at(Geodetic::from_degrees(0.0, 0.0, 0.0), year_3001 + 43_200.0).is_ok());
        assert!(SunPosition::at(Geodetic::from_degrees(0.0, 0.0, 0.0), year_3002).is_err());
        assert!(SunPosition::at(Geodetic::from_degrees(0.0, 0.0, 0.0), 1e15).is_err());
        assert!(SunPosition::at(Geodetic::from_degrees(0.0, 0.0, 0.0), f64::NAN).is_err());
    }
}
