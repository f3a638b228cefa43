// How are the levels above a workgroup's units written, when the units' running sum is known? A unit is a node of one level; every
// node above is one difference of the running sum, so that no level waits for the one below it.

// Of a tree of depth 10 or more the lower half, in which all levels lie but the last two.
@group(0) @binding(1) var<storage, read_write> cbt_heap: array<u32>;

// The units' running sum, at `slot`.
var<workgroup> sh_units: array<u32, 1057>;
// The words of the heap that the levels of fewer than 32 nodes share.
var<workgroup> sh_top: array<atomic<u32>, 32>;

// Where entry i of `sh_units` lies: neighbours and entries 4, 8, 16, 32 apart are in different banks.
fn slot(i: u32) -> u32 {
    return i + (i >> 5u);
}

// D of a tree of depth 10 or more, by the size of the heap's lower half, for which no load must be waited for.
fn tree_depth() -> u32 {
    return firstLeadingBit(arrayLength(&cbt_heap)) + 4u;
}

// First word of a level of at least 32 nodes whose sums have `width` bits: bit 2^d (width + 2), where d = D + 1 - width.
fn level_start(depth: u32, width: u32) -> u32 {
    return (width + 2u) << (depth - 4u - width);
}

// Set bits of `count` units from unit `first` on.
fn units_sum(first: u32, count: u32) -> u32 {
    return sh_units[slot(first + count)] - sh_units[slot(first)];
}

// Bits 32 j .. of a workgroup's part of the level of `width`, whose nodes have `span` units.
fn packed(width: u32, span: u32, j: u32) -> u32 {
    let bit = 32u * j;
    // Exact: (bit + 1/2) / width is further from whole numbers than rounding moves it, as long as bits are below 2^16.
    let node = u32((f32(bit) + 0.5) * (1.0 / f32(width)));
    let skip = bit - node * width;
    var at = node * span + span;
    var end = sh_units[slot(at)];
    var word = (end - sh_units[slot(at - span)]) >> skip;
    for (var have = width - skip; have < 32u; have += width) {
        let begin = end;
        at += span;
        end = sh_units[slot(at)];
        word |= (end - begin) << have;
    }
    return word;
}

// Writes a workgroup's part of the levels of widths `first` to `last`; units have `unit_width`.
fn write_levels(depth: u32, units: u32, unit_width: u32, first: u32, last: u32, group: u32, rank: u32) {
    var width = first;
    var words = ((units >> (width - unit_width)) * width) >> 5u;
    // Numbered through the levels; within the current one.
    var j = rank;
    while true {
        while width <= last && j >= words {
            j -= words;
            width += 1u;
            words = ((units >> (width - unit_width)) * width) >> 5u;
        }
        if width > last {
            return;
        }
        cbt_heap[level_start(depth, width) + group * words + j] = packed(width, 1u << (width - unit_width), j);
        j += 256u;
    }
}

// Puts the sum of node `node` (1 to 31) into the words of the top.
fn put_top(depth: u32, unit_width: u32, node: u32) {
    if node == 0u || node >= min(32u, 2u << depth) {
        return;
    }
    let level = firstLeadingBit(node);
    let width = depth - level + 1u;
    let span = 1u << (width - unit_width);
    let sum = units_sum((node - (1u << level)) * span, span);
    let start = (2u << level) + node * width;
    let shift = start & 31u;
    atomicOr(&sh_top[start >> 5u], sum << shift);
    if shift + width > 32u {
        atomicOr(&sh_top[(start >> 5u) + 1u], sum >> (32u - shift));
    }
}

// Before any `put_top`: the depth, and nothing else.
fn clear_top(depth: u32, rank: u32) {
    if rank < 32u {
        atomicStore(&sh_top[rank], select(0u, 1u << depth, rank == 0u));
    }
}

// After all of them: 32 (D-2) bits, or the whole heap of a small tree.
fn write_top(depth: u32, rank: u32) {
    if rank < select(max(1u, (1u << depth) >> 3u), depth - 2u, depth >= 5u) {
        cbt_heap[rank] = atomicLoad(&sh_top[rank]);
    }
}
