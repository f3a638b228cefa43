//! How much of the sky does the ground see?

use std::f64::consts::{FRAC_PI_2, TAU};

use elevation::{geodesy::east_north_up, surface::Surface};
use rayon::prelude::*;

use crate::{
    HorizonError, Horizons,
    horizon::{ShouldContinue, run_cancellable},
    horizons::Grid,
};

/// Sky view factors of the cells of a raster.
#[derive(Clone, Debug, PartialEq)]
pub struct SkyView {
    /// Where the cells are.
    pub grid: Grid,
    /// Share of the light of an even sky that reaches the ground, 0 to 1, northernmost row first.
    pub factors: Vec<f32>,
}

/// The tangent plane of the ground in a cell, with the grid's convergence and the height: what its irradiance depends
/// on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GroundPlane {
    /// Unit normals of the ellipsoid's east, north and up, and of the ground.
    pub axes: [glam::DVec3; 3],
    pub ground: glam::DVec3,
    /// True azimuth of the grid's north.
    pub convergence_rad: f64,
    pub height_m: f64,
}

impl GroundPlane {
    /// Of the ground in the middle of a cell.
    pub fn of(surface: &Surface, grid: &Grid, cell: usize) -> Self {
        let (column, row) = (cell % grid.columns, cell / grid.columns);
        let n = grid.place(column, row).normal();
        let (east, north, up) = east_north_up(n);
        let ground = surface.ground(n);
        let convergence_rad = grid.true_azimuth_rad(column, row, 0.0);
        Self { axes: [east, north, up], ground: ground.normal, convergence_rad, height_m: ground.height_m }
    }

    /// Elevation below which there is no sky: that of the sea's horizon. Horizons of ground within a reach may be lower where it falls away.
    pub fn lowest_sky_rad(&self, grid: &Grid) -> f64 {
        let radius_m = grid.ellipsoid.semi_minor_m();
        -(radius_m / (radius_m + self.height_m.max(0.0))).acos()
    }

    /// Components of the ground's normal to east, north and up.
    pub fn normal(&self) -> [f64; 3] {
        self.axes.map(|axis| axis.dot(self.ground))
    }
}

impl SkyView {
    /// Sky view factors under horizons, with the slope of the ground in the middle of each cell.
    ///
    /// J. Dozier and J. Frew, "Rapid calculation of terrain parameters for radiation modeling from digital elevation data", IEEE
    /// Trans. Geosci. Remote Sens. 28 (1990), equation 7b: the mean over all azimuths f of
    /// `cos S sin^2 H + sin S cos(f - A) (H - sin H cos H)`, with slope S, aspect A, and H the angle from the zenith to the horizon or
    /// to the ground's own plane, whichever is higher. Level ground without mountains has 1, a slope S without any
    /// `(1 + cos S) / 2`.
    pub fn new(surface: &Surface, horizons: &Horizons) -> Self {
        let grid = horizons.grid.clone();
        let factors = Self::factors(surface, horizons, &|| true);
        Self { grid, factors }
    }

    /// The same, as long as `should_continue` says so.
    ///
    /// # Errors
    /// [`HorizonError::Stopped`].
    pub fn new_while(
        surface: &Surface,
        horizons: &Horizons,
        should_continue: ShouldContinue<'_>,
    ) -> Result<Self, HorizonError> {
        let factors =
            run_cancellable(should_continue, |should_continue| Self::factors(surface, horizons, should_continue))?;
        Ok(Self { grid: horizons.grid.clone(), factors })
    }

    fn factors(surface: &Surface, horizons: &Horizons, should_continue: ShouldContinue<'_>) -> Vec<f32> {
        let grid = &horizons.grid;
        let factor = |cell: usize| {
            if should_continue() { of_cell(horizons, cell, &GroundPlane::of(surface, grid, cell)) as f32 } else { 0.0 }
        };
        (0..grid.cells()).into_par_iter().with_min_len(64).map(factor).collect()
    }

    /// Writes a GeoTIFF of floats.
    ///
    /// ```
    /// use analysis::{Grid, SkyView};
    /// use elevation::{geodesy::{Ellipsoid, Geodetic}, height::{OpenOptions, Relief}};
    /// # let folder = tempfile::tempdir()?;
    /// let file = folder.path().join("sky.tif");
    /// let grid = Grid::around(Ellipsoid::WGS84, Geodetic::from_degrees(46.0, 8.0, 0.0), 100.0, 100.0)?;
    /// SkyView { factors: vec![0.5, 1.0, 1.0, 0.75, 1.0, 1.0, 1.0, 1.0, 1.0], grid }.write_geotiff(&file)?;
    /// let relief = Relief::open(&[file], &OpenOptions::default())?;
    /// assert_eq!((relief.layers()[0].size, relief.layers()[0].range_m), ([3, 3], (0.5, 1.0)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`WriteError`](elevation::geotiff::WriteError) with GDAL's reason.
    #[cfg(feature = "gdal")]
    pub fn write_geotiff(&self, file: &std::path::Path) -> Result<(), elevation::geotiff::WriteError> {
        self.grid.write(file, vec![("sky view factor".into(), &self.factors)])
    }
}

