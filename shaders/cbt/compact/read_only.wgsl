// How is a compact tree bound where nobody edits it, in vertex and fragment shaders too? Two read-only buffers, group 1.

@group(1) @binding(0) var<storage, read> cbt_sums: array<u32>;
@group(1) @binding(1) var<storage, read> cbt_bits: array<u32>;

fn cbt_bits_load(word: u32) -> u32 {
    return cbt_bits[word];
}
