//! Which exception does an error become? The library's message, as the kind that Python's users expect.

use analysis::{HorizonError, InsolationError, SunError, ViewshedError};
use elevation::{height::HeightError, surface::RayError};
use pyo3::{
    PyErr,
    exceptions::{PyFileNotFoundError, PyMemoryError, PyOSError, PyRuntimeError, PyValueError},
};

/// A message of the libraries, whose options are the program's, with those of Python.
pub fn in_python(error: &dyn std::error::Error) -> String {
    const OPTIONS: [(&str, &str); 10] = [
        ("--crs EPSG:CODE", "crs=\"EPSG:CODE\""),
        ("--overwrite", "overwrite=True"),
        ("--skip-bad", "skip_bad=True"),
        ("--valid-range", "valid_range="),
        ("--feather", "feather="),
        ("--nodata", "nodata="),
        ("--vdatum", "vdatum="),
        ("--band", "band="),
        ("--unit", "unit="),
        ("--crs", "crs="),
    ];
    OPTIONS.iter().fold(error.to_string(), |text, (option, argument)| text.replace(option, argument))
}

/// Of elevation data that cannot be opened.
pub fn of_height(error: HeightError) -> PyErr {
    let text = in_python(&error);
    match error {
        HeightError::Missing { .. } => PyFileNotFoundError::new_err(text),
        HeightError::NoMemory { .. } => PyMemoryError::new_err(text),
        HeightError::Read { .. } | HeightError::CannotOpen { .. } | HeightError::Changed { .. } => {
            PyOSError::new_err(text)
        }
        HeightError::Pack(_) => PyOSError::new_err(text),
        HeightError::NeedsGdal { file } => PyValueError::new_err(format!(
            "{}: this build reads packs of tiles by name, not rasters: open it with rioxarray or rasterio and give that, or build the \
             package with GDAL: maturin build --features gdal",
            file.display()
        )),
        _ => PyValueError::new_err(text),
    }
}

/// Of a viewshed.
pub fn of_viewshed(error: ViewshedError) -> PyErr {
    match error {
        ViewshedError::Ray(error) => of_ray(error),
        ViewshedError::Memory(error) => PyMemoryError::new_err(error.to_string()),
        other => PyValueError::new_err(other.to_string()),
    }
}

/// Of horizons.
pub fn of_horizon(error: HorizonError) -> PyErr {
    match error {
        HorizonError::Option(_) => PyValueError::new_err(error.to_string()),
        HorizonError::Memory(_) => PyMemoryError::new_err(error.to_string()),
        other => PyRuntimeError::new_err(other.to_string()),
    }
}

/// Of light.
pub fn of_insolation(error: InsolationError) -> PyErr {
    match error {
        InsolationError::Option(error) => PyValueError::new_err(error.to_string()),
        InsolationError::Sun(error) => of_sun(error),
        other => PyRuntimeError::new_err(other.to_string()),
    }
}

/// Of a time.
pub fn of_sun(error: SunError) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// Of a ray.
pub fn of_ray(error: RayError) -> PyErr {
    match error {
        RayError::NotFinite { .. } | RayError::Refraction(_) => PyValueError::new_err(error.to_string()),
        other => PyRuntimeError::new_err(other.to_string()),
    }
}
