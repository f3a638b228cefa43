// How long is each run of equal items? From where runs start: the next start, or the end, less this start.
//
// Twin: kernels/src/runs/cpu.rs. The starts come from compact.wgsl.

//!import kernels/params

@group(0) @binding(3) var<storage, read_write> output: array<u32>;
@group(0) @binding(4) var<storage, read_write> starts: array<u32>;
// The number of runs, which may exceed the room of the output, params.extra.
@group(0) @binding(5) var<storage, read_write> total: array<u32>;

@compute @workgroup_size(256)
fn run_lengths(@builtin(global_invocation_id) id: vec3u) {
    let n = item_count();
    let runs = total[params.aux_first];
    for (var run = id.x; run < min(runs, params.extra); run += WORKGROUP * params.chunks) {
        var end = n;
        if run + 1u < runs {
            end = starts[run + 1u];
        }
        output[params.output_first + run] = end - starts[run];
    }
}
