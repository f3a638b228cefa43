//! Is the nearest triangle the one that a loop over all in f64 finds, on every device?

use super::common::{Words, benches};
use super::meshes::{closed, random_point, soup};
use glam::DVec3;
use gpu::transfer;
use kernels::{
    Count, GpuSlice, KernelError,
    lbvh::{Aabb, Codes, GpuLbvh, Hit, Lbvh, NearestIo, Outcome, Point, TraceOptions, Triangle, nearest},
};

/// The distance of a point to a triangle: by a walk down the convex function over its weights, from side to side.
fn distance(point: [f32; 3], triangle: &Triangle) -> f64 {
    let of = |p: [f32; 3]| DVec3::from_array(p.map(f64::from));
    let (p, corners) = (of(point), [of(triangle.a), of(triangle.b), of(triangle.c)]);
    let mut smallest = f64::INFINITY;
    for i in 0..3 {
        let (from, side) = (corners[i], corners[(i + 1) % 3] - corners[i]);
        let along = ((p - from).dot(side) / side.length_squared().max(1e-300)).clamp(0.0, 1.0);
        smallest = smallest.min((p - from - along * side).length());
    }
    let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]).normalize_or_zero();
    let foot = p - (p - corners[0]).dot(normal) * normal;
    let sides = [0, 1, 2].map(|i| (corners[(i + 1) % 3] - corners[i]).cross(foot - corners[i]).dot(normal));
    if normal != DVec3::ZERO && sides.iter().all(|side| *side >= 0.0) { (p - foot).length() } else { smallest }
}

fn points(n: usize) -> Vec<Point> {
    let mut words = Words(17);
    let reach = |i: usize| [f32::INFINITY, 0.05, 0.4][i % 3];
    let mut all: Vec<Point> = (0..n)
        .map(|i| Point { position: random_point(&mut words).map(|x| [1.0, 1.0, 50.0][i / 3 % 3] * x), reach: reach(i) })
        .collect();
    all[0].reach = -1.0;
    all[1].position[2] = f32::NAN;
    all[2].reach = f32::NAN;
    all[3].position[0] = 1e30;
    all
}

fn check(hits: &[Hit], points: &[Point], triangles: &[Triangle], who: &str) {
    for (i, (hit, point)) in hits.iter().zip(points).enumerate() {
        if i < 4 {
            assert_eq!(hit.outcome(), Outcome::Invalid, "{who}: {point:?}");
            continue;
        }
        let each = triangles.iter().map(|triangle| distance(point.position, triangle));
        let expected = each.clone().fold(f64::INFINITY, f64::min);
        let slack = 1e-4 * expected.clamp(1e-2, 1e6);
        match hit.outcome() {
            Outcome::Hit(hit) => {
                let own = distance(point.position, &triangles[hit.primitive as usize]);
                assert!((f64::from(hit.t) - expected).abs() < slack, "{who}: {hit:?}, not {expected} from {point:?}");
                assert!((own - expected).abs() < slack, "{who}: {hit:?} of {point:?} is {own} away");
                let t = &triangles[hit.primitive as usize];
                let place = |i: usize| (1.0 - hit.u - hit.v) * t.a[i] + hit.u * t.b[i] + hit.v * t.c[i];
                let apart = DVec3::from_array([0, 1, 2].map(|i| f64::from(place(i) - point.position[i]))).length();
                assert!((apart - expected).abs() < slack, "{who}: u and v of {hit:?} say {apart}, not {expected}");
            }
            Outcome::Miss => {
                assert!(expected >= f64::from(point.reach) - slack, "{who}: {point:?} has one at {expected}")
            }
            outcome => panic!("{who}: {outcome:?} for {point:?}"),
        }
    }
}

#[test]
fn the_nearest_is_that_of_a_loop_over_all() {
    let flat = Triangle { a: [0.1; 3], b: [0.1; 3], c: [0.3, 0.1, 0.1] };
    let unseen = Triangle { a: [f32::NAN, 0.0, 0.0], ..flat };
    let scenes = [vec![], soup(1, 2), vec![flat; 3], soup(500, 9), closed(6)];
    for triangles in scenes {
        let boxes: Vec<Aabb> = triangles.iter().map(Triangle::bounds).collect();
        let (tree, points, n) = (Lbvh::build(&boxes).unwrap(), points(600), triangles.len() as u32);
        let on_cpu = nearest(&tree, &triangles, &points, TraceOptions::SAFE_STEPS).unwrap();
        check(&on_cpu, &points, &triangles, "cpu");
        let hasty = nearest(&tree, &triangles, &points, 2).unwrap();
        assert!(n < 100 || hasty.iter().filter(|hit| hit.outcome() == Outcome::Limit).count() > 300);
        for bench in benches() {
            let (device, plan) = (&bench.gpu.device, bench.kernels.lbvh().unwrap());
            let gpu = GpuLbvh::new(device, n).unwrap();
            let buffer = transfer::upload(device, "boxes", &boxes);
            let (scratch, count) = (bench.dirty_scratch(plan.scratch(n)), Count::Fixed(n));
            bench.run(&plan.bind(GpuSlice::whole(&buffer), Codes::Morton, &gpu, count, &scratch).unwrap(), 1);
            let given = transfer::upload(device, "triangles", &triangles);
            let (asked, hits) = (bench.guarded(&points), bench.room::<Hit>(points.len()));
            let io =
                NearestIo { tree: &gpu, triangles: GpuSlice::whole(&given), points: asked.slice(), hits: hits.slice() };
            let plan = bench.kernels.nearest_points().unwrap();
            let count = Count::Fixed(points.len() as u32);
            bench.run(&plan.bind(io, TraceOptions::SAFE_STEPS, count).unwrap(), 1);
            check(&bench.read(&hits), &points, &triangles, &bench.name);
            bench.run(&plan.bind(io, 2, count).unwrap(), 1);
            let limits = |hits: &[Hit]| hits.iter().map(|hit| hit.outcome() == Outcome::Limit).collect::<Vec<_>>();
            assert_eq!(limits(&bench.read(&hits)), limits(&hasty), "{}", bench.name);
        }
    }
    let tree = Lbvh::build(&[flat.bounds(), unseen.bounds()]).unwrap();
    assert!(matches!(nearest(&tree, &[flat], &[], 9), Err(KernelError::TooShort { wanted: 2, .. })));
    let beside = [Point { position: [0.2, 0.1, 0.4], reach: 1.0 }];
    let found = nearest(&tree, &[flat, unseen], &beside, 9).unwrap()[0];
    assert!(
        found.primitive == 0 && (found.t - 0.3).abs() < 1e-6,
        "a triangle without a place is no neighbour: {found:?}"
    );
}
