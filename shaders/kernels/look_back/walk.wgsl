// What is the combination of all tiles before a tile, in one pass over the items? Decoupled look-back with fallback.
//
// Merrill & Garland 2016: each workgroup posts the combination of its tile, then walks back over the states of the
// tiles before until one of them holds the combination of everything. No workgroup may wait for another, because WGSL
// does not promise that the other is ever scheduled: after a few polls the workgroup computes the missing value from
// the input, as in Smith, Levien & Owens, "Decoupled Fallback", SPAA 2025. Every loop ends whatever other workgroups
// do.
//
// The brackets round a combination depend on who was late, so this is for operators that associate exactly: integers.

//!requires subgroups
//!import kernels/params
//!import kernels/group
//!import kernels/source
//!import kernels/look_back/options
//!import kernels/look_back/tile_states

const NONE: u32 = 0xffffffffu;

var<workgroup> sh_missing: u32;
var<workgroup> sh_prefix: Elem;

// Workgroups are folded into rows of params.chunks; hardware starts them about in this order.
fn tile_of(workgroup: vec3u) -> u32 {
    return workgroup.y * params.chunks + workgroup.x;
}

// The combination of a whole tile's items; every invocation gets it.
fn tile_total(tile: u32, lane: Lane, group: Group) -> Elem {
    let first = tile * WORKGROUP * ITEMS;
    let rank = lane_rank(lane, group);
    var sums: array<Elem, ROWS>;
    for (var row = 0u; row < ROWS; row += 1u) {
        var sum = source_load(first + item_offset(rank, row, 0u));
        for (var k = 1u; k < RUN; k += 1u) {
            sum = op_combine(sum, source_load(first + item_offset(rank, row, k)));
        }
        sums[row] = sum;
    }
    return group_scan(&sums, lane, group);
}

// A tile tells its own value. Tests silence some tiles, as if their workgroups were never scheduled.
fn tell_post(tile: u32, state: u32, value: Elem) {
    if !is_silent(tile) {
        write_tile_state(tile, state, value);
    }
}

// What a walk knows: the combination of the tiles from `end` up to the walker's own.
struct Walk {
    end: u32,
    sum: Elem,
}

// Walks back until everything before is known, or a state is missing for too long: returns that tile, or NONE. One
// subgroup looks at as many states at once as it has lanes.
// The walk is the same in all lanes: it moves by what they vote.
//!standard @diagnostic(off, subgroup_uniformity)
fn walk_back(walk: ptr<function, Walk>, lane: Lane, group: Group) -> u32 {
    var polls = 0u;
    // Every turn moves the end or adds a poll: at most POLLS turns for each tile before.
    while (*walk).end > 0u {
        // The last lane looks at the nearest tile.
        let distance = group.size - 1u - lane.lane;
        var state = READY;
        var value = op_identity();
        if distance < (*walk).end {
            let tile = (*walk).end - 1u - distance;
            let tile_state = read_tile_state(tile);
            // Up to the first tile is everything.
            state = select(tile_state.state, INCLUSIVE, tile == 0u && tile_state.state != 0u);
            value = tile_state.value;
        }
        let inclusive = subgroupMin(select(NONE, distance, state == INCLUSIVE));
        let missing = subgroupMin(select(NONE, distance, state == 0u));
        if distance > inclusive || distance >= missing {
            value = op_identity();
        }
        let seen = elem_shuffle(subgroup_inclusive(value, lane, group), group.size - 1u);
        (*walk).sum = op_combine(seen, (*walk).sum);
        if inclusive < missing {
            (*walk).end = 0u;
        } else if missing == NONE {
            (*walk).end -= group.size;
            polls = 0u;
        } else {
            (*walk).end -= missing;
            polls = select(polls + 1u, 0u, missing > 0u);
            if polls > POLLS {
                return (*walk).end - 1u;
            }
        }
    }
    return NONE;
}

// Posts `total`, the combination of `tile`, as soon as it is known.
fn announce(tile: u32, total: Elem, lane: Lane, group: Group) {
    if lane_rank(lane, group) == 0u {
        tell_post(tile, select(READY, INCLUSIVE, tile == 0u), total);
    }
}

// Returns the combination of everything before `tile`, and posts it with that of the tile, `total`, which has been announced.
// All invocations of the workgroup call this, and all get it.
fn look_back(tile: u32, total: Elem, lane: Lane, group: Group) -> Elem {
    let rank = lane_rank(lane, group);
    if tile == 0u {
        return op_identity();
    }
    var walk = Walk(tile, op_identity());
    // Each turn but the last accounts for a missing tile.
    for (var turn = 0u; turn <= tile; turn += 1u) {
        if lane.subgroup == 0u {
            let missing = walk_back(&walk, lane, group);
            if lane.lane == 0u {
                sh_missing = missing;
                sh_prefix = walk.sum;
            }
        }
        let missing = workgroupUniformLoad(&sh_missing);
        if missing == NONE {
            break;
        }
        let value = tile_total(missing, lane, group);
        if rank == 0u {
            write_tile_state(missing, READY, value);
        }
        walk.sum = op_combine(value, walk.sum);
        walk.end = missing;
    }
    let prefix = sh_prefix;
    if rank == 0u {
        tell_post(tile, INCLUSIVE, op_combine(prefix, total));
    }
    return prefix;
}
