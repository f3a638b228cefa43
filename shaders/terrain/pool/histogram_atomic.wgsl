// Slots needed by bin, then slots freed by bin: filled by many threads.
@group(0) @binding(5) var<storage, read_write> histogram: array<atomic<u32>>;
