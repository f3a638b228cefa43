// How many keys of a digit lie in the chunks before each chunk? The second pass of a radix sort step, one workgroup a digit.

//!import kernels/params
//!import kernels/group
//!variant portable kernels/group=kernels/group/portable kernels/element=kernels/examples/element kernels/operator=kernels/examples/sum
//!variant subgroup kernels/group=kernels/group/subgroup kernels/element=kernels/examples/element kernels/element_shuffle=kernels/examples/element_shuffle kernels/operator=kernels/examples/sum

@group(0) @binding(3) var<storage, read_write> counts: array<u32>;
// Keys of each digit in all.
@group(0) @binding(4) var<storage, read_write> totals: array<u32>;

@compute @workgroup_size(256)
fn sort_rows(lane: Lane, group: Group) {
    let rank = lane_rank(lane, group);
    let digit = group.workgroup.x;
    let first = digit * params.chunks;
    var items: array<u32, ITEMS>;
    var sums: array<Elem, ROWS>;
    for (var row = 0u; row < ROWS; row += 1u) {
        var sum = 0u;
        for (var k = 0u; k < RUN; k += 1u) {
            let chunk = item_offset(rank, row, k);
            var value = 0u;
            if chunk < params.chunks {
                value = counts[first + chunk];
            }
            items[row * RUN + k] = value;
            sum += value;
        }
        sums[row] = sum;
    }
    let total = group_scan(&sums, lane, group);
    for (var row = 0u; row < ROWS; row += 1u) {
        var before = sums[row];
        for (var k = 0u; k < RUN; k += 1u) {
            let chunk = item_offset(rank, row, k);
            if chunk < params.chunks {
                counts[first + chunk] = before;
            }
            before += items[row * RUN + k];
        }
    }
    if rank == 0u {
        totals[digit] = total;
    }
}
