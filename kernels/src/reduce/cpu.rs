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

/// Eight independent chains, so that the processor overlaps (and vectorises) combinations that depend on each other.
pub(crate) fn reduce_chunk<O: Operator, S: Source<Item = O::Item>>(stored: &[S::Stored], first: usize) -> O::Item {
    const CHAINS: usize = 8;
    let item = |index: usize| S::map(stored[index], (first + index) as u32);
    let mut sums = [O::identity(); CHAINS];
    if O::COMMUTATIVE {
        let whole = stored.len() / CHAINS * CHAINS;
        for base in (0..whole).step_by(CHAINS) {
            for (chain, sum) in sums.iter_mut().enumerate() {
                *sum = O::combine(*sum, item(base + chain));
            }
        }
        for index in whole..stored.len() {
            sums[index - whole] = O::combine(sums[index - whole], item(index));
        }
    } else {
        let run = stored.len() / CHAINS;
        for step in 0..run {
            for (chain, sum) in sums.iter_mut().enumerate() {
                *sum = O::combine(*sum, item(chain * run + step));
            }
        }
        for index in run * CHAINS..stored.len() {
            sums[CHAINS - 1] = O::combine(sums[CHAINS - 1], item(index));
        }
    }
    sums.into_iter().fold(O::identity(), O::combine)
}
