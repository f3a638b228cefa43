// In which order do the keys of a tile follow each other by digit? A stable sort in workgroup memory, two bits at a time.
//
// A slot is a digit and the place that the key came from, digit << 16 | place. Each invocation counts its run of slots by
// two bits, the counts (four of 16 bits) are scanned over the workgroup, and every slot moves to its rank: Satish, Harris &
// Garland 2009, section 4.2. Runs have odd length, so that invocations touch different banks.

//!import kernels/sort/key
//!import kernels/group

const TILE: u32 = 256u * SORT_ITEMS;
var<workgroup> sh_slot: array<u32, TILE>;

fn local_sort(bits: u32, lane: Lane, group: Group) {
    let first = lane_rank(lane, group) * SORT_ITEMS;
    for (var bit = 0u; bit < bits; bit += 2u) {
        workgroupBarrier();
        var slots: array<u32, SORT_ITEMS>;
        var counts = vec2u(0u);
        for (var k = 0u; k < SORT_ITEMS; k += 1u) {
            let slot = sh_slot[first + k];
            slots[k] = slot;
            let pair = (slot >> (16u + bit)) & 3u;
            let one = 1u << (16u * (pair & 1u));
            counts += select(vec2u(one, 0u), vec2u(0u, one), pair >= 2u);
        }
        let before = group_scan_one(counts, lane, group);
        let all = sh_total;
        let zeros = all.x & 0xffffu;
        let ones = zeros + (all.x >> 16u);
        let twos = ones + (all.y & 0xffffu);
        var place = before + vec2u(zeros << 16u, ones | (twos << 16u));
        for (var k = 0u; k < SORT_ITEMS; k += 1u) {
            let pair = (slots[k] >> (16u + bit)) & 3u;
            let half = 16u * (pair & 1u);
            let rank = (select(place.x, place.y, pair >= 2u) >> half) & 0xffffu;
            sh_slot[rank] = slots[k];
            let one = 1u << half;
            place += select(vec2u(one, 0u), vec2u(0u, one), pair >= 2u);
        }
    }
    workgroupBarrier();
}
