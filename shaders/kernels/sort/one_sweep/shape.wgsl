// How large is a tile of the one-sweep sort? Stands in for the host's choice where a shader is validated by itself.

const THREADS: u32 = 256u;
const SWEEP_ITEMS: u32 = 15u;
// Subgroups of a workgroup at most.
const MAX_SUBGROUPS: u32 = 64u;
// Words of a ballot: one for each 32 invocations of the largest subgroup.
const BALLOT_WORDS: u32 = 1u;
// Digits that the longest key has.
const PLACES: u32 = 4u;

fn key_of_word(word: u32) -> Key { return word; }
fn word_of_key(key: Key) -> u32 { return key; }
