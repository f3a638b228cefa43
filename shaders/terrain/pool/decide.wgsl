//!import cbt/tree
//!import kernels/group
//!import terrain/pool/buffers
//!import terrain/pool/histogram
//!import terrain/pool/arguments
//!import terrain/pool/key_words
//!variant portable cbt/layout=cbt/compact/layout cbt/storage=cbt/compact/read_write kernels/group=kernels/group/portable kernels/element=kernels/examples/element kernels/operator=kernels/examples/sum
//!variant subgroup cbt/layout=cbt/compact/layout cbt/storage=cbt/compact/read_write kernels/group=kernels/group/subgroup kernels/element=kernels/examples/element kernels/element_shuffle=kernels/examples/element_shuffle kernels/operator=kernels/examples/sum
// Pass 3, one workgroup: which cuts fit the free slots, and which diamonds make room for those that do not? Twin of
// terrain/src/pool/decide.rs, whose loops over bins become prefix sums: what a loop had added up when it came to a bin is
// the sum of the bins before it, and where it stopped is the first bin that fails its test. Says which passes follow: none after an
// update with nothing to do, plan alone (it clears marks and histograms) where nothing that was wanted can be had.

// Bins a thread looks at.
const SPAN: u32 = BINS / BLOCK;
const NO_KEY: u32 = 0xffffffffu;

// First refused place from the top, one more than the last admitted place, first bin that is not evicted, last evicted bin.
var<workgroup> sh_refused: atomic<u32>;
var<workgroup> sh_admitted_end: atomic<u32>;
var<workgroup> sh_stop: atomic<u32>;
var<workgroup> sh_last_evicted: atomic<u32>;
var<workgroup> sh_admitted: u32;
// Slots that refused cuts of a bucket want, then of that bucket or above.
var<workgroup> sh_starved: array<atomic<u32>, BLOCK>;

// What there is to do.
var<workgroup> sh_work: u32;
const DECIDE: u32 = 0u;
// Nothing, after an update that decided, or after one that had nothing to do either.
const IDLE_FIRST: u32 = 1u;
const IDLE_AGAIN: u32 = 2u;

// What the pool says of itself before it is decided.
struct PoolStatus {
    capacity: u32,
    blocks: u32,
    live: u32,
    eviction_band: u32,
    need_focus: u32,
    freed_focus: u32,
    // Of the dispatches that reduce the tree, when they run.
    reduce_workgroups: vec2u,
}

@compute @workgroup_size(BLOCK)
fn decide(lane: Lane, group: Group) {
    let local = lane_rank(lane, group);
    if local == 0u {
        // Both at once, so that an update with nothing to do waits for memory once.
        let counted = atomicLoad(&arguments[COUNT_ARGUMENTS]);
        let planned = atomicLoad(&arguments[PLAN_ARGUMENTS]);
        control.update += 1u;
        sh_work = DECIDE;
        if counted == 0u {
            sh_work = select(IDLE_AGAIN, IDLE_FIRST, planned != 0u);
        } else {
            // For the next update.
            atomicStore(&arguments[COUNT_ARGUMENTS], 0u);
        }
        atomicStore(&sh_refused, BINS);
        atomicStore(&sh_admitted_end, 0u);
        atomicStore(&sh_stop, BINS);
        atomicStore(&sh_last_evicted, 0u);
    }
    atomicStore(&sh_starved[local], 0u);
    let work = workgroupUniformLoad(&sh_work);
    if work == IDLE_AGAIN {
        return;
    }
    // All else that is read is asked for before anything is waited for: one workgroup has no other to hide how far memory is.
    let before = PoolStatus(
        control.capacity,
        block_count(),
        cbt_leaf_count(),
        clamp(control.eviction_band, 1u, BLOCK),
        control.need_focus,
        control.freed_focus,
        vec2u(atomicLoad(&arguments[REDUCE_WORKGROUPS]), atomicLoad(&arguments[REDUCE_WORKGROUPS + 1u])),
    );
    if work == IDLE_FIRST {
        if local == 0u {
            control.live = before.live;
            settle(before);
        }
        return;
    }
    // Place p of the needed slots is bin BINS - 1 - p; each thread takes SPAN places and SPAN bins.
    var need: array<u32, SPAN>;
    var gain: array<u32, SPAN>;
    //!unroll
    for (var i = 0u; i < SPAN; i += 1u) {
        need[i] = histogram[BINS - 1u - (local * SPAN + i)];
        gain[i] = histogram[BINS + local * SPAN + i];
    }
    let free = before.capacity - before.live;
    admit(&need, before.need_focus, free, lane, group);
    let wanted = atomicLoad(&sh_starved[0]);
    evict(&gain, before, free - sh_admitted, lane, group);
    if local == 0u {
        let end = atomicLoad(&sh_admitted_end);
        let refused = atomicLoad(&sh_refused);
        let last_evicted = atomicLoad(&sh_last_evicted);
        var split_from = NO_KEY;
        if end > 0u {
            split_from = low_key(BINS - end, before.need_focus);
        }
        var merge_to = 0u;
        if last_evicted > 0u {
            merge_to = high_key(last_evicted, before.freed_focus);
        }
        control.split_from = split_from;
        control.merge_to = min(merge_to, split_from - 1u);
        control.need_focus = select(0u, bucket_of_bin(BINS - 1u - refused, before.need_focus), refused < BINS);
        control.freed_focus = select(0u, bucket_of_bin(last_evicted, before.freed_focus), last_evicted > 0u);
        control.admitted = sh_admitted;
        control.starved = wanted;
        control.live = before.live;
        // Bin 0 merges for nothing.
        let changes = gain[0] + sh_admitted + last_evicted;
        control.changes = changes;
        atomicStore(&arguments[PLAN_ARGUMENTS], before.blocks);
        run_commit(changes != 0u, before);
    }
}

