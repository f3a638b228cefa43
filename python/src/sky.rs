//! How high does the ground stand against the sky at places, and how much light do they get? Each place by its exact horizon.

use analysis::{
    Grid, Horizon, HorizonError, HorizonOptions, Horizons, Insolation, InsolationOptions, SkyView, Sunlight,
};
use elevation::geodesy::{Ellipsoid, Geodetic};
use pyo3::{exceptions::PyValueError, prelude::*};
use rayon::prelude::*;

use crate::{
    error::{of_horizon, of_insolation, of_sun},
    open::SurfacePair,
    work::{CallMonitor, run_long},
};

/// Numbers of a point of a horizon: elevation, distance, latitude, longitude, height.
const POINT: usize = 5;
/// Numbers of a day of sun: sunrise and sunset in seconds since 1970, hours of sun, the same over a level horizon.
const DAY: usize = 4;
/// Azimuths of the horizon under which the sun is looked at: a quarter of a degree, half of the sun's disc.
const SUN_DIRECTIONS: usize = 1_440;

/// Answers at each place with known ground, `width` numbers each, under its horizon; not a number elsewhere. Progress is in
/// azimuths.
fn each_horizon(
    py: Python<'_>,
    ground: &SurfacePair,
    (lat_deg, lon_deg): (&[f64], &[f64]),
    options: &HorizonOptions,
    (out, width): (&mut [f64], usize),
    progress: Option<&Bound<'_, PyAny>>,
    answer: impl Fn(&Horizon, &mut [f64]) -> PyResult<()> + Sync + Send,
) -> PyResult<()> {
    let places = lat_deg.len();
    if lon_deg.len() != places || out.len() != places * width {
        return Err(PyValueError::new_err("arguments of different lengths"));
    }
    let work = |watch: &CallMonitor| {
        out.par_chunks_mut(width.max(1)).zip(lat_deg).zip(lon_deg).try_for_each(|((out, lat), lon)| {
            let at = Geodetic::from_degrees(*lat, *lon, 0.0);
            let is_place = lat.abs() <= 90.0 && lon.is_finite();
            if !is_place || ground.known.height_m(at.normal()).is_nan() {
                out.fill(f64::NAN);
                watch.advance(options.directions);
                return Ok(());
            }
            match Horizon::new_while(&ground.solid, at, options, &|| watch.advance(1)) {
                Ok(horizon) => answer(&horizon, out),
                // Why is what the interruption says.
                Err(HorizonError::Stopped) => Ok(()),
                Err(error) => Err(of_horizon(error)),
            }
        })
    };
    run_long(py, places.saturating_mul(options.directions), progress, work)?
}

/// Horizons: `POINT` numbers an azimuth. What data do not know has an elevation alone.
pub fn horizons(
    py: Python<'_>,
    ground: &SurfacePair,
    places: (&[f64], &[f64]),
    options: &HorizonOptions,
    out: &mut [f64],
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<()> {
    let width = POINT * options.directions;
    each_horizon(py, ground, places, options, (out, width), progress, |horizon, out| {
        for (point, out) in horizon.points.iter().zip(out.chunks_mut(POINT)) {
            out.fill(f64::NAN);
            out[0] = point.elevation_rad.to_degrees();
            if !ground.has_gaps || ground.known.height_m(point.place.normal()).is_finite() {
                let [lat_deg, lon_deg] = [point.place.lat_rad, point.place.lon_rad].map(f64::to_degrees);
                out[1..].copy_from_slice(&[point.distance_m, lat_deg, lon_deg, point.place.height_m]);
            }
        }
        Ok(())
    })
}

/// The horizon as that of a raster of one cell.
fn cell(horizon: &Horizon) -> PyResult<Horizons> {
    let grid = Grid::around(Ellipsoid::WGS84, horizon.eye, 0.5, 1.0).map_err(of_horizon)?;
    Ok(Horizons { grid, bands: horizon.points.iter().map(|point| vec![point.elevation_rad as f32]).collect() })
}

/// Sky view factors.
pub fn sky_views(
    py: Python<'_>,
    ground: &SurfacePair,
    places: (&[f64], &[f64]),
    options: &HorizonOptions,
    out: &mut [f64],
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<()> {
    each_horizon(py, ground, places, options, (out, 1), progress, |horizon, out| {
        out[0] = f64::from(SkyView::new(&ground.known, &cell(horizon)?).factors[0]);
        Ok(())
    })
}

/// Light: direct and diffuse in kWh/m2, hours of sun.
pub fn insolations(
    py: Python<'_>,
    ground: &SurfacePair,
    places: (&[f64], &[f64]),
    (options, light): (&HorizonOptions, &InsolationOptions),
    out: &mut [f64],
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<()> {
    each_horizon(py, ground, places, options, (out, 3), progress, |horizon, out| {
        let found = Insolation::new(&ground.known, &cell(horizon)?, light).map_err(of_insolation)?;
        // Light from the sky is no number where the ground's slope is not known.
        if found.diffuse_kwh_m2[0].is_nan() || ground.known.normal(horizon.eye.normal()).is_nan() {
            out.fill(f64::NAN);
        } else {
            let bands = [&found.direct_kwh_m2, &found.diffuse_kwh_m2, &found.sun_hours];
            out.copy_from_slice(&bands.map(|band| f64::from(band[0])));
        }
        Ok(())
    })
}

/// Days of sun of a year: `DAY` numbers a day.
pub fn sunlight(
    py: Python<'_>,
    ground: &SurfacePair,
    places: (&[f64], &[f64]),
    (options, year, days): (&HorizonOptions, i64, usize),
    out: &mut [f64],
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<()> {
    let options = options.with_directions(SUN_DIRECTIONS);
    each_horizon(py, ground, places, &options, (out, DAY * days), progress, |horizon, out| {
        let sunlight = Sunlight::of_year(horizon, year).map_err(of_sun)?;
        for (day, out) in sunlight.days.iter().zip(out.chunks_mut(DAY)) {
            let time = |unix_s: Option<f64>| unix_s.map_or(f64::NAN, f64::round);
            let hours = [day.sun_s, day.level_s].map(|s| s / 3_600.0);
            out.copy_from_slice(&[time(day.sunrise_unix_s), time(day.sunset_unix_s), hours[0], hours[1]]);
        }
        Ok(())
    })
}
