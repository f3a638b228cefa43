//! What is an imagery layer? A raster of colours with a place and an opacity, of which parts are read as they are
//! needed.

use std::{
    fmt::Debug,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use glam::DVec3;

use super::{angle::lon_lat_deg, error::HeightError, georeference::Georeference, layer::wrap};
use crate::geodesy::Ellipsoid;

/// A rectangle of a layer's own columns and rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    pub column: usize,
    pub row: usize,
    pub columns: usize,
    pub rows: usize,
}

/// Colours of a part, row by row: sRGB and alpha, not multiplied.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Colours {
    pub columns: usize,
    pub rows: usize,
    pub texels: Vec<[u8; 4]>,
}

/// Where colours are read from.
pub(crate) trait Reader: Debug + Send + Sync {
    /// A part as means of so many columns and rows, or of fewer where that would take all of a large file.
    fn read(&self, part: Part, grid: (usize, usize)) -> Result<Colours, HeightError>;
}

/// A raster of colours laid on the ground: any number of them make [`Imagery`](crate::imagery_tile::Imagery).
#[derive(Clone, Debug)]
#[cfg_attr(not(feature = "earth"), allow(dead_code))]
pub struct ImageryLayer {
    size: (usize, usize),
    place: Arc<Georeference>,
    /// Columns in a turn around the Earth, if it goes around.
    turn: Option<usize>,
    opacity: f32,
    attribution: Arc<str>,
    reader: Arc<dyn Reader>,
    /// Whether a part could not be read, which is told once.
    failed: Arc<AtomicBool>,
}

impl ImageryLayer {
    #[cfg_attr(not(feature = "earth"), allow(dead_code))]
    pub(crate) fn new(size: (usize, usize), place: Georeference, reader: Arc<dyn Reader>) -> Self {
        let around = place.geographic().and_then(|g| wrap(g, size.0, size.1));
        let turn = around.map(|around| (around.period.round() as usize).clamp(1, size.0));
        Self {
            size,
            place: Arc::new(place),
            turn,
            opacity: 1.0,
            attribution: Arc::default(),
            reader,
            failed: Arc::default(),
        }
    }

    /// The same layer, with what its makers want to be said where it is shown.
    #[must_use]
    pub fn with_attribution(self, attribution: &str) -> Self {
        Self { attribution: attribution.into(), ..self }
    }

    /// What its makers want to be said where it is shown; empty where the file states nothing.
    pub fn attribution(&self) -> &str {
        &self.attribution
    }

    /// The same layer, which hides so much of what lies below: 0 nothing, 1 all of it.
    #[must_use]
    pub fn with_opacity(self, opacity: f32) -> Self {
        Self { opacity: opacity.clamp(0.0, 1.0), ..self }
    }

    /// How much of what lies below it hides.
    pub fn opacity(&self) -> f32 {
        self.opacity
    }

    /// The ellipsoid of the body that it is of.
    pub fn ellipsoid(&self) -> Ellipsoid {
        self.place.ellipsoid
    }

    /// Metres between texels, in its middle.
    pub fn posting_m(&self) -> f64 {
        self.place.posting_m
    }

    /// West, south, east and north of it, degrees.
    pub fn bbox_deg(&self) -> [f64; 4] {
        self.place.bbox_deg
    }

    /// Columns and rows.
    pub fn size(&self) -> (usize, usize) {
        self.size
    }

    /// Columns in a turn around the Earth, if they go around.
    pub(crate) fn turn(&self) -> Option<usize> {
        self.turn
    }

    /// Middle and cosine of the radius of a cap that holds it; none where it is on half the Earth or more.
    pub(crate) fn cap(&self) -> Option<(DVec3, f64)> {
        self.place.cap.filter(|_| self.turn.is_none())
    }

    /// Column and row at a unit geodetic normal, (0, 0) in the middle of the first texel; NaN where its coordinate system does not
    /// reach.
    pub fn texel(&self, n: DVec3) -> (f64, f64) {
        self.texel_at(n, lon_lat_deg(n))
    }

    /// The same where longitude and latitude in degrees are known.
    pub(crate) fn texel_at(&self, n: DVec3, (lon_deg, lat_deg): (f64, f64)) -> (f64, f64) {
        self.place.placement.texel(n, lon_deg, lat_deg)
    }

    /// Colours of a part; none if it cannot be read, which is told once.
    pub(crate) fn read(&self, part: Part, grid: (usize, usize)) -> Option<Colours> {
        match self.reader.read(part, grid) {
            Ok(colours) => Some(colours),
            Err(error) => {
                if !self.failed.swap(true, Ordering::Relaxed) {
                    tracing::error!("{error}; what lies below is seen in its place");
                }
                None
            }
        }
    }
}
