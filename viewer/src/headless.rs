//! Pictures without a window: a camera in, the settled picture out.

use image::RgbImage;
use kernels::gpu::Gpu;
use terrain::Report;

use crate::app::App;
use crate::camera::Camera;
use crate::camera::ground::{CLEARANCE_M, above_ground};
use crate::capture::Captures;
use crate::plugin;
use crate::render::Viewport;
use crate::scene::{Scene, SceneOptions};
use crate::terrain::Planet;

/// Colour format of pictures.
const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;

/// Samples a pixel unless asked otherwise: a still has time for smooth edges.
const SAMPLES: u32 = 4;

/// Draws settled pictures of a size.
pub struct Studio {
    app: App,
}

impl Studio {
    /// Loads the scene for pictures of `size_px`.
    ///
    /// # Errors
    /// As [`Scene::load`].
    pub fn new(gpu: Gpu, options: &SceneOptions, size_px: (u32, u32)) -> anyhow::Result<Studio> {
        let scene = Scene::load(&gpu, options, FORMAT, options.samples.unwrap_or(SAMPLES))?;
        let viewport = Viewport { size_px, pixels_per_point: 1.0 };
        let mut app = scene.into_app(gpu, Camera::from_pose(&crate::camera::Pose::HOME), viewport);
        plugin::headless(&mut app);
        Ok(Studio { app })
    }

    /// The camera, raised to the least clearance where it is lower; the metres say by how much.
    pub fn above_ground(&self, camera: Camera) -> (Camera, f64) {
        let raised = above_ground(camera, self.app.world.resource::<Planet>().ground());
        let by_m = raised.height_m() - camera.height_m();
        (raised, if by_m > 1e-3 { by_m } else { 0.0 })
    }

    /// The settled picture from a camera, never from under the ground. The same cameras in the same order give the
    /// same pixels on one machine.
    ///
    /// # Errors
    /// What the GPU or the mesh reports.
    pub fn picture(&mut self, camera: Camera) -> anyhow::Result<(RgbImage, Report)> {
        let (camera, _) = self.above_ground(camera);
        self.app.world.insert_resource(camera);
        self.app.world.resource_mut::<Captures>().want();
        self.app.frame(0.0)?;
        let report = *self.app.world.resource::<Planet>().report();
        let image = self.app.world.resource_mut::<Captures>().take();
        let image = image.ok_or_else(|| anyhow::anyhow!("the frame gave no picture"))?;
        Ok((image, report))
    }
}

/// What `above_ground` raises to, for messages.
pub const LEAST_CLEARANCE_M: f64 = CLEARANCE_M;
