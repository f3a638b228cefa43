//! Do compact, append, histogram and indirect arguments give what a plain loop gives?

use super::common::{Affine, Bench, Counted, Words, affine, benches, dispatch, sizes};
use gpu::{pipeline::ComputeKernel, transfer};
use kernels::{
    AppendCounter, Binning, Count, GpuSlice, IndirectRequest, Predicate, append, compact, compact_indices, histogram,
    indirect_arguments,
};

/// One item of three, chosen by content and by place.
struct Third;

impl Predicate for Third {
    type Item = Affine;
    const NAME: &'static str = "a third";
    const WGSL: &'static str =
        "fn keep(stored: Stored, item: u32) -> bool { return (stored.offset + item) % 3u == 0u; }";
    fn keep(stored: Affine, item: u32) -> bool {
        stored.offset.wrapping_add(item).is_multiple_of(3)
    }
}

fn kept(items: &[Affine]) -> Vec<(u32, Affine)> {
    let all = items.iter().enumerate().map(|(index, item)| (index as u32, *item));
    all.filter(|(index, item)| Third::keep(*item, *index)).collect()
}

#[test]
fn compaction_keeps_the_order_and_the_count() {
    for bench in benches() {
        let (items_of, indices_of) =
            (bench.kernels.compact::<Third>().unwrap(), bench.kernels.compact_indices::<Third>().unwrap());
        for n in sizes(4096) {
            let items = Words::take(u64::from(n), n as usize, affine);
            for (index, counted) in Counted::all(bench, n).into_iter().enumerate() {
                let expected = kept(&items[..counted.items()]);
                // Once with too little room: the count must still be right, and nothing be written beyond.
                let room = if index == 0 { expected.len() / 2 } else { expected.len() + 5 };
                let input = bench.guarded(&items);
                let scratch = bench.dirty_scratch(items_of.scratch(n));
                let (output, count) = (bench.room::<Affine>(room), bench.room::<u32>(1));
                let bound = items_of.bind(input.slice(), output.slice(), count.slice(), counted.count(), &scratch);
                bench.run(&bound.unwrap(), 2);
                let written = room.min(expected.len());
                let found = bench.read(&output);
                assert!(
                    found[..written].iter().eq(expected[..written].iter().map(|(_, item)| item)),
                    "{} {n}",
                    bench.name
                );
                assert!(bytemuck::cast_slice::<_, u8>(&found[written..]).iter().all(|byte| *byte == 0xA5));
                assert_eq!(bench.read(&count), [expected.len() as u32], "{} {n}", bench.name);

                let (output, count) = (bench.room::<u32>(room), bench.room::<u32>(1));
                let bound = indices_of.bind(input.slice(), output.slice(), count.slice(), counted.count(), &scratch);
                bench.run(&bound.unwrap(), 1);
                let found = bench.read(&output);
                assert!(
                    found[..written].iter().eq(expected[..written].iter().map(|(index, _)| index)),
                    "{} {n}",
                    bench.name
                );
            }
        }
    }
}

#[test]
fn cpu_compaction_agrees_with_a_loop() {
    for n in [0, 1, 2, 3, 32_767, 32_768, 32_769, 200_003] {
        let items = Words::take(n as u64, n, affine);
        let expected = kept(&items);
        for room in [0, expected.len() / 2, expected.len(), expected.len() + 3] {
            let written = room.min(expected.len());
            let mut output = vec![affine(0); room];
            assert_eq!(compact::<Third>(&items, &mut output) as usize, expected.len());
            assert!(output[..written].iter().eq(expected[..written].iter().map(|(_, item)| item)));
            let mut indices = vec![0; room];
            assert_eq!(compact_indices::<Third>(&items, &mut indices) as usize, expected.len());
            assert!(indices[..written].iter().eq(expected[..written].iter().map(|(index, _)| index)));
        }
    }
}

