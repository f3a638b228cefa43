// How large is a tile of the one-sweep sort? Stands in for the host's choice where a shader is validated by itself.

const THREADS: u32 = 256u;
// Keys that an invocation holds, and how many of them go through workgroup memory at a time.
const SWEEP_ITEMS: u32 = 12u;
const PHASES: u32 = 2u;
const PHASE_ITEMS: u32 = 6u;
// Subgroups at most, and their size; 0 where it varies.
const SUBGROUPS: u32 = 64u;
const SUBGROUP_SIZE: u32 = 0u;
// Words of a ballot: one for each 32 invocations of the largest subgroup.
const BALLOT_WORDS: u32 = 1u;
// Digits that the longest key has.
const PLACES: u32 = 4u;
// Invocations of a workgroup of the totals, and its counters of each digit.
const HISTOGRAM_THREADS: u32 = 256u;
const COPIES: u32 = 8u;
// Keys that an invocation counts at a time for them.
const HISTOGRAM_ITEMS: u32 = 16u;

// Counters, then keys: see sweep.wgsl.
const SH_WORDS: u32 = 16384u;
var<workgroup> sh_word: array<atomic<u32>, SH_WORDS>;

fn key_at(slot: u32) -> Key { return atomicLoad(&sh_word[slot]); }
fn put_key(slot: u32, key: Key) { atomicStore(&sh_word[slot], key); }
