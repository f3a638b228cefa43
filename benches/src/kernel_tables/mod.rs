//! The kernel tables: measure, check the result, print, save, draw.

mod cases;
mod copy;
mod cpu;
mod device;
mod plot;
mod published;
mod report;

use anyhow::bail;
use benches::arguments::Output;
use clap::Parser;
use gpu::{Gpu, GpuOptions};
use kernels::{Kernels, OnesweepConfig, Tuning, Variant};
use std::process::ExitCode;

/// Times the primitives of the crate `kernels` on random data, checks every result, and prints time, throughput and the
/// fraction of the measured copy speed.
#[derive(Parser, Debug)]
#[command(name = "kernel-tables", version)]
struct Options {
    /// Numbers of items: plain or as powers of two, such as 1000000 or 2^20.
    #[arg(long, value_delimiter = ',', default_values = ["2^10", "2^14", "2^16", "1000000", "2^20", "2^22"])]
    n: Vec<String>,
    /// Forms of the kernels to time: portable, subgroup, lookback, or auto. All that the device can run if absent.
    #[arg(long, value_delimiter = ',')]
    variant: Vec<String>,
    /// Primitives to time, by the beginning of their names. All if absent.
    #[arg(long, value_delimiter = ',')]
    only: Vec<String>,
    /// Take the best adapter of the machine, not a software one.
    #[arg(long)]
    gpu: bool,
    /// Leave out the rows of the CPU.
    #[arg(long)]
    no_cpu: bool,
    /// Leave out the rows of the device.
    #[arg(long)]
    no_device: bool,
    /// Timed runs of each row, after two untimed ones.
    #[arg(long, default_value_t = 20)]
    reps: usize,
    /// Most workgroups a dispatch: each walks an even share of the items.
    #[arg(long)]
    chunks: Option<u32>,
    /// Let every run use the same buffers, so that the device's caches hold what fits into them; else they take turns, and are
    /// cold. Forms are then called hot.
    #[arg(long)]
    hot: bool,
    /// Sizes of the one-sweep sort to time instead of its own, THREADSxITEMS/PHASES, with @COPIES of the totals' counters:
    /// 512x22/2@4. Rows of sorts only, in the form lookback.
    #[arg(long, value_delimiter = ',', value_name = "SHAPE")]
    sweep: Vec<OnesweepConfig>,
    /// Items that a workgroup of a compaction gathers before it writes them, to time instead of its own number. Rows of
    /// compactions only.
    #[arg(long, value_delimiter = ',', value_name = "ITEMS")]
    stage: Vec<u32>,
    #[command(flatten)]
    output: Output,
}

/// Runs the program.
pub fn main() -> ExitCode {
    benches::exit_code("kernel-tables", run(&Options::parse()))
}

fn run(options: &Options) -> anyhow::Result<()> {
    let report = options.output.rows(|| measure(options))?;
    options.output.save(&report, plot::charts(&report))
}

/// All rows that were asked for.
fn measure(options: &Options) -> anyhow::Result<report::Report> {
    let sizes = options.n.iter().map(|text| parse_size(text)).collect::<anyhow::Result<Vec<u32>>>()?;
    if options.reps == 0 {
        bail!("--reps must be at least 1");
    }
    let gpu = Gpu::new(&GpuOptions::from_env().with_software(!options.gpu))?;
    let variants = if !options.variant.is_empty() {
        options.variant.iter().map(|word| Variant::parse(word)).collect::<Result<Vec<_>, _>>()?
    } else if gpu.caps.subgroups.is_some() {
        vec![Variant::Portable, Variant::Subgroup, Variant::LookBack]
    } else {
        vec![Variant::Portable]
    };
    eprintln!("{}\n", gpu.caps);

    let forms = forms(options, &gpu, &variants)?;
    let mut report = report::Report::new(&gpu.caps, ());
    let wanted = |name: &str| options.only.is_empty() || options.only.iter().any(|start| name.starts_with(start));
    for &n in &sizes {
        if !options.no_device {
            let pool = device::Pool::new(&gpu, n, options.hot);
            for mut row in copy::rows(&gpu, &pool, options.reps)? {
                row.form.push_str(heat(options));
                report::add(&mut report, row)?;
            }
            let mut oracle = device::Oracle::default();
            for form in &forms {
                device::primitives(&gpu, &pool, form, options.reps, &wanted, &mut oracle, &mut report)?;
            }
        }
        if !options.no_cpu {
            cpu::primitives(n, options.reps, &wanted, &mut report)?;
        }
    }
    Ok(report)
}

/// What the names of forms end with.
fn heat(options: &Options) -> &'static str {
    if options.hot { " hot" } else { "" }
}

/// The forms to time: sizes that were asked for instead of the kernels' own, or all variants.
fn forms(options: &Options, gpu: &Gpu, variants: &[Variant]) -> anyhow::Result<Vec<device::Form>> {
    let mut base = Kernels::new(&gpu.device);
    if let Some(chunks) = options.chunks {
        base = base.with_max_chunks(chunks);
    }
    let tuned = |tuning, name: String, only| {
        let kernels = base.clone().with_variant(Variant::LookBack).with_tuning(tuning);
        device::Form { name: name + heat(options), kernels, only }
    };
    let sweeps = options.sweep.iter().map(|shape| {
        let tuning = Tuning::default().with_sweep(Some(*shape));
        tuned(tuning, format!("lookback {shape}"), "sort")
    });
    let stages = options.stage.iter().map(|items| {
        let tuning = Tuning::default().with_stage(Some(*items));
        tuned(tuning, format!("lookback {items}"), "compact")
    });
    let forms: Vec<_> = sweeps.chain(stages).collect();
    if !forms.is_empty() {
        return Ok(forms);
    }
    let plain = |variant: &Variant| device::Form {
        name: format!("{variant}{}", heat(options)),
        kernels: base.clone().with_variant(*variant),
        only: "",
    };
    Ok(variants.iter().map(plain).collect())
}

fn parse_size(text: &str) -> anyhow::Result<u32> {
    let parsed = match text.split_once('^') {
        Some(("2", power)) => power.parse().ok().and_then(|power| 1u32.checked_shl(power)),
        Some(_) => None,
        None => text.parse().ok(),
    };
    match parsed {
        Some(n) if (1..=1 << 28).contains(&n) => Ok(n),
        _ => bail!("--n {text}: a number or power of two from 1 to 2^28 is expected"),
    }
}
