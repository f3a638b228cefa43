//! The same on the CPU: spread by the highest digit in parallel, then sort each part by the lower digits in the cache.
//!
//! Spreading is stable and needs no shared writes: each chunk is sorted by digit into its own stretch of a second array,
//! then every digit's runs are copied together, chunk after chunk. A part that is still large (skewed keys) is spread again
//! by its next digit with all threads.

use super::key::{Order, RadixKey};
use crate::Element;
use rayon::prelude::*;

/// Parts of at most this many items are sorted by one task.
const PART: usize = 1 << 17;
/// Below this a comparison sort is faster than counting digits.
const TINY: usize = 96;

/// Sorts keys by their `key_bits` low bits, stably; `key_bits` above the key's own are all of them.
///
/// ```
/// use kernels::{Order, sort_keys};
/// let mut keys = [3.5f32, -1.0, 0.0, -0.0, f32::INFINITY];
/// sort_keys(&mut keys, Order::Descending, 32);
/// assert_eq!(keys, [f32::INFINITY, 3.5, 0.0, -0.0, -1.0]);
/// assert!(keys[3].is_sign_negative());
/// ```
pub fn sort_keys<K: RadixKey>(keys: &mut [K], order: Order, key_bits: u32) {
    sort_items(keys, key_bits.min(K::BITS), mapped(order, |key: &K| *key));
}

/// Sorts pairs by the `key_bits` low bits of their keys, stably; as many as both slices have.
///
/// ```
/// use kernels::{Order, sort_pairs};
/// let (mut keys, mut values) = ([2u32, 1, 2, 0], ['a', 'b', 'c', 'd'].map(u32::from));
/// sort_pairs(&mut keys, &mut values, Order::Ascending, 32);
/// assert_eq!((keys, values), ([0, 1, 2, 2], ['d', 'b', 'a', 'c'].map(u32::from)));
/// ```
pub fn sort_pairs<K: RadixKey, V: Element>(keys: &mut [K], values: &mut [V], order: Order, key_bits: u32) {
    let mut pairs: Vec<(K, V)> = keys.par_iter().copied().zip(values.par_iter().copied()).collect();
    sort_items(&mut pairs, key_bits.min(K::BITS), mapped(order, |pair: &(K, V)| pair.0));
    let places = keys.par_iter_mut().zip(values.par_iter_mut());
    places.zip(pairs).for_each(|((key, value), pair)| (*key, *value) = pair);
}

/// The indices of `keys` in the order of their `key_bits` low bits, stably.
///
/// ```
/// use kernels::{Order, argsort};
/// assert_eq!(argsort(&[2.5f32, -1.0, 9.0, -1.0], Order::Ascending, 32), [1, 3, 0, 2]);
/// ```
pub fn argsort<K: RadixKey>(keys: &[K], order: Order, key_bits: u32) -> Vec<u32> {
    let mut indices: Vec<u32> = (0..keys.len() as u32).into_par_iter().collect();
    sort_pairs(&mut keys.to_vec(), &mut indices, order, key_bits);
    indices
}

/// The number that an item is sorted by.
fn mapped<T, K: RadixKey>(order: Order, key: impl Fn(&T) -> K + Sync) -> impl Fn(&T) -> u64 + Sync {
    let flip = if order == Order::Descending { u64::MAX } else { 0 };
    move |item| key(item).to_bits() ^ flip
}

fn sort_items<T: Copy + Send + Sync>(items: &mut [T], bits: u32, key: impl Fn(&T) -> u64 + Sync) {
    let mut spare = items.to_vec();
    sort_part(items, &mut spare, bits, &key);
}

fn digit_of(key: u64, shift: u32, bits: u32) -> usize {
    ((key >> shift) & ((1 << bits) - 1)) as usize
}

