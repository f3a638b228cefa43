//! Leaves that draw 1, 4 or 16 triangles, over the same ground and in the same frames of a descent: how long do topology, vertices
//! and drawing take, at equal triangles and at equal error?
//!
//! `cargo run --release -p benches --bin leaf-patches [-- --out DIR]`

mod mesh;
mod pattern;

use std::{path::PathBuf, process::ExitCode, sync::Arc};

use anyhow::{Result, bail};
use benches::arguments::{pool, size};
use benches::canvas::Canvas;
use benches::flight::{rough_relief, view};
use benches::report_file::ReportFile;
use clap::Parser;
use glam::{Mat4, Vec2};
use gpu::{Gpu, GpuOptions, transfer};
use serde::Serialize;
use terrain::{GpuTerrain, Options, Quality, gpu_terrain::DEFAULT_TILES};

use mesh::PatchMesh;

#[derive(Parser)]
#[command(about = "Times leaves that draw 1, 4 and 16 triangles")]
struct Arguments {
    /// Take the software rasteriser.
    #[arg(long)]
    software: bool,
    /// Comparisons: slots of the pool of single triangles, and the error in pixels that they tolerate.
    #[arg(long, value_delimiter = ',', value_parser = pool, default_values = ["131072:0.5", "131072:0.1"])]
    pools: Vec<(u32, f64)>,
    /// Width and height of the picture.
    #[arg(long, value_parser = size, default_value = "1920x1080")]
    size: (u32, u32),
    /// Frames of the flight.
    #[arg(long, default_value_t = 200)]
    frames: u32,
    /// Folder for leaf-patches.json.
    #[arg(long)]
    out: Option<PathBuf>,
}

/// What patches are made to have in common with single triangles.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
enum Equal {
    Triangles,
    Error,
}

#[derive(Serialize)]
struct Row {
    /// Of the pool of single triangles.
    slots: u32,
    triangles_a_leaf: u32,
    equal: Equal,
    pixel_error: f64,
    /// Tolerance of leaves over that of single triangles.
    tolerance: f64,
    /// Of the view in the middle of the flight, settled.
    triangles: u32,
    /// Pixels that 99.9 % of the covered pixels do not exceed, by the saturated errors of the vertices that are lacking.
    error_px: f64,
    /// Device, medians over the flight, microseconds.
    topology_us: f64,
    vertices_us: f64,
    draw_us: f64,
}

/// Part of the covered pixels whose error is compared.
const PART: f64 = 0.999;
/// Timestamps of a mesh: begin and end of its three passes.
const STAMPS: u32 = 6;
/// Updates after which a pool that only refines is settled: one a level, and some for what they uncover.
const SETTLING: u32 = 70;

/// Runs the program.
pub fn main() -> ExitCode {
    benches::exit_code("leaf-patches", run(&Arguments::parse()))
}

fn run(arguments: &Arguments) -> Result<()> {
    let file = arguments.out.as_deref().map(|folder| ReportFile::in_folder(folder, "leaf-patches.json")).transpose()?;
    let gpu = Gpu::new(&GpuOptions { software: arguments.software, ..Default::default() })?;
    if !gpu.caps.features.contains(wgpu::Features::TIMESTAMP_QUERY) {
        bail!("{} has no timestamp queries: nothing can be timed on the device", gpu.caps.adapter);
    }
    let (width, height) = arguments.size;
    println!("{} ({}), {} frames of {width}x{height}", gpu.caps.adapter, gpu.caps.driver, arguments.frames);
    println!(
        "{:>6} {:>5} {:>10} {:>9} {:>9} {:>9} {:>11} {:>11} {:>9} {:>9}",
        "px", "leaf", "equal", "tolerance", "triangles", "error px", "topology us", "vertices us", "draw us", "all us"
    );
    let mut rows = Vec::new();
    for &(slots, pixel_error) in &arguments.pools {
        let part = Bench::new(&gpu, arguments.size, slots, pixel_error)?.run(arguments.frames)?;
        for row in &part {
            println!(
                "{:>6} {:>5} {:>10} {:>9.2} {:>9} {:>9.3} {:>11.1} {:>11.1} {:>9.1} {:>9.1}",
                row.pixel_error,
                row.triangles_a_leaf,
                format!("{:?}", row.equal).to_lowercase(),
                row.tolerance,
                row.triangles,
                row.error_px,
                row.topology_us,
                row.vertices_us,
                row.draw_us,
                row.topology_us + row.vertices_us + row.draw_us
            );
        }
        rows.extend(part);
    }
    if let Some(file) = file {
        file.write(&gpu.caps, serde_json::json!({ "size": arguments.size, "frames": arguments.frames, "rows": rows }))?;
    }
    Ok(())
}

