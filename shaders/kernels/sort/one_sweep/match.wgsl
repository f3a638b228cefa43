// Which invocations of the subgroup hold the same digit? A vote on each of its bits.

//!requires subgroups
//!import kernels/sort/one_sweep/config

struct Peers {
    // Whether it is the last of them, which has all others before it.
    is_last: bool,
    // How many come before this invocation.
    before: u32,
}

// Invocations of the first 32 that agree on a bit.
fn agree(digit: u32, bit: u32) -> u32 {
    let is_set = (digit & bit) != 0u;
    return subgroupBallot(is_set).x ^ select(0xffffffffu, 0u, is_set);
}

fn match_digit(digit: u32, lane: u32) -> Peers {
    if BALLOT_WORDS == 1u {
        // Written out: compilers do not unroll the loops around an inner loop, and keep arrays in memory then.
        var same = 0xffffffffu;
        if SUBGROUP_SIZE != 32u {
            same = subgroupBallot(true).x;
        }
        same &= agree(digit, 1u) & agree(digit, 2u) & agree(digit, 4u) & agree(digit, 8u);
        same &= agree(digit, 16u) & agree(digit, 32u) & agree(digit, 64u) & agree(digit, 128u);
        let upto = 0xffffffffu >> (31u - lane);
        return Peers(same <= upto, countOneBits(same & upto) - 1u);
    }
    var same = subgroupBallot(true);
    for (var bit = 1u; bit < 256u; bit *= 2u) {
        let is_set = (digit & bit) != 0u;
        let vote = subgroupBallot(is_set);
        same &= select(~vote, vote, is_set);
    }
    var leader = 0u;
    var peers = Peers(false, 0u);
    for (var word = 0u; word < BALLOT_WORDS; word += 1u) {
        let bits = same[word];
        let first = 32u * word;
        if bits != 0u {
            leader = first + firstLeadingBit(bits);
        }
        if lane >= first + 32u {
            peers.before += countOneBits(bits);
        } else if lane >= first {
            peers.before += countOneBits(bits & ((1u << (lane - first)) - 1u));
        }
    }
    peers.is_last = leader == lane;
    return peers;
}
