// What lies nearest to a point? Nearer child first, with a bounded stack.
//
// Import this module, and bind two virtual ones: `kernels/lbvh/tree` as for a trace, and `kernels/lbvh/nearby`, which says what
// primitives are: `lbvh_near_primitive(point: vec3f, primitive: u32, best: LbvhHit) -> LbvhHit`, the nearer of the one given and
// its own, where t is the square of the distance. Distances are one source with the CPU; the search is by hand on both sides, as
// callbacks and stacks differ: kernels/src/lbvh/near.rs.

//!import kernels/lbvh/node
//!import kernels/lbvh/ray
//!import kernels/lbvh/distance
//!import kernels/lbvh/tree
//!import kernels/lbvh/nearby

// The nearest primitive within `reach`: t is its distance, u and v say where on it. Gives up after `max_steps` nodes and leaves.
fn lbvh_nearest(point: vec3f, reach: f32, max_steps: u32) -> LbvhHit {
    if !lbvh_is_point(point, reach) {
        return LbvhHit(0.0, LBVH_INVALID, 0.0, 0.0);
    }
    var best = LbvhHit(lbvh_square_of_reach(reach), LBVH_MISS, 0.0, 0.0);
    var waiting: array<u32, LBVH_STACK>;
    var waiting_at: array<f32, LBVH_STACK>;
    waiting[0] = 0u;
    waiting_at[0] = 0.0;
    var top = 1u;
    for (var step = 0u; step < max_steps; step += 1u) {
        if top == 0u {
            break;
        }
        top -= 1u;
        let child = waiting[top];
        if waiting_at[top] > best.t {
            continue;
        }
        if (child & LBVH_LEAF) != 0u {
            best = lbvh_near_primitive(point, lbvh_leaf(child & ~LBVH_LEAF), best);
            continue;
        }
        let node = lbvh_node(child);
        if top + 2u > LBVH_STACK {
            break;
        }
        let left = lbvh_square_to_box(point, node.left_low, node.left_high);
        let right = lbvh_square_to_box(point, node.right_low, node.right_high);
        // The nearer one last, so that it is looked at first.
        let children = select(vec2u(node.left, node.right), vec2u(node.right, node.left), left <= right);
        let distances = select(vec2f(left, right), vec2f(right, left), left <= right);
        for (var i = 0u; i < 2u; i += 1u) {
            if children[i] != LBVH_NONE && distances[i] != LBVH_FAR && distances[i] <= best.t {
                waiting[top] = children[i];
                waiting_at[top] = distances[i];
                top += 1u;
            }
        }
    }
    // Whatever still waits has not been looked at.
    if top > 0u {
        return LbvhHit(0.0, LBVH_LIMIT, 0.0, 0.0);
    }
    return LbvhHit(sqrt(best.t), best.primitive, best.u, best.v);
}
