//! Is the tree valid and the same everywhere, and does it find what a loop over all triangles finds?

use super::common::{Bench, Counted, Words, benches};
use super::meshes::{soup, terrain};
use super::trees::{assert_same, cases, check_valid};
use gpu::transfer;
use kernels::{
    BoundKernel, Count, GpuSlice, KernelError,
    lbvh::{Aabb, Codes, GpuBvh4, GpuLbvh, Lbvh},
};

fn bind(bench: &Bench, boxes: GpuSlice<'_, Aabb>, codes: Codes<'_>, tree: &GpuLbvh, count: Count<'_>) -> BoundKernel {
    let plan = bench.kernels.lbvh().unwrap();
    let scratch = bench.dirty_scratch(plan.scratch(count.capacity()));
    plan.bind(boxes, codes, tree, count, &scratch).unwrap()
}

#[test]
fn trees_are_valid_for_whatever_boxes() {
    for n in [0, 1, 2, 3, 4, 5, 33, 1000, 10_000] {
        for (name, boxes) in cases(n) {
            check_valid(&Lbvh::build(&boxes).unwrap(), &boxes, name);
        }
    }
}

#[test]
fn devices_build_the_same_bits() {
    for bench in benches() {
        for n in [0usize, 1, 2, 3, 64, 257, 1023, 1025, 2049, 5000] {
            for (name, boxes) in cases(n) {
                let guarded = bench.guarded(&boxes);
                let tree = GpuLbvh::new(&bench.gpu.device, n as u32).unwrap();
                bench.run(&bind(bench, guarded.slice(), Codes::Morton, &tree, Count::Fixed(n as u32)), 2);
                assert_same(bench, &tree, &Lbvh::build(&boxes).unwrap(), n, name);
            }
        }
        let (n, boxes) = (3000, soup(3000, 1).iter().map(|t| t.bounds()).collect::<Vec<_>>());
        let buffer = transfer::upload(&bench.gpu.device, "boxes", &boxes);
        for counted in Counted::all(bench, n) {
            let tree = GpuLbvh::new(&bench.gpu.device, n).unwrap();
            bench.run(&bind(bench, GpuSlice::whole(&buffer), Codes::Morton, &tree, counted.count()), 1);
            let items = counted.items();
            assert_same(bench, &tree, &Lbvh::build(&boxes[..items]).unwrap(), items, "counted");
        }
    }
}

#[test]
fn a_large_tree_needs_every_level() {
    let boxes: Vec<_> = terrain(256).iter().map(|t| t.bounds()).collect();
    let n = boxes.len();
    assert!(n > 1 << 16);
    let bench = &benches()[0];
    let cpu = Lbvh::build(&boxes).unwrap();
    check_valid(&cpu, &boxes, "terrain");
    let buffer = transfer::upload(&bench.gpu.device, "boxes", &boxes);
    let tree = GpuLbvh::new(&bench.gpu.device, n as u32).unwrap();
    bench.run(&bind(bench, GpuSlice::whole(&buffer), Codes::Morton, &tree, Count::Fixed(n as u32)), 1);
    assert_same(bench, &tree, &cpu, n, "terrain");
}

#[test]
fn refitted_trees_keep_their_shape_and_hold_the_new_boxes() {
    for n in [0, 1, 2, 300, 2500] {
        let before: Vec<_> = soup(n, 1).iter().map(|t| t.bounds()).collect();
        let after: Vec<_> = soup(n, 2).iter().map(|t| t.bounds()).collect();
        let mut cpu = Lbvh::build(&before).unwrap();
        let order = cpu.primitives().to_vec();
        cpu.refit(&after).unwrap();
        assert_eq!(cpu.primitives(), order);
        check_valid(&cpu, &after, "refitted");
        for bench in benches() {
            let (old, new) = (bench.guarded(&before), bench.guarded(&after));
            let tree = GpuLbvh::new(&bench.gpu.device, n as u32).unwrap();
            let count = Count::Fixed(n as u32);
            bench.run(&bind(bench, old.slice(), Codes::Morton, &tree, count), 1);
            bench.run(&bench.kernels.lbvh().unwrap().bind_refit(new.slice(), &tree, count).unwrap(), 1);
            assert_same(bench, &tree, &cpu, n, "refitted");
        }
    }
}

