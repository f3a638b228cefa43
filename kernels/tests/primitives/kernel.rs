//! Do kernels made from loops mean the same as the plain loops: on all cores, on every device, in every form?

use super::common::benches;
use super::copies::{Copy, floats, run, words};
use glam::UVec2;
use gpu::transfer;
use kernels::{Count, GpuList, GpuSlice, KernelError, Kernels, List, TuneError, Tuner, device, kernel};

/// y = a x + y
#[kernel]
fn saxpy(a: f32, x: &[f32], y: &mut [f32]) {
    for i in 0..y.len() as u32 {
        y[i as usize] += a * x[i as usize];
    }
}

#[device]
fn scramble(x: u32) -> u32 {
    let y = (x ^ x >> 16).wrapping_mul(0x7feb_352d);
    y ^ y >> 15
}

/// A picture and a pattern on it.
#[device]
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
struct Pattern {
    size: UVec2,
    seed: u32,
    shift: u32,
}

/// Words in two dimensions, from 2 on, in and out at once.
#[kernel(workgroup(8, 4))]
fn texture(pattern: Pattern, add: u32, from: &[u32], to: &mut [u32], seen: &mut [UVec2]) {
    let width: u32 = pattern.size.x;
    let seed: u32 = pattern.seed;
    for y in 2..pattern.size.y {
        for x in 0..width {
            let at = y * width + x;
            if scramble(at) & 3 == 0 {
                continue;
            }
            let mut sum = seed.wrapping_add(add);
            #[unroll]
            for k in 0u32..3 {
                sum = sum.wrapping_add(from[((at + k) % from.len() as u32) as usize] >> k);
            }
            to[at as usize] = to[at as usize].wrapping_mul(3) ^ sum;
            seen[(x + width * y) as usize] = UVec2::new(x, y);
        }
    }
}

/// Cells of a box.
#[kernel]
fn cells(nx: u32, ny: u32, nz: u32, out: &mut [u32]) {
    for z in 0..nz {
        for y in 0..ny {
            for x in 0..nx {
                out[((z * ny + y) * nx + x) as usize] = x + 1000 * (y + 1000 * z);
            }
        }
    }
}

/// Totals of all kinds, from a start and from what is there.
#[kernel]
#[allow(clippy::too_many_arguments, reason = "one of each kind")]
fn totals(
    words: &[u32],
    floats: &[f32],
    sum: &mut u32,
    least: &mut i32,
    most: &mut f32,
    bits: &mut u32,
    both: &mut u32,
    parity: &mut u32,
    float_sum: &mut f32,
) {
    *sum = 0;
    *both = u32::MAX;
    for i in 0..words.len() as u32 {
        let word = words[i as usize];
        *sum = sum.wrapping_add(scramble(word));
        *least = (*least).min(word as i32);
        *bits |= word & 0x0f0f_0f00;
        *both &= word | 0xff;
        *parity ^= word;
        *most = most.max(floats[i as usize]);
        if word & 1 == 1 {
            *float_sum += floats[i as usize];
        }
    }
}

/// An interval, and how many it holds.
#[device]
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
struct Range {
    low: u32,
    high: u32,
    count: u32,
}

#[device]
fn join(a: Range, b: Range) -> Range {
    Range { low: a.low.min(b.low), high: a.high.max(b.high), count: a.count + b.count }
}

/// In two dimensions, by a function of one's own.
#[kernel]
fn range_of(width: u32, height: u32, words: &[u32], range: &mut Range) {
    *range = Range { low: u32::MAX, high: 0, count: 0 };
    for y in 0..height {
        for x in 0..width {
            let word: u32 = words[(y * width + x) as usize];
            if !word.is_multiple_of(3) {
                *range = join(*range, Range { low: word, high: word, count: 1 });
            }
        }
    }
}

/// Numbers of the words that are multiples of seven.
#[kernel]
fn sevens(#[count] n: u32, words: &[u32], found: &mut List<u32>) {
    found.clear();
    for i in 0..n {
        if words[i as usize].is_multiple_of(7) {
            found.push(i);
        }
    }
}

/// A loop inside the items, four turns at a time.
#[kernel(loops(1))]
fn rows(width: u32, words: &[u32], sums: &mut [u32]) {
    for row in 0..sums.len() as u32 {
        #[unroll(4)]
        for x in row..width {
            sums[row as usize] = sums[row as usize].rotate_left(1) ^ words[(row * width + x) as usize];
        }
    }
}

