// How are four keys loaded that are neighbours? Key by key; fours_of_words.wgsl stands in for it where keys are words.

//!import kernels/sort/digit

fn fours_are_aligned() -> bool { return false; }

fn load_four(item: u32) -> array<Key, 4> {
    let at = params.input_first + item;
    return array<Key, 4>(keys_in[at], keys_in[at + 1u], keys_in[at + 2u], keys_in[at + 3u]);
}
