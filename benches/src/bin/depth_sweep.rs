//! `depth-sweep`: the costs of the concurrent binary tree over its depth, measured and drawn.
//!
//! `cargo run --release -p benches --bin depth-sweep -- --depths 10..24 --threads 1,2 --fill 100,25 --layout classic,compact`

#[path = "../depth_sweep/mod.rs"]
mod depth_sweep;

use anyhow::{Context, Result};
use cbt::{Classic, Compact, Tree};
use clap::Parser;

use depth_sweep::machine::{Machine, available_bytes};
use depth_sweep::options::{Layout, Options};
use depth_sweep::reference::Reference;
use depth_sweep::report::Report;
use depth_sweep::row::{Code, Device, Row};
use depth_sweep::{cpu, gpu, plot};

fn main() -> Result<()> {
    let options = Options::parse();
    std::fs::create_dir_all(&options.out).with_context(|| format!("creating {}", options.out.display()))?;
    let report = if options.redraw.is_empty() { measure(&options)? } else { Report::join(&options.redraw)? };
    report.write(&options.out)?;
    println!("{}", report.table());
    let files = plot::draw_all(&report, &options.out)?;
    eprintln!("wrote {} plots, depth-sweep.csv and depth-sweep.json to {}", files.len(), options.out.display());
    Ok(())
}

/// All measurements that were asked for and fit.
fn measure(options: &Options) -> Result<Report> {
    let mut report = Report { machine: Machine::here(), rows: Vec::new() };
    let sweeps = if options.gpu { gpu_sweeps(options)? } else { Vec::new() };
    if let Some(sweep) = sweeps.first() {
        report.machine.gpu = Some(sweep.name());
        report.machine.least = Some(sweep.least()?);
    }
    for depth in options.depths.clone().step_by(options.step) {
        for &fill in &options.fill {
            if !options.no_cpu {
                measure_cpu(depth, fill, options, &mut report.rows)?;
            }
            for sweep in &sweeps {
                sweep.measure(depth, fill, options, &mut report.rows)?;
            }
            eprintln!("D = {depth}, {fill} %: measured");
            // A run that is cut short leaves what it has.
            report.write(&options.out)?;
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
fn measure_cpu(depth: u32, fill: u32, options: &Options, rows: &mut Vec<Row>) -> Result<()> {
    let compact = Compact::memory_bytes(depth)?;
    if expected_s(rows, fill, options.step) > options.reference_limit_s {
        eprintln!(
            "D = {depth}, {fill} %: the reference port is skipped, it would take longer than {} s",
            options.reference_limit_s
        );
    } else if depth > 30 {
        eprintln!("D = {depth}, {fill} %: the reference port is skipped, its sums have 32 bits");
    } else if fits(depth, fill, "the reference port", Reference::bytes(depth) + compact) {
        cpu::measure_reference(depth, fill, options, rows)?;
    }
    if options.layout.contains(&Layout::Classic) && fits(depth, fill, "classic", Classic::memory_bytes(depth)?) {
        cpu::measure::<Classic>(Code::Classic, depth, fill, options, rows)?;
    }
    if options.layout.contains(&Layout::Compact) && fits(depth, fill, "compact", compact) {
        cpu::measure::<Compact>(Code::Compact, depth, fill, options, rows)?;
    }
    Ok(())
}

/// How long the slowest operation of the reference port will take one step deeper than it was measured last; infinite if it was
/// left out there.
fn expected_s(rows: &[Row], fill: u32, step: usize) -> f64 {
    let on_cpu = |row: &&Row| matches!(row.device, Device::Cpu { .. });
    let of_fill = || rows.iter().filter(on_cpu).filter(|row| row.fill_percent == fill);
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
