// How many workgroups have the passes that a settled pool can do without? Three indirect arguments each, for count, plan
// and commit, of which only the first ever changes. Passes that are dispatched from it must not bind it.
@group(0) @binding(8) var<storage, read_write> arguments: array<atomic<u32>>;

const COUNT_ARGUMENTS: u32 = 0u;
const PLAN_ARGUMENTS: u32 = 3u;
const COMMIT_ARGUMENTS: u32 = 6u;
