//! How long does one update of the bisector pool take on the GPU? Device timestamps of every stage, for a camera that
//! descends over the Himalaya and for one that stands still.
//!
//! `cargo run --release -p benches --bin pool-update [-- --out DIR]`

use std::{f64::consts::FRAC_PI_3, path::PathBuf, process::ExitCode};

use anyhow::{Result, bail};
use benches::{
    report::{ReportFile, Row as _, tell},
    warm::warm_up,
};
use clap::Parser;
use gpu::{Gpu, GpuOptions};
use serde::Serialize;
use terrain::{
    expansion::PlanetView,
    geodesy::{Ellipsoid, Geodetic},
    pool::gpu::{EdgeLength, GpuPool, PoolControl, STAGES},
};

#[derive(Parser)]
#[command(about = "Times the stages of the bisector pool's update on the GPU")]
struct Arguments {
    /// Take the software rasteriser.
    #[arg(long)]
    software: bool,
    /// Pools to time: slots, and the longest edge wanted in pixels, which says how many of them live.
    #[arg(long, value_delimiter = ',', value_parser = pool, default_values = ["131072:24", "1048576:12"])]
    pools: Vec<(u64, f64)>,
    /// Updates to time after warming up.
    #[arg(long, default_value_t = 200)]
    updates: usize,
    /// Folder for pool-update.json.
    #[arg(long)]
    out: Option<PathBuf>,
}

#[derive(Serialize)]
struct Row {
    slots: u32,
    camera: &'static str,
    live: u32,
    changed: u32,
    /// Median of whole updates, one compute pass, microseconds.
    update_us: f64,
    p95_us: f64,
    /// Medians of the stages, each in a pass of its own.
    stage_us: Vec<(&'static str, f64)>,
}

impl benches::report::Row for Row {
    fn head() -> String {
        let stages: String = STAGES.iter().map(|stage| format!("{stage:>10}")).collect();
        format!(
            "{:>9} {:>8} {:>9} {:>8} {:>10} {:>10}{stages}",
            "slots", "camera", "live", "changed", "update µs", "p95 µs"
        )
    }

    fn line(&self) -> String {
        let Self { slots, camera, live, changed, update_us, p95_us, stage_us } = self;
        let stages: String = stage_us.iter().map(|(_, us)| format!("{us:>10.2}")).collect();
        format!("{slots:>9} {camera:>8} {live:>9} {changed:>8} {update_us:>10.2} {p95_us:>10.2}{stages}")
    }
}

fn pool(text: &str) -> Result<(u64, f64), String> {
    let parsed = text.split_once(':').and_then(|(slots, px)| Some((slots.parse().ok()?, px.parse().ok()?)));
    parsed.ok_or_else(|| format!("{text} is not SLOTS:PIXELS, as in 131072:16"))
}

fn main() -> ExitCode {
    benches::exit_code("pool-update", run(&Arguments::parse()))
}

fn run(arguments: &Arguments) -> Result<()> {
    let file = arguments.out.as_deref().map(|folder| ReportFile::in_folder(folder, "pool-update.json")).transpose()?;
    let gpu = Gpu::new(&GpuOptions::from_env().with_software(arguments.software))?;
    if !gpu.caps.features.contains(wgpu::Features::TIMESTAMP_QUERY) {
        bail!("{} has no timestamp queries: nothing can be timed on the device", gpu.caps.adapter);
    }
    println!("{} ({}), medians of {} updates, device timestamps", gpu.caps.adapter, gpu.caps.driver, arguments.updates);
    println!("{}", Row::head());
    let mut rows = Vec::new();
    for &(slots, longest_edge_px) in &arguments.pools {
        let mut bench = Bench::new(&gpu, slots, longest_edge_px)?;
        for moving in [true, false] {
            let row = bench.run(if moving { "moving" } else { "still" }, moving, arguments.updates)?;
            tell(&mut rows, row);
        }
    }
    if let Some(file) = file {
        file.write(&gpu.caps, serde_json::json!({ "rows": rows }))?;
    }
    Ok(())
}

struct Bench<'a> {
    gpu: &'a Gpu,
    pool: GpuPool,
    priority: wgpu::BindGroup,
    planet: wgpu::Buffer,
    edge_length: wgpu::Buffer,
    planet_group: wgpu::BindGroup,
    longest_edge_px: f64,
    /// Two timestamps a pass: the whole update, then each stage.
    queries: wgpu::QuerySet,
    resolved: wgpu::Buffer,
    readback: wgpu::Buffer,
    step: u32,
}

const STAMPS: u32 = 2 * STAGES.len() as u32;

impl<'a> Bench<'a> {
    fn new(gpu: &'a Gpu, slots: u64, longest_edge_px: f64) -> Result<Self> {
        let pool = GpuPool::new(&gpu.device, slots, 58, |composer| {
            composer.bind_module("terrain/pool/priority", "terrain/pool/priority_edge_length");
        })?;
        let buffer = |size: u64, usage| {
            gpu.device.create_buffer(&wgpu::BufferDescriptor { label: None, size, usage, mapped_at_creation: false })
        };
        use wgpu::BufferUsages as Usage;
        let planet = buffer(size_of::<PlanetView>() as u64, Usage::UNIFORM | Usage::COPY_DST);
        let edge_length = buffer(size_of::<EdgeLength>() as u64, Usage::UNIFORM | Usage::COPY_DST);
        let priority = pool.priority_bind_group(&gpu.device, 1, &[("edge_length", edge_length.as_entire_binding())])?;
        let planet_group = pool.priority_bind_group(&gpu.device, 2, &[("planet", planet.as_entire_binding())])?;
        Ok(Self {
            pool,
            priority,
            planet,
            edge_length,
            planet_group,
            longest_edge_px,
            queries: gpu.device.create_query_set(&wgpu::QuerySetDescriptor {
                label: None,
                ty: wgpu::QueryType::Timestamp,
                count: STAMPS,
            }),
            resolved: buffer(8 * u64::from(STAMPS), Usage::QUERY_RESOLVE | Usage::COPY_SRC),
            readback: buffer(
                8 * u64::from(STAMPS) + size_of::<PoolControl>() as u64,
                Usage::MAP_READ | Usage::COPY_DST,
            ),
            gpu,
            step: 0,
        })
    }

