//!import terrain/pool/ranks_layout
// Ranks, sums filled by many threads.
@group(0) @binding(6) var<storage, read_write> ranks: array<atomic<u32>>;
