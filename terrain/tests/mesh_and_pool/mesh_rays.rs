//! Laws of rays against the drawn mesh: what they meet is what brute force finds, what is drawn, and the surface to the tolerated
//! error.

use glam::{DMat3, DVec2, DVec3, Vec3};
use gpu::{
    Gpu, GpuOptions,
    pipeline::{RenderKernel, RenderTarget, Uniform},
    transfer,
};
use kernels::lbvh::{Hit, Outcome, Ray};
use rand::Rng;
use terrain::{
    GpuTerrain, MeshRays, Options, Quality, TerrainVertex, View,
    bisection::HeapId,
    geodesy::{Ellipsoid, Geodetic},
    surface::Surface,
};

use super::{random, reliefs::RIDGES};

const SIZE: (u32, u32) = (160, 100);
const FOV_Y_RAD: f64 = 0.9;

struct Scene {
    gpu: Gpu,
    terrain: GpuTerrain,
    view: View,
}

impl Scene {
    /// A settled mesh, seen east and down from a place.
    fn new(lat_deg: f64, lon_deg: f64, above_m: f64, down: f64) -> Self {
        let gpu = Gpu::new(&GpuOptions::default().with_software(true)).unwrap();
        let relief = RIDGES.clone();
        let at = Geodetic::from_degrees(lat_deg, lon_deg, 0.0);
        let up = at.normal();
        let eye_m = Ellipsoid::WGS84.ecef(up, relief.sample(up).height_m + above_m);
        let forward = DVec3::Z.cross(up).normalize_or(DVec3::X) - down * up;
        let view = View::perspective(eye_m, forward, up, FOV_Y_RAD, SIZE);
        let quality = Quality::default().with_pixel_error(0.5);
        let options = Options::default().with_pool_slots(1 << 14).with_quality(quality);
        let mut terrain = GpuTerrain::new(&gpu.device, relief, options).unwrap();
        for _ in 0..300 {
            let mut encoder = gpu.device.create_command_encoder(&Default::default());
            let settled = terrain.update_complete(&view, &gpu.queue, &mut encoder).unwrap().settled;
            gpu.queue.submit([encoder.finish()]);
            gpu.wait().unwrap();
            if settled {
                return Self { gpu, terrain, view };
            }
        }
        panic!("the mesh did not settle: {:?}", terrain.report());
    }

    /// Right, up and forward, of unit length.
    fn axes(&self) -> DMat3 {
        let forward = self.view.forward.normalize();
        let right = forward.cross(self.view.up).normalize();
        DMat3::from_cols(right, right.cross(forward), forward)
    }

    /// Rays through the middles of all pixels: t counts metres along the forward axis.
    fn pixel_rays(&self) -> Vec<Ray> {
        let size = DVec2::new(f64::from(SIZE.0), f64::from(SIZE.1));
        let tan = (0.5 * FOV_Y_RAD).tan();
        let ray = |column: u32, row: u32| {
            let ndc = (DVec2::new(f64::from(column), f64::from(row)) + 0.5) / size * 2.0 - 1.0;
            let direction = self.axes() * DVec3::new(ndc.x * tan * size.x / size.y, -ndc.y * tan, 1.0);
            Ray::new([0.0; 3], direction.as_vec3().to_array())
        };
        (0..SIZE.1).flat_map(|row| (0..SIZE.0).map(move |column| (column, row))).map(|(x, y)| ray(x, y)).collect()
    }

    fn trace(&self, rays: &[Ray]) -> (Vec<Hit>, MeshRays) {
        let traced = MeshRays::new(&self.gpu.device, &self.terrain, rays.len() as u32).unwrap();
        self.gpu.queue.write_buffer(traced.rays(), 0, bytemuck::cast_slice(rays));
        let mut encoder = self.gpu.device.create_command_encoder(&Default::default());
        let mut pass = encoder.begin_compute_pass(&Default::default());
        traced.encode_build(&mut pass);
        traced.encode_trace(&mut pass);
        drop(pass);
        self.gpu.queue.submit([encoder.finish()]);
        (transfer::download(&self.gpu, traced.hits()).unwrap(), traced)
    }

    fn read(&self, buffer: &wgpu::Buffer) -> Vec<u32> {
        transfer::download(&self.gpu, buffer).unwrap()
    }

    /// Corners of the drawn triangles, and their heap ids.
    fn triangles(&self) -> Vec<(HeapId, [DVec3; 3])> {
        let (heap, vertices) = (self.read(&self.terrain.pool().buffers().heap), self.read(self.terrain.vertices()));
        let drawn = self.read(self.terrain.draw_arguments())[0] as usize / 3;
        let vertices: &[TerrainVertex] = bytemuck::cast_slice(&vertices);
        let live =
            heap.chunks(2).filter(|id| id != &[0, 0]).map(|id| HeapId(u64::from(id[1]) << 32 | u64::from(id[0])));
        let corners =
            |three: &[TerrainVertex]| std::array::from_fn(|i| Vec3::from_array(three[i].position_m).as_dvec3());
        live.zip(vertices.chunks(3)).map(|(id, three)| (id, corners(three))).take(drawn).collect()
    }

