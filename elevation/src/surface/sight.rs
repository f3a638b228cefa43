//! Does one point see another?

use glam::DVec3;

use super::{Hit, Ray, RayError, Surface, height_offset::HeightOffset};
use crate::geodesy::{Ellipsoid, Geodetic};

/// By how much a line of sight is raised at the eye, and less and less towards the target, so that the ground under an eye that
/// stands on it, and rounding, hide nothing.
const STANDING_M: f64 = 1e-3;
/// The ground this close to the target does not hide it.
const TARGET_M: f64 = 1.0;

impl Surface {
    /// What stands between two points, if anything: the first ground on the straight line from `from` to `to`, refraction left aside.
    ///
    /// The last metre before the target does not count, so that a target on the ground can be seen, nor does ground that rises
    /// above the line by less than a millimetre at the eye, half of that half-way, and nothing at the target, so that an eye
    /// on the ground can look out. Two points less than a metre apart see each other.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use elevation::{geodesy::Geodetic, height::{GlobalGrid, Registration, Relief}, surface::Surface};
    /// let hill = GlobalGrid::from_fn(360, 181, Registration::Node, |lon, lat| 3000.0 - 100.0 * lon.hypot(lat));
    /// let surface = Surface::new(Arc::new(Relief::from_grid(hill)?));
    /// let [north, south] = [5.0, -5.0].map(|lat| Geodetic::from_degrees(lat, 0.0, 4_000.0));
    /// // The Earth bulges by 24 km between them.
    /// let hit = surface.line_of_sight(north, south)?.ok_or("hidden")?;
    /// assert!(hit.place.lat_rad > 0.0 && !surface.sees(north, south, 0.13)?);
    /// assert!(surface.line_of_sight_refracted(north, south, 0.13)?.is_some()); // a bent ray meets it too
    /// let [near, far] = [(5.0, 2_520.0), (5.2, 2_500.0)].map(|(lat, height_m)| Geodetic::from_degrees(lat, 0.0, height_m));
    /// assert!(surface.sees(near, far, 0.0)?); // 20 m above the slope
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Surface::ray`].
    pub fn line_of_sight(&self, from: Geodetic, to: Geodetic) -> Result<Option<Hit>, RayError> {
        self.line_of_sight_refracted(from, to, 0.0)
    }

    /// The same for light that the air bends.
    ///
    /// `refraction` is the curvature of the ray over that of the Earth: 0 for none, about 0.13 (surveying) to 0.25 (radio,
    /// 4/3 of the Earth's radius) else. Light then follows an arc that is higher than the straight line by
    /// `refraction / (2 R) * t (distance - t)` at the distance t, R the mean radius: 6371.0088 km of the Earth. Distances are along the straight line.
    ///
    /// # Errors
    /// As [`Surface::ray`], and [`RayError::Refraction`].
    pub fn line_of_sight_refracted(
        &self,
        from: Geodetic,
        to: Geodetic,
        refraction: f64,
    ) -> Result<Option<Hit>, RayError> {
        self.sight(from, to, refraction)?.map_or(Ok(None), |(ray, raise)| self.trace(ray, raise))
    }

    /// Whether one point sees another: as [`Surface::line_of_sight_refracted`] has it, but sooner, for what stands between is not
    /// looked for.
    ///
    /// # Errors
    /// As [`Surface::line_of_sight_refracted`].
    pub fn sees(&self, from: Geodetic, to: Geodetic, refraction: f64) -> Result<bool, RayError> {
        self.sight(from, to, refraction)?.map_or(Ok(true), |(ray, raise)| Ok(!self.is_blocked(ray, raise)?))
    }

    /// The line between two points that has to be free; `None` if they are too close for anything to be between.
    fn sight(&self, from: Geodetic, to: Geodetic, refraction: f64) -> Result<Option<(Ray, HeightOffset)>, RayError> {
        if !refraction.is_finite() {
            return Err(RayError::Refraction(refraction));
        }
        let ellipsoid = self.relief.ellipsoid();
        Ok(between(ellipsoid, from.to_ecef(ellipsoid), to.to_ecef(ellipsoid), refraction))
    }
}

/// The same of two points in ECEF metres.
pub(super) fn between(ellipsoid: Ellipsoid, start: DVec3, end: DVec3, refraction: f64) -> Option<(Ray, HeightOffset)> {
    let distance_m = start.distance(end);
    let ray = Ray { origin_m: start, direction: end - start, reach_m: distance_m - TARGET_M };
    let curvature = refraction / ellipsoid.mean_radius_m();
    let raise = HeightOffset {
        metres: STANDING_M,
        fall: STANDING_M / distance_m,
        curvature,
        start_m: 0.0,
        whole_m: distance_m,
    };
    // What is not a number is for the ray to refuse.
    if distance_m <= TARGET_M { None } else { Some((ray, raise)) }
}
