//! Rows of the CPU: the same primitives on one thread and on all, and rayon's own sort beside ours.

use super::{
    cases::{self, Half, HighByte},
    report::{Report, add, row},
};
use kernels::{Order, Plain, PopCount, PyramidShape, ScanKind, Sum};
use rayon::slice::ParallelSliceMut;
use std::{hint::black_box, time::Instant};

/// Runs take up to this long in all for each row; slower ones are repeated less often.
const SECONDS_PER_ROW: f64 = 2.0;

/// Times the wanted primitives at one size, on one thread and on all.
pub fn primitives(n: u32, reps: usize, wanted: &impl Fn(&str) -> bool, report: &mut Report) -> anyhow::Result<()> {
    let all = rayon::current_num_threads();
    let words = cases::words(1, n);
    let floats = cases::floats(2, n);
    for threads in if all == 1 { vec![1] } else { vec![1, all] } {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
        let form = format!("cpu {threads}");
        let mut add =
            |(name, bytes): (&'static str, f64), run: &mut (dyn FnMut() -> f64 + Send)| -> anyhow::Result<()> {
                if !wanted(name) {
                    return Ok(());
                }
                let seconds = pool.install(|| {
                    let first = run();
                    let times = (SECONDS_PER_ROW / first.max(1e-9)).clamp(1.0, reps as f64) as usize;
                    (0..times).map(|_| run()).collect()
                });
                add(report, row(name, form.clone(), n, bytes, seconds))
            };
        add(cases::REDUCE_SUM, &mut || timed(|| kernels::reduce::<Sum<u32>, Plain<u32>>(&words)))?;
        add(cases::REDUCE_FLOAT, &mut || timed(|| kernels::reduce::<Sum<f32>, Plain<f32>>(&floats)))?;
        let mut output = vec![0u32; n as usize];
        add(cases::SCAN, &mut || {
            timed(|| kernels::scan::<Sum<u32>, Plain<u32>>(&words, &mut output, ScanKind::Exclusive))
        })?;
        add(cases::COMPACT, &mut || timed(|| kernels::compact::<Half>(&words, &mut output)))?;
        add(cases::HISTOGRAM, &mut || timed(|| kernels::histogram::<HighByte>(&words)))?;
        let shape = PyramidShape { depth: n.next_power_of_two().ilog2(), store_items: false };
        let mut heap = vec![0u32; shape.nodes() as usize];
        add(cases::PYRAMID, &mut || timed(|| kernels::pyramid::<Sum<u32>, PopCount>(&words, &mut heap, shape)))?;
        add(cases::SORT_KEYS, &mut || {
            output.copy_from_slice(&words);
            timed(|| kernels::sort_keys(&mut output, Order::Ascending, 32))
        })?;
        let mut values: Vec<u32> = (0..n).collect();
        add(cases::SORT_PAIRS, &mut || {
            output.copy_from_slice(&words);
            timed(|| kernels::sort_pairs(&mut output, &mut values, Order::Ascending, 32))
        })?;
        add(("sort keys rayon", 8.0), &mut || {
            output.copy_from_slice(&words);
            timed(|| output.par_sort_unstable())
        })?;
    }
    Ok(())
}

fn timed<T>(run: impl FnOnce() -> T) -> f64 {
    let start = Instant::now();
    black_box(run());
    start.elapsed().as_secs_f64()
}
