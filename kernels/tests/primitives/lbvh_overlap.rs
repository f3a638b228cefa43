//! Does a query of a box or of a frustum find exactly the boxes that a loop over all finds, the same on every device?

use super::common::{Words, benches};
use super::meshes::{random_point, soup};
use gpu::transfer;
use kernels::{
    Count, GpuSlice, KernelError,
    lbvh::{Aabb, Codes, Frustum, GpuLbvh, Lbvh, OVERLAP_LIMIT, OverlapIo, OverlapOptions, overlap},
};

fn queries(n: usize) -> Vec<Aabb> {
    let mut words = Words(8);
    let mut all: Vec<Aabb> = (0..n)
        .map(|i| {
            let (centre, half) = (random_point(&mut words), [0.01, 0.1, 0.6][i % 3]);
            Aabb { low: centre.map(|x| x - half), high: centre.map(|x| x + half) }
        })
        .collect();
    all[0] = Aabb { low: [f32::NEG_INFINITY; 3], high: [f32::INFINITY; 3] };
    all[1] = Aabb { low: [1.0; 3], high: [-1.0; 3] };
    all[2] = Aabb { low: [f32::NAN; 3], high: [1.0; 3] };
    all
}

fn touches(a: &Aabb, b: &Aabb) -> bool {
    (0..3).all(|i| a.low[i] <= a.high[i] && a.low[i] <= b.high[i] && b.low[i] <= a.high[i])
}

#[test]
fn every_touching_box_is_found_and_no_other() {
    const ROOM: usize = 7;
    for n in [0usize, 1, 2, 700] {
        let mut boxes: Vec<Aabb> = soup(n, 4).iter().map(|t| t.bounds()).collect();
        if n > 3 {
            boxes[3].low[1] = f32::NAN;
        }
        let (tree, queries) = (Lbvh::build(&boxes).unwrap(), queries(300));
        let all = overlap(&tree, &queries, OverlapOptions::ALL);
        for (query, found) in queries.iter().zip(&all) {
            let mut found = found.clone().unwrap();
            found.sort_unstable();
            let expected =
                (0..n as u32).filter(|i| touches(query, &boxes[*i as usize]) && touches(&boxes[*i as usize], query));
            assert!(found.iter().copied().eq(expected), "{query:?} of {n}");
        }
        for bench in benches() {
            let (device, plan) = (&bench.gpu.device, bench.kernels.lbvh().unwrap());
            let gpu = GpuLbvh::new(device, n as u32).unwrap();
            let buffer = transfer::upload(device, "boxes", &boxes);
            let (scratch, count) = (bench.dirty_scratch(plan.scratch(n as u32)), Count::Fixed(n as u32));
            bench.run(&plan.bind(GpuSlice::whole(&buffer), Codes::Morton, &gpu, count, &scratch).unwrap(), 1);
            let given = bench.guarded(&queries);
            for options in [OverlapOptions::ALL, OverlapOptions::ANY, OverlapOptions::ALL.with_max_steps(5)] {
                let (counts, found) = (bench.room::<u32>(queries.len()), bench.room::<u32>(queries.len() * ROOM));
                let io = OverlapIo {
                    tree: &gpu,
                    queries: given.slice(),
                    counts: counts.slice(),
                    found: found.slice(),
                    room: ROOM as u32,
                };
                let plan = bench.kernels.overlap().unwrap();
                bench.run(&plan.bind(io, options, Count::Fixed(queries.len() as u32)).unwrap(), 1);
                let (counts, found) = (bench.read(&counts), bench.read(&found));
                for (i, expected) in overlap(&tree, &queries, options).into_iter().enumerate() {
                    let Some(expected) = expected else {
                        assert_eq!(counts[i], OVERLAP_LIMIT, "{}: {options:?}", bench.name);
                        continue;
                    };
                    assert_eq!(counts[i] as usize, expected.len(), "{}: {options:?}", bench.name);
                    let listed = expected.len().min(ROOM);
                    assert_eq!(found[i * ROOM..][..listed], expected[..listed], "{}: {options:?}", bench.name);
                }
            }
        }
    }
}

/// A camera at a random place that looks at a random point of the scene, reversed depth and no far plane every other time.
fn frustum(words: &mut Words, endless: bool) -> Frustum {
    use glam::Vec3;
    use glam::camera::rh::{proj::directx as proj, view};
    let (eye, at) = (3.0 * Vec3::from(random_point(words)), Vec3::from(random_point(words)));
    let view = view::look_at_mat4(eye, at, Vec3::new(0.1, 0.2, 0.97));
    let clip =
        if endless { proj::perspective_infinite_reverse(0.5, 1.5, 0.1) } else { proj::perspective(0.5, 1.5, 0.1, 3.0) };
    Frustum::from_clip((clip * view).to_cols_array_2d())
}

