//! How high does the ground stand against the sky from each cell of a raster, and how much light does it get? In parts that share the
//! ground.

use analysis::{Grid, HorizonError, HorizonGround, HorizonsOptions, Insolation, InsolationOptions, SkyView};
use elevation::geodesy::{Ellipsoid, Geodetic};
use numpy::PyReadwriteArray1;
use pyo3::{exceptions::PyValueError, prelude::*};
use rayon::prelude::*;

use crate::{
    error::{of_horizon, of_insolation},
    open::SurfacePair,
    work::{CallMonitor, run_long},
};

/// Values of all directions that are in memory at a time, where not all are asked for.
const VALUES: usize = 1 << 26;
/// Rows of cells at a time at least: each time the ground is turned into each direction.
const ROWS: usize = 64;

type Out<'py> = PyReadwriteArray1<'py, f32>;
type Progress<'py> = Option<Bound<'py, PyAny>>;
/// First column, end of the columns, first row, end of the rows.
type Window = [usize; 4];

/// Where the cells of a raster are.
#[pyclass(name = "Grid", module = "orogen._orogen", frozen)]
pub struct PyGrid(pub Grid);

#[pymethods]
impl PyGrid {
    /// Cells that cover west, south, east, north.
    #[staticmethod]
    fn covering(bbox: [f64; 4], cell_m: f64) -> PyResult<Self> {
        Grid::covering(Ellipsoid::WGS84, bbox, cell_m).map(Self).map_err(of_horizon)
    }

    /// Cells round a place.
    #[staticmethod]
    fn around(lat: f64, lon: f64, radius_m: f64, cell_m: f64) -> PyResult<Self> {
        if !(lat.abs() <= 90.0 && lon.is_finite()) {
            return Err(PyValueError::new_err(format!("at=({lat}, {lon}) is no latitude and longitude in degrees")));
        }
        Grid::around(Ellipsoid::WGS84, Geodetic::from_degrees(lat, lon, 0.0), radius_m, cell_m)
            .map(Self)
            .map_err(of_horizon)
    }

    /// Latitude and longitude of the middle, side of a cell, rows, columns, and by how much the grid's north is off true north in its
    /// corners at most, degrees.
    fn facts(&self) -> (f64, f64, f64, usize, usize, f64) {
        let Grid { middle, cell_m, columns, rows, .. } = self.0;
        let corners = [(0, 0), (columns - 1, 0), (0, rows - 1), (columns - 1, rows - 1)];
        let off_deg = |(column, row): (usize, usize)| {
            let turn_deg = self.0.true_azimuth_rad(column, row, 0.0).to_degrees();
            turn_deg.min(360.0 - turn_deg)
        };
        let convergence_deg = corners.map(off_deg).into_iter().fold(0.0, f64::max);
        (middle.lat_rad.to_degrees(), middle.lon_rad.to_degrees(), cell_m, rows, columns, convergence_deg)
    }
}

/// The cells of a raster with the ground that their horizons need.
#[pyclass(name = "Cells", module = "orogen._orogen", frozen)]
pub struct PyCells {
    ground: SurfacePair,
    cells: HorizonGround,
    directions: usize,
}

impl PyCells {
    /// Reads the ground.
    pub fn new(py: Python<'_>, ground: &SurfacePair, grid: &Grid, options: &HorizonsOptions) -> PyResult<Self> {
        let read = |watch: &CallMonitor| HorizonGround::new(&ground.solid, grid, options, &|| watch.should_continue());
        let cells = run_long(py, 1, None, read)?.map_err(of_horizon)?;
        Ok(Self { ground: ground.clone(), cells, directions: options.directions })
    }

    /// The cells of a window, and whether so many values a cell are as many as there is room for.
    fn part(&self, [left, right, top, bottom]: Window, values: usize, room: usize) -> PyResult<Grid> {
        let part = self.cells.grid().part(left..right, top..bottom);
        if part.cells().saturating_mul(values) == room {
            return Ok(part);
        }
        Err(PyValueError::new_err(format!(
            "room for {room} values, not for {values} of each of {} cells",
            part.cells()
        )))
    }

    /// Strips of rows of a part, as many as their horizons fit into memory.
    fn strips(&self, part: &Grid) -> Vec<Grid> {
        let rows = (VALUES / (part.columns * self.directions).max(1)).max(ROWS);
        (0..part.rows).step_by(rows).map(|top| part.part(0..part.columns, top..top + rows)).collect()
    }

