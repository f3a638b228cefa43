//! Why may the ground along a ray not be found?

use glam::DVec3;

/// The ground along a ray could not be found.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RayError {
    /// Origin or direction is not a usable number.
    #[error(
        "a ray from {origin_m} along {direction} over {reach_m} m goes nowhere: all must be finite, the direction not zero"
    )]
    NotFinite {
        /// Origin as given.
        origin_m: DVec3,
        /// Direction as given.
        direction: DVec3,
        /// Reach as given.
        reach_m: f64,
    },
    /// The curvature of light is no number.
    #[error("refraction {0} is no number: 0 is none, 0.13 usual by day")]
    Refraction(f64),
    /// The ray keeps so close to the ground, for so long, that it cannot be told on which side of it.
    #[error(
        "after {limit} looks at data {posting_m} m apart the ray still keeps too close to the ground: shorten it, or lift it"
    )]
    TooLong {
        /// Most looks.
        limit: u32,
        /// Posting where the ray came to.
        posting_m: f64,
    },
}
