// How many kept words does a workgroup gather before it writes them side by side? Half a tile, unless the host says otherwise.

const STAGE_ITEMS: u32 = 2048u;
