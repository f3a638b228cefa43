// Which boxes share a node of four? From two children on, the largest is opened until there are four.
//
// Subtrees of up to `PART` leaves are parts, which one invocation makes each. What is above them one workgroup makes, level by
// level. Nodes of parts lie behind those above them, as many as their leaves can need: a node that opens into fewer than
// four children has leaves alone, of three triangles at least, and all others open into four, so `n` triangles need at most
// (4 n - 3) / 9 nodes. So all is
// where a sum over those before it says, and no workgroup waits for another.

//!import kernels/params
//!import kernels/lbvh/aabb
//!import kernels/lbvh/node
//!import kernels/lbvh/triangle_record
//!import kernels/lbvh/bvh4/node

@group(0) @binding(2) var<storage, read> nodes: array<LbvhNode>;
@group(0) @binding(3) var<storage, read> primitives: array<u32>;
@group(0) @binding(4) var<storage, read> triangles: array<Triangle>;
@group(0) @binding(5) var<storage, read_write> bvh4_nodes: array<Bvh4Node>;
@group(0) @binding(6) var<storage, read_write> bvh4_triangles: array<Bvh4Triangle>;
// The number of nodes above the parts, those with which the parts begin included.
@group(0) @binding(7) var<storage, read_write> top_nodes: array<u32>;

// Triangles of a part at most.
const PART: u32 = 256u;

// In place of the last number of `Bvh4Node::middle`, which is finite: this is the first node of a part that is still to be made.
const TO_BE_MADE: u32 = 0xffffffffu;

// What a node is of, before it is made: a node of the binary tree, with its first and last triangle in the order of that.
struct Subtree {
    node: u32,
    first: u32,
    last: u32,
    low: vec3f,
    high: vec3f,
}

// The children of the node at work.
var<private> below: array<Subtree, BVH4_CHILDREN>;
// Half the surface of each child's box; less than nothing where it stays closed.
var<private> worth: array<f32, BVH4_CHILDREN>;
var<private> children: u32;

fn count_of(child: u32) -> u32 {
    return below[child].last - below[child].first + 1u;
}

fn is_leaf(child: u32) -> bool {
    return count_of(child) <= BVH4_TRIANGLES;
}

// Nodes that so many triangles, at least three, may need.
fn nodes_of(count: u32) -> u32 {
    return (4u * count - 3u) / 9u;
}

fn put_child(child: u32, subtree: Subtree) {
    below[child] = subtree;
    let size = max(subtree.high - subtree.low, vec3f(0.0));
    let area = size.x * size.y + size.y * size.z + size.z * size.x;
    worth[child] = select(area, -1.0, is_leaf(child));
}

// Puts the halves of a node of the binary tree at two places among the children.
fn halve(node: u32, one: u32, other: u32) {
    let halves = nodes[node];
    let middle = halves.left & ~LBVH_LEAF;
    put_child(one, Subtree(halves.left, halves.first, middle, halves.left_low, halves.left_high));
    put_child(other, Subtree(halves.right, middle + 1u, halves.last, halves.right_low, halves.right_high));
}

// Finds the children of a node of `count` triangles. Those without a box are left out.
fn open(node: u32, count: u32) {
    if count < 2u {
        let root = nodes[node];
        put_child(0u, Subtree(root.left, 0u, 0u, root.left_low, root.left_high));
        children = count;
    } else {
        halve(node, 0u, 1u);
        children = 2u;
    }
    while children < BVH4_CHILDREN && count > children {
        var widest = 0u;
        for (var child = 1u; child < children; child += 1u) {
            widest = select(widest, child, worth[child] > worth[widest]);
        }
        if worth[widest] < 0.0 {
            break;
        }
        halve(below[widest].node, widest, children);
        children += 1u;
    }
    var kept = 0u;
    for (var child = 0u; child < children; child += 1u) {
        if below[child].low.x <= below[child].high.x {
            below[kept] = below[child];
            kept += 1u;
        }
    }
    children = kept;
}

// Nodes and triangles that the children themselves need.
fn needs() -> vec2u {
    var needed = vec2u(0u);
    for (var child = 0u; child < children; child += 1u) {
        needed += select(vec2u(1u, 0u), vec2u(0u, count_of(child)), is_leaf(child));
    }
    return needed;
}

// Writes the children as those of node `at`, whose own nodes and triangles begin where they are told. In each node below it is
// left what it is of.
fn put_node(at: u32, first_node: u32, first_triangle: u32) {
    var sides: array<vec4f, 6>;
    for (var axis = 0u; axis < 3u; axis += 1u) {
        sides[axis] = vec4f(AABB_LARGEST);
        sides[axis + 3u] = vec4f(-AABB_LARGEST);
    }
    var numbers = vec4u(BVH4_LEAF);
    var low = vec3f(AABB_LARGEST);
    var high = vec3f(-AABB_LARGEST);
    var node = first_node;
    var triangle = first_triangle;
    for (var child = 0u; child < children; child += 1u) {
        let subtree = below[child];
        low = min(low, subtree.low);
        high = max(high, subtree.high);
        for (var axis = 0u; axis < 3u; axis += 1u) {
            sides[axis][child] = subtree.low[axis];
            sides[axis + 3u][child] = subtree.high[axis];
        }
        if is_leaf(child) {
            let count = count_of(child);
            numbers[child] = BVH4_LEAF | ((count - 1u) << BVH4_COUNT) | triangle;
            for (var leaf = 0u; leaf < count; leaf += 1u) {
                bvh4_triangles[triangle].primitive = primitives[subtree.first + leaf];
                triangle += 1u;
            }
        } else {
            numbers[child] = node;
            leave(node, subtree);
            node += 1u;
        }
    }
    // Of no boxes at all a point.
    low = select(low, vec3f(0.0), children == 0u);
    high = select(high, vec3f(0.0), children == 0u);
    let middle = 0.5 * low + 0.5 * high;
    let away = max(high - middle, middle - low);
    bvh4_nodes[at] = Bvh4Node(sides, numbers, bitcast<vec4u>(vec4f(middle, max(max(away.x, away.y), away.z))));
}

