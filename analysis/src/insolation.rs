//! How much light does the ground receive between two times, if the sky is clear?

use derive_setters::Setters;
use elevation::geodesy::Ellipsoid;
use elevation::{geodesy::east_north_up, surface::Surface};
use glam::DVec3;
use rayon::prelude::*;

use crate::{
    Horizons, OptionError, calendar,
    clear_sky::{ClearSky, outside_w_m2},
    horizons::Grid,
    option::check,
    sky_view::{self, GroundPlane},
    sun::{SunError, SunPosition, refraction_deg},
};

/// Times at which the sun is looked at, at most: a year in minutes, and some.
const MOST_STEPS: f64 = 600_000.0;

/// What is asked.
#[derive(Clone, Copy, Debug, PartialEq, Setters)]
#[setters(prefix = "with_")]
#[non_exhaustive]
pub struct InsolationOptions {
    /// Begin, in seconds since 1970-01-01T00:00:00Z.
    pub from_unix_s: f64,
    /// End.
    pub to_unix_s: f64,
    /// The sun is where it is in the middle of steps of at most so many seconds.
    pub step_s: f64,
    /// Linke turbidity of the air: see [`ClearSky::new`].
    pub linke_turbidity: f64,
}

impl InsolationOptions {
    /// Between two times, in steps of 10 minutes, with a turbidity of 3.
    pub fn between(from_unix_s: f64, to_unix_s: f64) -> Self {
        Self { from_unix_s, to_unix_s, step_s: 600.0, linke_turbidity: 3.0 }
    }
}

/// Why there is no insolation.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum InsolationError {
    /// Options that cannot be.
    #[error(transparent)]
    Option(#[from] OptionError),
    /// A time for which the sun is not known.
    #[error(transparent)]
    Sun(#[from] SunError),
    /// Whoever asked did not want the rest.
    #[error("stopped before all light was summed")]
    Stopped,
}

/// Light on the cells of a raster, in kWh on a square metre of the ground as it slopes.
///
/// ```
/// use std::sync::Arc;
/// use analysis::{Grid, HorizonError, Horizons, HorizonsOptions, Insolation, InsolationError, InsolationOptions, SkyView};
/// use elevation::{geodesy::{Ellipsoid, Geodetic}, height::{GlobalGrid, Registration, Relief}, surface::Surface};
///
/// let sea = GlobalGrid::from_fn(360, 181, Registration::Node, |_, _| 0.0);
/// let surface = Surface::new(Arc::new(Relief::from_grid(sea)?));
/// let place = Geodetic::from_degrees(46.0, 8.0, 0.0);
/// let grid = Grid::around(Ellipsoid::WGS84, place, 100.0, 100.0)?;
/// let horizons = Horizons::new(&surface, &grid, &HorizonsOptions::default().with_directions(8), |_, _| {})?;
/// let day = InsolationOptions::between(1_782_000_000.0, 1_782_086_400.0); // 2026-06-21
/// let light = Insolation::new(&surface, &horizons, &day)?;
/// // The longest day of the year at 46 degrees, under a clear sky.
/// assert!((light.sun_hours[4] - 15.5).abs() < 0.3);
/// assert!(light.direct_kwh_m2[4] > light.diffuse_kwh_m2[4]);
/// // A plain sees all of its sky.
/// assert!((SkyView::new(&surface, &horizons).factors[4] - 1.0).abs() < 1e-3);
/// // Both can be stopped.
/// assert_eq!(Insolation::new_while(&surface, &horizons, &day, &|_| false), Err(InsolationError::Stopped));
/// assert_eq!(SkyView::new_while(&surface, &horizons, &|| false), Err(HorizonError::Stopped));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Insolation {
    /// Where the cells are.
    pub grid: Grid,
    /// From the sun, northernmost row first.
    pub direct_kwh_m2: Vec<f32>,
    /// From the sky.
    pub diffuse_kwh_m2: Vec<f32>,
    /// Hours in which the sun's middle is above the horizon and the ground faces it.
    pub sun_hours: Vec<f32>,
}