/// The sky view factor of a cell's ground.
pub(crate) fn of_cell(horizons: &Horizons, cell: usize, plane: &GroundPlane) -> f64 {
    let count = horizons.bands.len();
    let lowest_rad = plane.lowest_sky_rad(&horizons.grid);
    let sky = |k: usize| {
        let azimuth_rad = TAU * k as f64 / count as f64 + plane.convergence_rad;
        share(plane.normal(), azimuth_rad, f64::from(horizons.bands[k][cell]).max(lowest_rad))
    };
    (0..count).map(sky).sum::<f64>() / count as f64
}

/// The term of one azimuth. With the ground's normal (e, n, u): cos S = u, sin S cos(f - A) = e sin f + n cos f.
fn share([e, n, u]: [f64; 3], azimuth_rad: f64, horizon_rad: f64) -> f64 {
    let (sin, cos) = azimuth_rad.sin_cos();
    let lean = e * sin + n * cos;
    // The plane of the ground rises by -lean / u along the azimuth.
    let from_zenith_rad = FRAC_PI_2 - horizon_rad.max((-lean).atan2(u));
    let (sin, cos) = from_zenith_rad.sin_cos();
    u * sin * sin + lean * (from_zenith_rad - sin * cos)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn factor(normal: [f64; 3], count: usize, horizon_rad: impl Fn(f64) -> f64) -> f64 {
        let azimuths = (0..count).map(|k| TAU * k as f64 / count as f64);
        azimuths.map(|f| share(normal, f, horizon_rad(f))).sum::<f64>() / count as f64
    }

    /// Law: closed forms. Level ground: 1. A slope S: (1 + cos S) / 2. The bottom of a cone whose sides rise by b: cos^2 b. The
    /// bottom of an endless valley whose sides rise by b: cos b.
    #[test]
    fn closed_forms() {
        let level = [0.0, 0.0, 1.0];
        assert!((factor(level, 64, |_| 0.0) - 1.0).abs() < 1e-12);
        assert!((factor(level, 64, |_| -0.1) - 1.0).abs() < 1e-12);
        for b in [0.1f64, 0.6, 1.2] {
            let slope = [b.sin() * 0.6, b.sin() * 0.8, b.cos()];
            assert!((factor(slope, 64, |_| 0.0) - 0.5 * (1.0 + b.cos())).abs() < 2e-3, "{b}");
            assert!((factor(level, 64, |_| b) - b.cos().powi(2)).abs() < 1e-12);
            // Along the azimuth f the side of a valley from south to north rises by tan b |sin f|.
            let valley = factor(level, 360, |f| (b.tan() * f.sin().abs()).atan());
            assert!((valley - b.cos()).abs() < 2e-3, "{b}: {valley}");
        }
    }

    /// Law: of a slope S that goes on beyond the reach, horizons know the slope alone, and below the level there is no sky: `(1 + cos S) / 2`.
    #[test]
    fn ground_falls_away_to_no_sky() {
        use elevation::geodesy::{Ellipsoid, Geodetic};
        use glam::DVec3;
        let grid = Grid::around(Ellipsoid::WGS84, Geodetic::from_degrees(46.0, 8.0, 0.0), 10.0, 100.0).unwrap();
        for slope in [0.1f64, 0.6, 1.2] {
            let ground = DVec3::new(slope.sin() * 0.6, slope.sin() * 0.8, slope.cos());
            let plane = GroundPlane { axes: DVec3::AXES, ground, convergence_rad: 0.0, height_m: 0.0 };
            let rise_rad = |k: usize| {
                let (sin, cos) = (TAU * k as f64 / 64.0).sin_cos();
                (-(ground.x * sin + ground.y * cos)).atan2(ground.z) as f32
            };
            let bands = (0..64).map(|k| vec![rise_rad(k); grid.cells()]).collect();
            let horizons = Horizons { grid: grid.clone(), bands };
            let factor = of_cell(&horizons, 0, &plane);
            assert!((factor - 0.5 * (1.0 + slope.cos())).abs() < 2e-3, "{slope}: {factor}");
        }
    }
}
