//! Rows of a device: timed by its own timestamps, on buffers that rotate through more memory than its caches hold.

use super::{
    cases::{self, HalfPredicate, HighByteBin},
    report::{PrimitiveTime, Report, add, times},
};
use anyhow::{Context, ensure};
use benches::{
    random::{floats, words},
    timing::timed_runs,
};
use gpu::{Gpu, timing::PassTimer, transfer};
use kernels::{
    BoundKernel, Count, GpuSlice, Kernels, Order, Plain, PopCount, PyramidShape, ScanIo, ScanKind, Scratch,
    ScratchLayout, SortPairsIo, Sum,
};
use std::rc::Rc;

/// More than four times the second-level cache of the largest devices (60 MiB).
const POOL_BYTES: u64 = 256 << 20;
/// Most sets of buffers that take turns.
const MAX_SETS: u64 = 32;

/// A slot with a kernel bound to it, and what proves its result.
pub struct TimedKernel {
    pub encode: Box<dyn Fn(&mut wgpu::ComputePass<'_>)>,
    pub result: wgpu::Buffer,
}

impl TimedKernel {
    fn of(bound: BoundKernel, result: &wgpu::Buffer) -> Self {
        Self { encode: Box::new(move |pass| bound.encode(pass)), result: result.clone() }
    }
}

/// The buffers of one size, made once for all rows: memory that is given back and asked for again is not laid out as
/// well, which costs large sizes a factor of two and more.
pub struct Pool {
    pub n: u32,
    pub words: Vec<u32>,
    pub floats: Vec<f32>,
    pub slots: Vec<Slot>,
    /// 0, 1, 2 ...: values for sorts.
    indices: Vec<u32>,
}

/// One of the sets of buffers that take turns.
pub struct Slot {
    pub words: wgpu::Buffer,
    floats: wgpu::Buffer,
    indices: wgpu::Buffer,
    pub output: wgpu::Buffer,
    second_output: wgpu::Buffer,
    few: wgpu::Buffer,
}

impl Pool {
    /// Buffers for `n` words: one set of them that stays hot, or as many as caches cannot hold.
    pub fn new(gpu: &Gpu, n: u32, hot: bool) -> Self {
        let (words, floats) = (words(1, n), floats(2, n));
        let indices: Vec<u32> = (0..n).collect();
        // A whole number of vectors, and room for a pyramid.
        let room = n.next_power_of_two().max(4);
        let padded: Vec<u32> = words.iter().copied().chain(std::iter::repeat_n(0, (room - n) as usize)).collect();
        let sets = if hot { 1 } else { (POOL_BYTES / (4 * u64::from(n))).clamp(2, MAX_SETS) };
        let slot = |_| Slot {
            words: transfer::upload(&gpu.device, "words", &padded),
            floats: transfer::upload(&gpu.device, "floats", &floats),
            indices: transfer::upload(&gpu.device, "indices", &indices),
            output: transfer::storage::<u32>(&gpu.device, "output", room),
            second_output: transfer::storage::<u32>(&gpu.device, "second output", n),
            few: transfer::storage::<u32>(&gpu.device, "few", 256),
        };
        let slots = (0..sets).map(slot).collect();
        Self { n, words, floats, slots, indices }
    }
}

/// Times each run by itself. An untimed run comes first, of another set where there are several, so that caches hold other data; it
/// is waited for, because runs that share no buffer overlap.
pub fn time(gpu: &Gpu, sets: &[TimedKernel], reps: usize) -> anyhow::Result<Vec<f64>> {
    let mut timer = PassTimer::new(gpu, 0).context("the device has no timestamps")?;
    timed_runs(gpu, reps, |rep| {
        let [mut untimed, mut timed] = [(); 2].map(|()| gpu.device.create_command_encoder(&Default::default()));
        (sets[(2 * rep) % sets.len()].encode)(&mut untimed.begin_compute_pass(&Default::default()));
        timer.encode_with(&mut timed, &sets[(2 * rep + 1) % sets.len()].encode);
        gpu.queue.submit([untimed.finish()]);
        gpu.wait()?;
        gpu.queue.submit([timed.finish()]);
        Ok(timer.read(gpu)?.0)
    })
}

/// Kernels to time, what rows call them, and which primitives they are for, by the beginning of their names.
pub struct Form {
    pub name: String,
    pub kernels: Kernels,
    pub only: &'static str,
}

/// What sorts of the pool must give: worked out once a size.
#[derive(Default)]
pub struct Oracle {
    keys: Option<Rc<[u32]>>,
    values: Option<Rc<[u32]>>,
}

impl Oracle {
    fn keys(&mut self, pool: &Pool) -> Rc<[u32]> {
        let sorted = || {
            let mut keys = pool.words.clone();
            kernels::sort_keys(&mut keys, Order::Ascending, 32);
            keys.into()
        };
        self.keys.get_or_insert_with(sorted).clone()
    }