/// The sun in the middle of a step.
struct SunStep {
    /// Towards it, ECEF; from all cells the same but for 0.00001 degrees.
    toward: DVec3,
    outside_w_m2: f64,
}

impl Insolation {
    /// Light on every cell under its horizon.
    ///
    /// In each step the sun stands where NREL's algorithm has it and is lifted by refraction. While it is above the horizon of the cell's
    /// direction it lights the ground by the cosine of its angle to the ground's normal; the sky lights it by the sky view
    /// factor ([`SkyView`](crate::SkyView)), evenly. Both are those of a clear sky ([`ClearSky`]) at the height of the ground.
    /// Light from other ground and clouds are left out.
    ///
    /// # Errors
    /// [`InsolationError`]: options that cannot be, times for which the sun is not known.
    pub fn new(surface: &Surface, horizons: &Horizons, options: &InsolationOptions) -> Result<Self, InsolationError> {
        Self::new_while(surface, horizons, options, &|_| true)
    }

    /// The same, as long as `should_continue` says so, which hears of each cell that is done.
    ///
    /// # Errors
    /// As [`Insolation::new`], and [`InsolationError::Stopped`].
    pub fn new_while(
        surface: &Surface,
        horizons: &Horizons,
        options: &InsolationOptions,
        should_continue: &(dyn Fn(usize) -> bool + Sync),
    ) -> Result<Self, InsolationError> {
        let InsolationOptions { from_unix_s, to_unix_s, step_s, linke_turbidity } = *options;
        let span_s = to_unix_s - from_unix_s;
        check("a span of seconds", span_s, span_s > 0.0, "the end is after the begin")?;
        check("a step of seconds", step_s, step_s > 0.0, "above 0 s")?;
        check("a Linke turbidity", linke_turbidity, (1.0..=20.0).contains(&linke_turbidity), "from 1 to 20")?;
        if horizons.grid.ellipsoid != Ellipsoid::WGS84 {
            return Err(SunError::OtherBody.into());
        }
        let count = (span_s / step_s).ceil();
        check("a number of steps", count, count <= MOST_STEPS, "at most 600 000: take longer steps or less time")?;
        let grid = horizons.grid.clone();
        let step_s = span_s / count;
        let steps = steps(surface, &grid, (from_unix_s, step_s), count as usize)?;
        let cell = |cell: usize| {
            let lit = of_cell(horizons, cell, &GroundPlane::of(surface, &grid, cell), &steps, linke_turbidity);
            should_continue(cell).then_some(lit)
        };
        let lit: Option<Vec<[f64; 3]>> = (0..grid.cells()).into_par_iter().map(cell).collect();
        let lit = lit.ok_or(InsolationError::Stopped)?;
        let band = |k: usize, unit: f64| lit.iter().map(|lit| (lit[k] * step_s / unit) as f32).collect();
        let kwh = 3_600.0 * 1_000.0;
        Ok(Self { grid, direct_kwh_m2: band(0, kwh), diffuse_kwh_m2: band(1, kwh), sun_hours: band(2, 3_600.0) })
    }

