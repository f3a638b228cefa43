//! Do trees of eight children a node, and those of devices, find what the binary one finds, bit for bit, in whatever scene?

use super::common::{Bench, Words, benches};
use super::meshes::{closed, random_point, rays, soup, terrain, unit};
use kernels::{
    Count, KernelError,
    lbvh::{
        Aabb, Bvh4TraceIo, Bvh8, GpuBvh4, GpuLbvh, Hit, Lbvh, Outcome, Query, Ray, TraceIo, TraceOptions, Triangle,
        trace,
    },
};

fn bounds(triangles: &[Triangle]) -> Vec<Aabb> {
    triangles.iter().map(Triangle::bounds).collect()
}

fn moved(triangles: &[Triangle], to: impl Fn([f32; 3]) -> [f32; 3]) -> Vec<Triangle> {
    triangles.iter().map(|t| Triangle { a: to(t.a), b: to(t.b), c: to(t.c) }).collect()
}

/// Four small soups far apart.
fn towns(n: usize) -> Vec<Triangle> {
    let town = |k: u32| {
        let mut words = Words(u64::from(k) + 20);
        let centre = random_point(&mut words);
        moved(&soup(n / 4, k.into()), move |p| std::array::from_fn(|i| centre[i] + 1e-3 * p[i]))
    };
    (0..4).flat_map(town).collect()
}

/// Soups as seen from a place among them, each ten times as far away and as large as the one before.
fn far_and_near() -> Vec<Triangle> {
    let soup_at = |k: i32| {
        let size = 10f32.powi(k - 3);
        let away = random_point(&mut Words(k as u64 + 40));
        moved(&soup(300, k as u64), move |p| std::array::from_fn(|i| size * (p[i] + 3.0 * away[i])))
    };
    (0..10).flat_map(soup_at).collect()
}

/// Rays of every kind about triangles: those of a cube of side 2 put where the scene is, some with other ranges of t, along
/// axes, from on a corner, from far away.
fn all_rays(triangles: &[Triangle], n: usize, seed: u64) -> Vec<Ray> {
    let around = Aabb::around(triangles.iter().flat_map(|t| [t.a, t.b, t.c]));
    let (low, high) = if triangles.is_empty() { ([-1.0; 3], [1.0; 3]) } else { (around.low, around.high) };
    let place = |p: [f32; 3]| std::array::from_fn(|i| low[i] + (0.5 + 0.5 * p[i]) * (high[i] - low[i]));
    let size = (0..3).map(|i| high[i] - low[i]).fold(f32::MIN_POSITIVE, f32::max);
    let mut words = Words(seed);
    let ray = |(i, ray): (usize, Ray)| {
        let origin = place(ray.origin);
        let to = triangles.get(words.next() as usize % triangles.len().max(1)).map_or([0.0; 3], |t| {
            let along = unit(words.next());
            std::array::from_fn(|k| t.a[k] + along * (t.b[k] - t.a[k]))
        });
        let towards = |origin: [f32; 3]| std::array::from_fn(|k| to[k] - origin[k]);
        let ray = match i % 8 {
            0 | 1 => Ray::new(origin, ray.direction),
            2 => Ray { t_min: -1.5, t_max: 1.5, ..Ray::new(origin, towards(origin)) },
            3 => Ray { t_min: f32::MIN, t_max: -0.25, ..Ray::new(origin, towards(origin)) },
            4 => Ray::new(to, ray.direction),
            5 => {
                let far = origin.map(|x| x + 1e3 * size);
                Ray::new(far, towards(far))
            }
            6 => {
                let mut along = [0.0, -0.0, 1e-35];
                along[i / 8 % 3] = if i.is_multiple_of(2) { 1.0 } else { -1.0 };
                Ray { t_min: f32::MIN, ..Ray::new(to, along) }
            }
            _ => Ray::new(origin, towards(origin)),
        };
        // Directions keep to the lengths that are valid, however large or small the scene is.
        let longest = ray.direction.iter().fold(0.0f32, |longest, x| longest.max(x.abs()));
        let scale = if (1e-15..1e15).contains(&longest) || longest == 0.0 { 1.0 } else { longest.recip() };
        Ray { direction: ray.direction.map(|x| x * scale), ..ray }
    };
    rays(&[], n, seed).into_iter().enumerate().map(ray).collect()
}

