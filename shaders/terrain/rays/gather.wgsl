//!import terrain/heap_id
//!import terrain/rays/buffers
//!import kernels/lbvh/aabb
//!import kernels/lbvh/triangle_record
// What are the primitives of the tree? Drawn triangles, their boxes and codes, in an order in which those whose codes are
// equal lie along the curve of the bisection.

// Drawn triangles by their low keys.
@group(0) @binding(0) var<storage, read> order: array<u32>;
// As `evaluate` writes them: two vectors a vertex, position first.
@group(0) @binding(1) var<storage, read> vertices: array<vec4f>;
@group(2) @binding(0) var<storage, read_write> boxes: array<Aabb>;
@group(2) @binding(1) var<storage, read_write> triangles: array<Triangle>;
// First 32 bits of the left-aligned heap ids.
@group(2) @binding(2) var<storage, read_write> codes: array<u32>;
// Heap id of each primitive.
@group(2) @binding(3) var<storage, read_write> bisector_ids: array<vec2u>;

@compute @workgroup_size(256)
fn gather(@builtin(global_invocation_id) invocation: vec3u) {
    let primitive = invocation.x;
    if primitive >= triangle_count[0] {
        return;
    }
    let triangle = order[primitive];
    let a = vertices[6u * triangle].xyz;
    let b = vertices[6u * triangle + 2u].xyz;
    let c = vertices[6u * triangle + 4u].xyz;
    boxes[primitive] = aabb(min(a, min(b, c)), max(a, max(b, c)));
    triangles[primitive] = triangle_of(a, b, c);
    codes[primitive] = left_aligned(ids[triangle]).y;
    bisector_ids[primitive] = ids[triangle];
}
