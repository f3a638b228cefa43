// How large is a tile of the one-sweep sort? Stands in for the host's choice where a shader is validated by itself.

const THREADS: u32 = 256u;
const SWEEP_ITEMS: u32 = 11u;
// Words of a ballot: one for each 32 invocations of the largest subgroup.
const BALLOT_WORDS: u32 = 1u;
// Digits that the longest key has.
const PLACES: u32 = 4u;

// Counters, then keys: see sweep.wgsl.
const SH_WORDS: u32 = 16384u;
var<workgroup> sh_word: array<atomic<u32>, SH_WORDS>;

fn key_at(slot: u32) -> Key { return atomicLoad(&sh_word[slot]); }
fn put_key(slot: u32, key: Key) { atomicStore(&sh_word[slot], key); }
