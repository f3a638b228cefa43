//! The same on the CPU: count chunks in parallel, cut the output at their places, write chunks in parallel.

use crate::{Element, Predicate};
use rayon::prelude::*;

/// Items that one task tests: read twice, the second time from the second-level cache.
const CHUNK: usize = 1 << 15;

/// Writes the items that `P` keeps to the front of `output`, in order, as far as it has room; returns how many there are.
pub fn compact<P: Predicate>(input: &[P::Item], output: &mut [P::Item]) -> u32 {
    compaction::<P, _>(input, output, |stored, _| stored)
}

/// [`compact`] that writes the indices of the kept items.
///
/// ```
/// use kernels::{Predicate, compact_indices, device};
///
/// struct Odd;
/// #[device]
/// impl Predicate for Odd {
///     type Item = u32;
///     const NAME: &'static str = "odd";
///     fn keep(stored: u32, _item: u32) -> bool { stored % 2 == 1 }
/// }
///
/// let mut indices = [0; 6];
/// assert_eq!(compact_indices::<Odd>(&[5, 2, 7, 8, 1, 3], &mut indices), 4);
/// assert_eq!(indices[..4], [0, 2, 4, 5]);
/// ```
pub fn compact_indices<P: Predicate>(input: &[P::Item], output: &mut [u32]) -> u32 {
    compaction::<P, _>(input, output, |_, item| item)
}

fn compaction<P: Predicate, Out: Element>(
    input: &[P::Item],
    output: &mut [Out],
    emit: impl Fn(P::Item, u32) -> Out + Sync,
) -> u32 {
    let keeps = |chunk: usize, index: usize, stored: P::Item| P::keep(stored, (chunk * CHUNK + index) as u32);
    let chunks = input.par_chunks(CHUNK).enumerate();
    let counts: Vec<usize> = chunks
        .clone()
        .map(|(chunk, items)| items.iter().enumerate().filter(|(index, item)| keeps(chunk, *index, **item)).count())
        .collect();

    let mut rest = output;
    let mut places = Vec::with_capacity(counts.len());
    for count in &counts {
        let (place, after) = rest.split_at_mut((*count).min(rest.len()));
        places.push(place);
        rest = after;
    }
    chunks.zip(places).for_each(|((chunk, items), place)| {
        // Each item is written at the next place, kept or not; only a kept one moves the place on. No branch to guess.
        let mut next = 0;
        for (index, item) in items.iter().enumerate() {
            if next == place.len() {
                break;
            }
            place[next] = emit(*item, (chunk * CHUNK + index) as u32);
            next += usize::from(keeps(chunk, index, *item));
        }
    });
    counts.iter().sum::<usize>() as u32
}