    /// Writes a GeoTIFF of floats with four bands: all light, that of the sun, that of the sky in kWh/m2, hours of sun.
    ///
    /// ```
    /// use analysis::{Grid, Insolation};
    /// use elevation::{geodesy::{Ellipsoid, Geodetic}, height::{OpenOptions, Relief}};
    /// # let folder = tempfile::tempdir()?;
    /// let file = folder.path().join("light.tif");
    /// let grid = Grid::around(Ellipsoid::WGS84, Geodetic::from_degrees(46.0, 8.0, 0.0), 1_000.0, 500.0)?;
    /// let [direct_kwh_m2, diffuse_kwh_m2, sun_hours] = [6.0, 1.5, 14.0].map(|value: f32| vec![value; grid.cells()]);
    /// Insolation { grid, direct_kwh_m2, diffuse_kwh_m2, sun_hours }.write_geotiff(&file)?;
    /// for (band, value) in [(1, 7.5), (2, 6.0), (3, 1.5), (4, 14.0)] {
    ///     let relief = Relief::open(&[file.clone()], &OpenOptions::default().with_band(band))?;
    ///     assert_eq!(relief.layers()[0].range_m, (value, value));
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`WriteError`](elevation::geotiff::WriteError) with GDAL's reason.
    #[cfg(feature = "gdal")]
    pub fn write_geotiff(&self, file: &std::path::Path) -> Result<(), elevation::geotiff::WriteError> {
        let both = self.direct_kwh_m2.iter().zip(&self.diffuse_kwh_m2);
        let all: Vec<f32> = both.map(|(direct, diffuse)| direct + diffuse).collect();
        let bands = vec![
            ("insolation, kWh/m2".into(), &all[..]),
            ("direct, kWh/m2".into(), &self.direct_kwh_m2[..]),
            ("diffuse, kWh/m2".into(), &self.diffuse_kwh_m2[..]),
            ("hours of sun".into(), &self.sun_hours[..]),
        ];
        self.grid.write(file, bands)
    }
}

/// The sun in the middle of each step, without those in which it is night in all of the raster.
fn steps(surface: &Surface, grid: &Grid, (from_s, step_s): (f64, f64), count: usize) -> Result<Vec<SunStep>, SunError> {
    let height_m = surface.height_m(grid.middle.normal());
    let place = elevation::geodesy::Geodetic { height_m, ..grid.middle };
    let (east, north, up) = east_north_up(place.normal());
    // Level planes lean by so much from the middle to the corners; refraction and the dip of high places are below 5 degrees.
    let wide_rad = grid.half_diagonal_m() / (0.98 * grid.ellipsoid.semi_minor_m()) + 0.1;
    let step = |k: usize| {
        let unix_s = from_s + (k as f64 + 0.5) * step_s;
        let sun = SunPosition::at(place, unix_s)?;
        let ((sin_a, cos_a), (sin_e, cos_e)) = (sun.azimuth_rad.sin_cos(), sun.elevation_rad.sin_cos());
        let toward = (east * sin_a + north * cos_a) * cos_e + up * sin_e;
        let step = SunStep { toward, outside_w_m2: outside_w_m2(calendar::day_of_year(unix_s)) };
        Ok((sun.elevation_rad > -wide_rad).then_some(step))
    };
    (0..count).into_par_iter().filter_map(|k| step(k).transpose()).collect()
}

