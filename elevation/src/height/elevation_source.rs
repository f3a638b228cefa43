//! What is an elevation source? A height wherever it has one, proven bounds of its heights, and their posting.
//!
//! A layer of a [`Relief`](super::Relief) is known by the trait [`ElevationSource`] alone: rasters in memory, rasters in windows,
//! mosaics, packs and the embedded relief implement it, and so can any other crate.

use std::{fmt, sync::Arc};

use glam::DVec3;

use super::{
    angle::lon_lat_deg,
    error::HeightError,
    filled_quads::FilledQuads,
    kernel::Interpolation,
    layer_info::{Area, LayerInfo, MemberFile, MemoryUse},
    patch::{Patch, PatchCoordinates},
    raster::RasterSample,
    region::{HeightBounds, Region},
    resample::{SamplePositions, Window},
};
use crate::{pack::SourceRecord, tile::TileId};

/// Elevation data of any kind, as a layer of a [`Relief`](super::Relief).
///
/// A source is a pure function of the place: the same call gives the same bits, on any thread, in any order. Heights are continuous,
/// and where their weight falls to 0 it does so continuously, or the ground has a step.
///
/// ```
/// use std::sync::Arc;
/// use elevation::height::{Elevation, ElevationSource, HeightBounds, LayerInfo, Location, Region, Relief, Spacing};
///
/// /// Waves of 100 m in height, a degree long, all around the Earth.
/// #[derive(Debug)]
/// struct Waves;
///
/// impl ElevationSource for Waves {
///     fn sample(&self, at: &Location, _: Spacing) -> Option<Elevation> {
///         Some(Elevation::whole(100.0 * (360.0 * at.lat_deg.to_radians()).sin()))
///     }
///
///     fn bounds(&self, _: &Region) -> Option<HeightBounds> {
///         Some(HeightBounds::of((-100.0, 100.0)))
///     }
///
///     fn posting_m(&self, _: &Location) -> f64 {
///         1_000.0
///     }
/// }
///
/// let info = LayerInfo::synthetic("waves", 1_000.0, [-180.0, -90.0, 180.0, 90.0], (-100.0, 100.0));
/// let relief = Relief::of_source(info, Arc::new(Waves));
/// let ground = relief.sample(Location::at(0.25, 30.0).normal);
/// assert!((ground.height_m - 100.0).abs() < 1e-9);
/// ```
pub trait ElevationSource: fmt::Debug + Send + Sync {
    /// The height at a place; `None` where the source has none. Above other layers, a height that is not finite counts as none.
    ///
    /// `spacing` says how far apart the places are that are asked for. A source may ignore it.
    fn sample(&self, at: &Location, spacing: Spacing) -> Option<Elevation>;

    /// Bounds of all that [`sample`](Self::sample) may answer in a region with [`Spacing::Any`]; `None` if it answers nowhere in it.
    ///
    /// Rays and culling rely on them: bounds that are wrong miss ground, bounds that are wide cost time. They should close in on
    /// the height as the region shrinks, about linearly, or rays end only where the region is a millimetre wide.
    fn bounds(&self, region: &Region) -> Option<HeightBounds>;

    /// Distance in metres between the samples that the data have at a place: the detail that the mesh looks for there.
    fn posting_m(&self, at: &Location) -> f64;
}

/// A place on the Earth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Location {
    /// Unit geodetic normal of the WGS84 ellipsoid.
    pub normal: DVec3,
    /// Longitude in degrees, -180 to 180.
    pub lon_deg: f64,
    /// Geodetic latitude in degrees, -90 to 90.
    pub lat_deg: f64,
    /// How to come from postings to the height there, where a source has postings and a choice.
    pub interpolation: Interpolation,
}

impl Location {
    /// The place with a unit geodetic normal.
    pub fn of(normal: DVec3) -> Self {
        let (lon_deg, lat_deg) = lon_lat_deg(normal);
        Self { normal, lon_deg, lat_deg, interpolation: Interpolation::Cubic }
    }

