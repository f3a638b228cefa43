// What does a ray meet first, or does it meet anything? Nearer child first, with a bounded stack.
//
// Import this module, and bind two virtual ones: `kernels/lbvh/tree` says where nodes and leaves lie, `lbvh_node(u32) ->
// LbvhNode` and `lbvh_leaf(u32) -> u32` (`kernels/lbvh/tree_bound` is one); `kernels/lbvh/primitive` says what primitives
// are, `lbvh_hit(LbvhPreparedRay, u32, LbvhHit) -> LbvhHit`, the nearer of the hit given and its own.
//
// A ray that needs more room than `LBVH_STACK` reports its limit. WGSL clears the stack of each ray, which costs more than to visit a
// node again that lies behind a hit by now: so it holds no distances. The CPU's does, and tests both boxes in lanes:
// kernels/src/lbvh/trace.rs.

//!import kernels/lbvh/node
//!import kernels/lbvh/ray
//!import kernels/lbvh/probe
//!import kernels/lbvh/tree
//!import kernels/lbvh/primitive

// Whether a child is a leaf, and there at all.
fn lbvh_is_leaf(child: u32) -> bool {
    return (child & LBVH_LEAF) != 0u && child != LBVH_NONE;
}

// The closest hit, or any where `any_hit`; gives up after `max_steps` nodes.
fn lbvh_trace(ray: LbvhRay, any_hit: bool, max_steps: u32) -> LbvhHit {
    let prepared = lbvh_prepare_ray(ray);
    var best = LbvhHit(prepared.t_max, LBVH_MISS, 0.0, 0.0);
    if !prepared.valid {
        return LbvhHit(0.0, LBVH_INVALID, 0.0, 0.0);
    }
    let root = lbvh_node(0u);
    let probe = lbvh_probe(ray, min(root.left_low, root.right_low), max(root.left_high, root.right_high));
    var end = lbvh_probe_units(probe, best.t);
    var waiting: array<u32, LBVH_STACK>;
    var top = 0u;
    var at = 0u;
    for (var step = 0u; step < max_steps; step += 1u) {
        let node = lbvh_node(at);
        let enters = lbvh_probe_boxes(
            probe, node.left_low, node.left_high, node.right_low, node.right_high, end);
        let left = enters.x;
        let right = enters.y;
        if left != LBVH_FAR && lbvh_is_leaf(node.left) {
            best = lbvh_hit(prepared, lbvh_leaf(node.left & ~LBVH_LEAF), best);
            end = lbvh_probe_units(probe, best.t);
        }
        if right <= end && right != LBVH_FAR && lbvh_is_leaf(node.right) {
            best = lbvh_hit(prepared, lbvh_leaf(node.right & ~LBVH_LEAF), best);
            end = lbvh_probe_units(probe, best.t);
        }
        if any_hit && best.primitive != LBVH_MISS {
            return best;
        }
        let go_left = left <= end && left != LBVH_FAR && (node.left & LBVH_LEAF) == 0u;
        let go_right = right <= end && right != LBVH_FAR && (node.right & LBVH_LEAF) == 0u;
        if go_left && go_right {
            if top == LBVH_STACK {
                break;
            }
            let right_first = right < left;
            waiting[top] = select(node.right, node.left, right_first);
            top += 1u;
            at = select(node.left, node.right, right_first);
            continue;
        }
        if go_left || go_right {
            at = select(node.right, node.left, go_left);
            continue;
        }
        if top == 0u {
            return best;
        }
        top -= 1u;
        at = waiting[top];
    }
    return LbvhHit(prepared.t_min, LBVH_LIMIT, 0.0, 0.0);
}
