// Which leaves does each node cover, and where does it split? One invocation a node, none waits for another.
//
// Karras 2012, "Maximizing Parallelism in the Construction of BVHs, Octrees, and k-d Trees", algorithm 1: node i begins or
// ends at leaf i and grows towards the neighbour with the longer common prefix. Equal codes are told apart by their place.
// Boxes come from the aligned cover of a range, at most 2 log2(length) blocks, not from a climb: so nothing is handed over.
// By hand on both sides, as the CPU descends from the root: kernels/src/lbvh/topology.rs.

//!import kernels/params
//!import kernels/lbvh/aabb
//!import kernels/lbvh/node
//!import kernels/lbvh/code
//!variant u32 kernels/lbvh/code=kernels/lbvh/code32
//!variant u64 kernels/lbvh/code=kernels/lbvh/code64

@group(0) @binding(4) var<storage, read_write> codes: array<LbvhCode>;
@group(0) @binding(6) var<storage, read_write> levels: array<Aabb>;
@group(0) @binding(7) var<storage, read_write> nodes: array<LbvhNode>;

// The length of the prefix that the codes of leaves i and j share; -1 beyond the ends.
fn common_prefix(i: i32, code: LbvhCode, j: i32, n: i32) -> i32 {
    if j < 0 || j >= n {
        return -1;
    }
    let length = lbvh_code_prefix(code, codes[j]);
    if length == LBVH_CODE_WIDTH {
        return i32(LBVH_CODE_WIDTH + countLeadingZeros(u32(i ^ j)));
    }
    return i32(length);
}

// The box of leaves `first` to `last`.
fn cover(first: u32, last: u32) -> Aabb {
    var box = aabb_empty();
    var at = first;
    let end = last + 1u;
    while at < end {
        let level = min(countTrailingZeros(at | 0x80000000u), firstLeadingBit(end - at));
        box = aabb_union(box, levels[at + (at | ((1u << level) - 1u))]);
        at += 1u << level;
    }
    return box;
}

fn put_boxes(node: u32, left: Aabb, right: Aabb) {
    nodes[node].left_low = aabb_low(left);
    nodes[node].left_high = aabb_high(left);
    nodes[node].right_low = aabb_low(right);
    nodes[node].right_high = aabb_high(right);
}

// With no or one primitive there is one node too, whose missing children are empty.
fn put_few(n: u32) {
    var left = aabb_empty();
    nodes[0].left = LBVH_NONE;
    if n == 1u {
        left = cover(0u, 0u);
        nodes[0].left = LBVH_LEAF;
    }
    nodes[0].right = LBVH_NONE;
    nodes[0].first = 0u;
    nodes[0].last = 0u;
    put_boxes(0u, left, aabb_empty());
}

fn put_node(node: u32, count: u32) {
    let n = i32(count);
    let i = i32(node);
    let code = codes[i];
    let before = common_prefix(i, code, i - 1, n);
    let after = common_prefix(i, code, i + 1, n);
    let way = select(-1, 1, after > before);
    let outside = min(before, after);
    // How far the node reaches: doubled until too far, then by halves.
    var far = 2;
    while common_prefix(i, code, i + far * way, n) > outside {
        far *= 2;
    }
    var length = 0;
    for (var part = far / 2; part > 0; part /= 2) {
        if common_prefix(i, code, i + (length + part) * way, n) > outside {
            length += part;
        }
    }
    let other = i + length * way;
    // The last leaf that shares more with leaf i than the other end does.
    let inside = common_prefix(i, code, other, n);
    var split = 0;
    var part = length;
    loop {
        part = (part + 1) / 2;
        if split + part < length && common_prefix(i, code, i + (split + part) * way, n) > inside {
            split += part;
        }
        if part <= 1 {
            break;
        }
    }
    let middle = u32(i + split * way + min(way, 0));
    let first = u32(min(i, other));
    let last = u32(max(i, other));
    let left = cover(first, middle);
    let right = cover(middle + 1u, last);
    let left_child = middle | select(0u, LBVH_LEAF, middle == first);
    let right_child = (middle + 1u) | select(0u, LBVH_LEAF, middle + 1u == last);
    nodes[node] = LbvhNode(
        aabb_low(left),
        left_child,
        aabb_high(left),
        right_child,
        aabb_low(right),
        first,
        aabb_high(right),
        last,
    );
}

@compute @workgroup_size(256)
fn lbvh_topology(@builtin(global_invocation_id) id: vec3u) {
    let n = item_count();
    if n <= 1u {
        if id.x == 0u {
            put_few(n);
        }
        return;
    }
    for (var node = id.x; node < n - 1u; node += WORKGROUP * params.chunks) {
        put_node(node, n);
    }
}

// New boxes for the nodes of a tree that keeps its shape.
@compute @workgroup_size(256)
fn lbvh_refit(@builtin(global_invocation_id) id: vec3u) {
    let n = item_count();
    if n <= 1u {
        if id.x == 0u {
            put_few(n);
        }
        return;
    }
    for (var node = id.x; node < n - 1u; node += WORKGROUP * params.chunks) {
        let first = nodes[node].first;
        let last = nodes[node].last;
        let middle = nodes[node].left & ~LBVH_LEAF;
        put_boxes(node, cover(first, middle), cover(middle + 1u, last));
    }
}
