//! Longitudes and latitudes in degrees, and boxes of them.

use crate::option::{OptionError, check};

/// Metres of a degree of latitude of the Earth at most.
pub const DEGREE_M: f64 = 111_700.0;

/// The same longitude from -180 to below 180.
pub fn wrapped(lon_deg: f64) -> f64 {
    (lon_deg + 180.0).rem_euclid(360.0) - 180.0
}

/// Degrees from a western edge to an eastern one, across 180 degrees where that is less.
pub fn width(west_deg: f64, east_deg: f64) -> f64 {
    let wide = east_deg - west_deg;
    if wide > 0.0 { wide } else { wide.rem_euclid(360.0) }
}

/// Refuses edges of a box, west, south, east and north, that cannot be.
pub fn check_edges([west, south, east, north]: [f64; 4]) -> Result<(), OptionError> {
    check(
        "a southern edge",
        south,
        (-90.0..north).contains(&south),
        "from -90 to below the northern edge: a box is west, south, east, north",
    )?;
    check("a northern edge", north, north <= 90.0, "at most 90")?;
    check("a western edge", west, (-360.0..=360.0).contains(&west), "from -360 to 360")?;
    check("an eastern edge", east, (-360.0..=360.0).contains(&east), "from -360 to 360")
}

/// Cosine of the latitude between two that is nearest to the equator, where meridians are farthest apart.
pub fn most_cos(south_deg: f64, north_deg: f64) -> f64 {
    let nearest_deg = if south_deg * north_deg < 0.0 { 0.0 } else { south_deg.abs().min(north_deg.abs()) };
    nearest_deg.to_radians().cos()
}
