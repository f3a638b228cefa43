// Which primitives' boxes touch a region? All of them, in the order of the leaves.
//
// Import this module, and bind three virtual ones: `kernels/lbvh/tree` as for a trace; `kernels/lbvh/region`, what is asked about
// (`kernels/lbvh/region_box` and `kernels/lbvh/region_frustum` are two: `LbvhRegion`, `lbvh_usable_region`, `lbvh_touches`); and
// `kernels/lbvh/visit`, which gets each primitive: `lbvh_visit(query: u32, primitive: u32, before: u32) -> bool`, where `before`
// were found before it; false ends the query. The search is by hand on both sides, as callbacks and stacks differ:
// kernels/src/lbvh/overlap.rs.

//!import kernels/lbvh/node
//!import kernels/lbvh/ray
//!import kernels/lbvh/tree
//!import kernels/lbvh/region
//!import kernels/lbvh/visit

// The number of primitives whose boxes touch the region; LBVH_LIMIT where that is not known after `max_steps` nodes.
fn lbvh_overlap(query: u32, asked: LbvhRegion, max_steps: u32) -> u32 {
    let region = lbvh_usable_region(asked);
    var waiting: array<u32, LBVH_STACK>;
    // Children wait as they are in nodes, so that leaves keep their place among nodes.
    var top = 1u;
    waiting[0] = 0u;
    var found = 0u;
    for (var step = 0u; step < max_steps; step += 1u) {
        if top == 0u {
            return found;
        }
        top -= 1u;
        let child = waiting[top];
        if (child & LBVH_LEAF) != 0u {
            let go_on = lbvh_visit(query, lbvh_leaf(child & ~LBVH_LEAF), found);
            found += 1u;
            if !go_on {
                return found;
            }
            continue;
        }
        let node = lbvh_node(child);
        if top + 2u > LBVH_STACK {
            return LBVH_LIMIT;
        }
        if node.right != LBVH_NONE && lbvh_touches(region, node.right_low, node.right_high) {
            waiting[top] = node.right;
            top += 1u;
        }
        if node.left != LBVH_NONE && lbvh_touches(region, node.left_low, node.left_high) {
            waiting[top] = node.left;
            top += 1u;
        }
    }
    return select(LBVH_LIMIT, found, top == 0u);
}
