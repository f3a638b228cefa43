// How are the sums of a classic tree computed? Ten levels from the bits of a tile, then five levels a dispatch; what lies above is
// written in the same dispatch as these, by one workgroup more. Each word of the heap is written whole, by one invocation.
//
// Twin: cbt/src/classic/reduce.rs. A level of 32 nodes or more fills whole words, and so does a tile's part of it, because a tile
// has a multiple of 32 nodes on each level it writes. Five levels are formed within words, the others from a running sum.

//!import cbt/classic/units
//!import cbt/scan
//!variant portable cbt/scan=cbt/scan/portable
//!variant subgroup cbt/scan=cbt/scan/subgroup

// The sum of each tile, for the dispatch after the one that writes them: of the tiles of 2^15 bits, then of those of 2^20.
@group(0) @binding(2) var<storage, read_write> cbt_totals: array<u32>;

// Width of the sums from which `reduce_sums` starts: 11 or 16.
override from_width: u32 = 11u;

// Deepest tree that `reduce_bits` finishes: the workgroup that writes the top counts the bits of all tiles.
const ONE_DISPATCH: u32 = 18u;
// Most units of a workgroup.
const UNITS: u32 = 1024u;

// Sums of 4 and of 8 bits, packed: three and two words for each invocation.
var<workgroup> sh_threes: array<u32, 768>;
var<workgroup> sh_fours: array<u32, 512>;
// Of the 40 bits of sums of 16 bits the lower 32; the other 8, then 24 bits of sums of 32 bits.
var<workgroup> sh_fives: array<u32, 256>;
var<workgroup> sh_sixes: array<u32, 256>;

// ---- from the bits --------------------------------------------------------------------------------------------------

// Word `i` of a tile; zero past its end.
fn tile_word(depth: u32, tile: u32, words: u32, i: u32) -> u32 {
    if i < words {
        return bits_word(depth, tile * 1024u + i);
    }
    return 0u;
}

// Keeps the sums of the pairs of bits of a word, which take the same room, for the workgroup, and writes them.
fn put_pairs(depth: u32, tile: u32, words: u32, i: u32, pairs: u32) {
    sh_units[slot(i)] = pairs;
    if i < words && depth >= 6u {
        cbt_heap[level_start(depth, 2u) + tile * 1024u + i] = pairs;
    }
}

// Loads the words of a tile, each invocation beside its neighbours, and makes the sums of pairs of bits.
fn load_pairs(depth: u32, tile: u32, words: u32, rank: u32) {
    let x = vec4u(
        tile_word(depth, tile, words, rank),
        tile_word(depth, tile, words, rank + 256u),
        tile_word(depth, tile, words, rank + 512u),
        tile_word(depth, tile, words, rank + 768u),
    );
    let pairs = x - ((x >> vec4u(1u)) & vec4u(0x55555555u));
    put_pairs(depth, tile, words, rank, pairs.x);
    put_pairs(depth, tile, words, rank + 256u, pairs.y);
    put_pairs(depth, tile, words, rank + 512u, pairs.z);
    put_pairs(depth, tile, words, rank + 768u, pairs.w);
}

// The sums of 4, 8, 16, 32 bits of four words, squeezed to 3, 4, 5, 6 bits each; those of 32 bits are the answer.
//
// They are formed in lanes of as many bits, as in counting them. Two neighbouring lanes are squeezed into one by moving the lower
// one up to the other: to add 2^k - 1 times a number is to shift it by k.
fn squeeze(pairs: vec4u, rank: u32) -> vec4u {
    let x4 = pairs - 3u * ((pairs >> vec4u(2u)) & vec4u(0x33333333u));
    let x8 = (x4 + (x4 >> vec4u(4u))) & vec4u(0x0f0f0f0fu);
    let x16 = (x8 + (x8 >> vec4u(8u))) & vec4u(0x00ff00ffu);
    let x32 = (x16 + (x16 >> vec4u(16u))) & vec4u(0x3fu);
    var y = x4 + (x4 & vec4u(0x0f0f0f0fu));
    y += 3u * (y & vec4u(0x00ff00ffu));
    y += 15u * (y & vec4u(0xffffu));
    // 24 bits each, from bit 7 on.
    sh_threes[3u * rank] = (y.x >> 7u) | (y.y << 17u);
    sh_threes[3u * rank + 1u] = (y.y >> 15u) | (y.z << 9u);
    sh_threes[3u * rank + 2u] = (y.z >> 23u) | (y.w << 1u);
    y = x8 + 15u * (x8 & vec4u(0x00ff00ffu));
    y += 255u * (y & vec4u(0xffffu));
    // 16 bits from bit 12 on.
    sh_fours[2u * rank] = (y.x >> 12u) | (y.y << 4u);
    sh_fours[2u * rank + 1u] = (y.z >> 12u) | (y.w << 4u);
    y = x16 + 2047u * (x16 & vec4u(0xffffu));
    // 10 bits from bit 11 on.
    sh_fives[rank] = (y.x >> 11u) | (y.y >> 1u) | (y.z << 9u) | (y.w << 19u);
    sh_sixes[rank] = (y.w >> 13u) | (x32.x << 8u) | (x32.y << 14u) | (x32.z << 20u) | (x32.w << 26u);
    return x32;
}

