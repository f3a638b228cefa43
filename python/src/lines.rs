//! What do lines meet, and what lies along them? Rays, lines of sight and profiles, many at a time.

use elevation::{
    geodesy::{Ellipsoid, Geodetic, east_north_up},
    surface::{Ray, RayError},
};
use pyo3::{exceptions::PyValueError, prelude::*};
use rayon::prelude::*;

use crate::{
    error::of_ray,
    open::SurfacePair,
    work::{CallMonitor, run_long},
};

/// Numbers of a hit: distance, latitude, longitude, height.
pub const HIT: usize = 4;

/// The numbers of the line with an index, a slice an argument.
fn of_line<const N: usize>(arguments: &[&[f64]; N], k: usize) -> [f64; N] {
    arguments.map(|values| values[k])
}

/// Whether all arguments have as many numbers, and the answers their places.
fn check<const N: usize>(arguments: &[&[f64]; N], out: usize, width: usize) -> PyResult<usize> {
    let lines = arguments[0].len();
    if arguments.iter().any(|values| values.len() != lines) || out != lines * width {
        return Err(PyValueError::new_err("arguments of different lengths"));
    }
    Ok(lines)
}

/// Answers `width` numbers a line; not a number where an argument is none.
fn each_line<const N: usize>(
    py: Python<'_>,
    arguments: [&[f64]; N],
    (out, width): (&mut [f64], usize),
    progress: Option<&Bound<'_, PyAny>>,
    answer: impl Fn([f64; N], &mut [f64], &CallMonitor) -> Result<(), RayError> + Sync + Send,
) -> PyResult<()> {
    const LINES_PER_TASK: usize = 8;
    let lines = check(&arguments, out.len(), width)?;
    let work = |watch: &CallMonitor| {
        out.par_chunks_mut(width).with_min_len(LINES_PER_TASK).enumerate().try_for_each(|(k, out)| {
            let line = of_line(&arguments, k);
            if !line.iter().all(|number| number.is_finite()) {
                out.fill(f64::NAN);
            } else if watch.should_continue() {
                answer(line, out, watch)?;
            }
            watch.advance(1);
            Ok(())
        })
    };
    run_long(py, lines, progress, work)?.map_err(of_ray)
}

/// Rays from latitude, longitude, height, heading, pitch, over a reach: a hit each.
pub fn rays(
    py: Python<'_>,
    ground: &SurfacePair,
    arguments: [&[f64]; 6],
    above_ground: bool,
    out: &mut [f64],
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<()> {
    each_line(py, arguments, (out, HIT), progress, |[lat, lon, height_m, heading, pitch, reach_m], out, _| {
        let start = Geodetic::from_degrees(lat, lon, height_m);
        let base_m = if above_ground { ground.known.height_m(start.normal()) } else { 0.0 };
        out.fill(f64::NAN);
        if base_m.is_nan() {
            return Ok(());
        }
        let origin_m = Geodetic { height_m: height_m + base_m, ..start }.to_ecef(Ellipsoid::WGS84);
        let (east, north, up) = east_north_up(start.normal());
        let ((sin, cos), (rise, level)) = (heading.to_radians().sin_cos(), pitch.to_radians().sin_cos());
        let direction = (east * sin + north * cos) * level + up * rise;
        let Ray { origin_m, direction, reach_m } = Ray { origin_m, direction, reach_m };
        if let Some(hit) = ground.solid.ray(origin_m, direction, reach_m)? {
            write_hit(ground, out, hit.distance_m, hit.place);
        }
        Ok(())
    })
}

/// Lines of sight from latitude and longitude to latitude and longitude, eye and target so high above the ground: 1 where one sees the
/// other, and what stands between.
pub fn sights(
    py: Python<'_>,
    ground: &SurfacePair,
    arguments: [&[f64]; 6],
    refraction: f64,
    out: &mut [f64],
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<()> {
    each_line(py, arguments, (out, 1 + HIT), progress, |[lat1, lon1, lat2, lon2, eye_m, target_m], out, _| {
        let end = |lat: f64, lon: f64, above_m: f64| {
            let place = Geodetic::from_degrees(lat, lon, 0.0);
            Geodetic { height_m: ground.known.height_m(place.normal()) + above_m, ..place }
        };
        let (from, to) = (end(lat1, lon1, eye_m), end(lat2, lon2, target_m));
        out.fill(f64::NAN);
        if from.height_m.is_nan() || to.height_m.is_nan() {
            return Ok(());
        }
        let between = ground.solid.line_of_sight_refracted(from, to, refraction)?;
        out[0] = f64::from(u8::from(between.is_none()));
        if let Some(hit) = between {
            write_hit(ground, &mut out[1..], hit.distance_m, hit.place);
        }
        Ok(())
    })
}

/// Puts a hit, if data know the ground there.
fn write_hit(ground: &SurfacePair, out: &mut [f64], distance_m: f64, place: Geodetic) {
    let height_m = ground.known.height_m(place.normal());
    if height_m.is_finite() {
        let [lat_deg, lon_deg] = [place.lat_rad, place.lon_rad].map(f64::to_degrees);
        out.copy_from_slice(&[distance_m, lat_deg, lon_deg, height_m]);
    }
}

/// Profiles between two latitudes and longitudes each: distance, latitude, longitude and height of each sample.
pub fn profiles(
    py: Python<'_>,
    ground: &SurfacePair,
    arguments: [&[f64]; 4],
    samples: usize,
    out: &mut [f64],
) -> PyResult<()> {
    if samples < 2 {
        return Err(PyValueError::new_err(format!("{samples} samples are no profile: take at least 2")));
    }
    each_line(py, arguments, (out, HIT * samples), None, |[lat1, lon1, lat2, lon2], out, watch| {
        let ends = [(lat1, lon1), (lat2, lon2)].map(|(lat, lon)| Geodetic::from_degrees(lat, lon, 0.0));
        let profile = ground.known.profile_while(ends, samples, &|| watch.should_continue());
        for (point, out) in profile.into_iter().flatten().zip(out.chunks_mut(HIT)) {
            let [lat_deg, lon_deg] = [point.place.lat_rad, point.place.lon_rad].map(f64::to_degrees);
            out.copy_from_slice(&[point.distance_m, lat_deg, lon_deg, point.place.height_m]);
        }
        Ok(())
    })
}
