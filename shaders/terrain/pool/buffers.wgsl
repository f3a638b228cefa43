//!import terrain/pool/control
// What does a bisector pool consist of? The buffers that the passes of an update share; histograms, ranks and indirect arguments
// have modules of their own. Which slots are live is a concurrent binary tree (`cbt`) in buffers of its own, group 1.

@group(0) @binding(0) var<storage, read_write> control: PoolControl;
// Heap id of each slot, 0 where it is free.
@group(0) @binding(1) var<storage, read_write> heap: array<vec2u>;
// Three opposite half-edges a slot; after all of them, the corners of each slot's bisector: (u, v) of v0, v1, v2 on the
// face of its root.
@group(0) @binding(2) var<storage, read_write> bisectors: array<u32>;
// Three marks a slot: cut it, cut its child 0, cut its child 1.
@group(0) @binding(3) var<storage, read_write> marks: array<atomic<u32>>;
// Key of the parent, then keep priority of the diamond, then plan word.
@group(0) @binding(4) var<storage, read_write> state: array<u32>;

fn is_live(slot: u32) -> bool {
    return slot < control.capacity && any(heap[slot] != vec2u(0u));
}

fn block_count() -> u32 {
    return (control.capacity + BLOCK - 1u) / BLOCK;
}

fn neighbour(slot: u32, edge: u32) -> u32 {
    return bisectors[3u * slot + edge];
}

fn set_neighbour(slot: u32, edge: u32, half_edge: u32) {
    bisectors[3u * slot + edge] = half_edge;
}

// Corner 0, 1 or 2 in coordinates of the face of the bisector's root.
fn corner(slot: u32, index: u32) -> vec2u {
    return corner_of(control.capacity, slot, index);
}

// The same in a pool of so many slots, where that is known before `control` is read.
fn corner_of(slots: u32, slot: u32, index: u32) -> vec2u {
    let at = 3u * slots + 6u * slot + 2u * index;
    return vec2u(bisectors[at], bisectors[at + 1u]);
}

fn set_corners(slot: u32, v0: vec2u, v1: vec2u, v2: vec2u) {
    let at = 3u * control.capacity + 6u * slot;
    bisectors[at] = v0.x;
    bisectors[at + 1u] = v0.y;
    bisectors[at + 2u] = v1.x;
    bisectors[at + 3u] = v1.y;
    bisectors[at + 4u] = v2.x;
    bisectors[at + 5u] = v2.y;
}
