// Where do triangles go? Buffers of the mesh that is drawn from a pool.

// Number of live slots before each block of the pool.
@group(3) @binding(0) var<storage, read_write> live_before: array<u32>;
// Vertex count, instance count, first vertex, first instance of an indirect draw.
@group(3) @binding(1) var<storage, read_write> draw: array<u32, 4>;
