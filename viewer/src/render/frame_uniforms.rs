//! What does a pass know of the frame? Camera, sun, moon, stars and air as one uniform buffer, in f32 around the eye.

use bytemuck::{Pod, Zeroable};
use glam::{DVec3, IVec3, Mat4, Vec3, camera::rh};
use kernels::device;

use super::air::{AEROSOL_HEIGHT_M, Air, horizon_cos, top_cos};
use super::exposure::exposure;
use super::shadows::ShadowSun;
use super::sun::Sky;
use crate::camera::{Camera, Lens};
use crate::frame::Viewport;
use crate::overlays::OverlayParams;

/// Nearest thing that is drawn, metres from the eye: under the least clearance, seen at the widest angle.
const NEAR_M: f32 = 0.2;

/// Side of the finest cells that noise on the ground and on the sea is counted in, metres.
#[device]
const GRAIN_M: f32 = 0.25;
/// The sea begins anew after this time: in f32 its waves would come to move by steps.
const WAVES_REPEAT_S: f64 = 3600.0;
/// The moon's mean radius, metres.
const MOON_RADIUS_M: f64 = 1_737_400.0;

/// The uniforms of a frame.
#[device]
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
pub struct FrameUniforms {
    /// Clip space from metres around the eye on ECEF axes; no translation. Reverse Z: 1 near, 0 at infinity.
    clip_from_eye: Mat4,
    /// The ray through a pixel is ray_forward + x ray_right + y ray_up, x and y in [-1, 1].
    ray_right: Vec3,
    /// Height of the eye in the space where the ellipsoid is a sphere of the equator's radius, metres; at least 1.
    eye_height_m: f32,
    /// As above: by y.
    ray_up: Vec3,
    /// Density of molecules at the eye, relative to that at sea level.
    eye_density: f32,
    /// As above: through the middle.
    ray_forward: Vec3,
    /// Pixels of a point, which widths of lines count in: fewer in a picture that will be enlarged, more on dense screens.
    pixels_per_point: f32,
    /// Unit vector to the sun.
    sun: Vec3,
    /// Metres of the mesh a metre of height.
    exaggeration: f32,
    /// Unit normal under the eye.
    up: Vec3,
    /// Radians that a pixel sees.
    pixel_rad: f32,
    /// Unit vector to the eye in the space where the ellipsoid is a sphere.
    sphere_up: Vec3,
    /// Between contour lines, metres.
    contour_m: f32,
    /// Eye that the mesh was made for minus the eye of this frame, metres: not zero only when the mesh is frozen.
    mesh_offset_m: Vec3,
    /// Between lines of the graticule, radians.
    graticule_rad: f32,
    /// Density of aerosol at the eye, relative to that at sea level.
    eye_aerosol: f32,
    /// Cosine of the zenith angle of the sea's horizon.
    horizon_cos: f32,
    /// The same of the highest ray that meets air.
    top_cos: f32,
    /// What light is multiplied by before it becomes a picture.
    exposure: f32,
    /// Corner of the cell of noise that the eye is in, in cells from the middle of the Earth.
    eye_grains: IVec3,
    /// Of the waves, seconds.
    time_s: f32,
    /// The eye's place in that cell.
    eye_grain_part: Vec3,
    /// Between the samples of the data of the whole Earth, metres.
    posting_m: f32,
    /// Axes of the stars' catalogue: a ray's coordinate there is the product with each.
    stars_x: Vec3,
    /// The same as `posting_m` of the finest data there are besides.
    fine_posting_m: f32,
    /// As above.
    stars_y: Vec3,
    /// Distance at which depth is 1, metres: depth times distance along the middle of the view.
    near_m: f32,
    /// As above.
    stars_z: Vec3,
    /// Sine of the angle between the moon's middle and its edge; 0 where there is no moon.
    moon_sine: f32,
    /// Unit vector to the moon's middle.
    moon: Vec3,
    /// Radius of the planet, metres.
    radius_m: f32,
}

