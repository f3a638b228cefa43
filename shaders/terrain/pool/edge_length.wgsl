// What does the length of an edge on screen depend on?
// Generated from terrain/src/pool/gpu/edge_length.rs: ./x generate

//!once terrain::metric::REACH_OVER_EDGE
// Apex distance over the edge in the most stretched bisector, at the corners of the cube, rounded up.
const REACH_OVER_EDGE: f32 = 0.875f;
//!end

//!once terrain::pool::gpu::edge_length::EdgeLength
// The uniform `edge_length` of `shaders/terrain/pool/priority_edge_length.wgsl`: what it needs of the camera.
struct EdgeLength {
    // Pixels per radian at the centre of the picture over the longest edge wanted in pixels.
    pixels_per_radian: f32,
    // Cosine of the angle between the normals below the eye and at the horizon.
    horizon_cosine: f32,
    // Fills the struct up to the next 16 bytes.
    padding: vec2f,
    // Unit geodetic normal below the eye; the fourth component is not used.
    below: vec4f,
}
//!end
