//! The GPU does what the CPU does, bit for bit: both layouts, every depth, with and without subgroups.
//!
//! Mesa's software device has subgroups of 4, 8 or 16 invocations with `LP_NATIVE_VECTOR_WIDTH` 128, 256 or 512.
#![cfg(feature = "gpu")]

mod common;

use std::sync::OnceLock;

use cbt::gpu::{Access, Dispatches, GpuTree, GpuTreeError, Layout, MAX_GPU_DEPTH, TreePasses};
use cbt::{Classic, Compact, Edit, Error, Node, Tree};
use common::{Naive, Random};
use gpu::pipeline::{ComputeKernel, ComputeOptions};
use gpu::transfer;
use gpu::{Gpu, GpuOptions};
use kernels::Variant;

/// A device and the passes of one layout and variant on it.
struct Bench {
    name: String,
    gpu: Gpu,
    passes: TreePasses,
}

/// The software device (or the one of `WGPU_ADAPTER_NAME`) with and without subgroups, each variant that it can run, both layouts.
fn benches() -> &'static [Bench] {
    static BENCHES: OnceLock<Vec<Bench>> = OnceLock::new();
    BENCHES.get_or_init(|| {
        let mut benches = Vec::new();
        for disable_subgroups in [false, true] {
            let software = std::env::var_os("WGPU_ADAPTER_NAME").is_none();
            let options = GpuOptions::from_env().with_software(software).with_disable_subgroups(disable_subgroups);
            let gpu = Gpu::new(&options).expect("a software adapter is needed: apt install mesa-vulkan-drivers");
            let both: &[Variant] = &[Variant::Subgroup, Variant::Portable];
            for &variant in if gpu.caps.subgroups.is_some() { both } else { &[Variant::Auto] } {
                for layout in [Layout::Classic, Layout::Compact] {
                    let passes = TreePasses::new(&gpu.device, layout, variant).unwrap();
                    let name = format!("{}, {variant}, subgroups {:?}", layout.name(), gpu.caps.subgroups);
                    benches.push(Bench { name, gpu: gpu.clone(), passes });
                }
            }
        }
        benches
    })
}

impl Bench {
    fn submit<R>(&self, record: impl FnOnce(&mut wgpu::CommandEncoder) -> R) -> R {
        let mut encoder = self.gpu.device.create_command_encoder(&Default::default());
        let result = record(&mut encoder);
        self.gpu.queue.submit([encoder.finish()]);
        self.gpu.wait().unwrap_or_else(|error| panic!("{}: {error}", self.name));
        result
    }

    fn run(&self, dispatches: &[&Dispatches]) {
        self.submit(|encoder| {
            let mut pass = encoder.begin_compute_pass(&Default::default());
            dispatches.iter().for_each(|dispatches| dispatches.encode(&mut pass));
        });
    }

    fn upload<T: Tree>(&self, tree: &T) -> GpuTree {
        self.passes.upload(tree).unwrap()
    }

    fn download<T: Tree>(&self, tree: &GpuTree) -> T {
        self.submit(|encoder| tree.download(encoder)).read(&self.gpu).unwrap()
    }

    /// What a shader that has the tree in group 1 writes into `answers`, so many words.
    fn ask(&self, kernel: &ComputeKernel, tree: &GpuTree, words: u32, workgroups: u32) -> Vec<u32> {
        let answers = transfer::storage::<u32>(&self.gpu.device, "answers", words);
        let own = kernel.bind_group(&self.gpu.device, 0, &[("answers", answers.as_entire_binding())]).unwrap();
        let group = tree.bind_group(kernel.layouts()).unwrap();
        self.submit(|encoder| {
            let mut pass = encoder.begin_compute_pass(&Default::default());
            pass.set_pipeline(kernel.pipeline());
            pass.set_bind_group(0, &own, &[]);
            pass.set_bind_group(1, &group, &[]);
            pass.dispatch_workgroups(workgroups, 1, 1);
        });
        transfer::download(&self.gpu, &answers).unwrap()
    }

