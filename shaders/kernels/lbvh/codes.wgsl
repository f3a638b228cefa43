// Where does each box lie along a space-filling curve? Morton codes of 32 bits, shared out by extent.
//
// The scene is cut into cubes of a side 2^k: each further bit halves the cells along the axis in which they are longest,
// so flat terrain gives its height few bits ("extended Morton codes", Vinkler, Bittner & Havran 2017). Sides that are powers
// of two need no division, so every device finds the same codes. Twin: kernels/src/lbvh/codes.rs.

//!import kernels/params
//!import kernels/lbvh/aabb

@group(0) @binding(2) var<storage, read> boxes: array<Aabb>;
// The box around twice the centres.
@group(0) @binding(3) var<storage, read_write> bounds: array<Aabb>;
@group(0) @binding(4) var<storage, read_write> codes: array<u32>;
@group(0) @binding(5) var<storage, read_write> primitives: array<u32>;

// For each axis: where its bits go in the code, and the power of two from coordinates to cells.
var<workgroup> sh_mask: vec3u;
var<workgroup> sh_scale: vec3f;
const MOVES: u32 = 5u;
var<workgroup> sh_moves: array<vec3u, MOVES>;

// Extents below 2^-90 get no bits, so that no subnormal number is ever scaled.
const SMALLEST_EXTENT: f32 = 0x1p-90f;
const CODE_BITS: u32 = 32u;

fn share_bits(extent: vec3f) {
    // extent < 2^exponent
    var exponent = vec3i((bitcast<vec3u>(extent) >> vec3u(23u)) & vec3u(255u)) - vec3i(126);
    let used = extent >= vec3f(SMALLEST_EXTENT);
    let first = exponent;
    exponent = select(vec3i(-1000), exponent, used);
    var mask = vec3u(0u);
    for (var bit = 0u; bit < CODE_BITS; bit += 1u) {
        let here = 0x80000000u >> bit;
        if exponent.x >= exponent.y && exponent.x >= exponent.z {
            mask.x |= here;
            exponent.x -= 1;
        } else if exponent.y >= exponent.z {
            mask.y |= here;
            exponent.y -= 1;
        } else {
            mask.z |= here;
            exponent.z -= 1;
        }
    }
    let power = vec3i(countOneBits(mask)) - first;
    sh_mask = select(vec3u(0u), mask, used);
    sh_scale = select(vec3f(0.0), bitcast<vec3f>(vec3u(select(vec3i(0), power, used) + vec3i(127)) << vec3u(23u)), used);
}

// Which bits of a cell move left by 1, 2, 4, 8 and 16 places on their way to the ones of `mask`: the moves of
// Warren 2013, "Hacker's Delight", section 7-5, found once for all cells.
fn find_moves(axis: u32) {
    var mask = sh_mask[axis];
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
        sh_moves[step][axis] = moving;
        mask = (mask ^ moving) | (moving >> (1u << step));
        zeros &= ~odd;
    }
}

// Puts the low bits of each cell where its mask has ones.
fn deposit(cells: vec3u) -> u32 {
    var bits = cells;
    for (var step = MOVES; step > 0u; step -= 1u) {
        let moving = sh_moves[step - 1u];
        bits = (bits & ~moving) | ((bits << vec3u(1u << (step - 1u))) & moving);
    }
    bits &= sh_mask;
    return bits.x | bits.y | bits.z;
}

@compute @workgroup_size(256)
fn lbvh_codes(@builtin(local_invocation_index) rank: u32, @builtin(workgroup_id) workgroup: vec3u) {
    let scene = bounds[0];
    if rank == 0u {
        share_bits(aabb_high(scene) - aabb_low(scene));
    }
    workgroupBarrier();
    if rank < 3u {
        find_moves(rank);
    }
    workgroupBarrier();
    let n = item_count();
    for (var item = workgroup.x * WORKGROUP + rank; item < n; item += WORKGROUP * params.chunks) {
        let centre = aabb_centre(aabb_usable(boxes[params.input_first + item]));
        // Empty boxes go to the end.
        var code = 0xffffffffu;
        if !aabb_is_empty(centre) {
            code = deposit(vec3u((aabb_low(centre) - aabb_low(scene)) * sh_scale));
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
