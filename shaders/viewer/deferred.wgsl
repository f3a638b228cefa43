// The picture, by what the rasteriser left: each pixel is shaded once, at silhouettes once for each surface that it sees.
//!variant one viewer/samples=viewer/samples/one
//!variant four viewer/samples=viewer/samples/four
//!import viewer/gbuffer_surfaces
//!import viewer/sky_colour

@group(1) @binding(2) var picture: texture_storage_2d<rgba8unorm, write>;

const SIDE: u32 = 8u;
const ALL_SAMPLES: u32 = (1u << SAMPLES) - 1u;

// What the pixels of a tile see: place from the eye and height of the data in metres; what tells edges of shadows; depth.
var<workgroup> sh_place: array<vec4f, SIDE * SIDE>;
var<workgroup> sh_below_sun: array<f32, SIDE * SIDE>;
var<workgroup> sh_depth: array<f32, SIDE * SIDE>;

// Pixels whose depths differ by less than this part are told apart by the slope of one surface.
const ONE_SLOPE: f32 = 0.1;

// From one pixel to the next.
struct Step {
    // Of place and height.
    place: vec4f,
    below_sun_m: f32,
}

// Change to a ray that is `aside` of a surface's, on the plane that touches the ground there; shadows have no edge on it.
fn plane_derivative(surface: Surface, seen: SeenGround, point: GroundPoint, aside: vec3f) -> Step {
    let normal = normalize(seen.n - point.gradient);
    // Seen edge-on, at the horizon, a pixel covers more than any line.
    let falls = min(dot(normal, surface.ray), -1e-4);
    let place_m = (aside - surface.ray * (dot(normal, aside) / falls)) * (frame.near_m / surface.depth);
    return Step(vec4f(place_m, dot(point.gradient, place_m) / frame.exaggeration), 0.0);
}

// Change to a neighbour along an axis (`step` pixels apart in the tile, `at` of `SIDE` from its start) that sees the same
// surface: the other one of the pair that the rasteriser would compare, or the one on the other side. Without such a neighbour,
// `plane`.
fn derivative_along(index: u32, step: u32, at: u32, plane: Step) -> Step {
    let is_second = (at & 1u) == 1u;
    let partner = select(index + step, index - step, is_second);
    if is_near(sh_depth[partner], sh_depth[index], ONE_SLOPE) {
        return step_to(partner, index);
    }
    let has_other = select(at > 0u, at + 1u < SIDE, is_second);
    let other = select(index, select(index - step, index + step, is_second), has_other);
    if has_other && is_near(sh_depth[other], sh_depth[index], ONE_SLOPE) {
        return step_to(other, index);
    }
    return plane;
}

fn step_to(other: u32, index: u32) -> Step {
    return Step(sh_place[other] - sh_place[index], sh_below_sun[other] - sh_below_sun[index]);
}

fn derivatives_of(right: Step, down: Step) -> PixelDerivatives {
    return PixelDerivatives(
        right.place.xyz,
        down.place.xyz,
        abs(right.place.w) + abs(down.place.w),
        abs(right.below_sun_m) + abs(down.below_sun_m));
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
    sh_below_sun[index] = edge_height_m(point.shadow.below_sun_m, seen.position_m, seen.n);
    sh_depth[index] = select(0.0, surface.depth, is_inside);
    workgroupBarrier();
    // Rays of the next pixels less that of this one.
    let aside = frame.ray_right * (2.0 / size_px.x);
    let below = frame.ray_up * (-2.0 / size_px.y);
    var derivatives: PixelDerivatives;
    if surface.depth > 0.0 {
        let right = derivative_along(index, 1u, local.x, plane_derivative(surface, seen, point, aside));
        let down = derivative_along(index, SIDE, local.y, plane_derivative(surface, seen, point, below));
        derivatives = derivatives_of(right, down);
    }

    var colour = vec3f(0.0);
    var left = select(0u, ALL_SAMPLES, is_inside);
    while left != 0u {
        if surface.depth > 0.0 {
            colour += surface.part * ground_colour(seen, point, derivatives);
        } else {
            colour += surface.part * sky_colour(normalize(surface.ray), vec2f(pixel) + 0.5);
        }
        left &= ~surface.samples;
        if left != 0u {
            surface = next_surface(pixel, left, size_px);
            if surface.depth > 0.0 {
                seen = seen_ground(surface);
                point = ground_point(seen);
                derivatives = derivatives_of(
                    plane_derivative(surface, seen, point, aside), plane_derivative(surface, seen, point, below));
            }
        }
    }
    if is_inside {
        textureStore(picture, pixel, vec4f(colour, 1.0));
    }
}
