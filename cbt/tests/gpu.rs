//! The GPU does what the CPU does, bit for bit: both layouts, every depth, with and without subgroups.
//!
//! Mesa's software device has subgroups of 4, 8 or 16 invocations with `LP_NATIVE_VECTOR_WIDTH` 128, 256 or 512.
#![cfg(feature = "gpu")]

#[path = "gpu/bench.rs"]
mod bench;
mod common;
#[path = "gpu/user_shaders.rs"]
mod user_shaders;

use bench::{benches, random_tree};
use cbt::gpu::{GpuTree, GpuTreeError, Layout, MAX_GPU_DEPTH};
use cbt::{Classic, Compact, Edit, Error, Node, Tree};
use common::Random;
use gpu::transfer;

/// Law: a copy that has not been submitted is no tree, and a tree of another depth is named as one.
#[test]
fn what_is_not_there_is_no_tree() {
    for bench in benches() {
        let (tree, _) = random_tree(9, 5, 0.9);
        let on_gpu = bench.upload(&tree);
        let mut encoder = bench.gpu.device.create_command_encoder(&Default::default());
        let download = on_gpu.download(&mut encoder);
        assert!(matches!(download.read::<Compact>(&bench.gpu), Err(GpuTreeError::NotCopied)), "{}", bench.name);
        let other = Compact::new(5).expect("a tree");
        let refused = on_gpu.upload(&mut encoder, &other).expect_err("of another depth");
        assert!(matches!(refused, GpuTreeError::OtherDepth { given: 5, depth: 9 }), "{refused}");
    }
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
