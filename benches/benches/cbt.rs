//! Each operation of the tree by itself, in both layouts, at D = 20 with a quarter of the leaves.
//! `cargo bench -p benches --bench cbt [FILTER]`

#[path = "../src/depth_sweep/trees.rs"]
#[allow(dead_code)] // the sweep uses the rest
mod trees;

use std::hint::black_box;
use std::time::Duration;

use cbt::{Classic, Compact, Edit, Node, Tree};
use criterion::{Criterion, criterion_group, criterion_main};
use rayon::prelude::*;

const DEPTH: u32 = 20;
const QUERIES: u64 = 1024;

fn layout<T: Tree + Clone>(criterion: &mut Criterion, name: &str) {
    let mut tree = T::new(DEPTH).expect("memory for a tree of depth 20");
    trees::fill(&mut tree, 25).expect("a level of the tree");
    let leaves = tree.leaf_count();
    let numbers = |end: u64| (0..QUERIES).map(move |i| trees::hash(i, 3) % end);
    let indices: Vec<u64> = numbers(leaves).collect();
    let bits: Vec<u64> = numbers(tree.capacity()).collect();
    let clear: Vec<u64> = numbers(tree.capacity() - leaves).collect();
    let nodes: Vec<Node> =
        indices.iter().filter_map(|&index| tree.leaf(index).ok()).filter(|leaf| leaf.depth() < DEPTH).collect();

    let mut group = criterion.benchmark_group(name);
    group.warm_up_time(Duration::from_millis(300)).measurement_time(Duration::from_secs(1)).sample_size(30);
    let edits = tree.clone();
    group.bench_function("split x1024", |b| {
        b.iter(|| nodes.iter().for_each(|&node| assert!(edits.split(node).is_ok())))
    });
    group.bench_function("merge x1024", |b| {
        b.iter(|| nodes.iter().for_each(|&node| assert!(edits.merge(node).is_ok())))
    });
    group.bench_function("leaf x1024", |b| b.iter(|| indices.iter().for_each(|&i| _ = black_box(tree.leaf(i)))));
    group.bench_function("index_of x1024", |b| {
        b.iter(|| nodes.iter().for_each(|&node| _ = black_box(tree.index_of(node))))
    });
    group.bench_function("leaf_at x1024", |b| b.iter(|| bits.iter().for_each(|&x| _ = black_box(tree.leaf_at(x)))));
    group.bench_function("rank_set x1024", |b| b.iter(|| bits.iter().for_each(|&x| _ = black_box(tree.rank_set(x)))));
    group.bench_function("select_unset x1024", |b| {
        b.iter(|| clear.iter().for_each(|&r| _ = black_box(tree.select_unset(r))))
    });
    group.bench_function("leaves", |b| b.iter(|| tree.leaves().fold(0, |sum, leaf| trees::mix(sum, leaf.index()))));
    group.bench_function("par_leaves", |b| {
        b.iter(|| {
            tree.par_leaves().fold(|| 0, |sum, leaf| trees::mix(sum, leaf.index())).reduce(|| 0, u64::wrapping_add)
        });
    });
    let saved = tree.save();
    group.bench_function("save", |b| b.iter(|| tree.save()));
    group.bench_function("load", |b| b.iter(|| T::load(&saved)));
    let mut tree = tree;
    group.bench_function("reduce_sequential", |b| b.iter(|| tree.reduce_sequential()));
    group.bench_function("reduce", |b| b.iter(|| tree.reduce()));
    group.bench_function("update, nothing to do", |b| b.iter(|| tree.update(|_| Edit::Keep)));
    let mut turn = 0;
    group.bench_function("update, 1 in 16", |b| {
        b.iter(|| {
            turn += 1;
            tree.update(|leaf| trees::edit_of_leaf(leaf, turn - 1))
        });
    });
    group.finish();
}

fn both_layouts(criterion: &mut Criterion) {
    layout::<Classic>(criterion, "classic");
    layout::<Compact>(criterion, "compact");
}

criterion_group!(cbt_benches, both_layouts);
criterion_main!(cbt_benches);
