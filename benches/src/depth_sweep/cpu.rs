//! What does each operation cost on the CPU, by layout, threads, depth and fill?

use anyhow::Result;
use cbt::Tree;
use rayon::ThreadPoolBuilder;
use rayon::prelude::*;

use super::options::Options;
use super::reference::Reference;
use super::row::{Code, Device, Operation, Row};
use super::timing::{Timed, time};
use super::trees::{fill, hash, mix, wish};

/// Leaves that are looked up by index in one repetition.
const LOOKUPS: usize = 1 << 16;

/// Measures all operations of one layout at one depth and fill.
pub fn measure<T: Tree>(
    code: Code,
    depth: u32,
    fill_percent: u32,
    options: &Options,
    rows: &mut Vec<Row>,
) -> Result<()> {
    let mut tree = T::new(depth)?;
    fill(&mut tree, fill_percent)?;
    for &threads in &options.threads {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build()?;
        let leaves = tree.leaf_count();
        let mut push = |operation, timed| rows.push(row(operation, code, threads, depth, fill_percent, leaves, timed));
        if threads == 1 && options.wants(Operation::Bitfield) {
            push(Operation::Bitfield, time(|| tree.leaves().fold(0, |sum, leaf| mix(sum, leaf.index()))));
        }
        if threads == 1 && options.wants(Operation::Leaf) {
            let leaf = |index| tree.leaf(index).map_or(0, u64::from);
            push(Operation::Leaf, time(|| random_indices(leaves).map(leaf).fold(0, mix)).per(LOOKUPS));
        }
        if options.wants(Operation::Reduce) {
            let timed = match threads {
                1 => time(|| tree.reduce_sequential()),
                _ => pool.install(|| time(|| tree.reduce())),
            };
            push(Operation::Reduce, timed);
        }
        if options.wants(Operation::Decode) {
            let decode =
                || tree.par_leaves().fold(|| 0, |sum, leaf| mix(sum, leaf.index())).reduce(|| 0, u64::wrapping_add);
            push(Operation::Decode, pool.install(|| time(decode)));
        }
        if fill_percent < 100 && options.wants(Operation::Cycle) {
            let mut turn = 0;
            let cycle = || {
                let edits = tree.update(|leaf| wish(leaf, turn));
                turn += 1;
                edits
            };
            push(Operation::Cycle, pool.install(|| time(cycle)));
            fill(&mut tree, fill_percent)?;
        }
    }
    Ok(())
}

/// Measures the port of the published algorithm on the same tree.
pub fn measure_reference(depth: u32, fill_percent: u32, options: &Options, rows: &mut Vec<Row>) -> Result<()> {
    let code = Code::Reference;
    let mut tree = cbt::Compact::new(depth)?;
    fill(&mut tree, fill_percent)?;
    for &threads in &options.threads {
        let reference = Reference::of(&tree);
        let pool = ThreadPoolBuilder::new().num_threads(threads).build()?;
        let leaves = tree.leaf_count();
        let mut push = |operation, timed| rows.push(row(operation, code, threads, depth, fill_percent, leaves, timed));
        reference.reduce();
        if options.wants(Operation::Reduce) {
            push(Operation::Reduce, pool.install(|| time(|| reference.reduce())));
        }
        anyhow::ensure!(
            reference.leaf_count() == leaves,
            "the reference counts {} leaves, not {leaves}",
            reference.leaf_count()
        );
        if threads == 1 && options.wants(Operation::Bitfield) {
            push(Operation::Bitfield, time(|| reference.decode_bitfield()));
        }
        if threads == 1 && options.wants(Operation::Leaf) {
            push(
                Operation::Leaf,
                time(|| random_indices(leaves).map(|index| reference.leaf(index)).fold(0, mix)).per(LOOKUPS),
            );
        }
        if options.wants(Operation::Decode) {
            push(Operation::Decode, pool.install(|| time(|| reference.decode_all())));
        }
        if fill_percent < 100 && options.wants(Operation::Cycle) {
            let mut turn = 0;
            let cycle = || {
                reference.cycle(|leaf| wish(leaf, turn));
                turn += 1;
            };
            push(Operation::Cycle, pool.install(|| time(cycle)));
        }
    }
    Ok(())
}

/// Indices below `leaves`, in no order: the high half of a product, made as they are needed so that they take no cache.
fn random_indices(leaves: u64) -> impl Iterator<Item = u64> {
    (0..LOOKUPS as u64).map(move |i| ((u128::from(hash(i, 5)) * u128::from(leaves)) >> 64) as u64)
}

fn row(
    operation: Operation,
    code: Code,
    threads: usize,
    depth: u32,
    fill_percent: u32,
    leaves: u64,
    timed: Timed,
) -> Row {
    let Timed { median_s, min_s, runs } = timed;
    Row { operation, code, device: Device::Cpu { threads }, depth, fill_percent, leaves, median_s, min_s, runs }
}