    /// The place at a geodetic latitude and a longitude in degrees.
    pub fn at(lat_deg: f64, lon_deg: f64) -> Self {
        let normal = crate::geodesy::n_vector(lat_deg.to_radians(), lon_deg.to_radians());
        Self { normal, lon_deg, lat_deg, interpolation: Interpolation::Cubic }
    }
}

/// A height of a source.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Elevation {
    /// Metres above the source's vertical datum.
    pub height_m: f64,
    /// Above 0 to 1; the layers below have the rest. 1 wherever the source has data.
    pub weight: f64,
    /// Whether a posting beside the place is not the data's own, but filled or continued from others.
    pub filled: bool,
}

impl Elevation {
    /// A height with weight 1, of the data's own.
    pub fn whole(height_m: f64) -> Self {
        Self { height_m, weight: 1.0, filled: false }
    }
}

impl From<RasterSample> for Elevation {
    fn from(RasterSample { height_m, weight, filled, .. }: RasterSample) -> Self {
        Self { height_m, weight, filled }
    }
}

/// How far apart the places are that are asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Spacing {
    /// Any place may be next to any other.
    Any,
    /// Vertices of the bisection that are about so many metres apart; their heights are those that they have at `Any`.
    Vertices(f64),
    /// Nodes of a grid that are about so many metres apart, one after the other, with the heights that they have at `Any`.
    Grid(f64),
    /// So many metres, for a slope or a mean over about as much.
    Overview(f64),
    /// So many metres, all over the Earth: averages have to do, however coarse the budget makes them, as places in full
    /// would have to be read from everywhere.
    Global(f64),
}

impl Spacing {
    /// The distance in metres; 0 for any.
    pub fn metres(self) -> f64 {
        match self {
            Self::Any => 0.0,
            Self::Vertices(metres) | Self::Grid(metres) | Self::Overview(metres) | Self::Global(metres) => metres,
        }
    }

    /// Metres that a height may be averaged over; 0 where it has to be that of the place.
    pub fn average_m(self) -> f64 {
        match self {
            Self::Any | Self::Vertices(_) | Self::Grid(_) => 0.0,
            Self::Overview(metres) | Self::Global(metres) => metres,
        }
    }

    /// Whether averages have to do.
    #[cfg(feature = "gdal")]
    pub(crate) fn is_global(self) -> bool {
        matches!(self, Self::Global(_))
    }
}

/// Which of the data of a layer a height of it is of, by their numbers: as in [`LayerSource::records`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct RecordShare {
    /// Those with the largest share.
    pub most: u32,
    /// That share.
    pub share: f64,
    /// Those with the next largest one, where the height is of several.
    pub other: Option<u32>,
    /// Whether it is filled, as far as a pack knows.
    pub filled: bool,
}

impl RecordShare {
    /// Of one alone.
    pub const WHOLE: Self = Self { most: 0, share: 1.0, other: None, filled: false };
}

/// What the sources of this crate can do besides.
pub(crate) trait LayerSource: ElevationSource {
    /// Where its data lie, file by file.
    fn areas(&self) -> Vec<Area>;

    /// Where its data lie, roughly: few areas, for those who look at them again and again.
    fn rough_areas(&self) -> Vec<Area> {
        self.areas()
    }

    /// Heights at the nodes of patches that lie over each other: those that a sample at each node with the same spacing
    /// gives.
    fn patch_heights(&self, _patches: &[(Patch, PatchCoordinates)], _spacing: Spacing) -> PatchHeights {
        PatchHeights::ByNode
    }

    /// Where its ground is filled in the quads between the nodes of a patch.
    fn filled_quads(&self, _patch: &(Patch, PatchCoordinates)) -> FilledQuads {
        FilledQuads::BySquare
    }

    /// Least metres between the averages that it answers from for a view of the whole, [`Spacing::Global`]; none where
    /// it does not.
    fn averages_m(&self) -> Option<f64> {
        None
    }

