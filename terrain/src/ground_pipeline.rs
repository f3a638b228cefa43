//! How does a program shade the ground by a function of its own? The pipeline, its camera and its bindings.

use std::sync::{Arc, Mutex, PoisonError, Weak};

use glam::Mat4;
use gpu::pipeline::{PipelineError, RenderKernel, RenderTarget, Uniform};

use crate::{Planet, PlanetError, TerrainVertex, View};

/// Distance from the eye at which depth is 1: what is nearer is not drawn. Reversed depth is precise from there to the Moon.
const NEAR_M: f32 = 0.5;

/// Draws the ground in the passes of a [`RenderTarget`] with a WGSL function of the caller's.
///
/// The function is `fn shade(ground: Ground) -> vec4f`. It gives the colour of a pixel, as the target's format takes it:
///
/// | field of `Ground` | meaning |
/// |---|---|
/// | `position_m: vec3f` | metres relative to the eye, ECEF axes |
/// | `height_m: f32` | metres above the datum |
/// | `up: vec3f` | the geodetic normal, about a unit long |
/// | `normal: vec3f` | the normal of the relief where data are finer than [`shading_map_texel_m`](crate::shading_map_texel_m), else of the triangle; about a unit long |
/// | `pixel: vec4f` | `@builtin(position)` |
///
/// What it asks beyond that (textures, uniforms of its own) is for a [`gpu::pipeline::RenderKernel`] over
/// [`TerrainVertex::LAYOUT`] and [`Planet::draw`], which this joins.
///
/// ```
/// use std::sync::Arc;
/// use gpu::{Gpu, GpuOptions, pipeline::RenderTarget, transfer};
/// use terrain::{GroundPipeline, Options, Planet, View, geodesy::{Ellipsoid, Geodetic}, height::{GlobalGrid, Registration, Relief}};
///
/// let gpu = Gpu::new(&GpuOptions::default())?;
/// let level = GlobalGrid::from_fn(36, 19, Registration::Node, |_, _| 100.0);
/// let mut planet = Planet::new(&gpu.device, Arc::new(Relief::from_grid(level)?), Options::default().with_pool_slots(1 << 10))?;
/// let format = wgpu::TextureFormat::Rgba8Unorm;
/// let mut target = RenderTarget::new(format, 1);
/// let shade = "fn shade(ground: Ground) -> vec4f { return vec4f(0.0, ground.height_m / 100.0, 0.0, 1.0); }";
/// let ground = GroundPipeline::new(&gpu.device, &target, "green.wgsl", shade)?;
///
/// let eye_m = Geodetic::from_degrees(45.0, 7.0, 20_000.0).to_ecef(Ellipsoid::WGS84);
/// let view = View::perspective(eye_m, -eye_m, glam::DVec3::Z, 0.8, (64, 36));
/// let picture = transfer::render_texture(&gpu.device, "picture", view.size_px, format);
/// let mut encoder = gpu.device.create_command_encoder(&Default::default());
/// planet.update(&view, &gpu.queue, &mut encoder)?;
/// let mut pass = target.begin_pass(&gpu.device, &mut encoder, &picture.create_view(&Default::default()));
/// ground.draw(&gpu.queue, &mut pass, &planet, &view);
/// drop(pass);
/// gpu.queue.submit([encoder.finish()]);
/// assert_eq!(transfer::download_texture::<[u8; 4]>(&gpu, &picture)?[64 * 18 + 32], [0, 255, 0, 255]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct GroundPipeline {
    device: wgpu::Device,
    kernel: RenderKernel,
    cameras: Mutex<Vec<Camera>>,
}

/// Through what a view of a planet is seen.
#[derive(Clone)]
struct Camera {
    planet: Weak<()>,
    clip_from_eye: Uniform<Mat4>,
    bindings: wgpu::BindGroup,
}

impl GroundPipeline {
    /// A function `shade` to begin with: colours of heights, and a light from the north-west.
    pub const BY_HEIGHT: &str = include_str!("../shaders/terrain/shade_by_height.wgsl");

    /// Compiles the function `shade` in the text `wgsl`; `file` is what errors call it.
    ///
    /// # Errors
    /// [`PlanetError::Shader`] with file and line, [`PlanetError::Pipeline`] if the device refuses the target.
    pub fn new(device: &wgpu::Device, target: &RenderTarget, file: &str, wgsl: &str) -> Result<Self, PlanetError> {
        let composed = crate::composer().bind("terrain/shade", file, wgsl).compose("terrain/ground_pipeline")?;
        let buffers = [Some(TerrainVertex::LAYOUT)];
        let options = target
            .options()
            .with_vertex("ground_vertex")
            .with_fragment(Some("ground_fragment"))
            .with_buffers(&buffers)
            .with_primitive(wgpu::PrimitiveState { cull_mode: Some(wgpu::Face::Back), ..Default::default() });
        let kernel = RenderKernel::new(device, &composed, &options)?;
        // What is refused is refused here, and not when a planet is drawn for the first time.
        Camera::new(device, &kernel, Weak::new())?;
        Ok(Self { device: device.clone(), kernel, cameras: Mutex::default() })
    }

    /// Records the ground into a pass of the target, seen through the view of the planet's last update. In all passes of one submission a
    /// planet is seen through the same view; for several at once there is [`Planet::another_view`].
    pub fn draw(&self, queue: &wgpu::Queue, pass: &mut wgpu::RenderPass<'_>, planet: &Planet, view: &View) {
        let Ok(camera) = self.camera(planet.key()) else { return };
        camera.clip_from_eye.write(queue, &view.clip_from_eye(NEAR_M));
        pass.set_pipeline(self.kernel.pipeline());
        pass.set_bind_group(0, &camera.bindings, &[]);
        planet.draw(pass);
    }

    /// The camera of a view of a planet, made when it is drawn for the first time.
    fn camera(&self, planet: &Arc<()>) -> Result<Camera, PipelineError> {
        let mut cameras = self.cameras.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(camera) = cameras.iter().find(|camera| camera.planet.as_ptr() == Arc::as_ptr(planet)) {
            return Ok(camera.clone());
        }
        cameras.retain(|camera| camera.planet.strong_count() > 0);
        let camera = Camera::new(&self.device, &self.kernel, Arc::downgrade(planet))?;
        cameras.push(camera.clone());
        Ok(camera)
    }
}

impl Camera {
    fn new(device: &wgpu::Device, kernel: &RenderKernel, planet: Weak<()>) -> Result<Self, PipelineError> {
        let clip_from_eye = Uniform::new(device, "ground camera");
        let bindings = kernel.bind_group(device, 0, &[("clip_from_eye", clip_from_eye.binding())])?;
        Ok(Self { planet, clip_from_eye, bindings })
    }
}
