// How are the bits of a Morton code shared out among the axes?
// Generated from kernels/src/lbvh/cells.rs: ./x generate

//!once kernels::lbvh::cells::SharedBits
// Where the bits of each axis go, in the words of a code, and the power of two from coordinates to cells.
struct SharedBits {
    // Bits 0 to 31.
    low: vec3u,
    // Fills 16 bytes.
    spare: u32,
    // Bits 32 to 63.
    high: vec3u,
    // As above.
    spare_2: u32,
    // 0 for an axis without bits.
    scale: vec3f,
    // As above.
    spare_3: u32,
}
//!end

//!once kernels::lbvh::cells::SMALLEST_EXTENT
// 2^-90: extents below get no bits, so that no subnormal number is ever scaled.
const SMALLEST_EXTENT: f32 = 8.077936e-28f;
//!end

//!once kernels::lbvh::cells::NO_BITS
// Smaller than any exponent: of an axis that gets no bits, or no more.
const NO_BITS: i32 = -1000i;
//!end

//!once kernels::lbvh::cells::extent_exponent
// extent < 2^exponent
fn extent_exponent(extent: f32) -> i32 {
    if extent >= SMALLEST_EXTENT {
        return i32((bitcast<u32>(extent) >> 23u) & 255u) - 126i;
    }
    return NO_BITS;
}
//!end

//!once kernels::lbvh::cells::CELL_BITS
// Bits of a cell's number, the most that an axis gets; coordinates have 24 that count.
const CELL_BITS: u32 = 32u;
//!end

//!once kernels::lbvh::cells::cell_scale
// The power of two from coordinates to cells, where an axis of this extent has so many bits.
fn cell_scale(extent: f32, bits: u32) -> f32 {
    if extent >= SMALLEST_EXTENT {
        let power = i32(bits) - extent_exponent(extent);
        return bitcast<f32>(u32(power + 127i) << 23u);
    }
    return 0.0f;
}
//!end

//!once kernels::lbvh::cells::share_bits
// Shares out the highest `bits` bits of a code: each further one halves the cells along the axis in which they are longest.
fn share_bits(extent: vec3f, bits: u32) -> SharedBits {
    var exponent = vec3i(extent_exponent(extent.x), extent_exponent(extent.y), extent_exponent(extent.z));
    var low = vec3u(0u);
    var high = vec3u(0u);
    var count = vec3u(0u);
    for (var bit = bits; bit > 0u;) {
        bit--;
        let longest = max(max(exponent.x, exponent.y), exponent.z);
        if longest == NO_BITS {
            break;
        }
        let x = u32(exponent.x == longest);
        let y = u32(exponent.y == longest) & (1u - x);
        let axis = vec3u(x, y, 1u - x - y);
        if bit < 32u {
            low |= axis * (1u << bit);
        } else {
            high |= axis * (1u << (bit - 32u));
        }
        count += axis;
        exponent -= vec3i(axis);
        if count.x == CELL_BITS {
            exponent.x = NO_BITS;
        }
        if count.y == CELL_BITS {
            exponent.y = NO_BITS;
        }
        if count.z == CELL_BITS {
            exponent.z = NO_BITS;
        }
    }
    let scale = vec3f(cell_scale(extent.x, count.x), cell_scale(extent.y, count.y), cell_scale(extent.z, count.z));
    return SharedBits(low, 0, high, 0, scale, 0);
}
//!end
