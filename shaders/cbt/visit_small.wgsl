// How is every leaf of a tree of few bits visited, with its index? As in visit.wgsl, but a workgroup takes a node of height 8 at most,
// an invocation a bit, and each subgroup reads for itself all that its leaves depend on: none waits for another one.
//
// Twin: cbt/src/leaves.rs. A subgroup has as many lanes as a tile has words, and more than it has ancestors.

//!requires subgroups
//!import cbt/tree
//!import cbt/group/subgroup
//!import cbt/window
//!import cbt/visitor
//!variant classic cbt/layout=cbt/classic/layout cbt/storage=cbt/classic/read_only cbt/visitor=cbt/visitor/list
//!variant compact cbt/layout=cbt/compact/layout cbt/storage=cbt/compact/read_only cbt/visitor=cbt/visitor/list
//!variant checksum cbt/layout=cbt/compact/layout cbt/storage=cbt/compact/read_only cbt/visitor=cbt/visitor/checksum_subgroup

@compute @workgroup_size(256)
fn visit_leaves(lane: CbtLane, group: CbtGroup) {
    let rank = cbt_rank(lane, group);
    let tile = cbt_group(group);
    let level = firstLeadingBit(cbt_groups(group));
    let depth = cbt_stored_depth();
    let height = depth - level;
    let words = max((1u << height) >> 5u, 1u);
    // All that is read is asked for before anything is waited for: by each lane a word, an ancestor and its left sibling, and the window.
    let window = cbt_visit;
    let read = read_tile(tile, level, depth, words, lane.lane);
    let word = read.word;
    let first = subgroupAdd(read.left);
    // The highest ancestor of the tile, or the tile itself, that has one leaf.
    let alone = subgroupMin(select(0xffffffffu, read.ancestor, read.sum == 1u));
    let leaves_before = subgroupExclusiveAdd(countOneBits(word));
    let leaves = subgroupAdd(countOneBits(word));
    let filled = subgroupBallot(word != 0u).x & 0xffu;

    // Own word, and the nearest ones that have leaves.
    let w = rank >> 5u;
    let filled_below = filled & ((1u << w) - 1u);
    let filled_above = filled & ~((2u << w) - 1u);
    let below = firstLeadingBit(filled_below) & 7u;
    let above = firstTrailingBit(filled_above) & 7u;
    let bits = subgroupShuffle(word, w);
    let bits_below = subgroupShuffle(word, below);
    let bits_above = subgroupShuffle(word, above);
    let before_word = subgroupShuffle(leaves_before, w);

    let bit = 1u << (rank & 31u);
    let index = first + before_word + countOneBits(bits & (bit - 1u));
    if (bits & bit) != 0u && index - window.first < window.count {
        // The highest node that holds this bit and no other.
        var leaf = (((1u << level) + tile) << height) + rank;
        if leaves == 1u {
            leaf = alone;
        } else if (bits & select(bit << 1u, bit >> 1u, (rank & 1u) == 1u)) == 0u {
            let lower = bits & (bit - 1u);
            let upper = bits & ~(bit | (bit - 1u));
            let in_below = select(32u * below + firstLeadingBit(bits_below), NONE, filled_below == 0u);
            let in_above = select(32u * above + firstTrailingBit(bits_above), NONE, filled_above == 0u);
            let before = select(32u * w + firstLeadingBit(lower), in_below, lower == 0u);
            let after = select(32u * w + firstTrailingBit(upper), in_above, upper == 0u);
            leaf >>= min(parting(rank, before), parting(rank, after));
        }
        visit(index, leaf);
    }
    visit_end(rank);
}
