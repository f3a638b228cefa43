// How high is ground beside a place in a shading tile, in this tile or another one?
//!import viewer/shadow_rays
//!import terrain/pixel_tile

@group(0) @binding(1) var relief: texture_cube<f32>;
@group(0) @binding(2) var smooth_sampler: sampler;
@group(0) @binding(3) var shading_pages: texture_2d<u32>;
@group(0) @binding(4) var shading_tiles: texture_2d_array<f32>;
// Those to make now, of one level.
@group(0) @binding(5) var<storage, read> made: array<ShadowTile>;

const NO_FACE: u32 = 6u;

// Unit normal of a place on a face, in its sides.
fn face_normal(face: u32, place: vec2f) -> vec3f {
    let tangents = tan((place - 0.5) / TWO_OVER_PI);
    let turned = select(vec3f(1.0, tangents), vec3f(-1.0, tangents.yx), (face & 1u) == 1u);
    if (face >> 1u) == 0u {
        return normalize(turned);
    }
    return normalize(select(turned.yzx, turned.zxy, (face >> 1u) == 1u));
}

// The place of a unit normal on the face that it leans to, in its sides.
fn place_on_face(n: vec3f, face: u32) -> vec2f {
    let turned = turned_to(n, face);
    let tangents = turned.yz / turned.x;
    return 0.5 + TWO_OVER_PI * vec2f(arc_tangent(tangents.x), arc_tangent(tangents.y));
}

// As high as it is drawn.
fn height_of(texel: vec4f) -> f32 {
    return shadow_sun.exaggeration * (texel.z + texel.w);
}

// Unit normal of a place in a tile, in quads from its corner.
fn tile_normal(tile: ShadowTile, quads: vec2f) -> vec3f {
    let side_quads = SQUARE_TEXELS * f32(1u << tile.level);
    return face_normal(tile.face, (vec2f(f32(tile.i), f32(tile.j)) * SQUARE_TEXELS + quads) / side_quads);
}

// How fast a place moves along a unit tangent.
fn quads_per_radian(tile: ShadowTile, n: vec3f, towards: vec3f) -> vec2f {
    return face_change_on(tile.face, n, towards) * SQUARE_TEXELS * f32(1u << tile.level);
}

// Half of how that changes a radian, up to an angle.
fn quads_bend(tile: ShadowTile, n: vec3f, towards: vec3f, speed: vec2f, reach_rad: f32) -> vec2f {
    let end = n * cos(reach_rad) + towards * sin(reach_rad);
    let end_speed = quads_per_radian(tile, end, towards * cos(reach_rad) - n * sin(reach_rad));
    return 0.5 * (end_speed - speed) / reach_rad;
}

// The page of the last lookup: places along a line share it.
struct LastPage {
    // Of the tile that was looked for: face, column, row, level.
    wanted: vec4i,
    page: vec4u,
    level: u32,
}

fn no_page() -> LastPage {
    return LastPage(vec4i(i32(NO_FACE), 0, 0, 0), vec4u(EMPTY), 0u);
}

// The height as it is drawn at a place, given in quads from the corner of a tile and by its unit normal; by the finest tile up to a level,
// and a level of the texture.
fn height_beside(
    tile: ShadowTile, quads: vec2f, there: vec3f, finest: u32, texture_level: f32, last: ptr<function, LastPage>,
) -> f32 {
    let side_tiles = 1i << tile.level;
    let squares = quads / SQUARE_TEXELS;
    let whole = floor(squares);
    var face = tile.face;
    var square = vec2i(i32(tile.i), i32(tile.j)) + vec2i(whole);
    var part = squares - whole;
    if any(square < vec2i(0)) || any(square >= vec2i(side_tiles)) {
        face = face_at(there);
        let place = place_on_face(there, face) * f32(side_tiles);
        square = clamp(vec2i(floor(place)), vec2i(0), vec2i(side_tiles - 1));
        part = place - vec2f(square);
    }
    let wanted = vec4i(i32(face), square >> vec2u(tile.level - finest), i32(finest));
    if any(wanted != (*last).wanted) {
        var level = finest + 1u;
        var page = vec4u(EMPTY);
        loop {
            level -= 1u;
            page = find_page(shading_pages, face, level, vec2u(square) >> vec2u(tile.level - level));
            continuing {
                break if page.x != EMPTY || level <= FIRST_SHADING_LEVEL;
            }
        }
        *last = LastPage(wanted, page, level);
    }
    if (*last).page.x == EMPTY {
        return shadow_sun.exaggeration * textureSampleLevel(relief, smooth_sampler, there, 0.0).r;
    }
    let finer = tile.level - (*last).level;
    let inside = vec2f(vec2u(square) & vec2u((1u << finer) - 1u)) + part;
    let uv = tile_uv(inside / f32(1u << finer));
    return height_of(textureSampleLevel(shading_tiles, smooth_sampler, uv, (*last).page.z, texture_level));
}
