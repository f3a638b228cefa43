//! Global heights given as an array: the base of a relief without GDAL, and analytic fields in tests.

use super::{
    error::HeightError,
    layer::{Layer, metres_per_degree, statistics},
    layer_info::LayerInfo,
};
use crate::geodesy::Ellipsoid;

/// Where the values of a [`GlobalGrid`] hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Registration {
    /// At nodes: the first row lies on the north pole, the last on the south pole, the first column on `west_deg`.
    Node,
    /// At the centres of cells that tile the Earth: the first row is half a cell from the pole, the first column half a
    /// cell east of `west_deg`.
    Cell,
}

/// A longitude-latitude grid of the whole Earth. Columns cover 360 degrees once, the last one does not repeat the first.
#[derive(Debug, Clone, PartialEq)]
pub struct GlobalGrid {
    /// Columns, at least 4.
    pub width: usize,
    /// Rows, at least 3.
    pub height: usize,
    /// Where the values hold.
    pub registration: Registration,
    /// Longitude of the first column's node or western edge.
    pub west_deg: f64,
    /// `width * height` heights in metres, northernmost row first; all finite.
    pub heights_m: Vec<f32>,
}

impl GlobalGrid {
    /// Samples a field `f(longitude, latitude)` (degrees to metres) on a grid of `width * height`.
    pub fn from_fn(width: usize, height: usize, registration: Registration, f: impl Fn(f64, f64) -> f64) -> Self {
        let west_deg = -180.0;
        let (dx, (north, dy)) = (360.0 / width as f64, registration.rows(height));
        let (offset, north) = match registration {
            Registration::Node => (0.0, north),
            Registration::Cell => (0.5, north - 0.5 * dy),
        };
        let heights_m = (0..width * height)
            .map(|i| f(west_deg + ((i % width) as f64 + offset) * dx, north - (i / width) as f64 * dy) as f32)
            .collect();
        Self { width, height, registration, west_deg, heights_m }
    }

    /// A body at 0 m all over.
    pub(crate) fn bare() -> Self {
        Self::from_fn(8, 5, Registration::Node, |_, _| 0.0)
    }

    /// Checks the grid and makes it a layer.
    pub(crate) fn into_layer(self, ellipsoid: Ellipsoid) -> Result<Layer, HeightError> {
        let Self { width, height, registration, west_deg, heights_m } = self;
        let refuse = |reason: String| Err(HeightError::Grid { width, height, reason });
        if width < 4 || height < 3 {
            return refuse("at least 4 x 3 values are needed".to_owned());
        }
        if Some(heights_m.len()) != width.checked_mul(height) {
            return refuse(format!("{} values given", heights_m.len()));
        }
        if !west_deg.is_finite() || west_deg.abs() > 720.0 {
            return refuse(format!("west edge at {west_deg} degrees"));
        }
        if let Some(i) = heights_m.iter().position(|h| !h.is_finite()) {
            return refuse(format!(
                "value {} at column {}, row {} is not a height",
                heights_m[i],
                i % width,
                i / width
            ));
        }
        let dx = 360.0 / width as f64;
        let (north, dy) = registration.rows(height);
        let geo_transform = match registration {
            Registration::Node => [west_deg - 0.5 * dx, dx, 0.0, north + 0.5 * dy, 0.0, -dy],
            Registration::Cell => [west_deg, dx, 0.0, north, 0.0, -dy],
        };
        let (range_m, void_share) = statistics(&heights_m);
        let posting_m = dx.max(dy) * metres_per_degree(ellipsoid);
        let bbox_deg = [west_deg, -90.0, west_deg + 360.0, 90.0];
        let info = LayerInfo {
            driver: "array".to_owned(),
            crs: if ellipsoid == Ellipsoid::WGS84 { "WGS 84" } else { "its own ellipsoid" }.to_owned(),
            ellipsoid,
            size: [width, height],
            grid: [width, height],
            void_share,
            range_is_bound: false,
            ..LayerInfo::synthetic("grid", posting_m, bbox_deg, range_m)
        };
        Layer::geographic(geo_transform, heights_m, 1, info).ok_or(HeightError::Grid {
            width,
            height,
            reason: "the grid has no extent".to_owned(),
        })
    }
}

impl Registration {
    /// Latitude of the first row's node or edge, and the step between rows, in degrees.
    fn rows(self, height: usize) -> (f64, f64) {
        match self {
            Self::Node => (90.0, 180.0 / height.saturating_sub(1) as f64),
            Self::Cell => (90.0, 180.0 / height as f64),
        }
    }
}
