//! Laws of the planet in WGSL: corners equal the CPU's bit for bit, positions are right to ten millionths of their distance.

use bytemuck::{Pod, Zeroable};
use glam::DVec3;
use gpu::{Gpu, GpuOptions, pipeline::ComputeKernel};
use rand::{Rng, SeedableRng, rngs::StdRng};
use terrain::{
    bisection::{HeapId, MAX_DEPTH, ROOTS},
    cube::CubePoint,
    expansion::PlanetView,
    geodesy::{Ellipsoid, Geodetic},
};

const SHADER: &str = "//!import terrain/heap_id
//!import terrain/bisection
//!import terrain/planet
struct Answer { corners: array<vec4u, 3>, position_m: vec4f }
@group(0) @binding(0) var<storage, read> ids: array<vec2u>;
@group(0) @binding(1) var<storage, read> heights_m: array<f32>;
@group(0) @binding(2) var<storage, read_write> answers: array<Answer>;
@compute @workgroup_size(64)
fn decode(@builtin(global_invocation_id) invocation: vec3u) {
    let i = invocation.x;
    if i >= arrayLength(&ids) { return; }
    let face = face_of(ids[i]);
    let t = corners(ids[i]);
    let v1 = cube_point(FacePoint(face, t.v1.x, t.v1.y));
    answers[i].corners = array<vec4u, 3>(
        vec4u(cube_point(FacePoint(face, t.v0.x, t.v0.y)), 0u),
        vec4u(v1, 0u),
        vec4u(cube_point(FacePoint(face, t.v2.x, t.v2.y)), 0u),
    );
    answers[i].position_m = vec4f(place(v1, heights_m[i]).position_m, 0.0);
}";

#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct Answer {
    corners: [[u32; 4]; 3],
    position_m: [f32; 4],
}

fn composed(ellipsoid: Ellipsoid) -> shaders::Composed {
    let mut composer = terrain::composer_on(ellipsoid);
    composer.bind("test/decode", "decode.wgsl", SHADER);
    composer.compose("test/decode").unwrap()
}

