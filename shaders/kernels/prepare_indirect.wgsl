// How many workgroups does each later dispatch of a frame need? From counts on the device to indirect arguments.
//
// Twin: kernels/src/indirect.rs. Above 65 535 workgroups the second dimension is used: a kernel's workgroup number is
// workgroup_id.y * num_workgroups.x + workgroup_id.x, and numbers beyond the count must do nothing.

struct Request {
    // Where the count lies in `counts`; larger counts than `capacity` are clamped.
    count_index: u32,
    capacity: u32,
    items_per_workgroup: u32,
    // Where the three arguments go in `arguments`.
    arguments_index: u32,
}

@group(0) @binding(0) var<storage, read> requests: array<Request>;
@group(0) @binding(1) var<storage, read> counts: array<u32>;
@group(0) @binding(2) var<storage, read_write> arguments: array<u32>;

const MAX_PER_DIMENSION: u32 = 65535u;

fn indirect_arguments(count: u32, capacity: u32, items_per_workgroup: u32) -> vec3u {
    let items = min(count, capacity);
    let workgroups = items / items_per_workgroup + select(0u, 1u, items % items_per_workgroup != 0u);
    if workgroups <= MAX_PER_DIMENSION {
        return vec3u(workgroups, 1u, 1u);
    }
    // The fewest rows that fit, then rows as short as possible: at most one row's worth of idle workgroups.
    let rows = (workgroups - 1u) / MAX_PER_DIMENSION + 1u;
    return vec3u((workgroups - 1u) / rows + 1u, rows, 1u);
}

@compute @workgroup_size(64)
fn prepare_indirect(@builtin(global_invocation_id) id: vec3u) {
    if id.x >= arrayLength(&requests) {
        return;
    }
    let request = requests[id.x];
    let xyz = indirect_arguments(counts[request.count_index], request.capacity, request.items_per_workgroup);
    arguments[request.arguments_index] = xyz.x;
    arguments[request.arguments_index + 1u] = xyz.y;
    arguments[request.arguments_index + 2u] = xyz.z;
}
