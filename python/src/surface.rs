//! What can Python ask? The class behind `orogen.Surface`.

use std::path::PathBuf;

use analysis::{HorizonOptions, HorizonsOptions, ViewshedOptions};
use elevation::{
    geodesy::{Ellipsoid, Geodetic},
    height::OpenOptions,
    surface::SlopeRule,
};
use numpy::{PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2, PyReadwriteArray1, PyUntypedArrayMethods};
use pyo3::{exceptions::PyValueError, prelude::*, types::PyDict};
use sources::{Network, RemoteOptions, S3Options, remote_packs};

use crate::{
    cells::{PyCells, PyGrid, insolation_options},
    error::of_height,
    lines, mesh,
    open::{self, ArrayDescription, SurfacePair},
    places::{self, GroundQuantity},
    sky, viewshed,
    work::run_long,
};

type In<'py> = PyReadonlyArray1<'py, f64>;
type Out<'py> = PyReadwriteArray1<'py, f64>;
type Progress<'py> = Option<Bound<'py, PyAny>>;

/// How servers are asked for packs, or given them: as the environment says.
pub fn remote_options() -> RemoteOptions {
    let s3 = S3Options::of_variables(|name| std::env::var(name).ok());
    RemoteOptions::new(Network::from_env()).with_s3(s3)
}

/// A surface; see `orogen.Surface`.
#[pyclass(name = "Surface", module = "orogen._orogen", frozen)]
pub struct PySurface {
    pub ground: SurfacePair,
    /// What is seen of it, and what light meets.
    seen: SurfacePair,
}

impl PySurface {
    fn new(ground: SurfacePair, water: bool) -> Self {
        let seen = if water { ground.with_sea_surface() } else { ground.clone() };
        Self { ground, seen }
    }
}

#[pymethods]
impl PySurface {
    /// Opens files by name.
    #[staticmethod]
    #[pyo3(signature = (files, nodata=None, unit_m=None, feather=None, valid_range_m=None, water=true))]
    fn of_files(
        py: Python<'_>,
        files: Vec<PathBuf>,
        nodata: Option<f64>,
        unit_m: Option<f64>,
        feather: Option<u32>,
        valid_range_m: Option<(f64, f64)>,
        water: bool,
    ) -> PyResult<Self> {
        let mut options = OpenOptions::default();
        options.nodata = nodata;
        options.unit_m = unit_m;
        options.feather_texels = feather;
        options.valid_range_m = valid_range_m;
        let options = options.with_remote(Some(remote_packs(remote_options())));
        let ground = run_long(py, 1, None, |_| SurfacePair::of_files(&files, &options))?.map_err(of_height)?;
        let body = ground.known.relief().ellipsoid();
        if body != Ellipsoid::WGS84 {
            let names: Vec<String> = files.iter().map(|file| file.display().to_string()).collect();
            let text = "this package answers for the Earth: ask the program, `orogen query`";
            return Err(PyValueError::new_err(format!(
                "{}: of a body with radii of {body} m; {text}",
                names.join(", ")
            )));
        }
        Ok(Self::new(ground, water))
    }

    /// Places an array above another surface or nothing.
    #[staticmethod]
    #[pyo3(signature = (values, described, below=None, water=true))]
    fn of_array(
        py: Python<'_>,
        values: PyReadonlyArray2<'_, f32>,
        described: ArrayDescription,
        below: Option<&Self>,
        water: bool,
    ) -> PyResult<Self> {
        let &[rows, columns] = values.shape() else {
            return Err(PyValueError::new_err("an array of two dimensions is needed"));
        };
        let values = open::copied(values.as_slice()?)?;
        let below = below.map(|below| &below.ground);
        let ground = open::of_array(py, values, [columns, rows], &described, below)?;
        Ok(Self::new(ground, water))
    }

    /// Metres above the datum.
    #[pyo3(signature = (lat, lon, out, progress=None))]
    fn heights(&self, py: Python<'_>, lat: In, lon: In, mut out: Out, progress: Progress) -> PyResult<()> {
        let places = (lat.as_slice()?, lon.as_slice()?);
        self.ground.checked(|| places::heights(py, &self.ground.known, places, out.as_slice_mut()?, progress.as_ref()))
    }

