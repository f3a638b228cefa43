//! What is seen from a place? A viewshed, with the cells that no data know taken out.

use analysis::{Viewshed, ViewshedError, ViewshedOptions};
use elevation::geodesy::Geodetic;
use pyo3::{exceptions::PyValueError, prelude::*};
use rayon::prelude::*;

use crate::{error::of_viewshed, open::SurfacePair, work::run_long};

/// The viewshed round a place; cells without data are beyond it.
pub fn viewshed(
    py: Python<'_>,
    ground: &SurfacePair,
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
    let viewshed = run_long(py, Viewshed::PARTS, progress, |watch| {
        let mut viewshed = Viewshed::new_while(&ground.solid, at, options, |_, _| watch.advance(1))?;
        if ground.has_gaps {
            let mut cells = std::mem::take(&mut viewshed.cells);
            cells.par_chunks_mut(viewshed.side).enumerate().for_each(|(row, line)| {
                for (column, cell) in line.iter_mut().enumerate().filter(|(_, cell)| **cell != Viewshed::BEYOND) {
                    if ground.known.height_m(viewshed.place(column, row).normal()).is_nan() {
                        *cell = Viewshed::BEYOND;
                    }
                }
            });
            viewshed.cells = cells;
        }
        Ok::<Viewshed, ViewshedError>(viewshed)
    })?;
    viewshed.map_err(of_viewshed)
}
