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

// The rank of each key among those of its subgroup that have the same digit.
fn rank_keys(digits: ptr<function, array<u32, SWEEP_ITEMS>>, lane: SweepLane) -> array<u32, SWEEP_ITEMS> {
    var ranks: array<u32, SWEEP_ITEMS>;
    for (var k = 0u; k < SWEEP_ITEMS; k += 1u) {
        let digit = (*digits)[k];
        let peers = match_digit(digit, lane.lane);
        var before = 0u;
        if lane.lane == peers.leader {
            before = atomicAdd(&sh_count[lane.subgroup * 256u + digit], peers.count);
        }
        // All wait here for what the leaders were given, so that the next round counts on.
        ranks[k] = subgroupShuffle(before, peers.leader) + peers.before;
    }
    return ranks;
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

    clear_next_posts(tile, rank);
    for (var entry = rank; entry < 256u * subgroups; entry += THREADS) {
        atomicStore(&sh_count[entry], 0u);
    }
    var keys: array<Key, SWEEP_ITEMS>;
    var digits: array<u32, SWEEP_ITEMS>;
    if valid == SWEEP_TILE {
        for (var k = 0u; k < SWEEP_ITEMS; k += 1u) {
            keys[k] = keys_in[params.input_first + first + own_slot + k * lane.size];
        }
        for (var k = 0u; k < SWEEP_ITEMS; k += 1u) {
            digits[k] = bits_of_key(keys[k], params.mode, params.extra);
        }
    } else {
        for (var k = 0u; k < SWEEP_ITEMS; k += 1u) {
            let slot = own_slot + k * lane.size;
            // Slots without a key have the last digit and stay behind the keys that have it too.
            digits[k] = 255u;
            if slot < valid {
                keys[k] = keys_in[params.input_first + first + slot];
                digits[k] = bits_of_key(keys[k], params.mode, params.extra);
            }
        }
    }
    workgroupBarrier();
    var slots = rank_keys(&digits, lane);
    workgroupBarrier();

    var before_in_stretch: array<vec2u, OWN>;
    var counts: array<u32, OWN>;
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
            before_in_stretch[own] = vec2u(subgroupExclusiveAdd(both.x), subgroupExclusiveAdd(both.y));
            if lane.lane == lane.size - 1u {
                sh_stretch[digit / lane.size] = before_in_stretch[own] + both;
            }
        }
    }
    workgroupBarrier();
    var begins: array<vec2u, OWN>;
    for (var own = 0u; own < OWN; own += 1u) {
        let digit = own * THREADS + rank;
        if digit < 256u {
            begins[own] = before_in_stretch[own];
            for (var stretch = 0u; stretch < digit / lane.size; stretch += 1u) {
                begins[own] += sh_stretch[stretch];
            }
            sh_begin[digit] = begins[own].x;
        }
    }
    workgroupBarrier();
    for (var k = 0u; k < SWEEP_ITEMS; k += 1u) {
        slots[k] += sh_begin[digits[k]] + atomicLoad(&sh_count[lane.subgroup * 256u + digits[k]]);
        sh_slot[slots[k]] = keys[k];
    }
    var before = count_before(tile, rank);
    for (var own = 0u; own < OWN; own += 1u) {
        let digit = own * THREADS + rank;
        if digit < 256u {
            tell_count(tile, digit, INCLUSIVE, before[own] + counts[own]);
            sh_begin[digit] = begins[own].y + before[own] - begins[own].x;
        }
    }
    workgroupBarrier();
    var places: array<u32, SWEEP_ITEMS>;
    for (var k = 0u; k < SWEEP_ITEMS; k += 1u) {
        let slot = k * THREADS + rank;
        if slot < valid {
            let key = sh_slot[slot];
            places[k] = sh_begin[bits_of_key(key, params.mode, params.extra)] + slot;
            keys_out[params.output_first + places[k]] = key;
        }
    }
    if HAS_VALUES {
        workgroupBarrier();
        for (var k = 0u; k < SWEEP_ITEMS; k += 1u) {
            let slot = own_slot + k * lane.size;
            if slot < valid {
                sh_slot[slots[k]] = key_of_word(staged_value(first + slot));
            }
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
