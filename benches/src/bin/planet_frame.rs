//! What does a frame of the planet cost with the mesh on the GPU, and with the mesh on the CPU? A flight over rough synthetic
//! ground, offscreen; the same views for both.
//!
//! `cargo run --release -p benches --bin planet-frame [-- --out DIR]`

use std::{path::PathBuf, process::ExitCode, sync::Arc, time::Instant};

use anyhow::Result;
use benches::arguments::pool;
use benches::figures::quantiles;
use benches::flight::{rough_relief, view};
use benches::report::{Cell, Report, Row};
use benches::warm::warm_up;
use clap::Parser;
use foreign::values::size;
use glam::DQuat;
use gpu::{Gpu, GpuOptions, pipeline::RenderTarget, transfer};
use serde::Serialize;
use terrain::{Backend, GroundPipeline, Options, Planet, Quality, Timings, View};

#[derive(Parser)]
#[command(about = "Times frames of the planet, mesh on the GPU and mesh on the CPU")]
struct Arguments {
    /// Take the software rasteriser.
    #[arg(long)]
    software: bool,
    /// Pools: slots, and the tolerated error in pixels, which says how many of them live.
    #[arg(long, value_delimiter = ',', value_parser = pool, default_values = ["131072:0.5", "1048576:0.15"])]
    pools: Vec<(u32, f64)>,
    /// Width and height of the picture.
    #[arg(long, value_parser = size, default_value = "1920x1080")]
    size: (u32, u32),
    /// Frames of the flight.
    #[arg(long, default_value_t = 300)]
    frames: u32,
    /// Tiles on the GPU.
    #[arg(long, default_value_t = terrain::DEFAULT_TILES)]
    tiles: u32,
    /// Views of the planet, side by side in the picture, each turned on from the one before by the angle that it sees.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=32))]
    views: u32,
    /// Only the mesh on the GPU.
    #[arg(long)]
    no_cpu: bool,
    /// Folder for planet-frame.json.
    #[arg(long)]
    out: Option<PathBuf>,
}

/// Milliseconds: median, 99th percentile.
#[derive(Serialize)]
struct Quantiles {
    median: f64,
    p99: f64,
}

impl Quantiles {
    fn of(values: Vec<f64>) -> Self {
        let [median, p99] = quantiles(values, [0.5, 0.99]);
        Self { median, p99 }
    }
}

#[derive(Serialize)]
struct FrameTime {
    mesh: &'static str,
    slots: u32,
    pixel_error: f64,
    views: u32,
    /// Of all views.
    triangles: u32,
    /// Tiles on the device at the end of the flight; none for the mesh on the CPU.
    tiles: u32,
    /// Device, the first view: all topology passes, the pass that places corners; none for the mesh on the CPU.
    topology_ms: Option<Quantiles>,
    vertices_ms: Option<Quantiles>,
    /// Device: the draw.
    draw_ms: Quantiles,
    /// Host: update and recording; from the begin of the frame until the device is done.
    record_ms: Quantiles,
    frame_ms: Quantiles,
}

impl Row for FrameTime {
    fn cells(&self) -> Vec<Cell> {
        let both = |spread: &Quantiles| format!("{:.3}/{:.3}", spread.median, spread.p99);
        let device = |spread: &Option<Quantiles>| spread.as_ref().map_or_else(|| "-".to_owned(), both);
        vec![
            ("mesh", 5, self.mesh.to_owned()),
            ("slots", 8, self.slots.to_string()),
            ("px", 6, self.pixel_error.to_string()),
            ("triangles", 9, self.triangles.to_string()),
            ("tiles", 6, self.tiles.to_string()),
            ("topology ms", 14, device(&self.topology_ms)),
            ("vertices ms", 14, device(&self.vertices_ms)),
            ("draw ms", 14, both(&self.draw_ms)),
            ("record ms", 14, both(&self.record_ms)),
            ("frame ms", 14, both(&self.frame_ms)),
        ]
    }
}

/// What all frames have in common.
#[derive(Serialize)]
struct FlightParameters {
    size: (u32, u32),
    frames: u32,
}

fn main() -> ExitCode {
    benches::exit_code("planet-frame", run(&Arguments::parse()))
}

fn run(arguments: &Arguments) -> Result<()> {
    let gpu = Gpu::new(&GpuOptions::from_env().with_software(arguments.software))?;
    let relief = Arc::new(rough_relief()?);
    let mut report = Report::new(&gpu.caps, FlightParameters { size: arguments.size, frames: arguments.frames });
    for &(slots, pixel_error) in &arguments.pools {
        let quality = Quality::default().with_pixel_error(pixel_error).with_min_edge_px(2.0);
        let backends = if arguments.no_cpu { &[Backend::Gpu][..] } else { &[Backend::Gpu, Backend::Cpu] };
        for &backend in backends {
            let options = Options::default()
                .with_backend(Some(backend))
                .with_pool_slots(slots)
                .with_quality(quality)
                .with_tiles(arguments.tiles);
            let mut planets = vec![Planet::new(&gpu.device, relief.clone(), options)?];
            for _ in 1..arguments.views {
                planets.push(planets[0].another_view(&gpu.device, options)?);
            }
            report.add(Bench::new(&gpu, arguments.size)?.fly(&mut planets, &options, arguments.frames)?);
        }
    }
    arguments.out.as_ref().map_or(Ok(()), |folder| report.save(&folder.join("planet-frame.json")))
}

