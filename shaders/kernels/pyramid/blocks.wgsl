// What are the combinations of all aligned pairs, fours, eights ... of items? All levels of a block at once.
//
// A workgroup turns a block of 256 * ITEMS items into log2 of that many levels, the first from registers, the rest through
// the workgroup; 4-byte items: 12 levels a dispatch, so 2^24 items take two. Twin: kernels/src/pyramid/cpu.rs.

//!import kernels/source
//!import kernels/pyramid/tree
//!variant portable kernels/pyramid/tree=kernels/pyramid/tree_portable kernels/element=kernels/examples/element kernels/operator=kernels/examples/sum kernels/source=kernels/examples/plain
//!variant subgroup kernels/pyramid/tree=kernels/pyramid/tree_subgroup kernels/element=kernels/examples/element kernels/element_shuffle=kernels/examples/element_shuffle kernels/operator=kernels/examples/sum kernels/source=kernels/examples/plain

// Blocks to do again: their number is the count.
@group(0) @binding(4) var<storage, read> dirty: array<u32>;

const BLOCK: u32 = WORKGROUP * ITEMS;
// params.mode: whether the items are nodes of the heap too.
const STORE_ITEMS: u32 = 1u;

fn block_levels(block: u32, items: ptr<function, array<Elem, ITEMS>>, lane: Lane, group: Group) {
    let rank = lane_rank(lane, group);
    let first = block * BLOCK + rank * ITEMS;
    var up = 0u;
    for (var width = ITEMS / 2u; width > 0u; width /= 2u) {
        up += 1u;
        for (var k = 0u; k < width; k += 1u) {
            let node = op_combine((*items)[2u * k], (*items)[2u * k + 1u]);
            (*items)[k] = node;
            heap_store(up, (first >> up) + k, node);
        }
    }
    tree_levels((*items)[0], block * WORKGROUP, up, lane, group);
}

fn do_block(block: u32, n: u32, lane: Lane, group: Group) {
    let first = block * BLOCK + lane_rank(lane, group) * ITEMS;
    var items: array<Elem, ITEMS>;
    for (var k = 0u; k < ITEMS; k += 1u) {
        items[k] = op_identity();
        if first + k < n {
            items[k] = source_load(first + k);
        }
        if params.mode == STORE_ITEMS {
            heap_store(0u, first + k, items[k]);
        }
    }
    block_levels(block, &items, lane, group);
}

fn block_count() -> u32 {
    return max(1u, (1u << leaf_level()) / BLOCK);
}

// Every block of the items; nodes over no item are the identity.
@compute @workgroup_size(256)
fn pyramid_blocks(lane: Lane, group: Group) {
    let n = item_count();
    let blocks = block_count();
    let end = (group.workgroup.x + 1u) * blocks / params.chunks;
    for (var block = group.workgroup.x * blocks / params.chunks; block < end; block += 1u) {
        do_block(block, n, lane, group);
    }
}

// The blocks of the list; params.capacity blocks at most. params.aux_first is where the list begins.
@compute @workgroup_size(256)
fn pyramid_dirty(lane: Lane, group: Group) {
    let listed = item_count();
    // Workgroups take blocks in turn, so that a short list is spread.
    for (var entry = group.workgroup.x; entry < listed; entry += params.chunks) {
        let block = dirty[params.aux_first + entry];
        if block < block_count() {
            do_block(block, params.items, lane, group);
        }
    }
}

// The levels above a level that is in the heap already.
@compute @workgroup_size(256)
fn pyramid_above(lane: Lane, group: Group) {
    let nodes = 1u << leaf_level();
    let blocks = block_count();
    let end = (group.workgroup.x + 1u) * blocks / params.chunks;
    for (var block = group.workgroup.x * blocks / params.chunks; block < end; block += 1u) {
        let first = block * BLOCK + lane_rank(lane, group) * ITEMS;
        var items: array<Elem, ITEMS>;
        for (var k = 0u; k < ITEMS; k += 1u) {
            items[k] = op_identity();
            if first + k < nodes {
                items[k] = output[params.output_first + nodes + first + k];
            }
        }
        block_levels(block, &items, lane, group);
    }
}
