// Which keys has an invocation? A tile of them for each workgroup, rows of the tile for each subgroup, a key of a row for each lane.

//!requires subgroups
//!import kernels/sort/digit
//!import kernels/sort/one_sweep/config

const SWEEP_TILE: u32 = THREADS * SWEEP_ITEMS;
// Digits that an invocation has for its own.
const OWN: u32 = (255u + THREADS) / THREADS;

struct SweepLane {
    @builtin(subgroup_invocation_id) lane: u32,
    @builtin(subgroup_id) subgroup: u32,
}

// What all of them have in common, apart: WGSL takes a parameter for uniform as a whole or not at all.
struct SweepGroup {
    @builtin(workgroup_id) workgroup: vec3u,
    @builtin(subgroup_size) size: u32,
}

struct Share {
    tile: u32,
    // Lanes of the subgroup.
    size: u32,
    // Of the invocation in the workgroup.
    rank: u32,
    // Its first key in the tile, and every `size`th from there. A subgroup's keys are neighbours in memory, row by row: the order of
    // slots is that of items.
    own_slot: u32,
}

fn tile_of(group: SweepGroup) -> u32 {
    return group.workgroup.y * params.chunks + group.workgroup.x;
}

fn share_of(lane: SweepLane, group: SweepGroup) -> Share {
    let size = select(group.size, SUBGROUP_SIZE, SUBGROUP_SIZE != 0u);
    return Share(tile_of(group), size, lane.subgroup * size + lane.lane, lane.subgroup * size * SWEEP_ITEMS + lane.lane);
}

// Arrays stay in registers when loops over them are written out. Loads have no condition, so that all are under way at once, and with
// the one of the count: slots without a key hold some other one.
fn load_keys(share: Share, keys: ptr<function, array<Key, SWEEP_ITEMS>>) {
    let first = share.tile * SWEEP_TILE;
    if params.capacity - min(first, params.capacity) >= SWEEP_TILE {
        //!unroll
        for (var k = 0u; k < SWEEP_ITEMS; k += 1u) {
            (*keys)[k] = keys_in[params.input_first + first + share.own_slot + k * share.size];
        }
    } else {
        //!unroll
        for (var k = 0u; k < SWEEP_ITEMS; k += 1u) {
            (*keys)[k] = keys_in[params.input_first + min(first + share.own_slot + k * share.size, params.capacity - 1u)];
        }
    }
}

// Of `valid` keys of the tile: keys k of the invocation with k * size below this are there.
fn own_keys(share: Share, valid: u32) -> u32 {
    return valid - min(share.own_slot, valid);
}

// Keys of a tile that has some; 0 where there is no such tile.
fn keys_of_tile(tile: u32) -> u32 {
    let n = item_count();
    let tiles = n / SWEEP_TILE + select(0u, 1u, n % SWEEP_TILE != 0u);
    if tile >= tiles {
        return 0u;
    }
    return min(SWEEP_TILE, n - tile * SWEEP_TILE);
}
