//! Each task in every form, its results compared.

use super::{
    Options, Sizes, hand,
    report::{Report, TaskTime},
    source,
    tasks::{Harmonics, convolution, float_sum, harmonics, int_sum, matrix_product, md5_search, n_body},
};
use anyhow::{Context, ensure};
use benches::{
    figures::median,
    random::{floats, words},
    timing::{repeated, timed, timed_passes},
};
use bytemuck::Zeroable;
use glam::Vec4;
use gpu::{Gpu, transfer};
use kernels::{
    BoundKernel, Count, GpuSlice, KernelError, KernelPlan, Kernels, LoopKernel, Operator, Scratch, Sum, Variant,
};
use std::hint::black_box;

/// Most runs of the CPU for a row.
const CPU_RUNS: usize = 30;

/// What is said of a task.
struct Task {
    name: &'static str,
    size: String,
    /// Operations, in `unit` times 10^9.
    work: f64,
    unit: &'static str,
    /// Its items in the source.
    source: &'static [&'static str],
}

struct Bench<'a> {
    gpu: &'a Gpu,
    options: &'a Options,
    kernels: Vec<(&'static str, Kernels)>,
    report: Report,
}

/// The forms that the device has.
fn forms(gpu: &Gpu) -> anyhow::Result<Vec<(&'static str, Kernels)>> {
    let kernels = Kernels::new(&gpu.device);
    let mut forms = vec![("portable", kernels.clone().with_variant(Variant::Portable))];
    if gpu.caps.subgroups.is_some() {
        forms.push(("subgroup", kernels.with_variant(Variant::Subgroup)));
    }
    Ok(forms)
}

/// Measures the tasks that were asked for.
pub fn all(gpu: &Gpu, options: &Options, sizes: Sizes) -> anyhow::Result<Report> {
    let mut bench = Bench { gpu, options, kernels: forms(gpu)?, report: Report::new(&gpu.caps, ()) };
    type Measure<'a> = fn(&mut Bench<'a>, Sizes) -> anyhow::Result<()>;
    let tasks: [(&str, Measure<'_>); 7] = [
        ("int sum", Bench::int_sum),
        ("float sum", Bench::float_sum),
        ("harmonics", Bench::harmonics),
        ("n-body", Bench::n_body),
        ("convolution", Bench::convolution),
        ("matrix product", Bench::matrix_product),
        ("MD5 search", Bench::md5),
    ];
    for (name, measure) in tasks {
        if options.only.is_empty() || options.only.iter().any(|start| name.starts_with(start)) {
            measure(&mut bench, sizes).with_context(|| name.to_owned())?;
        }
    }
    Ok(bench.report)
}

/// Prints the WGSL of all kernels.
pub fn print_wgsl(gpu: &Gpu) -> anyhow::Result<()> {
    for (form, kernels) in forms(gpu)? {
        let texts = [
            kernels.plan::<int_sum>()?.wgsl().to_owned(),
            kernels.plan::<float_sum>()?.wgsl().to_owned(),
            kernels.plan::<harmonics>()?.wgsl().to_owned(),
            kernels.plan::<n_body>()?.wgsl().to_owned(),
            kernels.plan::<convolution>()?.wgsl().to_owned(),
            kernels.plan::<matrix_product>()?.wgsl().to_owned(),
            kernels.plan::<md5_search>()?.wgsl().to_owned(),
        ];
        texts.iter().for_each(|text| println!("// ---- {form}\n{text}"));
    }
    Ok(())
}

/// Whether all are as near as this, as a part of the largest.
fn near(found: &[f32], expected: &[f32], part: f32) -> bool {
    let most = expected.iter().fold(0.0f32, |most, x| most.max(x.abs()));
    found.len() >= expected.len() && found.iter().zip(expected).all(|(a, b)| (a - b).abs() <= part * most)
}

