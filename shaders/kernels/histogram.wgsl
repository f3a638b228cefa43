// How many items fall into each bin?
//
// Each workgroup counts its share in workgroup memory, in a few copies so that neighbours with equal bins do not queue,
// then adds its counts to the result. More bins than fit are counted in the result directly.
// Twin: kernels/src/histogram/cpu.rs. Reads each item once.

//!import kernels/params
//!import kernels/binning
//!variant example kernels/binning=kernels/examples/binning kernels/stored=kernels/examples/stored

@group(0) @binding(3) var<storage, read_write> output: array<atomic<u32>>;

const ITEMS_PER_INVOCATION: u32 = 16u;
const TILE: u32 = WORKGROUP * ITEMS_PER_INVOCATION;
const COUNTERS: u32 = select(1u, BINS * COPIES, IN_WORKGROUP);
var<workgroup> sh_count: array<atomic<u32>, COUNTERS>;

@compute @workgroup_size(256)
fn histogram_clear(@builtin(global_invocation_id) id: vec3u) {
    // params.chunks workgroups share the bins.
    for (var bin = id.x; bin < BINS; bin += WORKGROUP * params.chunks) {
        atomicStore(&output[params.output_first + bin], 0u);
    }
}

@compute @workgroup_size(256)
fn histogram_count(@builtin(local_invocation_index) rank: u32, @builtin(workgroup_id) workgroup: vec3u) {
    if IN_WORKGROUP {
        for (var counter = rank; counter < COUNTERS; counter += WORKGROUP) {
            atomicStore(&sh_count[counter], 0u);
        }
        workgroupBarrier();
    }
    let n = item_count();
    let tiles = chunk_tiles(workgroup.x, n, TILE);
    let end = min(n, tiles.y * TILE);
    for (var item = tiles.x * TILE + rank; item < end; item += WORKGROUP) {
        let bin = bin_of(input[params.input_first + item], item);
        if bin < BINS {
            if IN_WORKGROUP {
                atomicAdd(&sh_count[bin * COPIES + rank % COPIES], 1u);
            } else {
                atomicAdd(&output[params.output_first + bin], 1u);
            }
        }
    }
    if IN_WORKGROUP {
        workgroupBarrier();
        for (var bin = rank; bin < BINS; bin += WORKGROUP) {
            var sum = 0u;
            for (var copy = 0u; copy < COPIES; copy += 1u) {
                sum += atomicLoad(&sh_count[bin * COPIES + copy]);
            }
            if sum != 0u {
                atomicAdd(&output[params.output_first + bin], sum);
            }
        }
    }
}
