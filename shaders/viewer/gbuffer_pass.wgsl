// The ground into the G-buffer: nothing is shaded here, since a pixel may be covered again, and
// pixels at the edges of triangles several times.
//!import viewer/frame
//!import viewer/gbuffer
//!import terrain/vertex

struct GBufferPixel {
    @builtin(position) clip: vec4f,
    // Slopes of the mesh along the eye's axes times their weight over the maps', that weight, and the height in metres; in the
    // part of the pixel that the triangle covers, since beyond its edges it says nothing.
    @location(0) ground: vec4f,
}

@vertex
fn gbuffer_vertex(vertex: TerrainVertex) -> GBufferPixel {
    let n = vertex.direction;
    let steep = max(dot(vertex.surface_normal.xyz, n), 0.05);
    let own = own_normal(vertex);
    let slope = slope_of_gradient(n - vertex.surface_normal.xyz / steep, n, frame.up) * own;
    let clip = frame.clip_from_eye * vec4f(vertex.position_m + frame.mesh_offset_m, 1.0);
    return GBufferPixel(clip, vec4f(slope, own, vertex.height_m));
}

@fragment
fn gbuffer_fragment(in: GBufferPixel) -> @location(0) vec4u {
    let height = bitcast<u32>(in.ground.w);
    let slope = pack_slope(in.ground.xy, in.ground.z);
    return vec4u(height & 0xffffu, height >> 16u, slope & 0xffffu, slope >> 16u);
}
