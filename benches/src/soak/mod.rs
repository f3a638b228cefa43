//! Memory over time: make a folder of rasters, leap about in it, and look at what the system says the process holds.

mod rasters;
mod teleports;

use std::{
    path::PathBuf,
    process::ExitCode,
    time::{Duration, Instant},
};

use anyhow::Context;
use clap::Parser;
use rasters::Square;
use serde::Serialize;
use teleports::{Budgets, Teleports};
use tempfile::TempDir;
use terrain::Backend;
use viewer::resident::Resident;

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
    #[arg(long, default_value = "320x200", value_parser = benches::arguments::size)]
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
struct Sample {
    minutes: f64,
    leaps: u32,
    resident_mib: f64,
    /// Of it, heights.
    heights_mib: f64,
}

/// A soak.
#[derive(Debug, Serialize)]
struct Report {
    adapter_is_software: bool,
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
    looks: Vec<Sample>,
}

/// Looks at the memory in a soak: enough for a line, few enough to print.
const LOOKS: u32 = 240;
/// Lines of the table.
const LINES: usize = 16;

/// Runs the program.
pub fn main() -> ExitCode {
    viewer::allocator::give_back_large_pieces();
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
    let mut flight = Teleports::new(folder.path(), square, budgets, !options.gpu)?;
    let looks = fly(options, &mut flight)?;
    let most_mib = looks.iter().map(|look| look.resident_mib).fold(0.0, f64::max);
    let report = Report {
        adapter_is_software: !options.gpu,
        mesh: options.mesh.name(),
        memory_mib: options.memory,
        gpu_memory_mib: options.gpu_memory,
        rasters_mib: mib(bytes),
        most_mib,
        bound_mib: 1.5 * (options.memory + options.gpu_memory) as f64 + options.base as f64,
        growth_mib_a_minute: slope(&looks[looks.len() / 2..]),
        looks,
    };
    if options.json {
        println!("{}", serde_json::to_string_pretty(&report)?);
    } else {
        print(&report);
    }
    anyhow::ensure!(
        report.most_mib <= report.bound_mib,
        "{most_mib:.0} MiB were resident, {:.0} are allowed",
        report.bound_mib
    );
    Ok(())
}

fn fly(options: &Options, flight: &mut Teleports) -> anyhow::Result<Vec<Sample>> {
    let (started, all) = (Instant::now(), Duration::from_secs_f64(60.0 * options.minutes.clamp(0.01, 1e4)));
    let (mut looks, mut leaps): (Vec<Sample>, u32) = (Vec::new(), 0);
    loop {
        flight.leap(options.pictures)?;
        leaps += 1;
        let flown = started.elapsed();
        if flown >= (all / LOOKS) * looks.len() as u32 {
            let resident = Resident::now().context("this system does not tell what a process holds")?;
            let minutes = flown.as_secs_f64() / 60.0;
            let heights_mib = mib(flight.heights_bytes() as u64);
            looks.push(Sample { minutes, leaps, resident_mib: mib(resident.all), heights_mib });
        }
        if flown >= all && looks.len() > 3 {
            return Ok(looks);
        }
    }
}

fn print(report: &Report) {
    println!("{:>8} {:>7} {:>13} {:>12}", "minutes", "leaps", "resident MiB", "heights MiB");
    let last = report.looks.len() - 1;
    let mut lines: Vec<usize> = (0..LINES).map(|line| line * last / (LINES - 1)).collect();
    lines.dedup();
    for look in lines.into_iter().map(|at| report.looks[at]) {
        let Sample { minutes, leaps, resident_mib, heights_mib } = look;
        println!("{minutes:>8.2} {leaps:>7} {resident_mib:>13.0} {heights_mib:>12.0}");
    }
    println!(
        "mesh on the {}, {:.0} MiB of rasters, budgets of {} and {} MiB: at most {:.0} MiB of {:.0}; in the second half {:+.2} MiB a minute",
        report.mesh,
        report.rasters_mib,
        report.memory_mib,
        report.gpu_memory_mib,
        report.most_mib,
        report.bound_mib,
        report.growth_mib_a_minute,
    );
}

fn mib(bytes: u64) -> f64 {
    bytes as f64 / f64::from(1 << 20)
}

/// MiB a minute, by least squares.
fn slope(looks: &[Sample]) -> f64 {
    let count = looks.len() as f64;
    let mean = |of: fn(&Sample) -> f64| looks.iter().map(of).sum::<f64>() / count;
    let (minutes, resident) = (mean(|look| look.minutes), mean(|look| look.resident_mib));
    let moments = looks.iter().map(|look| {
        let at = look.minutes - minutes;
        [at * (look.resident_mib - resident), at * at]
    });
    let [with, own] = moments.fold([0.0; 2], |sum, add| [sum[0] + add[0], sum[1] + add[1]]);
    if own > 0.0 { with / own } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_its_slope() {
        let look = |minutes: f64| Sample { minutes, leaps: 0, resident_mib: 500.0 + 3.0 * minutes, heights_mib: 60.0 };
        let looks: Vec<Sample> = [0.0, 0.5, 2.0, 2.5].map(look).into();
        assert!((slope(&looks) - 3.0).abs() < 1e-9);
        assert_eq!(slope(&looks[..1]), 0.0);
    }
}
