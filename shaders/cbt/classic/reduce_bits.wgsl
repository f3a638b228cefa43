// How are the ten levels above the bits of a classic tree of depth 10 or more computed? 1024 words of bits a tile, four words an
// invocation; each word of the heap is written whole, by one invocation.
//
// Twin: cbt/src/classic/reduce.rs. A level of 32 nodes or more fills whole words, and so does a tile's part of it, because a tile
// has a multiple of 32 nodes on each level it writes. Five levels are formed within words, in registers; the others are differences
// of a running sum. What bounds a deep tree is the number of integer instructions, so sums are packed by dot products of bytes.

//!import cbt/classic/units
//!import cbt/scan
//!import cbt/shuffle_up
//!variant portable cbt/scan=cbt/scan/portable cbt/shuffle_up=cbt/shuffle_up/portable
//!variant subgroup cbt/scan=cbt/scan/subgroup cbt/shuffle_up=cbt/shuffle_up/subgroup

// The sum of each tile, for the dispatch after this one.
@group(0) @binding(2) var<storage, read_write> cbt_totals: array<u32>;
// The upper half of the heap: the sums of pairs of bits, then the bits, which take the same room.
@group(0) @binding(3) var<storage, read_write> cbt_upper: array<vec4u>;

// Deepest tree that this dispatch finishes: the workgroup that writes the top counts the bits of all tiles.
const ONE_DISPATCH: u32 = 18u;

// Sums of an invocation's 128 bits, one after the other.
struct Squeezed {
    // Of 4 bits: 32 sums of 3 bits.
    threes: vec3u,
    // Of 8 bits: 16 sums of 4 bits.
    fours: vec2u,
    // Of 16 bits: 8 sums of 5 bits, 40 bits in all.
    fives: vec2u,
    // Of 32 bits: 4 sums of 6 bits, 24 bits in all.
    sixes: u32,
    // Of 64 bits, one word each.
    units: vec2u,
}

// Four dot products, with the same weights.
fn dots(bytes: vec4u, weights: u32) -> vec4u {
    return vec4u(
        dot4U8Packed(bytes.x, weights),
        dot4U8Packed(bytes.y, weights),
        dot4U8Packed(bytes.z, weights),
        dot4U8Packed(bytes.w, weights),
    );
}

// From sums of pairs. They are added in lanes of 4 and 8 bits, as in counting ones; a dot product with powers of two moves the
// sums of a word together.
fn squeeze(pairs: vec4u) -> Squeezed {
    let x4 = pairs - 3u * ((pairs >> vec4u(2u)) & vec4u(0x33333333u));
    let x8 = (x4 + (x4 >> vec4u(4u))) & vec4u(0x0f0f0f0fu);
    // In each byte 2 a + 16 b: neighbours a and b side by side, doubled. Then 24 bits of each word, doubled.
    let y = x4 + (x4 & vec4u(0x0f0f0f0fu));
    let z = dots(y, 0x00004001u) + (dots(y, 0x40010000u) << vec4u(12u));
    let f = dots(x8, 0x00001001u) + (dots(x8, 0x10010000u) << vec4u(8u));
    let v = dots(x8, 0x20200101u);
    let c = dots(x8, 0x01010101u);
    return Squeezed(
        vec3u((z.x >> 1u) | (z.y << 23u), (z.y >> 9u) | (z.z << 15u), (z.z >> 17u) | (z.w << 7u)),
        vec2u(f.x | (f.y << 16u), f.z | (f.w << 16u)),
        vec2u(v.x | (v.y << 10u) | (v.z << 20u) | (v.w << 30u), v.w >> 2u),
        c.x | (c.y << 6u) | (c.z << 12u) | (c.w << 18u),
        vec2u(c.x + c.y, c.z + c.w),
    );
}

// The set bits of 8 words, counted by the workgroup above: `part` in the whole tree.
fn count_part(first: u32, part: u32) -> u32 {
    let ones = countOneBits(cbt_upper[first + 2u * part]) + countOneBits(cbt_upper[first + 2u * part + 1u]);
    return ones.x + ones.y + ones.z + ones.w;
}

