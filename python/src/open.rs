//! How does what Python has become a surface? Packs by their names, arrays by their geotransform and by functions that transform.

use std::{
    path::PathBuf,
    sync::{Arc, mpsc},
};

use elevation::{
    height::{
        ArraySystem, Elevation, ElevationSource, HeightBounds, HeightError, LayerInfo, Location, OpenOptions,
        RasterArray, Region, Relief, Spacing,
    },
    surface::Surface,
    water::Water,
};
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::{exceptions::PyMemoryError, prelude::*};

use crate::{error::of_height, work::run_with_requests};

pub use elevation::height::metres_per_unit;

/// Metres between samples where there are none.
const NO_POSTING_M: f64 = 1e6;
/// Bytes that a raster takes for each value while it is made: values, values with a border, marks and distances.
const BYTES_A_VALUE: usize = 16;

/// An elevation source of one height everywhere: the ground where there are no data.
#[derive(Debug)]
struct ConstantHeight(f64);

impl ElevationSource for ConstantHeight {
    fn sample(&self, _: &Location, _: Spacing) -> Option<Elevation> {
        Some(Elevation::whole(self.0))
    }

    fn bounds(&self, _: &Region) -> Option<HeightBounds> {
        Some(HeightBounds::of((self.0, self.0)))
    }

    fn posting_m(&self, _: &Location) -> f64 {
        NO_POSTING_M
    }
}

/// A relief of one height; that of what is not a number says of itself that it is all void.
fn constant_relief(height_m: f64) -> Relief {
    let range_m = if height_m.is_nan() { (0.0, 0.0) } else { (height_m, height_m) };
    let mut info = LayerInfo::synthetic("nothing", NO_POSTING_M, [-180.0, -90.0, 180.0, 90.0], range_m);
    info.void_share = if height_m.is_nan() { 1.0 } else { 0.0 };
    Relief::of_source(info, Arc::new(ConstantHeight(height_m)))
}

/// The surface of the data, and one without gaps for lines of sight and rays.
#[derive(Clone)]
pub struct SurfacePair {
    /// Heights and slopes; not a number where there are no data.
    pub known: Surface,
    /// Lines: beside the data the ground goes over to 0 m, or to the lowest of the data if that is lower, so that it hides little.
    pub solid: Surface,
    /// Whether there are places without data.
    pub has_gaps: bool,
}

impl SurfacePair {
    /// Files by name: packs, and what GDAL opens where that is built in. They cover the Earth.
    pub fn of_files(files: &[PathBuf], options: &OpenOptions) -> Result<Self, HeightError> {
        let known = Surface::new(Arc::new(Relief::open(files, options)?));
        Ok(Self { solid: known.clone(), known, has_gaps: false })
    }

    /// The same with the surface of the sea above its floor.
    pub fn with_sea_surface(&self) -> Self {
        let over_sea = |surface: &Surface| Surface::new(Arc::new(surface.relief().with_sea_surface(Water::earth())));
        let known = over_sea(&self.known);
        let solid = if self.has_gaps { over_sea(&self.solid) } else { known.clone() };
        Self { known, solid, has_gaps: self.has_gaps }
    }

    /// An answer, unless something of the data could not be read meanwhile: coarser data or those below may have given it. Calls at the
    /// same time on several threads share their failures, for they share threads.
    pub fn checked<T>(&self, answer: impl FnOnce() -> PyResult<T>) -> PyResult<T> {
        let relief = self.solid.relief();
        let before = relief.failures();
        let answer = answer()?;
        relief.failure_since(&before).map_or(Ok(answer), |error| Err(of_height(error)))
    }

    /// An array above another ground or nothing.
    fn of_array(array: RasterArray<'_>, options: &OpenOptions, below: Option<&Self>) -> Result<Self, HeightError> {
        let known = match below {
            Some(below) => below.known.relief().under_array(array, options)?,
            None => constant_relief(f64::NAN).under_array(array, options)?,
        };
        let has_gaps = below.is_none_or(|below| below.has_gaps);
        let solid = has_gaps.then(|| constant_relief(known.range_m().0.min(0.0)).under_relief(&known));
        let known = Surface::new(Arc::new(known));
        let solid = solid.map_or_else(|| known.clone(), |solid| Surface::new(Arc::new(solid)));
        Ok(Self { known, solid, has_gaps })
    }
}

/// Georeference and format of an array, from Python.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct ArrayDescription {
    name: String,
    geo_transform: [f64; 6],
    crs_name: String,
    crs_definition: String,
    is_geographic: bool,
    to_wgs84: Py<PyAny>,
    from_wgs84: Py<PyAny>,
    nodata: Option<f64>,
    unit_m: Option<f64>,
    scale: f64,
    offset: f64,
    feather: Option<u32>,
    valid_range_m: Option<(f64, f64)>,
}

