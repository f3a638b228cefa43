// How are the bits of a word scattered? A bijection in which every input bit changes about half of the output's.

fn mix32(value: u32) -> u32 {
    var x = value;
    x = (x ^ x >> 16u) * 0x7feb352du;
    x = (x ^ x >> 15u) * 0x846ca68bu;
    return x ^ x >> 16u;
}
