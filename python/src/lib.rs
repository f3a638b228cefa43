//! How does Python reach the surface? The extension module `orogen._orogen`, which the package `orogen` wraps.
//!
//! Functions take flat arrays of equal length and write into arrays of the caller's; the package in `orogen/` broadcasts, checks
//! and names. Angles are in degrees here.

mod bake;
mod cells;
mod error;
mod lines;
mod mesh;
mod open;
mod picture;
mod places;
mod shed;
mod sky;
#[cfg(feature = "picture")]
mod studio;
mod surface;
mod work;

use pyo3::prelude::*;

/// The surface of the Earth; see the package `orogen`.
#[pymodule]
mod _orogen {
    #[pymodule_export]
    use super::bake::{bake, merge, wanted_key, working_file};
    #[pymodule_export]
    use super::cells::PyCells;
    #[pymodule_export]
    use super::cells::PyGrid;
    #[cfg(feature = "picture")]
    #[pymodule_export]
    use super::studio::PyStudio;
    #[pymodule_export]
    use super::surface::PySurface;
    use super::{open, picture, work};
    use numpy::{PyReadonlyArray3, PyUntypedArrayMethods};
    use pyo3::{exceptions::PyValueError, prelude::*, types::PyBytes};

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

    /// Seconds since 1970-01-01T00:00:00Z of a time as the program reads it, like `2026-06-21T12:00:00Z`.
    #[pyfunction]
    fn unix_s(text: &str) -> PyResult<f64> {
        match foreign::values::time(text) {
            Ok(foreign::sun::SunSetting::At { unix_s }) => Ok(unix_s),
            Ok(_) => Err(PyValueError::new_err(format!("{text:?} is no time: give one like 2026-06-21T12:00:00Z"))),
            Err(expected) => Err(PyValueError::new_err(expected)),
        }
    }

    /// A PNG of an array of rows, columns and channels.
    #[pyfunction]
    fn png<'py>(py: Python<'py>, pixels: PyReadonlyArray3<'py, u8>) -> PyResult<Bound<'py, PyBytes>> {
        let &[rows, columns, channels] = pixels.shape() else {
            return Err(PyValueError::new_err("an array of three dimensions is needed"));
        };
        picture::png(py, pixels.as_slice()?, [rows, columns, channels])
    }

    /// Metres of a unit by its name, if it is known.
    #[pyfunction]
    fn metres_per_unit(name: &str) -> Option<f64> {
        open::metres_per_unit(name)
    }
}