    /// Settles, then times `updates` updates as a whole and as many stage by stage.
    fn run(&mut self, camera: &'static str, moving: bool, updates: usize) -> Result<Row> {
        warm_up(self.gpu)?;
        for _ in 0..80 {
            self.update(moving, false)?;
        }
        let mut whole = Vec::new();
        let mut stages = vec![Vec::new(); STAGES.len()];
        let (mut live, mut changed) = (0, Vec::new());
        for i in 0..2 * updates {
            let by_stage = i % 2 == 1;
            let (spans_us, control) = self.update(moving, by_stage)?;
            live = control.live;
            changed.push(f64::from(control.admitted));
            if by_stage {
                stages.iter_mut().zip(&spans_us).for_each(|(all, &us)| all.push(us));
            } else {
                whole.push(spans_us[0]);
            }
        }
        Ok(Row {
            slots: self.pool.capacity(),
            camera,
            live,
            changed: quantile(&mut changed, 0.5) as u32,
            update_us: quantile(&mut whole, 0.5),
            p95_us: quantile(&mut whole, 0.95),
            stage_us: STAGES.iter().zip(&mut stages).map(|(&name, all)| (name, quantile(all, 0.5))).collect(),
        })
    }

    /// One update; durations in microseconds of the whole or of each stage, and the pool's control block after it.
    fn update(&mut self, moving: bool, by_stage: bool) -> Result<(Vec<f64>, PoolControl)> {
        let Gpu { device, queue, .. } = self.gpu;
        self.step += u32::from(moving);
        self.write_view();
        let mut encoder = device.create_command_encoder(&Default::default());
        let passes = if by_stage { STAGES.len() } else { 1 };
        for index in 0..passes {
            let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
                label: None,
                timestamp_writes: Some(wgpu::ComputePassTimestampWrites {
                    query_set: &self.queries,
                    beginning_of_pass_write_index: Some(2 * index as u32),
                    end_of_pass_write_index: Some(2 * index as u32 + 1),
                }),
            });
            pass.set_bind_group(2, &self.planet_group, &[]);
            if by_stage {
                self.pool.encode_stage(&mut pass, index, Some(&self.priority));
            } else {
                self.pool.encode_update(&mut pass, Some(&self.priority));
            }
        }
        let stamps = 2 * passes as u32;
        encoder.resolve_query_set(&self.queries, 0..stamps, &self.resolved, 0);
        encoder.copy_buffer_to_buffer(&self.resolved, 0, &self.readback, 0, 8 * u64::from(stamps));
        let control_at = 8 * u64::from(STAMPS);
        let control_size = size_of::<PoolControl>() as u64;
        encoder.copy_buffer_to_buffer(&self.pool.buffers().control, 0, &self.readback, control_at, control_size);
        queue.submit([encoder.finish()]);
        self.readback.map_async(wgpu::MapMode::Read, .., |_| {});
        self.gpu.wait()?;
        let (spans, control) = {
            let view = self.readback.get_mapped_range(..)?;
            let (stamps_bytes, control) = view.split_at(control_at as usize);
            let ticks: Vec<u64> = bytemuck::pod_collect_to_vec(&stamps_bytes[..8 * stamps as usize]);
            let us_per_tick = f64::from(queue.get_timestamp_period()) * 1e-3;
            let spans = ticks.chunks(2).map(|pair| pair[1].saturating_sub(pair[0]) as f64 * us_per_tick).collect();
            (spans, bytemuck::pod_read_unaligned(control))
        };
        self.readback.unmap();
        Ok((spans, control))
    }

    /// The camera of this step: 0.3 % lower and 1/400 of its height farther north each step, from 30 km down and again.
    fn write_view(&self) {
        let phase = f64::from(self.step % 1500);
        let height_m = 30_000.0 * 0.997f64.powf(phase);
        let north_m = 30_000.0 * (1.0 - 0.997f64.powf(phase)) * 0.8;
        let eye = Geodetic::from_degrees(27.0 + north_m / 111_000.0, 86.9, height_m);
        let pixels_per_radian = 360.0 / (0.5 * FRAC_PI_3).tan();
        let edge_length = EdgeLength::new(Ellipsoid::WGS84, eye, pixels_per_radian, self.longest_edge_px);
        self.gpu.queue.write_buffer(
            &self.planet,
            0,
            bytemuck::bytes_of(&PlanetView::new(Ellipsoid::WGS84, eye.to_ecef(Ellipsoid::WGS84))),
        );
        self.gpu.queue.write_buffer(&self.edge_length, 0, bytemuck::bytes_of(&edge_length));
    }
}

fn quantile(values: &mut [f64], part: f64) -> f64 {
    values.sort_by(f64::total_cmp);
    benches::figures::quantile(values, part).unwrap_or(0.0)
}
