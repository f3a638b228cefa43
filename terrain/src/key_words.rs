//! Keys and histogram bins as device functions: what CPU and GPU compute from one source. `shaders/terrain/pool/key_words.wgsl`
//! and `shaders/terrain/mix32.wgsl` are generated from this file, which a test compares.

use crate::device;

/// Lowest bucket that asks for a bisection.
#[device]
pub const BUCKET_SPLIT: u32 = 2;

/// Bins that one bucket has when it is in focus.
#[device]
pub const FOCUS_BINS: u32 = 4096;

/// Finaliser of a 32-bit hash: xor-shift-multiply rounds, a bijection of u32 in which every input bit changes about half
/// of the output's.
#[device]
#[inline]
pub fn mix32(value: u32) -> u32 {
    let mut x = value;
    x = (x ^ x >> 16).wrapping_mul(0x7feb_352d);
    x = (x ^ x >> 15).wrapping_mul(0x846c_a68b);
    x ^ x >> 16
}

/// Key of a bisector: bucket first, then a hash of its id. 0 for bucket 0, which asks for nothing.
#[device]
#[inline]
pub fn key_of(bucket: u32, heap_id: u64, salt: u32) -> u32 {
    if bucket == 0 {
        return 0;
    }
    let hash = mix32(heap_id as u32 ^ mix32((heap_id >> 32) as u32 ^ salt));
    bucket.min(255) << 16 | hash >> 16
}

/// Histogram bin of a key, monotone in the key, for a focus bucket; 0 = no focus.
#[device]
#[inline]
pub fn bin_of(key: u32, focus: u32) -> u32 {
    let bucket = key >> 16;
    if focus == 0 || bucket < focus {
        bucket
    } else if bucket == focus {
        focus + ((key & 0xffff) >> 4)
    } else {
        bucket + FOCUS_BINS - 1
    }
}

/// Smallest key that falls into a bin.
#[device]
#[inline]
pub fn low_key(bin: u32, focus: u32) -> u32 {
    if focus == 0 || bin < focus {
        bin << 16
    } else if bin < focus + FOCUS_BINS {
        focus << 16 | (bin - focus) << 4
    } else {
        (bin + 1 - FOCUS_BINS) << 16
    }
}

/// Largest key that falls into a bin.
#[device]
#[inline]
pub fn high_key(bin: u32, focus: u32) -> u32 {
    low_key(bin + 1, focus) - 1
}

/// Bucket that a bin belongs to.
#[device]
#[inline]
pub fn bucket_of_bin(bin: u32, focus: u32) -> u32 {
    low_key(bin, focus) >> 16
}

/// Salt of the tie-breaking hash for one update.
#[device]
#[inline]
pub fn salt_of(update: u32) -> u32 {
    mix32(update ^ 0x6f72_6f67)
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernels::device::DeviceFunction;

    #[test]
    fn the_shaders_are_what_this_file_generates() {
        const KEY: &str =
            device::module!(BUCKET_SPLIT, FOCUS_BINS, key_of, bin_of, low_key, high_key, bucket_of_bin, salt_of);
        let check = |file, question, wgsl| crate::generated::check(file, question, "key_words", wgsl);
        check(
            "pool/key_words.wgsl",
            "How urgent is a bisector? Keys `bucket << 16 | hash16` and the histogram bins over them.",
            KEY,
        );
        check("mix32.wgsl", "How are the bits of a word scattered?", mix32::WGSL);
    }

    #[test]
    fn keys_of_random_bisectors_agree_on_the_device() {
        let gpu = gpu::Gpu::new(&Default::default()).unwrap();
        let kernels = kernels::Kernels::new(&gpu.device);
        let word = |i: u32, salt: u32| mix32(i ^ mix32(salt));
        let rows: Vec<_> = (0..10_000)
            .map(|i| {
                let id = u64::from(word(i, 2) >> (i % 32)) << 32 | u64::from(word(i, 1));
                (i % 300, id, word(i, 3))
            })
            .collect();
        kernels::testing::check_function::<key_of>(&kernels, &gpu, &rows, |a, b| a == b).unwrap();
        let keys: Vec<_> = rows.iter().map(|&row| (key_of::call(row), row.2 % 256)).collect();
        kernels::testing::check_function::<bin_of>(&kernels, &gpu, &keys, |a, b| a == b).unwrap();
        let bins: Vec<_> = keys.iter().map(|&(key, focus)| (bin_of(key, focus), focus)).collect();
        kernels::testing::check_function::<high_key>(&kernels, &gpu, &bins, |a, b| a == b).unwrap();
    }
}
