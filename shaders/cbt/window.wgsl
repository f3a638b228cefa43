// Which leaves are visited, what is read of a tile to find them, and where do their bits part?

//!import cbt/tree

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

// What an invocation reads of a tile: a word of its bits, an ancestor, the tile itself among them, its sum, and that of the left sibling
// of a right child.
struct TileRead {
    word: u32,
    ancestor: u32,
    sum: u32,
    left: u32,
}

// The `part`th word and ancestor, if there are that many. All is asked for before anything is waited for.
fn read_tile(tile: u32, level: u32, depth: u32, words: u32, part: u32) -> TileRead {
    var word = 0u;
    if part < words {
        word = cbt_word_at(tile * words + part, depth);
    }
    let ancestor = ((1u << level) + tile) >> min(part, 31u);
    var sum = 0u;
    var left = 0u;
    if ancestor > 0u {
        sum = cbt_sum_at(ancestor, depth);
        left = cbt_sum_at(max(ancestor, 2u) - 1u, depth);
        left = select(0u, left, cbt_is_right_child(ancestor));
    }
    return TileRead(word, ancestor, sum, left);
}
