//! Laws of the metric on the device: it is the f64 metric of the same texels, to within a stated bound.

use glam::DVec2;
use rand::{Rng, SeedableRng, rngs::StdRng};

use gpu::{Gpu, GpuOptions, transfer};

use super::*;
use crate::{
    bisection::{HeapId, ROOTS, Triangle, bisected_edge, corners},
    cube::{CubePoint, ONE, face_normal},
    geodesy::{Ellipsoid, Geodetic},
    height::{GlobalGrid, Registration},
    metric::{reach_over_edge, reach_scale, tests::bodies},
    tile::{Tile, birth},
};

const SHADER: &str = "//!import terrain/vertex_state
struct Answer {
    ratio: f32, seen: f32, reach_m: f32, resident: u32, position_m: vec3f, height_m: f32, rise_m: f32, bound_m: f32,
}
@group(0) @binding(0) var<storage, read> points: array<vec4u>;
@group(0) @binding(1) var<storage, read_write> answers: array<Answer>;
@compute @workgroup_size(64)
fn ask(@builtin(global_invocation_id) invocation: vec3u) {
    let i = invocation.x;
    if i >= arrayLength(&points) { return; }
    let state = vertex_state(FacePoint(points[i].x, points[i].y, points[i].z));
    let bounds = bounds_of(state);
    let resident = u32(state.resident);
    answers[i] = Answer(
        state.ratio, seen(state), bounds.reach_m, resident, state.position_m, state.height_m, bounds.rise_m, bounds.bound_m,
    );
}";

#[repr(C)]
#[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
struct Answer {
    ratio: f32,
    seen: f32,
    reach_m: f32,
    resident: u32,
    position_m: [f32; 3],
    height_m: f32,
    rise_m: f32,
    bound_m: f32,
    padding: [u32; 2],
}

/// Triangles of all depths to 40, half of them near the eye: what is asked for are the vertices that cut them.
fn triangles(ellipsoid: Ellipsoid, eye: DVec3, rng: &mut StdRng) -> Vec<Triangle> {
    let below = ellipsoid.normal_at(eye);
    let distance = |id: HeapId| id.triangle().midpoint().normal().distance(below);
    let nearest = |ids: &mut dyn Iterator<Item = HeapId>| {
        ids.min_by(|&a, &b| distance(a).total_cmp(&distance(b))).expect("there are some")
    };
    (0..2_000)
        .map(|i| {
            let depth = rng.random_range(0..40);
            let mut id = HeapId::root(rng.random_range(0..ROOTS));
            if i % 2 == 0 {
                id = nearest(&mut (0..ROOTS).map(HeapId::root));
            }
            for level in 0..depth {
                // Astray at last, so that not all are the same.
                let astray = i % 2 == 1 || level + 6 > depth;
                id = if astray { id.child(rng.random_range(0..2)) } else { nearest(&mut (0..2).map(|b| id.child(b))) };
            }
            id.triangle()
        })
        .collect()
}

/// A place in a triangle, picked at random.
fn place_in(triangle: Triangle, rng: &mut StdRng) -> DVec3 {
    let face = triangle.midpoint().on_face().face;
    let on_face = |corner: CubePoint| corner.on(face).map(|p| DVec2::new(f64::from(p.u), f64::from(p.v)));
    let [Some(a), Some(b), Some(c)] = triangle.0.map(on_face) else {
        // The vertex lies on the edge of another face.
        return triangle.midpoint().normal();
    };
    let (s, t) = (rng.random_range(0.0..1.0f64).sqrt(), rng.random_range(0.0..1.0));
    let place = (a + (b - a) * s + (c - b) * (s * t)) * (2.0 / f64::from(ONE)) - 1.0;
    face_normal(face, place.x, place.y)
}

/// Law: position to 0.02 px at 1080 lines, ratio to two parts in 1000, of the f64 metric of the same texel; the ground in the triangles
/// that the vertex cuts is no higher than is said of it, and within the bound; of what is called hidden, the occluder covers all
/// that the ground may be.
#[test]
fn the_metric_is_that_of_f64() {
    let mut rng = StdRng::seed_from_u64(11);
    let views = [(46.0, 8.0, 6_000.0), (-89.99, 0.0, 30_000.0), (5.0, 179.999, 2_000_000.0)];
    let found = is_that_of_f64(Ellipsoid::WGS84, &views, &mut rng);
    assert!(found[0] > 1_000 && found[1] > 100 && found[2] > 100, "{found:?}: state, hidden, missing");
    let [.., flat] = bodies();
    let found = is_that_of_f64(flat, &[(40.0, 8.0, 6_000.0), (5.0, 179.999, 100_000.0)], &mut rng);
    assert!(found[0] > 600 && found[1] > 60, "{found:?}: state, hidden, missing");
}

