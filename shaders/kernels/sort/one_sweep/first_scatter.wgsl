// Where does each key go by its first digit, if nobody can tell equal keys apart? The first pass of a sort of keys by all their bits.
//
// Keys of one digit may then come in any order, for the passes that follow put them into the only one there is. So their ranks are what
// counters of the tile say, and the tile's places what counters of all tiles say: nobody votes, and nobody looks back.

//!requires subgroups
//!import kernels/sort/one_sweep/tile_states
//!import kernels/sort/one_sweep/tile_keys
//!import kernels/sort/one_sweep/digit_offsets
//!variant example kernels/sort/key=kernels/examples/sort_key

// Takes places for keys of a digit, after those that other tiles have taken. They are counted where the first tile
// would publish.
fn take_places(digit: u32, count: u32) -> u32 {
    return atomicAdd(&tile_states[tile_state_index(0u) + digit], count);
}

// Gives each key a number among those of its digit. Slots without a key, from `own_valid` on, are those behind all keys, and keep theirs.
fn number_keys(
    share: Share,
    own_valid: u32,
    keys: ptr<function, array<Key, SWEEP_ITEMS>>,
    slots: ptr<function, array<u32, SWEEP_ITEMS>>,
) {
    //!unroll
    for (var k = 0u; k < SWEEP_ITEMS; k += 1u) {
        var slot = share.own_slot + k * share.size;
        if k * share.size < own_valid {
            slot = atomicAdd(&sh_digit[bits_of_key((*keys)[k], params.mode, params.extra)], 1u);
        }
        (*slots)[k] = slot;
    }
}

// Adds the keys of smaller digits.
fn add_smaller(
    share: Share,
    own_valid: u32,
    keys: ptr<function, array<Key, SWEEP_ITEMS>>,
    slots: ptr<function, array<u32, SWEEP_ITEMS>>,
) {
    //!unroll
    for (var k = 0u; k < SWEEP_ITEMS; k += 1u) {
        if k * share.size < own_valid {
            (*slots)[k] += atomicLoad(&sh_digit[bits_of_key((*keys)[k], params.mode, params.extra)]);
        }
    }
}

@compute @workgroup_size(THREADS)
fn sort_first_scatter(lane: SweepLane, group: SweepGroup) {
    let share = share_of(lane, group);
    let rank = share.rank;
    let size = share.size;
    var keys: array<Key, SWEEP_ITEMS>;
    load_keys(share, &keys);
    // Not that of the share, which is not uniform as a whole.
    let tile = tile_of(group);
    let valid = keys_of_tile(tile);
    if valid == 0u {
        return;
    }
    let own_valid = own_keys(share, valid);
    clear_next_tile_states(tile, rank);
    for (var digit = rank; digit < 256u; digit += THREADS) {
        atomicStore(&sh_digit[digit], 0u);
    }
    workgroupBarrier();
    var slots: array<u32, SWEEP_ITEMS>;
    // Of a full tile nothing is asked key by key.
    if valid == SWEEP_TILE {
        number_keys(share, SWEEP_TILE, &keys, &slots);
    } else {
        number_keys(share, own_valid, &keys, &slots);
    }
    workgroupBarrier();
    var taken: array<u32, OWN>;
    // By own digit: keys of smaller digits, in the tile and in all.
    var smaller: array<vec2u, OWN>;
    for (var own = 0u; own < OWN; own += 1u) {
        let digit = own * THREADS + rank;
        if digit < 256u {
            let count = atomicLoad(&sh_digit[digit]);
            taken[own] = take_places(digit, count);
            smaller[own] = smaller_of_stretch(digit, vec2u(count, keys_in_all(digit)), lane.lane, size);
        }
    }
    workgroupBarrier();
    for (var own = 0u; own < OWN; own += 1u) {
        let digit = own * THREADS + rank;
        if digit < 256u {
            smaller[own] = add_stretches(digit, size, smaller[own]);
            atomicStore(&sh_digit[digit], smaller[own].x);
        }
    }
    workgroupBarrier();
    if valid == SWEEP_TILE {
        add_smaller(share, SWEEP_TILE, &keys, &slots);
    } else {
        add_smaller(share, own_valid, &keys, &slots);
    }
    put_keys(0u, &keys, &slots);
    workgroupBarrier();
    for (var own = 0u; own < OWN; own += 1u) {
        let digit = own * THREADS + rank;
        if digit < 256u {
            atomicStore(&sh_digit[digit], smaller[own].y + taken[own] - smaller[own].x);
        }
    }
    workgroupBarrier();
    //!unroll
    for (var phase = 0u; phase < PHASES; phase += 1u) {
        if phase > 0u {
            workgroupBarrier();
            put_keys(phase, &keys, &slots);
            workgroupBarrier();
        }
        // As in sweep.wgsl: one function for both, which fills an array of the caller's, costs registers, and so a fourth of the time.
        var sorted: array<Key, PHASE_ITEMS>;
        var places: array<u32, PHASE_ITEMS>;
        //!unroll
        for (var i = 0u; i < PHASE_ITEMS; i += 1u) {
            sorted[i] = key_at(i * THREADS + rank);
            let digit = bits_of_key(sorted[i], params.mode, params.extra);
            places[i] = place_of(digit, slot_in(phase, i, rank));
        }
        //!unroll
        for (var i = 0u; i < PHASE_ITEMS; i += 1u) {
            if slot_in(phase, i, rank) < valid {
                keys_out[params.output_first + places[i]] = sorted[i];
            }
        }
    }
}
