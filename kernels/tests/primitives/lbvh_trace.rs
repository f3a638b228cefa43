//! Does a traversal find what a loop over all triangles finds, the same on every device, and does no ray leak?

use super::common::{Counted, Words, benches};
use super::meshes::{closed, random_point, rays, soup, terrain, unit};
use gpu::transfer;
use kernels::{
    Count, GpuSlice, KernelError,
    lbvh::{Aabb, Codes, GpuLbvh, Hit, Lbvh, Outcome, Query, Ray, TraceIo, TraceOptions, Triangle, trace},
};

fn tree_of(triangles: &[Triangle]) -> Lbvh {
    Lbvh::build(&triangles.iter().map(|t| t.bounds()).collect::<Vec<Aabb>>()).unwrap()
}

fn sub(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|i| a[i] - b[i])
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    (0..3).map(|i| a[i] * b[i]).sum()
}

/// Möller & Trumbore 1997 in f64: t, and how far inside the triangle the point lies (negative outside).
fn oracle(triangle: &Triangle, ray: &Ray) -> Option<(f64, f64)> {
    let [a, b, c] = [triangle.a, triangle.b, triangle.c].map(|p| p.map(f64::from));
    let (o, d) = (ray.origin.map(f64::from), ray.direction.map(f64::from));
    let (ab, ac, ao) = (sub(b, a), sub(c, a), sub(o, a));
    let p = cross(d, ac);
    let det = dot(ab, p);
    if det == 0.0 {
        return None;
    }
    let q = cross(ao, ab);
    let (u, v, t) = (dot(ao, p) / det, dot(d, q) / det, dot(ac, q) / det);
    Some((t, u.min(v).min(1.0 - u - v)))
}

/// The found hit is one that the exact test confirms within `1e-4`, and the exact test finds none clearly before it.
fn check_closest(triangles: &[Triangle], ray: &Ray, hit: Hit, name: &str) {
    const MARGIN: f64 = 1e-4;
    let in_range = |t: f64| t >= f64::from(ray.t_min) + MARGIN && t <= f64::from(ray.t_max) - MARGIN;
    let clear = triangles.iter().filter_map(|triangle| oracle(triangle, ray));
    let nearest = clear.filter(|(t, inside)| in_range(*t) && *inside > MARGIN).map(|(t, _)| t).fold(f64::MAX, f64::min);
    match hit.outcome() {
        Outcome::Miss => assert_eq!(nearest, f64::MAX, "{name}: {ray:?} missed"),
        Outcome::Hit(hit) => {
            assert!(f64::from(hit.t) <= nearest + MARGIN * nearest.max(1.0), "{name}: {ray:?} {hit:?} after {nearest}");
            assert!((ray.t_min..=ray.t_max).contains(&hit.t), "{name}: {hit:?}");
            let triangle = &triangles[hit.primitive as usize];
            // The point by u and v is the point by t.
            let (u, v) = (f64::from(hit.u), f64::from(hit.v));
            assert!(u.min(v).min(1.0 - u - v) > -MARGIN, "{name}: {hit:?} is outside");
            for i in 0..3 {
                let [a, b, c] = [triangle.a[i], triangle.b[i], triangle.c[i]].map(f64::from);
                let by_uv = (1.0 - u - v) * a + u * b + v * c;
                let by_t = f64::from(ray.origin[i]) + f64::from(hit.t) * f64::from(ray.direction[i]);
                assert!((by_uv - by_t).abs() < 1e-3, "{name}: {hit:?} at {by_uv} or {by_t}");
            }
        }
        other => panic!("{name}: {other:?}"),
    }
}

#[test]
fn closest_hits_are_those_of_a_loop_over_all() {
    for (name, triangles) in [
        ("none", soup(0, 1)),
        ("one", soup(1, 1)),
        ("two", soup(2, 1)),
        ("soup", soup(1500, 1)),
        ("terrain", terrain(24)),
        ("closed", closed(3)),
    ] {
        let tree = tree_of(&triangles);
        let rays = rays(&triangles, 3000, 7);
        let closest = trace(&tree, &triangles, &rays, TraceOptions::new(Query::Closest)).unwrap();
        let any = trace(&tree, &triangles, &rays, TraceOptions::new(Query::Any)).unwrap();
        for ((ray, hit), any) in rays.iter().zip(closest).zip(any) {
            check_closest(&triangles, ray, hit, name);
            assert_eq!(hit.primitive == Hit::MISS, any.primitive == Hit::MISS, "{name}: {ray:?}");
            assert!(any.primitive == Hit::MISS || any.t >= hit.t, "{name}: {ray:?}");
        }
    }
}

