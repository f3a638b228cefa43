//! When does the sun shine on a place? Sunrise, sunset and hours of sun over the real horizon, through a year.

use elevation::geodesy::{Ellipsoid, Geodetic};
use rayon::prelude::*;

use crate::{
    Horizon,
    calendar::{self, DAY_S},
    clear_sky::ClearSky,
    sun::{HALF_DISC_DEG, SunError, SunPosition, refraction_deg},
};

/// The sun is looked at so often; what is lit or dark for less than that may be missed.
const STEP_S: f64 = 120.0;
/// Rise and set are known to this.
const CLOSE_S: f64 = 0.25;

/// A day of sun.
#[derive(Clone, Debug, PartialEq)]
pub struct SunlightDay {
    /// Year, month and day at the place, by its mean time.
    pub date: (i64, i64, i64),
    /// When the sun first rises over the horizon, seconds since 1970-01-01T00:00:00Z; `None` if it does not.
    pub sunrise_unix_s: Option<f64>,
    /// When it last sets.
    pub sunset_unix_s: Option<f64>,
    /// Seconds in which a part of its disc is above the horizon.
    pub sun_s: f64,
    /// The same over a level horizon.
    pub level_s: f64,
}

/// The days of a year.
///
/// ```
/// use std::sync::Arc;
/// use analysis::{Horizon, HorizonOptions, Sunlight};
/// use elevation::{geodesy::Geodetic, height::{GlobalGrid, Registration, Relief}, surface::Surface};
///
/// let sea = GlobalGrid::from_fn(360, 181, Registration::Node, |_, _| 0.0);
/// let surface = Surface::new(Arc::new(Relief::from_grid(sea)?));
/// let place = Geodetic::from_degrees(46.0, 8.0, 0.0);
/// let horizon = Horizon::new(&surface, place, &HorizonOptions::default().with_directions(16))?;
/// let year = Sunlight::of_year(&horizon, 2026)?;
/// let longest = year.days.iter().max_by(|a, b| a.sun_s.total_cmp(&b.sun_s)).unwrap();
/// assert_eq!((year.days.len(), longest.date.1), (365, 6)); // in June
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Sunlight {
    /// One for each day.
    pub days: Vec<SunlightDay>,
}

impl Sunlight {
    /// The days of a year under a horizon, on all threads.
    ///
    /// A day is 24 hours of the mean time of the place's longitude, from midnight. The sun shines while the upper edge of its disc,
    /// lifted by refraction at the eye's height and 12 degrees Celsius, is above the horizon at its azimuth. Between azimuths of
    /// the horizon it is a straight line: take 720 or more.
    ///
    /// # Errors
    /// [`SunError`] for years far from ours.
    pub fn of_year(horizon: &Horizon, year: i64) -> Result<Self, SunError> {
        if horizon.ellipsoid != Ellipsoid::WGS84 {
            return Err(SunError::OtherBody);
        }
        // Beyond, no sun is computed anyway.
        let year = year.clamp(-1_000_000, 1_000_000);
        let first = calendar::days_of(year, 1, 1);
        let count = calendar::days_of(year + 1, 1, 1) - first;
        let pressure_pa = ClearSky::new(horizon.eye.height_m, 3.0).pressure_pa;
        let days = (first..first + count).into_par_iter().map(|day| of_day(horizon, day, pressure_pa));
        Ok(Self { days: days.collect::<Result<_, _>>()? })
    }
}

/// How far the upper edge of the sun is above a level plane, and above the horizon, degrees.
fn above_deg(horizon: &Horizon, unix_s: f64, pressure_pa: f64) -> Result<[f64; 2], SunError> {
    let eye: Geodetic = horizon.eye;
    let sun = SunPosition::at(eye, unix_s)?;
    let edge_deg = sun.elevation_rad.to_degrees() + HALF_DISC_DEG;
    // Light from the edge bends as the algorithm has it for the disc's middle when the edge is where it touches.
    let level_deg = edge_deg + refraction_deg(edge_deg, pressure_pa);
    Ok([level_deg, level_deg - horizon.elevation_rad(sun.azimuth_rad).to_degrees()])
}

