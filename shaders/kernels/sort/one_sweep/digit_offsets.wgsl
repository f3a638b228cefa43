// How many keys have smaller digits, in a tile and in all?

//!requires subgroups

// By stretch of digits as long as a subgroup: keys in the tile, keys in all.
var<workgroup> sh_stretch: array<vec2u, 64>;

// Those of the stretch before the digit of a lane, whose own `keys` in the tile and in all are; all lanes of the stretch call this. The
// others are added after a barrier.
//!standard @diagnostic(off, subgroup_uniformity)
fn smaller_of_stretch(digit: u32, keys: vec2u, lane: u32, size: u32) -> vec2u {
    let smaller = vec2u(subgroupExclusiveAdd(keys.x), subgroupExclusiveAdd(keys.y));
    if lane == size - 1u {
        sh_stretch[digit / size] = smaller + keys;
    }
    return smaller;
}

fn add_stretches(digit: u32, size: u32, smaller: vec2u) -> vec2u {
    var sum = smaller;
    for (var stretch = 0u; stretch < digit / size; stretch += 1u) {
        sum += sh_stretch[stretch];
    }
    return sum;
}
