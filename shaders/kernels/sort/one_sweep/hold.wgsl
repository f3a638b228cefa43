// What does an invocation hold of a tile, and how does it pass through workgroup memory, which has room for a part of it?
//
// Registers hold more keys than workgroup memory, so tiles can be large: in each of PHASES phases go those keys whose slots in
// the sorted tile lie in one stretch of it.

//!import kernels/sort/digit
//!import kernels/sort/one_sweep/shape
//!import kernels/sort/one_sweep/posts
//!import kernels/sort/one_sweep/payload

const PHASE_SLOTS: u32 = THREADS * PHASE_ITEMS;

// Slots in the sorted tile of the keys that an invocation has read, and digits of those that it writes: packed, so that more
// workgroups have room for their registers.
const SLOT_WORDS: u32 = (SWEEP_ITEMS + SLOTS_PER_WORD - 1u) / SLOTS_PER_WORD;
const SLOT_BITS: u32 = 32u / SLOTS_PER_WORD;
const DIGIT_WORDS: u32 = (SWEEP_ITEMS + DIGITS_PER_WORD - 1u) / DIGITS_PER_WORD;
const DIGIT_STEP: u32 = 32u / DIGITS_PER_WORD;

// How far an entry is shifted in its word. Words are indexed in the loops that are written out, so that they stay in registers.
fn slot_shift(k: u32) -> u32 {
    return SLOT_BITS * (k % SLOTS_PER_WORD);
}

fn digit_shift(k: u32) -> u32 {
    return DIGIT_STEP * (k % DIGITS_PER_WORD);
}

// An entry of a word of slots.
fn slot_of(word: u32, k: u32) -> u32 {
    return (word >> slot_shift(k)) & (0xffffffffu >> (32u - SLOT_BITS));
}

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
    slots: ptr<function, array<u32, SLOT_WORDS>>,
) {
    //!unroll
    for (var k = 0u; k < SWEEP_ITEMS; k += 1u) {
        // Slots of earlier phases wrap round.
        let slot = slot_of((*slots)[k / SLOTS_PER_WORD], k) - phase * PHASE_SLOTS;
        if PHASES == 1u || slot < PHASE_SLOTS {
            put_key(slot, (*keys)[k]);
        }
    }
}

fn load_values(
    first: u32,
    own_slot: u32,
    size: u32,
    valid: u32,
    values: ptr<function, array<u32, SWEEP_ITEMS>>,
) {
    //!unroll
    for (var k = 0u; k < SWEEP_ITEMS; k += 1u) {
        (*values)[k] = staged_value(first + min(own_slot + k * size, valid - 1u));
    }
}

fn put_values(
    phase: u32,
    values: ptr<function, array<u32, SWEEP_ITEMS>>,
    slots: ptr<function, array<u32, SLOT_WORDS>>,
) {
    //!unroll
    for (var k = 0u; k < SWEEP_ITEMS; k += 1u) {
        let slot = slot_of((*slots)[k / SLOTS_PER_WORD], k) - phase * PHASE_SLOTS;
        if PHASES == 1u || slot < PHASE_SLOTS {
            atomicStore(&sh_word[slot], (*values)[k]);
        }
    }
}
