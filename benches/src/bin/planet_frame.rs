//! What does a frame of the planet cost with the mesh on the GPU, and with the mesh on the CPU? A flight over rough synthetic
//! ground, offscreen; the same views for both.
//!
//! `cargo run --release -p benches --bin planet-frame [-- --out DIR]`

use std::{f64::consts::FRAC_PI_3, path::PathBuf, sync::Arc, time::Instant};

use anyhow::{Context, Result};
use clap::Parser;
use glam::{DVec3, Mat4, Vec3, camera::rh};
use kernels::{
    gpu::{Gpu, GpuOptions},
    pipeline::{LayoutOptions, RenderKernel, RenderOptions},
};
use rayon::prelude::*;
use serde::Serialize;
use terrain::{
    GpuTerrain, Options, Quality, Report, Terrain, TerrainVertex, View,
    geodesy::Geodetic,
    gpu_terrain::GpuTimings,
    height::{GlobalGrid, Registration, Relief},
};

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
    #[arg(long, default_value_t = terrain::gpu_terrain::DEFAULT_TILES)]
    tiles: u32,
    /// Only the mesh on the GPU.
    #[arg(long)]
    no_cpu: bool,
    /// Folder for planet-frame.json.
    #[arg(long)]
    out: Option<PathBuf>,
}

fn pool(text: &str) -> Result<(u32, f64), String> {
    let parsed = text.split_once(':').and_then(|(slots, px)| Some((slots.parse().ok()?, px.parse().ok()?)));
    parsed.ok_or_else(|| format!("{text} is not SLOTS:PIXELS, as in 131072:0.5"))
}

fn size(text: &str) -> Result<(u32, u32), String> {
    let parsed = text.split_once('x').and_then(|(w, h)| Some((w.parse().ok()?, h.parse().ok()?)));
    parsed.filter(|&(w, h): &(u32, u32)| w > 0 && h > 0).ok_or_else(|| format!("{text} is not WIDTHxHEIGHT"))
}

/// Milliseconds: median, 99th percentile.
#[derive(Serialize)]
struct Spread {
    median: f64,
    p99: f64,
}

impl Spread {
    fn of(mut values: Vec<f64>) -> Self {
        values.sort_by(f64::total_cmp);
        let at = |part: f64| values.get(((values.len().max(1) - 1) as f64 * part) as usize).copied().unwrap_or(0.0);
        Self { median: at(0.5), p99: at(0.99) }
    }
}

#[derive(Serialize)]
struct Row {
    mesh: &'static str,
    slots: u32,
    pixel_error: f64,
    triangles: u32,
    /// Device: all topology passes, the pass that places corners; none for the mesh on the CPU.
    topology_ms: Option<Spread>,
    vertices_ms: Option<Spread>,
    /// Device: the draw.
    draw_ms: Spread,
    /// Host: update and recording; from the begin of the frame until the device is done.
    record_ms: Spread,
    frame_ms: Spread,
}

enum Mesh {
    Gpu(Box<GpuTerrain>),
    Cpu(Box<Terrain>),
}

impl Mesh {
    fn update(&mut self, gpu: &Gpu, view: &View, encoder: &mut wgpu::CommandEncoder) -> Result<Report> {
        Ok(match self {
            Mesh::Gpu(terrain) => terrain.update(view, &gpu.queue, encoder)?,
            Mesh::Cpu(terrain) => terrain.update(view, encoder)?,
        })
    }

    fn draw(&self, pass: &mut wgpu::RenderPass<'_>) {
        match self {
            Mesh::Gpu(terrain) => terrain.draw(pass),
            Mesh::Cpu(terrain) => terrain.draw(pass),
        }
    }