impl Bench<'_> {
    /// The rows of the CPU: the plain loops over the `share`th part, and all on all cores.
    fn cpu(&mut self, task: &Task, share: u32, mut serial: impl FnMut(), mut parallel: impl FnMut()) {
        if self.options.no_cpu {
            // Results are compared with these in any case.
            return parallel();
        }
        let one = median(repeated(CPU_RUNS, || timed(&mut serial).0)) * f64::from(share);
        self.add(task, "cpu 1", one, 0, share);
        let all = median(repeated(CPU_RUNS, || timed(&mut parallel).0));
        self.add(task, &format!("cpu {}", rayon::current_num_threads()), all, 0, 1);
    }

    /// The rows of the device: a kernel in every form that it has.
    fn device<K: LoopKernel>(
        &mut self,
        task: &Task,
        bind: impl Fn(&KernelPlan<K>) -> Result<BoundKernel, KernelError>,
        check: impl Fn(&Gpu) -> anyhow::Result<bool>,
    ) -> anyhow::Result<()> {
        for (form, kernels) in self.kernels.clone() {
            let plan = kernels.plan::<K>()?;
            // Without totals there is one form.
            if form == "subgroup" && plan.variant() != Variant::Subgroup {
                continue;
            }
            let bound = bind(&plan)?;
            let time = self.time(|pass| bound.encode(pass))?;
            ensure!(check(self.gpu)?, "{form}: the result is wrong");
            self.add(task, form, time, source::generated(plan.wgsl()), 1);
        }
        Ok(())
    }

    /// The median time of commands on the device.
    fn time(&self, encode: impl Fn(&mut wgpu::ComputePass<'_>)) -> anyhow::Result<f64> {
        Ok(median(timed_passes(self.gpu, self.options.reps, true, |_, pass| encode(pass))?))
    }

    fn add(&mut self, task: &Task, form: &str, seconds: f64, generated: usize, share: u32) {
        let lines = if form == "by hand" { generated } else { source::lines(task.source) };
        self.report.add(TaskTime {
            task: task.name.to_owned(),
            form: form.to_owned(),
            size: task.size.clone(),
            median_ms: seconds * 1e3,
            rate: task.work / seconds.max(1e-12),
            unit: task.unit.to_owned(),
            lines,
            generated: if form == "by hand" { 0 } else { generated },
            share,
        });
    }

    fn upload<T: kernels::Element>(&self, items: &[T]) -> wgpu::Buffer {
        transfer::upload(&self.gpu.device, "input", items)
    }

    fn room<T: kernels::Element>(&self, n: u32) -> wgpu::Buffer {
        transfer::storage::<T>(&self.gpu.device, "output", n)
    }

    /// The reduction of the crate `kernels`, written by hand.
    fn reduce_by_hand<T: kernels::Element>(&mut self, task: &Task, input: &wgpu::Buffer) -> anyhow::Result<()>
    where
        Sum<T>: Operator<Item = T>,
    {
        let (_, kernels) = self.kernels.last().context("there is always a form")?.clone();
        let n = (input.size() / size_of::<T>() as u64) as u32;
        let plan = kernels.reduce::<Sum<T>>()?;
        let scratch = Scratch::new(&self.gpu.device, plan.scratch(n));
        let output = self.room::<T>(1);
        let bound = plan.bind(GpuSlice::whole(input), GpuSlice::whole(&output), Count::Fixed(n), &scratch)?;
        let time = self.time(|pass| bound.encode(pass))?;
        self.add(task, "by hand", time, 0, 1);
        Ok(())
    }

    fn int_sum(&mut self, sizes: Sizes) -> anyhow::Result<()> {
        let items = words(1, sizes.sum);
        let task = Task {
            name: "int sum",
            size: format!("{} words", sizes.sum),
            work: f64::from(sizes.sum) / 1e9,
            unit: "G/s",
            source: &["int_sum"],
        };
        let (mut expected, mut other) = (0, 0);
        self.cpu(
            &task,
            1,
            || int_sum(black_box(&items), black_box(&mut other)),
            || int_sum::par(&items, &mut expected),
        );
        let (input, output) = (self.upload(&items), self.room::<u32>(1));
        self.device::<int_sum>(
            &task,
            |plan| plan.bind((GpuSlice::whole(&input), GpuSlice::whole(&output))),
            |gpu| Ok(transfer::download::<u32>(gpu, &output)?[0] == expected),
        )?;
        self.reduce_by_hand::<u32>(&task, &input)
    }

    fn float_sum(&mut self, sizes: Sizes) -> anyhow::Result<()> {
        let items = floats(1, sizes.sum);
        let exact: f64 = items.iter().map(|x| f64::from(*x)).sum();
        let task = Task {
            name: "float sum",
            size: format!("{} floats", sizes.sum),
            work: f64::from(sizes.sum) / 1e9,
            unit: "G/s",
            source: &["float_sum"],
        };
        let (mut sum, mut other) = (0.0, 0.0);
        self.cpu(&task, 1, || float_sum(black_box(&items), black_box(&mut other)), || float_sum::par(&items, &mut sum));
        let (input, output) = (self.upload(&items), self.room::<f32>(1));
        self.device::<float_sum>(
            &task,
            |plan| plan.bind((GpuSlice::whole(&input), GpuSlice::whole(&output))),
            |gpu| Ok((f64::from(transfer::download::<f32>(gpu, &output)?[0]) / exact - 1.0).abs() < 1e-5),
        )?;
        self.reduce_by_hand::<f32>(&task, &input)
    }

    fn harmonics(&mut self, sizes: Sizes) -> anyhow::Result<()> {
        let [width, height] = sizes.panorama;
        let panorama: Vec<Vec4> = floats(1, width * height * 4).chunks_exact(4).map(Vec4::from_slice).collect();
        let task = Task {
            name: "harmonics",
            size: format!("{width} x {height} texels"),
            work: f64::from(width) * f64::from(height) / 1e9,
            unit: "G/s",
            source: &["Harmonics", "add", "project", "harmonics"],
        };
        let (mut expected, mut other) = (Harmonics::zeroed(), Harmonics::zeroed());
        self.cpu(
            &task,
            1,
            || harmonics(width, height, &panorama, black_box(&mut other)),
            || harmonics::par(width, height, &panorama, &mut expected),
        );
        let (input, output) = (self.upload(&panorama), self.room::<Harmonics>(1));
        self.device::<harmonics>(
            &task,
            |plan| plan.bind((width, height, GpuSlice::whole(&input), GpuSlice::whole(&output))),
            |gpu| {
                let found = transfer::download::<Harmonics>(gpu, &output)?;
                Ok(near(bytemuck::cast_slice(&found), bytemuck::cast_slice(&[expected]), 1e-4))
            },
        )
    }

    fn n_body(&mut self, sizes: Sizes) -> anyhow::Result<()> {
        let n = sizes.bodies;
        let bodies: Vec<Vec4> = floats(1, n * 4).chunks_exact(4).map(Vec4::from_slice).collect();
        let task = Task {
            name: "n-body",
            size: format!("{n} bodies"),
            // As is usual: 20 operations of a pair.
            work: 20.0 * f64::from(n) * f64::from(n) / 1e9,
            unit: "Gflop/s",
            source: &["n_body"],
        };
        let mut expected = vec![Vec4::ZERO; n as usize];
        let mut other = vec![Vec4::ZERO; (n / sizes.share) as usize];
        self.cpu(&task, sizes.share, || n_body(&bodies, black_box(&mut other)), || n_body::par(&bodies, &mut expected));
        let (input, output) = (self.upload(&bodies), self.room::<Vec4>(n));
        self.device::<n_body>(
            &task,
            |plan| plan.bind((GpuSlice::whole(&input), GpuSlice::whole(&output))),
            |gpu| {
                let found = transfer::download::<Vec4>(gpu, &output)?;
                Ok(near(bytemuck::cast_slice(&found), bytemuck::cast_slice(&expected), 1e-3))
            },
        )
    }

    fn convolution(&mut self, sizes: Sizes) -> anyhow::Result<()> {
        let size = sizes.picture;
        let (from, weights) = (floats(1, size * size), [0.1, 0.2, 0.1, 0.0, 0.3, 0.0, -0.1, -0.2, -0.1]);
        let task = Task {
            name: "convolution",
            size: format!("{size} x {size} pixels"),
            // Nine products and as many sums.
            work: 18.0 * f64::from(size) * f64::from(size) / 1e9,
            unit: "Gflop/s",
            source: &["convolution"],
        };
        let mut expected = vec![0.0; from.len()];
        let mut other = expected.clone();
        self.cpu(
            &task,
            1,
            || convolution(black_box(size), black_box(size), black_box(&weights), &from, black_box(&mut other)),
            || convolution::par(black_box(size), black_box(size), black_box(&weights), &from, &mut expected),
        );
        let (input, output) = (self.upload(&from), self.room::<f32>(size * size));
        let filter = self.upload(&weights);
        self.device::<convolution>(
            &task,
            |plan| {
                let (weights, from) = (GpuSlice::whole(&filter), GpuSlice::whole(&input));
                plan.bind((size, size, weights, from, GpuSlice::whole(&output)))
            },
            |gpu| Ok(near(&transfer::download(gpu, &output)?, &expected, 1e-5)),
        )
    }

    fn matrix_product(&mut self, sizes: Sizes) -> anyhow::Result<()> {
        let n = sizes.matrix;
        let both = floats(1, 2 * n * n);
        let (a, b) = both.split_at((n * n) as usize);
        let task = Task {
            name: "matrix product",
            size: format!("{n} x {n}, transposed A"),
            work: 2.0 * f64::from(n).powi(3) / 1e9,
            unit: "Gflop/s",
            source: &["matrix_product"],
        };
        let mut expected = vec![0.0; a.len()];
        let mut other = vec![0.0; a.len() / sizes.share as usize];
        self.cpu(
            &task,
            sizes.share,
            || matrix_product(n / sizes.share, n, a, b, black_box(&mut other)),
            || matrix_product::par(n, n, a, b, &mut expected),
        );
        let buffers = [self.upload(a), self.upload(b), self.room::<f32>(n * n)];
        let [on_a, on_b, on_c] = &buffers;
        let check = |gpu: &Gpu| -> anyhow::Result<bool> { Ok(near(&transfer::download(gpu, on_c)?, &expected, 1e-4)) };
        self.device::<matrix_product>(
            &task,
            |plan| plan.bind((n, n, GpuSlice::whole(on_a), GpuSlice::whole(on_b), GpuSlice::whole(on_c))),
            check,
        )?;
        let product = hand::Product::new(self.gpu, n, [on_a, on_b, on_c])?;
        let time = self.time(|pass| product.encode(pass))?;
        ensure!(check(self.gpu)?, "by hand: the result is wrong");
        self.add(&task, "by hand", time, hand::lines(), 1);
        Ok(())
    }

    fn md5(&mut self, sizes: Sizes) -> anyhow::Result<()> {
        let n = sizes.numbers;
        // MD5 of `jdadamaa` and of `cneadaaa`, by another implementation.
        let (number, a, b) =
            if n >= 1 << 24 { (12_595_257, 0x92f1_8b62, 0xe98a_51ce) } else { (197_842, 0xc9d7_e7e4, 0xeceb_7718) };
        let task = Task {
            name: "MD5 search",
            size: format!("{n} words"),
            work: f64::from(n) / 1e9,
            unit: "G/s",
            source: &["SINES", "TURNS", "letters", "md5_search"],
        };
        let (mut found, mut other) = (0, 0);
        self.cpu(&task, 1, || md5_search(n, a, b, black_box(&mut other)), || md5_search::par(n, a, b, &mut found));
        ensure!(found == number, "all cores found {found}");
        let output = self.room::<u32>(1);
        self.device::<md5_search>(
            &task,
            |plan| plan.bind((n, a, b, GpuSlice::whole(&output))),
            |gpu| Ok(transfer::download::<u32>(gpu, &output)?[0] == number),
        )
    }
}
