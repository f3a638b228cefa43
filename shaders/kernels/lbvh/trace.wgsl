// What does a ray meet first, or does it meet anything? Nearer child first, with a bounded stack.
//
// Import this module, and bind two virtual ones: `kernels/lbvh/tree` says where nodes and leaves lie, `lbvh_node(u32) ->
// LbvhNode` and `lbvh_leaf(u32) -> u32` (`kernels/lbvh/tree_bound` is one); `kernels/lbvh/primitive` says what primitives
// are, `lbvh_hit(LbvhPreparedRay, u32, LbvhHit) -> LbvhHit`, the nearer of the hit given and its own.
//
// A ray that needs more room than `LBVH_STACK` reports its limit. By hand on both sides, as the CPU's has the tests of both boxes
// in lanes and a stack that all rays of a thread share: kernels/src/lbvh/trace.rs.

//!import kernels/lbvh/node
//!import kernels/lbvh/ray
//!import kernels/lbvh/tree
//!import kernels/lbvh/primitive

// The hit of a leaf, if the ray meets its box at all.
fn lbvh_try_leaf(ray: LbvhPreparedRay, child: u32, enters: f32, best: LbvhHit) -> LbvhHit {
    if enters == LBVH_FAR || enters > best.t || (child & LBVH_LEAF) == 0u || child == LBVH_NONE {
        return best;
    }
    return lbvh_hit(ray, lbvh_leaf(child & ~LBVH_LEAF), best);
}

// The closest hit, or any where `any_hit`; gives up after `max_steps` nodes.
fn lbvh_trace(ray: LbvhRay, any_hit: bool, max_steps: u32) -> LbvhHit {
    let prepared = lbvh_prepare_ray(ray);
    var best = LbvhHit(prepared.t_max, LBVH_MISS, 0.0, 0.0);
    if !prepared.valid {
        return LbvhHit(0.0, LBVH_INVALID, 0.0, 0.0);
    }
    var waiting: array<u32, LBVH_STACK>;
    var waiting_at: array<f32, LBVH_STACK>;
    var top = 0u;
    var at = 0u;
    for (var step = 0u; step < max_steps; step += 1u) {
        let node = lbvh_node(at);
        let left = lbvh_enter(prepared, node.left_low, node.left_high, best.t);
        let right = lbvh_enter(prepared, node.right_low, node.right_high, best.t);
        best = lbvh_try_leaf(prepared, node.left, left, best);
        best = lbvh_try_leaf(prepared, node.right, right, best);
        if any_hit && best.primitive != LBVH_MISS {
            return best;
        }
        let go_left = left != LBVH_FAR && left <= best.t && (node.left & LBVH_LEAF) == 0u;
        let go_right = right != LBVH_FAR && right <= best.t && (node.right & LBVH_LEAF) == 0u;
        if go_left && go_right {
            if top == LBVH_STACK {
                break;
            }
            let right_first = right < left;
            waiting[top] = select(node.right, node.left, right_first);
            waiting_at[top] = select(right, left, right_first);
            top += 1u;
            at = select(node.left, node.right, right_first);
            continue;
        }
        if go_left || go_right {
            at = select(node.right, node.left, go_left);
            continue;
        }
        var found = false;
        while top > 0u && !found {
            top -= 1u;
            at = waiting[top];
            found = waiting_at[top] <= best.t;
        }
        if !found {
            return best;
        }
    }
    return LbvhHit(prepared.t_min, LBVH_LIMIT, 0.0, 0.0);
}
