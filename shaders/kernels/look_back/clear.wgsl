// Nothing has been posted yet: clears what a single pass counts on.

//!import kernels/params

@group(0) @binding(6) var<storage, read_write> posts: array<u32>;

// params.items is the number of words.
@compute @workgroup_size(256)
fn clear_posts(@builtin(global_invocation_id) id: vec3u) {
    for (var word = id.x; word < params.items; word += WORKGROUP * params.chunks) {
        posts[word] = 0u;
    }
}
