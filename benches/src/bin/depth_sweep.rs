//! `depth-sweep`: the costs of the concurrent binary tree over its depth, measured and drawn.
//!
//! `cargo run --release -p benches --bin depth-sweep -- --depths 10..24 --threads 1,2 --fill 100,25 --layout classic,compact`

#[path = "../depth_sweep/mod.rs"]
mod depth_sweep;

use anyhow::Result;
use cbt::{Classic, Compact, Tree};
use clap::Parser;
use std::path::Path;

use depth_sweep::options::{Layout, Options};
use depth_sweep::reference::Reference;
use depth_sweep::row::{Code, OperationTime, Report};
use depth_sweep::{cpu, gpu, plot};

fn main() -> Result<()> {
    let options = Options::parse();
    let report = if options.redraw.is_empty() { measure(&options)? } else { Report::join(&options.redraw)? };
    if !options.redraw.is_empty() {
        report.print();
    }
    save(&report, &options.out)?;
    let files = plot::draw_all(&report, &options.out)?;
    eprintln!("wrote {} plots and depth-sweep.json to {}", files.len(), options.out.display());
    Ok(())
}

fn save(report: &Report, folder: &Path) -> Result<()> {
    report.save(&folder.join("depth-sweep.json"))
}

/// All measurements that were asked for and fit.
fn measure(options: &Options) -> Result<Report> {
    let sweeps = if options.gpu { gpu_sweeps(options)? } else { Vec::new() };
    let mut report = sweeps.first().map_or_else(|| Ok(Report::new(None, None)), gpu::Sweep::report)?;
    for depth in options.depths.clone().step_by(options.step) {
        for &fill in &options.fill {
            if !options.no_cpu {
                measure_cpu(depth, fill, options, &mut report)?;
            }
            for sweep in &sweeps {
                sweep.measure(depth, fill, options, &mut report)?;
            }
            // A run that is cut short leaves what it has.
            save(&report, &options.out)?;
        }
    }
    Ok(report)
}

/// The GPU with each layout that was asked for.
fn gpu_sweeps(options: &Options) -> Result<Vec<gpu::Sweep>> {
    let layout = |layout: &Layout| match layout {
        Layout::Classic => cbt::gpu::Layout::Classic,
        Layout::Compact => cbt::gpu::Layout::Compact,
    };
    options.layout.iter().map(|asked| gpu::Sweep::new(layout(asked))).collect()
}

/// The port and both layouts on the CPU at one depth and fill.
fn measure_cpu(depth: u32, fill: u32, options: &Options, report: &mut Report) -> Result<()> {
    let compact = Compact::memory_bytes(depth)?;
    if expected_s(&report.rows, fill, options.step) > options.reference_limit_s {
        eprintln!(
            "D = {depth}, {fill} %: the reference port is skipped, it would take longer than {} s",
            options.reference_limit_s
        );
    } else if depth > 30 {
        eprintln!("D = {depth}, {fill} %: the reference port is skipped, its sums have 32 bits");
    } else if fits(depth, fill, "the reference port", Reference::bytes(depth) + compact) {
        cpu::measure_reference(depth, fill, options, report)?;
    }
    if options.layout.contains(&Layout::Classic) && fits(depth, fill, "classic", Classic::memory_bytes(depth)?) {
        cpu::measure::<Classic>(Code::Classic, depth, fill, options, report)?;
    }
    if options.layout.contains(&Layout::Compact) && fits(depth, fill, "compact", compact) {
        cpu::measure::<Compact>(Code::Compact, depth, fill, options, report)?;
    }
    Ok(())
}

/// How long the slowest operation of the reference port will take one step deeper than it was measured last; infinite if it was
/// left out there.
fn expected_s(rows: &[OperationTime], fill: u32, step: usize) -> f64 {
    let of_fill = || rows.iter().filter(|row| !row.is_on_gpu() && row.fill_percent == fill);
    let Some(last) = of_fill().map(|row| row.depth).max() else { return 0.0 };
    let slowest = of_fill().filter(|row| row.code == Code::Reference && row.depth == last).map(|row| row.median_s);
    slowest.reduce(f64::max).map_or(f64::INFINITY, |slowest| slowest * 2.2_f64.powi(step as i32))
}

/// Whether so much memory is there, leaving a tenth; says so if not.
fn fits(depth: u32, fill: u32, what: &str, bytes: u64) -> bool {
    let available = available_bytes().unwrap_or(u64::MAX);
    let fits = bytes <= available / 10 * 9;
    if !fits {
        eprintln!(
            "D = {depth}, {fill} %: {what} is skipped, it needs {} MiB and {} MiB are free",
            bytes >> 20,
            available >> 20
        );
    }
    fits
}

/// Bytes of memory that can be had without pushing others out; `None` where the system does not say.
fn available_bytes() -> Option<u64> {
    let meminfo = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    Some(line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? * 1024)
}