    /// Every bit and every sum on the device must be those of a tree with the bits of `expected`.
    fn check(&self, tree: &GpuTree, expected: &Compact, what: &str) {
        let words: Vec<u64> = expected.words().collect();
        let depth = expected.depth();
        let context = format!("{}, depth {depth}: {what}", self.name);
        match self.passes.layout() {
            Layout::Classic => {
                let heap: Vec<u32> = transfer::download(&self.gpu, &tree.buffers()[0]).unwrap();
                let heap: &[u8] = bytemuck::cast_slice(&heap);
                let expected = Classic::from_words(depth, &words).unwrap().save();
                let wrong = heap.iter().zip(&expected).position(|(a, b)| a != b);
                assert_eq!(wrong, None, "byte of the heap: {context}");
            }
            Layout::Compact => {
                let sums: Vec<u32> = transfer::download(&self.gpu, &tree.buffers()[0]).unwrap();
                let bits: Vec<u64> = transfer::download(&self.gpu, &tree.buffers()[1]).unwrap();
                assert!(bits[..words.len()] == words, "bits: {context}");
                assert_eq!(sums[0], depth, "{context}");
                for node in 1..2_u64 << depth.saturating_sub(9) {
                    let count = expected.count(Node::new(node).unwrap()).unwrap();
                    assert_eq!(u64::from(sums[node as usize]), count, "sum of {node}: {context}");
                }
            }
        }
    }

    /// Overwrites the sums, so that a reduction must make them all.
    fn spoil_sums(&self, tree: &GpuTree) {
        let buffer = &tree.buffers()[0];
        let bytes = match self.passes.layout() {
            Layout::Classic if tree.depth() < 5 => return,
            Layout::Classic => (3_u64 << tree.depth()) / 8,
            Layout::Compact => buffer.size(),
        };
        self.gpu.queue.write_buffer(buffer, 0, &vec![0xa5; bytes as usize]);
    }
}

/// A random tree and its leaves.
fn random_tree(depth: u32, seed: u64, fill: f64) -> (Compact, Vec<u32>) {
    let naive = Naive::random(depth, fill, &mut Random(seed));
    let leaves = naive.leaves().iter().map(|leaf| leaf.index() as u32).collect();
    (naive.build(depth), leaves)
}

#[test]
fn reduction_gives_every_sum_at_every_depth() {
    for bench in benches() {
        for depth in 1..=20 {
            let (tree, _) = random_tree(depth, depth.into(), 0.93);
            let on_gpu = bench.upload(&tree);
            bench.check(&on_gpu, &tree, "as uploaded");
            bench.spoil_sums(&on_gpu);
            bench.run(&[on_gpu.reduce()]);
            bench.check(&on_gpu, &tree, "reduced");
            assert!(bench.download::<Classic>(&on_gpu).same_bits(&tree));
        }
    }
}

#[test]
fn reduction_holds_for_bits_that_are_no_tree() {
    for bench in benches() {
        for depth in [3, 6, 11, 14, 16, 17, 18, 19, 21, 23, 25, 26, 27] {
            let mut random = Random(depth.into());
            let random: Vec<u64> =
                (0..(1_usize << depth).div_ceil(64)).map(|_| random.next() | random.next()).collect();
            let ones = vec![u64::MAX; random.len()];
            for (what, words) in [("random bits", random), ("all bits", ones)] {
                let tree = Compact::from_words(depth, &words).unwrap();
                let on_gpu = bench.upload(&tree);
                bench.spoil_sums(&on_gpu);
                bench.run(&[on_gpu.reduce()]);
                bench.check(&on_gpu, &tree, what);
            }
        }
    }
}

/// Dispatches that wait for each other are what a reduction costs up to some million bits.
#[test]
fn reduction_takes_few_dispatches() {
    for bench in benches() {
        let expected = match bench.passes.layout() {
            Layout::Classic => [(1, 1), (15, 1), (18, 1), (19, 2), (25, 2), (27, 2)],
            Layout::Compact => [(1, 1), (15, 1), (17, 1), (18, 2), (25, 2), (27, 2)],
        };
        for (depth, dispatches) in expected {
            let on_gpu = bench.submit(|encoder| bench.passes.tree(encoder, depth).unwrap());
            assert_eq!(on_gpu.reduce().len(), dispatches, "{}, depth {depth}", bench.name);
        }
    }
}

#[test]
fn resetting_gives_every_level() {
    for bench in benches() {
        for depth in [1, 2, 3, 4, 5, 6, 7, 9, 13, 14, 17, 18, 20] {
            let on_gpu = bench.submit(|encoder| bench.passes.tree(encoder, depth).unwrap());
            let mut tree = Compact::new(depth).unwrap();
            bench.check(&on_gpu, &tree, "new");
            for level in [depth, depth / 2, depth - 1, 0, depth.min(3)] {
                bench.run(&[&on_gpu.reset(level).unwrap()]);
                tree.reset_to_depth(level).unwrap();
                bench.check(&on_gpu, &tree, &format!("reset to {level}"));
            }
            assert!(matches!(on_gpu.reset(depth + 1), Err(GpuTreeError::Tree(Error::Depth { .. }))));
        }
    }
}