/// W/m2 from the sun and from the sky, and whether the sun shines, each summed over the steps.
fn of_cell(horizons: &Horizons, cell: usize, plane: &GroundPlane, steps: &[SunStep], linke: f64) -> [f64; 3] {
    let sky = sky_view::of_cell(horizons, cell, plane);
    let lowest_rad = plane.lowest_sky_rad(&horizons.grid);
    let air = ClearSky::new(plane.height_m, linke);
    let [e, n, u] = plane.normal();
    let mut sum = [0.0; 3];
    for step in steps {
        let [east, north, up] = plane.axes.map(|axis| axis.dot(step.toward));
        let true_deg = up.asin().to_degrees();
        // Beyond it the algorithm has no refraction: the sun's disc is below the level horizon.
        let lift_deg = if true_deg > -0.8333 { refraction_deg(true_deg, air.pressure_pa) } else { 0.0 };
        let elevation_deg = true_deg + lift_deg;
        let light = air.irradiance(elevation_deg, step.outside_w_m2);
        sum[1] += light.diffuse * sky;
        let level = east.hypot(north);
        let (sin, cos) = elevation_deg.to_radians().sin_cos();
        let facing = if level > 0.0 { (e * east + n * north) / level * cos + u * sin } else { u };
        if facing > 0.0 {
            let azimuth_rad = east.atan2(north) - plane.convergence_rad;
            if elevation_deg.to_radians() > horizons.elevation_rad(cell, azimuth_rad).max(lowest_rad) {
                sum[0] += light.direct_normal * facing;
                sum[2] += 1.0;
            }
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use std::{f64::consts::PI, sync::Arc};

    use elevation::{
        geodesy::Geodetic,
        height::{GlobalGrid, Registration, Relief},
    };

    use super::*;
    use crate::HorizonsOptions;
    use elevation::geodesy::Ellipsoid;

    fn plain(height_m: f64) -> Surface {
        let grid = GlobalGrid::from_fn(360, 181, Registration::Node, |_, _| height_m);
        Surface::new(Arc::new(Relief::from_grid(grid).unwrap()))
    }

    /// Law: on level ground the light is that of pvlib, to 1 %: `clearsky.ineichen(apparent_zenith, airmass_absolute, 3.0, altitude,
    /// dni_extra=irradiance.get_extra_radiation(times))` of pvlib 0.16.1, times each minute, summed.
    #[test]
    fn level_ground_has_the_light_of_pvlib() {
        for (lat, lon, height_m, from_s, days, global, diffuse) in [
            (46.0, 8.0, 500.0, 1_782_000_000.0, 1.0, 8.499572815646683, 1.054652526059721),
            (46.0, 8.0, 500.0, 1_772_323_200.0, 31.0, 148.71178662266303, 21.16762207523893),
            (-23.0, -70.0, 2400.0, 1_782_000_000.0, 1.0, 4.975090302874442, 0.8055784775873509),
            (69.0, 20.0, 0.0, 1_782_000_000.0, 1.0, 7.816804172952069, 1.308403430220659),
        ] {
            let surface = plain(height_m);
            let grid = Grid::around(Ellipsoid::WGS84, Geodetic::from_degrees(lat, lon, 0.0), 100.0, 100.0).unwrap();
            let options = HorizonsOptions::default().with_directions(8).with_reach_m(Some(5_000.0));
            let horizons = Horizons::new(&surface, &grid, &options, |_, _| {}).unwrap();
            let options = InsolationOptions::between(from_s, from_s + 86_400.0 * days);
            let light = Insolation::new(&surface, &horizons, &options).unwrap();
            let (direct, sky) = (f64::from(light.direct_kwh_m2[4]), f64::from(light.diffuse_kwh_m2[4]));
            assert!(((direct + sky) / global - 1.0).abs() < 0.01, "{direct} + {sky}, not {global}");
            assert!((sky / diffuse - 1.0).abs() < 0.01, "{sky}, not {diffuse}");
        }
    }

    /// Law: a wall round a cell leaves what is above it: horizons of 40 degrees let the sun through in fewer hours, and cos^2 40
    /// of the sky.
    #[test]
    fn walls_keep_light_out() {
        let surface = plain(0.0);
        let grid = Grid::around(Ellipsoid::WGS84, Geodetic::from_degrees(46.0, 8.0, 0.0), 100.0, 200.0 / 3.0).unwrap();
        let wall = |rad: f64| Horizons { grid: grid.clone(), bands: vec![vec![rad as f32; grid.cells()]; 16] };
        let options = InsolationOptions::between(1_782_000_000.0, 1_782_086_400.0);
        let [free, walled] = [0.0, 40.0 * PI / 180.0].map(|b| Insolation::new(&surface, &wall(b), &options).unwrap());
        assert!((walled.diffuse_kwh_m2[0] / free.diffuse_kwh_m2[0] - 0.5868).abs() < 1e-3);
        // Midsummer in 46 N: the sun is above 40 degrees for about 7 and a half hours of 15 and a half.
        let hours = [free.sun_hours[0], walled.sun_hours[0]];
        assert!((15.2..15.9).contains(&hours[0]) && (7.0..8.2).contains(&hours[1]), "{hours:?}");
        assert!(walled.direct_kwh_m2[0] < 0.85 * free.direct_kwh_m2[0]);
        for bad in [
            options.with_step_s(0.0),
            options.with_to_unix_s(0.0),
            options.with_linke_turbidity(f64::NAN),
            options.with_step_s(1e-3),
        ] {
            assert!(Insolation::new(&surface, &wall(0.0), &bad).is_err(), "{bad:?}");
        }
    }
}
