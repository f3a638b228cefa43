//! How high is the ground along the shortest way between two places?

use geographiclib_rs::{DirectGeodesic, InverseGeodesic};
use rayon::prelude::*;

use super::{PLACES_PER_TASK, Provenance, Surface};
use crate::geodesy::Geodetic;

/// One sample of a profile.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ProfilePoint {
    /// Along the geodesic from the start.
    pub distance_m: f64,
    /// The place, with the height of the ground there.
    pub place: Geodetic,
    /// What the height comes from.
    pub provenance: Provenance,
}

impl Surface {
    /// Heights at `samples` (at least 2) evenly spaced places along the geodesic between two places, on all threads.
    ///
    /// Between places that are opposite each other on the Earth there are several geodesics; one is taken. From a place
    /// to itself all samples are there.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use elevation::{geodesy::Geodetic, height::{GlobalGrid, Registration, Relief}, surface::Surface};
    /// let hill = GlobalGrid::from_fn(360, 181, Registration::Node, |lon, lat| 3000.0 - 100.0 * lon.hypot(lat));
    /// let surface = Surface::new(Arc::new(Relief::from_grid(hill)?));
    /// let [west, east] = [-10.0, 10.0].map(|lon| Geodetic::from_degrees(0.0, lon, 0.0));
    /// let points = surface.profile(west, east, 21);
    /// assert!(points[10].place.height_m > 2_990.0 && (points[20].place.height_m - 2_000.0).abs() < 1.0);
    /// assert!((points[20].distance_m - 20.0 * 111_319.5).abs() < 10.0); // degrees of the equator
    /// # Ok::<(), elevation::height::HeightError>(())
    /// ```
    pub fn profile(&self, from: Geodetic, to: Geodetic, samples: usize) -> Vec<ProfilePoint> {
        self.profile_while([from, to], samples, &|| true).unwrap_or_default()
    }

    /// The same, none once `should_continue` is false.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use elevation::{geodesy::Geodetic, height::{GlobalGrid, Registration, Relief}, surface::Surface};
    /// # let sea = GlobalGrid::from_fn(360, 181, Registration::Node, |_, _| 0.0);
    /// # let surface = Surface::new(Arc::new(Relief::from_grid(sea)?));
    /// let ends = [-10.0, 10.0].map(|lon| Geodetic::from_degrees(0.0, lon, 0.0));
    /// assert!(surface.profile_while(ends, 10_000_000, &|| false).is_none());
    /// # Ok::<(), elevation::height::HeightError>(())
    /// ```
    pub fn profile_while(
        &self,
        [from, to]: [Geodetic; 2],
        samples: usize,
        should_continue: &(dyn Fn() -> bool + Sync),
    ) -> Option<Vec<ProfilePoint>> {
        let geodesic = self.relief.ellipsoid().geodesic();
        let degrees = |place: Geodetic| (place.lat_rad.to_degrees(), place.lon_rad.to_degrees());
        let ((lat1, lon1), (lat2, lon2)) = (degrees(from), degrees(to));
        let (length_m, azimuth_deg, _, _): (f64, f64, f64, f64) = geodesic.inverse(lat1, lon1, lat2, lon2);
        let last = samples.max(2) - 1;
        let point = |i: usize| {
            let distance_m = length_m * i as f64 / last as f64;
            let (lat_deg, lon_deg): (f64, f64) = geodesic.direct(lat1, lon1, azimuth_deg, distance_m);
            let place = Geodetic::from_degrees(lat_deg, lon_deg, 0.0);
            let sample = self.relief.sample(place.normal());
            let place = Geodetic { height_m: sample.height_m, ..place };
            ProfilePoint { distance_m, place, provenance: self.provenance(place.normal(), &sample) }
        };
        let samples = (0..last + 1).into_par_iter().with_min_len(PLACES_PER_TASK);
        samples.map(|i| should_continue().then(|| point(i))).collect()
    }
}
