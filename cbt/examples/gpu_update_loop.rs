//! What does the update loop look like on the GPU, without a window? The same moving focus as in `update_loop`: decode all leaves,
//! ask each what it wants in a shader of one's own, apply, reduce; the CPU only submits, and reads one number at the end.
//!
//! `cargo run --release -p orogen-cbt --features gpu --example gpu_update_loop`

use std::time::Instant;

use cbt::gpu::{Access, Layout, TreePasses};
use cbt::{Compact, Tree};
use gpu::pipeline::{ComputeKernel, ComputeOptions};
use gpu::transfer;
use gpu::{Gpu, GpuOptions};
use kernels::Variant;

const DEPTH: u32 = 22;
const FRAMES: u32 = 240;
/// Leaves that the list has room for.
const CAPACITY: u32 = 1 << 18;

/// What a leaf wants: it is too large when it is longer than a 5000th of its distance from the focus.
const DECIDE: &str = "
//!import cbt/tree
@group(0) @binding(0) var<uniform> focus: vec4f;
@group(0) @binding(1) var<storage, read> list: array<u32>;
@group(0) @binding(2) var<storage, read_write> wishes: array<u32>;

fn too_large(node: u32) -> bool {
    let level = cbt_node_depth(node);
    let size = 1.0 / f32(1u << level);
    let middle = (f32(node - (1u << level)) + 0.5) * size;
    return size > 2e-4 * max(abs(middle - focus.x), 1e-3);
}

@compute @workgroup_size(256)
fn decide(@builtin(global_invocation_id) id: vec3u) {
    if id.x >= min(cbt_leaf_count(), arrayLength(&list)) { return; }
    let leaf = list[id.x];
    var wish = 0u;
    if too_large(leaf) { wish = 1u; } else if leaf > 1u && !too_large(cbt_parent(leaf)) { wish = 2u; }
    wishes[id.x] = wish;
}";

fn main() {
    if let Err(error) = run() {
        eprintln!("{error}");
        std::process::exit(1);
    }
}

fn run() -> Result<(), Box<dyn std::error::Error>> {
    let gpu = Gpu::new(&GpuOptions::from_env())?;
    let passes = TreePasses::new(&gpu.device, Layout::Compact, Variant::from_env()?)?;
    println!("{} ({}, {})", gpu.caps.adapter, passes.layout().name(), passes.variant());

    let mut composer = passes.composer(Access::ReadOnly);
    composer.bind("loop/decide", "gpu_update_loop.rs", DECIDE);
    let decide =
        ComputeKernel::new(&gpu.device, &composer.compose("loop/decide")?, "decide", &ComputeOptions::default())?;

    let mut encoder = gpu.device.create_command_encoder(&Default::default());
    let tree = passes.tree(&mut encoder, DEPTH)?;
    gpu.queue.submit([encoder.finish()]);

    let list = transfer::storage::<u32>(&gpu.device, "list", CAPACITY);
    let wishes = transfer::storage::<u32>(&gpu.device, "wishes", CAPACITY);
    let focus = gpu.device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("focus"),
        size: 16,
        usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    });
    let resources = [("focus", &focus), ("list", &list), ("wishes", &wishes)];
    let own = decide.bind_group(&gpu.device, 0, &resources.map(|(name, buffer)| (name, buffer.as_entire_binding())))?;
    let group = tree.bind_group(decide.layouts())?;
    let decode = tree.decode(&list, 0..CAPACITY)?;
    let apply = tree.apply(&list, &wishes)?;

    let start = Instant::now();
    for frame in 0..FRAMES {
        let at = 0.5 - 0.5 * (frame as f32 / 40.0).cos();
        gpu.queue.write_buffer(&focus, 0, bytemuck::bytes_of(&[at, 0.0, 0.0, 0.0]));
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        let mut pass = encoder.begin_compute_pass(&Default::default());
        decode.encode(&mut pass);
        pass.set_pipeline(decide.pipeline());
        pass.set_bind_group(0, &own, &[]);
        pass.set_bind_group(1, &group, &[]);
        pass.dispatch_workgroups(CAPACITY / 256, 1, 1);
        apply.encode(&mut pass);
        tree.reduce().encode(&mut pass);
        drop(pass);
        gpu.queue.submit([encoder.finish()]);
    }
    let mut encoder = gpu.device.create_command_encoder(&Default::default());
    let download = tree.download(&mut encoder);
    gpu.queue.submit([encoder.finish()]);
    let tree: Compact = download.read(&gpu)?;
    let us = start.elapsed().as_secs_f64() * 1e6 / f64::from(FRAMES);
    println!("{FRAMES} frames, {us:.0} µs each; {} leaves now; sound: {}", tree.leaf_count(), tree.check().is_ok());
    Ok(())
}
