// How many workgroups have the passes that a settled pool can do without? Three indirect arguments each, for count, plan, commit and
// the two dispatches that reduce the tree, of which only the first ever changes; then how many workgroups those two have when they run.
// Passes that are dispatched from it must not bind it.
@group(0) @binding(7) var<storage, read_write> arguments: array<atomic<u32>>;

const COUNT_ARGUMENTS: u32 = 0u;
const PLAN_ARGUMENTS: u32 = 3u;
const COMMIT_ARGUMENTS: u32 = 6u;
const REDUCE_ARGUMENTS: u32 = 9u;
const REDUCE_WORKGROUPS: u32 = 15u;
