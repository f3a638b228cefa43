//! Rows of a device: timed by its own timestamps, on buffers that rotate through more memory than its caches hold.

use super::{
    cases::{self, Half, HighByte},
    report::{Report, Row, row},
};
use anyhow::{Context, ensure};
use kernels::{
    Bound, Count, GpuSlice, Kernels, Order, Plain, PopCount, PyramidShape, ScanIo, ScanKind, Scratch, SortPairsIo, Sum,
    Variant, gpu::Gpu, timing::PassTimer, transfer,
};

/// More than four times the second-level cache of the largest devices (60 MiB).
const POOL_BYTES: u64 = 256 << 20;
/// Most sets of buffers that take turns.
const MAX_SETS: u64 = 32;

/// One set of buffers with a primitive bound to them, and what proves its result.
struct Set {
    bound: Bound,
    result: wgpu::Buffer,
    /// Keeps alive what is only bound.
    _others: Vec<wgpu::Buffer>,
}

fn sets(bytes: u64) -> u64 {
    (POOL_BYTES / bytes.max(1)).clamp(1, MAX_SETS)
}

/// Times each run by itself; an untimed run of another set comes first in the same submission, so that clocks are up.
fn time(gpu: &Gpu, sets: &[Set], reps: usize) -> anyhow::Result<Vec<f64>> {
    let mut timer = PassTimer::new(gpu, 0).context("the device has no timestamps")?;
    let mut seconds = Vec::with_capacity(reps);
    for rep in 0..reps + 2 {
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        sets[(2 * rep) % sets.len()].bound.encode(&mut encoder.begin_compute_pass(&Default::default()));
        timer.encode(&mut encoder, &[&sets[(2 * rep + 1) % sets.len()].bound]);
        gpu.queue.submit([encoder.finish()]);
        let (elapsed, _) = timer.read(gpu)?;
        if rep >= 2 {
            seconds.push(elapsed.as_secs_f64());
        }
    }
    Ok(seconds)
}

/// The speed of a buffer copy, bytes read and written.
pub fn copy(gpu: &Gpu, n: u32, reps: usize) -> anyhow::Result<Row> {
    ensure!(gpu.caps.timestamps >= kernels::gpu::Timestamps::Encoders, "the device has no timestamps outside passes");
    let bytes = 4 * u64::from(n);
    let pairs: Vec<_> = (0..sets(2 * bytes))
        .map(|_| (transfer::storage::<u32>(&gpu.device, "a", n), transfer::storage::<u32>(&gpu.device, "b", n)))
        .collect();
    let count = 2;
    let queries =
        gpu.device.create_query_set(&wgpu::QuerySetDescriptor { label: None, ty: wgpu::QueryType::Timestamp, count });
    let resolved = gpu.device.create_buffer(&wgpu::BufferDescriptor {
        label: None,
        size: 16,
        usage: wgpu::BufferUsages::QUERY_RESOLVE | wgpu::BufferUsages::COPY_SRC,
        mapped_at_creation: false,
    });
    let mut seconds = Vec::new();
    for rep in 0..reps + 2 {
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        let (a, b) = &pairs[rep % pairs.len()];
        encoder.copy_buffer_to_buffer(b, 0, a, 0, bytes);
        let (a, b) = &pairs[(rep + 1) % pairs.len()];
        encoder.write_timestamp(&queries, 0);
        encoder.copy_buffer_to_buffer(a, 0, b, 0, bytes);
        encoder.write_timestamp(&queries, 1);
        encoder.resolve_query_set(&queries, 0..2, &resolved, 0);
        gpu.queue.submit([encoder.finish()]);
        let ticks: Vec<u64> = transfer::download(gpu, &resolved)?;
        if rep >= 2 {
            seconds.push(ticks[1].saturating_sub(ticks[0]) as f64 * f64::from(gpu.queue.get_timestamp_period()) / 1e9);
        }
    }
    Ok(row("copy", "device".to_owned(), n, 8.0, seconds))
}