    fn values(&mut self, pool: &Pool) -> Rc<[u32]> {
        let sorted = || {
            let (mut keys, mut values) = (pool.words.clone(), pool.indices.clone());
            kernels::sort_pairs(&mut keys, &mut values, Order::Ascending, 32);
            values.into()
        };
        self.values.get_or_insert_with(sorted).clone()
    }
}

/// Times the wanted primitives at one size in one form.
pub fn primitives(
    gpu: &Gpu,
    pool: &Pool,
    form: &Form,
    reps: usize,
    wanted: &impl Fn(&str) -> bool,
    oracle: &mut Oracle,
    report: &mut Report,
) -> anyhow::Result<()> {
    let mut table = Table { gpu, kernels: &form.kernels, pool, form: &form.name, reps, oracle };
    type Measure<'a> = fn(&mut Table<'a>) -> anyhow::Result<PrimitiveTime>;
    let rows: [((&str, f64), Measure<'_>); 8] = [
        (cases::REDUCE_SUM, |table| table.reduce()),
        (cases::REDUCE_FLOAT, |table| table.reduce_float()),
        (cases::SCAN, |table| table.scan()),
        (cases::COMPACT, |table| table.compact()),
        (cases::HISTOGRAM, |table| table.histogram()),
        (cases::PYRAMID, |table| table.pyramid()),
        (cases::SORT_KEYS, Table::sort_keys),
        (cases::SORT_PAIRS, Table::sort_pairs),
    ];
    for ((name, _), measure) in rows {
        if wanted(name) && name.starts_with(form.only) {
            add(report, measure(&mut table)?)?;
        }
    }
    Ok(())
}

struct Table<'a> {
    gpu: &'a Gpu,
    kernels: &'a Kernels,
    pool: &'a Pool,
    form: &'a str,
    reps: usize,
    oracle: &'a mut Oracle,
}

