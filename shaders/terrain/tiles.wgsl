//!import terrain/bisection
//!import terrain/texel
//!import terrain/find_page
//!import terrain/planet
// What is the height of a vertex? Texels of the tiles on the device, found by a hash table of pages.

// The mark of a page tells whether vertices there have normals of their own.
@group(1) @binding(0) var pages: texture_2d<u32>;
@group(1) @binding(1) var tiles: texture_2d_array<u32>;

// Height and error of a vertex. Where the tile it is born in is not on the device, the height is interpolated in the nearest ancestor.
struct Ground {
    height_m: f32,
    error_m: f32,
    resident: bool,
    // Of the tile it is born in.
    layer: u32,
}

fn ground_at(p: FacePoint) -> Ground {
    let birth = birth_level(p);
    for (var up = 0u; up <= birth; up++) {
        let level = birth - up;
        let tile = tile_over(p, level);
        let page = find_page(pages, p.face, level, tile);
        if page.x == EMPTY {
            continue;
        }
        let layer = page.z;
        if up == 0u {
            let texel = load(p, level, tile, layer);
            return Ground(planet.height_scale * height_of(texel), error_of(texel), true, layer);
        }
        return Ground(interpolated(p, level, tile, layer), 0.0, false, 0u);
    }
    return Ground(0.0, 0.0, false, 0u);
}

// The texel at or below a point.
fn load(p: FacePoint, level: u32, tile: vec2u, layer: u32) -> u32 {
    return textureLoad(tiles, texel_over(p, level, tile), layer, 0).x;
}

fn interpolated(p: FacePoint, level: u32, tile: vec2u, layer: u32) -> f32 {
    let shift = MAX_TILE_LEVEL - level;
    let in_tile = vec2u(p.u, p.v) - (tile << vec2u(30u - level));
    let low = min(in_tile >> vec2u(shift), vec2u((1u << TILE_QUADS_LOG2) - 1u));
    let part = vec2f(in_tile - (low << vec2u(shift))) / f32(1u << shift);
    let near = mix(texel_height(low, layer), texel_height(low + vec2u(1u, 0u), layer), part.x);
    let far = mix(texel_height(low + vec2u(0u, 1u), layer), texel_height(low + vec2u(1u, 1u), layer), part.x);
    return mix(near, far, part.y);
}

// Heights of the corners of the two triangles at the edge that a vertex cuts.
struct HeightsAround {
    // False if some are outside the tile that the vertex is born in.
    known: bool,
    lowest_m: f32,
    highest_m: f32,
}

// All four are as far from the vertex, in four directions at right angles.
fn heights_around(p: FacePoint, edge: BisectedEdge, layer: u32) -> HeightsAround {
    let level = birth_level(p);
    let texel = vec2i(texel_over(p, level, tile_over(p, level)));
    let along = (vec2i(vec2u(edge.end.u, edge.end.v)) - vec2i(vec2u(p.u, p.v))) >> vec2u(MAX_TILE_LEVEL - level);
    let across = vec2i(-along.y, along.x);
    let reach = vec2i(max(abs(along.x), abs(along.y)));
    if any(texel < reach) || any(texel + reach > vec2i(1i << TILE_QUADS_LOG2)) {
        return HeightsAround(false, 0.0, 0.0);
    }
    let heights_m = vec4f(
        texel_height(vec2u(texel + along), layer),
        texel_height(vec2u(texel - along), layer),
        texel_height(vec2u(texel + across), layer),
        texel_height(vec2u(texel - across), layer),
    );
    let lowest_m = min(min(heights_m.x, heights_m.y), min(heights_m.z, heights_m.w));
    let highest_m = max(max(heights_m.x, heights_m.y), max(heights_m.z, heights_m.w));
    return HeightsAround(true, lowest_m, highest_m);
}

fn texel_height(texel: vec2u, layer: u32) -> f32 {
    return planet.height_scale * height_of(textureLoad(tiles, texel, layer, 0).x);
}
