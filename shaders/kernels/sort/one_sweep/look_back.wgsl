// How many keys of each digit lie in the tiles before a tile? Decoupled look-back with fallback, one walk a digit.
//
// As in look_back/walk.wgsl, but a count of less than 2^30 fits beside its state in one word. Each invocation walks for its
// own digits; a tile that has not posted for long is counted again by all of them together.

//!import kernels/sort/one_sweep/tile_states
//!import kernels/sort/one_sweep/tile_keys
//!import kernels/look_back/options
//!import kernels/look_back/state_flags

// The tile, plus one, that is late: the last one of several; or 0.
var<workgroup> sh_late: atomic<u32>;

fn publish_count(tile: u32, digit: u32, state: u32, count: u32) {
    if !is_silent(tile) {
        atomicMax(&tile_states[tile_state_index(tile) + digit], state | count);
    }
}

// A walk of one digit: the tile, plus one, that it looks at next, or 0 at its end; the keys counted on the way; whether
// all states were there so far; and the states that it has asked for, which arrive while the invocation does other
// work.
struct Walk {
    end: u32,
    sum: u32,
    going: bool,
    asked: bool,
    states: vec4u,
}

// Some tile where there is none `back` before.
fn peek(walk: Walk, back: u32, digit: u32) -> u32 {
    return atomicLoad(&tile_states[tile_state_index(max(walk.end, back) - back) + digit]);
}

// Several states at once, because every look takes long.
fn ask(walk: Walk, digit: u32) -> vec4u {
    return vec4u(peek(walk, 1u, digit), peek(walk, 2u, digit), peek(walk, 3u, digit), peek(walk, 4u, digit));
}

fn advance(walk: ptr<function, Walk>, tile_state: u32) {
    if !(*walk).going || (*walk).end == 0u {
        return;
    }
    if (tile_state & STATES) == 0u {
        (*walk).going = false;
        return;
    }
    (*walk).end = select((*walk).end - 1u, 0u, (tile_state & INCLUSIVE) != 0u);
    (*walk).sum += tile_state & ~STATES;
}

// Past the states that there are of those that were asked for.
fn go_on(walk: ptr<function, Walk>) {
    (*walk).going = true;
    advance(walk, (*walk).states.x);
    advance(walk, (*walk).states.y);
    advance(walk, (*walk).states.z);
    advance(walk, (*walk).states.w);
    (*walk).asked = false;
}

fn begin_walks(tile: u32, rank: u32) -> array<Walk, OWN> {
    var walks: array<Walk, OWN>;
    for (var own = 0u; own < OWN; own += 1u) {
        walks[own] = Walk(select(0u, tile, own * THREADS + rank < 256u), 0u, true, false, vec4u());
    }
    return walks;
}

// One step of each walk, between other work: looks at what the step before has asked for, and asks for more. At the end of a walk
// the tile, which has `counts` keys of each own digit, tells those up to its own, so that the walks of later tiles are short.
fn step_walks(tile: u32, rank: u32, walks: ptr<function, array<Walk, OWN>>, counts: ptr<function, array<u32, OWN>>) {
    for (var own = 0u; own < OWN; own += 1u) {
        let digit = own * THREADS + rank;
        var walk = (*walks)[own];
        if walk.end > 0u {
            if walk.asked {
                go_on(&walk);
            }
            if walk.end == 0u {
                publish_count(tile, digit, INCLUSIVE, walk.sum + (*counts)[own]);
            } else {
                walk.states = ask(walk, digit);
                walk.asked = true;
            }
            (*walks)[own] = walk;
        }
    }
}

// Walks on until the end, or until a state is late.
fn walk_digit(digit: u32, walk: ptr<function, Walk>) {
    var polls = 0u;
    // Every turn moves on by a tile or adds a poll.
    while (*walk).end > 0u && polls <= POLLS {
        let before = (*walk).end;
        (*walk).states = ask(*walk, digit);
        go_on(walk);
        polls = select(0u, polls + 1u, (*walk).end == before);
    }
}

// Counts the digits of a whole tile again, into sh_digit, and clears sh_late.
fn recount(tile: u32, rank: u32) {
    for (var digit = rank; digit < 256u; digit += THREADS) {
        atomicStore(&sh_digit[digit], 0u);
    }
    if rank == 0u {
        atomicStore(&sh_late, 0u);
    }
    workgroupBarrier();
    for (var k = 0u; k < SWEEP_ITEMS; k += 1u) {
        atomicAdd(&sh_digit[key_digit(tile * SWEEP_TILE + k * THREADS + rank)], 1u);
    }
    workgroupBarrier();
}

// Ends the walks: their sums are the keys of each own digit in all tiles before `tile`, which tells those up to its own where it has not
// yet. All invocations of the workgroup call this, after sh_late was cleared.
fn end_walks(tile: u32, rank: u32, walks: ptr<function, array<Walk, OWN>>, counts: ptr<function, array<u32, OWN>>) {
    var is_published: array<bool, OWN>;
    for (var own = 0u; own < OWN; own += 1u) {
        is_published[own] = (*walks)[own].end == 0u;
    }
    // Each turn but the last accounts for a late tile.
    for (var turn = 0u; turn <= tile; turn += 1u) {
        for (var own = 0u; own < OWN; own += 1u) {
            var walk = (*walks)[own];
            walk_digit(own * THREADS + rank, &walk);
            if walk.end > 0u {
                atomicMax(&sh_late, walk.end);
            }
            (*walks)[own] = walk;
        }
        let missing = workgroupUniformLoad(&sh_late);
        if missing == 0u {
            break;
        }
        recount(missing - 1u, rank);
        for (var own = 0u; own < OWN; own += 1u) {
            let digit = own * THREADS + rank;
            if digit < 256u {
                let count = atomicLoad(&sh_digit[digit]);
                atomicMax(&tile_states[tile_state_index(missing - 1u) + digit], READY | count);
                if (*walks)[own].end == missing {
                    (*walks)[own].sum += count;
                    (*walks)[own].end = missing - 1u;
                }
            }
        }
    }
    for (var own = 0u; own < OWN; own += 1u) {
        if !is_published[own] {
            publish_count(tile, own * THREADS + rank, INCLUSIVE, (*walks)[own].sum + (*counts)[own]);
        }
    }
}
