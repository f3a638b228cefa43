// What every pass knows of the frame.
//!import viewer/frame_uniforms

@group(0) @binding(0) var<uniform> frame: FrameUniforms;
