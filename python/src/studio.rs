//! How does the surface look from an eye? The class behind `orogen.Studio`: a scene that is loaded once.

use std::{
    ffi::OsString,
    path::PathBuf,
    sync::{Mutex, MutexGuard},
};

use image::RgbImage;
use numpy::{PyArray1, PyArray3, PyArrayMethods, PyReadonlyArray3, PyUntypedArrayMethods};
use pyo3::{
    exceptions::{PyOSError, PyRuntimeError, PyValueError},
    prelude::*,
    sync::MutexExt,
};
use viewer::{
    capture::{Film, OutputName, PictureFormat},
    cli::{CliError, Drawing, Drawn},
};

use crate::{surface::PySurface, work::long};

/// Pixels in rows, columns and RGBA; triangles; metres by which the eye was raised; what is to be said beside the picture.
type Answer<'py> = (Bound<'py, PyArray3<u8>>, u32, f64, Option<String>);

/// A scene on a graphics device; see `orogen.Studio`.
#[pyclass(name = "Studio", module = "orogen._orogen", frozen)]
pub struct PyStudio {
    drawing: Mutex<Drawing>,
    process: u32,
}

#[pymethods]
impl PyStudio {
    /// Loads a scene by words like `--size=640x360`.
    #[new]
    fn new(py: Python<'_>, surface: &PySurface, words: Vec<OsString>) -> PyResult<Self> {
        let relief = surface.0.solid.relief().clone();
        let drawing = long(py, 1, None, |_| Drawing::load(relief, &words))?.map_err(refused)?;
        Ok(Self { drawing: Mutex::new(drawing), process: std::process::id() })
    }

    /// Draws a view by the words of the scene and its own.
    fn picture<'py>(&self, py: Python<'py>, words: Vec<OsString>) -> PyResult<Answer<'py>> {
        if std::process::id() != self.process {
            return Err(PyRuntimeError::new_err("a Studio belongs to its process: make one in each"));
        }
        let mut drawing: MutexGuard<'_, Drawing> = self
            .drawing
            .lock_py_attached(py)
            .map_err(|_| PyRuntimeError::new_err("this Studio had a fault: make another one"))?;
        let drawing = &mut *drawing;
        let drawn = long(py, 1, None, |watch| drawing.picture(&words, watch.stopped()))?.map_err(refused)?;
        let Drawn { image, triangles, raised_m, note } = drawn;
        let (columns, rows) = image.dimensions();
        let pixels: Vec<u8> = image.pixels().flat_map(|pixel| [pixel[0], pixel[1], pixel[2], u8::MAX]).collect();
        let pixels = PyArray1::from_vec(py, pixels).reshape([rows as usize, columns as usize, 4])?;
        Ok((pixels, triangles, raised_m, note))
    }

    /// Writes pixels to a .png, .jpg or .webp, as the program does.
    #[staticmethod]
    fn save(py: Python<'_>, path: PathBuf, pixels: PyReadonlyArray3<'_, u8>, note: Option<String>) -> PyResult<()> {
        let Some(format) = PictureFormat::of(&path) else {
            let text =
                format!("{}: name the picture like a.png, .jpg or .webp", foreign::shown(&path.to_string_lossy()));
            return Err(PyValueError::new_err(text));
        };
        let (rows, columns) = (pixels.shape()[0] as u32, pixels.shape()[1] as u32);
        let rgb = pixels.as_slice()?.chunks_exact(4).flat_map(|pixel| pixel[..3].to_vec()).collect();
        let Some(image) = RgbImage::from_raw(columns, rows, rgb) else {
            return Err(PyValueError::new_err("pixels are rows, columns and RGBA"));
        };
        let write = || {
            let mut film = Film::create(&OutputName::Still(path, format), 1.0, None)?;
            film.note(note);
            film.add(image)
        };
        py.detach(write).map(drop).map_err(|error| PyOSError::new_err(error.to_string()))
    }
}

/// What was asked for wrongly is a wrong value.
fn refused(error: CliError) -> PyErr {
    match error {
        CliError::Usage(line) => PyValueError::new_err(line),
        CliError::Failed(error) => PyRuntimeError::new_err(format!("{error:#}")),
        other => PyRuntimeError::new_err(format!("{other:?}")),
    }
}
