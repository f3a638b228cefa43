//! In which order do keys follow each other? A stable radix sort of keys, or of keys with values.
//!
//! Least significant digit first, 8 bits a step, by reduce-then-scan: count digits in each of at most 1024 chunks, scan the
//! counts of each digit, scatter. 3 dispatches a step (12 for 32 bits), one in all when a tile holds everything. Traffic:
//! 12 bytes a step for each 4-byte key, 20 with a 4-byte value. No workgroup waits for another (GPUSorting's
//! `DeviceRadixSort`, in even shares). The input is not changed,
//! unless the sort is bound in place.
//!
//! Where it is faster, one sweep a step by look-back with fallback ([`Form::LookBack`]): all digits are counted at once, and
//! every step reads and writes each key once. 2 dispatches and one a step, 4 bytes for each 4-byte key and 8 a step.
//!
//! `key_bits` says how many low bits of the (mapped) key count: fewer bits are fewer steps.

#[cfg(feature = "gpu")]
mod argsort;
#[cfg(feature = "gpu")]
mod buffers;
mod cpu;
mod key;
#[cfg(feature = "gpu")]
mod one_sweep;
#[cfg(feature = "gpu")]
mod onesweep_config;
#[cfg(feature = "gpu")]
mod passes;
#[cfg(feature = "gpu")]
mod plan;

#[cfg(feature = "gpu")]
pub use argsort::Argsort;
pub use cpu::{argsort, sort_keys, sort_pairs};
pub use key::{Order, RadixKey};
#[cfg(feature = "gpu")]
pub use plan::{SortKeys, SortPairs, SortPairsIo};