/// Sorts `items` by the `bits` low bits of their keys; `spare` has the same length and any content.
fn sort_part<T: Copy + Send + Sync>(items: &mut [T], spare: &mut [T], bits: u32, key: &(impl Fn(&T) -> u64 + Sync)) {
    if items.len() <= PART || bits <= 8 && items.len() <= 4 * PART {
        return sort_in_cache(items, spare, bits, key);
    }
    let top_bits = bits.min(8);
    let shift = bits - top_bits;
    let ends = spread(items, spare, shift, top_bits, key);
    if shift == 0 {
        return;
    }
    // Cut both arrays at the ends of the digits.
    let mut parts = Vec::with_capacity(ends.len());
    let (mut rest, mut spare_rest, mut begin) = (items, spare, 0);
    for end in ends {
        let (part, after) = rest.split_at_mut(end - begin);
        let (spare_part, spare_after) = spare_rest.split_at_mut(end - begin);
        parts.push((part, spare_part));
        (rest, spare_rest, begin) = (after, spare_after, end);
    }
    parts.into_par_iter().for_each(|(part, spare)| sort_part(part, spare, shift, key));
}

/// Reorders `items` by the `bits` bits from `shift` on, stably, with all threads; returns where each digit's items end.
fn spread<T: Copy + Send + Sync>(
    items: &mut [T],
    spare: &mut [T],
    shift: u32,
    bits: u32,
    key: &(impl Fn(&T) -> u64 + Sync),
) -> Vec<usize> {
    let digits = 1usize << bits;
    let chunk_len = items.len().div_ceil(4 * rayon::current_num_threads()).max(1 << 14);
    // Each chunk by itself, into its stretch of `spare`: where the runs of its digits end there.
    let run_ends: Vec<Vec<usize>> = items
        .par_chunks(chunk_len)
        .zip(spare.par_chunks_mut(chunk_len))
        .map(|(chunk, sorted)| {
            let mut next = vec![0usize; digits];
            for item in chunk {
                next[digit_of(key(item), shift, bits)] += 1;
            }
            let mut sum = 0;
            for count in &mut next {
                (*count, sum) = (sum, sum + *count);
            }
            for item in chunk {
                let place = &mut next[digit_of(key(item), shift, bits)];
                sorted[*place] = *item;
                *place += 1;
            }
            next
        })
        .collect();

    let run = |chunk: usize, digit: usize| {
        let begin = if digit == 0 { 0 } else { run_ends[chunk][digit - 1] };
        chunk * chunk_len + begin..chunk * chunk_len + run_ends[chunk][digit]
    };
    let mut ends = Vec::with_capacity(digits);
    let mut copies = Vec::with_capacity(digits * run_ends.len());
    let (mut rest, mut end) = (items, 0);
    for digit in 0..digits {
        for chunk in 0..run_ends.len() {
            let from = run(chunk, digit);
            let (place, after) = rest.split_at_mut(from.len());
            end += from.len();
            if !from.is_empty() {
                copies.push((place, from));
            }
            rest = after;
        }
        ends.push(end);
    }
    let spare = &*spare;
    copies.into_par_iter().for_each(|(place, from)| place.copy_from_slice(&spare[from]));
    ends
}

/// Least significant digit first, within one task.
fn sort_in_cache<T: Copy>(items: &mut [T], spare: &mut [T], bits: u32, key: &impl Fn(&T) -> u64) {
    let mask = if bits == 64 { u64::MAX } else { (1 << bits) - 1 };
    if items.len() <= TINY {
        return items.sort_by_key(|item| key(item) & mask);
    }
    let digits = bits.div_ceil(8) as usize;
    let mut counts = vec![[0u32; 256]; digits];
    for item in items.iter() {
        let key = key(item) & mask;
        for (digit, counts) in counts.iter_mut().enumerate() {
            counts[(key >> (8 * digit)) as usize & 255] += 1;
        }
    }
    let (mut from, mut to) = (items, spare);
    let mut swapped = false;
    for (digit, counts) in counts.iter_mut().enumerate() {
        // A digit that all keys share moves nothing.
        if counts.iter().any(|count| *count as usize == from.len()) {
            continue;
        }
        let mut sum = 0;
        for count in counts.iter_mut() {
            (*count, sum) = (sum, sum + *count);
        }
        for item in from.iter() {
            let place = &mut counts[((key(item) & mask) >> (8 * digit)) as usize & 255];
            to[*place as usize] = *item;
            *place += 1;
        }
        (from, to) = (to, from);
        swapped = !swapped;
    }
    if swapped {
        to.copy_from_slice(from);
    }
}
