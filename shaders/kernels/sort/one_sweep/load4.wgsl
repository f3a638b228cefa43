// How are four keys loaded that are neighbours? Key by key; load4_words.wgsl stands in for it where keys are words.

//!import kernels/sort/digit

fn load4_is_aligned() -> bool { return false; }

fn load4(item: u32) -> array<Key, 4> {
    let at = params.input_first + item;
    return array<Key, 4>(keys_in[at], keys_in[at + 1u], keys_in[at + 2u], keys_in[at + 3u]);
}