// Writes the levels that `squeeze` has made of a tile.
fn write_squeezed(depth: u32, tile: u32, words: u32, rank: u32) {
    if depth >= 7u {
        let len = (3u * words) >> 2u;
        for (var j = rank; j < len; j += 256u) {
            cbt_heap[level_start(depth, 3u) + tile * len + j] = sh_threes[j];
        }
    }
    if depth >= 8u {
        let len = words >> 1u;
        for (var j = rank; j < len; j += 256u) {
            cbt_heap[level_start(depth, 4u) + tile * len + j] = sh_fours[j];
        }
    }
    if depth >= 9u {
        // Four pieces of 40 bits fill five words.
        let len = (5u * words) >> 4u;
        for (var j = rank; j < len; j += 256u) {
            let i = j % 5u;
            let at = 4u * (j / 5u) + i;
            var word = 0u;
            if i < 4u {
                word = sh_fives[at] << (8u * i);
            }
            if i > 0u {
                word |= (sh_sixes[at - 1u] & 0xffu) << (8u * i - 8u);
            }
            if i > 1u {
                word |= sh_fives[at - 1u] >> (40u - 8u * i);
            }
            cbt_heap[level_start(depth, 5u) + tile * len + j] = word;
        }
    }
    if depth >= 10u {
        // Four pieces of 24 bits fill three words.
        let len = (3u * words) >> 4u;
        if rank < len {
            let i = rank % 3u;
            let at = 4u * (rank / 3u) + i;
            let word = (sh_sixes[at] >> (8u + 8u * i)) | ((sh_sixes[at + 1u] >> 8u) << (24u - 8u * i));
            cbt_heap[level_start(depth, 6u) + tile * len + rank] = word;
        }
    }
}

// Counts nodes of 64 words, up to 128 of them, in parts of eight; the parts of a node lie side by side. Eight invocations share a
// node and read eight neighbouring words at a time.
fn count_parts(depth: u32, nodes: u32, rank: u32) {
    let own = nodes >> 5u;
    for (var i = 0u; i < 4u; i += 1u) {
        if i < own {
            let node = (rank >> 3u) * own + i;
            let at = ((3u << depth) >> 5u) + 64u * node + (rank & 7u);
            let x = vec4u(cbt_heap[at], cbt_heap[at + 8u], cbt_heap[at + 16u], cbt_heap[at + 24u]);
            let y = vec4u(cbt_heap[at + 32u], cbt_heap[at + 40u], cbt_heap[at + 48u], cbt_heap[at + 56u]);
            let ones = countOneBits(x) + countOneBits(y);
            sh_units[slot(8u * node + (rank & 7u))] = ones.x + ones.y + ones.z + ones.w;
        }
    }
}

