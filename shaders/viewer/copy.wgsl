// A picture into another, which no compute shader can write or which has more pixels.

@group(0) @binding(0) var picture: texture_2d<f32>;
@group(0) @binding(1) var smooth_sampler: sampler;

struct CopiedPixel {
    @builtin(position) clip: vec4f,
    @location(0) uv: vec2f,
}

@vertex
fn copy_vertex(@builtin(vertex_index) index: u32) -> CopiedPixel {
    let corner = vec2f(vec2u((index << 1u) & 2u, index & 2u));
    return CopiedPixel(vec4f(corner * 2.0 - 1.0, 0.0, 1.0), vec2f(corner.x, 1.0 - corner.y));
}

@fragment
fn copy_fragment(in: CopiedPixel) -> @location(0) vec4f {
    return textureSampleLevel(picture, smooth_sampler, in.uv, 0.0);
}