// What decisions on empty histograms come to.
fn settle(before: PoolStatus) {
    control.split_from = NO_KEY;
    control.merge_to = 0u;
    control.need_focus = 0u;
    control.freed_focus = 0u;
    control.admitted = 0u;
    control.starved = 0u;
    control.changes = 0u;
    atomicStore(&arguments[PLAN_ARGUMENTS], 0u);
    run_commit(false, before);
}

// Whether slots change, and the tree is reduced afterwards.
fn run_commit(runs: bool, before: PoolStatus) {
    atomicStore(&arguments[COMMIT_ARGUMENTS], select(0u, before.blocks, runs));
    atomicStore(&arguments[REDUCE_ARGUMENTS], select(0u, before.reduce_workgroups.x, runs));
    atomicStore(&arguments[REDUCE_ARGUMENTS + 3u], select(0u, before.reduce_workgroups.y, runs));
}

// Admits cuts from the top bin down while they fit, and counts what the rest would need by bucket.
fn admit(need: ptr<function, array<u32, SPAN>>, focus: u32, free: u32, lane: Lane, group: Group) {
    let local = lane_rank(lane, group);
    var sum = 0u;
    //!unroll
    for (var i = 0u; i < SPAN; i += 1u) {
        sum += (*need)[i];
    }
    let before_mine = group_scan_one(sum, lane, group);
    let total = sh_total;
    var before = before_mine;
    var first_refused = BINS;
    //!unroll
    for (var i = 0u; i < SPAN; i += 1u) {
        if (*need)[i] > 0u && before + (*need)[i] > free {
            first_refused = min(first_refused, local * SPAN + i);
        }
        before += (*need)[i];
    }
    if first_refused < BINS {
        atomicMin(&sh_refused, first_refused);
    }
    workgroupBarrier();
    let refused = atomicLoad(&sh_refused);
    if local == 0u && refused == BINS {
        sh_admitted = total;
    }
    before = before_mine;
    var end = 0u;
    //!unroll
    for (var i = 0u; i < SPAN; i += 1u) {
        let place = local * SPAN + i;
        if place == refused {
            sh_admitted = before;
        }
        if (*need)[i] > 0u {
            if place < refused {
                end = place + 1u;
            } else {
                atomicAdd(&sh_starved[bucket_of_bin(BINS - 1u - place, focus)], (*need)[i]);
            }
        }
        before += (*need)[i];
    }
    if end > 0u {
        atomicMax(&sh_admitted_end, end);
    }
    workgroupBarrier();
    // From "of a bucket" to "of a bucket or above".
    let mirrored = BLOCK - 1u - local;
    let own = atomicLoad(&sh_starved[mirrored]);
    let above = group_scan_one(own, lane, group);
    atomicStore(&sh_starved[mirrored], above + own);
    workgroupBarrier();
}

// Evicts diamonds from the bottom bin up while starved cuts outbid them; bin 0 merges for nothing.
fn evict(gain: ptr<function, array<u32, SPAN>>, pool: PoolStatus, slack: u32, lane: Lane, group: Group) {
    let local = lane_rank(lane, group);
    var sum = 0u;
    //!unroll
    for (var i = 0u; i < SPAN; i += 1u) {
        sum += (*gain)[i];
    }
    var freed = group_scan_one(sum, lane, group);
    var first_kept = BINS;
    //!unroll
    for (var i = 0u; i < SPAN; i += 1u) {
        let bin = local * SPAN + i;
        let bidder = bucket_of_bin(bin, pool.freed_focus) + pool.eviction_band;
        var wanted = 0u;
        if bidder < BLOCK {
            wanted = atomicLoad(&sh_starved[bidder]);
        }
        if bin > 0u && freed + slack >= wanted {
            first_kept = min(first_kept, bin);
        }
        freed += (*gain)[i];
    }
    if first_kept < BINS {
        atomicMin(&sh_stop, first_kept);
    }
    workgroupBarrier();
    let stop = atomicLoad(&sh_stop);
    var last = 0u;
    //!unroll
    for (var i = 0u; i < SPAN; i += 1u) {
        let bin = local * SPAN + i;
        if bin < stop && (*gain)[i] > 0u {
            last = bin;
        }
    }
    if last > 0u {
        atomicMax(&sh_last_evicted, last);
    }
    workgroupBarrier();
}
