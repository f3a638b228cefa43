//! Rows of the CPU: the same primitives on one thread and on all, and rayon's own sort beside ours.

use super::{
    cases::{self, HalfPredicate, HighByteBin},
    report::{Report, add, times},
};
use benches::{
    random::{floats, words},
    timing::{repeated, thread_counts, timed},
};
use kernels::{Order, Plain, PopCount, PyramidShape, ScanKind, Sum};
use rayon::slice::ParallelSliceMut;

/// Times the wanted primitives at one size, on one thread and on all.
pub fn primitives(n: u32, reps: usize, wanted: &impl Fn(&str) -> bool, report: &mut Report) -> anyhow::Result<()> {
    let words = words(1, n);
    let floats = floats(2, n);
    for threads in thread_counts() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
        let form = format!("cpu {threads}");
        let mut add =
            |(name, bytes): (&'static str, f64), run: &mut (dyn FnMut() -> f64 + Send)| -> anyhow::Result<()> {
                if !wanted(name) {
                    return Ok(());
                }
                let seconds = pool.install(|| repeated(reps, run));
                add(report, times(name, form.clone(), n, bytes, seconds))
            };
        add(cases::REDUCE_SUM, &mut || timed(|| kernels::reduce::<Sum<u32>, Plain<u32>>(&words)).0)?;
        add(cases::REDUCE_FLOAT, &mut || timed(|| kernels::reduce::<Sum<f32>, Plain<f32>>(&floats)).0)?;
        let mut output = vec![0u32; n as usize];
        add(cases::SCAN, &mut || {
            timed(|| kernels::scan::<Sum<u32>, Plain<u32>>(&words, &mut output, ScanKind::Exclusive)).0
        })?;
        add(cases::COMPACT, &mut || timed(|| kernels::compact::<HalfPredicate>(&words, &mut output)).0)?;
        add(cases::HISTOGRAM, &mut || timed(|| kernels::histogram::<HighByteBin>(&words)).0)?;
        let shape = PyramidShape { depth: n.next_power_of_two().ilog2(), store_items: false };
        let mut heap = vec![0u32; shape.nodes() as usize];
        add(cases::PYRAMID, &mut || timed(|| kernels::pyramid::<Sum<u32>, PopCount>(&words, &mut heap, shape)).0)?;
        add(cases::SORT_KEYS, &mut || {
            output.copy_from_slice(&words);
            timed(|| kernels::sort_keys(&mut output, Order::Ascending, 32)).0
        })?;
        let mut values: Vec<u32> = (0..n).collect();
        add(cases::SORT_PAIRS, &mut || {
            output.copy_from_slice(&words);
            timed(|| kernels::sort_pairs(&mut output, &mut values, Order::Ascending, 32)).0
        })?;
        add(("sort keys rayon", 8.0), &mut || {
            output.copy_from_slice(&words);
            timed(|| output.par_sort_unstable()).0
        })?;
    }
    Ok(())
}