    /// Distance along the forward axis of what is drawn in each pixel; infinite for the sky.
    fn picture(&self) -> Vec<f32> {
        const SHADER: &str = "//!import terrain/vertex
struct Pixel { @builtin(position) clip: vec4f, @location(0) ahead_m: f32 }
struct Camera { clip_from_eye: mat4x4f, forward: vec3f }
@group(0) @binding(0) var<uniform> camera: Camera;
@vertex fn vertex(v: TerrainVertex) -> Pixel {
    return Pixel(camera.clip_from_eye * vec4f(v.position_m, 1.0), dot(v.position_m, camera.forward));
}
@fragment fn fragment(in: Pixel) -> @location(0) vec4f { return vec4f(in.ahead_m); }";
        let device = &self.gpu.device;
        let composed = terrain::composer().bind("test/ahead", "ahead.wgsl", SHADER).compose("test/ahead").unwrap();
        let sky = wgpu::Color { r: f64::INFINITY, g: 0.0, b: 0.0, a: 0.0 };
        let mut target = RenderTarget::new(wgpu::TextureFormat::R32Float, 1).with_clear(sky);
        let options = target
            .options()
            .with_vertex("vertex")
            .with_fragment(Some("fragment"))
            .with_buffers(&[Some(TerrainVertex::LAYOUT)]);
        let pipeline = RenderKernel::new(device, &composed, &options).unwrap();
        let camera = Uniform::new(device, "camera");
        let forward = self.axes().z_axis.as_vec3().extend(0.0);
        let [x, y, z, w] = [0, 1, 2, 3].map(|i| self.view.clip_from_eye(1.0).col(i));
        camera.write(&self.gpu.queue, &[x, y, z, w, forward]);
        let bindings = pipeline.bind_group(device, 0, &[("camera", camera.binding())]).unwrap();
        let colour = transfer::render_texture(device, "ahead", SIZE, wgpu::TextureFormat::R32Float);
        let mut encoder = device.create_command_encoder(&Default::default());
        let mut pass = target.begin_pass(device, &mut encoder, &colour.create_view(&Default::default()));
        pass.set_pipeline(pipeline.pipeline());
        pass.set_bind_group(0, &bindings, &[]);
        self.terrain.draw(&mut pass);
        drop(pass);
        self.gpu.queue.submit([encoder.finish()]);
        transfer::download_texture(&self.gpu, &colour).unwrap()
    }
}

/// From the air, from just above the ground, beside an edge of the cube, over a pole, and from space.
fn scenes() -> impl Iterator<Item = Scene> {
    let places = [
        (20.0, 30.0, 9_000.0, 0.4),
        (-33.1, 70.2, 20.0, 0.1),
        (10.0, 45.0, 300.0, 0.2),
        (89.9, 10.0, 6e3, 0.4),
        (10.0, 45.0, 2e6, 5.0),
    ];
    places.into_iter().map(|(lat, lon, above, down)| Scene::new(lat, lon, above, down))
}

/// Möller and Trumbore's intersection in f64; `t` along the ray.
fn meets(origin: DVec3, direction: DVec3, [a, b, c]: [DVec3; 3]) -> Option<f64> {
    let (ab, ac) = (b - a, c - a);
    let p = direction.cross(ac);
    let determinant = ab.dot(p);
    let from_a = origin - a;
    let u = from_a.dot(p) / determinant;
    let q = from_a.cross(ab);
    let v = direction.dot(q) / determinant;
    let t = ac.dot(q) / determinant;
    (u >= 0.0 && v >= 0.0 && u + v <= 1.0 && t >= 0.0).then_some(t)
}

fn as_dvec3(x: [f32; 3]) -> DVec3 {
    Vec3::from_array(x).as_dvec3()
}

