// Where do buckets come from? From a buffer that somebody filled: bucket | bucket of the parent << 8, one word a slot.

@group(1) @binding(0) var<storage, read> buckets: array<u32>;

fn bucket(slot: u32, id: vec2u) -> u32 {
    return buckets[slot] & 0xffu;
}

fn parent_bucket(slot: u32, id: vec2u) -> u32 {
    return buckets[slot] >> 8u & 0xffu;
}