    /// `slope` or `aspect` in degrees, normals as `enu` or `ecef`; by the rule `central` or `horn`.
    #[pyo3(signature = (what, rule, lat, lon, out, progress=None))]
    #[allow(clippy::too_many_arguments, reason = "Python has names for them")]
    fn grounds(
        &self,
        py: Python<'_>,
        what: &str,
        rule: &str,
        lat: In,
        lon: In,
        mut out: Out,
        progress: Progress,
    ) -> PyResult<()> {
        let rules = [SlopeRule::Central, SlopeRule::Horn];
        let no_rule = || PyValueError::new_err(format!("no rule for slopes is {rule:?}: choose central or horn"));
        let rule = rules.into_iter().find(|known| known.name() == rule).ok_or_else(no_rule)?;
        let places = (lat.as_slice()?, lon.as_slice()?);
        let asked = (GroundQuantity::of(what)?, rule);
        self.ground
            .checked(|| places::grounds(py, &self.ground.known, asked, places, out.as_slice_mut()?, progress.as_ref()))
    }

    /// Layer, share, posting in metres and whether it is filled, four numbers a place.
    fn provenance(&self, py: Python<'_>, lat: In, lon: In, mut out: Out) -> PyResult<()> {
        self.ground.checked(|| {
            places::provenance(py, &self.ground.known, (lat.as_slice()?, lon.as_slice()?), out.as_slice_mut()?)
        })
    }

    /// Four numbers a ray: distance, latitude, longitude, height. Arguments: latitude, longitude, height, heading, pitch, reach.
    #[pyo3(signature = (arguments, above_ground, out, progress=None))]
    fn rays(
        &self,
        py: Python<'_>,
        arguments: [In; 6],
        above_ground: bool,
        mut out: Out,
        progress: Progress,
    ) -> PyResult<()> {
        let arguments = slices(&arguments)?;
        self.seen
            .checked(|| lines::rays(py, &self.seen, arguments, above_ground, out.as_slice_mut()?, progress.as_ref()))
    }

    /// Five numbers a line: 1 where it is free, and the hit. Arguments: two latitudes and longitudes, height of eye and target.
    #[pyo3(signature = (arguments, refraction, out, progress=None))]
    fn sights(
        &self,
        py: Python<'_>,
        arguments: [In; 6],
        refraction: f64,
        mut out: Out,
        progress: Progress,
    ) -> PyResult<()> {
        let arguments = slices(&arguments)?;
        self.seen
            .checked(|| lines::sights(py, &self.seen, arguments, refraction, out.as_slice_mut()?, progress.as_ref()))
    }

    /// Four numbers a sample: distance, latitude, longitude, height.
    fn profiles(&self, py: Python<'_>, arguments: [In; 4], samples: usize, mut out: Out) -> PyResult<()> {
        let arguments = slices(&arguments)?;
        self.ground.checked(|| lines::profiles(py, &self.ground, arguments, samples, out.as_slice_mut()?))
    }

