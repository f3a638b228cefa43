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
//!import kernels/sort/one_sweep/hold
//!variant example kernels/sort/key=kernels/examples/sort_key

@group(0) @binding(5) var<storage, read_write> keys_out: array<Key>;

struct SweepLane {
    @builtin(workgroup_id) workgroup: vec3u,
    @builtin(subgroup_invocation_id) lane: u32,
    @builtin(subgroup_id) subgroup: u32,
    @builtin(subgroup_size) size: u32,
}

// sh_word of the shape holds three things one after the other, because the smaller it is, the more workgroups share a processor: by
// subgroup and digit, how many keys, then where the next of them goes in the sorted tile; a part of the keys of the sorted
// tile; a part of its values.

// By stretch of digits as long as a subgroup: keys in the tile, keys in all.
var<workgroup> sh_stretch: array<vec2u, 64>;

// Keys that an invocation ranks between two looks back, about as long as posts take to arrive.
const KEYS_PER_LOOK: u32 = 2u;

// Slots without a key have the last digit and stay behind the keys that have it too.
fn digit_of(key: Key, shift: u32, has_key: bool) -> u32 {
    return select(255u, bits_of_key(key, shift, params.extra), has_key);
}

// params.mode once more: compilers do not know that it is that, and work digits out again instead of keeping them in registers.
var<workgroup> sh_shift: u32;

