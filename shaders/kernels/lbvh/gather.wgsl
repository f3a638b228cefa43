// What are the boxes of the leaves, in their order, and of all aligned blocks of up to 1024 of them? Level 0 and the ten
// above it, laid out as kernels/lbvh/levels says.
//
// A tile of 256 leaves and its eight levels lie together, so they are made in workgroup memory and written word after word:
// neighbouring invocations write neighbouring words. The boxes are those that
// kernels/src/lbvh/topology.rs joins from the leaves up.

//!import kernels/params
//!import kernels/lbvh/aabb
//!import kernels/lbvh/passes

@group(0) @binding(2) var<storage, read> boxes: array<Aabb>;
@group(0) @binding(5) var<storage, read_write> primitives: array<u32>;
// Six words a box, as `Aabb` has them.
@group(0) @binding(6) var<storage, read_write> levels: array<f32>;

const TILE: u32 = 256u;
const TILE_LEVELS: u32 = 8u;
// Of the 512 places of a tile the last belongs to a level above it.
const TILE_WORDS: u32 = 6u * 511u;
const TILES: u32 = LBVH_BLOCK / TILE;
const_assert TILES == 4u;
var<workgroup> sh_levels: array<f32, TILE_WORDS>;

fn tile_get(place: u32) -> Aabb {
    let word = 6u * place;
    return Aabb(
        sh_levels[word],
        sh_levels[word + 1u],
        sh_levels[word + 2u],
        sh_levels[word + 3u],
        sh_levels[word + 4u],
        sh_levels[word + 5u],
    );
}

fn tile_put(place: u32, box: Aabb) {
    let word = 6u * place;
    sh_levels[word] = box.low_x;
    sh_levels[word + 1u] = box.low_y;
    sh_levels[word + 2u] = box.low_z;
    sh_levels[word + 3u] = box.high_x;
    sh_levels[word + 4u] = box.high_y;
    sh_levels[word + 5u] = box.high_z;
}

// Writes the box of a block of several tiles, which is kept only where it has all its leaves.
fn keep(level: u32, block: u32, box: Aabb, n: u32) {
    if block >= (n >> level) {
        return;
    }
    let word = 6u * (((2u * block + 1u) << level) - 1u);
    levels[word] = box.low_x;
    levels[word + 1u] = box.low_y;
    levels[word + 2u] = box.low_z;
    levels[word + 3u] = box.high_x;
    levels[word + 4u] = box.high_y;
    levels[word + 5u] = box.high_z;
}

// The levels of a tile; the box of all its leaves comes back to the first invocation. Blocks that lack leaves are made too:
// nothing reads them.
fn gather_tile(tile: u32, n: u32, rank: u32) -> Aabb {
    let leaf = tile * TILE + rank;
    var box = aabb_empty();
    if leaf < n {
        box = aabb_usable(boxes[params.input_first + primitives[params.aux_first + leaf]]);
    }
    tile_put(2u * rank, box);
    for (var level = 1u; level <= TILE_LEVELS; level += 1u) {
        workgroupBarrier();
        if rank < (TILE >> level) {
            let place = ((2u * rank + 1u) << level) - 1u;
            let half = 1u << (level - 1u);
            box = aabb_union(tile_get(place - half), tile_get(place + half));
            tile_put(place, box);
        }
    }
    workgroupBarrier();
    let first = tile * 6u * 2u * TILE;
    let end = 6u * 2u * n;
    for (var word = rank; word < TILE_WORDS; word += WORKGROUP) {
        if first + word < end {
            levels[first + word] = sh_levels[word];
        }
    }
    workgroupBarrier();
    return box;
}

@compute @workgroup_size(256)
fn lbvh_gather(@builtin(local_invocation_index) rank: u32, @builtin(workgroup_id) workgroup: vec3u) {
    let n = item_count();
    let blocks = (n + LBVH_BLOCK - 1u) / LBVH_BLOCK;
    for (var block = workgroup.x; block < blocks; block += params.chunks) {
        var pairs: array<Aabb, 2>;
        for (var pair = 0u; pair < 2u; pair += 1u) {
            let number = 2u * block + pair;
            let left = gather_tile(2u * number, n, rank);
            pairs[pair] = aabb_union(left, gather_tile(2u * number + 1u, n, rank));
            if rank == 0u {
                keep(TILE_LEVELS + 1u, number, pairs[pair], n);
            }
        }
        if rank == 0u {
            keep(TILE_LEVELS + 2u, block, aabb_union(pairs[0], pairs[1]), n);
        }
    }
}
