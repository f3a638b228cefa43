// The sky behind the Earth: one triangle over all pixels.
//!import viewer/sky_colour

struct SkyPixel {
    @builtin(position) clip: vec4f,
    @location(0) ray: vec3f,
}

@vertex
fn sky_vertex(@builtin(vertex_index) index: u32) -> SkyPixel {
    let corner = vec2f(f32((index << 1u) & 2u), f32(index & 2u)) * 2.0 - 1.0;
    var out: SkyPixel;
    // Depth 0 is infinitely far: anything drawn hides the sky.
    out.clip = vec4f(corner, 0.0, 1.0);
    out.ray = frame.ray_forward + corner.x * frame.ray_right + corner.y * frame.ray_up;
    return out;
}

@fragment
fn sky_fragment(in: SkyPixel) -> @location(0) vec4f {
    return vec4f(sky_colour(normalize(in.ray), in.clip.xy), 1.0);
}
