//! How does Python reach the surface? The extension module `orogen._orogen`, which the package `orogen` wraps.
//!
//! Functions take flat arrays of equal length and write into arrays of the caller's; the package in `orogen/` broadcasts, checks
//! and names. Angles are in degrees here.

mod error;
mod lines;
mod open;
mod places;
mod shed;
mod surface;
mod work;

use pyo3::prelude::*;

/// The surface of the Earth; see the package `orogen`.
#[pymodule]
mod _orogen {
    #[pymodule_export]
    use super::surface::PySurface;
    use super::{open, work};
    use pyo3::prelude::*;

    /// Version of the library.
    #[pymodule_export]
    #[allow(non_upper_case_globals)]
    const __version__: &str = env!("CARGO_PKG_VERSION");

    /// Whether rasters can be opened by their names.
    #[pyfunction]
    fn has_gdal() -> bool {
        cfg!(feature = "gdal")
    }

    /// Threads that a call uses.
    #[pyfunction]
    fn threads() -> PyResult<usize> {
        Ok(work::pool()?.current_num_threads())
    }

    /// Metres of a unit by its name, if it is known.
    #[pyfunction]
    fn metres_per_unit(name: &str) -> Option<f64> {
        open::metres_per_unit(name)
    }
}
