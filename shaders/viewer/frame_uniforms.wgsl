// What does a pass know of the frame? Camera, sun, moon, stars and air, in f32 around the eye.
// Generated from viewer/src/render/frame_uniforms.rs: ./x generate

//!once viewer::render::frame_uniforms::FrameUniforms
// The uniforms of a frame.
struct FrameUniforms {
    // Clip space from metres around the eye on ECEF axes; no translation. Reverse Z: 1 near, 0 at infinity.
    clip_from_eye: mat4x4f,
    // The ray through a pixel is ray_forward + x ray_right + y ray_up, x and y in [-1, 1].
    ray_right: vec3f,
    // Height of the eye in the space where the ellipsoid is a sphere of the equator's radius, metres; at least 1.
    eye_height_m: f32,
    // As above: by y.
    ray_up: vec3f,
    // Density of molecules at the eye, relative to that at sea level.
    eye_density: f32,
    // As above: through the middle.
    ray_forward: vec3f,
    // Pixels of a point, which widths of lines count in: fewer in a picture that will be enlarged, more on dense screens.
    pixels_per_point: f32,
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
    // Cosine of the zenith angle of the sea's horizon.
    horizon_cos: f32,
    // The same of the highest ray that meets air.
    top_cos: f32,
    // What light is multiplied by before it becomes a picture.
    exposure: f32,
    // Corner of the cell of noise that the eye is in, in cells from the middle of the Earth.
    eye_grains: vec3i,
    // Of the waves, seconds.
    time_s: f32,
    // The eye's place in that cell.
    eye_grain_part: vec3f,
    // Between the samples of the data of the whole Earth, metres.
    posting_m: f32,
    // Axes of the stars' catalogue: a ray's coordinate there is the product with each.
    stars_x: vec3f,
    // The same as `posting_m` of the finest data there are besides.
    fine_posting_m: f32,
    // As above.
    stars_y: vec3f,
    // Distance at which depth is 1, metres: depth times distance along the middle of the view.
    near_m: f32,
    // As above.
    stars_z: vec3f,
    // Sine of the angle between the moon's middle and its edge; 0 where there is no moon.
    moon_sine: f32,
    // Unit vector to the moon's middle.
    moon: vec3f,
    // Radius of the planet, metres.
    radius_m: f32,
}
//!end

//!once viewer::render::frame_uniforms::GRAIN_M
// Side of the finest cells that noise on the ground and on the sea is counted in, metres.
const GRAIN_M: f32 = 0.25f;
//!end
