//! Where in the picture is a point, and which way does a pixel look? The pinhole camera in f64, exact both ways.

use glam::{DVec2, DVec3};
use terrain::View;
use terrain::geodesy::Ellipsoid;
use terrain::view::{Occluder, ViewError};

/// Pixels that are measured in one picture, about: enough that sixty of them lie above the 99.9th percentile.
const SAMPLES: f64 = 60_000.0;

/// A view with the pixels of its image that are measured.
#[derive(Debug, Clone)]
pub struct SampledView {
    view: View,
    right: DVec3,
    up: DVec3,
    forward: DVec3,
    /// Pixels per radian in the middle of the picture.
    focal_px: f64,
    /// Every so many pixels across and down one is measured.
    stride: u32,
    rays: Vec<DVec3>,
    sides: [DVec3; 4],
}

impl SampledView {
    /// The frame of a view, with about 60 000 evenly spaced pixels to measure, all of them in small pictures.
    ///
    /// # Errors
    /// A view that cannot be drawn, see [`ViewError`].
    pub fn new(view: View) -> Result<SampledView, ViewError> {
        let focal_px = view.frustum(Occluder::below(Ellipsoid::WGS84, 0.0))?.pixels_per_radian;
        let forward = view.forward.normalize();
        let right = forward.cross(view.up).normalize();
        let (width, height) = view.size_px;
        let stride = (f64::from(width) * f64::from(height) / SAMPLES).sqrt().ceil().max(1.0) as u32;
        let stride = stride.min(width).min(height);
        let mut sampled = SampledView {
            view,
            right,
            up: right.cross(forward),
            forward,
            focal_px,
            stride,
            rays: Vec::new(),
            sides: [DVec3::ZERO; 4],
        };
        let (columns, rows) = sampled.grid();
        let samples = (0..rows).flat_map(|row| (0..columns).map(move |column| (column, row)));
        sampled.rays = samples.map(|(column, row)| sampled.ray(sampled.sample_at(column, row))).collect();
        let corners = [(0, 0), (0, height), (width, height), (width, 0)];
        let corners = corners.map(|(x, y)| sampled.ray(DVec2::new(f64::from(x), f64::from(y))));
        sampled.sides = std::array::from_fn(|i| corners[(i + 1) % 4].cross(corners[i]));
        Ok(sampled)
    }

    /// The view.
    pub fn view(&self) -> &View {
        &self.view
    }

    /// Pixels per radian in the middle of the picture.
    pub fn focal_px(&self) -> f64 {
        self.focal_px
    }

    /// Columns and rows of measured pixels.
    pub fn grid(&self) -> (u32, u32) {
        (self.view.size_px.0 / self.stride, self.view.size_px.1 / self.stride)
    }

    /// Unit rays through the centres of the measured pixels, row by row.
    pub fn rays(&self) -> &[DVec3] {
        &self.rays
    }

    /// Inward normals of the planes through the eye and the edges of the picture, which no point beside or behind the picture is
    /// on the inner sides of.
    pub fn sides(&self) -> &[DVec3; 4] {
        &self.sides
    }

    /// Centre of a measured pixel, pixels from the top left corner of the picture.
    pub fn sample_at(&self, column: u32, row: u32) -> DVec2 {
        let at = |i: u32| f64::from(i * self.stride + self.stride / 2) + 0.5;
        DVec2::new(at(column), at(row))
    }

    /// Measured columns (or rows, of which there are `count`) whose centres lie between two coordinates.
    pub fn samples_between(&self, low_px: f64, high_px: f64, count: u32) -> std::ops::Range<u32> {
        let index = |px: f64| (px - 0.5 - f64::from(self.stride / 2)) / f64::from(self.stride);
        let bound = |x: f64| x.clamp(0.0, f64::from(count)) as u32;
        bound(index(low_px).ceil())..bound(index(high_px).floor() + 1.0)
    }

    /// Unit ray through a point of the picture, or of its plane beyond the edges.
    pub fn ray(&self, at_px: DVec2) -> DVec3 {
        let (width, height) = self.view.size_px;
        let x = (at_px.x - 0.5 * f64::from(width)) / self.focal_px;
        let y = (0.5 * f64::from(height) - at_px.y) / self.focal_px;
        (self.right * x + self.up * y + self.forward).normalize()
    }

