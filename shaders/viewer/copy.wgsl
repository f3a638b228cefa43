// A picture into another of the same size, which no compute shader can write.

@group(0) @binding(0) var picture: texture_2d<f32>;

@vertex
fn copy_vertex(@builtin(vertex_index) index: u32) -> @builtin(position) vec4f {
    return vec4f(vec2f(f32((index << 1u) & 2u), f32(index & 2u)) * 2.0 - 1.0, 0.0, 1.0);
}

@fragment
fn copy_fragment(@builtin(position) at: vec4f) -> @location(0) vec4f {
    return textureLoad(picture, vec2u(at.xy), 0);
}
