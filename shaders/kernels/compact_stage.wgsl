// How many kept words does a workgroup gather before it writes them side by side? Somewhat more than half a tile, unless the host says
// otherwise: where about half of all items is kept, few tiles take a second turn.

const STAGE_ITEMS: u32 = 2304u;