#[test]
fn items_write_at_their_places_for_every_number_of_them() {
    for n in [1, 2, 63, 64, 255, 256, 257, 1000, 70_000] {
        let (x, y) = (floats(1, n), floats(2, n));
        let (mut expected, mut parallel) = (y.clone(), y.clone());
        saxpy(2.5, &x, &mut expected);
        saxpy::par(2.5, &x, &mut parallel);
        assert_eq!(parallel, expected);
        for bench in benches() {
            let (on_x, on_y) = (Copy::of(bench, &x), Copy::of(bench, &y));
            run::<saxpy>(bench, (2.5, on_x.slice(), on_y.slice()));
            let found = on_y.read(bench);
            // A device may contract the product and the sum.
            assert!(found.iter().zip(&expected).all(|(a, b)| (a - b).abs() <= 2e-7), "{} of {n}", bench.name);
        }
    }
}

#[test]
fn two_dimensions_begin_anywhere_and_fold() {
    for (width, height) in [(1, 3), (9, 2), (37, 50), (300, 41)] {
        let n = (width * height) as usize;
        let (from, before) = (words(3, 1000), words(4, n));
        let pattern = Pattern { size: UVec2::new(width, height), seed: 7, shift: 0 };
        let (mut to, mut seen) = (before.clone(), vec![UVec2::ZERO; n]);
        texture(pattern, 5, &from, &mut to, &mut seen);
        let (mut parallel, mut parallel_seen) = (before.clone(), vec![UVec2::ZERO; n]);
        texture::par(pattern, 5, &from, &mut parallel, &mut parallel_seen);
        assert_eq!((&parallel, &parallel_seen), (&to, &seen));
        for bench in benches() {
            for row in [u32::MAX, 7] {
                let kernels = bench.kernels.clone().with_max_row(row);
                let (a, b, c) =
                    (Copy::of(bench, &from), Copy::of(bench, &before), Copy::of(bench, &vec![UVec2::ZERO; n]));
                let plan = kernels.plan::<texture>().unwrap();
                assert_eq!(plan.workgroup(), [8, 4, 1]);
                // 41 rows of 300 are 418 workgroups: more than 7 rows of 7.
                match plan.bind((pattern, 5, a.slice(), b.slice(), c.slice())) {
                    Ok(bound) => bench.run(&bound, 1),
                    Err(KernelError::TooManyItems { asked, limit: 49, .. }) => {
                        assert!(asked > 49);
                        continue;
                    }
                    Err(error) => panic!("{error}"),
                }
                assert_eq!(b.read(bench), to, "{} {width} x {height}, {row} a row", bench.name);
                assert_eq!(c.read(bench), seen);
            }
        }
    }
}

#[test]
fn three_dimensions_are_a_box() {
    let (nx, ny, nz) = (17, 5, 9);
    let mut expected = vec![0; (nx * ny * nz) as usize];
    cells(nx, ny, nz, &mut expected);
    let mut parallel = vec![0; expected.len()];
    cells::par(nx, ny, nz, &mut parallel);
    assert_eq!(parallel, expected);
    for bench in benches() {
        let out = Copy::of(bench, &vec![0; expected.len()]);
        run::<cells>(bench, (nx, ny, nz, out.slice()));
        assert_eq!(out.read(bench), expected, "{}", bench.name);
    }
}

