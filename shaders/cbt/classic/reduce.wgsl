// How are the sums of a classic tree computed? Eight levels from the bits of a tile, then seven levels a dispatch, each word of the
// heap written whole by one invocation.
//
// Twin: cbt/src/classic/reduce.rs. A level of 32 nodes or more fills whole words, and so does a tile's part of it, because a tile
// has a multiple of 32 nodes on each level it writes. The few levels above share words: the last workgroup writes these together.

//!import cbt/group/portable

struct CbtReduce {
    depth: u32,
    // Width of the sums that the dispatch starts from: 1 for the bits.
    width: u32,
    // Workgroups.
    tiles: u32,
}

@group(0) @binding(0) var<uniform> cbt_reduce: CbtReduce;
@group(0) @binding(1) var<storage, read_write> cbt_heap: array<u32>;

// Sums of the level at hand and of the one above it.
var<workgroup> sh_sums: array<u32, 3072>;
// Sums of nodes 1 to 31 (the levels that share words), by heap index.
var<workgroup> sh_top: array<u32, 32>;

// First bit of the level whose sums have `width` bits: 2^d (width + 2).
fn level_start(width: u32) -> u32 {
    return (width + 2u) << (cbt_reduce.depth + 1u - width);
}

// Bits 32 j .. of the pieces of `width` bits that lie in sh_sums from `from` on.
fn packed(source: u32, width: u32, j: u32) -> u32 {
    var piece = 32u * j / width;
    let skip = 32u * j - piece * width;
    var word = sh_sums[source + piece] >> skip;
    for (var have = width - skip; have < 32u; have += width) {
        piece += 1u;
        word |= sh_sums[source + piece] << have;
    }
    return word;
}

// Writes a tile's part of the level of `width`: pieces of `fields` sums each, `pieces` of them, from `from` on in sh_sums.
fn write_level(source: u32, pieces: u32, fields: u32, width: u32, tile: u32, rank: u32) {
    let level = cbt_reduce.depth + 1u - width;
    if level >= 5u {
        let words = pieces * fields * width >> 5u;
        let first = (level_start(width) >> 5u) + tile * words;
        for (var j = rank; j < words; j += 256u) {
            cbt_heap[first + j] = packed(source, fields * width, j);
        }
    } else if rank < (1u << level) {
        sh_top[(1u << level) + rank] = (sh_sums[source + rank / fields] >> (rank % fields * width)) & ((1u << width) - 1u);
    }
}

// From `count` sums of `width` bits, from `a` on in sh_sums, to the tile's 32 on the last level it can write by itself, or to the
// root if there is no other tile. The levels lie in turn from `a` and from `b` on.
fn climb(a: u32, b: u32, count: u32, width: u32, tile: u32, rank: u32) {
    let last = select(32u, 1u, cbt_reduce.tiles == 1u);
    var source = a;
    var wide = width;
    for (var nodes = count >> 1u; nodes >= last; nodes >>= 1u) {
        let to = a + b - source;
        wide += 1u;
        for (var i = rank; i < nodes; i += 256u) {
            sh_sums[to + i] = sh_sums[source + 2u * i] + sh_sums[source + 2u * i + 1u];
        }
        workgroupBarrier();
        write_level(to, nodes, 1u, wide, tile, rank);
        source = to;
    }
    workgroupBarrier();
    if cbt_reduce.tiles == 1u {
        write_top(rank);
    }
}

// The words that the depth and the levels of fewer than 32 nodes share: 32 (D-2) bits, or the whole heap of a small tree.
fn write_top(rank: u32) {
    let depth = cbt_reduce.depth;
    let words = select(max(1u, (1u << depth) >> 3u), depth - 2u, depth >= 5u);
    if rank >= words {
        return;
    }
    let bit = 32u * rank;
    var word = select(0u, 1u << depth, rank == 0u);
    for (var node = 1u; node < min(32u, 2u << depth); node += 1u) {
        let level = firstLeadingBit(node);
        let width = depth - level + 1u;
        let start = (2u << level) + node * width;
        if start < bit + 32u && start + width > bit {
            word |= select(sh_top[node] >> (bit - start), sh_top[node] << (start - bit), start >= bit);
        }
    }
    cbt_heap[rank] = word;
}

