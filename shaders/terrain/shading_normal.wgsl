//!import terrain/vertex_state
// Which way does the ground face, where the data are finer than the viewer's shading map? Central differences of texels,
// at the level whose texels are some pixels apart: a pure function of the vertex and the view.

// Texels this many shortest edges apart on screen.
const TEXEL_EDGES: f32 = 0.5;
// Metres between texels of a tile of level 0, at the middle of a face.
const ROOT_TEXEL_M: f32 = 39135.0;

// Four signed normalised bytes: the normal, and the depth of birth plus one, below 0 where the shading map is as fine as the data.
fn shading_normal(p: FacePoint, vertex: MorphedVertex) -> u32 {
    let birth_code = f32(birth_depth(p) + 1u) / 127.0;
    let texel_m = TEXEL_EDGES * max(length(vertex.position_m), 0.1) / metric.pixels_over_edge;
    var level = u32(clamp(ceil(log2(ROOT_TEXEL_M / texel_m)), 0.0, f32(MAX_TILE_LEVEL)));
    for (; level > 0u; level--) {
        let tile = tile_over(p, level);
        let page = find_page(pages, p.face, level, tile);
        if page.x != EMPTY {
            if page.w == 0u {
                return pack4x8snorm(vec4f(vec3f(0.0), -birth_code));
            }
            return pack4x8snorm(vec4f(normal_in(p, vertex, level, tile, page.z), birth_code));
        }
    }
    return pack4x8snorm(vec4f(vec3f(0.0), -birth_code));
}

fn normal_in(p: FacePoint, vertex: MorphedVertex, level: u32, tile: vec2u, layer: u32) -> vec3f {
    let shift = MAX_TILE_LEVEL - level;
    let corner = tile << vec2u(TILE_QUADS_LOG2);
    let last = vec2u(1u << TILE_QUADS_LOG2);
    let middle = min(((vec2u(p.u, p.v) + ((1u << shift) >> 1u)) >> vec2u(shift)) - corner, last);
    let low = max(middle, vec2u(1u)) - 1u;
    let high = min(middle + 1u, last);
    let along_u = ground_point(p.face, vec2u(high.x, middle.y), corner, shift, layer)
        - ground_point(p.face, vec2u(low.x, middle.y), corner, shift, layer);
    let along_v = ground_point(p.face, vec2u(middle.x, high.y), corner, shift, layer)
        - ground_point(p.face, vec2u(middle.x, low.y), corner, shift, layer);
    let normal = normalize(cross(along_u, along_v));
    return select(-normal, normal, dot(normal, vertex.normal) > 0.0);
}

fn ground_point(face: u32, texel: vec2u, corner: vec2u, shift: u32, layer: u32) -> vec3f {
    let at = (corner + texel) << vec2u(shift);
    let placed = place_on(FacePoint(face, at.x, at.y));
    return placed.position_m + (texel_height(texel, layer) - planet.base_m) * placed.normal;
}
