// Where do nodes and triangles lie? In two buffers of group 0; a user's shader may put them anywhere else.

//!import kernels/lbvh/bvh4/node

@group(0) @binding(2) var<storage, read> bvh4_nodes: array<Bvh4Node>;
@group(0) @binding(3) var<storage, read> bvh4_triangles: array<Bvh4Triangle>;

fn bvh4_side(node: u32, side: u32) -> vec4f {
    return bvh4_nodes[node].sides[side];
}

fn bvh4_children(node: u32) -> vec4u {
    return bvh4_nodes[node].children;
}

fn bvh4_middle(node: u32) -> vec4f {
    return bitcast<vec4f>(bvh4_nodes[node].middle);
}

fn bvh4_triangle(triangle: u32) -> Bvh4Triangle {
    return bvh4_triangles[triangle];
}