struct Bench<'a> {
    gpu: &'a Gpu,
    size: (u32, u32),
    slots: u32,
    pixel_error: f64,
    /// Tiles, view and metric; its own mesh is not drawn.
    terrain: GpuTerrain,
    canvas: Canvas,
    /// Of the view for which tiles were settled last.
    to_clip: Mat4,
}

/// A mesh among those that are compared.
struct Entry {
    mesh: PatchMesh,
    row: Row,
    queries: wgpu::QuerySet,
    us: [Vec<f64>; 3],
}

impl<'a> Bench<'a> {
    fn new(gpu: &'a Gpu, size: (u32, u32), slots: u32, pixel_error: f64) -> Result<Self> {
        let quality = Quality { pixel_error, min_edge_px: 2.0, ..Quality::default() };
        let options = Options { pool_slots: slots, quality, steps_per_update: 1, ..Options::default() };
        Ok(Self {
            gpu,
            size,
            slots,
            pixel_error,
            terrain: GpuTerrain::new(&gpu.device, Arc::new(rough_relief()?), options, DEFAULT_TILES)?,
            canvas: Canvas::new(gpu, size)?,
            to_clip: Mat4::IDENTITY,
        })
    }

    /// All meshes, settled to what they are to have in common in the middle of the flight, then timed along it frame by frame in turn.
    fn run(&mut self, frames: u32) -> Result<Vec<Row>> {
        self.settle_tiles(0.5)?;
        let single = self.entry(0, Equal::Triangles, 1.0)?;
        let (triangles, error) = self.settled(&single.mesh, 1.0)?;
        let mut entries =
            vec![Entry { row: Row { triangles, error_px: error * self.pixel_error, ..single.row }, ..single }];
        for (levels, equal) in [(2, Equal::Triangles), (2, Equal::Error), (4, Equal::Triangles), (4, Equal::Error)] {
            entries.push(self.matched(levels, equal, triangles, error)?);
        }
        // From the begin of the flight, where all settle before anything counts.
        self.settle_tiles(0.0)?;
        for frame in 0..SETTLING + frames {
            let t = f64::from(frame.saturating_sub(SETTLING)) / f64::from(frames);
            self.frame(t, &mut entries, frame >= SETTLING)?;
        }
        Ok(entries
            .into_iter()
            .map(|Entry { row, us, .. }| {
                let [topology_us, vertices_us, draw_us] = us.map(median);
                Row { topology_us, vertices_us, draw_us, ..row }
            })
            .collect())
    }

    fn entry(&self, levels: u32, equal: Equal, tolerance: f64) -> Result<Entry> {
        // Patches of equal error have more triangles, and need fewer slots all the same.
        let slots = (self.slots >> levels.saturating_sub(1)).max(64);
        let mesh = PatchMesh::new(self.gpu, &self.terrain, slots, levels)?;
        let row = Row {
            slots: self.slots,
            triangles_a_leaf: mesh.pattern.count(),
            equal,
            pixel_error: self.pixel_error,
            tolerance,
            triangles: 0,
            error_px: 0.0,
            topology_us: 0.0,
            vertices_us: 0.0,
            draw_us: 0.0,
        };
        let queries = self.gpu.device.create_query_set(&wgpu::QuerySetDescriptor {
            label: None,
            ty: wgpu::QueryType::Timestamp,
            count: STAMPS,
        });
        Ok(Entry { mesh, row, queries, us: [const { Vec::new() }; 3] })
    }

    /// A mesh of patches whose tolerance gives it as many triangles, or as much error, as single triangles have.
    fn matched(&self, levels: u32, equal: Equal, triangles: u32, error: f64) -> Result<Entry> {
        let mut entry = self.entry(levels, equal, 1.0)?;
        // An error falls by about two a level on rough ground, by four on smooth.
        let (mut low, mut high) = (0.25f64, 4f64.powi(levels as i32));
        for _ in 0..10 {
            let tolerance = (low * high).sqrt();
            let (own_triangles, own_error) = self.settled(&entry.mesh, tolerance)?;
            let too_coarse = match equal {
                Equal::Triangles => own_triangles < triangles,
                Equal::Error => own_error > error,
            };
            if too_coarse {
                high = tolerance
            } else {
                low = tolerance
            }
            let error_px = own_error * self.pixel_error;
            entry.row = Row { tolerance, triangles: own_triangles, error_px, ..entry.row };
        }
        Ok(entry)
    }

