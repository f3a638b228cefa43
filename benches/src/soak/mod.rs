//! Memory over time: make a folder of rasters, leap about in it, and look at what the system says the process holds.

mod rasters;
mod teleports;

use std::{
    path::PathBuf,
    process::ExitCode,
    time::{Duration, Instant},
};

use anyhow::Context;
use benches::report::{Cell, Report, Row, number};
use clap::Parser;
use gpu::{Gpu, GpuOptions};
use rasters::Square;
use serde::Serialize;
use teleports::{Budgets, Teleports};
use tempfile::TempDir;
use terrain::Backend;
use viewer::process_memory::ProcessMemory;

/// Leaps from place to place over a folder of rasters with small budgets, and tells the resident memory over time, and how much it
/// grows in the second half.
///
/// The rasters are made first, and removed at the end. Fails if the process ever holds more than one and a half times the sum
/// of the budgets and what the program holds besides (`--base`).
#[derive(Parser, Debug)]
#[command(name = "soak", version)]
struct Options {
    /// Minutes to fly.
    #[arg(long, default_value_t = 60.0)]
    minutes: f64,
    /// Most memory for the heights of the rasters, in MiB.
    #[arg(long, default_value_t = 64, value_parser = clap::value_parser!(u64).range(8..=65_536))]
    memory: u64,
    /// Most memory for elevation tiles on the device, in MiB.
    #[arg(long, default_value_t = 64, value_parser = clap::value_parser!(u64).range(8..=65_536))]
    gpu_memory: u64,
    /// What the program holds besides the budgets, in MiB: the driver, the globe and the pictures.
    #[arg(long, default_value_t = 576)]
    base: u64,
    /// Where the mesh lives.
    #[arg(long, default_value = "cpu")]
    mesh: Backend,
    /// Take the best adapter of the machine, not a software one.
    #[arg(long)]
    gpu: bool,
    /// Tiles of one degree along a side of the square of rasters: 2.8 MiB each, 7 in memory.
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=20))]
    side: u32,
    /// Size of the pictures.
    #[arg(long, default_value = "320x200", value_parser = foreign::values::size)]
    size: (u32, u32),
    /// Pictures at each place.
    #[arg(long, default_value_t = 20)]
    pictures: u32,
    /// Print one object in place of the table.
    #[arg(long)]
    json: bool,
    /// Where the rasters go, to be removed at the end [default: the folder of temporary files]
    #[arg(long)]
    folder: Option<PathBuf>,
}

/// What the process held at a moment.
#[derive(Debug, Clone, Copy, Serialize)]
struct ResidentMemory {
    minutes: f64,
    leaps: u32,
    resident_mib: f64,
    /// Of it, heights.
    heights_mib: f64,
}

impl Row for ResidentMemory {
    fn cells(&self) -> Vec<Cell> {
        vec![
            ("minutes", 8, number(self.minutes, 2)),
            ("leaps", 7, self.leaps.to_string()),
            ("resident MiB", 13, number(self.resident_mib, 0)),
            ("heights MiB", 12, number(self.heights_mib, 0)),
        ]
    }
}

/// What was asked for, and what came of it.
#[derive(Debug, Serialize)]
struct Soak {
    mesh: &'static str,
    memory_mib: u64,
    gpu_memory_mib: u64,
    rasters_mib: f64,
    /// Of the whole process.
    most_mib: f64,
    /// One and a half times the budgets, and the base.
    bound_mib: f64,
    /// Slope of a straight line through the second half, by least squares.
    growth_mib_a_minute: f64,
}

/// Rows of a soak: enough for a line, few enough to print.
const ROWS: u32 = 240;

/// Runs the program.
pub fn main() -> ExitCode {
    viewer::allocator::set_mmap_threshold();
    benches::exit_code("soak", run(&Options::parse()))
}