#[test]
fn decoding_lists_every_leaf_in_order() {
    for bench in benches() {
        for depth in 1..=20 {
            for fill in [0.5, 0.93, 1.0] {
                let (tree, leaves) = random_tree(depth, u64::from(depth) + 100, if depth > 15 { 0.93 } else { fill });
                let on_gpu = bench.upload(&tree);
                let list = transfer::storage::<u32>(&bench.gpu.device, "list", leaves.len() as u32 + 3);
                bench.run(&[&on_gpu.decode(&list, 0..leaves.len() as u32 + 3).unwrap()]);
                let decoded: Vec<u32> = transfer::download(&bench.gpu, &list).unwrap();
                let wrong = decoded.iter().zip(&leaves).position(|(a, b)| a != b);
                assert_eq!(wrong, None, "{}, depth {depth}, fill {fill}", bench.name);
                assert_eq!(decoded[leaves.len()..], [0; 3], "beyond the last leaf: {}, depth {depth}", bench.name);
            }
        }
    }
}

/// Leaves larger than a workgroup's part of the bits, alone in it or with none: paths to single deep leaves.
#[test]
fn decoding_finds_leaves_larger_than_a_workgroup() {
    for bench in benches() {
        for depth in [14, 17, 20] {
            let mut tree = Compact::new(depth).unwrap();
            for offset in [0, 77, (1 << depth) / 3, (1 << depth) - 1] {
                let deepest = Node::at(depth, offset).unwrap();
                (0..depth - (offset % 5) as u32)
                    .for_each(|level| assert!(tree.split(deepest.ancestor(level).unwrap()).is_ok()));
            }
            tree.reduce();
            let leaves: Vec<u32> = tree.leaves().map(|leaf| leaf.index() as u32).collect();
            let on_gpu = bench.upload(&tree);
            let list = transfer::storage::<u32>(&bench.gpu.device, "list", leaves.len() as u32);
            bench.run(&[&on_gpu.decode(&list, 0..leaves.len() as u32).unwrap()]);
            assert_eq!(transfer::download::<u32>(&bench.gpu, &list).unwrap(), leaves, "{}, depth {depth}", bench.name);
        }
    }
}

#[test]
fn a_window_of_leaves_is_that_part_of_the_list() {
    for bench in benches() {
        let (tree, leaves) = random_tree(15, 9, 0.97);
        let on_gpu = bench.upload(&tree);
        let len = leaves.len() as u32;
        for window in [0..1, 5..700, len / 2..len, len - 1..len, len..len + 4] {
            let list = transfer::storage::<u32>(&bench.gpu.device, "list", window.len() as u32);
            bench.run(&[&on_gpu.decode(&list, window.clone()).unwrap()]);
            let mut expected: Vec<u32> =
                leaves.iter().copied().skip(window.start as usize).take(window.len()).collect();
            expected.resize(window.len(), 0);
            assert_eq!(transfer::download::<u32>(&bench.gpu, &list).unwrap(), expected, "{window:?}: {}", bench.name);
        }
        let short = transfer::storage::<u32>(&bench.gpu.device, "list", 4);
        assert!(matches!(on_gpu.decode(&short, 0..5), Err(GpuTreeError::Buffer { buffer: "list", bytes: 16, .. })));
    }
}

/// Three turns of the cycle (decode, edit, reduce) on the GPU against `Tree::update`.
#[test]
fn applied_edits_are_those_of_update() {
    for bench in benches() {
        for depth in [1, 2, 5, 8, 13, 14, 18] {
            let (mut tree, _) = random_tree(depth, u64::from(depth) + 7, 0.9);
            let on_gpu = bench.upload(&tree);
            for turn in 0..3_u64 {
                let wish = |leaf: u64| match Random(leaf ^ turn << 40).below(3 - turn % 2) {
                    0 => Edit::Merge,
                    1 => Edit::Split,
                    _ => Edit::Keep,
                };
                let wishes: Vec<u32> = tree
                    .leaves()
                    .map(|leaf| match wish(leaf.index()) {
                        Edit::Keep => 0,
                        Edit::Split => 1,
                        Edit::Merge => 2,
                    })
                    .collect();
                let list = transfer::storage::<u32>(&bench.gpu.device, "list", wishes.len() as u32);
                let asked = transfer::upload(&bench.gpu.device, "wishes", &wishes);
                let decode = on_gpu.decode(&list, 0..wishes.len() as u32).unwrap();
                bench.run(&[&decode, &on_gpu.apply(&list, &asked).unwrap(), on_gpu.reduce()]);
                tree.update(|leaf| wish(leaf.index()));
                bench.check(&on_gpu, &tree, &format!("turn {turn}"));
            }
        }
    }
}

