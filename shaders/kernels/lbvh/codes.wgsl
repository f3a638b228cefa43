// Where does each box lie along a space-filling curve? Morton codes of 32 or 63 bits, shared out by extent.
//
// The scene is cut into cubes of a side 2^k: each further bit halves the cells along the axis in which they are longest,
// so flat terrain gives its height few bits ("extended Morton codes", Vinkler, Bittner & Havran 2017). Sides that are powers
// of two need no division, so every device finds the same codes. The CPU's: kernels/src/lbvh/codes.rs, with tables in place of moves.

//!import kernels/params
//!import kernels/lbvh/aabb
//!import kernels/lbvh/cells
//!import kernels/lbvh/code
//!variant u32 kernels/lbvh/code=kernels/lbvh/code32
//!variant u64 kernels/lbvh/code=kernels/lbvh/code64

@group(0) @binding(2) var<storage, read> boxes: array<Aabb>;
// The box around twice the centres.
@group(0) @binding(3) var<storage, read_write> bounds: array<Aabb>;
@group(0) @binding(4) var<storage, read_write> codes: array<LbvhCode>;
@group(0) @binding(5) var<storage, read_write> primitives: array<u32>;

// For each word of the code and each axis: where the axis' bits go. For each axis: the power of two from coordinates to cells.
var<workgroup> sh_mask: array<vec3u, LBVH_CODE_WORDS>;
var<workgroup> sh_scale: vec3f;
const MOVES: u32 = 5u;
var<workgroup> sh_moves: array<array<vec3u, MOVES>, LBVH_CODE_WORDS>;

// Which bits of a cell move left by 1, 2, 4, 8 and 16 places on their way to the ones of `mask`: the moves of
// Warren 2013, "Hacker's Delight", section 7-5, found once for all cells.
fn find_moves(word: u32, axis: u32) {
    var mask = sh_mask[word][axis];
    // Each zero of the mask moves all that is above it.
    var zeros = ~mask << 1u;
    for (var step = 0u; step < MOVES; step += 1u) {
        // Ones where an odd number of zeros lies below.
        var odd = zeros ^ (zeros << 1u);
        odd ^= odd << 2u;
        odd ^= odd << 4u;
        odd ^= odd << 8u;
        odd ^= odd << 16u;
        let moving = odd & mask;
        sh_moves[word][step][axis] = moving;
        mask = (mask ^ moving) | (moving >> (1u << step));
        zeros &= ~odd;
    }
}

// Puts the low bits of each cell where its mask of a word has ones.
fn deposit(cells: vec3u, word: u32) -> u32 {
    var bits = cells;
    for (var step = MOVES; step > 0u; step -= 1u) {
        let moving = sh_moves[word][step - 1u];
        bits = (bits & ~moving) | ((bits << vec3u(1u << (step - 1u))) & moving);
    }
    bits &= sh_mask[word];
    return bits.x | bits.y | bits.z;
}

// The code of the box with these cells: low bits in the first word, what is left in the next.
fn code_of(cells: vec3u) -> LbvhCode {
    let low = deposit(cells, 0u);
    if LBVH_CODE_WORDS == 1u {
        return lbvh_code(low, 0u);
    }
    let taken = countOneBits(sh_mask[0]);
    // In two steps: a shift by all 32 bits is none in WGSL.
    let rest = (cells >> (taken / 2u)) >> (taken - taken / 2u);
    return lbvh_code(low, deposit(rest, LBVH_CODE_WORDS - 1u));
}

@compute @workgroup_size(256)
fn lbvh_codes(@builtin(local_invocation_index) rank: u32, @builtin(workgroup_id) workgroup: vec3u) {
    let scene = bounds[0];
    if rank == 0u {
        let shares = share_bits(aabb_high(scene) - aabb_low(scene), LBVH_CODE_BITS);
        sh_mask[0] = shares.low;
        if LBVH_CODE_WORDS == 2u {
            sh_mask[LBVH_CODE_WORDS - 1u] = shares.high;
        }
        sh_scale = shares.scale;
    }
    workgroupBarrier();
    if rank < 3u * LBVH_CODE_WORDS {
        find_moves(rank / 3u, rank % 3u);
    }
    workgroupBarrier();
    let n = item_count();
    for (var item = workgroup.x * WORKGROUP + rank; item < n; item += WORKGROUP * params.chunks) {
        let centre = aabb_centre(aabb_usable(boxes[params.input_first + item]));
        // Empty boxes go to the end.
        var code = lbvh_code(0xffffffffu, 0xffffffffu);
        if !aabb_is_empty(centre) {
            code = code_of(vec3u((aabb_low(centre) - aabb_low(scene)) * sh_scale));
        }
        codes[item] = code;
        primitives[item] = item;
    }
}

// Numbers the primitives where the codes are the caller's.
@compute @workgroup_size(256)
fn lbvh_number(@builtin(global_invocation_id) id: vec3u) {
    let n = item_count();
    for (var item = id.x; item < n; item += WORKGROUP * params.chunks) {
        primitives[item] = item;
    }
}