    /// Whether data know the ground in a cell.
    fn has_data(&self, part: &Grid, cell: usize) -> bool {
        let n = part.place(cell % part.columns, cell / part.columns).normal();
        !self.ground.has_gaps || self.ground.known.height_m(n).is_finite()
    }
}

#[pymethods]
impl PyCells {
    /// Degrees, direction by direction.
    #[pyo3(signature = (window, out, progress=None))]
    fn horizons(&self, py: Python<'_>, window: Window, mut out: Out, progress: Progress) -> PyResult<()> {
        let out = out.as_slice_mut()?;
        let part = self.part(window, self.directions, out.len())?;
        let total = out.len();
        let work = |watch: &CallMonitor| {
            let known: Vec<bool> = (0..part.cells()).into_par_iter().map(|cell| self.has_data(&part, cell)).collect();
            let mut bands = out.chunks_mut(part.cells().max(1));
            self.cells.each(&part, &|| watch.should_continue(), |_, band| {
                let degrees = band.into_par_iter().zip(&known).map(
                    |(rad, known)| {
                        if *known { rad.to_degrees() } else { f32::NAN }
                    },
                );
                if let Some(out) = bands.next() {
                    out.par_iter_mut().zip(degrees).for_each(|(to, from)| *to = from);
                }
                watch.advance(part.cells());
            })
        };
        self.ground.checked(|| run_long(py, total, progress.as_ref(), work)?.map_err(of_horizon))
    }

    /// Sky view factors.
    #[pyo3(signature = (window, out, progress=None))]
    fn sky_views(&self, py: Python<'_>, window: Window, mut out: Out, progress: Progress) -> PyResult<()> {
        let mut out = out.as_slice_mut()?;
        let part = self.part(window, 1, out.len())?;
        let work = |watch: &CallMonitor| {
            for strip in self.strips(&part) {
                let should_continue = || watch.should_continue();
                let horizons = self.cells.horizons(&strip, &|| watch.should_continue())?;
                let view = SkyView::new_while(&self.ground.known, &horizons, &should_continue)?;
                let (now, rest) = std::mem::take(&mut out).split_at_mut(strip.cells());
                now.copy_from_slice(&view.factors);
                out = rest;
                watch.advance(strip.cells());
            }
            Ok::<(), HorizonError>(())
        };
        self.ground.checked(|| run_long(py, part.cells(), progress.as_ref(), work)?.map_err(of_horizon))
    }

    /// Direct and diffuse light in kWh/m2 and hours of sun, raster by raster; between seconds since 1970, looked at so often.
    #[pyo3(signature = (window, span, turbidity, out, progress=None))]
    fn insolations(
        &self,
        py: Python<'_>,
        window: Window,
        span: [f64; 3],
        turbidity: f64,
        mut out: Out,
        progress: Progress,
    ) -> PyResult<()> {
        let out = out.as_slice_mut()?;
        let part = self.part(window, 3, out.len())?;
        let light = insolation_options(span, turbidity);
        let work = |watch: &CallMonitor| {
            let mut first = 0;
            for strip in self.strips(&part) {
                let horizons = self.cells.horizons(&strip, &|| watch.should_continue()).map_err(of_horizon)?;
                let found = Insolation::new_while(&self.ground.known, &horizons, &light, &|_| watch.advance(1));
                let found = found.map_err(of_insolation)?;
                let bands = [&found.direct_kwh_m2, &found.diffuse_kwh_m2, &found.sun_hours];
                for (out, band) in out.chunks_mut(part.cells().max(1)).zip(bands) {
                    let out = &mut out[first..][..strip.cells()];
                    out.par_iter_mut().enumerate().for_each(|(cell, to)| {
                        *to = if self.has_slope(&strip, cell) { band[cell] } else { f32::NAN };
                    });
                }
                first += strip.cells();
            }
            Ok::<(), PyErr>(())
        };
        self.ground.checked(|| run_long(py, part.cells(), progress.as_ref(), work)?)
    }
}

impl PyCells {
    /// Whether data know how the ground slopes in a cell.
    fn has_slope(&self, part: &Grid, cell: usize) -> bool {
        let n = part.place(cell % part.columns, cell / part.columns).normal();
        !self.ground.has_gaps || !self.ground.known.normal(n).is_nan()
    }
}

/// Light between seconds since 1970, looked at so often.
pub fn insolation_options([from, to, step_s]: [f64; 3], turbidity: f64) -> InsolationOptions {
    InsolationOptions::between(from, to).with_step_s(step_s).with_linke_turbidity(turbidity)
}
