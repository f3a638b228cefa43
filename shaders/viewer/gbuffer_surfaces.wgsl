// Which surfaces does a pixel see, by the G-buffer? One surface mostly; at silhouettes several, each in some of its samples.
//!import viewer/frame
//!import viewer/gbuffer
//!import viewer/ground
//!import viewer/samples

// Samples whose depths differ by less than this part show one surface, and their mean is shaded. Of two surfaces that would be
// a place between them, which nobody sees: the dark side of a ridge, say. Of one that is nearly edge-on, samples are shaded
// apart for nothing: of level ground in some forty rows of pixels below the horizon.
const ONE_SURFACE: f32 = 0.02;

// Some of the samples of a pixel.
struct Surface {
    // Which: a bit each.
    samples: u32,
    // Part of the pixel that they are.
    part: f32,
    // The ray through their middle, as long as the view is deep.
    ray: vec3f,
    // Reverse Z, 0 for the sky. The depth of a plane is linear in the picture, so the mean of the samples is that of their middle.
    depth: f32,
    // Slopes along the eye's axes times their weight over the maps'.
    slope: vec2f,
    // That weight.
    own: f32,
    // Of the mesh, metres above the datum.
    height_m: f32,
}

// Whether two depths differ by less than a part of the nearer one; the sky is near the sky alone.
fn is_near(a: f32, b: f32, part: f32) -> bool {
    return abs(a - b) <= part * max(a, b);
}

// What the first sample of the set `left` sees, and all others of the set that see the same.
fn next_surface(pixel: vec2u, left: u32, size_px: vec2f) -> Surface {
    let first = firstTrailingBit(left);
    let depth = sample_depth(pixel, first);
    var out: Surface;
    var count = 0.0;
    var place_px = vec2f(0.0);
    var normal = vec3f(0.0);
    for (var index = 0u; index < SAMPLES; index++) {
        let other = sample_depth(pixel, index);
        if ((left >> index) & 1u) == 1u && (index == first || is_near(other, depth, ONE_SURFACE)) {
            out.samples |= 1u << index;
            count += 1.0;
            place_px += sample_place(index);
            out.depth += other;
            let ground = sample_ground(pixel, index);
            let slope = unpack_slope(ground.z | (ground.w << 16u));
            normal += normalize(vec3f(slope.xy, 1.0));
            out.own += slope.z;
            out.height_m += bitcast<f32>(ground.x | (ground.y << 16u));
        }
    }
    out.part = count / f32(SAMPLES);
    let mean = 1.0 / max(count, 1.0);
    out.depth *= mean;
    // The mean of normals, of which one beyond the edge of a triangle that is seen edge-on counts no more than others.
    out.slope = normal.xy / max(normal.z, 1e-4);
    out.own *= mean;
    out.height_m *= mean;
    let clip = (vec2f(pixel) + 0.5 + place_px * mean) * 2.0 / size_px - 1.0;
    out.ray = frame.ray_forward + clip.x * frame.ray_right - clip.y * frame.ray_up;
    return out;
}

// Where the ground is that a surface shows.
fn seen_ground(surface: Surface) -> SeenGround {
    let position_m = surface.ray * (frame.near_m / surface.depth);
    let eye_m = frame.sphere_up * (RADIUS_M + frame.eye_height_m);
    let n = normal_at(eye_m + position_m * SPHERE_FROM_EARTH);
    let gradient = gradient_of_slope(surface.slope, n, frame.up);
    return SeenGround(position_m, n, surface.height_m, gradient, surface.own);
}
