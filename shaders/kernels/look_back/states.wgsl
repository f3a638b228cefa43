// How far is what a tile has told? The two highest bits of a word of a post, which only rise; neither while there is nothing.

// The value is the combination of the tile's items.
const READY: u32 = 0x40000000u;
// The value is the combination of all items up to the end of the tile.
const INCLUSIVE: u32 = 0x80000000u;
const STATES: u32 = READY | INCLUSIVE;
