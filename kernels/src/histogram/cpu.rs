//! The same on the CPU: a histogram for each chunk in parallel, added up.

use crate::Binning;
use rayon::prelude::*;

/// The number of items in each bin of `B`; items of no bin are not counted.
pub fn histogram<B: Binning>(input: &[B::Item]) -> Vec<u32> {
    let bins = B::BINS as usize;
    // Large enough that adding a chunk's histogram costs little beside counting the chunk.
    let chunk_len = (16 * bins).max(1 << 16);
    let count = |(chunk, items): (usize, &[B::Item])| {
        let mut counts = vec![0u32; bins];
        for (index, item) in items.iter().enumerate() {
            if let Some(count) = counts.get_mut(B::bin(*item, (chunk * chunk_len + index) as u32) as usize) {
                *count = count.wrapping_add(1);
            }
        }
        counts
    };
    let add = |mut left: Vec<u32>, right: Vec<u32>| {
        left.iter_mut().zip(right).for_each(|(left, right)| *left = left.wrapping_add(right));
        left
    };
    input.par_chunks(chunk_len).enumerate().map(count).reduce_with(add).unwrap_or_else(|| vec![0; bins])
}
