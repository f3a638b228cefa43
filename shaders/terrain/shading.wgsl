//!import terrain/pixel_tile
//!import terrain/shading_point
// What do the data say at a pixel? Gradient and height from the tile whose texels are as large as it, or from the finest that is there: see
// `ShadingTile` of elevation/src/shading_tile.rs.

const HAS_SHADING_TILES: bool = true;

@group(2) @binding(0) var<uniform> shading_view: PixelView;
@group(2) @binding(1) var shading_pages: texture_2d<u32>;
@group(2) @binding(2) var shading_tiles: texture_2d_array<f32>;
@group(2) @binding(3) var shading_sampler: sampler;

// At a pixel with its unit geodetic normal; nothing where nothing is asked.
fn shading_at(place: PixelPlace, n: vec3f, asked: bool) -> ShadingPoint {
    let tile = pixel_tile(
        shading_pages, shading_tiles, shading_sampler, place, FIRST_SHADING_LEVEL, shading_view.deepest, asked);
    let gradient = tangent(tile.texel.xy, n, place.face >> 1u);
    let marks = min(tile.level, MARKED_LEVEL);
    let fine = select(0.0, marked(tile.mark, place_in(tile_of(place, marks), marks, place)), tile.is_there);
    let is_data = select(1.0, f32((tile.mark >> 25u) & 1u), tile.is_there);
    return ShadingPoint(
        gradient, tile.texel.z + tile.texel.w, fine, is_data, tile.enlarged, tile.is_there, tile.layer, tile_uv(tile.in_tile));
}

// Between the corners of a tile's 4 x 4 cells, of which a bit each tells.
fn marked(bits: u32, in_tile: vec2f) -> f32 {
    let cell = min(vec2u(in_tile * 4.0), vec2u(3u));
    let part = in_tile * 4.0 - vec2f(cell);
    let row = bits >> (5u * cell.y + cell.x);
    let near = mix(f32(row & 1u), f32((row >> 1u) & 1u), part.x);
    let far = mix(f32((row >> 5u) & 1u), f32((row >> 6u) & 1u), part.x);
    return mix(near, far, part.y);
}

// A vector across a unit normal by its components along the two axes after another one, in cyclic order.
fn tangent(two: vec2f, n: vec3f, axis: u32) -> vec3f {
    if axis == 0u {
        return vec3f(-dot(two, n.yz) / n.x, two);
    }
    if axis == 1u {
        return vec3f(two.y, -dot(two, n.zx) / n.y, two.x);
    }
    return vec3f(two, -dot(two, n.xy) / n.z);
}
