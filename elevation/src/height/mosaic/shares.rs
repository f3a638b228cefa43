//! What do several files of one lattice have where they overlap? Each its share, by how far inside of it and of its own heights a place is.

use smallvec::SmallVec;

use super::{Found, seam::Answer};
use crate::height::{elevation_source::Elevation, raster::RasterSample};

/// Texels inside of a file over which heights go over to those of another of its lattice that is there as well.
const MIXED: f64 = 8.0;
/// What fills a void of one file counts so little where another of its lattice has a height.
pub(super) const LEAST_VALID: f64 = 1e-9;

/// What members on one lattice have at a place: the same, to the rounding of where they lie.
pub(super) fn of_one_lattice(found: &[Found]) -> Answer {
    let share_of = |found: &Found| share(found.inside, found.spot.depth) * found.spot.valid.max(LEAST_VALID);
    let shares: SmallVec<[f64; 4]> = found.iter().map(share_of).collect();
    // Beyond all heights: that of the nearest, and over a texel those of two that are as near.
    let nearest = found.iter().map(|found| found.spot.depth).fold(f64::NEG_INFINITY, f64::max);
    let near = |found: &Found| (1.0 - (nearest - found.spot.depth)).max(0.0);
    let shares = if shares.iter().all(|share| *share == 0.0) { found.iter().map(near).collect() } else { shares };
    let all: f64 = shares.iter().sum();
    let mean = |value: fn(&RasterSample) -> f64| {
        found.iter().zip(&shares).map(|(found, share)| value(&found.spot) * share).sum::<f64>() / all
    };
    let most = (0..found.len()).max_by(|a, b| shares[*a].total_cmp(&shares[*b])).unwrap_or(0);
    let Found { member, spot, lattice, .. } = found[most];
    let mixed = match found {
        [one] => one.spot.into(),
        _ => Elevation { height_m: mean(|spot| spot.height_m), weight: mean(|spot| spot.weight), filled: spot.filled },
    };
    Answer { found: mixed, depth: nearest, lattice, member }
}

/// Share of a member among several of one lattice, so many texels inside of its sides and of its voids: it falls steeply, and to
/// nothing, towards them.
pub(super) fn share(inside: f64, depth: f64) -> f64 {
    inside.clamp(0.0, MIXED).powi(4) * (depth - 1.0).clamp(0.0, MIXED)
}
