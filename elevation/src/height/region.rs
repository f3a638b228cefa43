//! Which places, and how high can they be? The interval arithmetic of heights: a cap of the sphere in, bounds out.
//!
//! Bounds are proven, not sampled, and close in on the height as the cap shrinks: about linearly, however coarse or fine
//! the data are. So whoever looks for the ground along a line may pass over a stretch for which the bounds say so, and
//! has to look closer at nothing else.

use glam::DVec3;

use super::{angle::lon_lat_deg, kernel::Interpolation};
use crate::geodesy::{Overlap, turn_rad};

/// Radians by which a cap is widened for rounding: half a micrometre on the ground.
const ROUNDING_RAD: f64 = 1e-13;

/// Places whose normals are within an angle of one, and longitudes and latitudes near its own.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Region {
    /// Unit normal in the middle.
    pub n: DVec3,
    /// Angle from there to the rim.
    pub radius_rad: f64,
    /// Longitude of the middle in degrees.
    pub lon_deg: f64,
    /// Latitude of the middle in degrees.
    pub lat_deg: f64,
    /// Longitudes of all places are within this of the middle's; 180 where the cap holds a pole.
    pub lon_reach_deg: f64,
    /// Latitudes of all places are within this of the middle's.
    pub lat_reach_deg: f64,
    /// How heights there come from postings: bounds are of those.
    pub interpolation: Interpolation,
}

impl Region {
    /// The cap round the unit normal `n`, of an angle in radians.
    pub fn cap(n: DVec3, radius_rad: f64) -> Self {
        let radius_rad = radius_rad + ROUNDING_RAD;
        let (lon_deg, lat_deg) = lon_lat_deg(n);
        let lon_reach_deg = turn_rad(n.x, n.y, radius_rad).map_or(180.0, f64::to_degrees);
        Self {
            n,
            radius_rad,
            lon_deg,
            lat_deg,
            lon_reach_deg,
            lat_reach_deg: radius_rad.to_degrees(),
            interpolation: Interpolation::Cubic,
        }
    }

    /// The cap round a normal, of which only those places count whose longitude and latitude are within reaches of the middle's.
    pub(crate) fn part_of_cap(n: DVec3, radius_rad: f64, lon_lat_deg: (f64, f64), reach_rad: (f64, f64)) -> Self {
        let reach_deg = |rad: f64| (rad + ROUNDING_RAD).to_degrees();
        Self {
            n,
            radius_rad: radius_rad + ROUNDING_RAD,
            lon_deg: lon_lat_deg.0,
            lat_deg: lon_lat_deg.1,
            lon_reach_deg: reach_deg(reach_rad.0),
            lat_reach_deg: reach_deg(reach_rad.1),
            interpolation: Interpolation::Cubic,
        }
    }

    /// How much of it lies in a cap, given by its middle and the cosine of its radius; all of it where there is none.
    pub(crate) fn within(&self, cap: Option<(DVec3, f64)>) -> Overlap {
        let Some((middle, cos_radius)) = cap else { return Overlap::All };
        let reach_rad = cos_radius.acos();
        // The chord, which is accurate for small angles.
        let apart_rad = 2.0 * (0.5 * self.n.distance(middle)).min(1.0).asin();
        // Who tests by a cosine is off by this near an angle of 0.
        const COSINE_RAD: f64 = 1e-7;
        if apart_rad > reach_rad + self.radius_rad + COSINE_RAD {
            Overlap::None
        } else if apart_rad + self.radius_rad + COSINE_RAD < reach_rad {
            Overlap::All
        } else {
            Overlap::Some
        }
    }
}

/// Heights that a source may have in a region, and the weights with which it answers there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HeightBounds {
    /// No height is below, where there is any.
    pub low_m: f64,
    /// No height is above.
    pub high_m: f64,
    /// No weight is below; 0 where a place may have no height.
    pub least: f64,
    /// No weight is above.
    pub most: f64,
}

impl HeightBounds {
    /// Heights of a source that answers everywhere.
    pub fn of((low_m, high_m): (f64, f64)) -> Self {
        Self { low_m, high_m, least: 1.0, most: 1.0 }
    }

    /// Heights that are believed, of a source that may have none in places.
    pub fn promised((low_m, high_m): (f64, f64)) -> Self {
        Self { low_m, high_m, least: 0.0, most: 1.0 }
    }

    /// The bounds of both.
    pub(crate) fn hull(self, other: Self) -> Self {
        Self {
            low_m: self.low_m.min(other.low_m),
            high_m: self.high_m.max(other.high_m),
            least: self.least.min(other.least),
            most: self.most.max(other.most),
        }
    }

    /// Heights that go over from those `below` by these weights: `below + (height - below) weight`.
    pub(crate) fn over(&self, (low_m, high_m): (f64, f64)) -> (f64, f64) {
        // Linear in the weight, so one of its ends has the extreme.
        let mix = |height: f64, below: f64, weight: f64| below + (height - below) * weight;
        (
            mix(self.low_m, low_m, self.least).min(mix(self.low_m, low_m, self.most)),
            mix(self.high_m, high_m, self.least).max(mix(self.high_m, high_m, self.most)),
        )
    }
}

/// Hull of what there is.
pub(crate) fn hull(a: Option<HeightBounds>, b: Option<HeightBounds>) -> Option<HeightBounds> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.hull(b)),
        (some, None) | (None, some) => some,
    }
}

/// Columns and rows between two numbers each, where something may be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Rect {
    /// Least and greatest column.
    pub x: [f64; 2],
    /// Least and greatest row.
    pub y: [f64; 2],
}

impl Rect {
    /// Everything within distances of a middle.
    pub fn around((x, y): (f64, f64), (dx, dy): (f64, f64)) -> Self {
        Self { x: [x - dx, x + dx], y: [y - dy, y + dy] }
    }

    /// The common part with another, if there is one; NaN has none.
    pub fn clip(self, other: Self) -> Option<Self> {
        let clip = |a: [f64; 2], b: [f64; 2]| [a[0].max(b[0]), a[1].min(b[1])];
        let (x, y) = (clip(self.x, other.x), clip(self.y, other.y));
        let whole = self.x.iter().chain(&self.y).all(|c| !c.is_nan());
        (whole && x[0] <= x[1] && y[0] <= y[1]).then_some(Self { x, y })
    }

    /// Moved by so much.
    pub fn moved(self, dx: f64, dy: f64) -> Self {
        Self { x: self.x.map(|x| x + dx), y: self.y.map(|y| y + dy) }
    }
}