    fn timings(&self) -> Option<GpuTimings> {
        match self {
            Mesh::Gpu(terrain) => terrain.timings(),
            Mesh::Cpu(_) => None,
        }
    }
}

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    let gpu = Gpu::new(&GpuOptions { software: arguments.software, ..Default::default() })?;
    let relief = Arc::new(rough_relief()?);
    let (width, height) = arguments.size;
    println!("{} ({}), {} frames of {width}x{height}", gpu.caps.adapter, gpu.caps.driver, arguments.frames);
    println!(
        "{:>5} {:>8} {:>6} {:>9} {:>14} {:>14} {:>14} {:>14} {:>14}",
        "mesh", "slots", "px", "triangles", "topology ms", "vertices ms", "draw ms", "record ms", "frame ms"
    );
    let mut rows = Vec::new();
    for &(slots, pixel_error) in &arguments.pools {
        let quality = Quality { pixel_error, min_edge_px: 2.0, ..Quality::default() };
        let options = Options { pool_slots: slots, quality, ..Options::default() };
        let mut meshes =
            vec![("gpu", Mesh::Gpu(Box::new(GpuTerrain::new(&gpu.device, relief.clone(), options, arguments.tiles)?)))];
        if !arguments.no_cpu {
            meshes.push(("cpu", Mesh::Cpu(Box::new(Terrain::new(&gpu.device, relief.clone(), options)?))));
        }
        for (name, mut mesh) in meshes {
            let row = Bench::new(&gpu, arguments.size)?.fly(name, &mut mesh, &options, arguments.frames)?;
            let both = |spread: &Spread| format!("{:.3}/{:.3}", spread.median, spread.p99);
            let device = |spread: &Option<Spread>| spread.as_ref().map_or_else(|| "-".to_owned(), both);
            println!(
                "{:>5} {:>8} {:>6} {:>9} {:>14} {:>14} {:>14} {:>14} {:>14}",
                row.mesh,
                row.slots,
                row.pixel_error,
                row.triangles,
                device(&row.topology_ms),
                device(&row.vertices_ms),
                both(&row.draw_ms),
                both(&row.record_ms),
                both(&row.frame_ms)
            );
            rows.push(row);
        }
    }
    if let Some(folder) = arguments.out {
        let file = folder.join("planet-frame.json");
        let report = serde_json::json!({
            "adapter": gpu.caps.adapter, "driver": gpu.caps.driver, "size": arguments.size, "frames": arguments.frames, "rows": rows
        });
        std::fs::write(&file, serde_json::to_string_pretty(&report)?)
            .with_context(|| format!("cannot write {}", file.display()))?;
    }
    Ok(())
}

/// Mountains everywhere: eight octaves of sine waves in turned directions, at 7 km between postings.
fn rough_relief() -> Result<Relief> {
    let (columns, rows) = (5_400, 2_701);
    let octaves: Vec<(DVec3, f64, f64)> = (0..8)
        .map(|octave| {
            let turn = 2.4 * f64::from(octave);
            let axis = DVec3::new(turn.cos(), turn.sin(), (1.7 * turn).sin()).normalize();
            (axis, 12.0 * 2.1f64.powi(octave), 2_400.0 * 0.62f64.powi(octave))
        })
        .collect();
    let height_m = |lon_deg: f64, lat_deg: f64| -> f64 {
        let n = Geodetic::from_degrees(lat_deg, lon_deg, 0.0).normal();
        let wave = |&(axis, frequency, height_m): &(DVec3, f64, f64)| {
            let across = DVec3::new(axis.y, axis.z, axis.x);
            height_m * (frequency * n.dot(axis)).sin() * (frequency * n.dot(across)).cos()
        };
        octaves.iter().map(wave).sum()
    };
    let values: Vec<f64> = (0..rows)
        .into_par_iter()
        .flat_map_iter(|row| {
            let lat = 90.0 - 180.0 * f64::from(row) / f64::from(rows - 1);
            (0..columns).map(move |column| (360.0 * f64::from(column) / f64::from(columns) - 180.0, lat))
        })
        .map(|(lon, lat)| height_m(lon, lat))
        .collect();
    let index = |lon_deg: f64, lat_deg: f64| {
        let column = ((lon_deg + 180.0) / 360.0 * f64::from(columns)).round() as usize % columns as usize;
        let row = ((90.0 - lat_deg) / 180.0 * f64::from(rows - 1)).round() as usize;
        values[row.min(rows as usize - 1) * columns as usize + column]
    };
    Ok(Relief::from_grid(GlobalGrid::from_fn(columns as usize, rows as usize, Registration::Node, index))?)
}

