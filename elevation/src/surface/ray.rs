//! Where does a ray meet the ground?

use glam::DVec3;
use rayon::prelude::*;

use super::{Provenance, RayError, Surface, descent::Line, height_offset::HeightOffset};
use crate::geodesy::Geodetic;

/// A ray to be traced.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray {
    /// Where it starts, ECEF metres.
    pub origin_m: DVec3,
    /// Where it goes; any length but zero.
    pub direction: DVec3,
    /// How far, in metres.
    pub reach_m: f64,
}

/// Where a ray meets the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// Along the ray.
    pub distance_m: f64,
    /// The place, with the height of the ground there.
    pub place: Geodetic,
    /// What the height comes from.
    pub provenance: Provenance,
}

impl Surface {
    /// First point where a ray goes below the ground, within `reach_m`; `None` if it does not. A ray that starts below the ground
    /// hits at once.
    ///
    /// The ray is cut in halves, the nearer one first, until a piece is above the highest ground below it or a millimetre
    /// long. How high the ground may be follows from the least and greatest postings of all blocks of the data and, within
    /// a cell, from the steepest slope of the interpolant; how low the ray is, from its height being convex. Neither is
    /// sampled, so no ridge is stepped over, however narrow, at any distance: what may be missed is ground within the
    /// last millimetre of the cutting. A hit is within a tenth of a millimetre along the ray.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use elevation::{geodesy::{Ellipsoid, Geodetic}, height::{GlobalGrid, Registration, Relief}, surface::Surface};
    /// let hill = GlobalGrid::from_fn(360, 181, Registration::Node, |lon, lat| 3000.0 - 100.0 * lon.hypot(lat));
    /// let surface = Surface::new(Arc::new(Relief::from_grid(hill)?));
    /// let eye = Geodetic::from_degrees(20.0, 0.0, 10_000.0);
    /// let hit = surface.ray(eye.to_ecef(Ellipsoid::WGS84), -eye.normal(), 1e6)?.ok_or("the ground is below")?;
    /// assert!((hit.distance_m - (10_000.0 - hit.place.height_m)).abs() < 1e-3);
    /// assert!(surface.ray(eye.to_ecef(Ellipsoid::WGS84), eye.normal(), 1e6)?.is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`RayError::NotFinite`], and [`RayError::TooLong`] instead of a miss that is not one.
    pub fn ray(&self, origin_m: DVec3, direction: DVec3, reach_m: f64) -> Result<Option<Hit>, RayError> {
        self.trace(Ray { origin_m, direction, reach_m }, HeightOffset::default())
    }

    /// What many rays meet, in their order, on all threads: [`Surface::ray`] for each.
    pub fn rays(&self, rays: &[Ray]) -> Vec<Result<Option<Hit>, RayError>> {
        rays.par_iter().with_min_len(8).map(|ray| self.trace(*ray, HeightOffset::default())).collect()
    }

    /// The first ground along a ray all of whose points are raised.
    pub(super) fn trace(&self, ray: Ray, raise: HeightOffset) -> Result<Option<Hit>, RayError> {
        let Some((start, line)) = self.line(ray, raise)? else { return Ok(None) };
        let hit = |t: f64| {
            let place = self.relief.ellipsoid().geodetic(line.entry_m + line.direction * t);
            let sample = self.relief.sample(place.normal());
            Hit {
                distance_m: start + t,
                place: Geodetic { height_m: sample.height_m, ..place },
                provenance: self.provenance(place.normal(), &sample),
            }
        };
        Ok(line.first_ground()?.map(hit))
    }

    /// Whether there is ground along such a ray.
    pub(super) fn is_blocked(&self, ray: Ray, raise: HeightOffset) -> Result<bool, RayError> {
        self.line(ray, raise)?.map_or(Ok(false), |(_, line)| line.is_blocked())
    }

    /// The part of a ray near the ground, and where that starts; `None` if there is none.
    pub(super) fn line(&self, ray: Ray, raise: HeightOffset) -> Result<Option<(f64, Line<'_>)>, RayError> {
        let Ray { origin_m, direction, reach_m } = ray;
        let Some(unit) = direction.try_normalize().filter(|_| origin_m.is_finite() && reach_m.is_finite()) else {
            return Err(RayError::NotFinite { origin_m, direction, reach_m });
        };
        let part = self.near_the_ground(origin_m, unit, reach_m, &raise);
        // A ray that is raised comes so much deeper.
        let deeper_m = raise.extremes().1.clamp(0.0, 0.25 * self.relief.ellipsoid().semi_minor_m());
        Ok(part.map(|(start, end)| {
            let line = Line {
                relief: &self.relief,
                metres_per_radian: self.postings.metres_per_radian() - deeper_m,
                // From where it matters, so that distances have all their digits however far away the origin is.
                entry_m: origin_m + unit * start,
                direction: unit,
                length_m: end - start,
                raise: HeightOffset { start_m: raise.start_m - start, ..raise },
            };
            (start, line)
        }))
    }

    /// The part of a ray, in metres along it, that runs inside the sphere below which all ground lies, and outside the one above
    /// which all of it does: to get into that, a ray has to pass the ground.
    fn near_the_ground(
        &self,
        origin_m: DVec3,
        direction: DVec3,
        reach_m: f64,
        raise: &HeightOffset,
    ) -> Option<(f64, f64)> {
        let (low_m, high_m) = self.relief.range_m();
        let ellipsoid = self.relief.ellipsoid();
        let along = -origin_m.dot(direction);
        let inside = |radius_m: f64| {
            let half_squared = radius_m * radius_m - (origin_m + direction * along).length_squared();
            let half_m = (radius_m > 0.0 && half_squared > 0.0).then(|| half_squared.sqrt())?;
            let (enter, leave) = ((along - half_m).max(0.0), (along + half_m).min(reach_m));
            (enter <= leave).then_some((enter, leave))
        };
        let (lowered_m, raised_m) = raise.extremes();
        let (enter, leave) = inside(ellipsoid.semi_major_m() + high_m.max(0.0) + 1.0 - lowered_m)?;
        let least_m = ellipsoid.semi_minor_m();
        let core = inside(least_m + low_m.clamp(-0.5 * least_m, 0.0) - 1.0 - raised_m);
        Some((enter, core.map_or(leave, |(into_it, _)| into_it.max(enter))))
    }
}
