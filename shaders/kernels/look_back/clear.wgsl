// Clears the tile states before a single pass: nothing is published yet.

//!import kernels/params

@group(0) @binding(6) var<storage, read_write> tile_states: array<u32>;

// params.items is the number of words.
@compute @workgroup_size(256)
fn clear_tile_states(@builtin(global_invocation_id) id: vec3u) {
    for (var word = id.x; word < params.items; word += WORKGROUP * params.chunks) {
        tile_states[word] = 0u;
    }
}