/// As many rays as `OROGEN_LEAK_RAYS` says, 100 000 where it is unset.
#[test]
fn no_ray_leaves_a_closed_surface() {
    let count = std::env::var("OROGEN_LEAK_RAYS").ok().and_then(|n| n.parse().ok()).unwrap_or(100_000usize);
    let triangles = closed(6);
    let tree = tree_of(&triangles);
    let mut words = Words(3);
    for begin in (0..count).step_by(100_000) {
        let ray = |i: usize| {
            // From anywhere inside, and from the centre, where corners lie at simple directions.
            let origin = if i.is_multiple_of(4) { [0.0; 3] } else { random_point(&mut words).map(|x| 0.4 * x) };
            let triangle = &triangles[words.next() as usize % triangles.len()];
            let along = [0.0, 0.5, unit(words.next())][i % 3];
            let target: [f32; 3] = std::array::from_fn(|k| triangle.a[k] + along * (triangle.b[k] - triangle.a[k]));
            Ray::new(origin, std::array::from_fn(|k| target[k] - origin[k]))
        };
        let rays: Vec<Ray> = (begin..count.min(begin + 100_000)).map(ray).collect();
        let hits = trace(&tree, &triangles, &rays, TraceOptions::new(Query::Closest)).unwrap();
        let leak = rays.iter().zip(&hits).find(|(_, hit)| !matches!(hit.outcome(), Outcome::Hit(_)));
        assert!(leak.is_none(), "{leak:?}");
        // From outside towards an edge the surface is met as well.
        let back =
            |ray: &Ray| Ray { origin: ray.direction.map(|x| 4.0 * x), ..Ray::new([0.0; 3], ray.direction.map(|x| -x)) };
        let rays: Vec<Ray> = rays.iter().filter(|ray| ray.origin == [0.0; 3]).map(back).collect();
        let hits = trace(&tree, &triangles, &rays, TraceOptions::new(Query::Any)).unwrap();
        let leak = rays.iter().zip(&hits).find(|(_, hit)| !matches!(hit.outcome(), Outcome::Hit(_)));
        assert!(leak.is_none(), "from outside: {leak:?}");
    }
}

/// Codes that make a path as long as their bits, with inner nodes on both sides all the way down.
#[test]
fn the_stack_is_deep_enough_for_the_deepest_trees() {
    let codes: Vec<u32> = (0..32).flat_map(|bit| [1 << bit; 3]).chain([0; 600]).collect();
    let triangles = soup(codes.len(), 3);
    let boxes: Vec<Aabb> = triangles.iter().map(|t| t.bounds()).collect();
    let (deep, usual) = (Lbvh::build_with_codes(&boxes, &codes).unwrap(), Lbvh::build(&boxes).unwrap());
    assert!(deep.depth() > 40, "{}", deep.depth());
    let rays = rays(&triangles, 2000, 3);
    let options = TraceOptions::new(Query::Closest);
    let expected = trace(&usual, &triangles, &rays, options).unwrap();
    assert!(trace(&deep, &triangles, &rays, options).unwrap() == expected);
}

