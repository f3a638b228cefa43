// Where does each key go by its digit? One pass of a radix sort that reads and writes each key once; stable.
//
// Adinets & Merrill, "Onesweep", 2022: each subgroup ranks its keys by votes, the tile is put in order in workgroup
// memory, and how many keys of each digit come before it is found by looking back. Twin: kernels/src/sort/cpu.rs.

//!requires subgroups subgroup_barrier
//!import kernels/sort/one_sweep/look_back
//!import kernels/sort/one_sweep/digit_offsets
//!import kernels/sort/one_sweep/match
//!variant example kernels/sort/key=kernels/examples/sort_key

// sh_word of the shape holds three things one after the other, because the smaller it is, the more workgroups share a processor: by
// subgroup and digit, how many keys, then where the next of them goes in the sorted tile; a part of the keys of the sorted
// tile; a part of its values.

// Keys that an invocation ranks between two looks back, about as long as tile states take to arrive.
const KEYS_PER_LOOK: u32 = 2u;

// By digit, then slot, the last key of a tile that is not full.
var<workgroup> sh_last: atomic<u32>;

// Lets slots without a key hold the key that is last by digit. Being behind the others of that digit, they stay behind all keys.
fn fill_up(share: Share, valid: u32, keys: ptr<function, array<Key, SWEEP_ITEMS>>) {
    let own_valid = own_keys(share, valid);
    var last = 0u;
    //!unroll
    for (var k = 0u; k < SWEEP_ITEMS; k += 1u) {
        if k * share.size < own_valid {
            let digit = bits_of_key((*keys)[k], params.mode, params.extra);
            last = max(last, (digit << 16u) | (share.own_slot + k * share.size));
        }
    }
    atomicMax(&sh_last, last);
    workgroupBarrier();
    let slot = atomicLoad(&sh_last) & 0xffffu;
    let last_key = keys_in[params.input_first + share.tile * SWEEP_TILE + slot];
    //!unroll
    for (var k = 0u; k < SWEEP_ITEMS; k += 1u) {
        if k * share.size >= own_valid {
            (*keys)[k] = last_key;
        }
    }
}

@compute @workgroup_size(THREADS)
fn sort_sweep(lane: SweepLane, group: SweepGroup) {
    let share = share_of(lane, group);
    let rank = share.rank;
    let size = share.size;
    // Not that of the share, which is not uniform as a whole.
    let tile = tile_of(group);
    let own_counts = lane.subgroup * 256u;
    var keys: array<Key, SWEEP_ITEMS>;
    load_keys(share, &keys);
    let valid = keys_of_tile(tile);
    if valid == 0u {
        return;
    }
    clear_next_tile_states(tile, rank);
    for (var entry = rank; entry < 256u * SUBGROUPS; entry += THREADS) {
        atomicStore(&sh_word[entry], 0u);
    }
    if rank == 0u {
        atomicStore(&sh_late, 0u);
        atomicStore(&sh_last, 0u);
    }
    workgroupBarrier();
    if valid < SWEEP_TILE {
        fill_up(share, valid, &keys);
    }
    // Keys are counted before they are ranked, so that the workgroups of later tiles know soon.
    //!unroll
    for (var k = 0u; k < SWEEP_ITEMS; k += 1u) {
        atomicAdd(&sh_word[own_counts + bits_of_key(keys[k], params.mode, params.extra)], 1u);
    }
    workgroupBarrier();

    var counts: array<u32, OWN>;
    // By own digit: keys of smaller digits, in the tile and in all.
    var smaller: array<vec2u, OWN>;
    for (var own = 0u; own < OWN; own += 1u) {
        let digit = own * THREADS + rank;
        if digit < 256u {
            let in_all = keys_in_all(digit);
            var sum = 0u;
            //!unroll
            for (var subgroup = 0u; subgroup < SUBGROUPS; subgroup += 1u) {
                sum += atomicLoad(&sh_word[subgroup * 256u + digit]);
            }
            counts[own] = sum;
            publish_count(tile, digit, select(READY, INCLUSIVE, tile == 0u), sum);
            smaller[own] = smaller_of_stretch(digit, vec2u(sum, in_all), lane.lane, size);
        }
    }
    workgroupBarrier();
    for (var own = 0u; own < OWN; own += 1u) {
        let digit = own * THREADS + rank;
        if digit < 256u {
            smaller[own] = add_stretches(digit, size, smaller[own]);
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

    var walks = begin_walks(tile, rank);
    var slots: array<u32, SWEEP_ITEMS>;
    //!unroll
    for (var k = 0u; k < SWEEP_ITEMS; k += 1u) {
        let digit = bits_of_key(keys[k], params.mode, params.extra);
        let peers = match_digit(digit, lane.lane);
        let slot = atomicLoad(&sh_word[own_counts + digit]) + peers.before;
        slots[k] = slot;
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
        load_values(share, valid, &values);
    }
    end_walks(tile, rank, &walks, &counts);
    for (var own = 0u; own < OWN; own += 1u) {
        let digit = own * THREADS + rank;
        if digit < 256u {
            atomicStore(&sh_digit[digit], smaller[own].y + walks[own].sum - smaller[own].x);
        }
    }
    workgroupBarrier();

    // Places of the keys that this invocation writes, kept for their values.
    var places: array<u32, SWEEP_ITEMS>;
    //!unroll
    for (var phase = 0u; phase < PHASES; phase += 1u) {
        if phase > 0u {
            workgroupBarrier();
            put_keys(phase, &keys, &slots);
            // Not before the last keys are put away: there are only so many registers.
            if HAS_VALUES && phase + 1u == PHASES {
                load_values(share, valid, &values);
            }
            workgroupBarrier();
        }
        var sorted: array<Key, PHASE_ITEMS>;
        //!unroll
        for (var i = 0u; i < PHASE_ITEMS; i += 1u) {
            sorted[i] = key_at(i * THREADS + rank);
            let digit = bits_of_key(sorted[i], params.mode, params.extra);
            places[phase * PHASE_ITEMS + i] = place_of(digit, slot_in(phase, i, rank));
        }
        //!unroll
        for (var i = 0u; i < PHASE_ITEMS; i += 1u) {
            if slot_in(phase, i, rank) < valid {
                keys_out[params.output_first + places[phase * PHASE_ITEMS + i]] = sorted[i];
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
                if slot_in(phase, i, rank) < valid {
                    write_value(places[phase * PHASE_ITEMS + i], atomicLoad(&sh_word[i * THREADS + rank]));
                }
            }
        }
    }
}
