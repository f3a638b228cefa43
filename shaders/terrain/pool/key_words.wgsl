// How urgent is a bisector? Keys `bucket << 16 | hash16` and the histogram bins over them.
// Generated from terrain/src/key_words.rs: ./x generate

//!once terrain::key_words::BUCKET_SPLIT
// Lowest bucket that asks for a bisection.
const BUCKET_SPLIT: u32 = 2u;
//!end

//!once terrain::key_words::FOCUS_BINS
// Bins that one bucket has when it is in focus.
const FOCUS_BINS: u32 = 4096u;
//!end

//!once terrain::key_words::mix32
// Finaliser of a 32-bit hash: xor-shift-multiply rounds, a bijection of u32 in which every input bit changes about half
// of the output's.
fn mix32(value: u32) -> u32 {
    var x = value;
    x = (x ^ (x >> 16u)) * 0x7feb352du;
    x = (x ^ (x >> 15u)) * 0x846ca68bu;
    return x ^ (x >> 16u);
}
//!end

//!once kernels::device::u64_shr
// `value >> by` of low and high word, by less than 64.
fn u64_shr(value: vec2u, by: u32) -> vec2u {
    let part = by & 31u;
    let high = value.y >> part;
    // A shift by 32 in two, where `part` is 0.
    let low = (value.x >> part) | ((value.y << 1u) << (31u - part));
    return select(vec2u(low, high), vec2u(high, 0u), by >= 32u);
}
//!end

//!once terrain::key_words::key_of
// Key of a bisector: bucket first, then a hash of its id. 0 for bucket 0, which asks for nothing.
fn key_of(bucket: u32, heap_id: vec2u, salt: u32) -> u32 {
    if bucket == 0u {
        return 0u;
    }
    let hash = mix32(heap_id.x ^ mix32(u64_shr(heap_id, 32u).x ^ salt));
    return (min(bucket, 255u) << 16u) | (hash >> 16u);
}
//!end

//!once terrain::key_words::bin_of
// Histogram bin of a key, monotone in the key, for a focus bucket; 0 = no focus.
fn bin_of(key: u32, focus: u32) -> u32 {
    let bucket = key >> 16u;
    if focus == 0u || bucket < focus {
        return bucket;
    }
    if bucket == focus {
        return focus + ((key & 0xffffu) >> 4u);
    }
    return bucket + FOCUS_BINS - 1u;
}
//!end

//!once terrain::key_words::low_key
// Smallest key that falls into a bin.
fn low_key(bin: u32, focus: u32) -> u32 {
    if focus == 0u || bin < focus {
        return bin << 16u;
    }
    if bin < focus + FOCUS_BINS {
        return (focus << 16u) | ((bin - focus) << 4u);
    }
    return (bin + 1u - FOCUS_BINS) << 16u;
}
//!end

//!once terrain::key_words::high_key
// Largest key that falls into a bin.
fn high_key(bin: u32, focus: u32) -> u32 {
    return low_key(bin + 1u, focus) - 1u;
}
//!end

//!once terrain::key_words::bucket_of_bin
// Bucket that a bin belongs to.
fn bucket_of_bin(bin: u32, focus: u32) -> u32 {
    return low_key(bin, focus) >> 16u;
}
//!end

//!once terrain::key_words::salt_of
// Salt of the tie-breaking hash for one update.
fn salt_of(update: u32) -> u32 {
    return mix32(update ^ 0x6f726f67u);
}
//!end