    /// Column and row of a place in the grid of the data that answer there, if there is one.
    fn texel(&self, _at: &Location) -> Option<(f64, f64)> {
        None
    }

    /// Whether its axes are longitude and latitude.
    #[cfg(feature = "gdal")]
    fn in_degrees(&self) -> bool {
        false
    }

    /// Metres that heights beyond its data, of which it knows the range, may lie below and above all of these.
    fn overshoot_m(&self) -> [f64; 2] {
        [0.0; 2]
    }

    /// Whether every place on Earth has a height, with weight 1.
    fn is_complete(&self) -> bool {
        false
    }

    /// Heights in metres and error codes of a tile's vertices, if it has the tile and its surface is the tile's all over.
    fn packed(&self, _id: TileId) -> Option<(Vec<f64>, Vec<u8>)> {
        None
    }

    /// Error codes of a tile's vertices against everything finer that it has, if it has the tile.
    fn error_codes(&self, _id: TileId) -> Option<Vec<u8>> {
        None
    }

    /// Tells that what tiles are made from will be read, with their errors or without, the most urgent first.
    fn prefetch(&self, _ids: &[TileId], _with_errors: bool) {}

    /// Tells that a view of the whole will be made, of heights some metres apart.
    fn prefetch_overview(&self, _spacing_m: f64) {}

    /// From now on reads do not wait for a server, unless a thread says so.
    fn set_non_blocking(&self) {}

    /// Metres between heights by which slopes are told at a place.
    fn slope_step_m(&self, at: &Location) -> f64 {
        self.posting_m(at)
    }

    /// Which of its data answer at a place, where they differ from place to place.
    fn record_share(&self, _at: &Location, _spacing: Spacing) -> Option<RecordShare> {
        None
    }

    /// Whether places of a patch may be of several of its data.
    fn is_mixed(&self, _patch: &(Patch, PatchCoordinates)) -> bool {
        false
    }

    /// Name and datum of data that [`record_share`](Self::record_share) speaks of.
    fn data(&self, _number: u32) -> Option<(String, &str)> {
        None
    }

    /// What a pack made from it says of its data, each for itself; `None`: of the layer as one.
    fn records(&self, _info: &LayerInfo) -> Option<Vec<SourceRecord>> {
        None
    }

    /// Its files, where each is read for places near it alone; `None` where all that it consists of may be read for any place.
    fn members(&self) -> Option<Vec<MemberFile>> {
        None
    }

    /// Whether heights of one of [`members`](Self::members) were asked for, by its number.
    fn is_read(&self, _number: u32) -> bool {
        false
    }

    /// From now on [`is_read`](Self::is_read) is of what is asked for after this.
    fn clear_read_flags(&self) {}

    /// Heights in memory; `None` where that is not known: a pack keeps as many tiles as it likes.
    fn memory_use(&self) -> Option<MemoryUse> {
        None
    }

    /// Remarks on its heights from when they were read, since it was opened.
    fn read_remarks(&self) -> Vec<String> {
        Vec::new()
    }

    /// What has gone wrong since it was opened.
    fn failure(&self) -> Option<HeightError> {
        None
    }

    /// How often something could not be read that is asked for again the next time.
    fn failures(&self) -> u64 {
        0
    }

    /// What has gone wrong since [`failures`](Self::failures) was `before`; where nothing is asked for again, since it was opened.
    fn failure_since(&self, _before: u64) -> Option<HeightError> {
        self.failure()
    }

    /// Whether all that it reads as needed is what it was when it was opened.
    fn check(&self) -> Result<(), HeightError> {
        Ok(())
    }
}

/// Heights of a layer at the nodes of patches.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum PatchHeights {
    /// Nothing at any node.
    Empty,
    /// A height with weight 1 at every node of each patch.
    All(Vec<Vec<f64>>),
    /// Smaller patches may have one of the above.
    BySquare,
    /// It has to be asked node by node.
    ByNode,
}

