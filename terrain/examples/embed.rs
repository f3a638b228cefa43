//! How does a wgpu program of one's own draw the planet? A window, a camera in orbit, and contour lines as shading.
//!
//! `cargo run --release -p orogen-terrain --example embed`. What is the planet's own: its shader module, its vertices, `update` and
//! `draw`, which records into any render pass; all else is what a program with a window does anyway.

use glam::{DVec3, Mat4};
use gpu::pipeline::{RenderKernel, RenderTarget, Uniform};
use gpu::{Acquired, Gpu, GpuOptions, WindowSurface};
use std::{error::Error, sync::Arc};
use terrain::{Options, Planet, Quality, TerrainVertex, View, geodesy::Geodetic, height::Relief};
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
    surface: WindowSurface,
    target: RenderTarget,
    planet: Planet,
    pipeline: RenderKernel,
    camera: Uniform<Mat4>,
    bindings: wgpu::BindGroup,
    lon_deg: f64,
}

impl Globe {
    fn new(events: &ActiveEventLoop) -> Result<Self, Box<dyn Error>> {
        let window = Arc::new(events.create_window(Window::default_attributes().with_title("A globe of one's own"))?);
        let display = events.owned_display_handle();
        let (gpu, surface) = Gpu::with_window(&GpuOptions::from_env(), &Default::default(), display, window.clone())?;
        let target = RenderTarget::new(surface.format(), 1);

        // Lines follow heights, not silhouettes: a fiftieth of a pixel of error makes them smooth from orbit, too.
        let options = Options::default().with_quality(Quality::default().with_pixel_error(0.02));
        let planet = Planet::new(&gpu.device, Arc::new(Relief::embedded()?), options)?;
        let shader = terrain::composer().bind("globe", "embed.rs", SHADER).compose("globe")?;
        let options = target
            .options()
            .with_vertex("vertex")
            .with_fragment(Some("fragment"))
            .with_buffers(&[Some(TerrainVertex::LAYOUT)])
            .with_primitive(wgpu::PrimitiveState { cull_mode: Some(wgpu::Face::Back), ..Default::default() });
        let pipeline = RenderKernel::new(&gpu.device, &shader, &options)?;
        let camera = Uniform::new(&gpu.device, "camera");
        let bindings = pipeline.bind_group(&gpu.device, 0, &[("clip_from_eye", camera.binding())])?;
        Ok(Self { gpu, window, surface, target, planet, pipeline, camera, bindings, lon_deg: -5.0 })
    }

    fn draw(&mut self) -> Result<(), Box<dyn Error>> {
        let acquired = self.surface.acquire(self.window.inner_size().into())?;
        if !matches!(acquired, Acquired::Hidden) {
            self.window.request_redraw(); // where nobody looks, an event tells when somebody does
        }
        let Acquired::Picture(picture) = acquired else { return Ok(()) };
        // The camera: positions are f64 and Earth-centred; what is drawn is relative to the eye.
        self.lon_deg += 0.05;
        let eye_m = Geodetic::from_degrees(45.0, self.lon_deg, 3_000_000.0).to_ecef();
        let view = View { eye_m, forward: -eye_m, up: DVec3::Z, fov_y_rad: 1.0, size_px: picture.size_px() };
        self.camera.write(&self.gpu.queue, &view.clip_from_eye(100.0));

        let mut encoder = self.gpu.device.create_command_encoder(&Default::default());
        self.planet.update(&view, &self.gpu.queue, &mut encoder)?; // refines, and records what is to be drawn
        let mut pass = self.target.begin_pass(&self.gpu.device, &mut encoder, picture.view());
        pass.set_pipeline(self.pipeline.pipeline());
        pass.set_bind_group(0, &self.bindings, &[]);
        self.planet.draw(&mut pass);
        drop(pass);
        self.gpu.queue.submit([encoder.finish()]);
        picture.show();
        Ok(self.gpu.check()?)
    }
}

struct App(Option<Globe>);

impl ApplicationHandler for App {
    fn resumed(&mut self, events: &ActiveEventLoop) {
        self.0 = Some(Globe::new(events).unwrap_or_else(|error| fail(error)));
    }

    fn window_event(&mut self, events: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        let Some(globe) = &mut self.0 else { return };
        match event {
            WindowEvent::CloseRequested => events.exit(),
            WindowEvent::RedrawRequested => globe.draw().unwrap_or_else(|error| fail(error)),
            _ => globe.window.request_redraw(),
        }
    }
}

fn fail(error: Box<dyn Error>) -> ! {
    eprintln!("embed: {error}");
    std::process::exit(1)
}

fn main() {
    let ended = EventLoop::new().and_then(|events| events.run_app(&mut App(None)));
    ended.unwrap_or_else(|error| fail(error.into()));
}
