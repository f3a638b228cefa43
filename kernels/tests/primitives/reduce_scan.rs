//! Do reduce and scan give on every device and in every form exactly what a plain loop gives?

use super::common::{Affine, Compose, Counted, Last, Union, Words, aabb, affine, benches, sizes};
use gpu::Gpu;
use kernels::{
    Count, GpuSlice, KernelError, Kernels, Max, Min, Operator, Plain, PopCount, ScanIo, ScanKind, Scratch, Source, Sum,
    reduce, scan, testing::check_operator,
};

/// What a loop says.
fn scan_oracle<O: Operator, S: Source<Item = O::Item>>(input: &[S::Stored], kind: ScanKind) -> (Vec<O::Item>, O::Item) {
    let mut sum = O::identity();
    let step = |(index, stored): (usize, &S::Stored)| {
        let before = sum;
        sum = O::combine(sum, S::map(*stored, index as u32));
        if kind == ScanKind::Inclusive { sum } else { before }
    };
    let output = input.iter().enumerate().map(step).collect();
    (output, sum)
}

fn check_reduce_and_scan<O: Operator, S: Source<Item = O::Item>>(tile: u32, make: impl Fn(u32) -> S::Stored)
where
    O::Item: PartialEq,
{
    for bench in benches() {
        let (reduce_gpu, scan_gpu) =
            (bench.kernels.reduce_source::<O, S>().unwrap(), bench.kernels.scan_source::<O, S>().unwrap());
        for n in sizes(tile) {
            let items = Words::take(u64::from(n), n as usize, &make);
            for (index, counted) in Counted::all(bench, n).into_iter().enumerate() {
                let kind = if index % 2 == 0 { ScanKind::Exclusive } else { ScanKind::Inclusive };
                let taken = &items[..counted.items()];
                let (expected, total) = scan_oracle::<O, S>(taken, kind);

                let input = bench.guarded(&items);
                let (output, one, sum) = (bench.room(n as usize), bench.room(1), bench.room(1));
                let scratch = bench.dirty_scratch(reduce_gpu.scratch(n).max(scan_gpu.scratch(n)));
                let bound = reduce_gpu.bind(input.slice(), one.slice(), counted.count(), &scratch).unwrap();
                bench.run(&bound, 2);
                assert!(bench.read(&one) == [total], "{}: reduce of {} of {n}", bench.name, taken.len());

                let io = ScanIo { input: input.slice(), output: output.slice(), total: Some(sum.slice()) };
                let bound = scan_gpu.bind(io, kind, counted.count(), &scratch).unwrap();
                bench.run(&bound, 2);
                let found = bench.read(&output);
                let wrong = (0..taken.len()).find(|&i| found[i] != expected[i]);
                assert_eq!(wrong, None, "{}: scan of {} of {n}", bench.name, taken.len());
                assert!(bench.read(&sum) == [total], "{}: total of {} of {n}", bench.name, taken.len());
                let untouched = bytemuck::cast_slice::<O::Item, u8>(&found[taken.len()..]);
                assert!(untouched.iter().all(|byte| *byte == 0xA5), "{}: scan wrote beyond the count", bench.name);
            }
        }
    }
}

#[test]
fn wrapping_sums() {
    check_reduce_and_scan::<Sum<u32>, Plain<u32>>(4096, |word| word);
}

#[test]
fn operators_that_do_not_commute() {
    check_reduce_and_scan::<Compose, Plain<Affine>>(2048, affine);
    check_reduce_and_scan::<Last, Plain<u32>>(4096, |word| if word.is_multiple_of(97) { word } else { 0 });
}

#[test]
fn structs_of_32_bytes() {
    check_reduce_and_scan::<Union, Plain<_>>(1024, aabb);
}

#[test]
fn set_bits_of_a_bitfield() {
    check_reduce_and_scan::<Sum<u32>, PopCount>(4096, |word| word);
}

#[test]
fn cpu_forms_agree_with_a_loop() {
    for n in [0, 1, 7, 8, 9, 32_767, 32_768, 32_769, 65_535, 65_537, 600_001] {
        let items = Words::take(n as u64, n, affine);
        for kind in [ScanKind::Exclusive, ScanKind::Inclusive] {
            let (expected, total) = scan_oracle::<Compose, Plain<Affine>>(&items, kind);
            let mut output = vec![affine(0); n];
            assert_eq!(scan::<Compose, Plain<Affine>>(&items, &mut output, kind), total, "{n}");
            assert!(output == expected, "{n}");
            assert_eq!(reduce::<Compose, Plain<Affine>>(&items), total, "{n}");
        }
        let words = Words::take(n as u64, n, |word| word);
        let (_, total) = scan_oracle::<Max<u32>, Plain<u32>>(&words, ScanKind::Exclusive);
        assert_eq!(reduce::<Max<u32>, Plain<u32>>(&words), total);
    }
}

