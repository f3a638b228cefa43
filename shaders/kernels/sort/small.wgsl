// In which order do the keys of a single tile follow each other? All digits in one workgroup, one dispatch; stable.

//!import kernels/sort/digit
//!import kernels/sort/local
//!import kernels/sort/payload
//!variant portable kernels/sort/key=kernels/examples/sort_key kernels/sort/payload=kernels/examples/sort_payload kernels/group=kernels/group/portable kernels/element=kernels/examples/sum_pair kernels/operator=kernels/examples/sum_pair
//!variant subgroup kernels/sort/key=kernels/examples/sort_key kernels/sort/payload=kernels/examples/sort_payload kernels/group=kernels/group/subgroup kernels/element=kernels/examples/sum_pair kernels/element_shuffle=kernels/examples/element_shuffle kernels/operator=kernels/examples/sum_pair

@group(0) @binding(5) var<storage, read_write> keys_out: array<Key>;

// params.extra is the number of key bits.
@compute @workgroup_size(256)
fn sort_small(lane: Lane, group: Group) {
    let rank = lane_rank(lane, group);
    let n = item_count();
    for (var k = 0u; k < SORT_ITEMS; k += 1u) {
        sh_slot[k * 256u + rank] = k * 256u + rank;
    }
    for (var shift = 0u; shift < params.extra; shift += 8u) {
        let bits = min(8u, params.extra - shift);
        workgroupBarrier();
        for (var k = 0u; k < SORT_ITEMS; k += 1u) {
            let slot = k * 256u + rank;
            let source = sh_slot[slot] & 0xffffu;
            // Slots without a key have the last digit and stay behind the keys that have it too.
            var digit = 255u;
            if source < n {
                digit = key_bits(source, shift, bits);
            }
            sh_slot[slot] = (digit << 16u) | source;
        }
        local_sort(bits, lane, group);
    }
    workgroupBarrier();
    for (var k = 0u; k < SORT_ITEMS; k += 1u) {
        let slot = k * 256u + rank;
        if slot < n {
            let source = sh_slot[slot] & 0xffffu;
            keys_out[params.output_first + slot] = keys_in[params.input_first + source];
            move_payload(source, slot);
        }
    }
}
