// Where does each key go by its digit? The last pass of a radix sort step; stable.
//
// Each tile is sorted in workgroup memory first, so that keys of a digit leave side by side. Twin: kernels/src/sort/cpu.rs.

//!import kernels/sort/digit
//!import kernels/sort/local
//!import kernels/sort/payload
//!variant portable kernels/sort/key=kernels/examples/sort_key kernels/sort/payload=kernels/examples/sort_payload kernels/group=kernels/group/portable kernels/element=kernels/examples/sum_pair kernels/operator=kernels/examples/sum_pair
//!variant subgroup kernels/sort/key=kernels/examples/sort_key kernels/sort/payload=kernels/examples/sort_payload kernels/group=kernels/group/subgroup kernels/element=kernels/examples/sum_pair kernels/element_shuffle=kernels/examples/element_shuffle kernels/operator=kernels/examples/sum_pair

// From sort_rows: keys of a digit in earlier chunks, and in all.
@group(0) @binding(3) var<storage, read_write> counts: array<u32>;
@group(0) @binding(4) var<storage, read_write> totals: array<u32>;
@group(0) @binding(5) var<storage, read_write> keys_out: array<Key>;

// By digit: its first slot in the sorted tile, the slot after its last, and what a slot adds to become a place in the output.
var<workgroup> sh_begin: array<u32, 256>;
var<workgroup> sh_end: array<u32, 256>;

@compute @workgroup_size(256)
fn sort_scatter(lane: Lane, group: Group) {
    let rank = lane_rank(lane, group);
    let n = item_count();
    let chunk = group.workgroup.x;
    let tiles = chunk_tiles(chunk, n, TILE);
    // Invocation d follows digit d: the place of its next key.
    var place = group_scan_one(vec2u(totals[rank], 0u), lane, group).x + counts[rank * params.chunks + chunk];
    for (var tile = tiles.x; tile < tiles.y; tile += 1u) {
        let first = tile * TILE;
        let valid = min(TILE, n - first);
        // A whole tile is loaded without a condition, so that all its loads are under way at once.
        var digits: array<u32, SORT_ITEMS>;
        if valid == TILE {
            for (var k = 0u; k < SORT_ITEMS; k += 1u) {
                digits[k] = key_digit(first + k * 256u + rank);
            }
        } else {
            for (var k = 0u; k < SORT_ITEMS; k += 1u) {
                let slot = k * 256u + rank;
                // Slots without a key have the last digit and stay behind the keys that have it too.
                digits[k] = 255u;
                if slot < valid {
                    digits[k] = key_digit(first + slot);
                }
            }
        }
        for (var k = 0u; k < SORT_ITEMS; k += 1u) {
            let slot = k * 256u + rank;
            sh_slot[slot] = (digits[k] << 16u) | slot;
        }
        sh_begin[rank] = 0u;
        sh_end[rank] = 0u;
        local_sort(params.extra, lane, group);
        for (var k = 0u; k < SORT_ITEMS; k += 1u) {
            let slot = k * 256u + rank;
            if slot < valid {
                let digit = sh_slot[slot] >> 16u;
                if slot == 0u || sh_slot[max(slot, 1u) - 1u] >> 16u != digit {
                    sh_begin[digit] = slot;
                }
                if slot == valid - 1u || sh_slot[min(slot + 1u, TILE - 1u)] >> 16u != digit {
                    sh_end[digit] = slot + 1u;
                }
            }
        }
        workgroupBarrier();
        let begin = sh_begin[rank];
        let end = sh_end[rank];
        // Only invocation `rank` reads and writes this entry before the next barrier.
        sh_begin[rank] = place - begin;
        place += end - begin;
        workgroupBarrier();
        for (var k = 0u; k < SORT_ITEMS; k += 1u) {
            let slot = k * 256u + rank;
            if slot < valid {
                let from_slot = sh_slot[slot];
                let source = first + (from_slot & 0xffffu);
                let target_place = sh_begin[from_slot >> 16u] + slot;
                keys_out[params.output_first + target_place] = keys_in[params.input_first + source];
                move_payload(source, target_place);
            }
        }
        workgroupBarrier();
    }
}
