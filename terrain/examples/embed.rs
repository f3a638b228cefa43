//! How does a wgpu program of one's own draw the planet? A window, a camera in orbit, and contour lines as shading.
//!
//! `cargo run --release -p terrain --example embed`

use std::{error::Error, sync::Arc};

use glam::{DVec3, Mat4, camera::rh};
use kernels::{
    gpu::{Gpu, GpuOptions},
    pipeline::{RenderKernel, RenderOptions},
};
use terrain::{Options, Quality, Terrain, TerrainVertex, View, geodesy::Geodetic, height::Relief};
use winit::{
    application::ApplicationHandler,
    event::WindowEvent,
    event_loop::{ActiveEventLoop, EventLoop},
    window::{Window, WindowId},
};

/// The shading: whatever one likes to make of position, height and direction.
const SHADER: &str = "//!import terrain/vertex
struct Pixel { @builtin(position) clip: vec4f, @location(0) height_m: f32 }
@group(0) @binding(0) var<uniform> clip_from_eye: mat4x4f;
@vertex fn vertex(v: TerrainVertex) -> Pixel {
    return Pixel(clip_from_eye * vec4f(v.position_m, 1.0), v.height_m);
}
@fragment fn fragment(in: Pixel) -> @location(0) vec4f {
    let lines = in.height_m / 500.0;
    let line = smoothstep(1.5, 0.5, abs(fract(lines - 0.5) - 0.5) / max(fwidth(lines), 1e-6));
    let paper = select(vec3f(0.55, 0.75, 0.9), vec3f(0.95, 0.92, 0.84), in.height_m > 0.0);
    return vec4f(mix(paper, vec3f(0.45, 0.3, 0.2), 0.7 * line), 1.0);
}";

const DEPTH: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;

/// Everything that exists once there is a window.
struct Globe {
    gpu: Gpu,
    window: Arc<Window>,
    surface: wgpu::Surface<'static>,
    config: wgpu::SurfaceConfiguration,
    terrain: Terrain,
    pipeline: RenderKernel,
    camera: wgpu::Buffer,
    bindings: wgpu::BindGroup,
    lon_deg: f64,
}

impl Globe {
    fn new(event_loop: &ActiveEventLoop) -> Result<Self, Box<dyn Error>> {
        let window =
            Arc::new(event_loop.create_window(Window::default_attributes().with_title("A globe of one's own"))?);
        let display = event_loop.owned_display_handle();
        let (gpu, surface) = Gpu::with_surface(&GpuOptions::default(), display, |i| i.create_surface(window.clone()))?;
        let size = window.inner_size();
        let config = surface.get_default_config(&gpu.adapter, size.width.max(1), size.height.max(1));
        let mut config = config.ok_or("the adapter cannot draw into this window")?;
        config.present_mode = wgpu::PresentMode::AutoVsync;
        surface.configure(&gpu.device, &config);

        // Lines follow heights, not silhouettes: a tenth of a pixel of error makes them smooth from orbit, too.
        let quality = Quality { pixel_error: 0.1, ..Default::default() };
        let options = Options { quality, ..Default::default() };
        let terrain = Terrain::new(&gpu.device, Arc::new(Relief::embedded()?), options)?;
        let mut composer = shaders::Composer::new();
        composer.bind("globe", "embed.rs", SHADER);
        let pipeline = RenderKernel::new(
            &gpu.device,
            &composer.compose("globe")?,
            &RenderOptions {
                vertex: "vertex",
                fragment: Some("fragment"),
                buffers: &[Some(TerrainVertex::LAYOUT)],
                targets: &[Some(config.format.into())],
                primitive: wgpu::PrimitiveState { cull_mode: Some(wgpu::Face::Back), ..Default::default() },
                depth_stencil: Some(wgpu::DepthStencilState {
                    format: DEPTH,
                    depth_write_enabled: Some(true),
                    depth_compare: Some(wgpu::CompareFunction::Greater), // reverse Z
                    stencil: Default::default(),
                    bias: Default::default(),
                }),
                ..Default::default()
            },
        )?;
        let camera = gpu.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("camera"),
            size: size_of::<Mat4>() as u64,
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let bindings = pipeline.bind_group(&gpu.device, 0, &[("clip_from_eye", camera.as_entire_binding())])?;
        Ok(Self { gpu, window, surface, config, terrain, pipeline, camera, bindings, lon_deg: -5.0 })
    }