/// Left-aligned heap ids of the leaves of a random bisection: nodes are the bisection's own.
#[test]
fn codes_of_a_bisection_give_its_tree() {
    let mut ids = vec![1u32];
    let mut words = Words(11);
    for _ in 0..700 {
        let id = ids.swap_remove(words.next() as usize % ids.len());
        if id >= 1 << 28 {
            ids.push(id);
        } else {
            ids.extend([2 * id, 2 * id + 1]);
        }
    }
    // The bits after the leading one, at the top.
    let codes: Vec<u32> = ids.iter().map(|id| (u64::from(*id) << (id.leading_zeros() + 1)) as u32).collect();
    let boxes = vec![Aabb::around([[0.0; 3], [1.0; 3]]); ids.len()];
    let tree = Lbvh::build_with_codes(&boxes, &codes).unwrap();
    let parents = |id: u32| (0..32 - id.leading_zeros()).map(move |up| id >> up).skip(1);
    let mut expected: Vec<u32> = ids.iter().flat_map(|id| parents(*id)).collect();
    expected.sort_unstable();
    expected.dedup();
    let common = |first: u32, last: u32| {
        let leaf = |leaf: u32| ids[tree.primitives()[leaf as usize] as usize];
        let (mut a, mut b) = (leaf(first), leaf(last));
        while a != b {
            if a > b { a /= 2 } else { b /= 2 }
        }
        a
    };
    let mut found: Vec<u32> = tree.nodes().iter().map(|node| common(node.first, node.last)).collect();
    found.sort_unstable();
    assert_eq!(found, expected);

    for bench in benches() {
        let (n, codes) = (ids.len() as u32, bench.guarded(&codes));
        let buffer = transfer::upload(&bench.gpu.device, "boxes", &boxes);
        let gpu = GpuLbvh::new(&bench.gpu.device, n).unwrap();
        bench.run(&bind(bench, GpuSlice::whole(&buffer), Codes::User(codes.slice()), &gpu, Count::Fixed(n)), 1);
        assert_same(bench, &gpu, &tree, n as usize, "bisection");
    }
}

#[test]
fn wrong_calls_are_errors() {
    let boxes = vec![Aabb::around([[0.0; 3]]); 10];
    assert!(matches!(Lbvh::build_with_codes(&boxes, &[1u32; 9]), Err(KernelError::TooShort { slice: "codes", .. })));
    let mut tree = Lbvh::build(&boxes).unwrap();
    assert!(matches!(tree.refit(&boxes[..9]), Err(KernelError::TooShort { slice: "boxes", .. })));

    let bench = &benches()[0];
    let device = &bench.gpu.device;
    assert!(matches!(GpuLbvh::new(device, 1 << 30), Err(KernelError::TooManyItems { .. })));
    assert!(matches!(GpuBvh4::new(device, 1 << 30), Err(KernelError::TooManyItems { .. })));
    assert!(matches!(GpuLbvh::new(device, 1 << 29), Err(KernelError::BindingTooLarge { .. })));
    assert!(matches!(GpuBvh4::new(device, 1 << 29), Err(KernelError::BindingTooLarge { .. })));
    let plan = bench.kernels.lbvh().unwrap();
    let buffer = transfer::upload(device, "boxes", &boxes);
    let small = GpuLbvh::new(device, 9).unwrap();
    let scratch = bench.dirty_scratch(plan.scratch(10));
    let slice = GpuSlice::whole(&buffer);
    let bind = |slice, tree: &GpuLbvh, n| plan.bind(slice, Codes::Morton, tree, Count::Fixed(n), &scratch).map(|_| ());
    assert!(matches!(bind(slice, &small, 10), Err(KernelError::TooShort { slice: "tree", len: 9, wanted: 10 })));
    assert!(matches!(bind(slice.prefix(8), &small, 9), Err(KernelError::TooShort { slice: "boxes", .. })));
    assert!(bind(slice, &small, 9).is_ok());
}
