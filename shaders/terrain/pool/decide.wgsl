//!import terrain/pool/buffers
//!import terrain/pool/histogram
//!import terrain/pool/arguments
//!import terrain/pool/key
//!import terrain/pool/ranks
//!import terrain/pool/scan_block
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

@compute @workgroup_size(BLOCK)
fn decide(@builtin(local_invocation_index) local: u32) {
    if local == 0u {
        // All at once, so that an update with nothing to do waits for memory once.
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
    }
    let work = workgroupUniformLoad(&sh_work);
    if work == IDLE_AGAIN {
        return;
    }
    if work == IDLE_FIRST {
        let live = count_live(local);
        if local == 0u {
            control.live = live;
            settle();
        }
        return;
    }
    let free = count_free(local);
    if local == 0u {
        atomicStore(&sh_refused, BINS);
        atomicStore(&sh_admitted_end, 0u);
        atomicStore(&sh_stop, BINS);
        atomicStore(&sh_last_evicted, 0u);
    }
    atomicStore(&sh_starved[local], 0u);
    admit(local, free);
    let wanted = atomicLoad(&sh_starved[0]);
    evict(local, free - sh_admitted);
    if local == 0u {
        let end = atomicLoad(&sh_admitted_end);
        let refused = atomicLoad(&sh_refused);
        let last_evicted = atomicLoad(&sh_last_evicted);
        var split_from = NO_KEY;
        if end > 0u {
            split_from = low_key(BINS - end, control.need_focus);
        }
        var merge_to = 0u;
        if last_evicted > 0u {
            merge_to = high_key(last_evicted, control.freed_focus);
        }
        control.split_from = split_from;
        control.merge_to = min(merge_to, split_from - 1u);
        control.need_focus = select(0u, bucket_of_bin(BINS - 1u - refused, control.need_focus), refused < BINS);
        control.freed_focus = select(0u, bucket_of_bin(last_evicted, control.freed_focus), last_evicted > 0u);
        control.admitted = sh_admitted;
        control.starved = wanted;
        control.live = control.capacity - free;
        let changes = control.changes != 0u;
        atomicStore(&arguments[PLAN_ARGUMENTS], block_count());
        atomicStore(&arguments[COMMIT_ARGUMENTS], select(0u, block_count(), changes));
    }
}

// What decisions on empty histograms come to.
fn settle() {
    control.split_from = NO_KEY;
    control.merge_to = 0u;
    control.need_focus = 0u;
    control.freed_focus = 0u;
    control.admitted = 0u;
    control.starved = 0u;
    control.changes = 0u;
    atomicStore(&arguments[PLAN_ARGUMENTS], 0u);
    atomicStore(&arguments[COMMIT_ARGUMENTS], 0u);
}

fn count_live(local: u32) -> u32 {
    var live = 0u;
    for (var word = local; word < control.capacity / 32u; word += BLOCK) {
        live += countOneBits(atomicLoad(&bits[word]));
    }
    scan_block(local, live);
    return scan_total();
}

// Free slots, in all and before each block.
fn count_free(local: u32) -> u32 {
    let mine = blocks_of(local);
    var sum = 0u;
    for (var block = mine.x; block < mine.y; block++) {
        sum += ranks[of_block(block, FREE)];
    }
    var before = scan_block(local, sum);
    for (var block = mine.x; block < mine.y; block++) {
        ranks[of_block(block, FREE_FIRST)] = before;
        before += ranks[of_block(block, FREE)];
    }
    return scan_total();
}

// Admits cuts from the top bin down while they fit, and counts what the rest would need by bucket. Place p is bin
// BINS - 1 - p; each thread takes SPAN places.
fn admit(local: u32, free: u32) {
    var need: array<u32, SPAN>;
    var sum = 0u;
    for (var i = 0u; i < SPAN; i++) {
        need[i] = histogram[BINS - 1u - (local * SPAN + i)];
        sum += need[i];
    }
    let before_mine = scan_block(local, sum);
    let total = scan_total();
    var before = before_mine;
    for (var i = 0u; i < SPAN; i++) {
        if need[i] > 0u && before + need[i] > free {
            atomicMin(&sh_refused, local * SPAN + i);
            break;
        }
        before += need[i];
    }
    workgroupBarrier();
    let refused = atomicLoad(&sh_refused);
    if local == 0u && refused == BINS {
        sh_admitted = total;
    }
    before = before_mine;
    for (var i = 0u; i < SPAN; i++) {
        let place = local * SPAN + i;
        if place == refused {
            sh_admitted = before;
        }
        if need[i] > 0u {
            if place < refused {
                atomicMax(&sh_admitted_end, place + 1u);
            } else {
                atomicAdd(&sh_starved[bucket_of_bin(BINS - 1u - place, control.need_focus)], need[i]);
            }
        }
        before += need[i];
    }
    workgroupBarrier();
    // From "of a bucket" to "of a bucket or above".
    let mirrored = BLOCK - 1u - local;
    let own = atomicLoad(&sh_starved[mirrored]);
    let above = scan_block(local, own);
    atomicStore(&sh_starved[mirrored], above + own);
    workgroupBarrier();
}

// Evicts diamonds from the bottom bin up while starved cuts outbid them; bin 0 merges for nothing.
fn evict(local: u32, slack: u32) {
    var gain: array<u32, SPAN>;
    var sum = 0u;
    for (var i = 0u; i < SPAN; i++) {
        gain[i] = histogram[BINS + local * SPAN + i];
        sum += gain[i];
    }
    if local == 0u {
        control.changes = gain[0];
    }
    var freed = scan_block(local, sum);
    for (var i = 0u; i < SPAN; i++) {
        let bin = local * SPAN + i;
        let bidder = bucket_of_bin(bin, control.freed_focus) + clamp(control.eviction_band, 1u, BLOCK);
        var wanted = 0u;
        if bidder < BLOCK {
            wanted = atomicLoad(&sh_starved[bidder]);
        }
        if bin > 0u && freed + slack >= wanted {
            atomicMin(&sh_stop, bin);
            break;
        }
        freed += gain[i];
    }
    workgroupBarrier();
    let stop = atomicLoad(&sh_stop);
    for (var i = 0u; i < SPAN; i++) {
        let bin = local * SPAN + i;
        if bin > 0u && bin < stop && gain[i] > 0u {
            atomicMax(&sh_last_evicted, bin);
        }
    }
    workgroupBarrier();
    if local == 0u {
        control.changes += sh_admitted + atomicLoad(&sh_last_evicted);
    }
}