/// A user's shader that asks everything a tree can be asked about one number.
const QUERIES: &str = "
//!import cbt/tree
struct Answers { leaf: u32, rank_set: u32, rank_unset: u32, select_set: u32, select_unset: u32, leaf_at: u32, index_of: u32, flags: u32 }
@group(0) @binding(0) var<storage, read_write> answers: array<Answers>;
@compute @workgroup_size(64)
fn ask(@builtin(global_invocation_id) id: vec3u) {
    let x = id.x;
    if x >= arrayLength(&answers) { return; }
    let inside = cbt_is_inside(x);
    var index = 0u;
    if inside { index = cbt_index_of(x); }
    let flags = u32(cbt_bit(x)) | (u32(cbt_contains(x)) << 1u) | (u32(cbt_is_leaf(x)) << 2u) | (u32(inside) << 3u);
    answers[x] = Answers(cbt_leaf(x), cbt_rank_set(x), cbt_rank_unset(x), cbt_select_set(x), cbt_select_unset(x), cbt_leaf_at(x), index, flags);
}";

#[test]
fn a_users_shader_gets_the_answers_of_the_cpu() {
    for bench in benches() {
        for access in [Access::Fixed, Access::Shared] {
            let mut composer = bench.passes.composer(access);
            composer.bind("user/queries", "queries.wgsl", QUERIES);
            let composed = composer.compose("user/queries").unwrap();
            let kernel = ComputeKernel::new(&bench.gpu.device, &composed, "ask", &ComputeOptions::default()).unwrap();
            for depth in [1, 2, 4, 5, 7, 9, 10, 12] {
                let (tree, _) = random_tree(depth, u64::from(depth) + 3, 0.85);
                let on_gpu = bench.upload(&tree);
                let questions = 4_u32 << depth;
                let answers = bench.ask(&kernel, &on_gpu, 8 * questions, questions.div_ceil(64));
                for (x, answer) in (0_u64..).zip(answers.chunks(8)) {
                    let node = Node::new(x);
                    let flag = |set: bool, bit: u32| u32::from(set) << bit;
                    let inside = node.is_some_and(|node| node.depth() <= depth);
                    let bit = |found: Option<u64>| found.map_or(u32::MAX, |bit| bit as u32);
                    let leaf = |found: Result<Node, Error>| found.map_or(0, |leaf| leaf.index() as u32);
                    let expected = [
                        leaf(tree.leaf(x)),
                        tree.rank_set(x) as u32,
                        tree.rank_unset(x) as u32,
                        bit(tree.select_set(x)),
                        bit(tree.select_unset(x)),
                        leaf(tree.leaf_at(x)),
                        node.and_then(|node| tree.index_of(node).ok()).unwrap_or(0) as u32,
                        flag(tree.bit(x), 0)
                            | flag(node.is_some_and(|node| tree.contains(node)), 1)
                            | flag(node.is_some_and(|node| tree.is_leaf(node)), 2)
                            | flag(inside, 3),
                    ];
                    assert_eq!(answer, expected, "{x} of depth {depth}, {access:?}: {}", bench.name);
                }
            }
        }
    }
}

/// A user's shader in which each workgroup asks about its 256 bits together.
const TILES: &str = "
//!import cbt/tile
@group(0) @binding(0) var<storage, read_write> answers: array<vec4u>;
@compute @workgroup_size(256)
fn ask(@builtin(workgroup_id) tile: vec3u, @builtin(local_invocation_index) rank: u32) {
    cbt_read_tile(tile.x, rank);
    let x = 256u * tile.x + rank;
    if x < arrayLength(&answers) {
        answers[x] = vec4u(u32(cbt_tile_bit(rank)), cbt_tile_rank_set(rank), cbt_tile_rank_unset(tile.x, rank), cbt_leaf_count());
    }
}";

