// What do the passes over a tree and who dispatches them agree on?
// Generated from kernels/src/lbvh/passes.rs: ./x generate

//!once kernels::lbvh::passes::LBVH_BLOCK_LEVELS
// Levels above its leaves or blocks that a workgroup of `gather` or `levels` makes.
const LBVH_BLOCK_LEVELS: u32 = 10u;
//!end

//!once kernels::lbvh::passes::LBVH_BLOCK
// Leaves or blocks that it makes them of.
const LBVH_BLOCK: u32 = 1u << u32(LBVH_BLOCK_LEVELS);
//!end

//!once kernels::lbvh::passes::LBVH_ANY
// Mode of a batch whose queries are content with any hit or primitive; that of one that asks for the closest hit, or all primitives, is 0.
const LBVH_ANY: u32 = 1u;
//!end
