//!import terrain/pool/buffers
//!import terrain/pool/scan_block
//!import terrain/mesh/buffers
// Which triangle is drawn at which place? One workgroup counts live slots by block, and says how many vertices there are.

const WORDS_PER_BLOCK: u32 = BLOCK / 32u;

@compute @workgroup_size(BLOCK)
fn survey(@builtin(local_invocation_index) local: u32) {
    let mine = blocks_of(local);
    var sum = 0u;
    for (var block = mine.x; block < mine.y; block++) {
        let live = live_in(block);
        // Its own number until the blocks before it are known.
        live_before[block] = live;
        sum += live;
    }
    var before = scan_block(local, sum);
    for (var block = mine.x; block < mine.y; block++) {
        let live = live_before[block];
        live_before[block] = before;
        before += live;
    }
    if local == 0u {
        draw = array<u32, 4>(3u * scan_total(), 1u, 0u, 0u);
    }
}

fn live_in(block: u32) -> u32 {
    let words = (control.capacity + 31u) / 32u;
    let end = min((block + 1u) * WORDS_PER_BLOCK, words);
    var count = 0u;
    for (var word = block * WORDS_PER_BLOCK; word < end; word++) {
        count += countOneBits(atomicLoad(&bits[word]));
    }
    return count;
}
