// Where does each key go by its digit? One pass of a radix sort that reads and writes each key once; stable.
//
// Adinets & Merrill, "Onesweep", 2022: each subgroup ranks its keys by votes, the tile is put in order in workgroup
// memory, and how many keys of each digit come before it is found by looking back. Twin: kernels/src/sort/cpu.rs.

//!requires subgroups
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

// By subgroup and digit: how many keys, then how many in the subgroups before.
var<workgroup> sh_count: array<atomic<u32>, 256 * MAX_SUBGROUPS>;
// By digit: its first slot in the sorted tile, then what a slot adds to become a place in the output.
var<workgroup> sh_begin: array<u32, 256>;
// By stretch of digits as long as a subgroup: keys in the tile, keys in all.
var<workgroup> sh_stretch: array<vec2u, 64>;
// The sorted tile: keys, then what stands for values.
var<workgroup> sh_slot: array<Key, SWEEP_TILE>;

// The digit of the key in a slot: the last one where there is no key, which stays behind the keys that have it too.
fn slot_digit(key: Key, slot: u32, valid: u32) -> u32 {
    return select(255u, bits_of_key(key, params.mode, params.extra), slot < valid);
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

    // Loads have no condition, here and below, so that all are under way at once: slots without a key repeat the last one.
    var keys: array<Key, SWEEP_ITEMS>;
    for (var k = 0u; k < SWEEP_ITEMS; k += 1u) {
        keys[k] = keys_in[params.input_first + first + min(own_slot + k * lane.size, valid - 1u)];
    }
    clear_next_posts(tile, rank);
    for (var entry = rank; entry < 256u * subgroups; entry += THREADS) {
        atomicStore(&sh_count[entry], 0u);
    }
    var peers: array<Peers, SWEEP_ITEMS>;
    for (var k = 0u; k < SWEEP_ITEMS; k += 1u) {
        peers[k] = match_digit(slot_digit(keys[k], own_slot + k * lane.size, valid), lane.lane);
    }
    workgroupBarrier();
    // First the rank of each key among those of its subgroup that have the same digit.
    var slots: array<u32, SWEEP_ITEMS>;
    for (var k = 0u; k < SWEEP_ITEMS; k += 1u) {
        var before = 0u;
        if lane.lane == peers_leader(peers[k]) {
            let digit = slot_digit(keys[k], own_slot + k * lane.size, valid);
            before = atomicAdd(&sh_count[lane.subgroup * 256u + digit], peers_count(peers[k]));
        }
        // All wait here for what the leaders were given, so that the next round counts on.
        slots[k] = subgroupShuffle(before, peers_leader(peers[k])) + peers_before(peers[k]);
    }
    workgroupBarrier();

    var counts: array<u32, OWN>;
    // By own digit: keys of smaller digits, in the tile and in all.
    var smaller: array<vec2u, OWN>;
    for (var own = 0u; own < OWN; own += 1u) {
        let digit = own * THREADS + rank;
        if digit < 256u {
            var sum = 0u;
            for (var subgroup = 0u; subgroup < subgroups; subgroup += 1u) {
                let count = atomicLoad(&sh_count[subgroup * 256u + digit]);
                atomicStore(&sh_count[subgroup * 256u + digit], sum);
                sum += count;
            }
            counts[own] = sum;
            tell_count(tile, digit, select(READY, INCLUSIVE, tile == 0u), sum);
            let both = vec2u(sum, atomicLoad(&posts[params.mode * 32u + digit]));
            smaller[own] = vec2u(subgroupExclusiveAdd(both.x), subgroupExclusiveAdd(both.y));
            if lane.lane == lane.size - 1u {
                sh_stretch[digit / lane.size] = smaller[own] + both;
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
            sh_begin[digit] = smaller[own].x;
        }
    }
    workgroupBarrier();
    for (var k = 0u; k < SWEEP_ITEMS; k += 1u) {
        let digit = slot_digit(keys[k], own_slot + k * lane.size, valid);
        slots[k] += sh_begin[digit] + atomicLoad(&sh_count[lane.subgroup * 256u + digit]);
        sh_slot[slots[k]] = keys[k];
    }
    var values: array<u32, SWEEP_ITEMS>;
    if HAS_VALUES {
        for (var k = 0u; k < SWEEP_ITEMS; k += 1u) {
            values[k] = staged_value(first + min(own_slot + k * lane.size, valid - 1u));
        }
    }
    let before = count_before(tile, rank);
    for (var own = 0u; own < OWN; own += 1u) {
        let digit = own * THREADS + rank;
        if digit < 256u {
            tell_count(tile, digit, INCLUSIVE, before[own] + counts[own]);
            sh_begin[digit] = smaller[own].y + before[own] - smaller[own].x;
        }
    }
    workgroupBarrier();
    var places: array<u32, SWEEP_ITEMS>;
    for (var k = 0u; k < SWEEP_ITEMS; k += 1u) {
        let slot = k * THREADS + rank;
        keys[k] = sh_slot[slot];
        places[k] = sh_begin[bits_of_key(keys[k], params.mode, params.extra)] + slot;
    }
    for (var k = 0u; k < SWEEP_ITEMS; k += 1u) {
        if k * THREADS + rank < valid {
            keys_out[params.output_first + places[k]] = keys[k];
        }
    }
    if HAS_VALUES {
        workgroupBarrier();
        for (var k = 0u; k < SWEEP_ITEMS; k += 1u) {
            sh_slot[slots[k]] = key_of_word(values[k]);
        }
        workgroupBarrier();
        for (var k = 0u; k < SWEEP_ITEMS; k += 1u) {
            let slot = k * THREADS + rank;
            if slot < valid {
                write_value(places[k], word_of_key(sh_slot[slot]));
            }
        }
    }
}
