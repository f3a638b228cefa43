//! Is every node of a pyramid the combination of its two children, on every device and in every form?

use super::common::{Affine, Bench, Compose, Union, Words, aabb, affine, benches};
use gpu::transfer;
use kernels::{Count, Operator, Plain, PopCount, Pyramid, PyramidShape, Source, Sum, pyramid};

fn oracle<O: Operator, S: Source<Item = O::Item>>(stored: &[S::Stored], depth: u32) -> Vec<O::Item> {
    let leaves = 1usize << depth;
    let mut heap = vec![O::identity(); 2 * leaves];
    for (index, stored) in stored.iter().enumerate() {
        heap[leaves + index] = S::map(*stored, index as u32);
    }
    for k in (1..leaves).rev() {
        heap[k] = O::combine(heap[2 * k], heap[2 * k + 1]);
    }
    heap
}

fn counts(depth: u32) -> Vec<u32> {
    let mut counts = vec![0, 1, 1 << depth, (1 << depth) - 1, (1 << depth) / 2 + 1];
    counts.retain(|n| *n <= 1 << depth);
    counts.dedup();
    counts
}

fn check<O: Operator, S: Source<Item = O::Item>>(depths: &[u32], make: impl Fn(u32) -> S::Stored)
where
    O::Item: PartialEq,
{
    for bench in benches() {
        let plan = bench.kernels.pyramid_source::<O, S>().unwrap();
        for &depth in depths {
            for n in counts(depth) {
                let items = Words::take(u64::from(n), n as usize, &make);
                let expected = oracle::<O, S>(&items, depth);
                for store_items in [false, true] {
                    let shape = PyramidShape { depth, store_items };
                    let (input, heap) = (bench.guarded(&items), bench.room::<O::Item>(shape.nodes() as usize));
                    let bound = plan.bind(input.slice(), heap.slice(), shape, Count::Fixed(n)).unwrap();
                    bench.run(&bound, 1);
                    let found = bench.read(&heap);
                    let wrong = (1..shape.nodes() as usize).find(|&k| found[k] != expected[k]);
                    assert_eq!(wrong, None, "{}: depth {depth}, {n} items, {shape:?}", bench.name);

                    let mut cpu = vec![O::identity(); shape.nodes() as usize];
                    assert!(pyramid::<O, S>(&items, &mut cpu, shape) == Some(expected[1]));
                    assert!(cpu[1..] == expected[1..cpu.len()]);
                }
            }
        }
    }
}

#[test]
fn sums_of_set_bits() {
    check::<Sum<u32>, PopCount>(&[0, 1, 2, 5, 11, 12, 13, 14, 17], |word| word);
}

#[test]
fn compositions_in_order() {
    check::<Compose, Plain<Affine>>(&[0, 3, 10, 11, 12, 15], affine);
}

#[test]
fn boxes() {
    check::<Union, Plain<_>>(&[0, 1, 9, 10, 11, 14], aabb);
}

#[test]
fn counts_on_the_gpu_and_depths_out_of_range() {
    for bench in benches() {
        let plan = bench.kernels.pyramid::<Sum<u32>>().unwrap();
        let shape = PyramidShape { depth: 13, store_items: true };
        let items = Words::take(1, 1 << 13, |word| word);
        for says in [0, 1, 5000, 1 << 13, u32::MAX] {
            let buffer = transfer::upload(&bench.gpu.device, "count", &[says]);
            let count = Count::Gpu { buffer: &buffer, index: 0, capacity: 1 << 13 };
            let (input, heap) = (bench.guarded(&items), bench.room::<u32>(shape.nodes() as usize));
            bench.run(&plan.bind(input.slice(), heap.slice(), shape, count).unwrap(), 1);
            let expected = oracle::<Sum<u32>, Plain<u32>>(&items[..says.min(1 << 13) as usize], 13);
            assert!(bench.read(&heap)[1..] == expected[1..], "{}: {says}", bench.name);
        }
        let (input, heap) = (bench.guarded(&items), bench.room::<u32>(100));
        let deep = PyramidShape { depth: 29, store_items: false };
        let error = plan.bind(input.slice(), heap.slice(), deep, Count::Fixed(1)).unwrap_err();
        assert_eq!(error.to_string(), "depth is 29, but must be within 0 to 28");
        let error = plan.bind(input.slice(), heap.slice(), shape, Count::Fixed(8193)).unwrap_err();
        assert_eq!(error.to_string(), "8193 items, but a pyramid of this depth takes at most 8192");
    }
}

#[test]
fn dirty_blocks_are_done_again_and_no_others() {
    for bench in benches() {
        dirty_blocks(bench);
    }
}

fn dirty_blocks(bench: &Bench) {
    let plan = bench.kernels.pyramid::<Compose>().unwrap();
    let block = Pyramid::<Compose>::block_items() as usize;
    let depth = 15u32;
    let n = (1 << depth) - 100;
    let shape = PyramidShape { depth, store_items: true };
    let mut items = Words::take(9, n, affine);
    let (input, heap) = (bench.guarded(&items), bench.room::<Affine>(shape.nodes() as usize));
    bench.run(&plan.bind(input.slice(), heap.slice(), shape, Count::Fixed(n as u32)).unwrap(), 1);
    let before = oracle::<Compose, Plain<Affine>>(&items, depth);

    // Three blocks change, one of them unlisted; a block is listed twice and one does not exist.
    for index in [5, 3 * block + 1, n - 1] {
        items[index] = affine(12345);
    }
    let changed = bench.guarded(&items);
    let last = ((n - 1) / block) as u32;
    let list = transfer::upload(&bench.gpu.device, "dirty", &[99u32, 0, last, 0, u32::MAX, 3, 3]);
    let listed = transfer::upload(&bench.gpu.device, "listed", &[4u32]);
    let dirty = kernels::GpuSlice::new(&list, 1, 6);
    let count = Count::Gpu { buffer: &listed, index: 0, capacity: 6 };
    let bound = plan.bind_dirty(changed.slice(), heap.slice(), shape, n as u32, dirty, count).unwrap();
    bench.run(&bound, 1);

    let mut expected = oracle::<Compose, Plain<Affine>>(&items, depth);
    // Block 3 was not listed: its nodes are as before, and so the levels above see its old value.
    let leaves = 1usize << depth;
    let (mut low, mut high) = (leaves + 3 * block, leaves + 4 * block);
    while high - low >= 1 {
        expected[low..high].copy_from_slice(&before[low..high]);
        if high - low == 1 {
            break;
        }
        (low, high) = (low / 2, high / 2);
    }
    let mut k = low / 2;
    while k >= 1 {
        expected[k] = Compose::combine(expected[2 * k], expected[2 * k + 1]);
        k /= 2;
    }
    assert!(bench.read(&heap)[1..] == expected[1..], "{}", bench.name);
}
