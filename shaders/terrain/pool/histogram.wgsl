// Slots needed by bin, then slots freed by bin: read and emptied by one thread a bin.
@group(0) @binding(5) var<storage, read_write> histogram: array<u32>;
