// Which bisectors are drawn? What the passes that make a tree of them share.

// Heap id of each drawn triangle.
@group(1) @binding(0) var<storage, read_write> ids: array<vec2u>;
// What tells apart those whose ids begin with the same 32 bits: as many bits as the deepest bisectors have beyond.
@group(1) @binding(1) var<storage, read_write> low_keys: array<u32>;
// Number of drawn triangles.
@group(1) @binding(2) var<storage, read_write> triangle_count: array<u32, 1>;
