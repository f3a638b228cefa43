// How is every leaf visited, with its index? A workgroup takes up to 256 words of the bitfield, the span of a node of height 13
// at most; an invocation looks at one bit at a time.
//
// Twin: cbt/src/leaves.rs. The importer's module `cbt/visitor` defines `visit(index, leaf)`, called once for each leaf whose index
// lies in the window, in no order, and `visit_end(rank)`, called at the end by each of the 256 invocations, together. No invocation descends from the root: the
// workgroup adds the sums left of its tile, and a leaf is the largest node that holds its bit and no other set bit.

//!import cbt/tree
//!import cbt/scan
//!import cbt/window
//!import cbt/visitor
//!variant classic_portable cbt/layout=cbt/classic/layout cbt/storage=cbt/classic/read_only cbt/scan=cbt/scan/portable cbt/visitor=cbt/visitor/list
//!variant classic_subgroup cbt/layout=cbt/classic/layout cbt/storage=cbt/classic/read_only cbt/scan=cbt/scan/subgroup cbt/visitor=cbt/visitor/list
//!variant compact_portable cbt/layout=cbt/compact/layout cbt/storage=cbt/compact/read_only cbt/scan=cbt/scan/portable cbt/visitor=cbt/visitor/list
//!variant compact_subgroup cbt/layout=cbt/compact/layout cbt/storage=cbt/compact/read_only cbt/scan=cbt/scan/subgroup cbt/visitor=cbt/visitor/list
//!variant checksum_portable cbt/layout=cbt/compact/layout cbt/storage=cbt/compact/read_only cbt/scan=cbt/scan/portable cbt/visitor=cbt/visitor/checksum
//!variant checksum_subgroup cbt/layout=cbt/compact/layout cbt/storage=cbt/compact/read_only cbt/scan=cbt/scan/subgroup cbt/visitor=cbt/visitor/checksum_subgroup

var<workgroup> sh_words: array<u32, 256>;
// Leaves of the tile before each word.
var<workgroup> sh_before: array<u32, 256>;
// A bit for each word that has leaves.
var<workgroup> sh_filled: array<atomic<u32>, 8>;
// Leaves before the tile.
var<workgroup> sh_first: atomic<u32>;
// The highest ancestor of the tile, or the tile itself, that has one leaf.
var<workgroup> sh_alone: atomic<u32>;

// The set bits of the tile before and after each word.
var<workgroup> sh_around: array<vec2u, 256>;

// The last set bit of the tile before word w, and the first after it; NONE where there is none. Side by side, because each takes
// several loads that wait for one another.
fn bits_around(w: u32) -> vec2u {
    var row = vec2u(w >> 5u);
    let filled = atomicLoad(&sh_filled[row.x]);
    var before = filled & ((1u << (w & 31u)) - 1u);
    var after = filled & ~((2u << (w & 31u)) - 1u);
    while before == 0u && row.x > 0u {
        row.x -= 1u;
        before = atomicLoad(&sh_filled[row.x]);
    }
    while after == 0u && row.y < 7u {
        row.y += 1u;
        after = atomicLoad(&sh_filled[row.y]);
    }
    let words = 32u * row + (vec2u(firstLeadingBit(before), firstTrailingBit(after)) & vec2u(31u));
    let bits = 32u * words + vec2u(firstLeadingBit(sh_words[words.x]), firstTrailingBit(sh_words[words.y]));
    return select(bits, vec2u(NONE), vec2u(before, after) == vec2u(0u));
}

@compute @workgroup_size(256)
fn visit_leaves(lane: CbtLane, group: CbtGroup) {
    let rank = cbt_rank(lane, group);
    let tile = cbt_group(group);
    // Each workgroup takes a node of the level that has as many as there are workgroups.
    let level = firstLeadingBit(cbt_groups(group));
    let depth = cbt_stored_depth();
    let height = depth - level;
    let words = max((1u << height) >> 5u, 1u);
    // All that is read is asked for before anything is waited for: the words, the ancestors, one for each invocation, whose left
    // siblings come before the tile, and the window.
    let window = cbt_visit;
    let read = read_tile(tile, level, depth, words, rank);
    if rank < 8u {
        atomicStore(&sh_filled[rank], 0u);
    }
    if rank == 8u {
        atomicStore(&sh_first, 0u);
        atomicStore(&sh_alone, 0xffffffffu);
    }
    // Nothing that is on its way from memory is waited for here.
    workgroupBarrier();

    // Where no leaf is wanted, none is found.
    let word = select(read.word, 0u, window.count == 0u);
    sh_words[rank] = word;
    if word != 0u {
        atomicOr(&sh_filled[rank >> 5u], 1u << (rank & 31u));
    }
    if read.left > 0u {
        atomicAdd(&sh_first, read.left);
    }
    if read.sum == 1u {
        atomicMin(&sh_alone, read.ancestor);
    }
    sh_before[rank] = cbt_group_scan(countOneBits(word), lane, group);
    // A bit whose sibling is set needs no other to tell its leaf.
    let siblings = (word >> (firstTrailingBit(word) ^ 1u)) & (word >> (firstLeadingBit(word) ^ 1u)) & 1u;
    if word != 0u && siblings == 0u {
        sh_around[rank] = bits_around(rank);
    }
    workgroupBarrier();

    let first = atomicLoad(&sh_first);
    let lone = sh_before[255] + countOneBits(sh_words[255]) == 1u;
    for (var x = rank; x < 32u * words; x += 256u) {
        let w = x >> 5u;
        let bits = sh_words[w];
        let bit = 1u << (x & 31u);
        if (bits & bit) == 0u {
            continue;
        }
        let index = first + sh_before[w] + countOneBits(bits & (bit - 1u));
        if index - window.first >= window.count {
            continue;
        }
        // The highest node that holds this bit and no other. One call, so that what the visitor does is in the code once.
        var leaf = (((1u << level) + tile) << height) + x;
        if (bits & select(bit << 1u, bit >> 1u, (x & 1u) == 1u)) == 0u {
            let lower = bits & (bit - 1u);
            let upper = bits & ~(bit | (bit - 1u));
            let before = select(32u * w + firstLeadingBit(lower), sh_around[w].x, lower == 0u);
            let after = select(32u * w + firstTrailingBit(upper), sh_around[w].y, upper == 0u);
            leaf = select(leaf >> min(parting(x, before), parting(x, after)), atomicLoad(&sh_alone), lone);
        }
        visit(index, leaf);
    }
    visit_end(rank);
}
