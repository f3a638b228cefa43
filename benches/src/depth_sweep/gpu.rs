//! What does each operation cost on the GPU? Device timestamps around one compute pass, the median of many.

use anyhow::{Context, Result, ensure};
use benches::figures::median;
use benches::timing::timed_passes;
use cbt::gpu::{Dispatches, GpuTree, Layout, TreePasses};
use cbt::{Compact, Edit, Node, Tree};
use gpu::pipeline::{ComputeKernel, ComputeOptions};
use gpu::transfer;
use gpu::{Gpu, GpuOptions, Timestamps};
use kernels::Variant;
use rayon::prelude::*;

use super::options::Options;
use super::row::{Code, Device, GpuPasses, LeastPassTimes, Operation, OperationTime, Report};
use super::trees::fill;

/// Passes that are timed, after warm-up.
const RUNS: usize = 25;
/// The single-threaded decoding is left out where it would take longer than this.
const SINGLE_THREAD_LIMIT_S: f64 = 1.5;

/// Fig. 5 on one GPU thread: each bit in turn; the leaf ends where the next begins.
const SINGLE_THREAD: &str = "
//!import cbt/tree
@group(0) @binding(0) var<storage, read_write> result: array<u32>;
@compute @workgroup_size(1)
fn decode_bitfield() {
    let depth = cbt_depth();
    let capacity = 1u << depth;
    var sum = 0u;
    var index = 0u;
    var start = 0u;
    for (var w = 0u; w < max(capacity >> 5u, 1u); w += 1u) {
        var word = cbt_word(w);
        if w == 0u { word &= ~1u; }
        for (var bit = 0u; bit < 32u; bit += 1u) {
            if ((word >> bit) & 1u) == 1u {
                let x = 32u * w + bit;
                sum += ((capacity + start) >> firstLeadingBit(x - start)) ^ (index * 0x9e3779b1u);
                index += 1u;
                start = x;
            }
        }
    }
    sum += ((capacity + start) >> firstLeadingBit(capacity - start)) ^ (index * 0x9e3779b1u);
    result[0] = index + 1u;
    result[1] = sum;
}";

/// The user's part of the cycle: in even turns one leaf in 16 splits, in odd ones the pairs that came of that (and others like them) merge again.
const CYCLE: &str = "
//!import cbt/edit
@group(0) @binding(0) var<storage, read> list: array<u32>;
@group(0) @binding(1) var<uniform> turn: u32;
fn chosen(node: u32) -> bool {
    var x = node * 747796405u + 2891336453u;
    x = ((x >> ((x >> 28u) + 4u)) ^ x) * 277803737u;
    return (((x >> 22u) ^ x) & 15u) == 0u;
}
@compute @workgroup_size(256)
fn cycle(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let index = id.x + id.y * groups.x * 256u;
    if index >= min(cbt_leaf_count(), arrayLength(&list)) { return; }
    let leaf = list[index];
    if turn == 0u {
        if chosen(leaf) { cbt_split(leaf); }
    } else if cbt_is_right_child(leaf) && chosen(cbt_parent(leaf)) && list[index - 1u] == cbt_sibling(leaf) {
        cbt_merge(cbt_parent(leaf));
    }
}";

/// The least that a pass over memory can do.
const COPY: &str = "
@group(0) @binding(0) var<storage, read> from_words: array<vec4u, 256>;
@group(0) @binding(1) var<storage, read_write> to_words: array<vec4u, 256>;
@compute @workgroup_size(256)
fn copy(@builtin(local_invocation_index) rank: u32) { to_words[rank] = from_words[rank]; }";

/// A GPU and the passes of one layout.
pub struct Sweep {
    gpu: Gpu,
    passes: TreePasses,
    code: Code,
}

impl Sweep {
    /// The best adapter, or why it cannot be measured.
    pub fn new(layout: Layout) -> Result<Self> {
        let gpu = Gpu::new(&GpuOptions::from_env())?;
        ensure!(gpu.caps.timestamps >= Timestamps::Passes, "{} has no timestamps", gpu.caps.adapter);
        let passes = TreePasses::new(&gpu.device, layout, Variant::from_env()?)?;
        let code = if layout == Layout::Classic { Code::Classic } else { Code::Compact };
        Ok(Self { gpu, passes, code })
    }

