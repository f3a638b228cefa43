// Where are the samples of a pixel? Four, where Vulkan, Metal and Direct3D have them.

@group(1) @binding(0) var depths: texture_depth_multisampled_2d;
@group(1) @binding(1) var gbuffer: texture_multisampled_2d<u32>;

const SAMPLES: u32 = 4u;

fn sample_depth(pixel: vec2u, index: u32) -> f32 {
    return textureLoad(depths, pixel, index);
}

fn sample_ground(pixel: vec2u, index: u32) -> vec4u {
    return textureLoad(gbuffer, pixel, index);
}

// From the middle of the pixel, pixels to the right and down: a square that is turned, so that each has a row and a column
// of its own.
fn sample_place(index: u32) -> vec2f {
    let first = vec2f(-0.125, -0.375);
    let second = vec2f(0.375, -0.125);
    return select(first, second, index == 1u || index == 2u) * select(1.0, -1.0, index >= 2u);
}
