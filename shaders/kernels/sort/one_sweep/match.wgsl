// Which invocations of the subgroup hold the same digit? A vote on each of its bits.

//!requires subgroups
//!import kernels/sort/one_sweep/shape

struct Peers {
    // The first of them.
    leader: u32,
    // How many there are.
    count: u32,
    // How many of them come before this invocation.
    before: u32,
}

fn match_digit(digit: u32, lane: u32) -> Peers {
    if BALLOT_WORDS == 1u {
        var same = subgroupBallot(true).x;
        for (var bit = 0u; bit < 8u; bit += 1u) {
            let is_set = ((digit >> bit) & 1u) != 0u;
            let vote = subgroupBallot(is_set).x;
            same &= select(~vote, vote, is_set);
        }
        return Peers(countTrailingZeros(same), countOneBits(same), countOneBits(same & ((1u << lane) - 1u)));
    }
    var same = subgroupBallot(true);
    for (var bit = 0u; bit < 8u; bit += 1u) {
        let is_set = ((digit >> bit) & 1u) != 0u;
        let vote = subgroupBallot(is_set);
        same &= select(~vote, vote, is_set);
    }
    var peers = Peers(0u, 0u, 0u);
    for (var word = BALLOT_WORDS; word > 0u; word -= 1u) {
        let bits = same[word - 1u];
        let first = 32u * (word - 1u);
        if bits != 0u {
            peers.leader = first + countTrailingZeros(bits);
        }
        peers.count += countOneBits(bits);
        let below = select((1u << ((lane - first) & 31u)) - 1u, 0xffffffffu, lane >= first + 32u);
        if lane >= first {
            peers.before += countOneBits(bits & below);
        }
    }
    return peers;
}
