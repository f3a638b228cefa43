// How many keys of each digit are there, for all places of a key at once? The first pass of a one-sweep sort.

//!import kernels/sort/digit
//!import kernels/sort/one_sweep/config
//!import kernels/sort/one_sweep/load4
//!variant example kernels/sort/key=kernels/examples/sort_key
//!variant words kernels/sort/key=kernels/examples/sort_key kernels/sort/one_sweep/load4=kernels/sort/one_sweep/load4_words

// All zero at first: see tile_states.wgsl.
@group(0) @binding(3) var<storage, read_write> tile_states: array<atomic<u32>>;

// By digit, place and copy. Neighbours count at the same time in different copies of a place, or at different places, so that they
// neither queue for equal digits nor for a bank of workgroup memory.
const ROW: u32 = PLACES * COPIES;
const COUNTERS: u32 = 256u * ROW;
var<workgroup> sh_count: array<atomic<u32>, COUNTERS>;

// Bits of a place: the last one of a key may have fewer, and those after it none.
fn place_bits(place: u32) -> u32 {
    return min(8u, params.extra - min(8u * place, params.extra));
}

fn count_key(key: Key, place: u32, bits: u32, rank: u32) {
    let digit = bits_of_key(key, 8u * place, bits);
    atomicAdd(&sh_count[digit * ROW + place * COPIES + rank % COPIES], 1u);
}

// params.extra is the number of key bits.
@compute @workgroup_size(HISTOGRAM_THREADS)
fn sort_global_histogram(@builtin(local_invocation_index) rank: u32, @builtin(workgroup_id) workgroup: vec3u) {
    for (var i = rank; i < COUNTERS; i += HISTOGRAM_THREADS) {
        atomicStore(&sh_count[i], 0u);
    }
    workgroupBarrier();
    let n = item_count();
    let tile_items = HISTOGRAM_ITEMS * HISTOGRAM_THREADS;
    let tiles = n / tile_items + select(0u, 1u, n % tile_items != 0u);
    // Tiles in turn, so that all workgroups read from a few pages of memory at a time.
    for (var tile = workgroup.x; tile < tiles; tile += params.chunks) {
        let first = tile * tile_items;
        if first + tile_items <= n {
            // A whole tile is loaded without a condition, so that all its loads are under way at once.
            var keys: array<Key, HISTOGRAM_ITEMS>;
            if load4_is_aligned() {
                for (var k = 0u; k < HISTOGRAM_ITEMS; k += 4u) {
                    let four = load4(first + k * HISTOGRAM_THREADS + 4u * rank);
                    keys[k] = four[0];
                    keys[k + 1u] = four[1];
                    keys[k + 2u] = four[2];
                    keys[k + 3u] = four[3];
                }
            } else {
                for (var k = 0u; k < HISTOGRAM_ITEMS; k += 1u) {
                    keys[k] = keys_in[params.input_first + first + k * HISTOGRAM_THREADS + rank];
                }
            }
            // Place by place: what is the same for all keys of a place is worked out once. Neighbours begin at different ones.
            for (var turn = 0u; turn < PLACES; turn += 1u) {
                let place = (rank / COPIES + turn) % PLACES;
                let bits = place_bits(place);
                if bits > 0u {
                    for (var k = 0u; k < HISTOGRAM_ITEMS; k += 1u) {
                        count_key(keys[k], place, bits, rank);
                    }
                }
            }
        } else {
            for (var item = first + rank; item < n; item += HISTOGRAM_THREADS) {
                for (var place = 0u; place < PLACES; place += 1u) {
                    let bits = place_bits(place);
                    if bits > 0u {
                        count_key(keys_in[params.input_first + item], place, bits, rank);
                    }
                }
            }
        }
    }
    workgroupBarrier();
    for (var entry = rank; entry < 256u * PLACES; entry += HISTOGRAM_THREADS) {
        var sum = 0u;
        for (var copy = 0u; copy < COPIES; copy += 1u) {
            // Neighbours begin at different copies, and so in different banks.
            sum += atomicLoad(&sh_count[(entry % 256u) * ROW + (entry / 256u) * COPIES + (copy + entry) % COPIES]);
        }
        if sum != 0u {
            atomicAdd(&tile_states[entry], sum);
        }
    }
}