fn of_day(horizon: &Horizon, day: i64, pressure_pa: f64) -> Result<SunlightDay, SunError> {
    let start_s = day as f64 * DAY_S - calendar::ahead_of_utc_s(horizon.eye.lon_rad);
    let above = |unix_s: f64| above_deg(horizon, unix_s, pressure_pa);
    let mut found = SunlightDay {
        date: calendar::date_of(day),
        sunrise_unix_s: None,
        sunset_unix_s: None,
        sun_s: 0.0,
        level_s: 0.0,
    };
    let mut before = above(start_s)?;
    for k in 0..(DAY_S / STEP_S) as usize {
        let from_s = start_s + k as f64 * STEP_S;
        let after = above(from_s + STEP_S)?;
        for (which, lit_s) in [&mut found.level_s, &mut found.sun_s].into_iter().enumerate() {
            let (a, b) = (before[which], after[which]);
            if (a > 0.0) == (b > 0.0) {
                *lit_s += if a > 0.0 { STEP_S } else { 0.0 };
                continue;
            }
            let (mut dark_or_lit, mut other) = (from_s, from_s + STEP_S);
            while other - dark_or_lit > CLOSE_S {
                let middle = 0.5 * (dark_or_lit + other);
                let same = (above(middle)?[which] > 0.0) == (a > 0.0);
                if same { dark_or_lit = middle } else { other = middle }
            }
            let crossing_s = 0.5 * (dark_or_lit + other);
            *lit_s += if a > 0.0 { crossing_s - from_s } else { from_s + STEP_S - crossing_s };
            if which == 1 && a > 0.0 {
                found.sunset_unix_s = Some(crossing_s);
            } else if which == 1 {
                found.sunrise_unix_s.get_or_insert(crossing_s);
            }
        }
        before = after;
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::HorizonPoint;

    fn walled(lat: f64, lon: f64, elevation_rad: f64) -> Horizon {
        let eye = Geodetic::from_degrees(lat, lon, 0.0);
        let point = HorizonPoint { azimuth_rad: 0.0, elevation_rad, distance_m: 1.0, place: eye };
        Horizon { ellipsoid: Ellipsoid::WGS84, eye, points: vec![point; 4] }
    }

    fn day(horizon: &Horizon, date: (i64, i64, i64)) -> SunlightDay {
        of_day(horizon, calendar::days_of(date.0, date.1, date.2), 101_325.0).unwrap()
    }

    /// Law: over a level horizon sunrise and sunset are when the disc's middle is 0.8333 degrees below it, to 10 s (the refraction here
    /// is 0.563 degrees of these, not 0.5667). Times by `scipy.optimize.brentq` on `elevation` of
    /// `pvlib.solarposition.spa_python(time, lat, lon, 0, delta_t=pvlib.spa.calculate_deltat(year, month))`, pvlib 0.16.1.
    #[test]
    fn a_level_horizon_has_the_sunrise_of_pvlib() {
        for (lat, lon, date, rise_s, set_s) in [
            (46.0, 8.0, (2026, 3, 20), 1773984681.71, 1774028421.04),
            (46.0, 8.0, (2026, 6, 21), 1782013030.08, 1782069747.28),
            (46.0, 8.0, (2026, 12, 21), 1797836811.33, 1797867914.70),
            (-33.0, 151.0, (2026, 12, 21), 1797792228.24, 1797843835.26),
            (60.0, -150.0, (2026, 6, 21), 1782045351.88, 1782113274.69),
            (60.0, -150.0, (2026, 12, 21), 1797879731.05, 1797900861.50),
        ] {
            let found = day(&walled(lat, lon, 0.0), date);
            let (rise, set) = (found.sunrise_unix_s.unwrap() - rise_s, found.sunset_unix_s.unwrap() - set_s);
            let most_s = 10.0;
            assert!(rise.abs() < most_s && set.abs() < most_s, "{rise} {set} at {lat} on {date:?}");
            assert!((found.sun_s - (set_s - rise_s)).abs() < 2.0 * most_s && found.sun_s == found.level_s);
        }
    }

    /// Law: beyond the polar circle a day has no sunrise, and all or none of the light; walls take light away.
    #[test]
    fn polar_days_and_walls() {
        let summer = day(&walled(80.0, 20.0, 0.0), (2026, 6, 21));
        assert_eq!((summer.sunrise_unix_s, summer.sunset_unix_s, summer.sun_s), (None, None, DAY_S));
        let winter = day(&walled(80.0, 20.0, 0.0), (2026, 12, 21));
        assert_eq!((winter.sunrise_unix_s, winter.sun_s), (None, 0.0));
        let walled = day(&walled(46.0, 8.0, 0.5), (2026, 6, 21));
        assert!(walled.sun_s < walled.level_s - 3.0 * 3_600.0 && walled.sunrise_unix_s < walled.sunset_unix_s);
    }
}
