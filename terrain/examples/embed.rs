//! How does a wgpu program of one's own draw the planet? A window, a camera in orbit, and contour lines as shading.
//!
//! `cargo run --release -p orogen-terrain --example embed`. All but `planet` and `ground` is what a program with a window does anyway.

use glam::DVec3;
use gpu::{Acquired, Gpu, GpuOptions, WindowSurface, pipeline::RenderTarget};
use std::{error::Error, sync::Arc};
use terrain::geodesy::Ellipsoid;
use terrain::{GroundPipeline, Options, Planet, Quality, View, geodesy::Geodetic, height::Relief};
use winit::event_loop::{ActiveEventLoop, EventLoop};
use winit::window::{Window, WindowId};
use winit::{application::ApplicationHandler, event::WindowEvent};

/// The shading: whatever one likes to make of position, height and normals.
const SHADE: &str = "fn shade(ground: Ground) -> vec4f {
    let lines = ground.height_m / 500.0;
    let change = fwidth(lines); // level ground has no line, whatever its height
    let line = smoothstep(1.5, 0.5, abs(fract(lines - 0.5) - 0.5) / max(change, 1e-6)) * step(1e-4, change);
    let paper = select(vec3f(0.55, 0.75, 0.9), vec3f(0.95, 0.92, 0.84), ground.height_m > 0.0);
    return vec4f(mix(paper, vec3f(0.45, 0.3, 0.2), 0.7 * line), 1.0);
}";

/// Everything that exists once there is a window.
struct Globe {
    gpu: Gpu,
    window: Arc<Window>,
    surface: WindowSurface,
    target: RenderTarget,
    planet: Planet,
    ground: GroundPipeline,
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
        let ground = GroundPipeline::new(&gpu.device, &target, "embed.rs", SHADE)?;
        Ok(Self { gpu, window, surface, target, planet, ground, lon_deg: -5.0 })
    }

    fn draw(&mut self) -> Result<(), Box<dyn Error>> {
        let acquired = self.surface.acquire(self.window.inner_size().into())?;
        if !matches!(acquired, Acquired::Hidden) {
            self.window.request_redraw(); // where nobody looks, an event tells when somebody does
        }
        let Acquired::Frame(picture) = acquired else { return Ok(()) };
        self.lon_deg += 0.05;
        let eye_m = Geodetic::from_degrees(45.0, self.lon_deg, 3_000_000.0).to_ecef(Ellipsoid::WGS84);
        let view = View::perspective(eye_m, -eye_m, DVec3::Z, 1.0, picture.size_px());
        let Gpu { device, queue, .. } = &self.gpu;
        let mut encoder = device.create_command_encoder(&Default::default());
        self.planet.update(&view, queue, &mut encoder)?; // refines, and records what is to be drawn
        let mut pass = self.target.begin_pass(device, &mut encoder, picture.view());
        self.ground.draw(queue, &mut pass, &self.planet, &view);
        drop(pass);
        queue.submit([encoder.finish()]);
        picture.present();
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