/// Law: what a workgroup knows of its tile is what the CPU's tree says of each of its bits.
#[test]
fn a_tile_knows_its_bits_and_their_ranks() {
    for bench in benches() {
        for access in [Access::Fixed, Access::Shared] {
            let mut composer = bench.passes.composer(access);
            composer.bind("user/tiles", "tiles.wgsl", TILES);
            let composed = composer.compose("user/tiles").unwrap();
            let kernel = ComputeKernel::new(&bench.gpu.device, &composed, "ask", &ComputeOptions::default()).unwrap();
            for (depth, fill) in
                [1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 13, 16].into_iter().flat_map(|d| [(d, 0.3), (d, 0.95)])
            {
                let (tree, _) = random_tree(depth, u64::from(depth) + 11, fill);
                let on_gpu = bench.upload(&tree);
                let bits = 1_u32 << depth;
                let answers = bench.ask(&kernel, &on_gpu, 4 * bits, bits.div_ceil(256));
                for (x, answer) in (0_u64..).zip(answers.chunks(4)) {
                    let [set, unset, leaves] = [tree.rank_set(x), tree.rank_unset(x), tree.leaf_count()];
                    let expected = [u32::from(tree.bit(x)), set as u32, unset as u32, leaves as u32];
                    assert_eq!(answer, expected, "bit {x} of depth {depth}, {access:?}: {}", bench.name);
                }
            }
        }
    }
}

/// Law: a reduction whose workgroups the device reads is the same as one told them, and none where they are zero.
#[test]
fn a_reduction_runs_where_its_arguments_say_so() {
    // The bits of one tree with the sums of another: classic trees have both in one buffer.
    for bench in benches().iter().filter(|bench| bench.passes.layout() == Layout::Compact) {
        for depth in [3, 9, 12, 17, 18, 20] {
            let (before, _) = random_tree(depth, 5, 0.5);
            let (after, _) = random_tree(depth, 6, 0.8);
            let [old, new] = [bench.upload(&before), bench.upload(&after)];
            let sums = |tree: &GpuTree| transfer::download::<u32>(&bench.gpu, &tree.buffers()[0]).unwrap();
            bench.submit(|encoder| {
                let [from, to] = [&new, &old].map(|tree| &tree.buffers()[1]);
                encoder.copy_buffer_to_buffer(from, 0, to, 0, from.size());
            });
            let stale = sums(&old);
            let workgroups: Vec<u32> = old.reduce().workgroups().flatten().collect();
            for (arguments, expected) in [(vec![0; workgroups.len()], stale), (workgroups, sums(&new))] {
                let usage = wgpu::BufferUsages::INDIRECT | wgpu::BufferUsages::COPY_DST;
                let size = 4 * arguments.len() as u64;
                let descriptor = wgpu::BufferDescriptor { label: None, size, usage, mapped_at_creation: false };
                let buffer = bench.gpu.device.create_buffer(&descriptor);
                bench.gpu.queue.write_buffer(&buffer, 0, bytemuck::cast_slice(&arguments));
                bench.submit(|encoder| {
                    let mut pass = encoder.begin_compute_pass(&Default::default());
                    old.reduce().encode_indirect(&mut pass, &buffer, 0);
                });
                assert!(sums(&old) == expected, "depth {depth}, {arguments:?}: {}", bench.name);
            }
        }
    }
}

