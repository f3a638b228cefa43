//! Trees by long codes and copied trees: are they valid, the same everywhere, and do queries find the same in them?

use super::common::{Bench, Words, benches};
use super::meshes::{self, closed, rays, soup, terrain};
use super::trees::{assert_same, cases, check_valid};
use gpu::transfer;
use kernels::{
    BoundKernel, Count, GpuSlice, KernelError,
    lbvh::{
        Aabb, Codes, GpuLbvh, Hit, Lbvh, OverlapOptions, Point, Query, TraceIo, TraceOptions, Triangle, nearest,
        overlap, trace,
    },
};

fn bounds(triangles: &[Triangle]) -> Vec<Aabb> {
    triangles.iter().map(Triangle::bounds).collect()
}

/// Meshes of a few metres, thousands of kilometres apart: cells of 32-bit codes are larger than each.
fn towns(n: usize) -> Vec<Triangle> {
    let mut words = Words(21);
    let places: Vec<[f32; 3]> = (0..4).map(|_| meshes::random_point(&mut words).map(|x| 6.4e6 * x)).collect();
    let moved = |(i, triangle): (usize, &Triangle)| {
        let to = |corner: [f32; 3]| std::array::from_fn(|k| 1000.0 * corner[k] + places[i % 4][k]);
        Triangle { a: to(triangle.a), b: to(triangle.b), c: to(triangle.c) }
    };
    soup(n, 6).iter().enumerate().map(moved).collect()
}

fn bind_wide(bench: &Bench, boxes: GpuSlice<'_, Aabb>, codes: Codes<'_, u64>, tree: &GpuLbvh, n: u32) -> BoundKernel {
    let plan = bench.kernels.lbvh_wide().unwrap();
    let scratch = bench.dirty_scratch(plan.scratch(n));
    plan.bind(boxes, codes, tree, Count::Fixed(n), &scratch).unwrap()
}

#[test]
fn trees_by_long_codes_are_valid_and_the_same_on_devices() {
    for n in [0usize, 1, 2, 3, 64, 1025, 2049] {
        let mut all = cases(n);
        all.push(("towns", bounds(&towns(n))));
        for (name, boxes) in all {
            let cpu = Lbvh::build_wide(&boxes).unwrap();
            check_valid(&cpu, &boxes, name);
            for bench in benches() {
                let guarded = bench.guarded(&boxes);
                let tree = GpuLbvh::with_codes::<u64>(&bench.gpu.device, n as u32).unwrap();
                bench.run(&bind_wide(bench, guarded.slice(), Codes::Morton, &tree, n as u32), 2);
                assert_same(bench, &tree, &cpu, n, name);
            }
        }
    }
}

/// Heap ids of a bisection to level 60, one path deeper and deeper: each level is a node, no two leaves tie.
#[test]
fn codes_of_64_bits_are_the_callers() {
    let codes: Vec<u64> = (0..60).map(|level| 1u64 << (63 - level)).chain([0, 1]).collect();
    let boxes = bounds(&soup(codes.len(), 4));
    let cpu = Lbvh::build_with_codes(&boxes, &codes).unwrap();
    check_valid(&cpu, &boxes, "path");
    assert_eq!(cpu.depth(), 61);
    for bench in benches() {
        let (n, given) = (codes.len() as u32, bench.guarded(&codes));
        let buffer = transfer::upload(&bench.gpu.device, "boxes", &boxes);
        let tree = GpuLbvh::with_codes::<u64>(&bench.gpu.device, n).unwrap();
        bench.run(&bind_wide(bench, GpuSlice::whole(&buffer), Codes::User(given.slice()), &tree, n), 1);
        assert_same(bench, &tree, &cpu, n as usize, "path");
    }
}

#[test]
fn long_codes_tell_apart_what_is_dense_in_a_wide_scene() {
    let boxes = bounds(&towns(4000));
    let surface = |tree: &Lbvh| -> f64 {
        let area = |b: Aabb| {
            let [x, y, z]: [f64; 3] = std::array::from_fn(|i| f64::from(b.high[i]) - f64::from(b.low[i]));
            x * y + y * z + z * x
        };
        // Of what lies within a town: the few nodes above are as large as the scene in any tree.
        let all = tree.nodes().iter().flat_map(|node| [node.left_box(), node.right_box()]);
        all.map(area).filter(|area| *area < 1e8).sum()
    };
    let (short, long) = (Lbvh::build(&boxes).unwrap(), Lbvh::build_wide(&boxes).unwrap());
    assert!(surface(&long) < 0.5 * surface(&short), "{} {}", surface(&long), surface(&short));
}

#[test]
fn queries_find_the_same_in_all_trees() {
    for triangles in [soup(3000, 1), terrain(30), closed(4), towns(2000)] {
        let boxes = bounds(&triangles);
        let trees = [Lbvh::build(&boxes), Lbvh::build_wide(&boxes)].map(Result::unwrap);
        let rays = rays(&triangles, 2000, 5);
        let options = TraceOptions::new(Query::Closest);
        let points: Vec<_> = rays.iter().map(|ray| Point { position: ray.origin, reach: f32::INFINITY }).collect();
        let found = trees.each_ref().map(|tree| {
            let mut touched = overlap(tree, &boxes[..500], OverlapOptions::ALL);
            touched.iter_mut().flatten().for_each(|list| list.sort_unstable());
            let near = nearest(tree, &triangles, &points, TraceOptions::SAFE_STEPS).unwrap();
            (trace(tree, &triangles, &rays, options).unwrap(), near, touched)
        });
        assert!(found[0] == found[1]);
        for bench in benches() {
            let tree = GpuLbvh::upload(&bench.gpu, &trees[1]).unwrap();
            let (given, hits) = (bench.guarded(&rays), bench.room::<Hit>(rays.len()));
            let triangles = transfer::upload(&bench.gpu.device, "triangles", &triangles);
            let io = TraceIo {
                tree: &tree,
                triangles: GpuSlice::whole(&triangles),
                rays: given.slice(),
                hits: hits.slice(),
            };
            let count = Count::Fixed(rays.len() as u32);
            bench.run(&bench.kernels.trace_rays().unwrap().bind(io, options, count).unwrap(), 1);
            let near = |(a, b): (&Hit, &Hit)| (a.t - b.t).abs() <= 1e-5 * b.t.abs().max(1.0);
            let hits = bench.read(&hits);
            assert!(hits.iter().zip(&found[0].0).all(near), "{}", bench.name);
            assert!(!bench.gpu.caps.is_software() || hits == found[0].0, "{}", bench.name);
        }
    }
}

#[test]
fn a_tree_of_short_codes_takes_no_long_ones() {
    let bench = &benches()[0];
    let boxes = transfer::upload(&bench.gpu.device, "boxes", &bounds(&soup(10, 1)));
    let plan = bench.kernels.lbvh_wide().unwrap();
    let (tree, scratch) = (GpuLbvh::new(&bench.gpu.device, 10).unwrap(), bench.dirty_scratch(plan.scratch(10)));
    let error = plan.bind(GpuSlice::whole(&boxes), Codes::Morton, &tree, Count::Fixed(10), &scratch).unwrap_err();
    assert!(matches!(error, KernelError::Argument { given: 32, low: 64, .. }), "{error}");
}
