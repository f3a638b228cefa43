// Where does each key go by its digit? One pass of a radix sort that reads and writes each key once; stable.
//
// Adinets & Merrill, "Onesweep", 2022: each subgroup ranks its keys by votes, the tile is put in order in workgroup
// memory, and how many keys of each digit come before it is found by looking back. Twin: kernels/src/sort/cpu.rs.

//!requires subgroups subgroup_barrier
//!import kernels/sort/digit
//!import kernels/sort/one_sweep/shape
//!import kernels/sort/one_sweep/posts
//!import kernels/sort/one_sweep/match
//!import kernels/sort/one_sweep/payload
//!variant example kernels/sort/key=kernels/examples/sort_key

@group(0) @binding(5) var<storage, read_write> keys_out: array<Key>;

struct SweepLane {
    @builtin(workgroup_id) workgroup: vec3u,
    @builtin(subgroup_invocation_id) lane: u32,
    @builtin(subgroup_id) subgroup: u32,
    @builtin(subgroup_size) size: u32,
}

// sh_word of the shape holds three things one after the other, because the smaller it is, the more workgroups share a processor: by
// subgroup and digit, how many keys, then how many in the subgroups before, then also those ranked so far; the keys of
// the sorted tile; its values.

// By stretch of digits as long as a subgroup: keys in the tile, keys in all.
var<workgroup> sh_stretch: array<vec2u, 64>;

// Slots without a key have the last digit and stay behind the keys that have it too.
fn digit_of(key: Key, has_key: bool) -> u32 {
    return select(255u, bits_of_key(key, params.mode, params.extra), has_key);
}

@compute @workgroup_size(THREADS)
fn sort_sweep(lane: SweepLane) {
    let rank = lane.subgroup * lane.size + lane.lane;
    let n = item_count();
    let tile = lane.workgroup.y * params.chunks + lane.workgroup.x;
    let tiles = n / SWEEP_TILE + select(0u, 1u, n % SWEEP_TILE != 0u);
    if tile >= tiles {
        return;
    }
    let subgroups = THREADS / lane.size;
    let first = tile * SWEEP_TILE;
    let valid = min(SWEEP_TILE, n - first);
    // A subgroup's keys are neighbours in memory, row by row: the order of slots is that of items.
    let own_slot = lane.subgroup * lane.size * SWEEP_ITEMS + lane.lane;
    let own_counts = lane.subgroup * 256u;

    // Arrays stay in registers when loops over them are written out. Loads have no condition, here and below, so that all are under way at once: slots without a key repeat the last one.
    var keys: array<Key, SWEEP_ITEMS>;
    //!unroll
    for (var k = 0u; k < SWEEP_ITEMS; k += 1u) {
        keys[k] = keys_in[params.input_first + first + min(own_slot + k * lane.size, valid - 1u)];
    }
    clear_next_posts(tile, rank);
    for (var entry = rank; entry < 256u * subgroups; entry += THREADS) {
        atomicStore(&sh_word[entry], 0u);
    }
    if rank == 0u {
        atomicStore(&sh_late, 0u);
    }
    workgroupBarrier();
    // Keys are counted before they are ranked, so that the workgroups of later tiles know soon.
    //!unroll
    for (var k = 0u; k < SWEEP_ITEMS; k += 1u) {
        atomicAdd(&sh_word[own_counts + digit_of(keys[k], own_slot + k * lane.size < valid)], 1u);
    }
    workgroupBarrier();

    var counts: array<u32, OWN>;
    // By own digit: keys of smaller digits, in the tile and in all.
    var smaller: array<vec2u, OWN>;
    for (var own = 0u; own < OWN; own += 1u) {
        let digit = own * THREADS + rank;
        if digit < 256u {
            let in_all = atomicLoad(&posts[params.mode * 32u + digit]);
            var sum = 0u;
            for (var subgroup = 0u; subgroup < subgroups; subgroup += 1u) {
                let count = atomicLoad(&sh_word[subgroup * 256u + digit]);
                atomicStore(&sh_word[subgroup * 256u + digit], sum);
                sum += count;
            }
            counts[own] = sum;
            tell_count(tile, digit, select(READY, INCLUSIVE, tile == 0u), sum);
            smaller[own] = vec2u(subgroupExclusiveAdd(sum), subgroupExclusiveAdd(in_all));
            if lane.lane == lane.size - 1u {
                sh_stretch[digit / lane.size] = smaller[own] + vec2u(sum, in_all);
            }
        }
    }
    workgroupBarrier();
    for (var own = 0u; own < OWN; own += 1u) {
        let digit = own * THREADS + rank;
        if digit < 256u {
            for (var stretch = 0u; stretch < digit / lane.size; stretch += 1u) {
                smaller[own] += sh_stretch[stretch];
            }
            atomicStore(&sh_digit[digit], smaller[own].x);
        }
    }
    workgroupBarrier();

    var slots: array<u32, SWEEP_ITEMS>;
    //!unroll
    for (var k = 0u; k < SWEEP_ITEMS; k += 1u) {
        let digit = digit_of(keys[k], own_slot + k * lane.size < valid);
        let peers = match_digit(digit, lane.lane);
        var before = 0u;
        if lane.lane == peers.leader {
            before = atomicAdd(&sh_word[own_counts + digit], peers.count);
        }
        slots[k] = subgroupShuffle(before, peers.leader) + peers.before + atomicLoad(&sh_digit[digit]);
        // The leaders of the next round, others perhaps, count on from here.
        subgroupBarrier();
    }
    workgroupBarrier();
    //!unroll
    for (var k = 0u; k < SWEEP_ITEMS; k += 1u) {
        put_key(slots[k], keys[k]);
    }
    var values: array<u32, SWEEP_ITEMS>;
    if HAS_VALUES {
        //!unroll
        for (var k = 0u; k < SWEEP_ITEMS; k += 1u) {
            values[k] = staged_value(first + min(own_slot + k * lane.size, valid - 1u));
        }
    }
    let before = count_before(tile, rank);
    for (var own = 0u; own < OWN; own += 1u) {
        let digit = own * THREADS + rank;
        if digit < 256u {
            tell_count(tile, digit, INCLUSIVE, before[own] + counts[own]);
            atomicStore(&sh_digit[digit], smaller[own].y + before[own] - smaller[own].x);
        }
    }
    workgroupBarrier();

    var places: array<u32, SWEEP_ITEMS>;
    //!unroll
    for (var k = 0u; k < SWEEP_ITEMS; k += 1u) {
        let slot = k * THREADS + rank;
        keys[k] = key_at(slot);
        places[k] = atomicLoad(&sh_digit[bits_of_key(keys[k], params.mode, params.extra)]) + slot;
    }
    //!unroll
    for (var k = 0u; k < SWEEP_ITEMS; k += 1u) {
        if k * THREADS + rank < valid {
            keys_out[params.output_first + places[k]] = keys[k];
        }
    }
    if HAS_VALUES {
        workgroupBarrier();
        //!unroll
        for (var k = 0u; k < SWEEP_ITEMS; k += 1u) {
            atomicStore(&sh_word[slots[k]], values[k]);
        }
        workgroupBarrier();
        //!unroll
        for (var k = 0u; k < SWEEP_ITEMS; k += 1u) {
            let slot = k * THREADS + rank;
            if slot < valid {
                write_value(places[k], atomicLoad(&sh_word[slot]));
            }
        }
    }
}
