//! How does a mesh deeper than any tree live on the GPU? In a pool of triangles whose free places a tree hands out.
//!
//! The scheme of Benyoub and Dupuy's "Concurrent Binary Trees for Large-Scale Game Components" (HPG 2024) on the unit square:
//! the tree does not hold the triangles, it only says which slots of a pool are taken. Two triangles that share their longest edge
//! are split together, so the mesh never has a T-junction. It is refined around a circle and written as a picture.
//!
//! `cargo run --release -p orogen-cbt --features gpu --example gpu_bisector_pool [FILE.png]`

use cbt::gpu::{Access, Layout, TreePasses};
use cbt::{Compact, Tree};
use gpu::pipeline::{ComputeKernel, ComputeOptions};
use gpu::transfer;
use gpu::{Gpu, GpuOptions};
use image::{Rgb, RgbImage};
use kernels::Variant;

/// 2^14 slots.
const DEPTH: u32 = 14;
const UPDATES: u32 = 40;
const PIXELS: i32 = 1024;

const POOL: &str = "
//!import cbt/edit
// A half-edge is 4 slot + edge; edge 0 runs from the first corner to the right angle, 1 on to the last corner, 2, the longest, back.
const BORDER: u32 = 0xffffffffu;
const LONGEST: u32 = 2u;
// The half-edges on the other side of the three edges, then the heap id, whose bits are the path from one of two roots.
@group(0) @binding(0) var<storage, read_write> triangles: array<vec4u>;
@group(0) @binding(1) var<storage, read_write> wanted: array<atomic<u32>>;
@group(0) @binding(2) var<storage, read_write> second: array<u32>; // Slot of the second child of a triangle that splits, else 0.
@group(0) @binding(3) var<storage, read_write> granted: atomic<u32>;
@group(0) @binding(4) var<storage, read_write> live: array<u32>; // Slots by number, for the pass that changes the bits.

fn corners(id: u32) -> array<vec2f, 3> {
    var v = array<vec2f, 3>(vec2f(0.0), vec2f(1.0, 0.0), vec2f(1.0));
    let depth = firstLeadingBit(id) - 1u;
    if ((id >> depth) & 1u) == 1u { v = array<vec2f, 3>(vec2f(1.0), vec2f(0.0, 1.0), vec2f(0.0)); }
    for (var level = depth; level > 0u; level -= 1u) {
        let middle = 0.5 * (v[0] + v[2]);
        if ((id >> (level - 1u)) & 1u) == 0u { v = array<vec2f, 3>(v[1], middle, v[0]); }
        else { v = array<vec2f, 3>(v[2], middle, v[1]); }
    }
    return v;
}

@compute @workgroup_size(64) fn mark(@builtin(global_invocation_id) id: vec3u) {
    if id.x == 0u { atomicStore(&granted, 0u); }
    if id.x >= cbt_leaf_count() { return; }
    let slot = cbt_select_set(id.x);
    live[id.x] = slot;
    let v = corners(triangles[slot].w);
    second[slot] = 0u;
    let size = distance(v[0], v[2]);
    let off = abs(distance(v[1], vec2f(0.4, 0.45)) - 0.3);
    if off < size && size > 0.008 {
        // The triangle behind the longest edge as well: where it is larger, it has to split first.
        let across = triangles[slot][LONGEST];
        atomicStore(&wanted[slot], 1u);
        if across != BORDER { atomicStore(&wanted[across >> 2u], 1u); }
    }
}

@compute @workgroup_size(64) fn allocate(@builtin(global_invocation_id) id: vec3u) {
    if id.x >= cbt_leaf_count() { return; }
    let slot = live[id.x];
    if atomicLoad(&wanted[slot]) == 0u { return; }
    let across = triangles[slot][LONGEST];
    let twin = across >> 2u;
    let alone = across == BORDER;
    // Of a pair, the triangle in the lower slot asks for both.
    if !alone && ((across & 3u) != LONGEST || slot > twin) { return; }
    let rank = atomicAdd(&granted, select(2u, 1u, alone));
    if rank + select(2u, 1u, alone) > cbt_capacity() - cbt_leaf_count() { return; }
    second[slot] = cbt_select_unset(rank);
    if !alone { second[twin] = cbt_select_unset(rank + 1u); }
}

// What lies, after the splits, where a half-edge was: next to its start, or to its end.
fn successor(old: u32, end: bool) -> u32 {
    if old == BORDER || second[old >> 2u] == 0u { return old; }
    let first = old & ~3u;
    let other = 4u * second[old >> 2u];
    switch old & 3u {
        case 0u: { return first + LONGEST; }
        case 1u: { return other + LONGEST; }
        default: { return select(other, first + 1u, end); }
    }
}