/// Thousands of invocations split and merge at once; the words that they share lose nothing.
#[test]
fn a_users_shader_edits_as_the_cpu_does() {
    const EDITS: &str = "
//!import cbt/edit
@group(0) @binding(0) var<storage, read> chosen: array<vec2u>;
@group(0) @binding(1) var<storage, read_write> changed: atomic<u32>;
@compute @workgroup_size(64)
fn edit(@builtin(global_invocation_id) id: vec3u) {
    if id.x >= arrayLength(&chosen) { return; }
    let node = chosen[id.x].x;
    var did = false;
    if chosen[id.x].y == 1u { did = cbt_split(node); } else { did = cbt_merge(node); }
    atomicAdd(&changed, u32(did));
}";
    for bench in benches() {
        let mut composer = bench.passes.composer(Access::Shared);
        composer.bind("user/edits", "edits.wgsl", EDITS);
        let composed = composer.compose("user/edits").unwrap();
        let kernel = ComputeKernel::new(&bench.gpu.device, &composed, "edit", &ComputeOptions::default()).unwrap();
        for depth in [2, 4, 6, 9, 14] {
            let (mut tree, _) = random_tree(depth, 40, 0.9);
            let on_gpu = bench.upload(&tree);
            // One edit for each node, inside and outside: the order does not matter.
            let chosen: Vec<[u32; 2]> =
                (0..4_u32 << depth).map(|node| [node, Random(node.into()).below(2) as u32]).collect();
            let mut changes = 0;
            for &[node, split] in &chosen {
                let Some(node) = Node::new(node.into()) else { continue };
                let done = if split == 1 { tree.split(node) } else { tree.merge(node) };
                changes += u32::from(done.unwrap_or(false));
            }
            tree.reduce();
            let nodes = transfer::upload(&bench.gpu.device, "chosen", &chosen);
            let changed = transfer::storage::<u32>(&bench.gpu.device, "changed", 1);
            let resources = [("chosen", nodes.as_entire_binding()), ("changed", changed.as_entire_binding())];
            let own = kernel.bind_group(&bench.gpu.device, 0, &resources).unwrap();
            let group = on_gpu.bind_group(kernel.layouts()).unwrap();
            bench.submit(|encoder| {
                let mut pass = encoder.begin_compute_pass(&Default::default());
                pass.set_pipeline(kernel.pipeline());
                pass.set_bind_group(0, &own, &[]);
                pass.set_bind_group(1, &group, &[]);
                pass.dispatch_workgroups((chosen.len() as u32).div_ceil(64), 1, 1);
                on_gpu.reduce().encode(&mut pass);
            });
            bench.check(&on_gpu, &tree, "edited by a user's shader");
            assert_eq!(
                transfer::download::<u32>(&bench.gpu, &changed).unwrap(),
                [changes],
                "{}, depth {depth}",
                bench.name
            );
        }
    }
}

/// A user's visitor sees each leaf once with its index.
#[test]
fn a_visitor_sees_every_leaf_once() {
    let text = "
@group(2) @binding(0) var<storage, read_write> seen: array<atomic<u32>>;
fn visit(index: u32, leaf: u32) { atomicAdd(&seen[index], leaf); }
fn visit_end(rank: u32) {}";
    for bench in benches() {
        let visitor = bench.passes.visitor("seen.wgsl", text).unwrap();
        let (tree, leaves) = random_tree(14, 5, 0.96);
        let on_gpu = bench.upload(&tree);
        let seen = transfer::storage::<u32>(&bench.gpu.device, "seen", leaves.len() as u32);
        let own = visitor.bind_group(&bench.gpu.device, &[("seen", seen.as_entire_binding())]).unwrap();
        bench.run(&[&on_gpu.visit(&visitor, 0..u32::MAX, Some(own)).unwrap()]);
        assert_eq!(transfer::download::<u32>(&bench.gpu, &seen).unwrap(), leaves, "{}", bench.name);

        let error = bench.passes.visitor("mine.wgsl", "fn visit(index: u32, leaf: u32) { oops }").unwrap_err();
        assert!(error.to_string().contains("mine.wgsl"), "{error}");
    }
}

#[test]
fn too_deep_names_the_limit() {
    for bench in benches() {
        let layout = bench.passes.layout();
        let limits = bench.gpu.device.limits();
        let mut encoder = bench.gpu.device.create_command_encoder(&Default::default());
        let error = bench.passes.tree(&mut encoder, MAX_GPU_DEPTH + 1).unwrap_err();
        assert!(matches!(error, GpuTreeError::DepthTooLarge { asked: 31, .. }), "{error}");
        assert!(matches!(bench.passes.tree(&mut encoder, 0), Err(GpuTreeError::Tree(Error::Depth { asked: 0, .. }))));
        let deepest = (1..=MAX_GPU_DEPTH).rev().find(|&depth| layout.check_depth(&limits, depth).is_ok()).unwrap();
        if deepest < MAX_GPU_DEPTH {
            let error = bench.passes.tree(&mut encoder, deepest + 1).unwrap_err().to_string();
            assert!(
                error.contains("max_storage_buffer_binding_size") && error.contains(&deepest.to_string()),
                "{error}"
            );
        }
        assert!(layout.buffer_sizes(deepest).iter().all(|&size| size <= limits.max_storage_buffer_binding_size));
    }
}
