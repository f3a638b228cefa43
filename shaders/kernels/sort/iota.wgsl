// Which number has each item? Its place: what an argsort moves with the keys.

//!import kernels/params

@group(0) @binding(3) var<storage, read_write> output: array<u32>;

@compute @workgroup_size(256)
fn sort_iota(@builtin(global_invocation_id) id: vec3u) {
    let n = item_count();
    for (var item = id.x; item < n; item += WORKGROUP * params.chunks) {
        output[params.output_first + item] = item;
    }
}
