// The picture, by what the rasteriser left: each pixel is shaded once, at silhouettes once for each surface that it sees.
//!variant one viewer/samples=viewer/samples/one
//!variant four viewer/samples=viewer/samples/four
//!import viewer/seen
//!import viewer/sky_colour

@group(1) @binding(2) var picture: texture_storage_2d<rgba8unorm, write>;

const SIDE: u32 = 8u;
const ALL_SAMPLES: u32 = (1u << SAMPLES) - 1u;

// What the pixels of a tile see: place from the eye and height of the data in metres; depth.
var<workgroup> sh_place: array<vec4f, SIDE * SIDE>;
var<workgroup> sh_depth: array<f32, SIDE * SIDE>;

// Pixels whose depths differ by less than this part are told apart by the slope of one surface.
const ONE_SLOPE: f32 = 0.1;

// Change to a neighbour along an axis (`step` pixels apart in the tile, `at` of `SIDE` from its start) that sees the same
// surface: the other one of the pair that the rasteriser would compare, or the one on the other side. Without such a neighbour,
// that of ground which faces the eye.
fn change_along(index: u32, step: u32, at: u32, facing_m: vec3f) -> vec4f {
    let is_second = (at & 1u) == 1u;
    let partner = select(index + step, index - step, is_second);
    if is_near(sh_depth[partner], sh_depth[index], ONE_SLOPE) {
        return sh_place[partner] - sh_place[index];
    }
    let has_other = select(at > 0u, at + 1u < SIDE, is_second);
    let other = select(index, select(index - step, index + step, is_second), has_other);
    if has_other && is_near(sh_depth[other], sh_depth[index], ONE_SLOPE) {
        return sh_place[other] - sh_place[index];
    }
    return vec4f(facing_m, 0.0);
}

// Change to the next pixels of ground that faces the eye, at a depth.
fn facing(depth: f32, size_px: vec2f) -> Change {
    let across_m = 2.0 * frame.near_m / max(depth, 1e-12);
    return Change(frame.ray_right * (across_m / size_px.x), frame.ray_up * (across_m / size_px.y), 0.0);
}

@compute @workgroup_size(SIDE, SIDE)
fn shade(
    @builtin(global_invocation_id) id: vec3u,
    @builtin(local_invocation_id) local: vec3u,
    @builtin(local_invocation_index) index: u32,
) {
    let size = textureDimensions(picture);
    let size_px = vec2f(size);
    // A tile that reaches beyond the picture has its last pixels more than once.
    let pixel = min(id.xy, size - 1u);
    let is_inside = all(id.xy < size);
    var surface = next_surface(pixel, ALL_SAMPLES, size_px);
    var seen: SeenGround;
    var point: GroundPoint;
    if surface.depth > 0.0 {
        seen = seen_ground(surface);
        point = ground_point(seen);
    }
    sh_place[index] = vec4f(seen.position_m, point.height_m);
    sh_depth[index] = select(0.0, surface.depth, is_inside);
    workgroupBarrier();
    var change = facing(surface.depth, size_px);
    let right = change_along(index, 1u, local.x, change.right_m);
    let down = change_along(index, SIDE, local.y, change.down_m);
    change = Change(right.xyz, down.xyz, abs(right.w) + abs(down.w));

    var colour = vec3f(0.0);
    var left = select(0u, ALL_SAMPLES, is_inside);
    while left != 0u {
        if surface.depth > 0.0 {
            colour += surface.part * ground_colour(seen, point, change);
        } else {
            colour += surface.part * sky_colour(normalize(surface.ray), vec2f(pixel) + 0.5);
        }
        left &= ~surface.samples;
        if left != 0u {
            // Of several surfaces it is that of the first: the others are narrower than a line.
            let was_sky = surface.depth == 0.0;
            surface = next_surface(pixel, left, size_px);
            if surface.depth > 0.0 {
                if was_sky {
                    change = facing(surface.depth, size_px);
                }
                seen = seen_ground(surface);
                point = ground_point(seen);
            }
        }
    }
    if is_inside {
        textureStore(picture, pixel, vec4f(colour, 1.0));
    }
}