/// Copies an array's values where there is memory for them and for what is made of them.
pub fn copied(values: &[f32]) -> PyResult<Vec<f32>> {
    let bytes = values.len().saturating_mul(BYTES_A_VALUE);
    let no_memory = || {
        let text = format!("no {} MiB of memory for {} heights: open a part of the array", bytes >> 20, values.len());
        PyMemoryError::new_err(text)
    };
    // The memory for all steps is asked for once, so that a lack of it is an exception.
    let mut room: Vec<u8> = Vec::new();
    room.try_reserve_exact(bytes).map_err(|_| no_memory())?;
    drop(room);
    let mut copy = Vec::new();
    copy.try_reserve_exact(values.len()).map_err(|_| no_memory())?;
    copy.extend_from_slice(values);
    Ok(copy)
}

/// Direction of a coordinate transformation.
#[derive(Clone, Copy)]
enum TransformDirection {
    ToWgs84,
    FromWgs84,
}

/// Coordinates to transform, and the channel for the result.
struct TransformRequest {
    way: TransformDirection,
    x: Vec<f64>,
    y: Vec<f64>,
    reply: mpsc::SyncSender<Option<(Vec<f64>, Vec<f64>)>>,
}

/// A ground of an array. It is made without Python's lock; what Python has to transform is transformed on the thread that calls, for
/// pyproj keeps what it needs by threads of Python's.
pub fn of_array(
    py: Python<'_>,
    values: Vec<f32>,
    size: [usize; 2],
    described: &ArrayDescription,
    below: Option<&SurfacePair>,
) -> PyResult<SurfacePair> {
    let mut failure = None;
    let answer = |py: Python<'_>, TransformRequest { way, mut x, mut y, reply }: TransformRequest| {
        let function = match way {
            TransformDirection::ToWgs84 => &described.to_wgs84,
            TransformDirection::FromWgs84 => &described.from_wgs84,
        };
        let answered = match transform(py, function, &mut x, &mut y) {
            Ok(()) => Some((x, y)),
            Err(error) => {
                failure.get_or_insert(error);
                None
            }
        };
        // Who asked waits.
        let _received = reply.send(answered);
    };
    let mut options = OpenOptions::default();
    options.nodata = described.nodata;
    options.unit_m = described.unit_m;
    options.feather_texels = described.feather;
    options.valid_range_m = described.valid_range_m;
    let made = run_with_requests(py, (1, None), answer, |_, ask| {
        let by = |way: TransformDirection, x: &mut [f64], y: &mut [f64]| {
            let (reply, answered) = mpsc::sync_channel(1);
            ask(TransformRequest { way, x: x.to_vec(), y: y.to_vec(), reply });
            match answered.recv() {
                Ok(Some((xs, ys))) => {
                    x.copy_from_slice(&xs);
                    y.copy_from_slice(&ys);
                }
                _ => x.fill(f64::NAN),
            }
        };
        let array = RasterArray {
            name: &described.name,
            size,
            values,
            geo_transform: described.geo_transform,
            system: ArraySystem {
                name: &described.crs_name,
                definition: &described.crs_definition,
                is_geographic: described.is_geographic,
                to_wgs84: &|x, y| by(TransformDirection::ToWgs84, x, y),
                from_wgs84: &|x, y| by(TransformDirection::FromWgs84, x, y),
            },
            scale: described.scale,
            offset: described.offset,
        };
        SurfacePair::of_array(array, &options, below)
    });
    match failure {
        Some(error) => Err(error),
        None => made?.map_err(of_height),
    }
}

/// Transforms in place by a function of Python's from two arrays to two arrays.
fn transform(py: Python<'_>, function: &Py<PyAny>, x: &mut [f64], y: &mut [f64]) -> PyResult<()> {
    let asked = (PyArray1::from_slice(py, x), PyArray1::from_slice(py, y));
    let answered = function.call1(py, asked)?;
    let (xs, ys): (PyReadonlyArray1<'_, f64>, PyReadonlyArray1<'_, f64>) = answered.extract(py)?;
    for (into, from) in [(x, xs), (y, ys)] {
        let from = from.as_slice()?;
        if from.len() != into.len() {
            let text = format!("a transformation of {} places has answered with {}", into.len(), from.len());
            return Err(pyo3::exceptions::PyValueError::new_err(text));
        }
        into.copy_from_slice(from);
    }
    Ok(())
}
