//!import terrain/pool/ranks_layout
// Ranks, each word written by one thread.
@group(0) @binding(6) var<storage, read_write> ranks: array<u32>;
