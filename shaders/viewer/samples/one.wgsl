// Where are the samples of a pixel? One, in its middle.

@group(1) @binding(0) var depths: texture_depth_2d;
@group(1) @binding(1) var gbuffer: texture_2d<u32>;

const SAMPLES: u32 = 1u;

fn sample_depth(pixel: vec2u, index: u32) -> f32 {
    return textureLoad(depths, pixel, 0);
}

fn sample_ground(pixel: vec2u, index: u32) -> vec4u {
    return textureLoad(gbuffer, pixel, 0);
}

// From the middle of the pixel, pixels to the right and down.
fn sample_place(index: u32) -> vec2f {
    return vec2f(0.0);
}
