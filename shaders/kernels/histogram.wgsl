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
    // All workgroups walk along together, so that they read from a few pages of memory at a time.
    let n = item_count();
    let tiles = n / TILE + select(0u, 1u, n % TILE != 0u);
    for (var tile = workgroup.x; tile < tiles; tile += params.chunks) {
        let first = tile * TILE + rank;
        var bins: array<u32, ITEMS_PER_INVOCATION>;
        // A whole tile is loaded without a condition, so that all its loads are under way at once.
        if (tile + 1u) * TILE <= n {
            for (var k = 0u; k < ITEMS_PER_INVOCATION; k += 1u) {
                let item = first + k * WORKGROUP;
                bins[k] = bin_of(input[params.input_first + item], item);
            }
        } else {
            for (var k = 0u; k < ITEMS_PER_INVOCATION; k += 1u) {
                let item = first + k * WORKGROUP;
                bins[k] = BINS;
                if item < n {
                    bins[k] = bin_of(input[params.input_first + item], item);
                }
            }
        }
        for (var k = 0u; k < ITEMS_PER_INVOCATION; k += 1u) {
            if bins[k] < BINS {
                if IN_WORKGROUP {
                    atomicAdd(&sh_count[bins[k] * COPIES + rank % COPIES], 1u);
                } else {
                    atomicAdd(&output[params.output_first + bins[k]], 1u);
                }
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