const SHADER: &str = "//!import terrain/vertex
struct Camera { to_clip: mat4x4f }
@group(0) @binding(0) var<uniform> camera: Camera;
struct Varyings { @builtin(position) clip: vec4f, @location(0) height_m: f32 }
@vertex fn draw_vertex(vertex: TerrainVertex) -> Varyings {
    return Varyings(camera.to_clip * vec4f(vertex.position_m, 1.0), vertex.height_m);
}
@fragment fn draw_fragment(in: Varyings) -> @location(0) vec4f {
    return vec4f(vec3f(0.5 + in.height_m / 12000.0), 1.0);
}";

struct Bench<'a> {
    gpu: &'a Gpu,
    size: (u32, u32),
    kernel: RenderKernel,
    camera: wgpu::Buffer,
    bindings: wgpu::BindGroup,
    colour: wgpu::TextureView,
    depth: wgpu::TextureView,
    queries: wgpu::QuerySet,
    resolved: wgpu::Buffer,
    readback: wgpu::Buffer,
}

impl<'a> Bench<'a> {
    fn new(gpu: &'a Gpu, size: (u32, u32)) -> Result<Self> {
        use wgpu::BufferUsages as Usage;
        let device = &gpu.device;
        let buffer = |size, usage| {
            device.create_buffer(&wgpu::BufferDescriptor { label: None, size, usage, mapped_at_creation: false })
        };
        let picture = |format| {
            let texture = device.create_texture(&wgpu::TextureDescriptor {
                label: None,
                size: wgpu::Extent3d { width: size.0, height: size.1, depth_or_array_layers: 1 },
                mip_level_count: 1,
                sample_count: 1,
                dimension: wgpu::TextureDimension::D2,
                format,
                usage: wgpu::TextureUsages::RENDER_ATTACHMENT,
                view_formats: &[],
            });
            texture.create_view(&Default::default())
        };
        let (format, depth_format) = (wgpu::TextureFormat::Rgba8Unorm, wgpu::TextureFormat::Depth32Float);
        let mut composer = shaders::Composer::new();
        composer.bind("bench/planet", "planet.wgsl", SHADER);
        let kernel = RenderKernel::new(
            device,
            &composer.compose("bench/planet")?,
            &RenderOptions {
                vertex: "draw_vertex",
                fragment: Some("draw_fragment"),
                buffers: &[Some(TerrainVertex::LAYOUT)],
                targets: &[Some(format.into())],
                primitive: wgpu::PrimitiveState { cull_mode: Some(wgpu::Face::Back), ..Default::default() },
                depth_stencil: Some(wgpu::DepthStencilState {
                    format: depth_format,
                    depth_write_enabled: Some(true),
                    depth_compare: Some(wgpu::CompareFunction::Greater),
                    stencil: wgpu::StencilState::default(),
                    bias: wgpu::DepthBiasState::default(),
                }),
                multisample: wgpu::MultisampleState::default(),
                constants: &[],
                layout: LayoutOptions::default(),
            },
        )?;
        let camera = buffer(size_of::<Mat4>() as u64, Usage::UNIFORM | Usage::COPY_DST);
        let bindings = kernel.bind_group(device, 0, &[("camera", camera.as_entire_binding())])?;
        Ok(Self {
            gpu,
            size,
            kernel,
            camera,
            bindings,
            colour: picture(format),
            depth: picture(depth_format),
            queries: device.create_query_set(&wgpu::QuerySetDescriptor {
                label: None,
                ty: wgpu::QueryType::Timestamp,
                count: 2,
            }),
            resolved: buffer(16, Usage::QUERY_RESOLVE | Usage::COPY_SRC),
            readback: buffer(16, Usage::MAP_READ | Usage::COPY_DST),
        })
    }