#[test]
fn totals_are_those_of_the_loops() {
    for n in [0, 1, 5, 256, 1025, 100_003] {
        let (words, floats) = (words(5, n), floats(6, n));
        let start = (3u32, 9i32, 0.1f32, 16u32, 7u32, 1u32, 2.0f32);
        let cpu = |parallel: bool| {
            let mut t = start;
            let (sum, least, most, bits, both, parity, float_sum) =
                (&mut t.0, &mut t.1, &mut t.2, &mut t.3, &mut t.4, &mut t.5, &mut t.6);
            if parallel {
                totals::par(&words, &floats, sum, least, most, bits, both, parity, float_sum);
            } else {
                totals(&words, &floats, sum, least, most, bits, both, parity, float_sum);
            }
            t
        };
        let (expected, parallel) = (cpu(false), cpu(true));
        assert_eq!(cpu(true), parallel, "sums of floats repeat");
        let odd = words.iter().zip(&floats).filter(|(word, _)| *word & 1 == 1);
        let bound = 1e-7 * n as f32 * odd.map(|(_, x)| x.abs()).sum::<f32>() + 1e-6;
        assert!((parallel.6 - expected.6).abs() <= bound);
        assert_eq!(
            (parallel.0, parallel.1, parallel.2, parallel.3, parallel.4, parallel.5),
            (expected.0, expected.1, expected.2, expected.3, expected.4, expected.5)
        );
        for bench in benches() {
            let (w, f) = (Copy::of(bench, &words), Copy::of(bench, &floats));
            let mut sums = Vec::new();
            for _ in 0..2 {
                let of = |word: u32| Copy::<u32>::of(bench, &[word]);
                let (a, b) = (of(start.0), Copy::<i32>::of(bench, &[start.1]));
                let (c, d, e, g) = (Copy::<f32>::of(bench, &[start.2]), of(start.3), of(start.4), of(start.5));
                let h = Copy::<f32>::of(bench, &[start.6]);
                let (w, f) = (w.slice().prefix(n as u32), f.slice().prefix(n as u32));
                let arguments = (w, f, a.slice(), b.slice(), c.slice(), d.slice(), e.slice(), g.slice(), h.slice());
                run::<totals>(bench, arguments);
                let found = (a.read(bench)[0], b.read(bench)[0], c.read(bench)[0], d.read(bench)[0]);
                assert_eq!(found, (expected.0, expected.1, expected.2, expected.3), "{} of {n}", bench.name);
                assert_eq!((e.read(bench)[0], g.read(bench)[0]), (expected.4, expected.5), "{}", bench.name);
                sums.push(h.read(bench)[0]);
            }
            assert!((sums[0] - expected.6).abs() <= bound, "{}: {} for {}", bench.name, sums[0], expected.6);
            assert_eq!(sums[0].to_bits(), sums[1].to_bits(), "{}: sums of floats repeat", bench.name);
        }
    }
}

#[test]
fn totals_by_a_function_of_structs() {
    let (width, height) = (321, 77);
    let words = words(7, (width * height) as usize);
    let (mut expected, mut parallel) = (Range { low: 1, high: 2, count: 3 }, Range { low: 0, high: 0, count: 0 });
    range_of(width, height, &words, &mut expected);
    range_of::par(width, height, &words, &mut parallel);
    assert_eq!(parallel, expected);
    for bench in benches() {
        let (w, out) = (Copy::of(bench, &words), Copy::of(bench, &[parallel]));
        run::<range_of>(bench, (width, height, w.slice(), out.slice()));
        assert_eq!(out.read(bench)[0], expected, "{}", bench.name);
    }
}

#[test]
fn lists_hold_what_was_pushed_and_counts_may_be_on_the_device() {
    let words = words(8, 30_000);
    for (n, room) in [(0, 10), (1, 1), (29_999, 9000), (30_000, 100)] {
        let mut expected = List::with_capacity(room);
        sevens(n, &words, &mut expected);
        let mut parallel = List::with_capacity(room);
        parallel.push(5);
        sevens::par(n, &words, &mut parallel);
        assert_eq!(parallel, expected);
        let mut all = List::with_capacity(n);
        sevens(n, &words, &mut all);
        for bench in benches() {
            let w = Copy::of(bench, &words);
            let number = Copy::<u32>::of(bench, &[77, n]);
            let on_device = Count::Gpu { buffer: &number.0, index: 1, capacity: 30_000 };
            for count in [Count::Fixed(n), on_device] {
                let (items, counter) =
                    (Copy::of(bench, &vec![u32::MAX; room as usize]), Copy::<u32>::of(bench, &[9, 9]));
                run::<sevens>(bench, (count, w.slice(), GpuList { items: items.slice(), counter: counter.slice() }));
                let counted = counter.read(bench);
                assert_eq!(counted, [expected.pushed(), u32::from(expected.overflowed())], "{}", bench.name);
                let mut found = items.read(bench);
                found.truncate(expected.items().len());
                found.sort_unstable();
                found.dedup();
                assert_eq!(found.len(), expected.items().len(), "each once");
                assert!(found.iter().all(|item| all.items().binary_search(item).is_ok()));
            }
            // The device's count is clamped.
            let few = Count::Gpu { buffer: &number.0, index: 1, capacity: 10 };
            let (items, counter) = (Copy::of(bench, &[0u32; 10]), Copy::<u32>::of(bench, &[0, 0]));
            run::<sevens>(bench, (few, w.slice(), GpuList { items: items.slice(), counter: counter.slice() }));
            let below = all.items().iter().filter(|item| **item < 10).count() as u32;
            assert_eq!(counter.read(bench)[0], below);
        }
    }
}

