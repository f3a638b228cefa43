// What every pass knows of the frame. Twin: viewer/src/render/frame.rs (layout checked by reflection).

struct Frame {
    // Clip space from metres around the eye on ECEF axes; no translation. Reverse Z: 1 near, 0 at infinity.
    clip_from_eye: mat4x4f,
    // The ray through a pixel is ray_forward + x ray_right + y ray_up, x and y in [-1, 1].
    ray_right: vec3f,
    // Height of the eye in the space where the ellipsoid is a sphere of the equator's radius, metres; at least 1.
    eye_height_m: f32,
    ray_up: vec3f,
    // Density of molecules at the eye, relative to that at sea level.
    eye_density: f32,
    ray_forward: vec3f,
    // Radians that a pixel sees, times the texels of the shading maps a radian.
    texels_per_pixel: f32,
    // Unit vector to the sun.
    sun: vec3f,
    // Metres of the mesh a metre of height.
    exaggeration: f32,
    // Unit normal under the eye.
    up: vec3f,
    // Radians that a pixel sees.
    pixel_rad: f32,
    // Unit vector to the eye in the space where the ellipsoid is a sphere.
    sphere_up: vec3f,
    // Between contour lines, metres.
    contour_m: f32,
    // Eye that the mesh was made for minus the eye of this frame, metres: not zero only when the mesh is frozen.
    mesh_offset_m: vec3f,
    // Between lines of the graticule, radians.
    graticule_rad: f32,
    // Density of aerosol at the eye, relative to that at sea level.
    eye_aerosol: f32,
    // Cosines of the zenith angles of the sea's horizon, and of the highest ray that meets air.
    horizon_cos: f32,
    top_cos: f32,
    // What light is multiplied by before it becomes a picture.
    exposure: f32,
    // Corner of the cell of noise that the eye is in, in cells from the middle of the Earth, and the eye's place in the cell.
    eye_grains: vec3i,
    // Of the waves, seconds.
    time_s: f32,
    eye_grain_part: vec3f,
    // Between the samples of the data of the whole Earth, and of the finest there are besides, metres.
    posting_m: f32,
    fine_posting_m: f32,
}

@group(0) @binding(0) var<uniform> frame: Frame;