/// Times the wanted primitives at one size in one variant.
pub fn primitives(
    gpu: &Gpu,
    n: u32,
    variant: Variant,
    chunks: Option<u32>,
    reps: usize,
    wanted: &impl Fn(&str) -> bool,
    report: &mut Report,
) -> anyhow::Result<()> {
    let mut kernels = Kernels::new(&gpu.device)?.with_variant(variant);
    if let Some(chunks) = chunks {
        kernels = kernels.with_max_chunks(chunks);
    }
    let words = cases::words(1, n);
    let table = Table { gpu, kernels: &kernels, n, words: &words, variant, reps };
    if wanted(cases::REDUCE_SUM.0) {
        report.add(table.reduce()?)?;
    }
    if wanted(cases::REDUCE_FLOAT.0) {
        report.add(table.reduce_float()?)?;
    }
    if wanted(cases::SCAN.0) {
        report.add(table.scan()?)?;
    }
    if wanted(cases::COMPACT.0) {
        report.add(table.compact()?)?;
    }
    if wanted(cases::HISTOGRAM.0) {
        report.add(table.histogram()?)?;
    }
    if wanted(cases::PYRAMID.0) {
        report.add(table.pyramid()?)?;
    }
    if wanted(cases::SORT_KEYS.0) {
        report.add(table.sort_keys()?)?;
    }
    if wanted(cases::SORT_PAIRS.0) {
        report.add(table.sort_pairs()?)?;
    }
    Ok(())
}

struct Table<'a> {
    gpu: &'a Gpu,
    kernels: &'a Kernels,
    n: u32,
    words: &'a [u32],
    variant: Variant,
    reps: usize,
}

