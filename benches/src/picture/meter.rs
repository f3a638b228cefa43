//! What do pictures come to, drawn and as they should be?

use std::sync::Arc;

use anyhow::Result;
use benches::views::cameras::Range;
use gpu::Gpu;
use image::RgbImage;
use terrain::height::Relief;
use viewer::camera::{Camera, Pose};
use viewer::headless::OffscreenRenderer;
use viewer::scene::SceneOptions;

use super::figures::{Luma, angles_deg};
use super::reference::{Reference, edit, shaders_of_normals, shown_normals};

/// Least mean square gradient, and least mean change, in levels of luma, of references that are divided by: what is less is rounding.
const LEAST_ENERGY: f64 = 0.25;
const LEAST_CHANGE: f64 = 0.05;
/// How far the eye moves for the flicker, in pixels of the ground at the median distance.
const MOVED_PX: f64 = 0.5;

/// A camera and what its picture comes to.
pub struct PictureQuality {
    pub range: Range,
    pub pose: Pose,
    pub triangles: u32,
    /// Structural similarity to the reference.
    pub ssim: f64,
    /// Energy of gradients over the reference's; none where that is plain.
    pub energy: Option<f64>,
    /// Angles between normals, degrees, ascending.
    pub angles_deg: Vec<f64>,
    /// Change of luma in a move over that of the reference; none where that does not change.
    pub flicker: Option<f64>,
    /// As drawn, and the reference.
    pub pictures: [RgbImage; 2],
}

/// Measures the pictures of a relief.
pub struct Meter {
    gpu: Gpu,
    options: SceneOptions,
    relief: Arc<Relief>,
    size_px: (u32, u32),
}

impl Meter {
    /// Pictures of a size that are drawn with some options over a relief.
    pub fn new(gpu: Gpu, options: SceneOptions, relief: Arc<Relief>, size_px: (u32, u32)) -> Meter {
        let options = options.with_relief(Some(relief.clone()));
        Meter { gpu, options, relief, size_px }
    }

    /// Draws and measures; `done` is told of each picture.
    ///
    /// # Errors
    /// What the GPU reports; data too fine for the length of a ray.
    pub fn measure(&self, cameras: Vec<(Range, Pose)>, done: impl Fn(usize)) -> Result<Vec<PictureQuality>> {
        let mut renderer = OffscreenRenderer::new(self.gpu.clone(), &self.options, self.size_px)?;
        let mut reference = Reference::new(self.gpu.clone(), &self.options, &self.relief, self.size_px)?;
        let mut measured = Vec::with_capacity(cameras.len());
        let mut normals = Vec::with_capacity(cameras.len());
        for (range, pose) in cameras {
            let (camera, _) = renderer.above_ground(Camera::from_pose(&pose));
            let (drawn, report) = renderer.render(camera)?;
            let truth = reference.render(camera)?;
            let ground: Vec<bool> = truth.normals.iter().map(Option::is_some).collect();
            let (luma, true_luma) = (Luma::of(&drawn), Luma::of(&truth.picture));
            let energies = luma.energy(&ground).zip(true_luma.energy(&ground));
            let flicker = match truth.distance_m {
                Some(distance_m) => {
                    let pixel_rad = self.options.fov_deg.to_radians() / f64::from(self.size_px.1);
                    let aside_m = camera.right() * (MOVED_PX * pixel_rad * distance_m);
                    let (moved, _) = renderer.above_ground(Camera { eye_m: camera.eye_m + aside_m, ..camera });
                    let drawn_change = luma.change(&Luma::of(&renderer.render(moved)?.0));
                    let change = true_luma.change(&Luma::of(&reference.render(moved)?.picture));
                    (change > LEAST_CHANGE).then(|| drawn_change / change)
                }
                None => None,
            };
            measured.push(PictureQuality {
                range,
                pose,
                triangles: report.triangles,
                ssim: luma.ssim(&true_luma),
                energy: energies.filter(|(_, truth)| *truth > LEAST_ENERGY).map(|(drawn, truth)| drawn / truth),
                angles_deg: Vec::new(),
                flicker,
                pictures: [drawn, truth.picture],
            });
            normals.push((camera, truth.normals));
            done(measured.len());
        }
        drop(reference);
        edit(&mut renderer, shaders_of_normals()?)?;
        for (measured, (camera, normals)) in measured.iter_mut().zip(normals) {
            measured.angles_deg = angles_deg(&shown_normals(&renderer.render(camera)?.0), &normals);
        }
        Ok(measured)
    }
}