// Leaves in node `at` what it is of.
fn leave(at: u32, subtree: Subtree) {
    bvh4_nodes[at].children = vec4u(subtree.node, subtree.first, subtree.last, 0u);
}

// Leaves in node `at`, the first of a part, where its triangles and the nodes below it begin.
fn leave_part(at: u32, first_triangle: u32, first_node: u32) {
    bvh4_nodes[at].middle = vec4u(first_triangle, first_node, 0u, TO_BE_MADE);
}

var<workgroup> sums: array<vec3u, WORKGROUP>;
var<workgroup> total: vec3u;

// The sum over the invocations before this one; `total` is that over all.
fn sum_before(lane: u32, own: vec3u) -> vec3u {
    sums[lane] = own;
    workgroupBarrier();
    for (var reach = 1u; reach < WORKGROUP; reach *= 2u) {
        var sum = sums[lane];
        if lane >= reach {
            sum += sums[lane - reach];
        }
        workgroupBarrier();
        sums[lane] = sum;
        workgroupBarrier();
    }
    if lane == WORKGROUP - 1u {
        total = sums[lane];
    }
    return sums[lane] - own;
}

// The nodes above the parts. params.extra is the number of nodes that there is room for.
@compute @workgroup_size(256)
fn bvh4_top(@builtin(local_invocation_index) lane: u32) {
    let n = item_count();
    let is_part = n <= PART;
    if lane == 0u {
        leave(0u, Subtree(0u, 0u, max(n, 1u) - 1u, vec3f(0.0), vec3f(0.0)));
        if is_part {
            leave_part(0u, 0u, 1u);
        }
        top_nodes[0] = 1u;
    }
    if is_part {
        return;
    }
    storageBarrier();
    var begin = 0u;
    var end = 1u;
    var used_triangles = 0u;
    var free_nodes = params.extra;
    while begin < end {
        let level_end = end;
        for (var chunk = begin; chunk < level_end; chunk += WORKGROUP) {
            let at = chunk + lane;
            var given = vec4u(0u);
            if at < level_end {
                given = bvh4_nodes[at].children;
            }
            let count = given.z - given.y + 1u;
            // Parts are left as they are.
            let is_above = at < level_end && count > PART;
            var own = vec2u(0u);
            var of_parts = vec2u(0u);
            if is_above {
                open(given.x, count);
                own = needs();
                for (var child = 0u; child < children; child += 1u) {
                    if !is_leaf(child) && count_of(child) <= PART {
                        of_parts += vec2u(nodes_of(count_of(child)) - 1u, count_of(child));
                    }
                }
            }
            let demand = vec3u(own.x, of_parts.x, own.y + of_parts.y);
            let before = sum_before(lane, demand);
            let all = workgroupUniformLoad(&total);
            if is_above {
                let first_node = end + before.x;
                var triangle = used_triangles + before.z;
                put_node(at, first_node, triangle);
                triangle += own.y;
                var node = free_nodes - before.y - demand.y;
                var next = first_node;
                for (var child = 0u; child < children; child += 1u) {
                    if is_leaf(child) {
                        continue;
                    }
                    if count_of(child) <= PART {
                        leave_part(next, triangle, node);
                        triangle += count_of(child);
                        node += nodes_of(count_of(child)) - 1u;
                    }
                    next += 1u;
                }
            }
            end += all.x;
            free_nodes -= all.y;
            used_triangles += all.z;
        }
        begin = level_end;
        storageBarrier();
    }
    if lane == 0u {
        top_nodes[0] = end;
    }
}

// All nodes of a part, each before those below it.
fn make_part(root: u32) {
    var triangle = bvh4_nodes[root].middle.x;
    var next = bvh4_nodes[root].middle.y;
    var end = next;
    var at = root;
    loop {
        let given = bvh4_nodes[at].children;
        open(given.x, min(given.z - given.y + 1u, item_count()));
        let own = needs();
        put_node(at, end, triangle);
        end += own.x;
        triangle += own.y;
        if next == end {
            break;
        }
        at = next;
        next += 1u;
    }
}

@compute @workgroup_size(64)
fn bvh4_parts(@builtin(global_invocation_id) id: vec3u) {
    for (var node = id.x; node < top_nodes[0]; node += 64u * params.chunks) {
        if bvh4_nodes[node].middle.w == TO_BE_MADE {
            make_part(node);
        }
    }
}

// The corners of the triangles whose numbers are in place. One that is not a number anywhere becomes a point, which nothing meets.
@compute @workgroup_size(256)
fn bvh4_corners(@builtin(global_invocation_id) id: vec3u) {
    for (var place = id.x; place < item_count(); place += WORKGROUP * params.chunks) {
        let primitive = bvh4_triangles[place].primitive;
        // Of triangles without a box nothing has been written.
        if primitive >= params.capacity {
            continue;
        }
        let triangle = triangles[params.aux_first + primitive];
        var a = triangle_a(triangle);
        var b = triangle_b(triangle);
        var c = triangle_c(triangle);
        if has_nan(a) || has_nan(b) || has_nan(c) {
            a = vec3f(0.0);
            b = a;
            c = a;
        }
        bvh4_triangles[place] = Bvh4Triangle(a, primitive, b, c);
    }
}

fn has_nan(corner: vec3f) -> bool {
    return aabb_is_nan(corner.x) || aabb_is_nan(corner.y) || aabb_is_nan(corner.z);
}
