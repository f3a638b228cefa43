// What does a terrain vertex carry? The vertex attributes of `terrain::TerrainVertex`.

struct TerrainVertex {
    // Metres relative to the eye, ECEF axes.
    @location(0) position_m: vec3f,
    // Metres above the datum.
    @location(1) height_m: f32,
    // Unit geodetic normal.
    @location(2) direction: vec3f,
    // Unit normal of the relief, and its weight over a coarser shading map.
    @location(3) surface_normal: vec4f,
}
