//! What does a pass know of the frame? Camera, sun and air as one uniform buffer, in f32 around the eye.

use bevy_ecs::resource::Resource;
use bytemuck::{Pod, Zeroable};
use glam::{DVec3, Mat4, Vec3, camera::rh};
use terrain::geodesy;

use super::air::{AEROSOL_HEIGHT_M, RAYLEIGH_HEIGHT_M, horizon_cos, top_cos};
use super::exposure::exposure;
use super::shade::Markings;
use crate::camera::{Camera, Lens};

/// Nearest thing that is drawn, metres from the eye: under the least clearance, seen at the widest angle.
const NEAR_M: f32 = 0.2;

/// Side of the cells that noise on the ground and on the sea is counted in, metres; twin: `GRAIN_M` of `shaders/viewer/noise.wgsl`.
const GRAIN_M: f64 = 0.25;
/// The sea begins anew after this time: in f32 its waves would come to move by steps.
const WAVES_REPEAT_S: f64 = 3600.0;

/// The size of the picture.
#[derive(Resource, Debug, Clone, Copy, PartialEq)]
pub struct Viewport {
    /// Width and height in pixels; 0 while a window is hidden.
    pub size_px: (u32, u32),
    /// Pixels of a point of text.
    pub pixels_per_point: f32,
}

impl Viewport {
    /// Width over height.
    pub fn aspect(&self) -> f64 {
        f64::from(self.size_px.0.max(1)) / f64::from(self.size_px.1.max(1))
    }
}

/// The uniforms of a frame; WGSL twin: `Frame` of `shaders/viewer/frame.wgsl`.
#[repr(C)]
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
pub struct FrameUniforms {
    clip_from_eye: [f32; 16],
    ray_right: [f32; 3],
    eye_height_m: f32,
    ray_up: [f32; 3],
    eye_density: f32,
    ray_forward: [f32; 3],
    texels_per_pixel: f32,
    sun: [f32; 3],
    exaggeration: f32,
    up: [f32; 3],
    pixel_rad: f32,
    sphere_up: [f32; 3],
    contour_m: f32,
    mesh_offset_m: [f32; 3],
    graticule_rad: f32,
    eye_aerosol: f32,
    horizon_cos: f32,
    top_cos: f32,
    exposure: f32,
    eye_grains: [i32; 3],
    time_s: f32,
    eye_grain_part: [f32; 3],
    posting_m: f32,
    fine_posting_m: f32,
    spare: [f32; 3],
}