    /// A report without rows, of its GPU and how that is measured.
    pub fn report(&self) -> Result<Report> {
        let (backend, variant) = (format!("{:?}", self.gpu.caps.backend), self.passes.variant().to_string());
        Ok(Report::new(&self.gpu.caps, Some(GpuPasses { backend, variant, least: Some(self.least()?) })))
    }

    /// What any pass takes, and any that reads and writes.
    fn least(&self) -> Result<LeastPassTimes> {
        let empty =
            self.kernel(cbt::gpu::Access::ReadOnly, "@compute @workgroup_size(1) fn nothing() {}", "nothing")?;
        let empty = BenchKernel { kernel: empty, groups: Vec::new(), workgroups: [1, 1] };
        let kernel = self.kernel(cbt::gpu::Access::ReadOnly, COPY, "copy")?;
        let words = || transfer::storage::<u32>(&self.gpu.device, "words", 1024);
        let (from, to) = (words(), words());
        let resources = [("from_words", from.as_entire_binding()), ("to_words", to.as_entire_binding())];
        let groups = vec![kernel.bind_group(&self.gpu.device, 0, &resources)?];
        let copy = BenchKernel { kernel, groups, workgroups: [1, 1] };
        let median_s = |recorded: &BenchKernel| anyhow::Ok(median(self.time(RUNS, |_, pass| recorded.encode(pass))?));
        let (empty_s, copy_s) = (median_s(&empty)?, median_s(&copy)?);
        println!("# a pass that does nothing: {:.3} µs; that copies 1024 words: {:.3} µs", empty_s * 1e6, copy_s * 1e6);
        Ok(LeastPassTimes { empty_s, copy_s })
    }

    /// Measures all operations at one depth and fill, and checks each result against the CPU.
    pub fn measure(&self, depth: u32, fill_percent: u32, options: &Options, report: &mut Report) -> Result<()> {
        if let Err(refused) = self.passes.layout().check_depth(&self.gpu.device.limits(), depth) {
            eprintln!("D = {depth}, {fill_percent} %: {} is skipped on the GPU, {refused}", self.code.name());
            return Ok(());
        }
        let mut expected = Compact::new(depth)?;
        fill(&mut expected, fill_percent)?;
        let leaves = expected.leaf_count();
        let tree = self.tree(&expected, fill_percent)?;
        let device = Device::Gpu { name: self.gpu.caps.adapter.clone() };
        let row = OperationTime::of(self.code, device, depth, fill_percent, leaves);
        let expected_s = self.expected_single_s(&report.rows, depth, fill_percent, options.step);
        let mut add = |operation, seconds| report.add(row.with(operation, seconds));

        if options.is_selected(Operation::Reduce) {
            add(Operation::Reduce, self.time(RUNS, |_, pass| tree.reduce().encode(pass))?);
        }
        let checksum = checksum(&expected);
        let (decode, result) = self.visit(&tree)?;
        if options.is_selected(Operation::Decode) {
            add(Operation::Decode, self.time(RUNS, |_, pass| decode.encode(pass))?);
        }
        ensure!(self.run_checksum(&decode, &result)? == checksum, "decoding at depth {depth} differs from the CPU");

        if options.is_selected(Operation::Bitfield) && expected_s < SINGLE_THREAD_LIMIT_S {
            let (single, result) = self.single_thread(&tree)?;
            add(Operation::Bitfield, self.time(5, |_, pass| single.encode(pass))?);
            let found: Vec<u32> = transfer::download(&self.gpu, &result)?;
            ensure!(found == checksum, "one thread's decoding at depth {depth} differs from the CPU");
        }
        if fill_percent < 100 && options.is_selected(Operation::Cycle) {
            match self.cycle(&tree, leaves)? {
                Some(seconds) => add(Operation::Cycle, seconds),
                None => eprintln!("D = {depth}, {fill_percent} %: the cycle is skipped, its list cannot be bound"),
            }
            let same = self.run_checksum(&decode, &result)? == self::checksum(&cycled(expected));
            ensure!(same, "the cycles at depth {depth} differ from those of the CPU");
        }
        Ok(())
    }