impl Table<'_> {
    /// Times what `bind` makes of each slot of the pool, and checks the results of the first and the last.
    fn time<T: kernels::Element>(
        &self,
        (name, bytes_per_item): (&'static str, f64),
        bind: impl Fn(&Slot) -> anyhow::Result<TimedKernel>,
        check: impl Fn(&[T]) -> bool,
    ) -> anyhow::Result<PrimitiveTime> {
        let n = self.pool.n;
        let sets = self.pool.slots.iter().map(bind).collect::<anyhow::Result<Vec<_>>>()?;
        let seconds = time(self.gpu, &sets, self.reps)?;
        let ran = sets.len().min(2 * self.reps + 4);
        for set in [&sets[0], &sets[ran - 1]] {
            let result = transfer::download::<T>(self.gpu, &set.result)?;
            ensure!(check(&result), "{name} of {n} items, {}: the result is wrong", self.form);
        }
        Ok(times(name, self.form.to_owned(), n, bytes_per_item, seconds))
    }

    fn count(&self) -> Count<'static> {
        Count::Fixed(self.pool.n)
    }

    fn scratch(&self, layout: ScratchLayout) -> Scratch {
        Scratch::new(&self.gpu.device, layout)
    }

    fn reduce(&self) -> anyhow::Result<PrimitiveTime> {
        let plan = self.kernels.reduce::<Sum<u32>>()?;
        let scratch = self.scratch(plan.scratch(self.pool.n));
        let expected = kernels::reduce::<Sum<u32>, Plain<u32>>(&self.pool.words);
        let bind = |slot: &Slot| {
            let (from, to) = (GpuSlice::whole(&slot.words), GpuSlice::whole(&slot.few));
            Ok(TimedKernel::of(plan.bind(from, to, self.count(), &scratch)?, &slot.few))
        };
        self.time(cases::REDUCE_SUM, bind, |found: &[u32]| found[0] == expected)
    }

    fn reduce_float(&self) -> anyhow::Result<PrimitiveTime> {
        let plan = self.kernels.reduce::<Sum<f32>>()?;
        let scratch = self.scratch(plan.scratch(self.pool.n));
        let exact: f64 = self.pool.floats.iter().map(|x| f64::from(*x)).sum();
        let bind = |slot: &Slot| {
            let (from, to) = (GpuSlice::whole(&slot.floats), GpuSlice::whole(&slot.few));
            Ok(TimedKernel::of(plan.bind(from, to, self.count(), &scratch)?, &slot.few))
        };
        // Loose: the exact bound is a test of the crate itself.
        let check = |found: &[f32]| (f64::from(found[0]) / exact - 1.0).abs() < 1e-4;
        self.time(cases::REDUCE_FLOAT, bind, check)
    }

    fn scan(&self) -> anyhow::Result<PrimitiveTime> {
        let plan = self.kernels.scan::<Sum<u32>>()?;
        let scratch = self.scratch(plan.scratch(self.pool.n));
        let n = self.pool.n as usize;
        let mut expected = vec![0; n];
        kernels::scan::<Sum<u32>, Plain<u32>>(&self.pool.words, &mut expected, ScanKind::Exclusive);
        let bind = |slot: &Slot| {
            let (input, output) = (GpuSlice::whole(&slot.words), GpuSlice::whole(&slot.output));
            let io = ScanIo { input, output, total: None };
            Ok(TimedKernel::of(plan.bind(io, ScanKind::Exclusive, self.count(), &scratch)?, &slot.output))
        };
        self.time(cases::SCAN, bind, |found: &[u32]| found[..n] == expected)
    }

    fn compact(&self) -> anyhow::Result<PrimitiveTime> {
        let plan = self.kernels.compact::<HalfPredicate>()?;
        let scratch = self.scratch(plan.scratch(self.pool.n));
        let mut expected = vec![0; self.pool.n as usize];
        let kept = kernels::compact::<HalfPredicate>(&self.pool.words, &mut expected) as usize;
        let bind = |slot: &Slot| {
            let (from, to) = (GpuSlice::whole(&slot.words), GpuSlice::whole(&slot.output));
            Ok(TimedKernel::of(plan.bind(from, to, GpuSlice::whole(&slot.few), self.count(), &scratch)?, &slot.output))
        };
        self.time(cases::COMPACT, bind, |found: &[u32]| found[..kept] == expected[..kept])
    }

    fn histogram(&self) -> anyhow::Result<PrimitiveTime> {
        let plan = self.kernels.histogram::<HighByteBin>()?;
        let expected = kernels::histogram::<HighByteBin>(&self.pool.words);
        let bind = |slot: &Slot| {
            let (from, to) = (GpuSlice::whole(&slot.words), GpuSlice::whole(&slot.few));
            Ok(TimedKernel::of(plan.bind(from, to, self.count())?, &slot.few))
        };
        self.time(cases::HISTOGRAM, bind, |found: &[u32]| found == expected)
    }

    fn pyramid(&self) -> anyhow::Result<PrimitiveTime> {
        let plan = self.kernels.pyramid_source::<Sum<u32>, PopCount>()?;
        let shape = PyramidShape { depth: self.pool.n.next_power_of_two().ilog2(), store_items: false };
        let mut expected = vec![0; shape.nodes() as usize];
        kernels::pyramid::<Sum<u32>, PopCount>(&self.pool.words, &mut expected, shape);
        let bind = |slot: &Slot| {
            let (from, to) = (GpuSlice::whole(&slot.words), GpuSlice::whole(&slot.output));
            Ok(TimedKernel::of(plan.bind(from, to, shape, self.count())?, &slot.output))
        };
        self.time(cases::PYRAMID, bind, |found: &[u32]| found[1..expected.len()] == expected[1..])
    }

    fn sort_keys(&mut self) -> anyhow::Result<PrimitiveTime> {
        let plan = self.kernels.sort_keys::<u32>(Order::Ascending)?;
        let scratch = self.scratch(plan.scratch(self.pool.n));
        let expected = self.oracle.keys(self.pool);
        let bind = |slot: &Slot| {
            let (from, to) = (GpuSlice::whole(&slot.words), GpuSlice::whole(&slot.output));
            Ok(TimedKernel::of(plan.bind(from, to, self.count(), 32, &scratch)?, &slot.output))
        };
        self.time(cases::SORT_KEYS, bind, |found: &[u32]| found[..expected.len()] == *expected)
    }

    fn sort_pairs(&mut self) -> anyhow::Result<PrimitiveTime> {
        let plan = self.kernels.sort_pairs::<u32, u32>(Order::Ascending)?;
        let scratch = self.scratch(plan.scratch(self.pool.n));
        let expected = self.oracle.values(self.pool);
        let bind = |slot: &Slot| {
            let io = SortPairsIo {
                keys_in: GpuSlice::whole(&slot.words),
                values_in: GpuSlice::whole(&slot.indices),
                keys_out: GpuSlice::whole(&slot.output),
                values_out: GpuSlice::whole(&slot.second_output),
            };
            Ok(TimedKernel::of(plan.bind(io, self.count(), 32, &scratch)?, &slot.second_output))
        };
        self.time(cases::SORT_PAIRS, bind, |found: &[u32]| *found == *expected)
    }
}
