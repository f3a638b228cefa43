// What is a node of four children, and what is a triangle beside others? The same bytes as in kernels/src/lbvh/gpu_bvh4.rs.

// Children of a node at most.
const BVH4_CHILDREN: u32 = 4u;

// Triangles of a leaf at most.
const BVH4_TRIANGLES: u32 = 2u;

// This bit of a child marks a leaf: the number of its triangles less one from bit `BVH4_COUNT` on, and below it the first of them.
const BVH4_LEAF: u32 = 0x80000000u;
const BVH4_COUNT: u32 = 29u;

struct Bvh4Node {
    // Low x, y, z, then high x, y, z of the children's boxes, a lane a child. Where there is no child, low is above high.
    sides: array<vec4f, 6>,
    // A node, or a leaf.
    children: vec4u,
    // The middle of all boxes, and how far their sides are from it at most: bits of four `f32`.
    middle: vec4u,
}

struct Bvh4Triangle {
    a: vec3f,
    primitive: u32,
    b: vec3f,
    c: vec3f,
}
