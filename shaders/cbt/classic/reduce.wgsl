// How are the sums of a classic tree computed? Ten levels from the bits of a tile, then five levels a dispatch, each word of the
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
var<workgroup> sh_sums: array<u32, 1536>;
// Sums of nodes 1 to 31 (the levels that share words), by heap index; then the words that they share.
var<workgroup> sh_top: array<u32, 32>;
var<workgroup> sh_shared: array<atomic<u32>, 32>;

// First bit of the level whose sums have `width` bits: 2^d (width + 2).
fn level_start(width: u32) -> u32 {
    return (width + 2u) << (cbt_reduce.depth + 1u - width);
}

// Bits 32 j .. of the pieces of `width` bits that lie in sh_sums from `source` on. `inverse` is 2^20 / width, rounded up, with which
// the division by the width is exact for the fewer than 2^14 bits of a tile's level.
fn packed(source: u32, width: u32, inverse: u32, j: u32) -> u32 {
    var piece = (32u * j * inverse) >> 20u;
    let skip = 32u * j - piece * width;
    var word = sh_sums[source + piece] >> skip;
    for (var have = width - skip; have < 32u; have += width) {
        piece += 1u;
        word |= sh_sums[source + piece] << have;
    }
    return word;
}

// Writes a tile's part of the level of `width`, `pieces` pieces of `fields` sums each, from `source` on in sh_sums.
fn write_level(source: u32, pieces: u32, fields: u32, width: u32, tile: u32, rank: u32) {
    let words = (pieces * fields * width) >> 5u;
    let first = (level_start(width) >> 5u) + tile * words;
    let inverse = ((1u << 20u) + fields * width - 1u) / (fields * width);
    for (var j = rank; j < words; j += 256u) {
        cbt_heap[first + j] = packed(source, fields * width, inverse, j);
    }
}

// The same for single sums, also on a level that shares words.
fn write_sums(source: u32, nodes: u32, width: u32, tile: u32, rank: u32) {
    let level = cbt_reduce.depth + 1u - width;
    if level >= 5u {
        write_level(source, nodes, 1u, width, tile, rank);
    } else if rank < nodes {
        sh_top[(1u << level) + rank] = sh_sums[source + rank];
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
        write_sums(to, nodes, wide, tile, rank);
        source = to;
    }
    workgroupBarrier();
    if cbt_reduce.tiles == 1u {
        write_top(rank);
    }
}

// The words that the depth and the levels of fewer than 32 nodes share: 32 (D-2) bits, or the whole heap of a small tree.
// Uniform control flow only.
fn write_top(rank: u32) {
    let depth = cbt_reduce.depth;
    if rank < 32u {
        atomicStore(&sh_shared[rank], select(0u, 1u << depth, rank == 0u));
    }
    workgroupBarrier();
    if rank >= 1u && rank < min(32u, 2u << depth) {
        let level = firstLeadingBit(rank);
        let width = depth - level + 1u;
        let start = (2u << level) + rank * width;
        let shift = start & 31u;
        atomicOr(&sh_shared[start >> 5u], sh_top[rank] << shift);
        if shift + width > 32u {
            atomicOr(&sh_shared[(start >> 5u) + 1u], sh_top[rank] >> (32u - shift));
        }
    }
    workgroupBarrier();
    let words = select(max(1u, (1u << depth) >> 3u), depth - 2u, depth >= 5u);
    if rank < words {
        cbt_heap[rank] = atomicLoad(&sh_shared[rank]);
    }
}

// Bits 32 i .. of the bitfield; a tree of depth below 5 has only some of them.
fn bits_word(i: u32) -> u32 {
    let start = 3u << cbt_reduce.depth;
    if cbt_reduce.depth >= 5u {
        return cbt_heap[(start >> 5u) + i];
    }
    return (cbt_heap[start >> 5u] >> (start & 31u)) & ((1u << (1u << cbt_reduce.depth)) - 1u);
}

// Sums of nodes 1 to 31 that span at most 128 bits, counted from the bits.
fn count_top(rank: u32) {
    let depth = cbt_reduce.depth;
    if rank == 0u || rank >= min(32u, 2u << depth) || depth - firstLeadingBit(rank) > 7u {
        return;
    }
    let level = firstLeadingBit(rank);
    let span = 1u << (depth - level);
    let first = (rank << (depth - level)) - (1u << depth);
    var sum = 0u;
    if span < 32u {
        sum = countOneBits((bits_word(first >> 5u) >> (first & 31u)) & ((1u << span) - 1u));
    } else {
        for (var i = first >> 5u; i < ((first + span) >> 5u); i += 1u) {
            sum += countOneBits(bits_word(i));
        }
    }
    sh_top[rank] = sum;
}

