//! Do shaders that import the tree read, edit and visit it as the CPU does?

use cbt::gpu::Access;
use cbt::{Error, Node, Tree};
use gpu::pipeline::{ComputeKernel, ComputeOptions};
use gpu::transfer;

use crate::bench::{benches, random_tree};
use crate::common::Random;

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
        for access in [Access::ReadOnly, Access::ReadWrite] {
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
        for access in [Access::ReadOnly, Access::ReadWrite] {
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
        let mut composer = bench.passes.composer(Access::ReadWrite);
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
