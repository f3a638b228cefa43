//! How do loops run on all cores? In chunks of the outermost one, whose number does not depend on the number of cores.

use rayon::prelude::*;
use std::ops::Range;

/// Chunks of a loop: enough to balance, few enough to join.
const CHUNKS: u32 = 256;

/// A slice as far as its length is concerned.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Length(u32);

impl Length {
    /// The length of a slice of a device.
    #[cfg(feature = "gpu")]
    pub fn of<T>(slice: &crate::GpuSlice<'_, T>) -> Self {
        Self(slice.len)
    }

    /// As of a slice.
    #[allow(clippy::len_without_is_empty, reason = "stands for a slice in `x.len()`")]
    pub fn len(&self) -> usize {
        self.0 as usize
    }
}

/// The chunks of a loop, none of them empty.
#[doc(hidden)]
pub fn chunks(range: Range<u32>) -> Vec<Range<u32>> {
    let count = range.end.saturating_sub(range.start);
    let chunks = count.min(CHUNKS);
    let at = |chunk: u32| range.start + (u64::from(count) * u64::from(chunk) / u64::from(chunks)) as u32;
    (0..chunks).map(|chunk| at(chunk)..at(chunk + 1)).collect()
}

/// What each chunk owns of a slice with rows of `stride` elements, with the index of the first. Elements that a slice too
/// short does not have are missed when they are used, as in the plain loops.
#[doc(hidden)]
pub fn split<'a, T>(slice: &'a mut [T], chunks: &[Range<u32>], stride: usize) -> Vec<(usize, &'a mut [T])> {
    let len = slice.len();
    let (mut rest, mut at) = (slice, 0);
    let part = |chunk: &Range<u32>| {
        let place = |row: u32| (row as usize).saturating_mul(stride).min(len);
        let (first, end) = (place(chunk.start), place(chunk.end));
        let (_, tail) = std::mem::take(&mut rest).split_at_mut(first - at);
        let (items, tail) = tail.split_at_mut(end - first);
        (rest, at) = (tail, end);
        (first, items)
    };
    chunks.iter().map(part).collect()
}

/// The results of all parts, in order.
#[doc(hidden)]
pub fn run<P: Send, R: Send>(parts: Vec<P>, work: impl Fn(P) -> R + Send + Sync) -> Vec<R> {
    parts.into_par_iter().map(work).collect()
}

#[cfg(test)]
mod tests {
    use super::{chunks, split};

    #[test]
    fn chunks_cover_a_range_once() {
        for (start, end) in [(0, 0), (5, 3), (0, 1), (3, 258), (7, 1000), (0, u32::MAX)] {
            let chunks = chunks(start..end);
            assert!(chunks.len() <= 256 && chunks.iter().all(|chunk| chunk.start < chunk.end));
            assert!(chunks.windows(2).all(|two| two[0].end == two[1].start));
            let ends = chunks.first().zip(chunks.last()).map(|(first, last)| (first.start, last.end));
            assert_eq!(ends, (start < end).then_some((start, end)));
        }
    }

    #[test]
    fn parts_are_the_rows_of_chunks() {
        let mut slice: Vec<u32> = (0..33).collect();
        let parts = split(&mut slice, &[1..3, 3..4, 4..9, 9..12], 5);
        let found: Vec<_> = parts.iter().map(|(first, items)| (*first, items.first().copied(), items.len())).collect();
        assert_eq!(found, [(5, Some(5), 10), (15, Some(15), 5), (20, Some(20), 13), (33, None, 0)]);
    }
}