@compute @workgroup_size(64) fn commit(@builtin(global_invocation_id) id: vec3u) {
    if id.x >= cbt_leaf_count() { return; }
    let slot = live[id.x];
    atomicStore(&wanted[slot], 0u);
    let old = triangles[slot];
    let other = second[slot];
    if other == 0u {
        triangles[slot] = vec4u(successor(old.x, false), successor(old.y, false), successor(old.z, false), old.w);
        return;
    }
    triangles[slot] = vec4u(4u * other + 1u, successor(old.z, false), successor(old.x, false), 2u * old.w);
    triangles[other] = vec4u(successor(old.z, true), 4u * slot, successor(old.y, false), 2u * old.w + 1u);
    cbt_set_bit(other);
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
    // Two triangles, in slots 0 and 1.
    let mut roots = Compact::new(DEPTH)?;
    roots.set_bit(1)?;
    roots.reduce();
    let tree = passes.upload(&roots)?;
    let border = u32::MAX;
    let mut content = vec![0; 4 << DEPTH];
    content[..8].copy_from_slice(&[border, border, 4 + 2, 2, border, border, 2, 3]);
    let triangles = transfer::upload(&gpu.device, "triangles", &content);
    let words = |label, words| transfer::storage::<u32>(&gpu.device, label, words);
    let named = [
        ("triangles", triangles.clone()),
        ("wanted", words("wanted", 1 << DEPTH)),
        ("second", words("second", 1 << DEPTH)),
        ("granted", words("granted", 1)),
        ("live", words("live", 1 << DEPTH)),
    ];

    let mut composer = passes.composer(Access::ReadWrite);
    composer.bind("mine/pool", "gpu_bisector_pool.rs", POOL);
    let composed = composer.compose("mine/pool")?;
    let mut stages = Vec::new();
    for entry in ["mark", "allocate", "commit"] {
        let kernel = ComputeKernel::new(&gpu.device, &composed, entry, &ComputeOptions::default())?;
        let own: Vec<_> = named.iter().map(|(name, buffer)| (*name, buffer.as_entire_binding())).collect();
        let groups = [kernel.layouts().bind_used(&gpu.device, 0, &own)?, tree.bind_group(kernel.layouts())?];
        stages.push((kernel, groups));
    }
    let mut encoder = gpu.device.create_command_encoder(&Default::default());
    for _ in 0..UPDATES {
        let mut pass = encoder.begin_compute_pass(&Default::default());
        for (kernel, groups) in &stages {
            pass.set_pipeline(kernel.pipeline());
            (0..).zip(groups).for_each(|(index, group)| pass.set_bind_group(index, group, &[]));
            pass.dispatch_workgroups((1 << DEPTH) / 64, 1, 1);
        }
        tree.reduce().encode(&mut pass);
    }
    let download = tree.download(&mut encoder);
    gpu.queue.submit([encoder.finish()]);
    let live: Compact = download.read(&gpu)?;
    let triangles: Vec<u32> = transfer::download(&gpu, &triangles)?;
    let triangle = |slot: u64| &triangles[4 * slot as usize..][..4];

    // Every edge is the other side of its other side: there is no T-junction.
    let slots: Vec<u64> = (0..live.leaf_count()).filter_map(|number| live.select_set(number)).collect();
    for &slot in &slots {
        for (edge, &across) in (0..).zip(&triangle(slot)[..3]) {
            let back = if across == border {
                4 * slot as u32 + edge
            } else {
                triangle(u64::from(across / 4))[(across % 4) as usize]
            };
            if back != 4 * slot as u32 + edge {
                return Err(format!("slot {slot}: edge {edge} is not that of its neighbour").into());
            }
        }
    }
    let path = std::env::args().nth(1).unwrap_or_else(|| "bisector_pool.png".into());
    let mut picture = RgbImage::from_pixel(PIXELS as u32, PIXELS as u32, Rgb([250, 250, 245]));
    slots.iter().for_each(|&slot| draw(&mut picture, corners(triangle(slot)[3])));
    picture.save(&path)?;
    println!("{} triangles in a pool of {}, on {}: {path}", slots.len(), live.capacity(), gpu.caps.adapter);
    Ok(())
}

/// `corners` of the shader.
fn corners(id: u32) -> [[f64; 2]; 3] {
    let depth = id.ilog2() - 1;
    let upper = id >> depth & 1 == 1;
    let root = if upper { [[1.0, 1.0], [0.0, 1.0], [0.0, 0.0]] } else { [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]] };
    (0..depth).rev().fold(root, |[a, b, c], level| {
        let middle = [(a[0] + c[0]) / 2.0, (a[1] + c[1]) / 2.0];
        if id >> level & 1 == 0 { [b, middle, a] } else { [c, middle, b] }
    })
}

/// The edges of a triangle.
fn draw(picture: &mut RgbImage, corners: [[f64; 2]; 3]) {
    for [from, to] in [[0, 1], [1, 2], [2, 0]].map(|edge| edge.map(|corner| corners[corner])) {
        for step in 0..=PIXELS {
            let t = f64::from(step) / f64::from(PIXELS);
            let [x, y] = [0, 1].map(|i| ((from[i] + (to[i] - from[i]) * t) * f64::from(PIXELS - 1)).round() as u32);
            picture.put_pixel(x, y, Rgb([40, 60, 90]));
        }
    }
}