/// How far the corner of the box that is farthest inside each plane is inside of it, the smallest of all planes; in f64.
fn depth_inside(frustum: &Frustum, bounds: &Aabb) -> f64 {
    let inside = |plane: &[f32; 4]| {
        (0..8)
            .map(|corner| {
                let point = |i: usize| if corner >> i & 1 == 0 { bounds.low[i] } else { bounds.high[i] };
                (0..3).map(|i| f64::from(plane[i]) * f64::from(point(i))).sum::<f64>() + f64::from(plane[3])
            })
            .fold(f64::NEG_INFINITY, f64::max)
    };
    frustum.planes.iter().map(inside).fold(f64::INFINITY, f64::min)
}

#[test]
fn every_box_that_a_camera_sees_is_found() {
    const N: u32 = 600;
    /// Nearer to a plane than this, rounding may say either.
    const ROUNDING: f64 = 1e-4;
    let mut words = Words(31);
    let boxes: Vec<Aabb> = soup(N as usize, 5).iter().map(|t| t.bounds()).collect();
    let mut frusta: Vec<Frustum> = (0..100).map(|i| frustum(&mut words, i % 2 == 0)).collect();
    frusta.push(Frustum { planes: [[f32::NAN; 4]; 6] });
    let tree = Lbvh::build(&boxes).unwrap();
    let check = |found: &[u32], frustum: &Frustum, who: &str| {
        for (i, bounds) in boxes.iter().enumerate() {
            let depth = depth_inside(frustum, bounds);
            let is_found = found.contains(&(i as u32));
            assert!(!is_found || depth >= -ROUNDING, "{who}: box {i} is {depth} inside, but found");
            assert!(is_found || depth <= ROUNDING, "{who}: box {i} is {depth} inside, but missed");
        }
    };
    let on_cpu = overlap(&tree, &frusta, OverlapOptions::ALL);
    let found: usize = on_cpu.iter().flatten().map(Vec::len).sum();
    assert!(found > frusta.len() * 5, "cameras see something");
    for (frustum, found) in frusta.iter().zip(&on_cpu) {
        check(found.as_ref().unwrap(), frustum, "cpu");
    }
    for bench in benches() {
        let (device, plan) = (&bench.gpu.device, bench.kernels.lbvh().unwrap());
        let gpu = GpuLbvh::new(device, N).unwrap();
        let buffer = transfer::upload(device, "boxes", &boxes);
        let scratch = bench.dirty_scratch(plan.scratch(N));
        bench.run(&plan.bind(GpuSlice::whole(&buffer), Codes::Morton, &gpu, Count::Fixed(N), &scratch).unwrap(), 1);
        let given = bench.guarded(&frusta);
        let (counts, found) = (bench.room::<u32>(frusta.len()), bench.room::<u32>(frusta.len() * N as usize));
        let (counted, listed) = (counts.slice(), found.slice());
        let io = OverlapIo { tree: &gpu, queries: given.slice(), counts: counted, found: listed, room: N };
        let plan = bench.kernels.overlap::<Frustum>().unwrap();
        bench.run(&plan.bind(io, OverlapOptions::ALL, Count::Fixed(frusta.len() as u32)).unwrap(), 1);
        let (counts, found) = (bench.read(&counts), bench.read(&found));
        for (i, frustum) in frusta.iter().enumerate() {
            check(&found[i * N as usize..][..counts[i] as usize], frustum, &bench.name);
        }
    }
}

#[test]
fn lists_that_cannot_be_indexed_are_errors() {
    let bench = &benches()[0];
    let device = &bench.gpu.device;
    let tree = GpuLbvh::new(device, 1).unwrap();
    let (queries, words) = (transfer::storage::<Aabb>(device, "q", 1 << 16), transfer::storage::<u32>(device, "w", 9));
    let (queries, words) = (GpuSlice::whole(&queries), GpuSlice::whole(&words));
    let io = OverlapIo { tree: &tree, queries, counts: words, found: words, room: 1 << 16 };
    let plan = bench.kernels.overlap::<Aabb>().unwrap();
    let error = plan.bind(io, OverlapOptions::ANY, Count::Fixed(1 << 16)).unwrap_err();
    assert!(matches!(error, KernelError::TooManyItems { .. }));
    let none = OverlapOptions::ANY.with_max_steps(0);
    assert!(matches!(
        plan.bind(io, none, Count::Fixed(1)).unwrap_err(),
        KernelError::Argument { what: "max_steps", .. }
    ));
}
