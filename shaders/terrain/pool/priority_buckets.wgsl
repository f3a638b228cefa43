//!import terrain/pool/edge
// Where do buckets come from? From a buffer that somebody filled: bucket | bucket of the parent << 8, one word a slot.

@group(1) @binding(0) var<storage, read> buckets: array<u32>;

fn bucket(slot: u32, of_parent: bool, edge: Edge) -> u32 {
    return (buckets[slot] >> select(0u, 8u, of_parent)) & 0xffu;
}
