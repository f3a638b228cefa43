// Which flags has a tile state? The two highest bits of its words, which only rise; neither while nothing is published.

// The value is the combination of the tile's items.
const READY: u32 = 0x40000000u;
// The value is the combination of all items up to the end of the tile.
const INCLUSIVE: u32 = 0x80000000u;
const STATES: u32 = READY | INCLUSIVE;
