//! What is an imagery layer? A raster of colours with a place, an opacity and an adjustment of its colours, of which parts are read as
//! they are needed.

use std::{
    fmt::Debug,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use glam::{DVec3, Vec3};

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

/// How colours differ from those of a file: by factors, of which 1 leaves all as it is. They apply to sRGB values from 0 to 1, in this
/// order; what leaves that range is cut off.
///
/// ```
/// use elevation::height::ColourAdjustment;
/// let as_it_is = ColourAdjustment::default();
/// assert_eq!(as_it_is.adjusted([10, 100, 200, 255]), [10, 100, 200, 255]);
/// assert_eq!(ColourAdjustment { brightness: 2.0, ..as_it_is }.adjusted([10, 100, 200, 7]), [20, 200, 255, 7]);
/// assert_eq!(ColourAdjustment { contrast: 0.0, ..as_it_is }.adjusted([10, 100, 200, 255]), [128, 128, 128, 255]);
/// let grey = ColourAdjustment { saturation: 0.0, ..as_it_is }.adjusted([10, 100, 200, 255]);
/// assert_eq!(grey, [88, 88, 88, 255]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ColourAdjustment {
    /// Multiplies them.
    pub brightness: f32,
    /// Multiplies their distance from a middle grey.
    pub contrast: f32,
    /// Multiplies their distance from the grey of the same luma (ITU-R BT.709): 0 has no colour.
    pub saturation: f32,
}

impl Default for ColourAdjustment {
    fn default() -> Self {
        Self { brightness: 1.0, contrast: 1.0, saturation: 1.0 }
    }
}

impl ColourAdjustment {
    /// A colour, sRGB and alpha; alpha stays.
    pub fn adjusted(self, [red, green, blue, alpha]: [u8; 4]) -> [u8; 4] {
        let middle = Vec3::splat(0.5);
        let colour = Vec3::new(red.into(), green.into(), blue.into()) / 255.0 * self.brightness;
        let colour = middle + (colour - middle) * self.contrast;
        let grey = Vec3::splat(colour.dot(Vec3::new(0.2126, 0.7152, 0.0722)));
        let colour = grey + (colour - grey) * self.saturation;
        let [red, green, blue] =
            (colour.clamp(Vec3::ZERO, Vec3::ONE) * 255.0).round().to_array().map(|part| part as u8);
        [red, green, blue, alpha]
    }
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
    adjustment: ColourAdjustment,
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
            adjustment: ColourAdjustment::default(),
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

    /// The same layer in other colours.
    #[must_use]
    pub fn with_adjustment(self, adjustment: ColourAdjustment) -> Self {
        Self { adjustment, ..self }
    }

    /// How its colours differ from those of the file.
    pub fn adjustment(&self) -> ColourAdjustment {
        self.adjustment
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
            Ok(mut colours) => {
                if self.adjustment != ColourAdjustment::default() {
                    colours.texels.iter_mut().for_each(|texel| *texel = self.adjustment.adjusted(*texel));
                }
                Some(colours)
            }
            Err(error) => {
                if !self.failed.swap(true, Ordering::Relaxed) {
                    tracing::error!("{error}; what lies below is seen in its place");
                }
                None
            }
        }
    }
}