    /// The tree on the GPU; perfect ones need no upload.
    fn tree(&self, expected: &Compact, fill_percent: u32) -> Result<GpuTree> {
        if fill_percent < 100 {
            return Ok(self.passes.upload(expected)?);
        }
        let mut encoder = self.gpu.device.create_command_encoder(&Default::default());
        let tree = self.passes.tree(&mut encoder, expected.depth())?;
        let reset = tree.reset(expected.depth())?;
        reset.encode(&mut encoder.begin_compute_pass(&Default::default()));
        self.gpu.queue.submit([encoder.finish()]);
        self.gpu.wait()?;
        Ok(tree)
    }

    /// Every leaf into a checksum of number and sum.
    fn visit(&self, tree: &GpuTree) -> Result<(Dispatches, wgpu::Buffer)> {
        let name = match self.passes.variant() {
            Variant::Subgroup => "cbt/visitor/checksum_subgroup",
            _ => "cbt/visitor/checksum",
        };
        let module = cbt::gpu::WGSL.module(name).context("the checksum visitor is embedded")?;
        let visitor = self.passes.visitor(module.file, module.text)?;
        let result = transfer::storage::<u32>(&self.gpu.device, "checksums", 2 * 1024);
        let own = visitor.bind_group(&self.gpu.device, &[("cbt_checksums", result.as_entire_binding())])?;
        Ok((tree.visit(&visitor, 0..u32::MAX, Some(own))?, result))
    }

    fn run_checksum(&self, decode: &Dispatches, result: &wgpu::Buffer) -> Result<Vec<u32>> {
        let mut encoder = self.gpu.device.create_command_encoder(&Default::default());
        encoder.clear_buffer(result, 0, None);
        decode.encode(&mut encoder.begin_compute_pass(&Default::default()));
        self.gpu.queue.submit([encoder.finish()]);
        let parts: Vec<u32> = transfer::download(&self.gpu, result)?;
        let total = |at: usize| parts.iter().skip(at).step_by(2).fold(0, |sum: u32, part| sum.wrapping_add(*part));
        Ok(vec![total(0), total(1)])
    }

    /// Fig. 5 on one thread.
    fn single_thread(&self, tree: &GpuTree) -> Result<(BenchKernel, wgpu::Buffer)> {
        let kernel = self.kernel(cbt::gpu::Access::ReadOnly, SINGLE_THREAD, "decode_bitfield")?;
        let result = transfer::storage::<u32>(&self.gpu.device, "result", 2);
        let own = kernel.bind_group(&self.gpu.device, 0, &[("result", result.as_entire_binding())])?;
        let group = tree.bind_group(kernel.layouts())?;
        Ok((BenchKernel { kernel, groups: vec![own, group], workgroups: [1, 1] }, result))
    }

    /// Twice the time of the last depth that was measured; infinite once it was left out.
    fn expected_single_s(&self, rows: &[OperationTime], depth: u32, fill_percent: u32, step: usize) -> f64 {
        let gpu = |row: &&OperationTime| row.code == self.code && row.is_on_gpu();
        let of_fill = || rows.iter().filter(gpu).filter(|row| row.fill_percent == fill_percent);
        let Some(last) = of_fill().map(|row| row.depth).max() else {
            return if depth <= 20 { 0.0 } else { f64::INFINITY };
        };
        let time =
            of_fill().find(|row| row.depth == last && row.operation == Operation::Bitfield).map(|row| row.median_s);
        time.map_or(f64::INFINITY, |time| time * 2_f64.powi(step as i32))
    }