#[test]
fn appending_adds_the_same_set_and_flags_overflow() {
    for bench in benches() {
        let plan = bench.kernels.append::<Third>().unwrap();
        for n in [0, 1, 5, 4095, 4097, 100_000u32] {
            let items = Words::take(u64::from(n), n as usize, affine);
            for counted in Counted::all(bench, n) {
                let mut expected: Vec<Affine> = kept(&items[..counted.items()]).into_iter().map(|(_, i)| i).collect();
                let appended = 2 * expected.len();
                let input = bench.guarded(&items);
                // Two runs into one array: the second appends behind the first.
                for room in [appended + 3, appended.saturating_sub(1)] {
                    let (output, counter) = (bench.room::<Affine>(room), bench.guarded(&[123u32, 456]));
                    let bind = |reset| {
                        plan.bind(input.slice(), output.slice(), counter.slice(), counted.count(), reset).unwrap()
                    };
                    bench.run(&bind(true), 1);
                    bench.run(&bind(false), 1);
                    let overflow = u32::from(appended > room);
                    assert_eq!(bench.read(&counter), [appended as u32, overflow], "{} {n}", bench.name);
                    let mut found = bench.read(&output);
                    if appended <= room {
                        let guards = found.split_off(appended);
                        assert!(bytemuck::cast_slice::<_, u8>(&guards).iter().all(|byte| *byte == 0xA5));
                        let key = |item: &Affine| (item.offset, item.scale);
                        let mut twice = [expected.clone(), expected.clone()].concat();
                        found.sort_by_key(key);
                        twice.sort_by_key(key);
                        assert!(found == twice, "{} {n}", bench.name);
                    } else {
                        // Every place holds some kept item.
                        assert!(found.iter().all(|item| expected.contains(item)) || n > 5000);
                    }

                    let (mut cpu, mut counter) = (vec![affine(0); room], AppendCounter::default());
                    append::<Third>(&items[..counted.items()], &mut cpu, &mut counter);
                    append::<Third>(&items[..counted.items()], &mut cpu, &mut counter);
                    assert_eq!(counter, AppendCounter { count: appended as u32, overflow });
                }
                expected.clear();
            }
        }
    }
}

struct Bins<const BINS: u32>;

impl<const BINS: u32> Binning for Bins<BINS> {
    type Item = u32;
    const BINS: u32 = BINS;
    const NAME: &'static str = "high bits and some of no bin";
    const WGSL: &'static str = "fn bin_of(stored: Stored, item: u32) -> u32 { return (stored >> 13u) % (BINS + 3u); }";
    fn bin(stored: u32, _item: u32) -> u32 {
        (stored >> 13) % (BINS + 3)
    }
}

fn check_histogram<const BINS: u32>(bench: &Bench) {
    let plan = bench.kernels.histogram::<Bins<BINS>>().unwrap();
    for n in [0, 1, 255, 256, 257, 4095, 4096, 4097, 300_000u32] {
        for equal in [false, true] {
            let items = Words::take(u64::from(n), n as usize, |word| if equal { 0x0040_0000 } else { word });
            for counted in Counted::all(bench, n) {
                let mut expected = vec![0u32; BINS as usize];
                for item in &items[..counted.items()] {
                    if let Some(count) = expected.get_mut(Bins::<BINS>::bin(*item, 0) as usize) {
                        *count += 1;
                    }
                }
                let (input, output) = (bench.guarded(&items), bench.room::<u32>(BINS as usize));
                let bound = plan.bind(input.slice(), output.slice(), counted.count()).unwrap();
                bench.run(&bound, 2);
                assert!(bench.read(&output) == expected, "{}: {BINS} bins of {n}", bench.name);
                assert!(histogram::<Bins<BINS>>(&items[..counted.items()]) == expected);
            }
        }
    }
}

#[test]
fn histograms_are_exact_for_few_and_many_bins() {
    for bench in benches() {
        check_histogram::<1>(bench);
        check_histogram::<10>(bench);
        check_histogram::<256>(bench);
        check_histogram::<4096>(bench);
        check_histogram::<5000>(bench);
    }
}

#[test]
fn indirect_arguments_are_enough_within_limits_and_equal_on_both_sides() {
    let counts: Vec<u32> =
        vec![0, 1, 255, 256, 257, 65_535 * 256, 65_535 * 256 + 1, 1 << 25, u32::MAX - 1, u32::MAX, 131_070 * 64 + 1];
    let mut requests = Vec::new();
    for (index, items) in (0..counts.len() as u32).flat_map(|i| [1u32, 64, 256, 4096].map(|items| (i, items))) {
        for capacity in [u32::MAX, 1 << 20] {
            let arguments_index = 3 * requests.len() as u32;
            requests.push(IndirectRequest {
                count_index: index,
                capacity,
                items_per_workgroup: items,
                arguments_index,
            });
        }
    }
    let expected: Vec<u32> = requests
        .iter()
        .flat_map(|r| indirect_arguments(counts[r.count_index as usize], r.capacity, r.items_per_workgroup))
        .collect();
    for (request, xyz) in requests.iter().zip(expected.chunks(3)) {
        let items = counts[request.count_index as usize].min(request.capacity);
        let needed = items.div_ceil(request.items_per_workgroup);
        // One item a workgroup and u32::MAX items are 65 537.00002 rows: more than any dispatch has.
        if needed <= 65_535 * 65_535 {
            assert!(xyz.iter().all(|n| *n <= 65_535), "{request:?} {xyz:?}");
        }
        let given = u64::from(xyz[0]) * u64::from(xyz[1]);
        assert!(given >= needed.into() && given < u64::from(needed) + u64::from(xyz[1]).max(1));
    }
    for bench in benches() {
        let device = &bench.gpu.device;
        let plan = bench.kernels.prepare_indirect().unwrap();
        let counts = transfer::upload(device, "counts", &counts);
        let arguments = transfer::storage::<u32>(device, "arguments", expected.len() as u32);
        let bound = plan.bind(&requests, GpuSlice::whole(&counts), GpuSlice::whole(&arguments)).unwrap();
        bench.run(&bound, 1);
        assert!(transfer::download::<u32>(&bench.gpu, &arguments).unwrap() == expected, "{}", bench.name);
        let beyond = [IndirectRequest { arguments_index: expected.len() as u32 - 2, ..requests[0] }];
        assert!(plan.bind(&beyond, GpuSlice::whole(&counts), GpuSlice::whole(&arguments)).is_err());
    }
}