/// Whether rounding puts a hit beside the box of its triangle, which is a needle then: who finds it depends on which boxes
/// are entered for the sake of others.
fn is_noise(triangles: &[Triangle], ray: &Ray, hit: &Hit) -> bool {
    let Outcome::Hit(hit) = hit.outcome() else { return false };
    let Aabb { low, high } = triangles[hit.primitive as usize].bounds();
    let reach = |i: usize| (low[i] - ray.origin[i]).abs().max((high[i] - ray.origin[i]).abs());
    let slack = f64::from(reach(0).max(reach(1)).max(reach(2)) / (1 << 20) as f32);
    (0..3).any(|i| {
        let x = f64::from(ray.origin[i]) + f64::from(hit.t) * f64::from(ray.direction[i]);
        x < f64::from(low[i]) - slack || x > f64::from(high[i]) + slack
    })
}

/// Rays through a tree.
type Tracer<'a> = dyn Fn(&[Ray], TraceOptions) -> Vec<Hit> + 'a;

/// The tree of a device, collapsed there, with the triangles of a slice behind others.
fn on_device<'a>(
    bench: &'a Bench,
    tree: &Lbvh,
    triangles: &[Triangle],
) -> impl Fn(&[Ray], TraceOptions) -> Vec<Hit> + 'a {
    let (device, n) = (&bench.gpu.device, triangles.len() as u32);
    let binary = GpuLbvh::upload(&bench.gpu, tree).unwrap();
    // With room to spare, of which nothing is read.
    let four_wide = GpuBvh4::new(device, n + 5).unwrap();
    let triangles = bench.guarded(triangles);
    let build = bench.kernels.bvh4().unwrap();
    bench.run(&build.bind(&binary, triangles.slice(), &four_wide, Count::Fixed(n)).unwrap(), 1);
    let tracer = bench.kernels.trace_bvh4().unwrap();
    move |rays, options| {
        let (given, hits) = (bench.guarded(rays), bench.room::<Hit>(rays.len()));
        let io = Bvh4TraceIo { tree: &four_wide, rays: given.slice(), hits: hits.slice() };
        bench.run(&tracer.bind(io, options, Count::Fixed(rays.len() as u32)).unwrap(), 1);
        bench.read(&hits)
    }
}

/// The binary tree on a device.
fn binary_on_device<'a>(
    bench: &'a Bench,
    tree: &Lbvh,
    triangles: &[Triangle],
) -> impl Fn(&[Ray], TraceOptions) -> Vec<Hit> + 'a {
    let tree = GpuLbvh::upload(&bench.gpu, tree).unwrap();
    let triangles = bench.guarded(triangles);
    let tracer = bench.kernels.trace_rays().unwrap();
    move |rays, options| {
        let (given, hits) = (bench.guarded(rays), bench.room::<Hit>(rays.len()));
        let io = TraceIo { tree: &tree, triangles: triangles.slice(), rays: given.slice(), hits: hits.slice() };
        bench.run(&tracer.bind(io, options, Count::Fixed(rays.len() as u32)).unwrap(), 1);
        bench.read(&hits)
    }
}

fn check_on_cpu(tree: &Lbvh, triangles: &[Triangle], rays: &[Ray], name: &str) {
    let eight = Bvh8::new(tree, triangles).unwrap();
    check_by(&|rays, options| eight.trace(rays, options), true, tree, triangles, rays, name);
}

fn check(tree: &Lbvh, triangles: &[Triangle], rays: &[Ray], name: &str) {
    check_on_cpu(tree, triangles, rays, name);
    // Forms of other kernels differ between the devices, these do not.
    let bench = &benches()[0];
    let is_exact = bench.gpu.caps.is_software();
    let four = on_device(bench, tree, triangles);
    check_by(&four, is_exact, tree, triangles, rays, &format!("{name}, four children, {}", bench.name));
    let binary = binary_on_device(bench, tree, triangles);
    check_by(&binary, is_exact, tree, triangles, rays, &format!("{name}, two children, {}", bench.name));
}

