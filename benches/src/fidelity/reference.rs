//! What would a perfect mesh show? The surface itself, seen through pixels in f64.
//!
//! [`Surface::ray`] passes over nothing, by bounds of the ground that it has proven. A measurement should not rest on what it
//! measures. So the way to its answer is marched once more, by samples of the relief alone. Steps have half the height above
//! the ground: they miss no ground that a ray closes in on by less than two metres a metre. No step is shorter than half of
//! what a pixel covers there, which no picture shows.

use std::sync::Arc;

use glam::DVec3;
use rayon::prelude::*;
use terrain::geodesy::Ellipsoid;
use terrain::height::Relief;
use terrain::surface::{RayError, Surface};

use benches::views::sampled_view::SampledView;
use viewer::terrain::REACH_M;

/// Part of a pixel that the march may pass over.
const FOOTPRINT: f64 = 0.5;

/// Part of a pixel to which a crossing is known.
const CROSSING: f64 = 1e-3;

/// The surface of a relief, as rays meet it.
pub struct Reference {
    relief: Arc<Relief>,
    surface: Surface,
    /// Radius of a sphere that holds all ground.
    radius_m: f64,
}

impl Reference {
    /// The surface that meshes of a relief converge to.
    pub fn new(relief: Arc<Relief>) -> Reference {
        let radius_m = Ellipsoid::WGS84.semi_major_m() + relief.range_m().1.max(0.0) + 1.0;
        Reference { surface: Surface::new(relief.clone()), relief, radius_m }
    }

    /// Distance from the eye of the ground in every measured pixel; `None` shows the sky.
    ///
    /// # Errors
    /// Data too fine for the length of a ray, see [`RayError`].
    pub fn shown(&self, sampled: &SampledView) -> Result<Vec<Option<f64>>, RayError> {
        sampled.rays().par_iter().with_min_len(16).map(|&ray| self.ray(sampled, ray)).collect()
    }

    /// Position on the surface above or below a point, both relative to the eye, and the geodetic normal there.
    pub fn at_place(&self, sampled: &SampledView, relative_m: DVec3) -> (DVec3, DVec3) {
        let eye_m = sampled.view().eye_m;
        let n = Ellipsoid::WGS84.normal_at(eye_m + relative_m);
        (Ellipsoid::WGS84.ecef(n, self.relief.sample(n).height_m) - eye_m, n)
    }

    fn ray(&self, sampled: &SampledView, ray: DVec3) -> Result<Option<f64>, RayError> {
        let eye_m = sampled.view().eye_m;
        let proven_m = self.surface.ray(eye_m, ray, REACH_M)?.map(|hit| hit.distance_m);
        Ok(self.march(eye_m, ray, proven_m, 1.0 / sampled.focal_px()).or(proven_m))
    }

    /// First ground before `until_m` along a ray, or on all of it.
    fn march(&self, eye_m: DVec3, ray: DVec3, until_m: Option<f64>, pixel_rad: f64) -> Option<f64> {
        let above = |t: f64| {
            let p = eye_m + ray * t;
            let n = Ellipsoid::WGS84.normal_at(p);
            (p - Ellipsoid::WGS84.ecef(n, 0.0)).dot(n) - self.relief.sample(n).height_m
        };
        let along = -eye_m.dot(ray);
        let half = self.radius_m * self.radius_m - (eye_m + ray * along).length_squared();
        let half_m = (half > 0.0).then(|| half.sqrt())?;
        let (mut clear, end) = ((along - half_m).max(0.0), until_m.unwrap_or(along + half_m));
        while clear < end {
            let clearance_m = above(clear);
            let footprint_m = (clear * pixel_rad).max(1e-3);
            let next = (clear + (0.5 * clearance_m).max(FOOTPRINT * footprint_m)).min(end);
            if above(next) <= 0.0 {
                let mut below = next;
                while below - clear > CROSSING * footprint_m {
                    let middle = 0.5 * (clear + below);
                    if above(middle) > 0.0 { clear = middle } else { below = middle }
                }
                return Some(below);
            }
            clear = next;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use terrain::View;
    use terrain::geodesy::east_north_up;
    use terrain::height::{GlobalGrid, Registration};

    fn hilly() -> Reference {
        let grid = GlobalGrid::from_fn(1440, 721, Registration::Node, |lon, lat| {
            2000.0 * (0.31 * lon).sin() * (0.27 * lat).cos() + 900.0 * (7.7 * lon + 5.1 * lat).sin()
        });
        Reference::new(Arc::new(Relief::from_grid(grid).unwrap()))
    }

    /// Law: what is seen lies on the surface, and nothing on the way to it is under the ground by a pixel: checked in even
    /// steps of tens of metres, from eyes high and low.
    #[test]
    fn nothing_stands_before_what_is_seen() {
        let reference = hilly();
        let mut hits = 0;
        for i in 0..60 {
            let n = terrain::geodesy::n_vector(0.02 * f64::from(i) - 0.6, 0.1 * f64::from(i));
            let clearance_m = [3.0, 60.0, 2_000.0][i as usize % 3];
            let eye_m = Ellipsoid::WGS84.ecef(n, reference.relief.sample(n).height_m + clearance_m);
            let (east, _, up) = east_north_up(n);
            let view = View::perspective(eye_m, east - 0.05 * up, up, 0.4, (320, 200));
            let sampled = SampledView::new(view).unwrap();
            let pixel_rad = 1.0 / sampled.focal_px();
            for &ray in sampled.rays().iter().step_by(1_511) {
                let above = |t: f64| {
                    let (ground_m, n) = reference.at_place(&sampled, ray * t);
                    (ray * t - ground_m).dot(n)
                };
                let hit = reference.ray(&sampled, ray).unwrap();
                if let Some(t) = hit {
                    hits += 1;
                    assert!(above(t).abs() < t * pixel_rad + 1e-3, "{} m above the ground", above(t));
                }
                let end = hit.unwrap_or(300_000.0) * 0.999;
                let steps = (end / 40.0).ceil().max(2_000.0) as u32;
                for k in 1..steps {
                    let t = end * f64::from(k) / f64::from(steps);
                    assert!(above(t) > -t * pixel_rad, "{} m under the ground at {t} of {hit:?}", above(t));
                }
            }
        }
        assert!(hits > 200, "only {hits} rays hit");
    }

    /// Law: the crest that an eye stands on hides what lies right below it, though it is narrower than a step along the data.
    #[test]
    fn a_bulge_between_postings_is_seen() {
        // Ridges every degree, four postings apart.
        let ridges =
            GlobalGrid::from_fn(1440, 721, Registration::Node, |lon, _| 4000.0 * (lon * 360f64.to_radians()).sin());
        let reference = Reference::new(Arc::new(Relief::from_grid(ridges).unwrap()));
        let n = terrain::geodesy::n_vector(0.0, 0.25f64.to_radians());
        let eye_m = Ellipsoid::WGS84.ecef(n, reference.relief.sample(n).height_m + 3.0);
        let (east, north, up) = east_north_up(n);
        let down: f64 = 0.03;
        let view = View::perspective(eye_m, east - down * up, north, 0.1, (101, 101));
        let sampled = SampledView::new(view).unwrap();
        let ray = sampled.view().forward.normalize();
        let proven_m = reference.surface.ray(eye_m, ray, REACH_M).unwrap().unwrap().distance_m;
        let found_m = reference.ray(&sampled, ray).unwrap().unwrap();
        assert!(proven_m < 500.0 && (found_m - proven_m).abs() < 0.5, "{found_m} m, proven {proven_m} m");
    }
}