    fn draw(&mut self) -> Result<(), Box<dyn Error>> {
        use wgpu::CurrentSurfaceTexture::{Suboptimal, Success};
        self.window.request_redraw(); // the next picture, also when there is none this time
        let (Success(picture) | Suboptimal(picture)) = self.surface.get_current_texture() else {
            self.surface.configure(&self.gpu.device, &self.config);
            return Ok(());
        };
        // The camera: positions are f64 and Earth-centred, the matrix has no translation.
        self.lon_deg += 0.05;
        let eye_m = Geodetic::from_degrees(45.0, self.lon_deg, 3_000_000.0).to_ecef();
        let view = View {
            eye_m,
            forward: -eye_m,
            up: DVec3::Z,
            fov_y_rad: 1.0,
            size_px: (self.config.width, self.config.height),
        };
        let aspect = self.config.width as f32 / self.config.height as f32;
        let clip_from_view = rh::proj::directx::perspective_infinite_reverse(view.fov_y_rad as f32, aspect, 100.0);
        let view_from_eye = rh::view::look_to_mat4(glam::Vec3::ZERO, view.forward.normalize().as_vec3(), glam::Vec3::Z);
        let clip_from_eye = (clip_from_view * view_from_eye).to_cols_array();
        self.gpu.queue.write_buffer(&self.camera, 0, bytemuck::cast_slice(&clip_from_eye));

        let mut encoder = self.gpu.device.create_command_encoder(&Default::default());
        self.terrain.update(&view, &mut encoder)?; // refines, and records what is to be drawn
        let depth = self.gpu.device.create_texture(&wgpu::TextureDescriptor {
            label: Some("depth"),
            size: picture.texture.size(),
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: DEPTH,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT,
            view_formats: &[],
        });
        {
            let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
                label: None,
                color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                    view: &picture.texture.create_view(&Default::default()),
                    depth_slice: None,
                    resolve_target: None,
                    ops: wgpu::Operations {
                        load: wgpu::LoadOp::Clear(wgpu::Color::BLACK),
                        store: wgpu::StoreOp::Store,
                    },
                })],
                depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                    view: &depth.create_view(&Default::default()),
                    depth_ops: Some(wgpu::Operations { load: wgpu::LoadOp::Clear(0.0), store: wgpu::StoreOp::Discard }),
                    stencil_ops: None,
                }),
                ..Default::default()
            });
            pass.set_pipeline(self.pipeline.pipeline());
            pass.set_bind_group(0, &self.bindings, &[]);
            self.terrain.draw(&mut pass);
        }
        self.gpu.queue.submit([encoder.finish()]);
        self.gpu.queue.present(picture);
        Ok(self.gpu.errors.check()?)
    }
}

#[derive(Default)]
struct App(Option<Globe>);

impl ApplicationHandler for App {
    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        match Globe::new(event_loop) {
            Ok(globe) => self.0 = Some(globe),
            Err(error) => {
                eprintln!("embed: {error}");
                event_loop.exit();
            }
        }
    }

    fn window_event(&mut self, event_loop: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        let Some(globe) = &mut self.0 else { return };
        match event {
            WindowEvent::CloseRequested => event_loop.exit(),
            WindowEvent::Resized(size) => {
                (globe.config.width, globe.config.height) = (size.width.max(1), size.height.max(1));
                globe.surface.configure(&globe.gpu.device, &globe.config);
            }
            WindowEvent::RedrawRequested => {
                if let Err(error) = globe.draw() {
                    eprintln!("embed: {error}");
                    event_loop.exit();
                }
            }
            _ => {}
        }
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    Ok(EventLoop::new()?.run_app(&mut App::default())?)
}
