//! WGS84 in 32-bit floats: one source for all device functions, on the CPU and in WGSL.
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

#[cfg(test)]
mod tests {
    use super::super as geodesy;

    #[test]
    fn they_are_those_of_the_ellipsoid() {
        assert_eq!(f64::from(super::SEMI_MAJOR_M), geodesy::SEMI_MAJOR_M);
        let ratio = geodesy::SEMI_MINOR_M / geodesy::SEMI_MAJOR_M;
        assert_eq!(super::AXIS_RATIO, ratio as f32);
        assert_eq!(super::AXIS_RATIO_SQUARED, (ratio * ratio) as f32);
        assert_eq!(super::ECCENTRICITY_SQUARED, geodesy::ECCENTRICITY_SQUARED as f32);
    }
}
