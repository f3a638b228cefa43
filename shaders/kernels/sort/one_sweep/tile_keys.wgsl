// What does an invocation hold of a tile, and how does it pass through workgroup memory, which has room for a part of it?
//
// Registers hold more keys than workgroup memory, so tiles can be large: in each of PHASES phases go those keys whose slots in
// the sorted tile lie in one stretch of it.

//!import kernels/sort/one_sweep/tile
//!import kernels/sort/one_sweep/payload

@group(0) @binding(5) var<storage, read_write> keys_out: array<Key>;

const PHASE_SLOTS: u32 = THREADS * PHASE_ITEMS;

// By digit, one after the other: keys that are counted, of the tile (first_scatter.wgsl) or of a late one
// (look_back.wgsl); the first slot in the sorted tile; what a slot adds to become a place in the output.
var<workgroup> sh_digit: array<atomic<u32>, 256>;

// The slot in the sorted tile of the key that an invocation writes as its `i`th in a phase.
fn slot_in(phase: u32, i: u32, rank: u32) -> u32 {
    return phase * PHASE_SLOTS + i * THREADS + rank;
}

// Where in the output a slot of the sorted tile goes.
fn place_of(digit: u32, slot: u32) -> u32 {
    return atomicLoad(&sh_digit[digit]) + slot;
}

fn put_keys(
    phase: u32,
    keys: ptr<function, array<Key, SWEEP_ITEMS>>,
    slots: ptr<function, array<u32, SWEEP_ITEMS>>,
) {
    //!unroll
    for (var k = 0u; k < SWEEP_ITEMS; k += 1u) {
        // Slots of earlier phases wrap round.
        let slot = (*slots)[k] - phase * PHASE_SLOTS;
        if PHASES == 1u || slot < PHASE_SLOTS {
            put_key(slot, (*keys)[k]);
        }
    }
}

fn load_values(share: Share, valid: u32, values: ptr<function, array<u32, SWEEP_ITEMS>>) {
    let first = share.tile * SWEEP_TILE;
    //!unroll
    for (var k = 0u; k < SWEEP_ITEMS; k += 1u) {
        (*values)[k] = staged_value(first + min(share.own_slot + k * share.size, valid - 1u));
    }
}

fn put_values(
    phase: u32,
    values: ptr<function, array<u32, SWEEP_ITEMS>>,
    slots: ptr<function, array<u32, SWEEP_ITEMS>>,
) {
    //!unroll
    for (var k = 0u; k < SWEEP_ITEMS; k += 1u) {
        let slot = (*slots)[k] - phase * PHASE_SLOTS;
        if PHASES == 1u || slot < PHASE_SLOTS {
            atomicStore(&sh_word[slot], (*values)[k]);
        }
    }
}