    /// Triangles and error of a mesh for the terrain's view.
    fn settled(&self, mesh: &PatchMesh, tolerance: f64) -> Result<(u32, f64)> {
        mesh.set_tolerance(&self.gpu.queue, tolerance);
        for _ in 0..SETTLING {
            let mut encoder = self.gpu.device.create_command_encoder(&Default::default());
            mesh.encode_topology(&mut encoder.begin_compute_pass(&Default::default()));
            self.gpu.queue.submit([encoder.finish()]);
        }
        let mut encoder = self.gpu.device.create_command_encoder(&Default::default());
        mesh.encode_vertices(&mut encoder.begin_compute_pass(&Default::default()));
        self.gpu.queue.submit([encoder.finish()]);
        let size_px = Vec2::new(self.size.0 as f32, self.size.1 as f32);
        Ok((mesh.triangles(self.gpu)?, mesh.error(self.gpu, &self.to_clip, size_px, PART)?))
    }

    /// All tiles that a view of the flight wants.
    fn settle_tiles(&mut self, t: f64) -> Result<()> {
        let view = view(t, self.size);
        self.to_clip = view.clip_from_eye(1.0);
        for _ in 0..400 {
            let mut encoder = self.gpu.device.create_command_encoder(&Default::default());
            let settled = self.terrain.update_complete(&view, &self.gpu.queue, &mut encoder)?.settled;
            self.gpu.queue.submit([encoder.finish()]);
            self.gpu.wait()?;
            if settled {
                return Ok(());
            }
        }
        bail!("the terrain did not settle: raise the slots or the pixels of --pools")
    }

    /// One frame: each mesh is updated, placed and drawn, in passes of its own.
    fn frame(&mut self, t: f64, entries: &mut [Entry], counts: bool) -> Result<()> {
        let Gpu { device, queue, .. } = self.gpu;
        let view = view(t, self.size);
        let mut encoder = device.create_command_encoder(&Default::default());
        self.terrain.update(&view, queue, &mut encoder)?;
        self.canvas.look(queue, &view);
        let bytes = u64::from(STAMPS * wgpu::QUERY_SIZE);
        let buffer = |size, usage| {
            device.create_buffer(&wgpu::BufferDescriptor { label: None, size, usage, mapped_at_creation: false })
        };
        use wgpu::BufferUsages as Usage;
        // Queries are resolved at multiples of 256 bytes.
        let stride = bytes.next_multiple_of(wgpu::QUERY_RESOLVE_BUFFER_ALIGNMENT);
        let size = stride * entries.len() as u64;
        let resolved = buffer(size, Usage::QUERY_RESOLVE | Usage::COPY_SRC);
        let readback = buffer(size, Usage::MAP_READ | Usage::COPY_DST);
        for (at, Entry { mesh, queries, .. }) in entries.iter().enumerate() {
            let stamps = |first| wgpu::ComputePassTimestampWrites {
                query_set: queries,
                beginning_of_pass_write_index: Some(first),
                end_of_pass_write_index: Some(first + 1),
            };
            let pass = |first| wgpu::ComputePassDescriptor { label: None, timestamp_writes: Some(stamps(first)) };
            mesh.encode_topology(&mut encoder.begin_compute_pass(&pass(0)));
            mesh.encode_vertices(&mut encoder.begin_compute_pass(&pass(2)));
            let stamps = wgpu::RenderPassTimestampWrites {
                query_set: queries,
                beginning_of_pass_write_index: Some(4),
                end_of_pass_write_index: Some(5),
            };
            self.canvas.draw(device, &mut encoder, Some(stamps), |pass| mesh.draw(pass));
            encoder.resolve_query_set(queries, 0..STAMPS, &resolved, stride * at as u64);
        }
        encoder.copy_buffer_to_buffer(&resolved, 0, &readback, 0, size);
        queue.submit([encoder.finish()]);
        let ticks: Vec<u64> = transfer::read(self.gpu, &readback)?;
        let period_us = f64::from(queue.get_timestamp_period()) * 1e-3;
        for (entry, ticks) in entries.iter_mut().zip(ticks.chunks_exact(stride as usize / 8)).filter(|_| counts) {
            for (us, span) in entry.us.iter_mut().zip(ticks.chunks_exact(2)) {
                us.push(span[1].saturating_sub(span[0]) as f64 * period_us);
            }
        }
        Ok(())
    }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(0.0)
}
