//! How long does one update of the bisector pool take on the GPU? Device timestamps of every stage, for a camera that
//! descends over the Himalaya and for one that stands still.
//!
//! `cargo run --release -p benches --bin pool-update [-- --out DIR]`

use std::{f64::consts::FRAC_PI_3, path::PathBuf, process::ExitCode};

use anyhow::{Context, Result};
use benches::{
    arguments::pool,
    figures::{median, quantiles},
    report::{Cell, Report, Row, number},
    warm::warm_up,
};
use clap::Parser;
use gpu::{Gpu, GpuOptions, timing::PassTimer, transfer};
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
    pools: Vec<(u32, f64)>,
    /// Updates to time after warming up.
    #[arg(long, default_value_t = 200)]
    updates: usize,
    /// Folder for pool-update.json.
    #[arg(long)]
    out: Option<PathBuf>,
}

#[derive(Serialize)]
struct UpdateTime {
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

impl Row for UpdateTime {
    fn cells(&self) -> Vec<Cell> {
        let stages = self.stage_us.iter().map(|&(name, us)| (name, 9, number(us, 2)));
        let cells = [
            ("slots", 9, self.slots.to_string()),
            ("camera", 8, self.camera.to_owned()),
            ("live", 9, self.live.to_string()),
            ("changed", 8, self.changed.to_string()),
            ("update µs", 10, number(self.update_us, 2)),
            ("p95 µs", 10, number(self.p95_us, 2)),
        ];
        cells.into_iter().chain(stages).collect()
    }
}

fn main() -> ExitCode {
    benches::exit_code("pool-update", run(&Arguments::parse()))
}

fn run(arguments: &Arguments) -> Result<()> {
    let gpu = Gpu::new(&GpuOptions::from_env().with_software(arguments.software))?;
    let mut report = Report::new(&gpu.caps, ());
    for &(slots, longest_edge_px) in &arguments.pools {
        let mut bench = Bench::new(&gpu, slots, longest_edge_px)?;
        for moving in [true, false] {
            report.add(bench.run(if moving { "moving" } else { "still" }, moving, arguments.updates)?);
        }
    }
    arguments.out.as_ref().map_or(Ok(()), |folder| report.save(&folder.join("pool-update.json")))
}

struct Bench<'a> {
    gpu: &'a Gpu,
    pool: GpuPool,
    priority: wgpu::BindGroup,
    planet: wgpu::Buffer,
    edge_length: wgpu::Buffer,
    planet_group: wgpu::BindGroup,
    longest_edge_px: f64,
    /// Of the whole update or its first stage, and of each later stage.
    timers: Vec<PassTimer>,
    step: u32,
}

impl<'a> Bench<'a> {
    fn new(gpu: &'a Gpu, slots: u32, longest_edge_px: f64) -> Result<Self> {
        let pool = GpuPool::new(&gpu.device, slots.into(), 58, |composer| {
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
            timers: STAGES
                .iter()
                .map(|_| PassTimer::new(gpu, 0))
                .collect::<Option<_>>()
                .context("the device has no timestamps")?,
            gpu,
            step: 0,
        })
    }

    /// Settles, then times `updates` updates as a whole and as many stage by stage.
    fn run(&mut self, camera: &'static str, moving: bool, updates: usize) -> Result<UpdateTime> {
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
        let [update_us, p95_us] = quantiles(whole, [0.5, 0.95]);
        Ok(UpdateTime {
            slots: self.pool.capacity(),
            camera,
            live,
            changed: median(changed) as u32,
            update_us,
            p95_us,
            stage_us: STAGES.iter().zip(stages).map(|(&name, all)| (name, median(all))).collect(),
        })
    }

    /// One update; durations in microseconds of the whole or of each stage, and the pool's control block after it.
    fn update(&mut self, moving: bool, by_stage: bool) -> Result<(Vec<f64>, PoolControl)> {
        let Gpu { device, queue, .. } = self.gpu;
        self.step += u32::from(moving);
        self.write_view();
        let mut encoder = device.create_command_encoder(&Default::default());
        let passes = if by_stage { STAGES.len() } else { 1 };
        for (index, timer) in self.timers[..passes].iter_mut().enumerate() {
            timer.encode_with(&mut encoder, |pass| {
                pass.set_bind_group(2, &self.planet_group, &[]);
                if by_stage {
                    self.pool.encode_stage(pass, index, Some(&self.priority));
                } else {
                    self.pool.encode_update(pass, Some(&self.priority));
                }
            });
        }
        queue.submit([encoder.finish()]);
        let us = |timer: &PassTimer| anyhow::Ok(timer.read(self.gpu)?.0.as_secs_f64() * 1e6);
        let spans = self.timers[..passes].iter().map(us).collect::<Result<_>>()?;
        let control = transfer::download::<PoolControl>(self.gpu, &self.pool.buffers().control)?;
        Ok((spans, *control.first().context("the pool has a control block")?))
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
