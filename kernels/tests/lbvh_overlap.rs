//! Does a box query find exactly the boxes that a loop over all finds, the same on every device?

mod common;
mod meshes;

use common::{Words, benches};
use kernels::{
    Count, GpuSlice, KernelError,
    lbvh::{Aabb, Codes, GpuLbvh, Lbvh, OVERLAP_LIMIT, OverlapIo, OverlapOptions, overlap},
    transfer,
};
use meshes::{random_point, soup};

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
            for options in
                [OverlapOptions::ALL, OverlapOptions::ANY, OverlapOptions { max_steps: 5, ..OverlapOptions::ALL }]
            {
                let (counts, found) = (bench.room::<u32>(queries.len()), bench.room::<u32>(queries.len() * ROOM));
                let io = OverlapIo {
                    tree: &gpu,
                    queries: given.slice(),
                    counts: counts.slice(),
                    found: found.slice(),
                    room: ROOM as u32,
                };
                let plan = bench.kernels.overlap_boxes().unwrap();
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

#[test]
fn lists_that_cannot_be_indexed_are_errors() {
    let bench = &benches()[0];
    let device = &bench.gpu.device;
    let tree = GpuLbvh::new(device, 1).unwrap();
    let (queries, words) = (transfer::storage::<Aabb>(device, "q", 1 << 16), transfer::storage::<u32>(device, "w", 9));
    let (queries, words) = (GpuSlice::whole(&queries), GpuSlice::whole(&words));
    let io = OverlapIo { tree: &tree, queries, counts: words, found: words, room: 1 << 16 };
    let plan = bench.kernels.overlap_boxes().unwrap();
    let error = plan.bind(io, OverlapOptions::ANY, Count::Fixed(1 << 16)).unwrap_err();
    assert!(matches!(error, KernelError::TooManyItems { .. }));
    let none = OverlapOptions { max_steps: 0, ..OverlapOptions::ANY };
    assert!(matches!(
        plan.bind(io, none, Count::Fixed(1)).unwrap_err(),
        KernelError::Argument { what: "max_steps", .. }
    ));
}
