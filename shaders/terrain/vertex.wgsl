// What does a terrain vertex carry? The vertex attributes of `terrain::TerrainVertex`.

struct TerrainVertex {
    // Metres relative to the eye, ECEF axes.
    @location(0) position_m: vec3f,
    // Metres above the datum.
    @location(1) height_m: f32,
    // Unit geodetic normal.
    @location(2) direction: vec3f,
    // Unit normal of the relief, and what `own_normal` and `vertex_depth` tell.
    @location(3) surface_normal: vec4f,
}

// Whether its normal is finer than a coarser shading map: 1 or 0.
fn own_normal(vertex: TerrainVertex) -> f32 {
    return f32(vertex.surface_normal.w > 0.0);
}

// Depth of the triangles that have it as their right-angle corner, which comes first in each triangle.
fn vertex_depth(vertex: TerrainVertex) -> u32 {
    return u32(abs(vertex.surface_normal.w) * 127.0 + 0.5) - 1u;
}