#[test]
fn wrong_rays_and_short_limits_are_told() {
    let triangles = soup(500, 1);
    let tree = tree_of(&triangles);
    let good = Ray::new([-3.0, 0.0, 0.0], [1.0, 0.0, 0.0]);
    let wrong = [
        Ray { direction: [0.0, -0.0, 0.0], ..good },
        Ray { direction: [f32::NAN, 1.0, 0.0], ..good },
        Ray { direction: [f32::INFINITY, 1.0, 0.0], ..good },
        Ray { direction: [1e-30, 0.0, 0.0], ..good },
        Ray { origin: [f32::NAN; 3], ..good },
        Ray { t_min: f32::NAN, ..good },
        Ray { t_max: f32::NAN, ..good },
    ];
    for hit in trace(&tree, &triangles, &wrong, TraceOptions::new(Query::Any)).unwrap() {
        assert_eq!(hit.outcome(), Outcome::Invalid);
    }
    let short = TraceOptions::new(Query::Closest).with_max_steps(3);
    assert_eq!(trace(&tree, &triangles, &[good], short).unwrap()[0].outcome(), Outcome::Limit);
    let error = trace(&tree, &triangles[..499], &[good], short).unwrap_err();
    assert!(matches!(error, KernelError::TooShort { slice: "triangles", .. }));
    // An empty range of t meets nothing.
    let empty = Ray { t_min: 2.0, t_max: 1.0, ..good };
    assert_eq!(trace(&tree, &triangles, &[empty], short).unwrap()[0].outcome(), Outcome::Miss);
}

/// Law: closest hits are those of the CPU, bit for bit on Mesa's software device; elsewhere compilers may fuse, so hits are as near. Any hit
/// is one or none as on the CPU, and a ray that was cut short says so.
#[test]
fn devices_find_the_same_hits() {
    for bench in benches() {
        let (device, plan) = (&bench.gpu.device, bench.kernels.lbvh().unwrap());
        let tracer = bench.kernels.trace_rays().unwrap();
        for triangles in [soup(0, 1), soup(1, 1), soup(3000, 1), terrain(40), closed(4)] {
            let n = triangles.len() as u32;
            let boxes: Vec<Aabb> = triangles.iter().map(|t| t.bounds()).collect();
            let (cpu, tree) = (Lbvh::build(&boxes).unwrap(), GpuLbvh::new(device, n).unwrap());
            let boxes = transfer::upload(device, "boxes", &boxes);
            let guarded = bench.guarded(&triangles);
            let scratch = bench.dirty_scratch(plan.scratch(n));
            let slice = GpuSlice::whole(&boxes);
            bench.run(&plan.bind(slice, Codes::Morton, &tree, Count::Fixed(n), &scratch).unwrap(), 1);

            let mut rays = rays(&triangles, 2000, 1);
            rays[0].direction = [0.0; 3];
            for options in [
                TraceOptions::new(Query::Closest),
                TraceOptions::new(Query::Any),
                TraceOptions::new(Query::Closest).with_max_steps(9),
            ] {
                let expected = trace(&cpu, &triangles, &rays, options).unwrap();
                let given = bench.guarded(&rays);
                for counted in Counted::all(bench, rays.len() as u32) {
                    let hits = bench.room::<Hit>(rays.len());
                    let (triangles, rays) = (guarded.slice(), given.slice());
                    let io = TraceIo { tree: &tree, triangles, rays, hits: hits.slice() };
                    bench.run(&tracer.bind(io, options, counted.count()).unwrap(), 1);
                    let found = bench.read(&hits);
                    let bench_name = &bench.name;
                    for (found, expected) in found.iter().zip(&expected).take(counted.items()) {
                        let same = bytemuck::bytes_of(found) == bytemuck::bytes_of(expected);
                        let is_near = (found.t - expected.t).abs() <= 1e-5 * expected.t.abs().max(1.0);
                        let agrees = match (options.query, options.max_steps) {
                            (Query::Closest, TraceOptions::SAFE_STEPS) if bench.gpu.caps.is_software() => same,
                            (Query::Closest, TraceOptions::SAFE_STEPS) => is_near,
                            // Each finds one of its own, or none.
                            (Query::Any, _) => (found.primitive == Hit::MISS) == (expected.primitive == Hit::MISS),
                            // The orders of nodes differ where boxes are met at the same place.
                            _ => same || [found, expected].iter().any(|hit| hit.outcome() == Outcome::Limit),
                        };
                        assert!(agrees, "{bench_name}, {n}, {options:?}: {found:?}, not {expected:?}");
                    }
                    assert!(found[counted.items()..].iter().all(|hit| hit.primitive == 0xA5A5_A5A5));
                }
            }
        }
    }
}
