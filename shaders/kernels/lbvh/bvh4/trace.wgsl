// What does a ray meet first, or does it meet anything, in a tree of four children a node?
//
// Import this module, and bind a virtual one: `kernels/lbvh/bvh4/tree` says where nodes and triangles lie, `bvh4_side(node, side) ->
// vec4f`, `bvh4_children(node) -> vec4u`, `bvh4_middle(node) -> vec4f` (with the reach) and `bvh4_triangle(u32) -> Bvh4Triangle`
// (`kernels/lbvh/bvh4/tree_bound` is one).
//
// Hits are those of `kernels/lbvh/trace`. Children wait on a stack, of each node the nearest on top. WGSL clears the stack of each
// ray: that costs more than to visit a node again that lies behind a hit by now, so it holds no distances.

//!import kernels/lbvh/ray
//!import kernels/lbvh/probe
//!import kernels/lbvh/triangle
//!import kernels/lbvh/bvh4/node
//!import kernels/lbvh/bvh4/tree

// 2^-21: by how much of the origin's largest coordinate boxes are widened besides, as a side is multiplied before the origin is
// subtracted.
const BVH4_ORIGIN_SLACK: f32 = 0x1p-21f;

// Children that may wait at once: 24 over a terrain and a soup of a million triangles.
const BVH4_STACK: u32 = 48u;

// What is in a box, and where the ray enters it.
struct Bvh4Child {
    enters: f32,
    child: u32,
}

// The nearer of two first.
fn bvh4_sort(one: ptr<function, Bvh4Child>, other: ptr<function, Bvh4Child>) {
    let a = *one;
    let b = *other;
    let swap = b.enters < a.enters;
    *one = Bvh4Child(select(a.enters, b.enters, swap), select(a.child, b.child, swap));
    *other = Bvh4Child(select(b.enters, a.enters, swap), select(b.child, a.child, swap));
}

// The closest hit, or any where `any_hit`; gives up after `max_steps` nodes and leaves.
fn bvh4_trace(ray: LbvhRay, any_hit: bool, max_steps: u32) -> LbvhHit {
    let prepared = lbvh_prepare_ray(ray);
    if !prepared.valid {
        return LbvhHit(0.0, LBVH_INVALID, 0.0, 0.0);
    }
    let root = bvh4_middle(0u);
    let probe = lbvh_probe(ray, root.xyz - root.w, root.xyz + root.w);
    // Where the ray would meet sides at 0.
    let at_zero = -probe.origin * probe.inverse;
    let origin_slack = BVH4_ORIGIN_SLACK * lbvh_reach(abs(probe.origin));
    // The numbers of the sides through which the ray enters and leaves.
    let near = select(vec3u(3u, 4u, 5u), vec3u(0u, 1u, 2u), probe.is_forward);
    let far = select(vec3u(0u, 1u, 2u), vec3u(3u, 4u, 5u), probe.is_forward);
    var best = LbvhHit(prepared.t_max, LBVH_MISS, 0.0, 0.0);
    var end = lbvh_probe_units(probe, best.t);
    var waiting: array<u32, BVH4_STACK>;
    var top = 0u;
    var at = 0u;
    for (var step = 0u; step < max_steps; step += 1u) {
        if (at & BVH4_LEAF) == 0u {
            let middle = bvh4_middle(at);
            let reach = lbvh_reach(abs(middle.xyz - probe.origin)) + middle.w;
            let slack = probe.steep * (LBVH_PROBE_SLACK * reach + origin_slack);
            let begin = at_zero - slack;
            let leave = at_zero + slack;
            let near_x = bvh4_side(at, near.x) * probe.inverse.x + begin.x;
            let near_y = bvh4_side(at, near.y) * probe.inverse.y + begin.y;
            let near_z = bvh4_side(at, near.z) * probe.inverse.z + begin.z;
            let far_x = bvh4_side(at, far.x) * probe.inverse.x + leave.x;
            let far_y = bvh4_side(at, far.y) * probe.inverse.y + leave.y;
            let far_z = bvh4_side(at, far.z) * probe.inverse.z + leave.z;
            let enters = max(max(near_x, near_y), max(near_z, vec4f(probe.t_min)));
            let leaves = min(min(far_x, far_y), min(far_z, vec4f(end)));
            let found = select(vec4f(LBVH_FAR), enters, enters <= leaves);
            let children = bvh4_children(at);
            var a = Bvh4Child(found.x, children.x);
            var b = Bvh4Child(found.y, children.y);
            var c = Bvh4Child(found.z, children.z);
            var d = Bvh4Child(found.w, children.w);
            bvh4_sort(&a, &b);
            bvh4_sort(&c, &d);
            bvh4_sort(&a, &c);
            bvh4_sort(&b, &d);
            bvh4_sort(&b, &c);
            let more = vec3f(b.enters, c.enters, d.enters) < vec3f(LBVH_FAR);
            if top + dot(vec3u(more), vec3u(1u)) > BVH4_STACK {
                break;
            }
            if d.enters < LBVH_FAR {
                waiting[top] = d.child;
                top += 1u;
            }
            if c.enters < LBVH_FAR {
                waiting[top] = c.child;
                top += 1u;
            }
            if b.enters < LBVH_FAR {
                waiting[top] = b.child;
                top += 1u;
            }
            if a.enters < LBVH_FAR {
                at = a.child;
                continue;
            }
        } else {
            let first = at & ((1u << BVH4_COUNT) - 1u);
            let count = ((at & ~BVH4_LEAF) >> BVH4_COUNT) + 1u;
            for (var triangle = first; triangle < first + count; triangle += 1u) {
                let corners = bvh4_triangle(triangle);
                best = lbvh_hit_triangle(prepared, corners.a, corners.b, corners.c, corners.primitive, best);
            }
            if any_hit && best.primitive != LBVH_MISS {
                return best;
            }
            end = lbvh_probe_units(probe, best.t);
        }
        if top == 0u {
            return best;
        }
        top -= 1u;
        at = waiting[top];
    }
    return LbvhHit(prepared.t_min, LBVH_LIMIT, 0.0, 0.0);
}
