//! The tables of trees: measure, compare device and CPU, print, save.

mod cpu;
mod device;
mod peer;
mod plot;
mod report;
mod scene;

use anyhow::bail;
use benches::{arguments::Output, timing::thread_counts};
use clap::Parser;
use gpu::{Gpu, GpuOptions};
use report::Report;
use std::process::ExitCode;

/// Times the build and refit of linear BVHs over a terrain and soups of triangles, and closest hits of coherent and incoherent
/// rays, beside the crate obvhs on the same threads. Trees of the device must be those of the CPU bit for bit.
#[derive(Parser, Debug)]
#[command(name = "lbvh", version)]
struct Options {
    /// Numbers of triangles.
    #[arg(long, value_delimiter = ',', default_values = ["1000", "25000", "144000"])]
    n: Vec<u32>,
    /// What the triangles are.
    #[arg(long, value_enum, value_delimiter = ',', default_values = ["terrain", "soup"])]
    scene: Vec<scene::Kind>,
    /// Number of rays of each kind.
    #[arg(long, default_value_t = 1 << 18)]
    rays: u32,
    /// Take the best adapter of the machine, not a software one.
    #[arg(long)]
    gpu: bool,
    /// Also trees by codes of 63 bits.
    #[arg(long)]
    wide: bool,
    /// Leave out the rows of the CPU.
    #[arg(long)]
    no_cpu: bool,
    /// Leave out the rows of the device.
    #[arg(long)]
    no_device: bool,
    /// Timed runs of each row; the median counts.
    #[arg(long, default_value_t = 10)]
    reps: usize,
    /// Also the time of each dispatch of the build.
    #[arg(long)]
    spans: bool,
    #[command(flatten)]
    output: Output,
}

/// Runs the program.
pub fn main() -> ExitCode {
    benches::exit_code("lbvh", run(&Options::parse()))
}

fn run(options: &Options) -> anyhow::Result<()> {
    if options.reps == 0 || options.rays == 0 || options.n.iter().any(|n| !(1..=1 << 26).contains(n)) {
        bail!("--reps and --rays must be at least 1, and --n 1 to 2^26");
    }
    let report = options.output.rows(|| measure(options))?;
    options.output.save(&report, plot::charts(&report))
}

fn measure(options: &Options) -> anyhow::Result<Report> {
    let gpu = match options.no_device {
        true => None,
        false => Some(Gpu::new(&GpuOptions::from_env().with_software(!options.gpu))?),
    };
    if let Some(gpu) = &gpu {
        eprintln!("{}\n", gpu.caps);
    }
    let mut report = Report::new(gpu.as_ref().map(|gpu| &gpu.caps), ());
    let cases = options.scene.iter().flat_map(|&kind| options.n.iter().map(move |&n| (kind, n)));
    for (kind, n) in cases {
        let scene = scene::Scene::new(kind, n, options.rays);
        if let Some(gpu) = &gpu {
            let mut rows = device::rows(gpu, kind, &scene, options.reps, options.spans)?;
            if options.wide {
                rows.extend(device::rows_wide(gpu, kind, &scene, options.reps, options.spans)?);
            }
            rows.into_iter().for_each(|row| report.add(row));
        }
        if !options.no_cpu {
            for threads in thread_counts() {
                for wide in if options.wide { vec![false, true] } else { vec![false] } {
                    cpu::rows(kind, &scene, wide, threads, options.reps)?.into_iter().for_each(|row| report.add(row));
                }
                peer::rows(kind, &scene, threads, options.reps)?.into_iter().for_each(|row| report.add(row));
            }
        }
    }
    Ok(report)
}
