// The ground as triangles whose fragments are shaded, and the edges of the triangles.
//!variant tiles terrain/shading=terrain/shading
//!variant no_tiles terrain/shading=viewer/no_shading_tiles
//!import viewer/ground
//!import viewer/gbuffer
//!import terrain/vertex

// Metres that the legs of a triangle of depth 0 are shorter than; each bisection shortens them by the root of two.
const LONGEST_LEG_M: f32 = 1.5e7;

struct GroundPixel {
    @builtin(position) clip: vec4f,
    // From the eye, metres.
    @location(0) position_m: vec3f,
    @location(1) height_m: f32,
    // Unit geodetic normal; a little shorter inside a triangle.
    @location(2) direction: vec3f,
    // Surface gradient of the mesh (tangent, metres a metre) times its weight over the maps', and that weight: where
    // vertices of different weight meet, each counts by its own.
    @location(3) detail: vec4f,
    // The right-angle corner of the triangle, which comes first: place and height, and the gradient there.
    @location(4) @interpolate(flat) corner: vec4f,
    @location(5) @interpolate(flat) corner_detail: vec4f,
    // Metres across the ground from there within which the triangle lies.
    @location(6) @interpolate(flat) reach_m: f32,
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
    out.detail = vec4f(n - vertex.surface_normal.xyz / steep, 1.0) * own_normal(vertex);
    out.corner = vec4f(position_m, vertex.height_m);
    out.corner_detail = out.detail;
    out.reach_m = LONGEST_LEG_M * exp2(-0.5 * f32(vertex_depth(vertex)));
    return out;
}

// What a pixel sees of a triangle that may cover a few of its samples only. The middle of the pixel then lies beyond its edge;
// at the horizon, where triangles are seen edge-on, the plane of the triangle is met there far from it, or behind the eye. What
// is no part of the triangle is its corner, moved to where the pixel's ray is nearest to it. Legs are known across the ground,
// however steep it is.
fn seen_ground_of(in: GroundPixel) -> SeenGround {
    let beyond_m = in.position_m - in.corner.xyz;
    let up = dot(beyond_m, in.direction);
    let across2 = dot(beyond_m, beyond_m) - up * up / dot(in.direction, in.direction);
    if across2 <= in.reach_m * in.reach_m {
        return SeenGround(in.position_m, normalize(in.direction), in.height_m, in.detail.xyz, in.detail.w);
    }
    let ray = normalize(in.position_m);
    let ahead_m = dot(ray, in.corner.xyz) * ray;
    // Nothing is met at infinity, or behind the eye.
    let is_near = dot(ahead_m, ahead_m) > 0.25 * dot(in.corner.xyz, in.corner.xyz);
    let is_ahead = is_near && dot(ahead_m, frame.ray_forward) > 0.0;
    let position_m = select(in.corner.xyz, ahead_m, is_ahead);
    let n = normal_at(frame.sphere_up * (RADIUS_M + frame.eye_height_m) + position_m * SPHERE_FROM_EARTH);
    return SeenGround(position_m, n, in.corner.w, in.corner_detail.xyz, in.corner_detail.w);
}

@fragment
fn ground_fragment(in: GroundPixel) -> @location(0) vec4f {
    let seen = seen_ground_of(in);
    let point = ground_point(seen);
    let edge_m = edge_height_m(point.shadow.below_sun_m, in.position_m, seen.n);
    let derivatives =
        PixelDerivatives(dpdx(in.position_m), dpdy(in.position_m), fwidth(point.height_m), fwidth(edge_m));
    return vec4f(ground_colour(seen, point, derivatives), 1.0);
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