    /// Distance of a point, relative to the eye, along the direction of view.
    pub fn depth_m(&self, relative_m: DVec3) -> f64 {
        self.forward.dot(relative_m)
    }

    /// Where a point, relative to the eye, is seen, pixels from the top left corner; `None` in and behind the plane of the eye.
    pub fn project(&self, relative_m: DVec3) -> Option<DVec2> {
        let depth_m = self.depth_m(relative_m);
        let (width, height) = self.view.size_px;
        (depth_m > 0.0).then(|| {
            let scale = self.focal_px / depth_m;
            DVec2::new(
                0.5 * f64::from(width) + self.right.dot(relative_m) * scale,
                0.5 * f64::from(height) - self.up.dot(relative_m) * scale,
            )
        })
    }

    /// Distance in the picture between two points relative to the eye; the diagonal if it is more or one is not in front.
    pub fn displacement_px(&self, a_m: DVec3, b_m: DVec3) -> f64 {
        let (width, height) = self.view.size_px;
        let most_px = f64::from(width).hypot(f64::from(height));
        match (self.project(a_m), self.project(b_m)) {
            (Some(a), Some(b)) => a.distance(b).min(most_px),
            _ => most_px,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sampled(size_px: (u32, u32)) -> SampledView {
        let (eye_m, forward) = (DVec3::new(7e6, 1e5, -3e4), DVec3::new(-1.0, 0.2, 0.1));
        SampledView::new(View::perspective(eye_m, forward, DVec3::Z, 0.8, size_px)).unwrap()
    }

    #[test]
    fn rays_and_points_of_the_picture_are_inverse() {
        let sampled = sampled((640, 360));
        for at in [(0.0, 0.0), (320.0, 180.0), (17.5, 300.25), (700.0, -20.0)].map(|(x, y)| DVec2::new(x, y)) {
            assert!(sampled.project(sampled.ray(at) * 1234.5).unwrap().distance(at) < 1e-9);
        }
        assert!((sampled.ray(DVec2::new(320.0, 180.0)) - sampled.view().forward.normalize()).length() < 1e-12);
        // Down in the picture is down.
        assert!(sampled.ray(DVec2::new(320.0, 300.0)).z < sampled.ray(DVec2::new(320.0, 100.0)).z);
        assert_eq!(sampled.project(-sampled.ray(DVec2::new(1.0, 1.0))), None);
    }

    #[test]
    fn the_sides_enclose_the_picture() {
        let sampled = sampled((640, 360));
        for x in [-500.0, -0.01, 0.01, 320.0, 639.99, 640.01, 5e4] {
            for y in [-500.0, -0.01, 0.01, 180.0, 359.99, 360.01, 5e4] {
                let ray = sampled.ray(DVec2::new(x, y));
                let inside = |ray: DVec3| sampled.sides().iter().all(|side| side.dot(ray) >= 0.0);
                assert_eq!(inside(ray), (0.0..640.0).contains(&x) && (0.0..360.0).contains(&y), "{x} {y}");
                assert!(!inside(-ray));
            }
        }
    }

    #[test]
    fn samples_are_centres_of_pixels_inside_the_picture() {
        for size in [(1280, 720), (640, 360), (64, 48), (1, 1), (3, 100_000)] {
            let sampled = sampled(size);
            let (columns, rows) = sampled.grid();
            assert_eq!(sampled.rays().len(), (columns * rows) as usize);
            assert!((1..70_000).contains(&(columns * rows)), "{size:?}");
            let last = sampled.sample_at(columns - 1, rows - 1);
            assert!(last.x < f64::from(size.0) && last.y < f64::from(size.1));
            assert_eq!(sampled.samples_between(-1e9, 1e9, columns), 0..columns);
            let (second, x) = (columns.min(2) - 1, sampled.sample_at(columns.min(2) - 1, 0).x);
            assert_eq!(sampled.samples_between(x, x, columns), second..second + 1);
            assert!(sampled.samples_between(x + 0.1, x + 0.2, columns).is_empty());
        }
    }
}