impl Table<'_> {
    /// Times the sets that `make` makes, of `bytes` bytes each, and checks every result.
    fn time<T: kernels::Element>(
        &self,
        (name, bytes_per_item): (&'static str, f64),
        bytes: u64,
        make: impl Fn() -> anyhow::Result<Set>,
        check: impl Fn(&[T]) -> bool,
    ) -> anyhow::Result<Row> {
        let sets = (0..sets(bytes)).map(|_| make()).collect::<anyhow::Result<Vec<_>>>()?;
        let seconds = time(self.gpu, &sets, self.reps)?;
        // The first and the last set have both run by now, unless there are more sets than runs.
        for set in sets.iter().take(2 * self.reps + 4).step_by(sets.len().max(2) - 1) {
            let result = transfer::download::<T>(self.gpu, &set.result)?;
            ensure!(check(&result), "{name} of {} items, {}: the result is wrong", self.n, self.variant);
        }
        Ok(row(name, self.variant.to_string(), self.n, bytes_per_item, seconds))
    }

    fn upload(&self) -> wgpu::Buffer {
        transfer::upload(&self.gpu.device, "items", self.words)
    }

    fn room(&self, len: u32) -> wgpu::Buffer {
        transfer::storage::<u32>(&self.gpu.device, "room", len)
    }

    fn bytes(&self) -> u64 {
        4 * u64::from(self.n)
    }

    fn reduce(&self) -> anyhow::Result<Row> {
        let plan = self.kernels.reduce::<Sum<u32>>()?;
        let scratch = Scratch::new(&self.gpu.device, plan.scratch(self.n));
        let expected = kernels::reduce::<Sum<u32>, Plain<u32>>(self.words);
        let make = || {
            let (input, result) = (self.upload(), self.room(1));
            let bound = plan.bind(GpuSlice::whole(&input), GpuSlice::whole(&result), Count::Fixed(self.n), &scratch)?;
            Ok(Set { bound, result, _others: vec![input] })
        };
        self.time(cases::REDUCE_SUM, self.bytes(), make, |found: &[u32]| found == [expected])
    }

    fn reduce_float(&self) -> anyhow::Result<Row> {
        let plan = self.kernels.reduce::<Sum<f32>>()?;
        let scratch = Scratch::new(&self.gpu.device, plan.scratch(self.n));
        let items = cases::floats(2, self.n);
        let exact: f64 = items.iter().map(|x| f64::from(*x)).sum();
        let make = || {
            let (input, result) = (transfer::upload(&self.gpu.device, "items", &items), self.room(1));
            let bound = plan.bind(GpuSlice::whole(&input), GpuSlice::whole(&result), Count::Fixed(self.n), &scratch)?;
            Ok(Set { bound, result, _others: vec![input] })
        };
        // Loose: the exact bound is a test of the crate itself.
        let check = |found: &[f32]| (f64::from(found[0]) / exact - 1.0).abs() < 1e-4;
        self.time(cases::REDUCE_FLOAT, self.bytes(), make, check)
    }

    fn scan(&self) -> anyhow::Result<Row> {
        let plan = self.kernels.scan::<Sum<u32>>()?;
        let scratch = Scratch::new(&self.gpu.device, plan.scratch(self.n));
        let mut expected = vec![0; self.n as usize];
        kernels::scan::<Sum<u32>, Plain<u32>>(self.words, &mut expected, ScanKind::Exclusive);
        let make = || {
            let (input, result) = (self.upload(), self.room(self.n));
            let io = ScanIo { input: GpuSlice::whole(&input), output: GpuSlice::whole(&result), total: None };
            let bound = plan.bind(io, ScanKind::Exclusive, Count::Fixed(self.n), &scratch)?;
            Ok(Set { bound, result, _others: vec![input] })
        };
        self.time(cases::SCAN, 2 * self.bytes(), make, |found: &[u32]| found == expected)
    }

    fn compact(&self) -> anyhow::Result<Row> {
        let plan = self.kernels.compact::<Half>()?;
        let scratch = Scratch::new(&self.gpu.device, plan.scratch(self.n));
        let mut expected = vec![0; self.n as usize];
        let kept = kernels::compact::<Half>(self.words, &mut expected) as usize;
        let make = || {
            let (input, result, count) = (self.upload(), self.room(self.n), self.room(1));
            let (from, to) = (GpuSlice::whole(&input), GpuSlice::whole(&result));
            let bound = plan.bind(from, to, GpuSlice::whole(&count), Count::Fixed(self.n), &scratch)?;
            Ok(Set { bound, result, _others: vec![input, count] })
        };
        self.time(cases::COMPACT, 2 * self.bytes(), make, |found: &[u32]| found[..kept] == expected[..kept])
    }

    fn histogram(&self) -> anyhow::Result<Row> {
        let plan = self.kernels.histogram::<HighByte>()?;
        let expected = kernels::histogram::<HighByte>(self.words);
        let make = || {
            let (input, result) = (self.upload(), self.room(256));
            let bound = plan.bind(GpuSlice::whole(&input), GpuSlice::whole(&result), Count::Fixed(self.n))?;
            Ok(Set { bound, result, _others: vec![input] })
        };
        self.time(cases::HISTOGRAM, self.bytes(), make, |found: &[u32]| found == expected)
    }

    fn pyramid(&self) -> anyhow::Result<Row> {
        let plan = self.kernels.pyramid_source::<Sum<u32>, PopCount>()?;
        let shape = PyramidShape { depth: self.n.next_power_of_two().ilog2(), store_items: false };
        let expected: u32 = self.words.iter().map(|word| word.count_ones()).fold(0, u32::wrapping_add);
        let make = || {
            let (input, result) = (self.upload(), self.room(shape.nodes()));
            let bound = plan.bind(GpuSlice::whole(&input), GpuSlice::whole(&result), shape, Count::Fixed(self.n))?;
            Ok(Set { bound, result, _others: vec![input] })
        };
        let check = |found: &[u32]| {
            let children =
                (1..shape.nodes() as usize / 2).all(|k| found[k] == found[2 * k].wrapping_add(found[2 * k + 1]));
            found.get(1).is_none_or(|root| *root == expected) && children
        };
        self.time(cases::PYRAMID, 2 * self.bytes(), make, check)
    }

    fn sort_keys(&self) -> anyhow::Result<Row> {
        let plan = self.kernels.sort_keys::<u32>(Order::Ascending)?;
        let scratch = Scratch::new(&self.gpu.device, plan.scratch(self.n));
        let mut expected = self.words.to_vec();
        kernels::sort_keys(&mut expected, Order::Ascending, 32);
        let make = || {
            let (input, result) = (self.upload(), self.room(self.n));
            let (from, to) = (GpuSlice::whole(&input), GpuSlice::whole(&result));
            let bound = plan.bind(from, to, Count::Fixed(self.n), 32, &scratch)?;
            Ok(Set { bound, result, _others: vec![input] })
        };
        self.time(cases::SORT_KEYS, 2 * self.bytes(), make, |found: &[u32]| found == expected)
    }

    fn sort_pairs(&self) -> anyhow::Result<Row> {
        let plan = self.kernels.sort_pairs::<u32, u32>(Order::Ascending)?;
        let scratch = Scratch::new(&self.gpu.device, plan.scratch(self.n));
        let indices: Vec<u32> = (0..self.n).collect();
        let (mut keys, mut expected) = (self.words.to_vec(), indices.clone());
        kernels::sort_pairs(&mut keys, &mut expected, Order::Ascending, 32);
        let make = || {
            let (keys, keys_out) = (self.upload(), self.room(self.n));
            let (values, result) = (transfer::upload(&self.gpu.device, "values", &indices), self.room(self.n));
            let io = SortPairsIo {
                keys_in: GpuSlice::whole(&keys),
                values_in: GpuSlice::whole(&values),
                keys_out: GpuSlice::whole(&keys_out),
                values_out: GpuSlice::whole(&result),
            };
            let bound = plan.bind(io, Count::Fixed(self.n), 32, &scratch)?;
            Ok(Set { bound, result, _others: vec![keys, values, keys_out] })
        };
        self.time(cases::SORT_PAIRS, 4 * self.bytes(), make, |found: &[u32]| found == expected)
    }
}