// From the bits: 256 words a tile.
@compute @workgroup_size(256)
fn reduce_bits(lane: CbtLane) {
    let rank = cbt_rank(lane);
    let tile = cbt_group(lane);
    let depth = cbt_reduce.depth;
    let start = 3u << depth;
    let words = min(max((1u << depth) >> 5u, 1u), 256u);
    var x = 0u;
    if tile < cbt_reduce.tiles && rank < words {
        x = cbt_heap[(start >> 5u) + tile * 256u + rank];
        if depth < 5u {
            x = (x >> (start & 31u)) & ((1u << (1u << depth)) - 1u);
            for (var i = 0u; i < (1u << depth); i += 1u) {
                sh_top[(1u << depth) + i] = (x >> i) & 1u;
            }
        }
    }
    // Sums of 2, 4, 8, 16, 32 bits in lanes of as many bits, as in counting them; then squeezed to 2, 3, 4, 5, 6 bits each.
    let x2 = x - ((x >> 1u) & 0x55555555u);
    let x4 = (x2 & 0x33333333u) + ((x2 >> 2u) & 0x33333333u);
    let x8 = (x4 + (x4 >> 4u)) & 0x0f0f0f0fu;
    let x16 = (x8 + (x8 >> 8u)) & 0x00ff00ffu;
    sh_sums[rank] = x2;
    var y = (x4 & 0x07070707u) | ((x4 >> 1u) & 0x38383838u);
    y = (y & 0x003f003fu) | ((y >> 2u) & 0x0fc00fc0u);
    sh_sums[256u + rank] = (y & 0xfffu) | ((y >> 4u) & 0xfff000u);
    y = (x8 & 0x000f000fu) | ((x8 >> 4u) & 0x00f000f0u);
    sh_sums[512u + rank] = (y & 0xffu) | ((y >> 8u) & 0xff00u);
    sh_sums[768u + rank] = (x16 & 0x1fu) | ((x16 >> 11u) & 0x3e0u);
    sh_sums[1024u + rank] = (x16 + (x16 >> 16u)) & 0x3fu;
    workgroupBarrier();
    if tile < cbt_reduce.tiles {
        for (var width = 2u; width <= min(6u, depth + 1u); width += 1u) {
            write_level(256u * (width - 2u), words, 32u >> (width - 1u), width, tile, rank);
        }
    }
    climb(1024u, 1280u, words, 6u, tile, rank);
}

// Sum `i` of the level of `width`.
fn read_sum(width: u32, i: u32) -> u32 {
    let start = level_start(width) + i * width;
    let shift = start & 31u;
    var bits = cbt_heap[start >> 5u] >> shift;
    if shift + width > 32u {
        bits |= cbt_heap[(start >> 5u) + 1u] << (32u - shift);
    }
    return bits & ((1u << width) - 1u);
}

// From the sums of a level: 4096 of them a tile.
@compute @workgroup_size(256)
fn reduce_sums(lane: CbtLane) {
    let rank = cbt_rank(lane);
    let tile = cbt_group(lane);
    let width = cbt_reduce.width;
    let nodes = min(1u << (cbt_reduce.depth + 1u - width), 4096u);
    for (var i = rank; i < (nodes >> 1u); i += 256u) {
        let child = tile * nodes + 2u * i;
        sh_sums[i] = read_sum(width, child) + read_sum(width, child + 1u);
    }
    workgroupBarrier();
    write_level(0u, nodes >> 1u, 1u, width + 1u, tile, rank);
    climb(0u, 2048u, nodes >> 1u, width + 1u, tile, rank);
}
