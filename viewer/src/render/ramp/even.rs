//! Ramps on which equal ways look equally far: colours are joined in OKLab and spaced by lightness.

use super::{Ramp, oklab};
use crate::render::srgb;

/// Colours (sRGB) from the bottom to the top, ever lighter.
type ColourStops = &'static [[u8; 3]];

const DEEP_BLUES: ColourStops = &[[6, 16, 46], [14, 44, 92], [26, 84, 140], [66, 138, 182]];
const TERRA: ColourStops =
    &[[60, 104, 66], [122, 140, 78], [176, 160, 102], [206, 184, 150], [234, 226, 216], [255, 255, 255]];
const VIRIDIS: ColourStops = &[
    [68, 1, 84],
    [71, 44, 122],
    [59, 81, 139],
    [44, 113, 142],
    [33, 144, 141],
    [39, 173, 129],
    [92, 200, 99],
    [170, 220, 50],
    [253, 231, 37],
];
const CIVIDIS: ColourStops = &[
    [0, 34, 78],
    [18, 53, 112],
    [59, 73, 108],
    [87, 93, 109],
    [112, 113, 115],
    [138, 134, 120],
    [165, 156, 116],
    [195, 179, 105],
    [225, 204, 85],
    [254, 232, 56],
];
const DARK_GREYS: ColourStops = &[[14, 14, 14], [86, 86, 86]];
const LIGHT_GREYS: ColourStops = &[[122, 122, 122], [255, 255, 255]];
const DARK_DUST: ColourStops = &[[26, 26, 28], [126, 125, 122]];
const LIGHT_DUST: ColourStops = &[[126, 125, 122], [238, 236, 232]];
const DARK_RUST: ColourStops = &[[46, 18, 12], [150, 80, 48]];
const LIGHT_RUST: ColourStops = &[[150, 80, 48], [206, 146, 104], [244, 226, 204]];
const SLATE: ColourStops = &[[8, 10, 14], [150, 158, 170]];

/// Sea and land of a ramp, in OKLab.
pub struct EvenRamp {
    sea: Vec<[f64; 3]>,
    land: Vec<[f64; 3]>,
}

impl EvenRamp {
    /// A ramp; none for one that is not even.
    pub fn of(ramp: Ramp) -> Option<EvenRamp> {
        let (sea, land) = match ramp {
            Ramp::Atlas => return None,
            Ramp::Terra => (DEEP_BLUES, TERRA),
            // Their lowland is dark: seas of no colour stand off from it.
            Ramp::Viridis => (SLATE, VIRIDIS),
            Ramp::Cividis => (SLATE, CIVIDIS),
            Ramp::Grey => (DARK_GREYS, LIGHT_GREYS),
            Ramp::Dust => (DARK_DUST, LIGHT_DUST),
            Ramp::Rust => (DARK_RUST, LIGHT_RUST),
        };
        let points = |stops: ColourStops| {
            stops.iter().map(|c| oklab::from_linear(c.map(|v| srgb::light(f64::from(v))))).collect::<Vec<_>>()
        };
        Some(EvenRamp { sea: points(sea), land: points(land) })
    }

    /// Linear colour of the sea, from 0 where it is deepest to 1 at the coast.
    pub fn sea(&self, t: f64) -> [f64; 3] {
        at(&self.sea, t)
    }

    /// Linear colour of land, from 0 at the coast to 1 where it is highest.
    pub fn land(&self, t: f64) -> [f64; 3] {
        at(&self.land, t)
    }
}

/// The colour on a line through points whose lightness is the part `t` of the way from the first to the last.
fn at(points: &[[f64; 3]], t: f64) -> [f64; 3] {
    let (first, last) = (points[0][0], points[points.len() - 1][0]);
    let lightness = first + (last - first) * t;
    let next = points.partition_point(|p| p[0] <= lightness).clamp(1, points.len() - 1);
    let (a, b) = (points[next - 1], points[next]);
    let part = ((lightness - a[0]) / (b[0] - a[0])).clamp(0.0, 1.0);
    oklab::to_linear([0, 1, 2].map(|i| a[i] + (b[i] - a[i]) * part))
}
