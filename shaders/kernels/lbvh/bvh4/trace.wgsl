// What does a ray meet first, or does it meet anything, in a tree of four children a node?
//
// Import this module, and bind a virtual one: `kernels/lbvh/bvh4/tree` says where nodes and triangles lie, `bvh4_side(node, side) ->
// vec4f`, `bvh4_children(node) -> vec4u` and `bvh4_triangle(u32) -> Bvh4Triangle` (`kernels/lbvh/bvh4/tree_bound` is one).
//
// Hits are those of `kernels/lbvh/trace`. Children wait on a stack, of each node the nearest on top. WGSL clears the stack of each
// ray: that costs more than to visit a node again that lies behind a hit by now, so it holds no distances.

//!import kernels/lbvh/ray
//!import kernels/lbvh/probe
//!import kernels/lbvh/triangle
//!import kernels/lbvh/bvh4/node
//!import kernels/lbvh/bvh4/tree

// Children that may wait at once. Trees by Morton codes need 24 over a million triangles, and three more for four times as many.
const BVH4_STACK: u32 = 48u;

// The probe of a ray in the box of the root.
fn bvh4_probe(ray: LbvhRay) -> LbvhProbe {
    let low = vec3f(bvh4_low(bvh4_side(0u, 0u)), bvh4_low(bvh4_side(0u, 1u)), bvh4_low(bvh4_side(0u, 2u)));
    let high = vec3f(bvh4_high(bvh4_side(0u, 3u)), bvh4_high(bvh4_side(0u, 4u)), bvh4_high(bvh4_side(0u, 5u)));
    return lbvh_probe(ray, low, high);
}

fn bvh4_low(side: vec4f) -> f32 {
    return min(min(side.x, side.y), min(side.z, side.w));
}

fn bvh4_high(side: vec4f) -> f32 {
    return max(max(side.x, side.y), max(side.z, side.w));
}

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
    let probe = bvh4_probe(ray);
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
            let near_x = bvh4_side(at, near.x) * probe.inverse.x + probe.enters.x;
            let near_y = bvh4_side(at, near.y) * probe.inverse.y + probe.enters.y;
            let near_z = bvh4_side(at, near.z) * probe.inverse.z + probe.enters.z;
            let far_x = bvh4_side(at, far.x) * probe.inverse.x + probe.leaves.x;
            let far_y = bvh4_side(at, far.y) * probe.inverse.y + probe.leaves.y;
            let far_z = bvh4_side(at, far.z) * probe.inverse.z + probe.leaves.z;
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
            if top + 3u > BVH4_STACK {
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
