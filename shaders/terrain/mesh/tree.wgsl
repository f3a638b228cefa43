// How is the pool's tree bound where its bisectors are drawn? In group 3, because group 1 is the view's.

@group(3) @binding(0) var<storage, read> cbt_sums: array<u32>;
@group(3) @binding(1) var<storage, read> cbt_bits: array<u32>;

fn cbt_bits_load(word: u32) -> u32 {
    return cbt_bits[word];
}
