//! The same on the CPU: chunks in parallel, their results in order.

use crate::{Operator, Source};
use rayon::prelude::*;

/// Items that one task reduces: 256 KiB of `u32`, small enough to balance, large enough to hide the cost of a task.
const CHUNK: usize = 1 << 16;

/// The ordered combination by `O` of the items that `S` makes of `input`.
///
/// ```
/// use kernels::{Max, Plain, PopCount, Sum, reduce};
/// assert_eq!(reduce::<Max<i32>, Plain<i32>>(&[3, -1, 7, 2]), 7);
/// assert_eq!(reduce::<Sum<u32>, PopCount>(&[0b111, 0, u32::MAX]), 35);
/// ```
pub fn reduce<O: Operator, S: Source<Item = O::Item>>(input: &[S::Stored]) -> O::Item {
    let chunk_sum = |(chunk, stored): (usize, &[S::Stored])| reduce_chunk::<O, S>(stored, chunk * CHUNK);
    if input.len() <= CHUNK {
        return chunk_sum((0, input));
    }
    input.par_chunks(CHUNK).enumerate().map(chunk_sum).reduce(O::identity, O::combine)
}

/// Independent chains, so that the processor overlaps (and vectorises) combinations that would wait for each other.
pub(crate) fn reduce_chunk<O: Operator, S: Source<Item = O::Item>>(stored: &[S::Stored], first: usize) -> O::Item {
    if O::COMMUTATIVE { interleaved::<O, S>(stored, first) } else { in_order::<O, S>(stored, first) }
}

/// Chain k takes items k, k + 32, k + 64 ...
fn interleaved<O: Operator, S: Source<Item = O::Item>>(stored: &[S::Stored], first: usize) -> O::Item {
    const CHAINS: usize = 32;
    let mut sums = [O::identity(); CHAINS];
    let (rows, rest) = stored.as_chunks::<CHAINS>();
    for (row, stored) in rows.iter().enumerate() {
        let base = (first + row * CHAINS) as u32;
        for chain in 0..CHAINS {
            sums[chain] = O::combine(sums[chain], S::map(stored[chain], base + chain as u32));
        }
    }
    let base = first + rows.len() * CHAINS;
    for (chain, stored) in rest.iter().enumerate() {
        sums[chain] = O::combine(sums[chain], S::map(*stored, (base + chain) as u32));
    }
    sums.into_iter().fold(O::identity(), O::combine)
}

/// Chain k takes the k-th eighth.
fn in_order<O: Operator, S: Source<Item = O::Item>>(stored: &[S::Stored], first: usize) -> O::Item {
    const CHAINS: usize = 8;
    let run = stored.len() / CHAINS;
    let (body, rest) = stored.split_at(run * CHAINS);
    let runs: [&[S::Stored]; CHAINS] = std::array::from_fn(|chain| &body[chain * run..(chain + 1) * run]);
    let mut sums = [O::identity(); CHAINS];
    for step in 0..run {
        for (chain, (sum, stored)) in sums.iter_mut().zip(runs).enumerate() {
            *sum = O::combine(*sum, S::map(stored[step], (first + chain * run + step) as u32));
        }
    }
    for (index, stored) in rest.iter().enumerate() {
        let item = S::map(*stored, (first + run * CHAINS + index) as u32);
        sums[CHAINS - 1] = O::combine(sums[CHAINS - 1], item);
    }
    sums.into_iter().fold(O::identity(), O::combine)
}