@compute @workgroup_size(THREADS)
fn sort_sweep(lane: SweepLane) {
    let size = select(lane.size, SUBGROUP_SIZE, SUBGROUP_SIZE != 0u);
    let rank = lane.subgroup * size + lane.lane;
    let tile = lane.workgroup.y * params.chunks + lane.workgroup.x;
    let first = tile * SWEEP_TILE;
    // A subgroup's keys are neighbours in memory, row by row: the order of slots is that of items.
    let own_slot = lane.subgroup * size * SWEEP_ITEMS + lane.lane;
    let own_counts = lane.subgroup * 256u;

    // Arrays stay in registers when loops over them are written out. Loads have no condition, here and below, so that all are under way
    // at once, and with the one of the count: slots without a key hold some other one.
    var keys: array<Key, SWEEP_ITEMS>;
    if params.capacity - min(first, params.capacity) >= SWEEP_TILE {
        //!unroll
        for (var k = 0u; k < SWEEP_ITEMS; k += 1u) {
            keys[k] = keys_in[params.input_first + first + own_slot + k * size];
        }
    } else {
        //!unroll
        for (var k = 0u; k < SWEEP_ITEMS; k += 1u) {
            keys[k] = keys_in[params.input_first + min(first + own_slot + k * size, params.capacity - 1u)];
        }
    }
    let n = item_count();
    let tiles = n / SWEEP_TILE + select(0u, 1u, n % SWEEP_TILE != 0u);
    if tile >= tiles {
        return;
    }
    let valid = min(SWEEP_TILE, n - first);
    // Keys k of this invocation with k * size below this are there.
    let own_valid = valid - min(own_slot, valid);
    clear_next_posts(tile, rank);
    for (var entry = rank; entry < 256u * SUBGROUPS; entry += THREADS) {
        atomicStore(&sh_word[entry], 0u);
    }
    if rank == 0u {
        atomicStore(&sh_late, 0u);
        if PACKED {
            sh_shift = params.mode;
        }
    }
    workgroupBarrier();
    // Keys are counted before they are ranked, so that the workgroups of later tiles know soon.
    //!unroll
    for (var k = 0u; k < SWEEP_ITEMS; k += 1u) {
        atomicAdd(&sh_word[own_counts + digit_of(keys[k], params.mode, k * size < own_valid)], 1u);
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
            //!unroll
            for (var subgroup = 0u; subgroup < SUBGROUPS; subgroup += 1u) {
                sum += atomicLoad(&sh_word[subgroup * 256u + digit]);
            }
            counts[own] = sum;
            tell_count(tile, digit, select(READY, INCLUSIVE, tile == 0u), sum);
            smaller[own] = vec2u(subgroupExclusiveAdd(sum), subgroupExclusiveAdd(in_all));
            if lane.lane == size - 1u {
                sh_stretch[digit / size] = smaller[own] + vec2u(sum, in_all);
            }
        }
    }
    workgroupBarrier();
    for (var own = 0u; own < OWN; own += 1u) {
        let digit = own * THREADS + rank;
        if digit < 256u {
            for (var stretch = 0u; stretch < digit / size; stretch += 1u) {
                smaller[own] += sh_stretch[stretch];
            }
            var next = smaller[own].x;
            //!unroll
            for (var subgroup = 0u; subgroup < SUBGROUPS; subgroup += 1u) {
                let count = atomicLoad(&sh_word[subgroup * 256u + digit]);
                atomicStore(&sh_word[subgroup * 256u + digit], next);
                next += count;
            }
        }
    }
    workgroupBarrier();

    var shift = params.mode;
    if PACKED {
        shift = sh_shift;
    }
    var walks = begin_walks(tile, rank);
    var slots: array<u32, SLOT_WORDS>;
    //!unroll
    for (var k = 0u; k < SWEEP_ITEMS; k += 1u) {
        let digit = digit_of(keys[k], shift, k * size < own_valid);
        let peers = match_digit(digit, lane.lane);
        let slot = atomicLoad(&sh_word[own_counts + digit]) + peers.before;
        slots[k / SLOTS_PER_WORD] |= slot << slot_shift(k);
        subgroupBarrier();
        if peers.is_last {
            atomicStore(&sh_word[own_counts + digit], slot + 1u);
        }
        // The next round, with other leaders perhaps, counts on from here.
        subgroupBarrier();
        if k % KEYS_PER_LOOK == KEYS_PER_LOOK - 1u {
            step_walks(tile, rank, &walks, &counts);
        }
    }
    workgroupBarrier();
    put_keys(0u, &keys, &slots);
    var values: array<u32, SWEEP_ITEMS>;
    if HAS_VALUES && PHASES == 1u {
        load_values(first, own_slot, size, valid, &values);
    }
    end_walks(tile, rank, &walks, &counts);
    for (var own = 0u; own < OWN; own += 1u) {
        let digit = own * THREADS + rank;
        if digit < 256u {
            atomicStore(&sh_digit[digit], smaller[own].y + walks[own].sum - smaller[own].x);
        }
    }
    workgroupBarrier();

    var digits: array<u32, DIGIT_WORDS>;
    //!unroll
    for (var phase = 0u; phase < PHASES; phase += 1u) {
        if phase > 0u {
            workgroupBarrier();
            put_keys(phase, &keys, &slots);
            // Not before the last keys are put away: there are only so many registers.
            if HAS_VALUES && phase + 1u == PHASES {
                load_values(first, own_slot, size, valid, &values);
            }
            workgroupBarrier();
        }
        var sorted: array<Key, PHASE_ITEMS>;
        var places: array<u32, PHASE_ITEMS>;
        //!unroll
        for (var i = 0u; i < PHASE_ITEMS; i += 1u) {
            sorted[i] = key_at(i * THREADS + rank);
            let digit = bits_of_key(sorted[i], params.mode, params.extra);
            places[i] = place_of(digit, slot_in(phase, i, rank));
            digits[(phase * PHASE_ITEMS + i) / DIGITS_PER_WORD] |= digit << digit_shift(phase * PHASE_ITEMS + i);
        }
        //!unroll
        for (var i = 0u; i < PHASE_ITEMS; i += 1u) {
            if slot_in(phase, i, rank) < valid {
                keys_out[params.output_first + places[i]] = sorted[i];
            }
        }
    }
    if HAS_VALUES {
        //!unroll
        for (var phase = 0u; phase < PHASES; phase += 1u) {
            workgroupBarrier();
            put_values(phase, &values, &slots);
            workgroupBarrier();
            //!unroll
            for (var i = 0u; i < PHASE_ITEMS; i += 1u) {
                let slot = slot_in(phase, i, rank);
                if slot < valid {
                    let word = digits[(phase * PHASE_ITEMS + i) / DIGITS_PER_WORD];
                    let place = place_of((word >> digit_shift(phase * PHASE_ITEMS + i)) & 255u, slot);
                    write_value(place, atomicLoad(&sh_word[i * THREADS + rank]));
                }
            }
        }
    }
}
