// Which digit of a key does a pass sort by? Keys as read, and their bits from params.mode on, params.extra of them.

//!import kernels/params
//!import kernels/sort/key

@group(0) @binding(2) var<storage, read_write> keys_in: array<Key>;

// `bits` bits of a key from bit `shift` on.
fn bits_of_key(key: Key, shift: u32, bits: u32) -> u32 {
    var word = key_word(key, shift / 32u);
    if DESCENDING {
        word = ~word;
    }
    return (word >> (shift % 32u)) & ((1u << bits) - 1u);
}

fn key_bits(item: u32, shift: u32, bits: u32) -> u32 {
    return bits_of_key(keys_in[params.input_first + item], shift, bits);
}

fn key_digit(item: u32) -> u32 {
    return key_bits(item, params.mode, params.extra);
}
