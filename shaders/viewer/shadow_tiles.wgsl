// Where does the ground of a shading tile lie in the shadow of other ground? Its texels look so many texels towards the sun, and beyond by
// what the coarser tile has found there: the farther the ground, the coarser it may be. Texels are those of the coarser level of a tile.
//!import viewer/shadow_rays
//!import terrain/pixel_tile

@group(0) @binding(1) var relief: texture_cube<f32>;
@group(0) @binding(2) var smooth_sampler: sampler;
@group(0) @binding(3) var shading_pages: texture_2d<u32>;
@group(0) @binding(4) var shading_tiles: texture_2d_array<f32>;
// Those of one level; their parents are done.
@group(0) @binding(5) var<storage, read> made: array<ShadowTile>;
// Of each layer: heights here from which the limbs are seen over ground that is twice `SHADOW_STEPS` texels away or more, over the ground.
@group(0) @binding(6) var<storage, read_write> far: array<u32>;
@group(0) @binding(7) var shadow_tiles: texture_storage_2d_array<rgba16float, write>;

// Quads of a tile a texel.
const TEXEL_QUADS: f32 = 2.0;
const NO_FACE: u32 = 6u;
// The tangent of the sun's height above which all of it is seen, but from the foot of a wall.
const HIGHEST_WALL: f32 = 3.0;

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

// Metres that the far heights of a level are stored up to.
fn far_range_m(level: u32) -> f32 {
    return shadow_sun.exaggeration * 512.0 * TEXEL_QUADS * LEVEL_0_TEXEL_M / f32(1u << level);
}

fn far_at(layer: u32, texel: vec2u) -> vec2f {
    return unpack2x16snorm(far[(layer * SHADOW_TILE_TEXELS + texel.y) * SHADOW_TILE_TEXELS + texel.x]);
}

// What the parent has found far away, as heights over the datum.
fn parent_far_m(tile: ShadowTile, in_tile: vec2f) -> vec2f {
    let in_parent = 0.5 * (vec2f(f32(tile.i & 1u), f32(tile.j & 1u)) + in_tile);
    let at = tile_uv(in_parent) * f32(SHADOW_TILE_TEXELS) - 0.5;
    let low = vec2u(at);
    let part = at - vec2f(low);
    let above = mix(far_at(tile.parent, low), far_at(tile.parent, low + vec2u(1u, 0u)), part.x);
    let below = mix(far_at(tile.parent, low + vec2u(0u, 1u)), far_at(tile.parent, low + 1u), part.x);
    let ground_m = height_of(textureSampleLevel(shading_tiles, smooth_sampler, tile_uv(in_parent), tile.parent, 1.0));
    return far_range_m(tile.level - 1u) * mix(above, below, part.y) + ground_m;
}

@compute @workgroup_size(8, 8)
fn shadow_tiles_of_level(@builtin(global_invocation_id) id: vec3u) {
    if any(id.xy >= vec2u(SHADOW_TILE_TEXELS)) {
        return;
    }
    let tile = made[id.z];
    let corner = vec2i(i32(tile.i), i32(tile.j));
    let side_tiles = 1i << tile.level;
    let side_quads = SQUARE_TEXELS * f32(side_tiles);
    // Quads from the corner of the tile.
    let quads = TEXEL_QUADS * (vec2f(id.xy) + 0.5) - RIM_TEXELS;
    let n = face_normal(tile.face, (vec2f(corner) * SQUARE_TEXELS + quads) / side_quads);
    let ray = sun_ray(n);
    let ground_m = height_of(textureLoad(shading_tiles, id.xy, tile.layer, 1));

    // Quads a radian, here and at the end of the way: between both it bends evenly.
    let speed = face_change_on(tile.face, n, ray.towards) * side_quads;
    let step_rad = TEXEL_QUADS / length(speed);
    let reach_rad = f32(2u * SHADOW_STEPS) * step_rad;
    let end = n * cos(reach_rad) + ray.towards * sin(reach_rad);
    let end_speed = face_change_on(tile.face, end, ray.towards * cos(reach_rad) - n * sin(reach_rad)) * side_quads;
    let bend = 0.5 * (end_speed - speed) / reach_rad;

    var near_m = vec2f(-NOWHERE_M);
    var far_m = vec2f(-NOWHERE_M);
    // Beyond what the coarsest look at, over 300 km, the Earth hides all ground.
    if tile.parent != EMPTY {
        far_m = parent_far_m(tile, quads / SQUARE_TEXELS);
    }
    // The page of the last tile that was looked for.
    var last = vec3i(i32(NO_FACE), 0, 0);
    var page = vec4u(EMPTY);
    var page_level = tile.level;
    let steps = select(2u * SHADOW_STEPS, 0u, ray.tangents.y > HIGHEST_WALL * shadow_sun.exaggeration);
    for (var i = 1u; i <= steps; i++) {
        let angle = f32(i) * step_rad;
        let there = n * cos(angle) + ray.towards * sin(angle);
        let at = corner_and_part(quads + angle * (speed + angle * bend), corner);
        var face = tile.face;
        var square = at.square;
        var part = at.part;
        if any(square < vec2i(0)) || any(square >= vec2i(side_tiles)) {
            face = face_at(there);
            let place = place_on_face(there, face) * f32(side_tiles);
            square = clamp(vec2i(floor(place)), vec2i(0), vec2i(side_tiles - 1));
            part = place - vec2f(square);
        }
        let wanted = vec3i(i32(face), square);
        if any(wanted != last) {
            last = wanted;
            page_level = tile.level + 1u;
            loop {
                page_level -= 1u;
                page = find_page(shading_pages, face, page_level, vec2u(square) >> vec2u(tile.level - page_level));
                continuing {
                    break if page.x != EMPTY || page_level <= FIRST_SHADING_LEVEL;
                }
            }
        }
        var height_m = 0.0;
        if page.x != EMPTY {
            let finer = tile.level - page_level;
            let inside = vec2f(vec2u(square) & vec2u((1u << finer) - 1u)) + part;
            let uv = tile_uv(inside / f32(1u << finer));
            height_m = height_of(textureSampleLevel(shading_tiles, smooth_sampler, uv, page.z, 0.0));
        } else {
            height_m = shadow_sun.exaggeration * textureSampleLevel(relief, smooth_sampler, there, 0.0).r;
        }
        let seen_m = seen_over(height_m, angle, ray);
        if i > SHADOW_STEPS {
            far_m = max(far_m, seen_m);
        } else {
            near_m = max(near_m, seen_m);
        }
    }
    let at = (tile.layer * SHADOW_TILE_TEXELS + id.y) * SHADOW_TILE_TEXELS + id.x;
    far[at] = pack2x16snorm(clamp((far_m - ground_m) / far_range_m(tile.level), vec2f(-1.0), vec2f(1.0)));
    let lit_m = lit_height_m(ground_m, textureSampleLevel(relief, smooth_sampler, n, 0.0).a);
    textureStore(shadow_tiles, id.xy, tile.layer, in_16_bits(max(near_m, far_m) - lit_m, vec2f(0.0)));
}

// A square of the size of a tile, and a place in it.
struct InSquare {
    square: vec2i,
    part: vec2f,
}

fn corner_and_part(quads: vec2f, corner: vec2i) -> InSquare {
    let squares = quads / SQUARE_TEXELS;
    let whole = floor(squares);
    return InSquare(corner + vec2i(whole), squares - whole);
}
