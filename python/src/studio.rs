//! How does the surface look from an eye? The class behind `orogen.Studio`: a scene that is loaded once.

use std::{
    ffi::OsString,
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
};

use elevation::height::Relief;
use image::{ImageBuffer, Pixel, Primitive, Rgb};
use numpy::{PyArray1, PyArrayMethods, PyReadonlyArray3, PyUntypedArrayMethods};
use pyo3::{
    exceptions::{PyOSError, PyRuntimeError, PyValueError},
    prelude::*,
    sync::MutexExt,
};
use viewer::{
    capture::{Film, FrameImage, ImageFormat, OutputName},
    cli::{CliError, DrawnImage, OffscreenScene},
};

use crate::{surface::PySurface, work::run_long};

/// Pixels in rows, columns and RGBA; triangles; metres by which the eye was raised; what is to be said beside the picture.
type RenderedImage<'py> = (Bound<'py, PyAny>, u32, f64, Option<String>);

/// Pixels of Python in rows, columns and RGBA.
#[derive(FromPyObject)]
enum Pixels<'py> {
    Srgb(PyReadonlyArray3<'py, u8>),
    Linear(PyReadonlyArray3<'py, f32>),
}

/// Pixels for Python, opaque.
fn pixels_of<'py, T: Primitive + numpy::Element>(
    py: Python<'py>,
    image: &ImageBuffer<Rgb<T>, Vec<T>>,
) -> PyResult<Bound<'py, PyAny>>
where
    Rgb<T>: Pixel<Subpixel = T>,
{
    let (columns, rows) = image.dimensions();
    let pixels: Vec<T> = image.pixels().flat_map(|&Rgb([r, g, b])| [r, g, b, T::DEFAULT_MAX_VALUE]).collect();
    Ok(PyArray1::from_vec(py, pixels).reshape([rows as usize, columns as usize, 4])?.into_any())
}

/// The picture of pixels, without what makes them opaque.
fn image_of<T: Primitive + numpy::Element>(pixels: &PyReadonlyArray3<'_, T>) -> PyResult<ImageBuffer<Rgb<T>, Vec<T>>>
where
    Rgb<T>: Pixel<Subpixel = T>,
{
    let rgb = pixels.as_slice()?.chunks_exact(4).flat_map(|pixel| pixel[..3].to_vec()).collect();
    let image = match *pixels.shape() {
        [rows, columns, 4] => ImageBuffer::from_raw(columns as u32, rows as u32, rgb),
        _ => None,
    };
    image.ok_or_else(|| PyValueError::new_err("pixels are rows, columns and RGBA"))
}

/// A scene on a graphics device; see `orogen.Studio`.
#[pyclass(name = "Studio", module = "orogen._orogen", frozen)]
pub struct PyStudio {
    relief: Arc<Relief>,
    words: Vec<OsString>,
    /// None while a picture is drawn, and after one that failed: the next one loads the scene anew.
    drawing: Mutex<Option<OffscreenScene>>,
    process: u32,
}

#[pymethods]
impl PyStudio {
    /// Loads a scene by words like `--size=640x360`.
    #[new]
    fn new(py: Python<'_>, surface: &PySurface, words: Vec<OsString>) -> PyResult<Self> {
        let relief = surface.ground.solid.relief().clone();
        let drawing = run_long(py, 1, None, |_| OffscreenScene::load(relief.clone(), &words))?.map_err(refused)?;
        Ok(Self { relief, words, drawing: Mutex::new(Some(drawing)), process: std::process::id() })
    }

    /// Draws a view by the words of the scene and its own.
    fn picture<'py>(&self, py: Python<'py>, words: Vec<OsString>) -> PyResult<RenderedImage<'py>> {
        if std::process::id() != self.process {
            return Err(PyRuntimeError::new_err("a Studio belongs to its process: make one in each"));
        }
        let mut slot = self.drawing.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner);
        let taken = slot.take();
        let (drawn, whole) = run_long(py, 1, None, |watch| {
            let mut drawing = match taken {
                Some(drawing) => drawing,
                None => OffscreenScene::load(self.relief.clone(), &self.words)?,
            };
            let drawn = drawing.render(&words, watch.cancel_flag());
            // What was refused has changed nothing.
            let is_whole = matches!(drawn, Ok(_) | Err(CliError::Usage(_)));
            Ok((drawn, is_whole.then_some(drawing)))
        })?
        .map_err(refused)?;
        *slot = whole;
        let DrawnImage { image, triangles, raised_m, note } = drawn.map_err(refused)?;
        let pixels = match &image {
            FrameImage::Srgb(image) => pixels_of(py, image)?,
            FrameImage::Linear(image) => pixels_of(py, image)?,
        };
        Ok((pixels, triangles, raised_m, note))
    }

    /// Writes pixels to a .png, .jpg or .webp, linear ones to an .exr, as the program does.
    #[staticmethod]
    fn save(py: Python<'_>, path: PathBuf, pixels: Pixels<'_>, note: Option<String>) -> PyResult<()> {
        let is_linear = matches!(pixels, Pixels::Linear(_));
        let Some(format) = ImageFormat::of(&path).filter(|format| format.is_linear() == is_linear) else {
            let names = if is_linear { "a.exr: its light is linear" } else { "a.png, .jpg or .webp" };
            let text = format!("{}: name the picture like {names}", foreign::sanitized(&path.to_string_lossy()));
            return Err(PyValueError::new_err(text));
        };
        let image: FrameImage = match &pixels {
            Pixels::Srgb(pixels) => image_of(pixels)?.into(),
            Pixels::Linear(pixels) => FrameImage::Linear(image_of(pixels)?),
        };
        let write = || {
            let mut film = Film::create(&OutputName::Still(path, format), 1.0, None)?;
            film.note(note);
            film.add(image)
        };
        py.detach(write).map(drop).map_err(|error| PyOSError::new_err(error.to_string()))
    }
}

impl Drop for PyStudio {
    /// A fork has a copy of the scene, but its parent's device and none of its threads: it leaves both alone.
    fn drop(&mut self) {
        if std::process::id() != self.process {
            std::mem::forget(self.drawing.get_mut().unwrap_or_else(PoisonError::into_inner).take());
        }
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