/// Law: closest hits are those of the binary tree, bit for bit where the arithmetic is, and any hit is one behind these.
fn check_by(find: &Tracer<'_>, is_exact: bool, tree: &Lbvh, triangles: &[Triangle], rays: &[Ray], name: &str) {
    let closest = TraceOptions::new(Query::Closest);
    let expected = trace(tree, triangles, rays, closest).unwrap();
    for ((ray, found), expected) in rays.iter().zip(find(rays, closest)).zip(&expected) {
        let is_near = !is_exact && (found.t - expected.t).abs() <= 1e-5 * expected.t.abs().max(1.0);
        let same = is_near || bytemuck::bytes_of(&found) == bytemuck::bytes_of(expected);
        let noise = || [found, *expected].iter().any(|hit| is_noise(triangles, ray, hit));
        assert!(same || noise(), "{name}: {ray:?} meets {found:?}, not {expected:?}");
    }
    let any = find(rays, TraceOptions::new(Query::Any));
    for ((ray, found), expected) in rays.iter().zip(any).zip(&expected) {
        match (found.outcome(), expected.outcome()) {
            (Outcome::Hit(hit), Outcome::Hit(nearest)) => assert!(
                hit.t >= nearest.t && hit.t <= ray.t_max || !is_exact || is_noise(triangles, ray, &found),
                "{name}: {ray:?} meets {found:?}, which is not behind {expected:?}"
            ),
            (any, closest) => assert!(
                any == closest || is_noise(triangles, ray, &found) || is_noise(triangles, ray, expected),
                "{name}: {ray:?} meets {found:?}, {expected:?}"
            ),
        }
    }
}

#[test]
fn hits_are_those_of_the_binary_tree() {
    let far = |p: [f32; 3]| [p[0] + 6.4e6, p[1] - 3.2e6, p[2]];
    for (name, triangles) in [
        ("none", soup(0, 1)),
        ("one", soup(1, 1)),
        ("five", soup(5, 1)),
        ("nine", soup(9, 1)),
        ("soup", soup(12_000, 1)),
        ("terrain", terrain(70)),
        ("closed", closed(4)),
        ("towns", towns(4000)),
        ("the same twice", [terrain(20), terrain(20)].concat()),
        ("flat", moved(&soup(2000, 3), |p| [p[0], p[1], 0.25])),
        ("a line", moved(&soup(2000, 3), |p| [p[0], 0.0, 0.0])),
        ("a point", moved(&soup(2000, 3), |_| [0.5, -2.0, 3.0])),
        ("coarse numbers", moved(&soup(2000, 4), |p| far(p.map(|x| 50.0 * x)))),
        ("far terrain", moved(&terrain(30), |p| far(p.map(|x| 1e3 * x)))),
        ("huge", moved(&soup(2000, 5), |p| p.map(|x| x * 1e30))),
        ("tiny", moved(&soup(2000, 5), |p| p.map(|x| x * 1e-30))),
        ("far and near", far_and_near()),
    ] {
        let rays = [rays(&triangles, 2000, 7), all_rays(&triangles, 4000, 8)].concat();
        let boxes = bounds(&triangles);
        check(&Lbvh::build(&boxes).unwrap(), &triangles, &rays, name);
        check_on_cpu(&Lbvh::build_wide(&boxes).unwrap(), &triangles, &rays, &format!("{name}, 63 bits"));
    }
}

#[test]
fn wrong_triangles_and_wrong_rays_change_nothing() {
    let mut triangles = soup(3000, 2);
    for (i, triangle) in triangles.iter_mut().step_by(7).enumerate() {
        triangle.b[i % 3] = f32::NAN;
    }
    let mut rays = rays(&triangles, 3000, 2);
    rays[0].direction = [0.0; 3];
    rays[1].origin[2] = f32::INFINITY;
    rays[2] = Ray { t_min: 2.0, t_max: 1.0, ..rays[2] };
    let nothing = vec![Triangle { a: [f32::NAN; 3], b: [0.0; 3], c: [1.0; 3] }; 40];
    for triangles in [triangles, nothing] {
        check(&Lbvh::build(&bounds(&triangles)).unwrap(), &triangles, &rays, "wrong triangles");
    }
}

/// Codes that make paths as long as they can be.
#[test]
fn deep_trees_have_room_on_the_stack() {
    let codes: Vec<u64> = (0..64).flat_map(|bit| [1 << bit; 9]).chain([0; 600]).collect();
    let triangles = soup(codes.len(), 3);
    let boxes = bounds(&triangles);
    let (deep, usual) = (Lbvh::build_with_codes(&boxes, &codes).unwrap(), Lbvh::build(&boxes).unwrap());
    assert!(deep.depth() > 70, "{}", deep.depth());
    let rays = rays(&triangles, 2000, 3);
    let options = TraceOptions::new(Query::Closest);
    let expected = trace(&usual, &triangles, &rays, options).unwrap();
    assert!(Bvh8::new(&deep, &triangles).unwrap().trace(&rays, options) == expected);
    // That of a device is for trees by Morton codes: a ray that needs more room says so.
    let bench = &benches()[0];
    let found = on_device(bench, &deep, &triangles)(&rays, options);
    let limits = found.iter().filter(|hit| hit.outcome() == Outcome::Limit).count();
    assert!((1..rays.len()).contains(&limits), "{limits}");
    let same = |(found, expected): (&Hit, &Hit)| found == expected || found.outcome() == Outcome::Limit;
    assert!(found.iter().zip(&expected).all(same) || !bench.gpu.caps.is_software());
}

