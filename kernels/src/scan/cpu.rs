//! The same on the CPU: reduce chunks in parallel, scan their sums, scan chunks in parallel.

use crate::{Operator, Source, reduce::reduce_chunk};
use rayon::prelude::*;

/// Which items a result combines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ScanKind {
    /// All before the item.
    Exclusive,
    /// All before the item, and the item.
    Inclusive,
}

/// Items that one task scans: both of its walks stay in the second-level cache.
const CHUNK: usize = 1 << 15;

/// Scans the items that `S` makes of `input` into `output` and returns the combination of all; `output` takes as many
/// results as it has room for, at most one an item.
///
/// ```
/// use kernels::{Plain, ScanKind, Sum, scan};
/// let mut output = [0; 4];
/// let total = scan::<Sum<u32>, Plain<u32>>(&[3, 1, 7, 0], &mut output, ScanKind::Exclusive);
/// assert_eq!((output, total), ([0, 3, 4, 11], 11));
/// // The total is that of all, whatever there is room for.
/// assert_eq!(scan::<Sum<u32>, Plain<u32>>(&[3, 1, 7, 0], &mut output[..2], ScanKind::Exclusive), 11);
/// ```
pub fn scan<O: Operator, S: Source<Item = O::Item>>(
    input: &[S::Stored],
    output: &mut [O::Item],
    kind: ScanKind,
) -> O::Item {
    let n = input.len().min(output.len());
    if n < input.len() {
        let shown = scan::<O, S>(&input[..n], output, kind);
        return O::combine(shown, reduce_chunk::<O, S>(&input[n..], n));
    }
    let output = &mut output[..n];
    if n <= CHUNK {
        return scan_chunk::<O, S>(input, output, 0, O::identity(), kind);
    }
    // A round of a few chunks for each thread is reduced and then scanned while it is still in the caches.
    let round = CHUNK * 4 * rayon::current_num_threads();
    let mut carry = O::identity();
    for (index, (input, output)) in input.chunks(round).zip(output.chunks_mut(round)).enumerate() {
        let base = index * round;
        let sum_of = |(chunk, stored): (usize, &[S::Stored])| reduce_chunk::<O, S>(stored, base + chunk * CHUNK);
        let mut before: Vec<O::Item> = input.par_chunks(CHUNK).enumerate().map(sum_of).collect();
        for sum in &mut before {
            (*sum, carry) = (carry, O::combine(carry, *sum));
        }
        input.par_chunks(CHUNK).zip(output.par_chunks_mut(CHUNK)).zip(before).enumerate().for_each(
            |(chunk, ((input, output), before))| {
                scan_chunk::<O, S>(input, output, base + chunk * CHUNK, before, kind);
            },
        );
    }
    carry
}

fn scan_chunk<O: Operator, S: Source<Item = O::Item>>(
    input: &[S::Stored],
    output: &mut [O::Item],
    first: usize,
    mut before: O::Item,
    kind: ScanKind,
) -> O::Item {
    // Blocks are scanned in a tree of three levels, so that only one combination in eight waits for the one before it.
    const BLOCK: usize = 8;
    let (blocks, rest) = input.as_chunks::<BLOCK>();
    let (result_blocks, result_rest) = output.as_chunks_mut::<BLOCK>();
    for (block, (stored, results)) in blocks.iter().zip(result_blocks).enumerate() {
        let base = (first + block * BLOCK) as u32;
        let mut sums: [O::Item; BLOCK] = std::array::from_fn(|k| S::map(stored[k], base + k as u32));
        for distance in [1, 2, 4] {
            let shorter = sums;
            for k in distance..BLOCK {
                sums[k] = O::combine(shorter[k - distance], shorter[k]);
            }
        }
        if kind == ScanKind::Inclusive {
            *results = sums.map(|sum| O::combine(before, sum));
        } else {
            results[0] = before;
            for k in 1..BLOCK {
                results[k] = O::combine(before, sums[k - 1]);
            }
        }
        before = O::combine(before, sums[BLOCK - 1]);
    }
    let base = first + blocks.len() * BLOCK;
    for (index, (stored, result)) in rest.iter().zip(result_rest).enumerate() {
        let after = O::combine(before, S::map(*stored, (base + index) as u32));
        *result = if kind == ScanKind::Inclusive { after } else { before };
        before = after;
    }
    before
}
