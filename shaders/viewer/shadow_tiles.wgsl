// Where does the ground of a shading tile lie in the shadow of other ground? Its texels look so many texels towards the sun, and beyond by
// what the coarser tile has found there: the farther the ground, the coarser it may be. Texels are those of the coarser level of a tile.
//!import viewer/ground_beside_tile

// Of each layer: heights here from which the limbs are seen over ground that is twice `SHADOW_STEPS` texels away or more, over the ground.
@group(0) @binding(6) var<storage, read_write> far: array<u32>;
@group(0) @binding(7) var shadow_tiles: texture_storage_2d_array<rgba16float, write>;
// Of each layer: see viewer/sky_tiles.
@group(0) @binding(8) var<storage, read> sky: array<f32>;

// Quads of a tile a texel.
const TEXEL_QUADS: f32 = 2.0;
// The tangent of the sun's height above which all of it is seen, but from the foot of a wall.
const HIGHEST_WALL: f32 = 3.0;

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
    // From the corner of the tile.
    let quads = TEXEL_QUADS * (vec2f(id.xy) + 0.5) - RIM_TEXELS;
    let n = tile_normal(tile, quads);
    let ray = sun_ray(n);
    let ground_m = height_of(textureLoad(shading_tiles, id.xy, tile.layer, 1));

    // At the end of the way, too: between both it bends evenly.
    let speed = quads_per_radian(tile, n, ray.towards);
    let step_rad = TEXEL_QUADS / length(speed);
    let reach_rad = f32(2u * SHADOW_STEPS) * step_rad;
    let bend = quads_bend(tile, n, ray.towards, speed, reach_rad);

    var near_m = vec2f(-NOWHERE_M);
    var far_m = vec2f(-NOWHERE_M);
    // Beyond what the coarsest look at, over 300 km, the Earth hides all ground.
    if tile.parent != EMPTY {
        far_m = parent_far_m(tile, quads / SQUARE_TEXELS);
    }
    var last = no_page();
    let steps = select(2u * SHADOW_STEPS, 0u, ray.tangents.y > HIGHEST_WALL * shadow_sun.exaggeration);
    for (var i = 1u; i <= steps; i++) {
        let angle = f32(i) * step_rad;
        let there = n * cos(angle) + ray.towards * sin(angle);
        let height_m = height_beside(tile, quads + angle * (speed + angle * bend), there, tile.level, 0.0, &last);
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
    let below_m = in_16_bits(max(near_m, far_m) - lit_m, vec2f(0.0)).xy;
    textureStore(shadow_tiles, id.xy, tile.layer, vec4f(below_m, sky_at(tile.layer, id.xy), 0.0));
}

// Between texels of the sky's, which are twice as large.
fn sky_at(layer: u32, texel: vec2u) -> f32 {
    let at = clamp(0.5 * vec2f(texel) - 0.25, vec2f(0.0), vec2f(f32(SKY_TILE_TEXELS - 1u)));
    let low = min(vec2u(at), vec2u(SKY_TILE_TEXELS - 2u));
    let part = at - vec2f(low);
    let first = (layer * SKY_TILE_TEXELS + low.y) * SKY_TILE_TEXELS + low.x;
    let near = mix(sky[first], sky[first + 1u], part.x);
    let far = mix(sky[first + SKY_TILE_TEXELS], sky[first + SKY_TILE_TEXELS + 1u], part.x);
    return mix(near, far, part.y);
}
