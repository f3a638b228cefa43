// How many keys of each digit does a chunk hold? The first pass of a radix sort step.
//
// The counts are laid out by digit, then chunk, so that one scan of a row gives each chunk its place among equal digits.

//!import kernels/sort/digit
//!variant example kernels/sort/key=kernels/examples/sort_key

@group(0) @binding(3) var<storage, read_write> counts: array<u32>;

const TILE: u32 = WORKGROUP * SORT_ITEMS;
// Neighbours count in different copies, so that equal digits do not queue.
const COPIES: u32 = 4u;
var<workgroup> sh_count: array<atomic<u32>, 1024>;

@compute @workgroup_size(256)
fn sort_count(@builtin(local_invocation_index) rank: u32, @builtin(workgroup_id) workgroup: vec3u) {
    for (var copy = 0u; copy < COPIES; copy += 1u) {
        atomicStore(&sh_count[copy * 256u + rank], 0u);
    }
    workgroupBarrier();
    let n = item_count();
    let tiles = chunk_tiles(workgroup.x, n, TILE);
    for (var tile = tiles.x; tile < tiles.y; tile += 1u) {
        let first = tile * TILE + rank;
        var digits: array<u32, SORT_ITEMS>;
        // A whole tile is loaded without a condition, so that all its loads are under way at once.
        let whole = (tile + 1u) * TILE <= n;
        if whole {
            for (var k = 0u; k < SORT_ITEMS; k += 1u) {
                digits[k] = key_digit(first + k * WORKGROUP);
            }
        } else {
            for (var k = 0u; k < SORT_ITEMS; k += 1u) {
                if first + k * WORKGROUP < n {
                    digits[k] = key_digit(first + k * WORKGROUP);
                }
            }
        }
        for (var k = 0u; k < SORT_ITEMS; k += 1u) {
            if whole || first + k * WORKGROUP < n {
                atomicAdd(&sh_count[digits[k] * COPIES + rank % COPIES], 1u);
            }
        }
    }
    workgroupBarrier();
    var sum = 0u;
    for (var copy = 0u; copy < COPIES; copy += 1u) {
        sum += atomicLoad(&sh_count[rank * COPIES + copy]);
    }
    counts[rank * params.chunks + workgroup.x] = sum;
}
