//! How does a wgpu program of one's own draw the planet? A window, a camera in orbit, and contour lines as shading.
//!
//! `cargo run --release -p terrain --example embed`. What is the terrain's own: its shader module, its vertices, `update` and
//! `draw`, which records into any render pass; all else is what a program with a window does anyway.

use glam::{DVec3, Mat4};
use kernels::gpu::{Gpu, GpuOptions};
use kernels::pipeline::{RenderKernel, RenderOptions, reverse_z};
use std::{error::Error, sync::Arc};
use terrain::{Options, Quality, Terrain, TerrainVertex, View, geodesy::Geodetic, height::Relief};
use wgpu::{CurrentSurfaceTexture::*, LoadOp, Operations, StoreOp, TextureFormat::Depth32Float};
use winit::event_loop::{ActiveEventLoop, EventLoop};
use winit::window::{Window, WindowId};
use winit::{application::ApplicationHandler, event::WindowEvent};

/// The shading: whatever one likes to make of position, height and direction.
const SHADER: &str = "//!import terrain/vertex
struct Pixel { @builtin(position) clip: vec4f, @location(0) height_m: f32 }
@group(0) @binding(0) var<uniform> clip_from_eye: mat4x4f;
@vertex fn vertex(v: TerrainVertex) -> Pixel {
    return Pixel(clip_from_eye * vec4f(v.position_m, 1.0), v.height_m);
}
@fragment fn fragment(in: Pixel) -> @location(0) vec4f {
    let lines = in.height_m / 500.0;
    let change = fwidth(lines); // level ground has no line, whatever its height
    let line = smoothstep(1.5, 0.5, abs(fract(lines - 0.5) - 0.5) / max(change, 1e-6)) * step(1e-4, change);
    let paper = select(vec3f(0.55, 0.75, 0.9), vec3f(0.95, 0.92, 0.84), in.height_m > 0.0);
    return vec4f(mix(paper, vec3f(0.45, 0.3, 0.2), 0.7 * line), 1.0);
}";

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
    fn new(events: &ActiveEventLoop) -> Result<Self, Box<dyn Error>> {
        let window = Arc::new(events.create_window(Window::default_attributes().with_title("A globe of one's own"))?);
        let display = events.owned_display_handle();
        let (gpu, surface) = Gpu::with_surface(&GpuOptions::default(), display, |i| i.create_surface(window.clone()))?;
        let size = window.inner_size();
        let config = surface.get_default_config(&gpu.adapter, size.width.max(1), size.height.max(1));
        let config = config.ok_or("the adapter cannot draw into this window")?;
        surface.configure(&gpu.device, &config);

        // Lines follow heights, not silhouettes: a tenth of a pixel of error makes them smooth from orbit, too.
        let options = Options { quality: Quality { pixel_error: 0.1, ..Default::default() }, ..Default::default() };
        let terrain = Terrain::new(&gpu.device, Arc::new(Relief::embedded()?), options)?;
        let mut composer = shaders::Composer::new();
        composer.bind("globe", "embed.rs", SHADER);
        let options = RenderOptions {
            vertex: "vertex",
            fragment: Some("fragment"),
            buffers: &[Some(TerrainVertex::LAYOUT)],
            targets: &[Some(config.format.into())],
            primitive: wgpu::PrimitiveState { cull_mode: Some(wgpu::Face::Back), ..Default::default() },
            depth_stencil: Some(reverse_z(Depth32Float)),
            ..Default::default()
        };
        let pipeline = RenderKernel::new(&gpu.device, &composer.compose("globe")?, &options)?;
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
        self.window.request_redraw(); // the next picture, also when there is none this time
        let (Success(picture) | Suboptimal(picture)) = self.surface.get_current_texture() else {
            self.surface.configure(&self.gpu.device, &self.config);
            return Ok(());
        };
        // The camera: positions are f64 and Earth-centred; what is drawn is relative to the eye.
        self.lon_deg += 0.05;
        let eye_m = Geodetic::from_degrees(45.0, self.lon_deg, 3_000_000.0).to_ecef();
        let size_px = (self.config.width, self.config.height);
        let view = View { eye_m, forward: -eye_m, up: DVec3::Z, fov_y_rad: 1.0, size_px };
        self.gpu.queue.write_buffer(&self.camera, 0, bytemuck::bytes_of(&view.clip_from_eye(100.0).to_cols_array()));

        let mut encoder = self.gpu.device.create_command_encoder(&Default::default());
        self.terrain.update(&view, &mut encoder)?; // refines, and records what is to be drawn
        let depth = self.gpu.device.create_texture(&wgpu::TextureDescriptor {
            label: Some("depth"),
            size: picture.texture.size(),
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: Depth32Float,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT,
            view_formats: &[],
        });
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: &picture.texture.create_view(&Default::default()),
                depth_slice: None,
                resolve_target: None,
                ops: Operations { load: LoadOp::Clear(wgpu::Color::BLACK), store: StoreOp::Store },
            })],
            depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                view: &depth.create_view(&Default::default()),
                depth_ops: Some(Operations { load: LoadOp::Clear(0.0), store: StoreOp::Discard }),
                stencil_ops: None,
            }),
            ..Default::default()
        });
        pass.set_pipeline(self.pipeline.pipeline());
        pass.set_bind_group(0, &self.bindings, &[]);
        self.terrain.draw(&mut pass);
        drop(pass);
        self.gpu.queue.submit([encoder.finish()]);
        self.gpu.queue.present(picture);
        Ok(self.gpu.errors.check()?)
    }
}

#[derive(Default)]
struct App(Option<Globe>);

impl ApplicationHandler for App {
    fn resumed(&mut self, events: &ActiveEventLoop) {
        self.0 = Globe::new(events).inspect_err(|error| eprintln!("embed: {error}")).ok();
        if self.0.is_none() {
            events.exit();
        }
    }

    fn window_event(&mut self, events: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        let Some(globe) = &mut self.0 else { return };
        match event {
            WindowEvent::Resized(size) => {
                (globe.config.width, globe.config.height) = (size.width.max(1), size.height.max(1));
                globe.surface.configure(&globe.gpu.device, &globe.config);
            }
            WindowEvent::RedrawRequested if globe.draw().inspect_err(|error| eprintln!("embed: {error}")).is_ok() => {}
            WindowEvent::RedrawRequested | WindowEvent::CloseRequested => events.exit(),
            _ => {}
        }
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    Ok(EventLoop::new()?.run_app(&mut App::default())?)
}