#[test]
fn built_in_operators_keep_their_laws_on_both_sides() {
    let bits = |a: &f32, b: &f32| a.to_bits() == b.to_bits();
    let floats = [1.5f32, -2.25, 0.5, f32::MIN, f32::MAX];
    for gpu in benches().iter().map(|bench| &bench.gpu) {
        let words = [0, 1, 7, u32::MAX, 0x8000_0000];
        check_operator::<Sum<u32>>(gpu, &words, |a, b| a == b).unwrap();
        check_operator::<Min<u32>>(gpu, &words, |a, b| a == b).unwrap();
        check_operator::<Max<u32>>(gpu, &words, |a, b| a == b).unwrap();
        let integers = [0, 1, -1, i32::MAX, i32::MIN];
        check_operator::<Sum<i32>>(gpu, &integers, |a, b| a == b).unwrap();
        check_operator::<Min<i32>>(gpu, &integers, |a, b| a == b).unwrap();
        check_operator::<Max<i32>>(gpu, &integers, |a, b| a == b).unwrap();
        // Sums of these are exact, so that they associate.
        check_operator::<Sum<f32>>(gpu, &[0.0, 1.5, -2.25, 1024.5], |a, b| a == b).unwrap();
        check_operator::<Min<f32>>(gpu, &floats, bits).unwrap();
        check_operator::<Max<f32>>(gpu, &floats, bits).unwrap();
        check_operator::<Compose>(gpu, &Words::take(1, 4, affine), |a, b| a == b).unwrap();
        check_operator::<Last>(gpu, &words, |a, b| a == b).unwrap();
        check_operator::<Union>(gpu, &Words::take(1, 4, aabb), |a, b| a == b).unwrap();
    }
}

#[test]
fn float_sums_stay_within_the_bound_of_their_tree_and_repeat_bit_for_bit() {
    for bench in benches() {
        let reduce_gpu = bench.kernels.reduce::<Sum<f32>>().unwrap();
        let n = 300_001u32;
        let items = Words::take(5, n as usize, |word| (word as f32 / 1e9) - 1.0);
        let exact: f64 = items.iter().map(|x| f64::from(*x)).sum();
        let magnitude: f64 = items.iter().map(|x| f64::from(x.abs())).sum();
        let (input, output) = (bench.guarded(&items), bench.room::<f32>(1));
        let scratch = bench.dirty_scratch(reduce_gpu.scratch(n));
        let bound = reduce_gpu.bind(input.slice(), output.slice(), Count::Fixed(n), &scratch).unwrap();
        let results: Vec<f32> = (0..5).map(|_| (bench.run(&bound, 1), bench.read(&output)[0]).1).collect();
        assert!(results.iter().all(|r| r.to_bits() == results[0].to_bits()), "{}: {results:?}", bench.name);
        // Additions on the longest path: 16 items in each of the tiles of a chunk, then two workgroup trees of 8 levels
        // and the sums. Each rounds by at most half a unit in the last place of what it sums.
        let longest = 16.0 * (f64::from(n) / 4096.0) + 64.0;
        let bound = longest * f64::from(f32::EPSILON) / 2.0 * magnitude;
        assert!((f64::from(results[0]) - exact).abs() <= bound, "{}: {} for {exact}", bench.name, results[0]);
        assert!((f64::from(reduce::<Sum<f32>, Plain<f32>>(&items)) - exact).abs() <= bound);
    }
}

fn first_bench() -> (&'static Gpu, &'static Kernels) {
    let bench = &benches()[0];
    (&bench.gpu, &bench.kernels)
}

