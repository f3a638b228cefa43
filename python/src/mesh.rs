//! Which triangles are the ground of an area? With positions on the Earth or in a local frame.

use analysis::Mesh;
use elevation::geodesy::{Ellipsoid, Geodetic, east_north_up};
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use rayon::prelude::*;

use crate::{
    error::of_horizon,
    open::SurfacePair,
    work::{CallMonitor, run_long},
};

/// Positions, corners of triangles, latitudes, longitudes and heights of vertices, samples along longitude and latitude.
pub type Arrays<'py> =
    (Bound<'py, PyArray2<f64>>, Bound<'py, PyArray2<u32>>, [Bound<'py, PyArray1<f64>>; 3], [usize; 2]);

/// A mesh over west, south, east, north, within an error, of samples so far apart, in metres; with an origin in degrees and metres
/// positions are east, north and up of it, else those of the Earth.
pub fn mesh<'py>(
    py: Python<'py>,
    ground: &SurfacePair,
    bbox: [f64; 4],
    (error_m, spacing_m): (f64, f64),
    origin: Option<[f64; 3]>,
) -> PyResult<Arrays<'py>> {
    let work = |watch: &CallMonitor| {
        let mesh = Mesh::new(&ground.known, bbox, error_m, spacing_m, &|| watch.should_continue())?;
        let frame = origin.map(|[lat, lon, height_m]| {
            let place = Geodetic::from_degrees(lat, lon, height_m);
            (place.to_ecef(Ellipsoid::WGS84), east_north_up(place.normal()))
        });
        let position = |place: &Geodetic| {
            let at = place.to_ecef(Ellipsoid::WGS84);
            match frame {
                Some((middle, (east, north, up))) => [east, north, up].map(|axis| axis.dot(at - middle)),
                None => at.to_array(),
            }
        };
        let positions: Vec<f64> = mesh.vertices.par_iter().flat_map_iter(position).collect();
        Ok((mesh, positions))
    };
    let (mesh, positions) = run_long(py, 1, None, work)?.map_err(of_horizon)?;
    let of = |number: fn(&Geodetic) -> f64| PyArray1::from_iter(py, mesh.vertices.iter().map(number));
    let places = [of(|v| v.lat_rad.to_degrees()), of(|v| v.lon_rad.to_degrees()), of(|v| v.height_m)];
    let corners = PyArray1::from_slice(py, mesh.triangles.as_flattened()).reshape([mesh.triangles.len(), 3])?;
    let positions = PyArray1::from_vec(py, positions).reshape([mesh.vertices.len(), 3])?;
    Ok((positions, corners, places, mesh.samples))
}