fn run(options: &Options) -> anyhow::Result<()> {
    let folder = options.folder.clone().unwrap_or_else(std::env::temp_dir);
    let folder = TempDir::new_in(&folder).with_context(|| format!("cannot write to {}", folder.display()))?;
    let square = Square { side: options.side, postings: 1201 };
    let bytes = square.write(folder.path()).with_context(|| format!("cannot write to {}", folder.path().display()))?;
    let budgets = Budgets {
        memory_mib: options.memory,
        gpu_memory_mib: options.gpu_memory,
        mesh: options.mesh,
        size_px: options.size,
    };
    let gpu = Gpu::new(&GpuOptions::from_env().with_software(!options.gpu))?;
    let soak = Soak {
        mesh: options.mesh.name(),
        memory_mib: options.memory,
        gpu_memory_mib: options.gpu_memory,
        rasters_mib: mib(bytes),
        most_mib: 0.0,
        bound_mib: 1.5 * (options.memory + options.gpu_memory) as f64 + options.base as f64,
        growth_mib_a_minute: 0.0,
    };
    let mut report = Report::new(&gpu.caps, soak).quiet_if(options.json);
    let mut flight = Teleports::new(gpu, folder.path(), square, budgets)?;
    fly(options, &mut flight, &mut report)?;
    let Report { parameters: soak, rows, .. } = &mut report;
    soak.most_mib = rows.iter().map(|row| row.resident_mib).fold(0.0, f64::max);
    soak.growth_mib_a_minute = slope(&rows[rows.len() / 2..]);
    let Soak { mesh, memory_mib, gpu_memory_mib, rasters_mib, most_mib, bound_mib, growth_mib_a_minute } = *soak;
    if options.json {
        print!("{}", report.json()?);
    } else {
        println!(
            "mesh on the {mesh}, {rasters_mib:.0} MiB of rasters, budgets of {memory_mib} and {gpu_memory_mib} MiB: at most \
             {most_mib:.0} MiB of {bound_mib:.0}; in the second half {growth_mib_a_minute:+.2} MiB a minute"
        );
    }
    anyhow::ensure!(most_mib <= bound_mib, "{most_mib:.0} MiB were resident, {bound_mib:.0} are allowed");
    Ok(())
}

fn fly(options: &Options, flight: &mut Teleports, report: &mut Report<ResidentMemory, Soak>) -> anyhow::Result<()> {
    let (started, all) = (Instant::now(), Duration::from_secs_f64(60.0 * options.minutes.clamp(0.01, 1e4)));
    let mut leaps = 0;
    loop {
        flight.leap(options.pictures)?;
        leaps += 1;
        let flown = started.elapsed();
        if flown >= (all / ROWS) * report.rows.len() as u32 {
            let resident = ProcessMemory::current().context("this system does not tell what a process holds")?;
            let minutes = flown.as_secs_f64() / 60.0;
            let heights_mib = mib(flight.heights_bytes() as u64);
            let row = ResidentMemory { minutes, leaps, resident_mib: mib(resident.all), heights_mib };
            report.add(row);
        }
        if flown >= all && report.rows.len() > 3 {
            return Ok(());
        }
    }
}

fn mib(bytes: u64) -> f64 {
    bytes as f64 / f64::from(1 << 20)
}

/// MiB a minute, by least squares.
fn slope(rows: &[ResidentMemory]) -> f64 {
    let count = rows.len() as f64;
    let mean = |of: fn(&ResidentMemory) -> f64| rows.iter().map(of).sum::<f64>() / count;
    let (minutes, resident) = (mean(|row| row.minutes), mean(|row| row.resident_mib));
    let moments = rows.iter().map(|row| {
        let at = row.minutes - minutes;
        [at * (row.resident_mib - resident), at * at]
    });
    let [with, own] = moments.fold([0.0; 2], |sum, add| [sum[0] + add[0], sum[1] + add[1]]);
    if own > 0.0 { with / own } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_its_slope() {
        let row =
            |minutes: f64| ResidentMemory { minutes, leaps: 0, resident_mib: 500.0 + 3.0 * minutes, heights_mib: 60.0 };
        let rows: Vec<ResidentMemory> = [0.0, 0.5, 2.0, 2.5].map(row).into();
        assert!((slope(&rows) - 3.0).abs() < 1e-9);
        assert_eq!(slope(&rows[..1]), 0.0);
    }
}
