//! What do several files of one lattice have where they overlap? The first by its number answers, well inside of it and of its heights;
//! towards its sides and voids it goes over to the next.

use smallvec::SmallVec;

use super::{
    Found,
    seam::{LatticeSample, MemberShare, TOLD_M},
};
use crate::height::{elevation_source::Elevation, raster::RasterSample};

/// Texels inside of a file over which heights go over to those of another of its lattice that is there as well.
pub(super) const MIXED: f64 = 8.0;
/// What fills a void of one file counts so little where another of its lattice has a height.
pub(super) const LEAST_VALID: f64 = 1e-9;

/// What members on one lattice, in the order of their numbers, have at a place.
pub(super) fn of_one_lattice(found: &[Found]) -> LatticeSample {
    let covered = |found: &Found| cover(found.inside, found.spot.depth) * found.spot.valid.max(LEAST_VALID);
    let mut covers: SmallVec<[[f64; 2]; 4]> = found.iter().map(|found| [covered(found); 2]).collect();
    let nearest = found.iter().map(|found| found.spot.depth).fold(f64::NEG_INFINITY, f64::max);
    if covers.iter().all(|cover| cover[0] == 0.0) {
        let near = |found: &Found| near(nearest, found.spot.depth, found.inside) * found.spot.valid.max(LEAST_VALID);
        covers = found.iter().map(|found| [near(found); 2]).collect();
    }
    let shares: SmallVec<[f64; 4]> = in_turn(over_the_next(&covers)).into_iter().map(|share| share[0]).collect();
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
    let next = (0..found.len()).filter(|k| *k != most).max_by(|a, b| shares[*a].total_cmp(&shares[*b]));
    let by = match next {
        Some(next) if (mixed.height_m - spot.height_m).abs() > TOLD_M => {
            MemberShare { member, share: shares[most] / all, other: Some(found[next].member) }
        }
        _ => MemberShare::one(member),
    };
    LatticeSample { found: mixed, depth: nearest, lattice, by }
}

/// How much a member covers of others of its lattice, from nothing to 1, so many texels inside of its sides and of its voids: it falls
/// steeply, and to nothing, towards them.
pub(super) fn cover(inside: f64, depth: f64) -> f64 {
    (inside / MIXED).clamp(0.0, 1.0).powi(4) * ((depth - 1.0) / MIXED).clamp(0.0, 1.0)
}

/// How much a member covers of others beyond all heights: the nearest all, and over a texel it goes over to the next. Of two that are as
/// near the one of whose own texels the place is.
pub(super) fn near(nearest: f64, depth: f64, inside: f64) -> f64 {
    (1.0 - (nearest - depth)).clamp(0.0, 1.0) * inside.clamp(LEAST_VALID, 1.0)
}

/// Least and greatest share of each member in what those before it leave, by how much each covers, between two numbers: all, where none
/// after it covers more.
pub(super) fn over_the_next(covers: &[[f64; 2]]) -> impl Iterator<Item = [f64; 2]> {
    let over = |own: f64, next: f64| if own > 0.0 { (2.0 * own / (own + next)).min(1.0) } else { 0.0 };
    covers.iter().enumerate().map(move |(k, own)| {
        let next = [0, 1].map(|end| covers[k + 1..].iter().map(|cover| cover[end]).fold(0.0, f64::max));
        [over(own[0], next[1]), over(own[1], next[0])]
    })
}

/// Least and greatest shares of members, in the order of their numbers, by their shares in what those before them leave.
pub(super) fn in_turn(of_the_rest: impl Iterator<Item = [f64; 2]>) -> SmallVec<[[f64; 2]; 4]> {
    let mut left = [1.0, 1.0];
    let share = |[least, most]: [f64; 2]| {
        let share = [left[0] * least, left[1] * most];
        left = [left[0] * (1.0 - most), left[1] * (1.0 - least)];
        share
    };
    of_the_rest.map(share).collect()
}