/// How many vertices have a state, are hidden, and lack their tiles.
fn is_that_of_f64(ellipsoid: Ellipsoid, views: &[(f64, f64, f64)], rng: &mut StdRng) -> [u32; 3] {
    let gpu = Gpu::new(&GpuOptions::default().with_software(true)).unwrap();
    let grid = GlobalGrid::from_fn(720, 361, Registration::Node, |lon_deg, lat_deg| {
        3_000.0 * (0.2 * lon_deg).sin() * (0.3 * lat_deg).cos() + 500.0 * (1.7 * lat_deg + lon_deg).sin()
    });
    let relief = Arc::new(Relief::from_grid_on(ellipsoid, grid).unwrap());
    let coarse_errors = relief.coarse_errors();
    let mut terrain = GpuTerrain::new(&gpu.device, relief.clone(), Options::default().with_tiles(64)).unwrap();
    let mut composer = crate::composer_on(ellipsoid);
    composer.bind("test/metric", "metric.wgsl", SHADER);
    let kernel =
        ComputeKernel::new(&gpu.device, &composer.compose("test/metric").unwrap(), "ask", &Default::default()).unwrap();
    let [pages, tiles] = {
        let all = terrain.tiles.all();
        [all.store().pages().clone(), all.store().tiles().clone()]
    };
    let view_group = [
        ("pages", wgpu::BindingResource::TextureView(&pages)),
        ("tiles", wgpu::BindingResource::TextureView(&tiles)),
        ("metric", terrain.buffers.metric.as_entire_binding()),
    ];
    let view_group = kernel.bind_group(&gpu.device, 1, &view_group).unwrap();
    let planet_group =
        kernel.bind_group(&gpu.device, 2, &[("planet", terrain.buffers.planet.as_entire_binding())]).unwrap();

    let (mut state, mut hidden, mut missing) = (0, 0, 0);
    let mut tiles = std::collections::HashMap::new();
    for &(lat, lon, height_m) in views {
        let at = Geodetic::from_degrees(lat, lon, height_m);
        let view = View {
            eye_m: at.to_ecef(ellipsoid),
            forward: DVec3::Y,
            up: at.normal(),
            fov_y_rad: 0.9,
            size_px: (1920, 1080),
        };
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        terrain.update_complete(&view, &gpu.queue, &mut encoder).unwrap();
        gpu.queue.submit([encoder.finish()]);

        let triangles = triangles(ellipsoid, view.eye_m, rng);
        let places = triangles.iter().map(|triangle| triangle.midpoint().on_face());
        let places: Vec<[u32; 4]> = places.map(|p| [p.face, p.u, p.v, 0]).collect();
        let answers: Vec<Answer> = ask(&gpu, &kernel, [&view_group, &planet_group], &places);
        let occluder = Occluder::around(&relief, view.eye_m);
        let frustum = view.frustum(occluder).unwrap();
        let base_m = terrain.height_m(ellipsoid.normal_at(view.eye_m)).round();
        let nearest_m = nearest_m(&relief, view.eye_m);
        let quality = terrain.options.quality;
        for (triangle, answer) in triangles.into_iter().zip(answers) {
            let vertex = triangle.midpoint();
            let n = vertex.normal();
            let exact_m = ellipsoid.ecef(n, f64::from(answer.height_m)) - view.eye_m;
            let got_m = glam::Vec3::from_array(answer.position_m).as_dvec3();
            let error_px = (got_m - exact_m).length() / exact_m.length() * frustum.pixels_per_radian;
            assert!(error_px < 0.02, "{vertex:?} is {error_px} px off");
            if answer.resident == 0 {
                missing += 1;
                continue;
            }
            for _ in 0..20 {
                let n = place_in(triangle, rng);
                let above_m = relief.sample(n).height_m - f64::from(answer.height_m);
                // Heights are multiples of 1/512 m.
                assert!(
                    above_m <= f64::from(answer.rise_m) + 0.002,
                    "{vertex:?}: ground {above_m} m above it, {}",
                    answer.rise_m
                );
                let away_m = ellipsoid
                    .ecef(n, relief.sample(n).height_m)
                    .distance(ellipsoid.ecef(vertex.normal(), f64::from(answer.height_m)));
                assert!(
                    away_m <= 1.001 * f64::from(answer.bound_m) + 0.002,
                    "{vertex:?}: {away_m} m away, {}",
                    answer.bound_m
                );
            }
            let (tile, x, y) = birth(vertex);
            state += 1;
            // Building a tile takes a while: of the deep ones only some.
            if tile.level > 0 && state % 40 != 0 {
                continue;
            }
            let tile = tiles.entry(tile).or_insert_with(|| Tile::build(&relief, &coarse_errors, tile));
            let texel = tile.texel(x as usize, y as usize);
            assert_eq!(answer.height_m, texel.height_m() as f32, "{vertex:?}");
            let [a, b] = bisected_edge(vertex).unwrap();
            let edge_m = ellipsoid.ecef(a.normal(), base_m).distance(ellipsoid.ecef(b.normal(), base_m));
            let least_m = coarse_errors.error_m(vertex).filter(|e| *e > 39_000.0).unwrap_or(0.0);
            let error_m = f64::from(texel.refinement_error_m()).max(least_m);
            let to_vertex_m = exact_m.length();
            let reach_over_edge = f64::from(reach_over_edge(corners::bisected_edge(vertex.on_face())));
            let reach_m = reach_over_edge * reach_scale(ellipsoid) * edge_m;
            let within_m = (2.0 * (to_vertex_m - reach_m)).max(nearest_m - 3.0 * error_m);
            let sideways_m = to_vertex_m.powi(2) / n.cross(exact_m).length();
            let pixels = |m: f64, distance_m: f64| m * frustum.pixels_per_radian / distance_m.min(within_m).max(0.1);
            let ratio = (pixels(error_m, sideways_m) / quality.pixel_error)
                .min(pixels(edge_m, to_vertex_m) / quality.min_edge_px);
            let off = (f64::from(answer.ratio) - ratio).abs() / ratio.max(1e-9);
            assert!(off < 2e-3, "{vertex:?}: ratio {} instead of {ratio}", answer.ratio);

            if answer.seen == 0.0 && ratio > 0.0 {
                hidden += 1;
                let eye = view.eye_m * occluder.inverse_axes;
                for _ in 0..20 {
                    let direction = DVec3::from_array(std::array::from_fn(|_| rng.random_range(-1.0..1.0))).normalize();
                    let away =
                        direction * rng.random_range(0.0..1.0) * f64::from(answer.reach_m) / ellipsoid.semi_major_m();
                    let top_m = f64::from(answer.height_m + answer.rise_m).min(occluder.highest_m);
                    let point = ellipsoid.ecef((n + away).normalize(), top_m) * occluder.inverse_axes;
                    // The segment from eye to point must pass through the unit sphere.
                    let along = point - eye;
                    let nearest = eye + along * (-eye.dot(along) / along.length_squared()).clamp(0.0, 1.0);
                    assert!(nearest.length() < 1.0, "{vertex:?} is hidden and may be seen");
                }
            }
        }
    }
    [state, hidden, missing]
}

fn ask(gpu: &Gpu, kernel: &ComputeKernel, groups: [&wgpu::BindGroup; 2], points: &[[u32; 4]]) -> Vec<Answer> {
    let words = size_of::<Answer>() / 4 * points.len();
    let input = transfer::upload(&gpu.device, "points", points.as_flattened());
    let output = transfer::storage::<u32>(&gpu.device, "answers", words as u32);
    let io = [("points", input.as_entire_binding()), ("answers", output.as_entire_binding())];
    let io = kernel.bind_group(&gpu.device, 0, &io).unwrap();
    let mut encoder = gpu.device.create_command_encoder(&Default::default());
    {
        let mut pass = encoder.begin_compute_pass(&Default::default());
        pass.set_pipeline(kernel.pipeline());
        pass.set_bind_group(0, &io, &[]);
        pass.set_bind_group(1, groups[0], &[]);
        pass.set_bind_group(2, groups[1], &[]);
        pass.dispatch_workgroups(points.len().div_ceil(64) as u32, 1, 1);
    }
    gpu.queue.submit([encoder.finish()]);
    bytemuck::pod_collect_to_vec(&transfer::download::<u32>(gpu, &output).unwrap())
}
