//! Which level of tiles is as fine as some data?

use super::{MAX_TILE_LEVEL, TEXEL_STEP_M, TILE_QUADS};
use crate::geodesy::Ellipsoid;

/// Mean distance in metres between the vertices of tiles of a level; it is up to a quarter less or more from place to place.
///
/// ```
/// use elevation::geodesy::Ellipsoid;
/// assert_eq!(elevation::tile::posting_m(Ellipsoid::WGS84, 0).round(), 39_136.0);
/// ```
pub fn posting_m(ellipsoid: Ellipsoid, level: u32) -> f64 {
    ellipsoid.semi_major_m() * std::f64::consts::FRAC_PI_2 / f64::from(TILE_QUADS) / f64::from(level.min(31)).exp2()
}

/// The coarsest level whose vertices are at most `spacing_m` apart; the deepest for spacings that are not positive.
pub(crate) fn level_of(ellipsoid: Ellipsoid, spacing_m: f64) -> u32 {
    // A spacing that is a level's own, but for rounding, is that level's.
    let level = (posting_m(ellipsoid, 0) / spacing_m).log2() - 1e-6;
    if level.is_nan() { MAX_TILE_LEVEL } else { level.ceil().clamp(0.0, f64::from(MAX_TILE_LEVEL)) as u32 }
}

/// Height step in metres of a pack whose finest level is `level`: a power of two, a 256th of the posting or less, so that no
/// terrace is steeper than a quarter of a degree; at most 1/4 m, at least that of a texel.
pub(crate) fn height_step_m(ellipsoid: Ellipsoid, level: u32) -> f64 {
    (posting_m(ellipsoid, level) / 256.0).log2().floor().exp2().clamp(TEXEL_STEP_M, 0.25)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_as_fine_as_asked() {
        for level in 0..=MAX_TILE_LEVEL {
            assert_eq!(level_of(Ellipsoid::WGS84, posting_m(Ellipsoid::WGS84, level)), level);
            assert_eq!(level_of(Ellipsoid::WGS84, 1.01 * posting_m(Ellipsoid::WGS84, level)), level);
            assert_eq!(
                level_of(Ellipsoid::WGS84, 0.99 * posting_m(Ellipsoid::WGS84, level)),
                (level + 1).min(MAX_TILE_LEVEL)
            );
        }
        assert_eq!(
            (
                level_of(Ellipsoid::WGS84, 0.0),
                level_of(Ellipsoid::WGS84, f64::NAN),
                level_of(Ellipsoid::WGS84, f64::INFINITY)
            ),
            (MAX_TILE_LEVEL, MAX_TILE_LEVEL, 0)
        );
    }

    #[test]
    fn steps_follow_the_posting() {
        assert_eq!(
            [3, 11, 15, 22].map(|level| height_step_m(Ellipsoid::WGS84, level)),
            [0.25, 0.0625, 1.0 / 256.0, TEXEL_STEP_M]
        );
    }
}