/// Law: boxes near a ray are not widened by what is far away. In a scene of all distances a device, which keeps no distances of what
/// waits, needs at most six times the steps of the CPU, which widens each box by its own distance.
#[test]
fn far_things_do_not_widen_near_boxes() {
    let bench = &benches()[0];
    let scene = far_and_near();
    let rays: Vec<Ray> = rays(&[], 500, 6).iter().map(|ray| Ray::new([0.0; 3], ray.direction)).collect();
    let tree = Lbvh::build_wide(&bounds(&scene)).unwrap();
    let within = |max_steps| TraceOptions::new(Query::Closest).with_max_steps(max_steps);
    let cpu = trace(&tree, &scene, &rays, within(100)).unwrap();
    let is_cut = |hit: &Hit| hit.outcome() == Outcome::Limit;
    assert!(cpu.iter().filter(|hit| !is_cut(hit)).count() > 100);
    let tracers: [&Tracer<'_>; 2] = [&on_device(bench, &tree, &scene), &binary_on_device(bench, &tree, &scene)];
    for find in tracers {
        assert!(find(&rays, within(600)).iter().zip(&cpu).all(|(found, cpu)| is_cut(cpu) || !is_cut(found)));
    }
}

#[test]
fn refitted_trees_are_collapsed_again() {
    let (before, after) = (terrain(20), soup(800, 9));
    let mut tree = Lbvh::build(&bounds(&before)).unwrap();
    tree.refit(&bounds(&after)).unwrap();
    check(&tree, &after, &rays(&after, 2000, 3), "refitted");
}

/// Law: with few steps a ray finds what it finds with many, or says that it did not look everywhere.
#[test]
fn short_limits_are_told() {
    let triangles = soup(2000, 1);
    let binary = Lbvh::build(&bounds(&triangles)).unwrap();
    let tree = Bvh8::new(&binary, &triangles).unwrap();
    let rays = rays(&triangles, 1000, 1);
    let tracers: [&Tracer<'_>; 2] =
        [&|rays, options| tree.trace(rays, options), &on_device(&benches()[0], &binary, &triangles)];
    for find in tracers {
        let whole = find(&rays, TraceOptions::new(Query::Closest));
        let mut limits = Vec::new();
        for max_steps in [1, 3, 10, 1000] {
            let found = find(&rays, TraceOptions::new(Query::Closest).with_max_steps(max_steps));
            let cut = |(found, whole): &(&Hit, &Hit)| {
                assert!(found == whole || found.outcome() == Outcome::Limit, "{found:?}, {whole:?}");
                found != whole
            };
            limits.push(found.iter().zip(&whole).filter(cut).count());
        }
        assert!(limits.is_sorted_by(|more, fewer| more > fewer) && limits[3] == 0, "{limits:?}");
    }
}

#[test]
fn too_few_triangles_are_an_error() {
    let triangles = soup(30, 1);
    let tree = Lbvh::build(&bounds(&triangles)).unwrap();
    let error = Bvh8::new(&tree, &triangles[1..]).unwrap_err();
    assert!(matches!(error, KernelError::TooShort { slice: "triangles", len: 29, wanted: 30 }), "{error}");

    let bench = &benches()[0];
    let (device, build) = (&bench.gpu.device, bench.kernels.bvh4().unwrap());
    let binary = GpuLbvh::upload(&bench.gpu, &tree).unwrap();
    for (triangles, room, wanted) in [(29, 30, "triangles"), (30, 29, "tree")] {
        let (few, four_wide) = (bench.room::<Triangle>(triangles), GpuBvh4::new(device, room).unwrap());
        let error = build.bind(&binary, few.slice(), &four_wide, Count::Fixed(30)).unwrap_err();
        let KernelError::TooShort { slice, len: 29, wanted: 30 } = error else { panic!("{error}") };
        assert_eq!(slice, wanted);
    }
}
