// How many workgroups does each later dispatch of a frame need? From counts on the device to indirect arguments.
//
// A kernel's workgroup number is workgroup_id.y * num_workgroups.x + workgroup_id.x; numbers beyond the count must do nothing.

//!import kernels/workgroups

@group(0) @binding(0) var<storage, read> requests: array<IndirectRequest>;
@group(0) @binding(1) var<storage, read> counts: array<u32>;
@group(0) @binding(2) var<storage, read_write> arguments: array<u32>;

@compute @workgroup_size(64)
fn prepare_indirect(@builtin(global_invocation_id) id: vec3u) {
    if id.x >= arrayLength(&requests) {
        return;
    }
    let request = requests[id.x];
    let xyz = workgroups_of(counts[request.count_index], request.capacity, request.items_per_workgroup);
    arguments[request.arguments_index] = xyz.x;
    arguments[request.arguments_index + 1u] = xyz.y;
    arguments[request.arguments_index + 2u] = xyz.z;
}