    /// Cells, their side in metres, and the height of the eye.
    #[pyo3(signature = (lat, lon, radius_m, eye_height_m, target_height_m, cell_m, refraction, progress=None))]
    #[allow(clippy::too_many_arguments, reason = "Python has names for them")]
    fn viewshed<'py>(
        &self,
        py: Python<'py>,
        lat: f64,
        lon: f64,
        radius_m: f64,
        eye_height_m: f64,
        target_height_m: f64,
        cell_m: Option<f64>,
        refraction: f64,
        progress: Progress,
    ) -> PyResult<(Bound<'py, PyArray2<u8>>, f64, f64)> {
        let options = ViewshedOptions::within(radius_m)
            .with_eye_height_m(eye_height_m)
            .with_target_height_m(target_height_m)
            .with_cell_m(cell_m)
            .with_refraction(refraction);
        let viewshed =
            self.seen.checked(|| viewshed::viewshed(py, &self.seen, (lat, lon), &options, progress.as_ref()))?;
        let cells = numpy::PyArray1::from_vec(py, viewshed.cells).reshape([viewshed.side, viewshed.side])?;
        Ok((cells, viewshed.cell_m, viewshed.eye.height_m))
    }

    /// Five numbers an azimuth: elevation, distance, latitude, longitude, height. Options: directions, height of the eye, refraction.
    #[pyo3(signature = (lat, lon, options, out, progress=None))]
    fn horizons(
        &self,
        py: Python<'_>,
        lat: In,
        lon: In,
        options: (usize, f64, f64),
        mut out: Out,
        progress: Progress,
    ) -> PyResult<()> {
        let places = (lat.as_slice()?, lon.as_slice()?);
        self.seen.checked(|| {
            sky::horizons(py, &self.seen, places, &horizon_options(options), out.as_slice_mut()?, progress.as_ref())
        })
    }

    /// Sky view factors.
    #[pyo3(signature = (lat, lon, options, out, progress=None))]
    fn sky_views(
        &self,
        py: Python<'_>,
        lat: In,
        lon: In,
        options: (usize, f64, f64),
        mut out: Out,
        progress: Progress,
    ) -> PyResult<()> {
        let places = (lat.as_slice()?, lon.as_slice()?);
        self.seen.checked(|| {
            sky::sky_views(py, &self.seen, places, &horizon_options(options), out.as_slice_mut()?, progress.as_ref())
        })
    }

    /// Three numbers a place: direct and diffuse light in kWh/m2, hours of sun; between seconds since 1970, looked at so often.
    #[pyo3(signature = (lat, lon, options, span, turbidity, out, progress=None))]
    #[allow(clippy::too_many_arguments, reason = "Python has names for them")]
    fn insolations(
        &self,
        py: Python<'_>,
        lat: In,
        lon: In,
        options: (usize, f64, f64),
        span: [f64; 3],
        turbidity: f64,
        mut out: Out,
        progress: Progress,
    ) -> PyResult<()> {
        let places = (lat.as_slice()?, lon.as_slice()?);
        let options = (&horizon_options(options), &insolation_options(span, turbidity));
        self.seen.checked(|| sky::insolations(py, &self.seen, places, options, out.as_slice_mut()?, progress.as_ref()))
    }

    /// Four numbers a day: sunrise and sunset in seconds since 1970, hours of sun, the same over a level horizon.
    #[pyo3(signature = (lat, lon, options, year, days, out, progress=None))]
    #[allow(clippy::too_many_arguments, reason = "Python has names for them")]
    fn sunlight(
        &self,
        py: Python<'_>,
        lat: In,
        lon: In,
        options: (usize, f64, f64),
        year: i64,
        days: usize,
        mut out: Out,
        progress: Progress,
    ) -> PyResult<()> {
        let places = (lat.as_slice()?, lon.as_slice()?);
        let asked = (&horizon_options(options), year, days);
        self.seen.checked(|| sky::sunlight(py, &self.seen, places, asked, out.as_slice_mut()?, progress.as_ref()))
    }

    /// The ground that the horizons of a raster need. Options: directions, height of the eyes, refraction, reach.
    fn cells(&self, py: Python<'_>, grid: &PyGrid, options: (usize, f64, f64, Option<f64>)) -> PyResult<PyCells> {
        let (directions, eye_height_m, refraction, reach_m) = options;
        let options = HorizonsOptions::default()
            .with_directions(directions)
            .with_eye_height_m(eye_height_m)
            .with_refraction(refraction)
            .with_reach_m(reach_m);
        self.seen.checked(|| PyCells::new(py, &self.seen, &grid.0, &options))
    }

    /// Positions and triangles of a mesh; see `mesh`.
    #[pyo3(signature = (bbox, error_m, spacing_m, origin=None))]
    fn mesh<'py>(
        &self,
        py: Python<'py>,
        bbox: [f64; 4],
        error_m: f64,
        spacing_m: f64,
        origin: Option<[f64; 3]>,
    ) -> PyResult<mesh::Arrays<'py>> {
        self.ground.checked(|| mesh::mesh(py, &self.ground, bbox, (error_m, spacing_m), origin))
    }

    /// Metres between the samples of the data at a place.
    fn posting_m(&self, lat: f64, lon: f64) -> f64 {
        self.ground.solid.relief().posting_m(Geodetic::from_degrees(lat, lon, 0.0).normal())
    }

    /// What is known of each layer, the first on top.
    fn layers<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let layers = self.ground.known.relief().layers();
        let layers = if self.ground.has_gaps { &layers[..layers.len() - 1] } else { layers };
        let described = |info: &elevation::height::LayerInfo| {
            let layer = PyDict::new(py);
            layer.set_item("name", &info.name)?;
            layer.set_item("crs", &info.crs)?;
            layer.set_item("datum", &info.datum)?;
            layer.set_item("shape", (info.size[1], info.size[0]))?;
            layer.set_item("posting_m", info.posting_m)?;
            layer.set_item("bounds", info.bbox_deg)?;
            layer.set_item("nodata", info.nodata)?;
            layer.set_item("void_share", info.void_share)?;
            layer.set_item("range_m", info.range_m)?;
            layer.set_item("notes", &info.notes)?;
            layer.set_item("remarks", &info.remarks)?;
            Ok(layer)
        };
        layers.iter().map(described).collect()
    }
}

fn horizon_options((directions, eye_height_m, refraction): (usize, f64, f64)) -> HorizonOptions {
    HorizonOptions::default().with_directions(directions).with_eye_height_m(eye_height_m).with_refraction(refraction)
}

/// The numbers of arrays.
fn slices<'a, const N: usize>(arrays: &'a [In<'_>; N]) -> PyResult<[&'a [f64]; N]> {
    let mut slices = [&[][..]; N];
    for (slice, array) in slices.iter_mut().zip(arrays) {
        *slice = array.as_slice()?;
    }
    Ok(slices)
}