// A tree of depth 16 to 18 has a workgroup more than tiles, which writes what lies above them.
@compute @workgroup_size(256)
fn reduce_bits(lane: CbtLane, group: CbtGroup) {
    let rank = cbt_rank(lane, group);
    let tile = cbt_group(group);
    let depth = tree_depth();
    let tiles = 1u << (max(depth, 15u) - 15u);
    let live = tile < tiles;
    let above = tile == tiles && depth <= ONE_DISPATCH;
    // Quads of words of a tile, and of the whole tree; parts of two quads are the units of the workgroup above.
    let quads = min((1u << depth) >> 7u, 256u);
    let all_quads = (1u << depth) >> 7u;
    let parts = all_quads / 2u;
    let holds = live && rank < quads;
    let quad = tile * 256u + rank;
    clear_top(depth, rank);
    var bits = vec4u(0u);
    if holds {
        bits = cbt_upper[all_quads + quad];
    } else if above {
        for (var part = rank; part < parts; part += 256u) {
            sh_units[slot(part)] = count_part(all_quads, part);
        }
    }
    let pairs = bits - ((bits >> vec4u(1u)) & vec4u(0x55555555u));
    let sums = squeeze(pairs);
    // Four neighbours have five words of fives and three of sixes; each hands on what its own word cannot take.
    let turn = rank & 3u;
    let shift = 8u * turn;
    let fives_on = ((sums.fives.x >> (31u - shift)) >> 1u) | (sums.fives.y << shift);
    let before = cbt_shuffle_up(vec2u(fives_on, sums.sixes >> shift), lane, group);
    if holds {
        cbt_upper[quad] = pairs;
        let threes = level_start(depth, 3u) + 3u * quad;
        cbt_heap[threes] = sums.threes.x;
        cbt_heap[threes + 1u] = sums.threes.y;
        cbt_heap[threes + 2u] = sums.threes.z;
        let fours = level_start(depth, 4u) + 2u * quad;
        cbt_heap[fours] = sums.fours.x;
        cbt_heap[fours + 1u] = sums.fours.y;
        let fives = level_start(depth, 5u) + 5u * (quad >> 2u) + turn;
        cbt_heap[fives] = (sums.fives.x << shift) | select(before.x, 0u, turn == 0u);
        if turn == 3u {
            cbt_heap[fives + 1u] = fives_on;
        }
        if turn > 0u {
            cbt_heap[level_start(depth, 6u) + 3u * (quad >> 2u) + turn - 1u] = before.y | (sums.sixes << (32u - shift));
        }
    }
    workgroupBarrier();

    // Units of a tile are 64 bits, two an invocation; those of the workgroup above 256 bits, four an invocation.
    var own = vec4u(sums.units, 0u, 0u);
    var at = slot(2u * rank);
    if above {
        at = slot(4u * rank);
        own = vec4u(sh_units[at], sh_units[at + 1u], sh_units[at + 2u], sh_units[at + 3u]);
        own = select(own, vec4u(0u), 4u * rank >= parts);
    }
    let sum = own.x + own.y + own.z + own.w;
    let sum_before = cbt_group_scan(sum, lane, group);
    sh_units[at] = sum_before;
    sh_units[at + 1u] = sum_before + own.x;
    if above {
        sh_units[at + 2u] = sum_before + own.x + own.y;
        sh_units[at + 3u] = sum_before + own.x + own.y + own.z;
    }
    if rank == 255u {
        sh_units[slot(select(512u, 1024u, above))] = sum_before + sum;
        if live && depth > ONE_DISPATCH {
            cbt_totals[tile] = sum_before + sum;
        }
    }
    workgroupBarrier();

    let top = above || tiles == 1u;
    if top {
        put_top(depth, select(7u, 9u, above), rank);
        workgroupBarrier();
        write_top(depth, rank);
    }
    if live {
        write_levels(depth, 2u * quads, 7u, 7u, min(depth, 15u) - 4u, tile, rank);
    } else if above {
        write_levels(depth, parts, 9u, 12u, depth - 4u, 0u, rank);
    }
}
