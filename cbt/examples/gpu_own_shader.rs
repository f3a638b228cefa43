//! How does a shader of one's own use a tree? It imports `cbt/edit` and has the functions of `cbt::Tree` with `cbt_` before them.
//!
//! Each invocation takes a number, finds the leaf that holds it, and splits that leaf until it is deep enough: a histogram
//! whose bins are fine where there is much. `cargo run --release -p orogen-cbt --features gpu --example gpu_own_shader`

use cbt::gpu::{Access, Layout, TreePasses};
use cbt::{Classic, Tree};
use gpu::pipeline::{ComputeKernel, ComputeOptions};
use gpu::transfer;
use gpu::{Gpu, GpuOptions};
use kernels::Variant;

const DEPTH: u32 = 12;
const NUMBERS: u32 = 20_000;

const REFINE: &str = "
//!import cbt/edit
@group(0) @binding(0) var<storage, read> numbers: array<f32>;
@group(0) @binding(1) var<storage, read_write> counts: array<atomic<u32>>;

// A leaf that holds more than 64 numbers is split.
@compute @workgroup_size(256)
fn count(@builtin(global_invocation_id) id: vec3u) {
    if id.x >= arrayLength(&numbers) { return; }
    let leaf = cbt_leaf_at(u32(numbers[id.x] * f32(cbt_capacity())));
    if atomicAdd(&counts[cbt_index_of(leaf)], 1u) == 64u {
        cbt_split(leaf);
    }
}";

fn main() {
    if let Err(error) = run() {
        eprintln!("{error}");
        std::process::exit(1);
    }
}

fn run() -> Result<(), Box<dyn std::error::Error>> {
    let gpu = Gpu::new(&GpuOptions::from_env())?;
    let passes = TreePasses::new(&gpu.device, Layout::Classic, Variant::from_env()?)?;
    let mut composer = passes.composer(Access::ReadWrite);
    composer.bind("mine/refine", "gpu_own_shader.rs", REFINE);
    let kernel =
        ComputeKernel::new(&gpu.device, &composer.compose("mine/refine")?, "count", &ComputeOptions::default())?;

    // Numbers of a triangular distribution around 0.3: the sum of two equal steps through the unit interval.
    let step = |i: u32, phase: f32| (i as f32 * phase).fract();
    let numbers: Vec<f32> = (0..NUMBERS).map(|i| 0.05 + 0.25 * (step(i, 0.618_034) + step(i, 0.754_877_7))).collect();
    let numbers = transfer::upload(&gpu.device, "numbers", &numbers);
    let counts = transfer::storage::<u32>(&gpu.device, "counts", 1 << DEPTH);

    let mut encoder = gpu.device.create_command_encoder(&Default::default());
    let tree = passes.tree(&mut encoder, DEPTH)?;
    let resources = [("numbers", numbers.as_entire_binding()), ("counts", counts.as_entire_binding())];
    let own = kernel.bind_group(&gpu.device, 0, &resources)?;
    let group = tree.bind_group(kernel.layouts())?;
    for _ in 0..DEPTH {
        encoder.clear_buffer(&counts, 0, None);
        let mut pass = encoder.begin_compute_pass(&Default::default());
        pass.set_pipeline(kernel.pipeline());
        pass.set_bind_group(0, &own, &[]);
        pass.set_bind_group(1, &group, &[]);
        pass.dispatch_workgroups(NUMBERS.div_ceil(256), 1, 1);
        tree.reduce().encode(&mut pass);
    }
    let download = tree.download(&mut encoder);
    gpu.queue.submit([encoder.finish()]);

    let tree: Classic = download.read(&gpu)?;
    tree.check()?;
    println!("{} bins on {}:", tree.leaf_count(), gpu.caps.adapter);
    for column in 0..16 {
        let (first, end) = (column * tree.capacity() / 16, (column + 1) * tree.capacity() / 16);
        let bins = tree.rank_set(end) - tree.rank_set(first);
        println!("{:5.3} {}", column as f64 / 16.0, "#".repeat(bins as usize));
    }
    Ok(())
}
