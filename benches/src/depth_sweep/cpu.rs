//! What does each operation cost on the CPU, by layout, threads, depth and fill?

use anyhow::Result;
use benches::timing::{repeated, timed};
use cbt::Tree;
use rayon::ThreadPoolBuilder;
use rayon::prelude::*;

use super::options::Options;
use super::reference::Reference;
use super::row::{Code, Device, Operation, OperationTime, Report};
use super::trees::{edit_of_leaf, fill, hash, mix};

/// Leaves that are looked up by index in one repetition.
const LOOKUPS: usize = 1 << 16;

/// Measures all operations of one layout at one depth and fill.
pub fn measure<T: Tree>(
    code: Code,
    depth: u32,
    fill_percent: u32,
    options: &Options,
    report: &mut Report,
) -> Result<()> {
    let mut tree = T::new(depth)?;
    fill(&mut tree, fill_percent)?;
    for &threads in &options.threads {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build()?;
        let leaves = tree.leaf_count();
        let row = OperationTime::of(code, Device::Cpu { threads }, depth, fill_percent, leaves);
        let mut add = |operation, seconds| report.add(row.with(operation, seconds));
        if threads == 1 && options.is_selected(Operation::Bitfield) {
            add(Operation::Bitfield, time(|| tree.leaves().fold(0, |sum, leaf| mix(sum, leaf.index()))));
        }
        if threads == 1 && options.is_selected(Operation::Leaf) {
            let leaf = |index| tree.leaf(index).map_or(0, u64::from);
            add(Operation::Leaf, one_of(LOOKUPS, time(|| random_indices(leaves).map(leaf).fold(0, mix))));
        }
        if options.is_selected(Operation::Reduce) {
            let timed = match threads {
                1 => time(|| tree.reduce_sequential()),
                _ => pool.install(|| time(|| tree.reduce())),
            };
            add(Operation::Reduce, timed);
        }
        if options.is_selected(Operation::Decode) {
            let decode =
                || tree.par_leaves().fold(|| 0, |sum, leaf| mix(sum, leaf.index())).reduce(|| 0, u64::wrapping_add);
            add(Operation::Decode, pool.install(|| time(decode)));
        }
        if fill_percent < 100 && options.is_selected(Operation::Cycle) {
            let mut turn = 0;
            let cycle = || {
                let edits = tree.update(|leaf| edit_of_leaf(leaf, turn));
                turn += 1;
                edits
            };
            add(Operation::Cycle, pool.install(|| time(cycle)));
            fill(&mut tree, fill_percent)?;
        }
    }
    Ok(())
}

/// Measures the port of the published algorithm on the same tree.
pub fn measure_reference(depth: u32, fill_percent: u32, options: &Options, report: &mut Report) -> Result<()> {
    let code = Code::Reference;
    let mut tree = cbt::Compact::new(depth)?;
    fill(&mut tree, fill_percent)?;
    for &threads in &options.threads {
        let reference = Reference::of(&tree);
        let pool = ThreadPoolBuilder::new().num_threads(threads).build()?;
        let leaves = tree.leaf_count();
        let row = OperationTime::of(code, Device::Cpu { threads }, depth, fill_percent, leaves);
        let mut add = |operation, seconds| report.add(row.with(operation, seconds));
        reference.reduce();
        if options.is_selected(Operation::Reduce) {
            add(Operation::Reduce, pool.install(|| time(|| reference.reduce())));
        }
        anyhow::ensure!(
            reference.leaf_count() == leaves,
            "the reference counts {} leaves, not {leaves}",
            reference.leaf_count()
        );
        if threads == 1 && options.is_selected(Operation::Bitfield) {
            add(Operation::Bitfield, time(|| reference.decode_bitfield()));
        }
        if threads == 1 && options.is_selected(Operation::Leaf) {
            add(
                Operation::Leaf,
                one_of(LOOKUPS, time(|| random_indices(leaves).map(|index| reference.leaf(index)).fold(0, mix))),
            );
        }
        if options.is_selected(Operation::Decode) {
            add(Operation::Decode, pool.install(|| time(|| reference.decode_all())));
        }
        if fill_percent < 100 && options.is_selected(Operation::Cycle) {
            let mut turn = 0;
            let cycle = || {
                reference.cycle(|leaf| edit_of_leaf(leaf, turn));
                turn += 1;
            };
            add(Operation::Cycle, pool.install(|| time(cycle)));
        }
    }
    Ok(())
}

/// Indices below `leaves`, in no order: the high half of a product, made as they are needed so that they take no cache.
fn random_indices(leaves: u64) -> impl Iterator<Item = u64> {
    (0..LOOKUPS as u64).map(move |i| ((u128::from(hash(i, 5)) * u128::from(leaves)) >> 64) as u64)
}

/// Most runs that count.
const RUNS: usize = 200;

fn time<R>(mut work: impl FnMut() -> R) -> Vec<f64> {
    repeated(RUNS, || timed(&mut work).0)
}

/// The time of one of `count` operations that each run makes.
fn one_of(count: usize, seconds: Vec<f64>) -> Vec<f64> {
    seconds.into_iter().map(|seconds| seconds / count as f64).collect()
}
