//! How do pixels become a PNG?

use pyo3::{
    exceptions::{PyRuntimeError, PyValueError},
    prelude::*,
    types::PyBytes,
};

/// A PNG of 8 bits of rows of pixels, each of 1 (grey), 3 (RGB) or 4 (RGBA) values.
pub fn png<'py>(
    py: Python<'py>,
    values: &[u8],
    [rows, columns, channels]: [usize; 3],
) -> PyResult<Bound<'py, PyBytes>> {
    let colour = match channels {
        1 => png::ColorType::Grayscale,
        3 => png::ColorType::Rgb,
        4 => png::ColorType::Rgba,
        _ => return Err(PyValueError::new_err(format!("pixels of {channels} values: take 1, 3 or 4"))),
    };
    let side = |pixels: usize| u32::try_from(pixels).ok().filter(|pixels| (1..1 << 16).contains(pixels));
    let (Some(width), Some(height)) = (side(columns), side(rows)) else {
        return Err(PyValueError::new_err(format!(
            "a picture of {columns} x {rows} pixels is not possible: take 1 to 65535"
        )));
    };
    let encoded = py.detach(|| {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, width, height);
        encoder.set_color(colour);
        encoder.set_compression(png::Compression::High);
        let mut writer = encoder.write_header()?;
        writer.write_image_data(values)?;
        writer.finish()?;
        Ok::<_, png::EncodingError>(bytes)
    });
    let bytes = encoded.map_err(|e| PyRuntimeError::new_err(format!("the PNG could not be made: {e}")))?;
    Ok(PyBytes::new(py, &bytes))
}
