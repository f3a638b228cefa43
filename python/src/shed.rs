//! What is seen from a place? A viewshed, with the cells that no data know taken out.

use analysis::{Viewshed, ViewshedError, ViewshedOptions};
use elevation::geodesy::Geodetic;
use pyo3::{exceptions::PyValueError, prelude::*};
use rayon::prelude::*;

use crate::{error::of_viewshed, open::Ground, work::long};

/// The viewshed round a place; cells without data are beyond it.
pub fn viewshed(
    py: Python<'_>,
    ground: &Ground,
    (lat_deg, lon_deg): (f64, f64),
    options: &ViewshedOptions,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Viewshed> {
    let at = Geodetic::from_degrees(lat_deg, lon_deg, 0.0);
    let is_place = lat_deg.abs() <= 90.0 && lon_deg.is_finite();
    if !is_place || ground.known.height_m(at.normal()).is_nan() {
        let text = format!("no data at latitude {lat_deg}, longitude {lon_deg}: an eye needs ground to stand on");
        return Err(PyValueError::new_err(text));
    }
    let cell_m = options.cell_m.unwrap_or_else(|| ground.known.relief().posting_m(at.normal()));
    // As many as the rows of the raster, if its options can be.
    let rows = 2 * (options.radius_m / cell_m).clamp(0.0, 1e6) as usize + 1;
    let shed = long(py, rows, progress, |watch| {
        let mut shed = Viewshed::new_while(&ground.solid, at, options, |_, _| watch.advance(1))?;
        if ground.has_gaps {
            let (side, places) = (shed.side, shed.clone_without_cells());
            shed.cells.par_chunks_mut(side).enumerate().for_each(|(row, line)| {
                for (column, cell) in line.iter_mut().enumerate().filter(|(_, cell)| **cell != Viewshed::BEYOND) {
                    if ground.known.height_m(places.place(column, row).normal()).is_nan() {
                        *cell = Viewshed::BEYOND;
                    }
                }
            });
        }
        Ok::<Viewshed, ViewshedError>(shed)
    })?;
    shed.map_err(of_viewshed)
}

trait WithoutCells {
    fn clone_without_cells(&self) -> Self;
}

impl WithoutCells for Viewshed {
    fn clone_without_cells(&self) -> Self {
        Self { eye: self.eye, cell_m: self.cell_m, side: self.side, cells: Vec::new() }
    }
}