impl FrameUniforms {
    /// The uniforms for a camera; `mesh_eye_m` is the eye that the vertices are relative to, `map_texels`
    /// the texels of a shading map along a quarter of the equator, `markings` what is drawn on the ground.
    pub fn new(
        camera: &Camera,
        lens: &Lens,
        viewport: &Viewport,
        sun: DVec3,
        mesh_eye_m: DVec3,
        map_texels: u32,
        markings: &Markings,
    ) -> FrameUniforms {
        let aspect = viewport.aspect();
        let half = (lens.fov_y_rad * 0.5).tan();
        let clip_from_view =
            rh::proj::directx::perspective_infinite_reverse(lens.fov_y_rad as f32, aspect as f32, NEAR_M);
        let view_from_eye = Mat4::from_quat(camera.orientation.inverse().as_quat());
        // Scaling z by a / b makes the ellipsoid a sphere and keeps lines straight.
        let sphere_eye_m = camera.eye_m * DVec3::new(1.0, 1.0, geodesy::SEMI_MAJOR_M / geodesy::SEMI_MINOR_M);
        let sphere_up = sphere_eye_m.normalize();
        // The tables of the air know no eye under the sea.
        let sphere_height_m = (sphere_eye_m.length() - geodesy::SEMI_MAJOR_M).max(1.0);
        let density = |scale_m: f32| (-sphere_height_m / f64::from(scale_m)).exp() as f32;
        let texel_m = geodesy::SEMI_MAJOR_M * std::f64::consts::FRAC_PI_2 / f64::from(map_texels.max(1));
        let pixel_rad = lens.fov_y_rad / f64::from(viewport.size_px.1.max(1));
        let grains = (camera.eye_m / GRAIN_M).floor();
        FrameUniforms {
            clip_from_eye: (clip_from_view * view_from_eye).to_cols_array(),
            ray_right: single(camera.right() * half * aspect),
            eye_height_m: sphere_height_m as f32,
            ray_up: single(camera.up() * half),
            eye_density: density(RAYLEIGH_HEIGHT_M),
            ray_forward: single(camera.forward()),
            texels_per_pixel: (pixel_rad / texel_m) as f32,
            sun: single(sun),
            exaggeration: markings.exaggeration as f32,
            up: single(camera.normal()),
            pixel_rad: pixel_rad as f32,
            sphere_up: single(sphere_up),
            contour_m: markings.contour_m as f32,
            mesh_offset_m: single(mesh_eye_m - camera.eye_m),
            graticule_rad: markings.graticule_deg.to_radians() as f32,
            eye_aerosol: density(AEROSOL_HEIGHT_M),
            horizon_cos: horizon_cos(sphere_height_m) as f32,
            top_cos: top_cos(sphere_height_m) as f32,
            exposure: exposure(sphere_height_m, sphere_up.dot(sun)) as f32,
            eye_grains: grains.as_ivec3().to_array(),
            time_s: (markings.time_s % WAVES_REPEAT_S) as f32,
            eye_grain_part: single(camera.eye_m / GRAIN_M - grains),
            posting_m: markings.postings_m[0] as f32,
            fine_posting_m: markings.postings_m[1] as f32,
            spare: [0.0; 3],
        }
    }

    /// What the light of the air depends on: the height of the eye, and how high the sun stands there.
    pub(super) fn air(&self) -> (f32, f32) {
        (self.eye_height_m, Vec3::from(self.sphere_up).dot(Vec3::from(self.sun)))
    }
}

fn single(v: DVec3) -> [f32; 3] {
    let v: Vec3 = v.as_vec3();
    v.to_array()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::camera::Pose;

    #[test]
    fn the_layout_is_that_of_the_shader() {
        let sky = shaders::Composer::new().compose("viewer/sky").expect("viewer/sky composes");
        shaders::assert_layout!(sky, "Frame" => FrameUniforms {
            clip_from_eye, ray_right, eye_height_m, ray_up, eye_density, ray_forward, texels_per_pixel,
            sun, exaggeration, up, pixel_rad, sphere_up, contour_m, mesh_offset_m, graticule_rad,
            eye_aerosol, horizon_cos, top_cos, exposure, eye_grains, time_s, eye_grain_part, posting_m, fine_posting_m
        });
    }

    #[test]
    fn clip_space_and_rays_agree() {
        let pose = Pose { lat_deg: -12.0, lon_deg: 170.0, height_m: 900.0, heading_deg: 250.0, pitch_deg: -17.0 };
        let camera = Camera::from_pose(&pose);
        let lens = Lens { fov_y_rad: 0.9 };
        let viewport = Viewport { size_px: (1280, 720), pixels_per_point: 1.0 };
        let u = FrameUniforms::new(&camera, &lens, &viewport, DVec3::Z, camera.eye_m, 1024, &Markings::default());
        let clip = Mat4::from_cols_array(&u.clip_from_eye);
        let (x, y) = (0.37f32, -0.61f32);
        let ray = Vec3::from(u.ray_forward) + x * Vec3::from(u.ray_right) + y * Vec3::from(u.ray_up);
        let near = clip.project_point3(ray * 1.0);
        let far = clip.project_point3(ray * 1e7);
        assert!((near.x - x).abs() < 1e-5 && (near.y - y).abs() < 1e-5, "{near}");
        assert!((far.x - x).abs() < 1e-5 && (far.y - y).abs() < 1e-5, "{far}");
        assert!(near.z > far.z && far.z > 0.0 && near.z < 1.0, "reverse Z: {near} {far}");
    }
}
