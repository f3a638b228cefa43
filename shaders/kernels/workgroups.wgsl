// How many workgroups does a count of items need? Above 65 535 the second dimension is used.
// Generated from kernels/src/indirect/workgroups.rs: ./x generate

//!once kernels::indirect::workgroups::IndirectRequest
// What one later dispatch needs.
struct IndirectRequest {
    // Index of the item count in the slice of counts.
    count_index: u32,
    // Larger counts are clamped to this.
    capacity: u32,
    // Items that a workgroup takes.
    items_per_workgroup: u32,
    // Index of the first of three arguments in the slice of arguments.
    arguments_index: u32,
}
//!end

//!once kernels::indirect::workgroups::MAX_PER_DIMENSION
// Workgroups that a dispatch may have in each dimension.
const MAX_PER_DIMENSION: u32 = 65535u;
//!end

//!once kernels::indirect::workgroups::workgroups_of
// Workgroups in x, y and z for `count` items.
fn workgroups_of(count: u32, capacity: u32, items_per_workgroup: u32) -> vec3u {
    let items = min(count, capacity);
    let workgroups = items / items_per_workgroup + u32(items % items_per_workgroup != 0u);
    if workgroups <= MAX_PER_DIMENSION {
        return vec3u(workgroups, 1u, 1u);
    }
    let rows = (workgroups - 1u) / MAX_PER_DIMENSION + 1u;
    return vec3u((workgroups - 1u) / rows + 1u, rows, 1u);
}
//!end