    fn fly(&self, name: &'static str, mesh: &mut Mesh, options: &Options, frames: u32) -> Result<Row> {
        // The first view settles before anything counts.
        for _ in 0..400 {
            if self.frame(mesh, 0.0)?.0.settled {
                break;
            }
        }
        let (mut topology, mut vertices) = (Vec::new(), Vec::new());
        let (mut draw, mut record, mut total, mut triangles) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for frame in 0..frames {
            let (report, [draw_ms, record_ms, total_ms]) =
                self.frame(mesh, f64::from(frame + 1) / f64::from(frames))?;
            draw.push(draw_ms);
            record.push(record_ms);
            total.push(total_ms);
            triangles.push(f64::from(report.triangles));
            if let Some(timings) = mesh.timings() {
                topology.push(1e3 * timings.topology.as_secs_f64() / f64::from(options.steps_per_update));
                vertices.push(1e3 * timings.vertices.as_secs_f64());
            }
        }
        let device = |values: Vec<f64>| (!values.is_empty()).then(|| Spread::of(values));
        Ok(Row {
            mesh: name,
            slots: options.pool_slots,
            pixel_error: options.quality.pixel_error,
            triangles: Spread::of(triangles).median as u32,
            topology_ms: device(topology),
            vertices_ms: device(vertices),
            draw_ms: Spread::of(draw),
            record_ms: Spread::of(record),
            frame_ms: Spread::of(total),
        })
    }

    /// One frame; milliseconds of the draw on the device, of recording, and of all.
    fn frame(&self, mesh: &mut Mesh, t: f64) -> Result<(Report, [f64; 3])> {
        let Gpu { device, queue, .. } = self.gpu;
        let begin = Instant::now();
        let view = self.view(t);
        let mut encoder = device.create_command_encoder(&Default::default());
        let report = mesh.update(self.gpu, &view, &mut encoder)?;
        queue.write_buffer(&self.camera, 0, bytemuck::bytes_of(&to_clip(&view).to_cols_array()));
        {
            let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
                label: None,
                color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                    view: &self.colour,
                    depth_slice: None,
                    resolve_target: None,
                    ops: wgpu::Operations {
                        load: wgpu::LoadOp::Clear(wgpu::Color::BLACK),
                        store: wgpu::StoreOp::Store,
                    },
                })],
                depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                    view: &self.depth,
                    depth_ops: Some(wgpu::Operations { load: wgpu::LoadOp::Clear(0.0), store: wgpu::StoreOp::Store }),
                    stencil_ops: None,
                }),
                timestamp_writes: Some(wgpu::RenderPassTimestampWrites {
                    query_set: &self.queries,
                    beginning_of_pass_write_index: Some(0),
                    end_of_pass_write_index: Some(1),
                }),
                occlusion_query_set: None,
                multiview_mask: None,
            });
            pass.set_pipeline(self.kernel.pipeline());
            pass.set_bind_group(0, &self.bindings, &[]);
            mesh.draw(&mut pass);
        }
        encoder.resolve_query_set(&self.queries, 0..2, &self.resolved, 0);
        encoder.copy_buffer_to_buffer(&self.resolved, 0, &self.readback, 0, 16);
        queue.submit([encoder.finish()]);
        let record = begin.elapsed();
        self.readback.map_async(wgpu::MapMode::Read, .., |_| {});
        self.gpu.wait()?;
        let total = begin.elapsed();
        let ticks: Vec<u64> = bytemuck::pod_collect_to_vec(&self.readback.get_mapped_range(..)?);
        self.readback.unmap();
        let draw_ms = ticks[1].saturating_sub(ticks[0]) as f64 * f64::from(queue.get_timestamp_period()) * 1e-6;
        Ok((report, [draw_ms, 1e3 * record.as_secs_f64(), 1e3 * total.as_secs_f64()]))
    }

    /// From 400 km down to 9 km and 300 km on, at a steady rate in the logarithm of the height.
    fn view(&self, t: f64) -> View {
        let height_m = 400_000.0 * (9_000.0f64 / 400_000.0).powf(t);
        let at = Geodetic::from_degrees(30.0 + 2.0 * t, 80.0 + 2.5 * t, height_m);
        let up = at.normal();
        let east = DVec3::Z.cross(up).normalize();
        View { eye_m: at.to_ecef(), forward: east - 0.35 * up, up, fov_y_rad: FRAC_PI_3, size_px: self.size }
    }
}

/// Reverse-Z without a far plane, the eye at the origin.
fn to_clip(view: &View) -> Mat4 {
    let aspect = view.size_px.0 as f32 / view.size_px.1 as f32;
    rh::proj::directx::perspective_infinite_reverse(view.fov_y_rad as f32, aspect, 1.0)
        * rh::view::look_to_mat4(Vec3::ZERO, view.forward.normalize().as_vec3(), view.up.as_vec3())
}