impl PatchHeights {
    /// Heights from a window around the nodes' positions.
    pub fn of(window: &Window, positions: &[SamplePositions<'_>], patches: &[(Patch, PatchCoordinates)]) -> Self {
        let columns = patches.iter().map(|(patch, _)| patch.columns());
        Self::All(window.resample(&positions.iter().zip(columns).collect::<Vec<_>>()))
    }
}

/// An elevation source of another crate, and where it lies.
#[derive(Debug)]
pub(crate) struct ExternalSource {
    source: Arc<dyn ElevationSource>,
    area: Area,
    /// Whether it is the bottom of a relief.
    is_bottom: bool,
}

impl ExternalSource {
    /// A source where its description says.
    pub fn new(source: Arc<dyn ElevationSource>, info: &LayerInfo, is_bottom: bool) -> Self {
        let cap = if is_bottom { None } else { cap_of(info.bbox_deg) };
        Self { source, area: Area { cap, bbox_deg: info.bbox_deg, posting_m: info.posting_m }, is_bottom }
    }
}

impl ElevationSource for ExternalSource {
    fn sample(&self, at: &Location, spacing: Spacing) -> Option<Elevation> {
        let found = self.source.sample(at, spacing);
        if self.is_bottom {
            // It has a height everywhere.
            return Some(Elevation { weight: 1.0, ..found.unwrap_or(Elevation::whole(0.0)) });
        }
        found.filter(|found| found.height_m.is_finite() && !found.weight.is_nan())
    }

    fn bounds(&self, region: &Region) -> Option<HeightBounds> {
        let found = self.source.bounds(region);
        if !self.is_bottom {
            return found;
        }
        let bounds = found.unwrap_or(HeightBounds::of((0.0, 0.0)));
        // Where it may have no height, that is 0.
        let may_lack = bounds.least <= 0.0;
        let ends =
            if may_lack { (bounds.low_m.min(0.0), bounds.high_m.max(0.0)) } else { (bounds.low_m, bounds.high_m) };
        Some(HeightBounds::of(ends))
    }

    fn posting_m(&self, at: &Location) -> f64 {
        self.source.posting_m(at)
    }
}

impl LayerSource for ExternalSource {
    fn areas(&self) -> Vec<Area> {
        vec![self.area.clone()]
    }

    fn is_complete(&self) -> bool {
        self.is_bottom
    }
}

/// Middle and cosine of the radius of a cap that holds a box of longitudes and latitudes; `None` if it may be half the Earth.
fn cap_of([west, south, east, north]: [f64; 4]) -> Option<(DVec3, f64)> {
    let middle = Location::at(0.5 * (south + north), 0.5 * (west + east)).normal;
    // Along the middle meridian to a latitude, then along its parallel, which is no longer than the widest.
    let widest = if south <= 0.0 && north >= 0.0 { 1.0 } else { south.abs().min(north.abs()).to_radians().cos() };
    let radius_rad = (0.5 * (north - south) + 0.5 * (east - west) * widest).to_radians();
    (radius_rad < std::f64::consts::FRAC_PI_2).then(|| (middle, radius_rad.cos()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::Rng;

    /// Law: the cap holds every place of the box.
    #[test]
    fn caps_hold_their_boxes() {
        let mut rng = crate::random::rng();
        for _ in 0..2_000 {
            let (south, west) = (rng.random_range(-90.0..89.0), rng.random_range(-180.0..180.0));
            let (north, east) = (rng.random_range(south..90.0), west + rng.random_range(0.0..120.0));
            let Some((middle, cos_radius)) = cap_of([west, south, east, north]) else { continue };
            for _ in 0..20 {
                let place = Location::at(rng.random_range(south..=north), rng.random_range(west..=east));
                assert!(place.normal.dot(middle) >= cos_radius - 1e-12, "{west} {south} {east} {north}: {place:?}");
            }
        }
    }
}
