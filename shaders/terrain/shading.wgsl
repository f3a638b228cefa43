//!import terrain/find_page
//!import terrain/shading_place
//!import terrain/shading_point
// What do the data say at a pixel? Gradient and height from the tile whose texels are as large as it, or from the finest that is there: see
// `ShadingTile` of elevation/src/shading_tile.rs.

@group(2) @binding(0) var<uniform> shading_view: ShadingView;
@group(2) @binding(1) var shading_pages: texture_2d<u32>;
@group(2) @binding(2) var shading_tiles: texture_2d_array<f32>;
@group(2) @binding(3) var shading_sampler: sampler;

// At a place in metres from the eye, with its unit geodetic normal; nothing where nothing is asked.
fn shading_at(position_m: vec3f, n: vec3f, asked: bool) -> ShadingPoint {
    var found = ShadingPoint(vec3f(0.0), 0.0, 0.0, 0.0);
    let distance_m = length(position_m);
    let scale = log2(LEVEL_0_TEXEL_M / max(distance_m * shading_view.texel_rad, 1e-3));
    let wanted = min(u32(max(ceil(scale), f32(FIRST_LEVEL))), shading_view.deepest);
    var level = select(0u, wanted, asked);
    for (; level >= FIRST_LEVEL; level--) {
        let face = face_at(n);
        let at = face_place(position_m, n, face, shading_view);
        let tile = min(at >> vec2u(30u - level), vec2u((1u << level) - 1u));
        let page = find_page(shading_pages, face, level, tile);
        if page.x != EMPTY {
            let in_tile = vec2f(at - (tile << vec2u(30u - level))) / f32(1u << (30u - level));
            let uv = (in_tile * SQUARE_TEXELS + RIM_TEXELS) / (SQUARE_TEXELS + 2.0 * RIM_TEXELS);
            // Texels of the level are at most as large as the pixel, or as fine as there are.
            let lod = clamp(f32(level) - scale, 0.0, 1.0);
            let texel = textureSampleLevel(shading_tiles, shading_sampler, uv, page.z, lod);
            let gradient = tangent(texel.xy, n, face >> 1u);
            found = ShadingPoint(gradient, texel.z + texel.w, marked(page.w, in_tile), scale - f32(level));
            break;
        }
    }
    return found;
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