#[test]
fn loops_four_turns_at_a_time_take_all_turns_in_order() {
    let width = 23;
    let words = words(12, (width * width) as usize);
    let mut expected = vec![1; 25.min(width as usize)];
    let before = expected.clone();
    rows(width, &words, &mut expected);
    for bench in benches() {
        let (on, out) = (Copy::of(bench, &words), Copy::of(bench, &before));
        run::<rows>(bench, (width, on.slice(), out.slice()));
        assert_eq!(out.read(bench), expected, "{}", bench.name);
    }
}

#[test]
fn every_workgroup_gives_the_same() {
    let n = 1000;
    let (x, y) = (floats(13, n), floats(14, n));
    let mut expected = y.clone();
    saxpy(0.5, &x, &mut expected);
    let bench = &benches()[0];
    for size in [1, 32, 100, 512] {
        let (on_x, on_y) = (Copy::of(bench, &x), Copy::of(bench, &y));
        let plan = bench.kernels.plan_with::<saxpy>([size, 1, 1]).unwrap();
        bench.run(&plan.bind((0.5, on_x.slice(), on_y.slice())).unwrap(), 1);
        assert!(on_y.read(bench).iter().zip(&expected).all(|(a, b)| (a - b).abs() <= 1e-6));
    }
}

#[test]
fn what_cannot_be_bound_is_a_typed_error() {
    let bench = &benches()[0];
    let (kernels, device): (&Kernels, _) = (&bench.kernels, &bench.gpu.device);
    let a = transfer::storage::<f32>(device, "a", 1000);
    let plan = kernels.plan::<saxpy>().unwrap();
    let whole = GpuSlice::<f32>::whole(&a);
    let same = plan.bind((1.0, whole, whole)).unwrap_err();
    assert!(matches!(same, KernelError::SameBuffer { read: "x", written: "y" }), "{same}");
    let unaligned = plan.bind((1.0, GpuSlice::new(&a, 1, 10), whole)).unwrap_err();
    assert!(matches!(unaligned, KernelError::Unaligned { slice: "x", first: 1, .. }), "{unaligned}");
    let readable = device.create_buffer(&wgpu::BufferDescriptor {
        label: None,
        size: 64,
        usage: wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    });
    let usage = plan.bind((1.0, GpuSlice::whole(&readable), whole)).unwrap_err();
    assert!(matches!(usage, KernelError::Usage { slice: "x", .. }), "{usage}");

    let pattern = Pattern { size: UVec2::new(10, 20), seed: 0, shift: 0 };
    let (from, to) = (transfer::storage::<u32>(device, "from", 10), transfer::storage::<u32>(device, "to", 199));
    let seen = transfer::storage::<UVec2>(device, "seen", 200);
    let texture = kernels.plan::<texture>().unwrap();
    let short = texture.bind((pattern, 0, GpuSlice::whole(&from), GpuSlice::whole(&to), GpuSlice::whole(&seen)));
    assert!(matches!(short, Err(KernelError::TooShort { slice: "to", len: 199, wanted: 200 })));
    let words = GpuSlice::<u32>::whole(&seen);
    let overlapping = (pattern, 0, GpuSlice::whole(&from), words, GpuSlice::whole(&seen));
    assert!(matches!(texture.bind(overlapping), Err(KernelError::Overlap { .. })));

    let large = kernels.plan_with::<saxpy>([1 << 20, 1, 1]).unwrap_err();
    assert!(matches!(large, KernelError::Workgroup { .. }), "{large}");
    let flat = kernels.plan_with::<saxpy>([8, 8, 1]).unwrap_err();
    assert!(flat.to_string().contains("more dimensions"), "{flat}");
    let odd = kernels.plan_with::<totals>([96, 1, 1]).unwrap_err();
    assert!(odd.to_string().contains("power of two"), "{odd}");
}

/// The width of a row is not the end of its loop.
#[kernel]
fn narrow(row: u32, width: u32, height: u32, out: &mut [u32]) {
    for y in 0..height {
        for x in 0..width {
            out[(y * row + x) as usize] = y;
        }
    }
}

