//! Latitude and longitude of many normals, fast: an arc tangent without branches or calls, so that loops vectorise.
//!
//! Every height goes through these two functions, one at a time or in rows, so both ways give the same bits. They agree
//! with `geodesy::lat_lon` to two units in the last place.

use glam::DVec3;

/// Longitude and latitude in degrees of a unit normal.
#[inline]
pub(crate) fn lon_lat_deg(n: DVec3) -> (f64, f64) {
    const DEG: f64 = 180.0 / std::f64::consts::PI;
    (atan2(n.y, n.x) * DEG, atan2(n.z, (n.x * n.x + n.y * n.y).sqrt()) * DEG)
}

/// `atan2` by two selections and one rational function; relative error below 4e-16, `atan2(0, 0) = 0`.
///
/// The ratio small/large is reduced by `atan(r) = pi/4 + atan((r - 1) / (r + 1))` above tan(pi/8). The rational function
/// is the one of Cephes (S. Moshier, `atan.c`), whose domain [-0.66, 0.66] covers both cases.
#[inline]
pub(crate) fn atan2(y: f64, x: f64) -> f64 {
    use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI};
    /// Low bits of pi/4 that its f64 drops.
    const FRAC_PI_4_LOW: f64 = 3.061_616_997_868_383e-17;
    let (ax, ay) = (x.abs(), y.abs());
    let steep = ay > ax;
    let (small, large) = if steep { (ax, ay) } else { (ay, ax) };
    let reduce = small > 0.414_213_562_373_095_03 * large;
    let numerator = if reduce { small - large } else { small };
    let sum = small + large;
    let denominator = if reduce { sum } else { large };
    let r = numerator / if denominator > 0.0 { denominator } else { 1.0 };
    let z = r * r;
    let p = ((((-8.750_608_600_031_904e-1 * z - 1.615_753_718_733_365_2e1) * z - 7.500_855_792_314_705e1) * z
        - 1.228_866_684_490_136_1e2)
        * z
        - 6.485_021_904_942_025e1)
        * z;
    let q = ((((z + 2.485_846_490_142_306_3e1) * z + 1.650_270_098_316_988_6e2) * z + 4.328_810_604_912_903e2) * z
        + 4.853_903_996_359_137e2)
        * z
        + 1.945_506_571_482_614e2;
    let (base, low) = if reduce { (FRAC_PI_4, FRAC_PI_4_LOW) } else { (0.0, 0.0) };
    let octant = base + (r + (r * (p / q) + low));
    let quadrant = if steep { FRAC_PI_2 - octant } else { octant };
    let half = if x < 0.0 { PI - quadrant } else { quadrant };
    half.copysign(y)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn equals_libm(angle in -3.2..3.2f64, length in 1e-12..10.0f64) {
            let (y, x) = (angle.sin() * length, angle.cos() * length);
            let expected = y.atan2(x);
            prop_assert!((atan2(y, x) - expected).abs() <= 4.5e-16 * expected.abs(), "{} {}", atan2(y, x), expected);
        }
    }

    #[test]
    fn axes_and_signs() {
        use std::f64::consts::PI;
        assert_eq!(atan2(0.0, 0.0), 0.0);
        assert_eq!(atan2(0.0, -1.0), PI);
        assert_eq!(atan2(-0.0, -1.0), -PI);
        for (y, x) in [(1.0, 0.0), (-1.0, 0.0), (1.0, 1.0), (-1.0, -1.0), (1e-300, 1.0), (1.0, -1e-300)] {
            assert!((atan2(y, x) - f64::atan2(y, x)).abs() <= 4.5e-16 * f64::atan2(y, x).abs(), "{y} {x}");
        }
        let (lon, lat) = lon_lat_deg(DVec3::NEG_Z);
        assert_eq!((lon, lat), (0.0, -90.0));
    }
}
