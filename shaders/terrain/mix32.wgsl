// How are the bits of a word scattered?
// Generated from terrain/src/key_words.rs: ./x generate

//!once terrain::key_words::mix32
// Finaliser of a 32-bit hash: xor-shift-multiply rounds, a bijection of u32 in which every input bit changes about half
// of the output's.
fn mix32(value: u32) -> u32 {
    var x = value;
    x = (x ^ (x >> 16u)) * 0x7feb352du;
    x = (x ^ (x >> 15u)) * 0x846ca68bu;
    return x ^ (x >> 16u);
}
//!end
