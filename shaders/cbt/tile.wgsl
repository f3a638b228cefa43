// What do 256 invocations know together of 256 neighbouring bits? Which are set, and how many come before each.
//
// No invocation descends from the root: the workgroup adds the sums left of its tile. Twin: `Tree::rank_set`.

//!import cbt/tree
//!variant classic cbt/layout=cbt/classic/layout cbt/storage=cbt/classic/read_write
//!variant compact cbt/layout=cbt/compact/layout cbt/storage=cbt/compact/read_write
//!variant classic_fixed cbt/layout=cbt/classic/layout cbt/storage=cbt/classic/read_only
//!variant compact_fixed cbt/layout=cbt/compact/layout cbt/storage=cbt/compact/read_only

const CBT_TILE_BITS: u32 = 256u;

var<workgroup> sh_tile: array<u32, 8>;
// Set bits before the tile, as of the last reduction.
var<workgroup> sh_before_tile: atomic<u32>;

// Reads bits 256 tile .. 256 tile + 255, as of now, and how many were set before them at the last reduction. All invocations of a
// workgroup of 256 call it once, together, before they call the functions below; `rank` is 0 to 255, each once.
fn cbt_read_tile(tile: u32, rank: u32) {
    let depth = cbt_stored_depth();
    // A pair of tiles is 16 words, a block of the compact layout: the words of an odd tile's left sibling are counted.
    let pair = tile >> 1u;
    var before = 0u;
    if rank < 16u {
        let at = 16u * pair + rank;
        var word = 0u;
        if at < max((1u << depth) >> 5u, 1u) {
            word = cbt_word_at(at, depth);
        }
        if (rank >> 3u) == (tile & 1u) {
            sh_tile[rank & 7u] = word;
        } else {
            before = select(0u, countOneBits(word), rank < 8u);
        }
    } else if rank - 16u + 9u < depth {
        // Ancestors of the pair below the root: the left sibling of each that is a right child.
        let node = ((1u << (depth - 9u)) + pair) >> (rank - 16u);
        if cbt_is_right_child(node) {
            before = cbt_sum_at(node - 1u, depth);
        }
    }
    if rank == 16u {
        atomicStore(&sh_before_tile, 0u);
    }
    workgroupBarrier();
    if before > 0u {
        atomicAdd(&sh_before_tile, before);
    }
    workgroupBarrier();
}

// Whether bit `rank` of the tile is set.
fn cbt_tile_bit(rank: u32) -> bool {
    return ((sh_tile[rank >> 5u] >> (rank & 31u)) & 1u) == 1u;
}

// Set bits of the tree before bit `rank` of the tile.
fn cbt_tile_rank_set(rank: u32) -> u32 {
    var before = atomicLoad(&sh_before_tile);
    for (var word = 0u; word < (rank >> 5u); word += 1u) {
        before += countOneBits(sh_tile[word]);
    }
    return before + countOneBits(sh_tile[rank >> 5u] & ((1u << (rank & 31u)) - 1u));
}

// Clear bits of the tree before bit `rank` of tile `tile`: the number that a free slot of a pool has among all free slots.
fn cbt_tile_rank_unset(tile: u32, rank: u32) -> u32 {
    return CBT_TILE_BITS * tile + rank - cbt_tile_rank_set(rank);
}
