// How is every leaf visited, with its index? A workgroup takes 256 words of the bitfield; an invocation looks at one bit at a time.
//
// Twin: cbt/src/leaves.rs. The importer's module `cbt/visitor` defines `visit(index, leaf)`, called once for each leaf whose index
// lies in the window, in no order, and `visit_end()`, called once by each invocation. No invocation descends from the root: the
// workgroup adds the sums left of its tile, and a leaf is the largest node that holds its bit and no other set bit.

//!import cbt/tree
//!import cbt/scan
//!import cbt/visitor
//!variant classic_portable cbt/layout=cbt/classic/layout cbt/storage=cbt/classic/fixed cbt/scan=cbt/scan/portable cbt/visitor=cbt/visitor/list
//!variant classic_subgroup cbt/layout=cbt/classic/layout cbt/storage=cbt/classic/fixed cbt/scan=cbt/scan/subgroup cbt/visitor=cbt/visitor/list
//!variant compact_portable cbt/layout=cbt/compact/layout cbt/storage=cbt/compact/fixed cbt/scan=cbt/scan/portable cbt/visitor=cbt/visitor/list
//!variant compact_subgroup cbt/layout=cbt/compact/layout cbt/storage=cbt/compact/fixed cbt/scan=cbt/scan/subgroup cbt/visitor=cbt/visitor/list

struct CbtVisit {
    depth: u32,
    // Workgroups with work.
    tiles: u32,
    // The window: indices first .. first + count.
    first: u32,
    count: u32,
}

@group(0) @binding(0) var<uniform> cbt_visit: CbtVisit;

var<workgroup> sh_words: array<u32, 256>;
// Leaves of the tile before each word.
var<workgroup> sh_before: array<u32, 256>;
// A bit for each word that has leaves.
var<workgroup> sh_filled: array<atomic<u32>, 8>;
// Leaves before the tile.
var<workgroup> sh_first: atomic<u32>;
// The highest ancestor of the tile, or the tile itself, that has one leaf.
var<workgroup> sh_alone: atomic<u32>;

// Height at which two different bits part.
fn parting(x: u32, y: u32) -> u32 {
    return firstLeadingBit(x ^ y);
}

// Height at which bit x of the tile, in word w, parts from the set bit before it; 32 if the tile has none.
fn parting_before(x: u32, w: u32, lower: u32) -> u32 {
    if lower != 0u {
        return parting(x & 31u, firstLeadingBit(lower));
    }
    var row = w >> 5u;
    var filled = atomicLoad(&sh_filled[row]) & ((1u << (w & 31u)) - 1u);
    while filled == 0u {
        if row == 0u {
            return 32u;
        }
        row -= 1u;
        filled = atomicLoad(&sh_filled[row]);
    }
    let before = 32u * row + firstLeadingBit(filled);
    return parting(x, 32u * before + firstLeadingBit(sh_words[before]));
}

// The same for the set bit after it.
fn parting_after(x: u32, w: u32, upper: u32) -> u32 {
    if upper != 0u {
        return parting(x & 31u, firstTrailingBit(upper));
    }
    var row = w >> 5u;
    var filled = atomicLoad(&sh_filled[row]) & ~((2u << (w & 31u)) - 1u);
    while filled == 0u {
        row += 1u;
        if row == 8u {
            return 32u;
        }
        filled = atomicLoad(&sh_filled[row]);
    }
    let after = 32u * row + firstTrailingBit(filled);
    return parting(x, 32u * after + firstTrailingBit(sh_words[after]));
}

@compute @workgroup_size(256)
fn visit_leaves(lane: CbtLane) {
    let rank = cbt_rank(lane);
    let tile = cbt_group(lane);
    let live = tile < cbt_visit.tiles;
    let height = min(cbt_visit.depth, 13u);
    let level = cbt_visit.depth - height;
    let words = max((1u << height) >> 5u, 1u);
    if rank < 8u {
        atomicStore(&sh_filled[rank], 0u);
    }
    if rank == 8u {
        atomicStore(&sh_first, 0u);
        atomicStore(&sh_alone, 0xffffffffu);
    }
    var word = 0u;
    if live && rank < words {
        word = cbt_word(tile * 256u + rank);
    }
    sh_words[rank] = word;
    workgroupBarrier();

    if word != 0u {
        atomicOr(&sh_filled[rank >> 5u], 1u << (rank & 31u));
    }
    // All ancestors at once, one for each invocation: their left siblings come before the tile.
    if live && rank <= level {
        let ancestor = ((1u << level) + tile) >> rank;
        if cbt_is_right_child(ancestor) {
            atomicAdd(&sh_first, cbt_sum(ancestor - 1u));
        }
        if cbt_sum(ancestor) == 1u {
            atomicMin(&sh_alone, ancestor);
        }
    }
    sh_before[rank] = cbt_group_scan(countOneBits(word), lane);
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
        if index - cbt_visit.first >= cbt_visit.count {
            continue;
        }
        let deepest = (1u << cbt_visit.depth) + tile * 8192u + x;
        if (bits & select(bit << 1u, bit >> 1u, (x & 1u) == 1u)) != 0u {
            visit(index, deepest);
        } else if lone {
            visit(index, atomicLoad(&sh_alone));
        } else {
            let before = parting_before(x, w, bits & (bit - 1u));
            let after = parting_after(x, w, bits & ~(bit | (bit - 1u)));
            visit(index, deepest >> min(before, after));
        }
    }
    visit_end();
}