fn answers(gpu: &Gpu, kernel: &ComputeKernel, view: &PlanetView, ids: &[HeapId], heights_m: &[f32]) -> Vec<Answer> {
    let device = &gpu.device;
    let buffer = |bytes: &[u8], usage| {
        let buffer = device.create_buffer(&wgpu::BufferDescriptor {
            label: None,
            size: bytes.len() as u64,
            usage: usage | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        gpu.queue.write_buffer(&buffer, 0, bytes);
        buffer
    };
    let ids_buffer =
        buffer(bytemuck::cast_slice(&ids.iter().map(|id| id.0).collect::<Vec<u64>>()), wgpu::BufferUsages::STORAGE);
    let heights = buffer(bytemuck::cast_slice(heights_m), wgpu::BufferUsages::STORAGE);
    let planet = buffer(bytemuck::bytes_of(view), wgpu::BufferUsages::UNIFORM);
    let out =
        buffer(&vec![0; size_of::<Answer>() * ids.len()], wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC);
    let back = buffer(&vec![0; size_of::<Answer>() * ids.len()], wgpu::BufferUsages::MAP_READ);
    let io = [
        ("ids", ids_buffer.as_entire_binding()),
        ("heights_m", heights.as_entire_binding()),
        ("answers", out.as_entire_binding()),
    ];
    let (io, planet) = (
        kernel.bind_group(device, 0, &io).unwrap(),
        kernel.bind_group(device, 2, &[("planet", planet.as_entire_binding())]).unwrap(),
    );
    let mut encoder = device.create_command_encoder(&Default::default());
    {
        let mut pass = encoder.begin_compute_pass(&Default::default());
        pass.set_pipeline(kernel.pipeline());
        pass.set_bind_group(0, &io, &[]);
        pass.set_bind_group(2, &planet, &[]);
        pass.dispatch_workgroups(ids.len().div_ceil(64) as u32, 1, 1);
    }
    encoder.copy_buffer_to_buffer(&out, 0, &back, 0, out.size());
    gpu.queue.submit([encoder.finish()]);
    back.map_async(wgpu::MapMode::Read, .., |result| result.unwrap());
    gpu.wait().unwrap();
    let view = back.get_mapped_range(..).unwrap();
    bytemuck::pod_collect_to_vec(&view)
}

fn random_id(rng: &mut StdRng, near: Option<DVec3>) -> HeapId {
    let depth = rng.random_range(0..=MAX_DEPTH);
    let mut id = HeapId::root(rng.random_range(0..ROOTS));
    if let Some(near) = near {
        // The root whose middle is nearest, then children likewise: a bisector close to the place.
        let distance =
            |id: HeapId| id.triangle().0.map(|p| p.normal()).into_iter().sum::<DVec3>().normalize().distance(near);
        let closest = |ids: &mut dyn Iterator<Item = HeapId>| ids.min_by(|&a, &b| distance(a).total_cmp(&distance(b)));
        id = closest(&mut (0..ROOTS).map(HeapId::root)).unwrap();
        for _ in 0..depth {
            id = closest(&mut (0..2).map(|b| id.child(b))).unwrap();
        }
        return id;
    }
    for _ in 0..depth {
        id = id.child(rng.random_range(0..2));
    }
    id
}

#[test]
fn corners_are_bit_equal_and_positions_are_subpixel() {
    let gpu = Gpu::new(&GpuOptions::default().with_software(true)).unwrap();
    let flat = Ellipsoid::new(300e3, 300e3 * (1.0 - 0.0199)).unwrap();
    let bodies = [Ellipsoid::WGS84, Ellipsoid::MOON, Ellipsoid::MARS, flat]
        .map(|of| (of, ComputeKernel::new(&gpu.device, &composed(of), "decode", &Default::default()).unwrap()));
    let mut rng = StdRng::seed_from_u64(9);
    let mut found = bodies.each_ref().map(|_| (0f64, 0f64, 0));
    for round in 0..80 {
        let body = if round < 40 { 0 } else { 1 + round / 2 % 3 };
        let (ellipsoid, kernel) = &bodies[body];
        let (worst, worst_near_m, near) = &mut found[body];
        let near_m = 10_000.0 * ellipsoid.size();
        let special = [(90.0, 0.0), (-90.0, 10.0), (0.0, 180.0), (0.0, 45.0), (35.264_389_7, 45.0), (-35.26, -135.0)];
        let (lat, lon) = match round % 2 {
            0 => special[round / if body == 0 { 2 } else { 6 } % special.len()],
            _ => (rng.random_range(-90.0..90.0), rng.random_range(-180.0..180.0)),
        };
        let eye = Geodetic::from_degrees(lat, lon, 10f64.powf(rng.random_range(0.3..7.5)));
        let eye_m = eye.to_ecef(*ellipsoid);
        let ids: Vec<HeapId> = (0..1500).map(|i| random_id(&mut rng, (i % 2 == 0).then(|| eye.normal()))).collect();
        let heights: Vec<f32> = ids.iter().map(|_| rng.random_range(-11_000.0..9_000.0)).collect();
        let view = PlanetView::new(*ellipsoid, eye_m);
        for ((id, height), answer) in ids.iter().zip(&heights).zip(answers(&gpu, kernel, &view, &ids, &heights)) {
            let expected = id.triangle().0;
            let corners = answer.corners.map(|c| CubePoint([c[0], c[1], c[2]]));
            assert_eq!(corners, expected, "{id:?}");
            let exact = ellipsoid.ecef(expected[1].normal(), f64::from(*height)) - eye_m;
            let got = DVec3::from_array([0, 1, 2].map(|axis| f64::from(answer.position_m[axis])));
            let error_m = got.distance(exact);
            // Nearer than that, millimetres tell.
            *worst = worst.max(error_m / exact.length().max(300.0));
            if exact.length() < near_m {
                *near += 1;
                *worst_near_m = worst_near_m.max(error_m);
            }
        }
    }
    println!("worst error of the distance; m near by; vertices: {found:?}");
    for (worst, worst_near_m, near) in found {
        assert!(near > 100, "only {near} vertices near by");
        assert!(worst < 1e-5, "{worst} of the distance");
        assert!(worst_near_m < 3e-3, "{worst_near_m} m near by");
    }
}
