// The ground as triangles whose fragments are shaded, and the edges of the triangles.
//!import viewer/ground
//!import terrain/vertex

struct GroundPixel {
    @builtin(position) clip: vec4f,
    // From the eye, metres.
    @location(0) position_m: vec3f,
    @location(1) height_m: f32,
    // Unit geodetic normal; a little shorter inside a triangle.
    @location(2) direction: vec3f,
    // Level of the shading maps.
    @location(3) level: f32,
    // Surface gradient of the mesh (tangent, metres a metre) times its weight over the maps', and that weight: where
    // vertices of different weight meet, each counts by its own.
    @location(4) detail: vec4f,
}

@vertex
fn ground_vertex(vertex: TerrainVertex) -> GroundPixel {
    let position_m = vertex.position_m + frame.mesh_offset_m;
    let n = vertex.direction;
    let steep = max(dot(vertex.surface_normal.xyz, n), 0.05);
    var out: GroundPixel;
    out.clip = frame.clip_from_eye * vec4f(position_m, 1.0);
    out.position_m = position_m;
    out.height_m = vertex.height_m;
    out.direction = n;
    out.level = log2(max(length(position_m) * frame.texels_per_pixel, 1.0));
    out.detail = vec4f(n - vertex.surface_normal.xyz / steep, 1.0) * own_normal(vertex);
    return out;
}

@fragment
fn ground_fragment(in: GroundPixel) -> @location(0) vec4f {
    let seen = SeenGround(
        in.position_m, normalize(in.direction), in.height_m, in.level, in.detail.xyz, in.detail.w);
    let point = ground_point(seen);
    let change = Change(dpdx(in.position_m), dpdy(in.position_m), fwidth(point.height_m));
    return vec4f(ground_colour(seen, point, change), 1.0);
}

// The edges of the triangles, a little in front of the ground that has the same vertices.
@vertex
fn wire_vertex(vertex: TerrainVertex) -> @builtin(position) vec4f {
    let clip = frame.clip_from_eye * vec4f(vertex.position_m + frame.mesh_offset_m, 1.0);
    return vec4f(clip.xy, clip.z * 1.002, clip.w);
}

@fragment
fn wire_fragment() -> @location(0) vec4f {
    return vec4f(0.02, 0.03, 0.05, 0.5);
}
