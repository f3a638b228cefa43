//! The papers' tables: each task written once, measured in every form, checked, printed beside the published figures, drawn.

mod hand;
mod measure;
mod plot;
mod published;
mod report;
mod source;
mod tasks;

use anyhow::bail;
use benches::arguments::Output;
use clap::Parser;
use gpu::{Gpu, GpuOptions};
use std::process::ExitCode;

/// Times the tasks of Frolov, Sanzharov & Galaktionov 2021 and of NUDA 2011, written once in Rust: on one core, on all cores, as
/// portable WGSL and as WGSL with subgroups, and by hand where there is such a form; checks every result.
#[derive(Parser, Debug)]
#[command(name = "write-once", version)]
struct Options {
    /// Take the best adapter of the machine, not a software one, and the sizes of the papers.
    #[arg(long)]
    gpu: bool,
    /// Tasks to time, by the beginning of their names. All if absent.
    #[arg(long, value_delimiter = ',')]
    only: Vec<String>,
    /// Timed runs of each row on the device, after two untimed ones.
    #[arg(long, default_value_t = 20)]
    reps: usize,
    /// Leave out the rows of the CPU; results are still compared with it.
    #[arg(long)]
    no_cpu: bool,
    /// Print the WGSL of the kernels instead of measuring.
    #[arg(long)]
    wgsl: bool,
    #[command(flatten)]
    output: Output,
}

/// How large the tasks are.
#[derive(Clone, Copy, Debug)]
struct Sizes {
    /// Numbers that are summed.
    sum: u32,
    /// Width and height of the panorama.
    panorama: [u32; 2],
    /// Bodies that pull at each other.
    bodies: u32,
    /// Width and height of the picture.
    picture: u32,
    /// Rows of the matrices.
    matrix: u32,
    /// Words that are hashed.
    numbers: u32,
    /// The part of the rows that one core takes of the tasks of quadratic and cubic size.
    share: u32,
}

/// Those of the papers; of the panorama and of the words they give none.
const PUBLISHED: Sizes = Sizes {
    sum: 1_000_000,
    panorama: [1024, 1024],
    bodies: 65_536,
    picture: 4096,
    matrix: 2048,
    numbers: 1 << 24,
    share: 32,
};

/// For devices in software, which leave a loop after 65 535 turns.
const SMALL: Sizes = Sizes {
    sum: 1_000_000,
    panorama: [512, 256],
    bodies: 4096,
    picture: 1024,
    matrix: 256,
    numbers: 1 << 18,
    share: 4,
};

/// Runs the program.
pub fn main() -> ExitCode {
    benches::exit_code("write-once", run(&Options::parse()))
}

fn run(options: &Options) -> anyhow::Result<()> {
    if options.reps == 0 {
        bail!("--reps must be at least 1");
    }
    let gpu = || Gpu::new(&GpuOptions::from_env().with_software(!options.gpu));
    if options.wgsl {
        return measure::print_wgsl(&gpu()?);
    }
    let report = options.output.rows(|| {
        let gpu = gpu()?;
        eprintln!("{}\n", gpu.caps);
        measure::all(&gpu, options, if gpu.caps.is_software() { SMALL } else { PUBLISHED })
    })?;
    report::print_published(&report);
    options.output.save(&report, vec![(String::new(), plot::chart(&report))])
}
