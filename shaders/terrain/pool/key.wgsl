//!import terrain/mix32
// How urgent is a bisector? Keys `bucket << 16 | hash16` and the histogram bins over them; twin of terrain/src/pool/key.rs.

const BUCKET_SPLIT: u32 = 2u;
const FOCUS_BINS: u32 = 4096u;

fn key_of(bucket: u32, heap_id: vec2u, salt: u32) -> u32 {
    if bucket == 0u {
        return 0u;
    }
    let hash = mix32(heap_id.x ^ mix32(heap_id.y ^ salt));
    return min(bucket, 255u) << 16u | hash >> 16u;
}

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

fn low_key(bin: u32, focus: u32) -> u32 {
    if focus == 0u || bin < focus {
        return bin << 16u;
    }
    if bin < focus + FOCUS_BINS {
        return focus << 16u | (bin - focus) << 4u;
    }
    return (bin + 1u - FOCUS_BINS) << 16u;
}

fn high_key(bin: u32, focus: u32) -> u32 {
    return low_key(bin + 1u, focus) - 1u;
}

fn bucket_of_bin(bin: u32, focus: u32) -> u32 {
    return low_key(bin, focus) >> 16u;
}

fn salt_of(update: u32) -> u32 {
    return mix32(update ^ 0x6f726f67u);
}
