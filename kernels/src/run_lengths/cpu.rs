//! The same on the CPU: starts of runs by chunk in parallel, then differences.

use crate::RadixKey;
use rayon::prelude::*;

/// Items that one task compares.
const CHUNK: usize = 1 << 15;

/// The value and the length of each run of equal keys, in order. Keys are compared bit by bit.
///
/// ```
/// use kernels::run_lengths;
/// assert_eq!(run_lengths(&[7u32, 7, 3, 7, 7, 7]), (vec![7, 3, 7], vec![2, 1, 3]));
/// ```
pub fn run_lengths<K: RadixKey>(input: &[K]) -> (Vec<K>, Vec<u32>) {
    let bytes = |index: usize| bytemuck::bytes_of(&input[index]);
    let starts: Vec<usize> = (0..input.len())
        .into_par_iter()
        .with_min_len(CHUNK)
        .filter(|&index| index == 0 || bytes(index) != bytes(index - 1))
        .collect();
    let values = starts.par_iter().map(|&start| input[start]).collect();
    let ends = starts.par_iter().skip(1).copied().chain(rayon::iter::once(input.len()));
    let lengths = starts.par_iter().zip(ends).map(|(start, end)| (end - start) as u32).collect();
    (values, lengths)
}