#[test]
fn bad_arguments_are_errors_with_the_numbers() {
    let (gpu, kernels) = first_bench();
    let buffer = |len, usage| {
        let size = 4 * u64::from(len);
        gpu.device.create_buffer(&wgpu::BufferDescriptor { label: None, size, usage, mapped_at_creation: false })
    };
    let storage = wgpu::BufferUsages::STORAGE;
    let (a, b) = (buffer(10_000u32, storage), buffer(10_000, storage));
    let plan = kernels.scan::<Sum<u32>>().unwrap();
    let scratch = Scratch::new(&gpu.device, plan.scratch(10_000));
    let bind = |input, output, count, scratch: &Scratch| {
        plan.bind(ScanIo { input, output, total: None }, ScanKind::Inclusive, count, scratch)
    };
    let whole = |buffer| GpuSlice::whole(buffer);
    assert!(bind(whole(&a), whole(&b), Count::Fixed(10_000), &scratch).is_ok());
    let error = |result: Result<_, KernelError>| result.map(drop).unwrap_err().to_string();

    assert_eq!(
        error(bind(whole(&a), whole(&b), Count::Fixed(10_001), &scratch)),
        "`input` holds 10000 items, but the count may reach 10001"
    );
    assert_eq!(
        error(bind(GpuSlice::new(&a, 1, 10_000), whole(&b), Count::Fixed(10_000), &scratch)),
        "`input` needs bytes 4 to 40004 of a buffer of 40000 bytes"
    );
    let halves = (GpuSlice::new(&a, 0, 100), GpuSlice::new(&a, 5000, 100));
    assert!(error(bind(halves.0, halves.1, Count::Fixed(100), &scratch)).contains("same buffer"));
    let unusable = buffer(10_000, wgpu::BufferUsages::COPY_DST);
    assert!(error(bind(whole(&unusable), whole(&b), Count::Fixed(5), &scratch)).contains("lacks usage"));
    let small = Scratch::new(&gpu.device, Default::default());
    assert_eq!(error(bind(whole(&a), whole(&b), Count::Fixed(10_000), &small)), "scratch of 256 bytes, 768 are needed");
    let count = Count::Gpu { buffer: &b, index: 0, capacity: 100 };
    assert!(error(bind(whole(&a), whole(&b), count, &scratch)).contains("same buffer"));
    let in_scratch = GpuSlice::new(scratch.buffer(), 0, 10);
    assert!(error(bind(in_scratch, whole(&b), Count::Fixed(10), &scratch)).contains("`scratch`"));

    let limit = gpu.caps.storage_binding_bytes;
    if limit < gpu.caps.buffer_bytes {
        let huge = gpu.device.create_buffer(&wgpu::BufferDescriptor {
            label: None,
            size: limit + 256,
            usage: storage,
            mapped_at_creation: false,
        });
        let n = (limit / 4) as u32 + 1;
        let message = error(bind(GpuSlice::new(&huge, 0, n), GpuSlice::new(&huge, 0, n), Count::Fixed(n), &scratch));
        // The scratch of so many items is larger too: whichever is found first, the numbers are there.
        assert!(message.contains(&limit.to_string()) || message.contains("scratch"), "{message}");
        let edge = kernels.reduce::<Sum<u32>>().unwrap();
        let scratch = Scratch::new(&gpu.device, edge.scratch(n));
        let result = edge.bind(GpuSlice::new(&huge, 0, n), whole(&a), Count::Fixed(n), &scratch);
        assert!(error(result).contains("max_storage_buffer_binding_size"));
        // One item less, and one item further on, just fits.
        edge.bind(GpuSlice::new(&huge, 0, n - 1), whole(&a), Count::Fixed(n - 1), &scratch).unwrap();
        edge.bind(GpuSlice::new(&huge, 64, n - 1), whole(&a), Count::Fixed(n - 1), &scratch).unwrap();
    }
    gpu.errors.check().unwrap();
}

#[test]
fn an_element_of_another_size_and_a_wrong_operator_are_errors() {
    #[repr(C)]
    #[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
    struct Point([f32; 3]);
    impl kernels::Element for Point {
        const TYPE: &'static str = "vec3f";
    }
    struct Add;
    impl Operator for Add {
        type Item = Point;
        const NAME: &'static str = "point sum";
        const WGSL: &'static str = "fn op_identity() -> Elem { return vec3f(); }
fn op_combine(left: Elem, right: Elem) -> Elem { return left + right; }";
        fn identity() -> Point {
            Point([0.0; 3])
        }
        fn combine(left: Point, right: Point) -> Point {
            Point(std::array::from_fn(|i| left.0[i] + right.0[i]))
        }
    }
    struct Broken;
    impl Operator for Broken {
        type Item = u32;
        const NAME: &'static str = "broken";
        const WGSL: &'static str = "fn op_identity() -> Elem { return 0u; }\nfn op_combine(left: Elem, right: Elem) -> Elem { return left + 1f; }";
        fn identity() -> u32 {
            0
        }
        fn combine(left: u32, right: u32) -> u32 {
            left + right
        }
    }
    let (_, kernels) = first_bench();
    let message = kernels.reduce::<Add>().unwrap_err().to_string();
    assert_eq!(message, "element `vec3f` is 12 bytes in Rust, but 16 bytes apart in a WGSL array");
    let message = kernels.reduce::<Broken>().unwrap_err().to_string();
    assert!(message.starts_with("broken (operator):2:"), "{message}");
}
