// Which leaves are visited, and where do their bits part?

// The window: indices first .. first + count.
struct CbtVisit {
    first: u32,
    count: u32,
}

@group(0) @binding(0) var<uniform> cbt_visit: CbtVisit;

// No bit: one that parts from every bit of a tile higher up than its bits do from each other.
const NONE: u32 = 0x80000000u;

// Height at which two different bits part.
fn parting(x: u32, y: u32) -> u32 {
    return firstLeadingBit(x ^ y);
}