// From the bits: 1024 words a tile. A tree of depth 16 to 18 has a workgroup more than tiles, which writes what lies above them.
@compute @workgroup_size(256)
fn reduce_bits(lane: CbtLane) {
    let rank = cbt_rank(lane);
    let tile = cbt_group(lane);
    let depth = tree_depth();
    let tiles = 1u << (max(depth, 15u) - 15u);
    let live = tile < tiles;
    let above = tile == tiles && depth <= ONE_DISPATCH;
    let words = min(max((1u << depth) >> 5u, 1u), 1024u);
    // Units of the workgroup above: nodes of 2^11 bits.
    let nodes = (1u << min(depth, ONE_DISPATCH)) >> 11u;
    clear_top(depth, rank);
    if live {
        load_pairs(depth, tile, words, rank);
    } else if above {
        count_parts(depth, nodes, rank);
    }
    workgroupBarrier();

    // Units of a tile: 64 bits, two for each invocation.
    var sum = 0u;
    var first_half = 0u;
    if live {
        let at = slot(4u * rank);
        let x32 = squeeze(vec4u(sh_units[at], sh_units[at + 1u], sh_units[at + 2u], sh_units[at + 3u]), rank);
        first_half = x32.x + x32.y;
        sum = first_half + x32.z + x32.w;
    } else if above && rank < nodes {
        for (var i = 0u; i < 8u; i += 1u) {
            sum += sh_units[slot(8u * rank + i)];
        }
    }
    let before = cbt_group_scan(sum, lane);
    if live {
        sh_units[slot(2u * rank)] = before;
        sh_units[slot(2u * rank + 1u)] = before + first_half;
        if rank == 255u {
            sh_units[slot(512u)] = before + sum;
            if depth > ONE_DISPATCH {
                cbt_totals[tile] = before + sum;
            }
        }
    } else if above && rank <= nodes {
        sh_units[slot(rank)] = before;
    }
    workgroupBarrier();

    let top = above || tiles == 1u;
    if top {
        put_top(depth, select(7u, 12u, above), rank);
    }
    workgroupBarrier();

    if top {
        write_top(depth, rank);
    }
    if live {
        write_squeezed(depth, tile, words, rank);
        write_levels(depth, words >> 1u, 7u, 7u, min(depth, 15u) - min(depth, 4u), tile, rank);
    } else if above {
        write_levels(depth, nodes, 12u, 12u, depth - 4u, 0u, rank);
    }
}

// ---- from sums ------------------------------------------------------------------------------------------------------

// Sum `i` of the level of `width`.
fn read_sum(depth: u32, width: u32, i: u32) -> u32 {
    let at = level_start(depth, width) + ((i * width) >> 5u);
    let shift = (i * width) & 31u;
    var bits = cbt_heap[at] >> shift;
    if shift + width > 32u {
        bits |= cbt_heap[at + 1u] << (32u - shift);
    }
    return bits & ((1u << width) - 1u);
}

// From the sums of a level: 1024 of them a tile, five levels. Where the sums of all tiles of the dispatch before are no more than
// that, there is a workgroup more than tiles, which makes of these what lies above the five levels.
@compute @workgroup_size(256)
fn reduce_sums(lane: CbtLane) {
    let rank = cbt_rank(lane);
    let group = cbt_group(lane);
    let depth = tree_depth();
    let sums = 1u << (depth + 1u - from_width);
    let tiles = max(sums >> 10u, 1u);
    let totals = sums >> 5u;
    let above = group == tiles;
    let units = select(min(sums, UNITS), min(totals, UNITS), above);
    let unit_width = select(from_width, from_width + 5u, above);
    // The totals of the tiles of 2^15 bits come first.
    let first_total = select(0u, 1u << (depth - 15u), from_width > 11u);
    clear_top(depth, rank);
    for (var i = 0u; i < 4u; i += 1u) {
        let unit = rank + 256u * i;
        var sum = 0u;
        if unit < units {
            if above {
                sum = cbt_totals[first_total + unit];
            } else {
                sum = read_sum(depth, from_width, group * UNITS + unit);
            }
        }
        sh_units[slot(unit)] = sum;
    }
    workgroupBarrier();

    let at = slot(4u * rank);
    let own = vec4u(sh_units[at], sh_units[at + 1u], sh_units[at + 2u], sh_units[at + 3u]);
    let sum = own.x + own.y + own.z + own.w;
    let before = cbt_group_scan(sum, lane);
    sh_units[at] = before;
    sh_units[at + 1u] = before + own.x;
    sh_units[at + 2u] = before + own.x + own.y;
    sh_units[at + 3u] = before + own.x + own.y + own.z;
    if rank == 255u {
        sh_units[slot(UNITS)] = before + sum;
        if totals > UNITS && group < tiles {
            cbt_totals[totals + group] = before + sum;
        }
    }
    workgroupBarrier();

    if above {
        put_top(depth, unit_width, rank);
    }
    workgroupBarrier();

    if above {
        write_top(depth, rank);
    }
    let last = select(min(from_width + 5u, depth - 4u), depth - 4u, above);
    write_levels(depth, units, unit_width, unit_width + 1u, last, group * u32(!above), rank);
}