#[test]
fn a_count_that_changes_between_two_runs_in_one_pass_is_seen() {
    for bench in benches() {
        let n = 10_000u32;
        let items = Words::take(3, n as usize, affine);
        let plan = bench.kernels.compact::<Third>().unwrap();
        let input = bench.guarded(&items);
        let (once, twice) = (bench.room::<Affine>(n as usize), bench.room::<Affine>(n as usize));
        let counts: Vec<_> = (0..2).map(|_| transfer::storage::<u32>(&bench.gpu.device, "count", 1)).collect();
        let scratch = bench.dirty_scratch(plan.scratch(n));
        let first = plan.bind(input.slice(), once.slice(), GpuSlice::whole(&counts[0]), Count::Fixed(n), &scratch);
        let count = Count::Gpu { buffer: &counts[0], index: 0, capacity: n };
        let second = plan.bind(once.slice(), twice.slice(), GpuSlice::whole(&counts[1]), count, &scratch);
        let (first, second) = (first.unwrap(), second.unwrap());
        let mut encoder = bench.gpu.device.create_command_encoder(&Default::default());
        let mut pass = encoder.begin_compute_pass(&Default::default());
        first.encode(&mut pass);
        second.encode(&mut pass);
        drop(pass);
        bench.gpu.queue.submit([encoder.finish()]);
        bench.gpu.wait().unwrap();
        let kept_once: Vec<Affine> = kept(&items).into_iter().map(|(_, item)| item).collect();
        let expected = kept(&kept_once);
        let count = transfer::download::<u32>(&bench.gpu, &counts[1]).unwrap()[0];
        assert_eq!(count as usize, expected.len(), "{}", bench.name);
        assert!(bench.read(&twice)[..expected.len()].iter().eq(expected.iter().map(|(_, item)| item)));
    }
}

/// A shader of the caller's own appends, from a branch that not all invocations take.
#[test]
fn shaders_append_by_an_imported_function() {
    for bench in benches() {
        let mut composer = kernels::composer();
        bench.kernels.bind_append(&mut composer);
        composer.bind_module("kernels/append_counter", "kernels/examples/append_counter");
        composer.bind(
            "multiples",
            "multiples.wgsl",
            "//!import kernels/append_place
             @group(0) @binding(1) var<storage, read_write> list: array<u32>;
             @compute @workgroup_size(64) fn multiples(@builtin(global_invocation_id) id: vec3u) {
                 if id.x % 7u != 2u {
                     let place = append_place(id.x % 3u == 0u, arrayLength(&list));
                     if place != APPEND_NONE { list[place] = id.x; }
                 }
             }",
        );
        let composed = composer.compose("multiples").unwrap();
        let kernel = ComputeKernel::new(&bench.gpu.device, &composed, "multiples", &Default::default()).unwrap();
        let expected: Vec<u32> = (0..6400).filter(|id| id % 7 != 2 && id % 3 == 0).collect();
        for room in [1, 100, expected.len(), expected.len() + 9] {
            let list = transfer::upload(&bench.gpu.device, "list", &vec![u32::MAX; room]);
            let counter = transfer::upload(&bench.gpu.device, "counter", &[0u32; 2]);
            dispatch(&bench.gpu, &kernel, &[("append_counter", &counter), ("list", &list)], 100);
            let counted: Vec<u32> = transfer::download(&bench.gpu, &counter).unwrap();
            assert_eq!(counted, [expected.len() as u32, u32::from(room < expected.len())], "{}: {room}", bench.name);
            let mut found: Vec<u32> = transfer::download(&bench.gpu, &list).unwrap();
            found.sort_unstable();
            found.retain(|id| *id != u32::MAX);
            assert_eq!(found.len(), room.min(expected.len()), "{}: {room}", bench.name);
            assert!(found.windows(2).all(|pair| pair[0] < pair[1]), "{}: an item twice", bench.name);
            assert!(found.iter().all(|id| expected.contains(id)), "{}: {room}", bench.name);
        }
    }
}