// From the bits: 1024 words a tile, four neighbours for each invocation.
//
// Sums of 2, 4, 8, 16, 32 bits are formed in lanes of as many bits, as in counting them, and squeezed to 2, 3, 4, 5, 6 bits each.
// Of an invocation's 128 bits those of widths 2, 3 and 4 fill 4, 3 and 2 words; wider ones are put together in workgroup memory.
@compute @workgroup_size(256)
fn reduce_bits(lane: CbtLane) {
    let rank = cbt_rank(lane);
    let tile = cbt_group(lane);
    let depth = cbt_reduce.depth;
    let live = tile < cbt_reduce.tiles;
    let words = min(max((1u << depth) >> 5u, 1u), 1024u);
    var x = vec4u();
    if live && 4u * rank < words {
        let first = tile * 1024u + 4u * rank;
        x.x = bits_word(first);
        if words >= 4u {
            x = vec4u(x.x, bits_word(first + 1u), bits_word(first + 2u), bits_word(first + 3u));
        } else if words == 2u {
            x.y = bits_word(1u);
        }
    }
    let x2 = x - ((x >> vec4u(1u)) & vec4u(0x55555555u));
    let x4 = (x2 & vec4u(0x33333333u)) + ((x2 >> vec4u(2u)) & vec4u(0x33333333u));
    let x8 = (x4 + (x4 >> vec4u(4u))) & vec4u(0x0f0f0f0fu);
    let x16 = (x8 + (x8 >> vec4u(8u))) & vec4u(0x00ff00ffu);
    let x32 = (x16 + (x16 >> vec4u(16u))) & vec4u(0x3fu);
    let place = tile * 256u + rank;
    if live && 4u * rank < words && depth >= 6u {
        let at = (level_start(2u) >> 5u) + 4u * place;
        cbt_heap[at] = x2.x;
        cbt_heap[at + 1u] = x2.y;
        if depth >= 7u {
            cbt_heap[at + 2u] = x2.z;
            cbt_heap[at + 3u] = x2.w;
            var y = (x4 & vec4u(0x07070707u)) | ((x4 >> vec4u(1u)) & vec4u(0x38383838u));
            y = (y & vec4u(0x003f003fu)) | ((y >> vec4u(2u)) & vec4u(0x0fc00fc0u));
            y = (y & vec4u(0xfffu)) | ((y >> vec4u(4u)) & vec4u(0xfff000u));
            let to = (level_start(3u) >> 5u) + 3u * place;
            cbt_heap[to] = y.x | (y.y << 24u);
            cbt_heap[to + 1u] = (y.y >> 8u) | (y.z << 16u);
            cbt_heap[to + 2u] = (y.z >> 16u) | (y.w << 8u);
        }
        if depth >= 8u {
            var y = (x8 & vec4u(0x000f000fu)) | ((x8 >> vec4u(4u)) & vec4u(0x00f000f0u));
            y = (y & vec4u(0xffu)) | ((y >> vec4u(8u)) & vec4u(0xff00u));
            let to = (level_start(4u) >> 5u) + 2u * place;
            cbt_heap[to] = y.x | (y.y << 16u);
            cbt_heap[to + 1u] = y.z | (y.w << 16u);
        }
    }
    let y5 = (x16 & vec4u(0x1fu)) | ((x16 >> vec4u(11u)) & vec4u(0x3e0u));
    sh_sums[2u * rank] = y5.x | (y5.y << 10u);
    sh_sums[2u * rank + 1u] = y5.z | (y5.w << 10u);
    sh_sums[512u + rank] = x32.x | (x32.y << 6u) | (x32.z << 12u) | (x32.w << 18u);
    sh_sums[768u + rank] = (x32.x + x32.y) | ((x32.z + x32.w) << 7u);
    sh_sums[1024u + rank] = x32.x + x32.y + x32.z + x32.w;
    if tile == 0u {
        count_top(rank);
    }
    workgroupBarrier();
    let quads = max(words >> 2u, 1u);
    if live && depth >= 9u {
        write_level(0u, 2u * quads, 4u, 5u, tile, rank);
        if depth >= 10u {
            write_level(512u, quads, 4u, 6u, tile, rank);
        }
        if depth >= 11u {
            write_level(768u, quads, 2u, 7u, tile, rank);
        }
        if depth >= 12u {
            write_level(1024u, quads, 1u, 8u, tile, rank);
        }
    }
    climb(1024u, 1280u, select(0u, quads, depth >= 7u), 8u, tile, rank);
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

// From the sums of a level: 1024 of them a tile.
@compute @workgroup_size(256)
fn reduce_sums(lane: CbtLane) {
    let rank = cbt_rank(lane);
    let tile = cbt_group(lane);
    let width = cbt_reduce.width;
    let nodes = min(1u << (cbt_reduce.depth + 1u - width), 1024u);
    for (var i = rank; i < (nodes >> 1u); i += 256u) {
        let child = tile * nodes + 2u * i;
        sh_sums[i] = read_sum(width, child) + read_sum(width, child + 1u);
    }
    workgroupBarrier();
    write_sums(0u, nodes >> 1u, width + 1u, tile, rank);
    climb(0u, 512u, nodes >> 1u, width + 1u, tile, rank);
}
