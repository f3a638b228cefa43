//! Is a pixel found where f64 says that it is? And what tests of tiles for pixels share.

use gpu::{Gpu, pipeline::ComputeKernel, transfer};
use rand::Rng;

use glam::Vec4;

use super::{
    pixel_place::{face_at, face_place},
    *,
};
use crate::{
    cube::{FacePoint, face_of},
    geodesy::Ellipsoid,
    metric::tests::bodies,
    random,
};

/// A pixel of the views that [`straight_down`] has.
pub(crate) const PIXEL_RAD: f64 = 2.0 * 0.422_793 / 180.0;

/// A small picture of what is below an eye.
pub(crate) fn straight_down(eye_m: DVec3) -> View {
    View { eye_m, forward: -eye_m, up: DVec3::new(0.3, 0.5, 0.8), fov_y_rad: 0.8, size_px: (320, 180) }
}

/// Normals of places that an eye has somewhere below it.
pub(crate) fn somewhere_below(rng: &mut impl Rng, ellipsoid: Ellipsoid, eye_m: DVec3) -> DVec3 {
    let aside = DVec3::from_array(std::array::from_fn(|_| rng.random_range(-0.2..0.2)));
    ellipsoid.normal_at(eye_m + aside * ellipsoid.height_m(eye_m))
}

/// What the module of a kind of tiles says at places in metres from the eye, with their normals: by a shader that imports it and has a type
/// `Found` and a function `answer`.
pub(crate) fn ask<K: PixelKind, Found: bytemuck::Pod>(
    gpu: &Gpu,
    tiles: &PixelTiles<K>,
    answer: &'static str,
    places: &[(DVec3, DVec3)],
) -> Vec<Found> {
    const ASK: &str = "
//!import ask/answer
struct Query { position_m: vec3f, spare: f32, n: vec3f, padding: f32 }
@group(0) @binding(0) var<storage, read> queries: array<Query>;
@group(0) @binding(1) var<storage, read_write> found: array<Found>;
@compute @workgroup_size(64)
fn ask(@builtin(global_invocation_id) id: vec3u) {
    if id.x < arrayLength(&queries) { found[id.x] = answer(queries[id.x].position_m, queries[id.x].n); }
}
";
    let mut composer = crate::composer_on(tiles.drawn.ellipsoid());
    composer.bind("ask/answer", "answer.wgsl", answer).bind("ask", "ask.wgsl", ASK);
    let kernel =
        ComputeKernel::new(&gpu.device, &composer.compose("ask").unwrap(), "ask", &Default::default()).unwrap();
    let queries: Vec<[Vec4; 2]> =
        places.iter().map(|(position_m, n)| [position_m.as_vec3().extend(0.0), n.as_vec3().extend(0.0)]).collect();
    let queries = transfer::upload(&gpu.device, "queries", &queries);
    let found = transfer::upload(&gpu.device, "found", &vec![Found::zeroed(); places.len()]);
    let buffers = [("queries", queries.as_entire_binding()), ("found", found.as_entire_binding())];
    let own = kernel.bind_group(&gpu.device, 0, &buffers).unwrap();
    let bindings = tiles.bindings();
    let group = kernel.bind_group(&gpu.device, bindings.group(), &bindings.named()).unwrap();
    let mut encoder = gpu.device.create_command_encoder(&Default::default());
    let mut pass = encoder.begin_compute_pass(&Default::default());
    pass.set_pipeline(kernel.pipeline());
    pass.set_bind_group(0, &own, &[]);
    pass.set_bind_group(bindings.group(), &group, &[]);
    pass.dispatch_workgroups((places.len() as u32).div_ceil(64), 1, 1);
    drop(pass);
    gpu.queue.submit([encoder.finish()]);
    transfer::download(gpu, &found).unwrap()
}

/// A place on the ground near an eye that is somewhere over it, often near an edge or a corner of the cube.
pub(crate) fn eye_and_ground(rng: &mut impl Rng, ellipsoid: Ellipsoid, away_m: f64) -> (DVec3, DVec3) {
    let mut unit = || DVec3::from_array(std::array::from_fn(|_| rng.random_range(-1.0..1.0))).normalize();
    let (n, aside) = (unit(), unit());
    let n = match rng.random_range(0..3) {
        0 => n,
        1 => (n.signum() * DVec3::new(1.0, 1.0, n.z) + aside * 1e-3).normalize(),
        _ => (n.signum() + aside * 1e-3).normalize(),
    };
    let eye_m = ellipsoid.ecef(n, 10f64.powf(rng.random_range(0.3..4.0)));
    let there = ellipsoid.normal_at(eye_m + aside * away_m);
    (eye_m, ellipsoid.ecef(there, rng.random_range(-400.0..8_000.0)))
}

/// Law: a pixel's place is that of f64: near the eye to centimetres and a millionth of the distance, elsewhere to the rounding of a
/// normal in f32; at the edges of the cube as well.
#[test]
fn places_are_those_of_f64() {
    let mut rng = random::rng();
    for case in 0..60_000 {
        let ellipsoid = bodies()[case % 4];
        let size = ellipsoid.size();
        let away_m = size * 10f64.powf(rng.random_range(0.0..6.5));
        let (eye_m, ground_m) = eye_and_ground(&mut rng, ellipsoid, away_m);
        let n = ellipsoid.normal_at(ground_m);
        let position_m = (ground_m - eye_m).as_vec3();
        let face = face_at(n.as_vec3());
        let at = face_place(position_m, n.as_vec3(), face, pixel_view(ellipsoid, eye_m, 1e-3, (0, 30)));
        let (own, ..) = face_of(n);
        let found = FacePoint { face, u: at.x, v: at.y }.point().normal();
        let off_m = found.distance(n) * ellipsoid.semi_major_m();
        let distance_m = f64::from(position_m.length());
        // A coordinate of another face ends at the edge, and so near to it that the wrong one is taken: by rounding.
        let least_m = if own == face { 0.03 } else { 1.0 };
        // Heights of kilometres are a larger part of a small body, and count for more where it is flat.
        let (least_m, share) = if ellipsoid.flattening() > 0.01 { (2.0 * least_m, 5e-6) } else { (least_m, 1e-6) };
        let allowed_m = if distance_m < NEAR_M * size { least_m + share * distance_m } else { 2.5 * size };
        assert!(off_m < allowed_m, "case {case}: {off_m} m off, {distance_m} m away");
    }
}