impl FrameUniforms {
    /// The uniforms for a camera; `mesh_eye_m` is the eye that the vertices are relative to, `sky` what is around
    /// the Earth ([`SunMode::sky`](super::SunMode::sky)), `overlay_params` what is drawn on the ground.
    pub fn new(
        camera: &Camera,
        lens: &Lens,
        viewport: &Viewport,
        sky: &Sky,
        mesh_eye_m: DVec3,
        overlay_params: &OverlayParams,
    ) -> FrameUniforms {
        let moon_m = sky.moon_m.map_or(DVec3::ZERO, |moon_m| moon_m - camera.eye_m);
        let aspect = viewport.aspect();
        let half = (lens.fov_y_rad * 0.5).tan();
        let clip_from_view =
            rh::proj::directx::perspective_infinite_reverse(lens.fov_y_rad as f32, aspect as f32, NEAR_M);
        let view_from_eye = Mat4::from_quat(camera.orientation.inverse().as_quat());
        // Scaling z by a / b makes the ellipsoid a sphere and keeps lines straight.
        let sphere_eye_m = camera.eye_m * camera.ellipsoid.sphere_scale();
        let radius_m = camera.ellipsoid.semi_major_m();
        let sphere_up = sphere_eye_m.normalize();
        // The tables of the air know no eye under the sea.
        let sphere_height_m = (sphere_eye_m.length() - radius_m).max(1.0);
        let density = |scale_m: f32| (-sphere_height_m / f64::from(scale_m)).exp() as f32;
        let pixel_rad = lens.fov_y_rad / f64::from(viewport.size_px.1.max(1));
        let eye_grains = camera.eye_m / f64::from(GRAIN_M);
        let grains = eye_grains.floor();
        FrameUniforms {
            clip_from_eye: clip_from_view * view_from_eye,
            ray_right: (camera.right() * half * aspect).as_vec3(),
            eye_height_m: sphere_height_m as f32,
            ray_up: (camera.up() * half).as_vec3(),
            eye_density: density(Air::of(camera.ellipsoid).rayleigh_height_m),
            ray_forward: camera.forward().as_vec3(),
            pixels_per_point: viewport.pixels_per_point,
            sun: sky.sun.as_vec3(),
            exaggeration: overlay_params.exaggeration as f32,
            up: camera.normal().as_vec3(),
            pixel_rad: pixel_rad as f32,
            sphere_up: sphere_up.as_vec3(),
            contour_m: overlay_params.contour_m as f32,
            mesh_offset_m: (mesh_eye_m - camera.eye_m).as_vec3(),
            graticule_rad: overlay_params.graticule_deg.to_radians() as f32,
            eye_aerosol: density(AEROSOL_HEIGHT_M),
            horizon_cos: horizon_cos(radius_m, sphere_height_m) as f32,
            top_cos: top_cos(radius_m, sphere_height_m) as f32,
            exposure: exposure(sphere_height_m, sphere_up.dot(sky.sun)) as f32,
            eye_grains: grains.as_ivec3(),
            time_s: (overlay_params.time_s % WAVES_REPEAT_S) as f32,
            eye_grain_part: (eye_grains - grains).as_vec3(),
            posting_m: overlay_params.postings_m[0] as f32,
            stars_x: sky.stars.x_axis.as_vec3(),
            fine_posting_m: overlay_params.postings_m[1] as f32,
            stars_y: sky.stars.y_axis.as_vec3(),
            near_m: NEAR_M,
            stars_z: sky.stars.z_axis.as_vec3(),
            moon_sine: if moon_m == DVec3::ZERO { 0.0 } else { (MOON_RADIUS_M / moon_m.length()) as f32 },
            moon: moon_m.normalize_or_zero().as_vec3(),
            radius_m: radius_m as f32,
        }
    }

    /// Those of a picture in which nothing moves, whatever the time.
    pub(super) fn at_rest(self) -> FrameUniforms {
        FrameUniforms { time_s: 0.0, ..self }
    }

    /// What shadows depend on.
    pub(super) fn shadows(&self) -> ShadowSun {
        ShadowSun::of(self.sun, self.radius_m, (self.up, self.eye_height_m), self.exaggeration)
    }

    /// What the light of the air depends on: the height of the eye, and how high the sun stands there.
    pub(super) fn air(&self) -> (f32, f32) {
        (self.eye_height_m, self.sphere_up.dot(self.sun))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::camera::Pose;
    use crate::render::SunMode;

    #[test]
    fn the_shader_is_what_this_file_generates() {
        const UNIFORMS: &str = device::module!(FrameUniforms, GRAIN_M);
        let header = "// What does a pass know of the frame? Camera, sun, moon, stars and air, in f32 around the eye.\n\
                      // Generated from viewer/src/render/frame_uniforms.rs: ./x generate";
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../shaders/viewer/frame_uniforms.wgsl");
        device::check_generated(path, header, UNIFORMS).unwrap();
    }

    #[test]
    fn clip_space_and_rays_agree() {
        let pose = Pose { lat_deg: -12.0, lon_deg: 170.0, height_m: 900.0, heading_deg: 250.0, pitch_deg: -17.0 };
        let camera = Camera::from_pose(&pose);
        let lens = Lens { fov_y_rad: 0.9 };
        let viewport = Viewport { size_px: (1280, 720), pixels_per_point: 1.0 };
        let sky = SunMode::default().sky(&camera);
        let u = FrameUniforms::new(&camera, &lens, &viewport, &sky, camera.eye_m, &OverlayParams::default());
        let clip = u.clip_from_eye;
        let (x, y) = (0.37f32, -0.61f32);
        let ray = u.ray_forward + x * u.ray_right + y * u.ray_up;
        let near = clip.project_point3(ray * 1.0);
        let far = clip.project_point3(ray * 1e7);
        assert!((near.x - x).abs() < 1e-5 && (near.y - y).abs() < 1e-5, "{near}");
        assert!((far.x - x).abs() < 1e-5 && (far.y - y).abs() < 1e-5, "{far}");
        assert!(near.z > far.z && far.z > 0.0 && near.z < 1.0, "reverse Z: {near} {far}");
    }
}