    /// Decode into a list, split or merge one leaf in 16, reduce; an even number of turns. `None` if the list is too large.
    fn cycle(&self, tree: &GpuTree, leaves: u64) -> Result<Option<Vec<f64>>> {
        // Splits add a sixteenth at most.
        let capacity = (leaves + leaves / 8 + 64).min(1 << tree.depth());
        let limit = self.gpu.caps.storage_binding_bytes.min(self.gpu.caps.buffer_bytes);
        if capacity * 4 > limit {
            return Ok(None);
        }
        let list = transfer::storage::<u32>(&self.gpu.device, "list", capacity as u32);
        let decode = tree.decode(&list, 0..capacity as u32)?;
        let kernel = self.kernel(cbt::gpu::Access::ReadWrite, CYCLE, "cycle")?;
        let group = tree.bind_group(kernel.layouts())?;
        let groups = capacity.div_ceil(256) as u32;
        let workgroups = [groups.min(1 << 15), groups.div_ceil(1 << 15)];
        let mut turns = Vec::new();
        for turn in [0_u32, 1] {
            let uniform = self.gpu.device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("turn"),
                size: 16,
                usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            });
            self.gpu.queue.write_buffer(&uniform, 0, &turn.to_le_bytes());
            let resources = [("list", list.as_entire_binding()), ("turn", uniform.as_entire_binding())];
            let own = kernel.bind_group(&self.gpu.device, 0, &resources)?;
            turns.push(BenchKernel { kernel: kernel.clone(), groups: vec![own, group.clone()], workgroups });
        }
        let turn = |run: usize, pass: &mut wgpu::ComputePass<'_>| {
            decode.encode(pass);
            turns[run % 2].encode(pass);
            tree.reduce().encode(pass);
        };
        Ok(Some(self.time(2 * RUNS, turn)?))
    }

    fn kernel(&self, access: cbt::gpu::Access, text: &str, entry: &str) -> Result<ComputeKernel> {
        let mut composer = self.passes.composer(access);
        composer.bind("sweep/kernel", "depth_sweep/gpu.rs", text);
        Ok(ComputeKernel::new(&self.gpu.device, &composer.compose("sweep/kernel")?, entry, &ComputeOptions::default())?)
    }

    /// Seconds of passes by the device's clock, on `runs` and two untimed ones before.
    fn time(&self, runs: usize, record: impl Fn(usize, &mut wgpu::ComputePass<'_>)) -> Result<Vec<f64>> {
        timed_passes(&self.gpu, runs, false, record)
    }
}

/// One dispatch of a kernel of this benchmark's own.
struct BenchKernel {
    kernel: ComputeKernel,
    groups: Vec<wgpu::BindGroup>,
    workgroups: [u32; 2],
}

impl BenchKernel {
    fn encode(&self, pass: &mut wgpu::ComputePass<'_>) {
        pass.set_pipeline(self.kernel.pipeline());
        for (index, group) in (0..).zip(&self.groups) {
            pass.set_bind_group(index, group, &[]);
        }
        pass.dispatch_workgroups(self.workgroups[0], self.workgroups[1], 1);
    }
}

/// Two turns of the cycle on the CPU. From then on the tree is the same after every second turn: what splits is what merged.
fn cycled(mut tree: Compact) -> Compact {
    let chosen = |node: Node| {
        let x = (node.index() as u32).wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
        let x = ((x >> ((x >> 28) + 4)) ^ x).wrapping_mul(277_803_737);
        ((x >> 22) ^ x) & 15 == 0
    };
    tree.update(|leaf| if chosen(leaf) { Edit::Split } else { Edit::Keep });
    tree.update(|leaf| if leaf.parent().is_some_and(chosen) { Edit::Merge } else { Edit::Keep });
    tree
}

/// What `shaders/cbt/visitor/checksum.wgsl` must find: the number of leaves, and the sum of their mixes with their indices.
fn checksum(tree: &Compact) -> Vec<u32> {
    let mixed = |(index, leaf): (u64, Node)| leaf.index() as u32 ^ (index as u32).wrapping_mul(0x9e37_79b1);
    let sum = tree.par_leaves_indexed().map(mixed).reduce(|| 0, u32::wrapping_add);
    vec![tree.leaf_count() as u32, sum]
}