/// Law: random rays, from the eye and from elsewhere, meet what brute force over all drawn triangles finds, at the same distance,
/// and the hit names the bisector whose triangle it is.
#[test]
fn rays_meet_what_brute_force_finds() {
    let mut rng = random::rng();
    for scene in scenes() {
        let triangles = scene.triangles();
        let above_m = Ellipsoid::WGS84.geodetic(scene.view.eye_m).height_m.max(1_000.0);
        let mut random = |range: f64| Vec3::from_array(std::array::from_fn(|_| rng.random_range(-range..range) as f32));
        let down = -Ellipsoid::WGS84.geodetic(scene.view.eye_m).normal().as_vec3();
        let rays: Vec<Ray> = (0..1_000)
            .map(|k| {
                let origin = if k % 2 == 0 { Vec3::ZERO } else { random(0.1 * above_m) };
                Ray::new(origin.to_array(), (random(1.0) + down * (k % 5) as f32 * 0.3).to_array())
            })
            .collect();
        let (hits, traced) = scene.trace(&rays);
        let bisectors = scene.read(traced.bisectors());
        let (mut met, mut beside) = (0, 0);
        for (ray, hit) in rays.iter().zip(&hits) {
            let (origin, direction) = (as_dvec3(ray.origin), as_dvec3(ray.direction));
            let all = triangles.iter().filter_map(|(_, corners)| meets(origin, direction, *corners));
            let nearest = all.min_by(f64::total_cmp);
            match (hit.outcome(), nearest) {
                (Outcome::Hit(hit), Some(t)) => {
                    met += 1;
                    // Rounding of f32, along a grazing ray.
                    beside += usize::from((f64::from(hit.t) - t).abs() > 1e-4 * t + 1e-2 / direction.length());
                    let words = &bisectors[2 * hit.primitive as usize..][..2];
                    let id = HeapId(u64::from(words[1]) << 32 | u64::from(words[0]));
                    let (_, corners) = triangles.iter().find(|(live, _)| *live == id).expect("a live bisector");
                    let at = corners[0]
                        + f64::from(hit.u) * (corners[1] - corners[0])
                        + f64::from(hit.v) * (corners[2] - corners[0]);
                    let along = origin + direction * f64::from(hit.t);
                    assert!(at.distance(along) < 1e-4 * (along.length() + 100.0), "{at} {along}");
                }
                (Outcome::Miss, None) => {}
                // The ray runs along an edge.
                _ => beside += 1,
            }
        }
        assert!(met > 300 && beside <= 2, "{met} met, {beside} beside");
    }
}

/// Law: in the middle of a pixel a ray meets what is drawn there or in a pixel next to it; sky is sky.
#[test]
fn rays_meet_what_is_drawn() {
    for scene in scenes() {
        let (hits, _) = scene.trace(&scene.pixel_rays());
        let picture = scene.picture();
        let (width, height) = (SIZE.0 as i32, SIZE.1 as i32);
        let (mut ground, mut beside) = (0, 0);
        for (k, hit) in hits.iter().enumerate() {
            let (x, y) = (k as i32 % width, k as i32 / width);
            let around = (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (x + dx, y + dy)));
            let inside = around.filter(|(x, y)| (0..width).contains(x) && (0..height).contains(y));
            let shown: Vec<f32> = inside.map(|(x, y)| picture[(y * width + x) as usize]).collect();
            let (near, far) = shown.iter().fold((f32::INFINITY, 0f32), |(n, f), z| (n.min(*z), f.max(*z)));
            match hit.outcome() {
                Outcome::Hit(hit) => {
                    ground += 1;
                    assert!(hit.t >= near * 0.9999 && hit.t <= far * 1.0001, "{} m, drawn {near} to {far} m", hit.t);
                    beside += usize::from((hit.t / picture[k] - 1.0).abs() > 1e-3);
                }
                Outcome::Miss => assert!(far == f32::INFINITY, "sky over ground at {near} to {far} m"),
                other => panic!("{other:?}"),
            }
        }
        assert!(ground > 2_000, "{ground} pixels of ground");
        assert!(beside * 50 < ground, "{beside} of {ground} pixels show their neighbour");
    }
}

/// Law: where half a pixel of error is asked for, what a ray meets is off the surface by at most one and a quarter along the
/// vertical; and the surface's own ray through the middle of
/// a pixel meets the ground at a distance at which the mesh is met in that pixel or one next to it.
#[test]
fn mesh_and_surface_agree_within_a_pixel() {
    let pixels_per_radian = 0.5 * f64::from(SIZE.1) / (0.5 * FOV_Y_RAD).tan();
    for scene in scenes() {
        let surface = Surface::new(scene.terrain.relief().clone());
        let rays = scene.pixel_rays();
        let (hits, _) = scene.trace(&rays);
        let ahead_m = |k: usize| match hits[k].outcome() {
            Outcome::Hit(hit) => f64::from(hit.t),
            _ => f64::INFINITY,
        };
        let mut compared = 0;
        for (k, ray) in rays.iter().enumerate().step_by(7) {
            let direction = as_dvec3(ray.direction);
            let met = surface.ray(scene.view.eye_m, direction, 1e8).unwrap();
            let t = met.map_or(f64::INFINITY, |met| met.distance_m / direction.length());
            let around = [0, 1, -1, -161, -160, -159, 159, 160, 161].into_iter().map(|d| k as i32 + d);
            let inside = around.filter(|k| (0..hits.len() as i32).contains(k)).map(|k| ahead_m(k as usize));
            let (near, far) = inside.fold((f64::INFINITY, 0.0), |(n, f): (f64, f64), t| (n.min(t), f.max(t)));
            assert!(t >= near * 0.99 && t <= far * 1.01, "the surface at {t} m, the mesh at {near} to {far} m");
            if ahead_m(k).is_finite() {
                let along = direction * ahead_m(k);
                let place = Ellipsoid::WGS84.geodetic(scene.view.eye_m + along);
                let off_m = place.height_m - surface.height_m(place.normal());
                let pixel_m = along.length() / pixels_per_radian;
                assert!(off_m.abs() < 1.25 * pixel_m + 0.01, "{off_m} m off, a pixel is {pixel_m} m");
                compared += 1;
            }
        }
        assert!(compared > 300, "{compared} compared");
    }
}
