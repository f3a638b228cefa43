//! WGS84 in 32-bit floats, and what takes its place in shaders for another planet: one source for all device functions, on the CPU and in WGSL.
//!
//! ```
//! use kernels::device;
//! use elevation::geodesy::single::SEMI_MAJOR_M;
//!
//! /// How many times as far from the middle of the Earth as its equator.
//! #[device]
//! fn radii(from_middle_m: f32) -> f32 {
//!     from_middle_m / SEMI_MAJOR_M
//! }
//!
//! assert!(radii::WGSL.contains("const SEMI_MAJOR_M: f32 = 6378137.0f;"));
//! assert_eq!(radii(SEMI_MAJOR_M), 1.0);
//! ```

use super::Ellipsoid;
use crate::device;

/// Semi-major axis, metres.
#[device]
pub const SEMI_MAJOR_M: f32 = 6_378_137.0;

/// Semi-minor over semi-major axis.
#[device]
pub const AXIS_RATIO: f32 = 0.996_647_2;

/// The square of that.
#[device]
pub const AXIS_RATIO_SQUARED: f32 = 0.993_305_6;

/// First eccentricity squared.
#[device]
pub const ECCENTRICITY_SQUARED: f32 = 0.006_694_38;

/// What these are on another planet, by the names under which a composer of shaders replaces them: nothing for the Earth.
///
/// ```
/// use elevation::geodesy::{Ellipsoid, single};
/// let moon = single::replacements(Ellipsoid::MOON);
/// assert!(moon.contains(&("elevation::geodesy::single::SEMI_MAJOR_M", 1_737_400.0)));
/// assert!(single::replacements(Ellipsoid::WGS84).is_empty());
/// ```
pub fn replacements(ellipsoid: Ellipsoid) -> Vec<(&'static str, f32)> {
    if ellipsoid == Ellipsoid::WGS84 {
        return Vec::new();
    }
    let ratio = ellipsoid.semi_minor_m() / ellipsoid.semi_major_m();
    let all = [
        ("elevation::geodesy::single::SEMI_MAJOR_M", ellipsoid.semi_major_m()),
        ("elevation::geodesy::single::AXIS_RATIO", ratio),
        ("elevation::geodesy::single::AXIS_RATIO_SQUARED", ratio * ratio),
        ("elevation::geodesy::single::ECCENTRICITY_SQUARED", ellipsoid.eccentricity_squared()),
    ];
    all.map(|(name, value)| (name, value as f32)).into()
}

#[cfg(test)]
mod tests {
    use super::super::Ellipsoid;

    #[test]
    fn they_are_those_of_the_ellipsoid() {
        let earth = Ellipsoid::WGS84;
        assert_eq!(f64::from(super::SEMI_MAJOR_M), earth.semi_major_m());
        let ratio = earth.semi_minor_m() / earth.semi_major_m();
        assert_eq!(super::AXIS_RATIO, ratio as f32);
        assert_eq!(super::AXIS_RATIO_SQUARED, (ratio * ratio) as f32);
        assert_eq!(super::ECCENTRICITY_SQUARED, earth.eccentricity_squared() as f32);
    }
}