/// A view as `count` narrower ones, from left to right, each turned on from the one before by the angle that it sees.
fn side_by_side(view: &View, count: u32) -> Vec<View> {
    let (width, height) = (view.size_px.0 / count, view.size_px.1);
    let turn_rad = 2.0 * ((0.5 * view.fov_y_rad).tan() * f64::from(width) / f64::from(height)).atan();
    let turned = |at: u32| {
        let angle_rad = (0.5 * f64::from(count - 1) - f64::from(at)) * turn_rad;
        let forward = DQuat::from_axis_angle(view.up, angle_rad) * view.forward;
        view.with_forward(forward).with_size_px((width, height))
    };
    (0..count).map(turned).collect()
}

/// The plainest shading.
const SHADE: &str = "fn shade(ground: Ground) -> vec4f { return vec4f(vec3f(0.5 + ground.height_m / 12000.0), 1.0); }";

struct Bench<'a> {
    gpu: &'a Gpu,
    size: (u32, u32),
    ground: GroundPipeline,
    target: RenderTarget,
    picture: wgpu::TextureView,
    queries: wgpu::QuerySet,
    resolved: wgpu::Buffer,
}

impl<'a> Bench<'a> {
    fn new(gpu: &'a Gpu, size: (u32, u32)) -> Result<Self> {
        let device = &gpu.device;
        let format = wgpu::TextureFormat::Rgba8Unorm;
        let target = RenderTarget::new(format, 1);
        let picture = transfer::render_texture(device, "planet frame", size, format);
        Ok(Self {
            gpu,
            size,
            ground: GroundPipeline::new(device, &target, "planet_frame.rs", SHADE)?,
            target,
            picture: picture.create_view(&Default::default()),
            queries: device.create_query_set(&wgpu::QuerySetDescriptor {
                label: None,
                ty: wgpu::QueryType::Timestamp,
                count: 2,
            }),
            resolved: device.create_buffer(&wgpu::BufferDescriptor {
                label: None,
                size: 16,
                usage: wgpu::BufferUsages::QUERY_RESOLVE | wgpu::BufferUsages::COPY_SRC,
                mapped_at_creation: false,
            }),
        })
    }

    fn fly(&mut self, planets: &mut [Planet], options: &Options, frames: u32) -> Result<FrameTime> {
        warm_up(self.gpu)?;
        // The first view settles before anything counts.
        for _ in 0..400 {
            if self.frame(planets, 0.0)?.0 {
                break;
            }
        }
        let (mut topology, mut vertices) = (Vec::new(), Vec::new());
        let (mut draw, mut record, mut total, mut triangles) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for frame in 0..frames {
            let (_, [draw_ms, record_ms, total_ms]) = self.frame(planets, f64::from(frame + 1) / f64::from(frames))?;
            draw.push(draw_ms);
            record.push(record_ms);
            total.push(total_ms);
            triangles.push(planets.iter_mut().map(|planet| f64::from(planet.poll().triangles)).sum());
            if let Some(Timings::Gpu(timings)) = planets[0].timings() {
                topology.push(1e3 * timings.topology.as_secs_f64() / f64::from(options.steps_per_update));
                vertices.push(1e3 * timings.vertices.as_secs_f64());
            }
        }
        let device = |values: Vec<f64>| (!values.is_empty()).then(|| Quantiles::of(values));
        Ok(FrameTime {
            mesh: planets[0].backend().name(),
            slots: options.pool_slots,
            pixel_error: options.quality.pixel_error,
            views: planets.len() as u32,
            tiles: planets[0].tiles().resident,
            triangles: Quantiles::of(triangles).median as u32,
            topology_ms: device(topology),
            vertices_ms: device(vertices),
            draw_ms: Quantiles::of(draw),
            record_ms: Quantiles::of(record),
            frame_ms: Quantiles::of(total),
        })
    }

    /// One frame: whether all views have settled; milliseconds of the draw on the device, of recording, and of all.
    fn frame(&mut self, planets: &mut [Planet], t: f64) -> Result<(bool, [f64; 3])> {
        let Gpu { device, queue, .. } = self.gpu;
        let begin = Instant::now();
        let views = side_by_side(&view(t, self.size), planets.len() as u32);
        let mut encoder = device.create_command_encoder(&Default::default());
        let mut settled = true;
        for (planet, view) in planets.iter_mut().zip(&views) {
            settled &= planet.update(view, queue, &mut encoder)?.settled;
        }
        let stamps = wgpu::RenderPassTimestampWrites {
            query_set: &self.queries,
            beginning_of_pass_write_index: Some(0),
            end_of_pass_write_index: Some(1),
        };
        let mut pass = self.target.begin_timed_pass(device, &mut encoder, &self.picture, Some(stamps));
        for (at, (planet, view)) in (0u32..).zip(planets.iter().zip(&views)) {
            let (width, height) = view.size_px;
            pass.set_viewport((at * width) as f32, 0.0, width as f32, height as f32, 0.0, 1.0);
            self.ground.draw(queue, &mut pass, planet, view);
        }
        drop(pass);
        encoder.resolve_query_set(&self.queries, 0..2, &self.resolved, 0);
        queue.submit([encoder.finish()]);
        let record = begin.elapsed();
        self.gpu.wait()?;
        let total = begin.elapsed();
        let ticks: Vec<u64> = transfer::download(self.gpu, &self.resolved)?;
        let draw_ms = ticks[1].saturating_sub(ticks[0]) as f64 * f64::from(queue.get_timestamp_period()) * 1e-6;
        Ok((settled, [draw_ms, 1e3 * record.as_secs_f64(), 1e3 * total.as_secs_f64()]))
    }
}