#[test]
fn rows_that_overlap_are_refused_on_devices_and_run_in_order_on_cores() {
    let (mut plain, mut parallel) = (vec![0; 100], vec![0; 100]);
    narrow(3, 5, 20, &mut plain);
    narrow::par(3, 5, 20, &mut parallel);
    assert_eq!(parallel, plain);
    let bench = &benches()[0];
    let out = transfer::storage::<u32>(&bench.gpu.device, "out", 200);
    let plan = bench.kernels.plan::<narrow>().unwrap();
    let error = plan.bind((3, 5, 20, GpuSlice::whole(&out))).unwrap_err();
    assert!(matches!(error, KernelError::Rows { slice: "out", row: 3, end: 5 }), "{error}");
    plan.bind((8, 5, 20, GpuSlice::whole(&out))).unwrap();
}

#[test]
fn a_tuner_measures_once_and_remembers() {
    let bench = &benches()[0];
    let out = transfer::storage::<u32>(&bench.gpu.device, "out", 17 * 5 * 9);
    let bind = |plan: &kernels::KernelPlan<cells>| plan.bind((17, 5, 9, GpuSlice::whole(&out)));
    let mut tuner = Tuner::default();
    let plan = tuner.plan::<cells>(&bench.kernels, &bench.gpu, 765, bind).unwrap();
    let known: Vec<_> = tuner.known().map(|(key, tuned)| (key.to_owned(), tuned)).collect();
    assert_eq!((known.len(), known[0].1.workgroup), (1, plan.workgroup()));
    let path = std::env::temp_dir().join(format!("tuned-{}.tsv", std::process::id()));
    tuner.save(&path).unwrap();
    let mut again = Tuner::load(&path).unwrap();
    assert!(again.known().map(|(key, tuned)| (key.to_owned(), tuned)).eq(known));
    // What is known is not measured.
    let never = |_: &kernels::KernelPlan<cells>| -> Result<_, KernelError> { unreachable!("measured again") };
    let plan_again = again.plan::<cells>(&bench.kernels, &bench.gpu, 800, never).unwrap();
    assert_eq!(plan_again.workgroup(), plan.workgroup());
    std::fs::write(&path, "cells\t8\tmany\n").unwrap();
    assert!(matches!(Tuner::load(&path), Err(TuneError::Format { line: 1, .. })));
    std::fs::remove_file(&path).unwrap();
    assert_eq!(Tuner::load(&path).unwrap().known().count(), 0);
}

/// A count on the device, and a total.
#[kernel]
fn counted(#[count] n: u32, words: &[u32], sum: &mut u32) {
    *sum = 5;
    for i in 0..n {
        *sum = sum.wrapping_add(words[i as usize] ^ n);
    }
}

/// A box that begins anywhere.
#[kernel]
fn inner(nx: u32, ny: u32, nz: u32, cells: &[u32], most: &mut u32, parity: &mut u32) {
    *most = 0;
    for z in 1..nz {
        for y in 2..ny {
            for x in 3..nx {
                let cell: u32 = cells[((z * ny + y) * nx + x) as usize];
                *most = (*most).max(cell);
                *parity ^= cell.rotate_left(x + y + z);
            }
        }
    }
}

#[test]
fn totals_of_a_count_on_the_device_and_of_a_box() {
    let words = words(15, 20_000);
    for bench in benches() {
        let on = Copy::of(bench, &words);
        for n in [0, 1, 19_999, 20_000] {
            let mut expected = 0;
            counted(n, &words, &mut expected);
            let number = Copy::<u32>::of(bench, &[0, 0, n]);
            for count in [Count::Fixed(n), Count::Gpu { buffer: &number.0, index: 2, capacity: 20_000 }] {
                let out = Copy::<u32>::of(bench, &[0]);
                run::<counted>(bench, (count, on.slice(), out.slice()));
                assert_eq!(out.read(bench)[0], expected, "{} of {n}", bench.name);
            }
        }
        for (nx, ny, nz) in [(3, 2, 1), (20, 31, 9), (4, 3, 2), (2, 9, 9)] {
            let (mut most, mut parity) = (1, 77);
            inner(nx, ny, nz, &words, &mut most, &mut parity);
            let (mut most_par, mut parity_par) = (1, 77);
            inner::par(nx, ny, nz, &words, &mut most_par, &mut parity_par);
            assert_eq!((most_par, parity_par), (most, parity));
            let (a, b) = (Copy::<u32>::of(bench, &[1]), Copy::<u32>::of(bench, &[77]));
            run::<inner>(bench, (nx, ny, nz, on.slice(), a.slice(), b.slice()));
            assert_eq!((a.read(bench)[0], b.read(bench)[0]), (most, parity), "{} {nx} {ny} {nz}", bench.name);
        }
    }
}
