//! Does a single pass give the one right answer whoever is late, silent or starved, and on memory full of old posts?

use super::common::{self, Bench, Last, Words, benches};
use gpu::transfer;
use kernels::{
    Count, Form, Kernels, LookBackOptions, Operator, Order, Plain, Predicate, ScanIo, ScanKind, SilentTiles, Sum,
    Tuning, Variant, compact, scan,
};

const SCAN_TILE: u32 = 4096;

/// A device whose kernels look back, with `options`.
fn looking_back(options: LookBackOptions) -> Bench {
    let bench = benches().iter().find(|bench| bench.kernels.wanted_variant() == Variant::LookBack);
    let bench = bench.expect("the software device has subgroups");
    let kernels = bench.kernels.clone().with_look_back(options);
    Bench { name: format!("{options:?}"), gpu: bench.gpu.clone(), kernels }
}

/// Posts suppressed at every distance that matters, among them the first and the last tile's; with and without patience.
fn silences() -> Vec<LookBackOptions> {
    let silent = |of, at| Some(SilentTiles { of, at });
    let cases = [
        (0, None),
        (0, silent(1, 0)),
        (4, silent(1, 0)),
        (4, silent(2, 0)),
        (0, silent(2, 1)),
        (4, silent(3, 1)),
        (0, silent(16, 5)),
        (4, silent(512, 0)),
        (4, silent(512, 19)),
        (4, silent(512, 20)),
    ];
    cases.map(|(polls, silent)| LookBackOptions::default().with_polls(polls).with_silent(silent)).to_vec()
}

struct Odd;

impl Predicate for Odd {
    type Item = u32;
    const NAME: &'static str = "odd";
    const WGSL: &'static str = "fn keep(stored: Stored, item: u32) -> bool { return (stored & 1u) == 1u; }";
    fn keep(stored: u32, _item: u32) -> bool {
        stored & 1 == 1
    }
}

fn check_scan<O: Operator<Item = u32>>(bench: &Bench, items: &[u32], kind: ScanKind) {
    let n = items.len() as u32;
    let plan = bench.kernels.scan::<O>().unwrap();
    assert_eq!(plan.form(n), Form::LookBack);
    let (input, output, sum) = (bench.guarded(items), bench.room(items.len()), bench.room(1));
    let scratch = bench.dirty_scratch(plan.scratch(n));
    let io = ScanIo { input: input.slice(), output: output.slice(), total: Some(sum.slice()) };
    bench.run(&plan.bind(io, kind, Count::Fixed(n), &scratch).unwrap(), 2);
    let mut expected = vec![0; items.len()];
    let total = scan::<O, Plain<u32>>(items, &mut expected, kind);
    assert!(bench.read(&output) == expected, "{}: {} {kind:?} of {n}", bench.name, O::NAME);
    assert_eq!(bench.read(&sum), [total], "{}: total of {n}", bench.name);
}

fn check_compact(bench: &Bench, items: &[u32]) {
    let n = items.len() as u32;
    let plan = bench.kernels.compact::<Odd>().unwrap();
    assert_eq!(plan.form(n), Form::LookBack);
    let (input, output, kept) = (bench.guarded(items), bench.room(items.len()), bench.room(1));
    let scratch = bench.dirty_scratch(plan.scratch(n));
    let bound = plan.bind(input.slice(), output.slice(), kept.slice(), Count::Fixed(n), &scratch);
    bench.run(&bound.unwrap(), 2);
    let mut expected = vec![0xA5A5_A5A5; items.len()];
    let count = compact::<Odd>(items, &mut expected) as usize;
    assert_eq!(bench.read(&kept), [count as u32], "{}: kept of {n}", bench.name);
    assert!(bench.read(&output)[..count] == expected[..count], "{}: compaction of {n}", bench.name);
}

fn check_sort(bench: &Bench, keys: &[u32]) {
    let n = keys.len() as u32;
    let plan = bench.kernels.sort_pairs::<u32, u32>(Order::Ascending).unwrap();
    assert_eq!(plan.form(n), Form::LookBack);
    let indices: Vec<u32> = (0..n).collect();
    let (keys_in, values_in) = (bench.guarded(keys), bench.guarded(&indices));
    let (keys_out, values_out) = (bench.room::<u32>(keys.len()), bench.room::<u32>(keys.len()));
    let scratch = bench.dirty_scratch(plan.scratch(n));
    let io = kernels::SortPairsIo {
        keys_in: keys_in.slice(),
        values_in: values_in.slice(),
        keys_out: keys_out.slice(),
        values_out: values_out.slice(),
    };
    bench.run(&plan.bind(io, Count::Fixed(n), 32, &scratch).unwrap(), 2);
    let mut expected = indices;
    expected.sort_by_key(|&index| keys[index as usize]);
    assert!(bench.read(&values_out) == expected, "{}: order of {n}", bench.name);
    assert!(bench.read(&keys_out).is_sorted(), "{}: keys of {n}", bench.name);
}

#[test]
fn nobody_depends_on_a_post() {
    for options in silences() {
        let bench = looking_back(options);
        for n in [SCAN_TILE + 1, 2 * SCAN_TILE, 21 * SCAN_TILE - 7] {
            let words = Words::take(u64::from(n), n as usize, |word| word);
            check_scan::<Sum<u32>>(&bench, &words, ScanKind::Exclusive);
            let sparse: Vec<u32> = words.iter().map(|word| if word % 5003 == 0 { *word } else { 0 }).collect();
            check_scan::<Last>(&bench, &sparse, ScanKind::Inclusive);
            check_compact(&bench, &words);
        }
        check_sort(&bench, &Words::take(7, 23_456, |word| word));
    }
}

/// However many kept items are gathered at a time, of tiles that keep none, some or all.
#[test]
fn a_tile_is_gathered_in_any_number_of_stages() {
    for stage in [256, 2560, 4096] {
        let mut bench = looking_back(LookBackOptions::default());
        bench.kernels = bench.kernels.clone().with_tuning(Tuning::default().with_stage(Some(stage)));
        let words = Words::take(3, 6 * SCAN_TILE as usize + 5, |word| word);
        let tile = |index: usize| index / SCAN_TILE as usize;
        let mixed = |(index, word): (usize, &u32)| match tile(index) {
            0 | 3 => word | 1,
            1 | 4 => word & !1,
            _ => *word,
        };
        check_compact(&bench, &words.iter().enumerate().map(mixed).collect::<Vec<u32>>());
    }
}

/// Where a row of workgroups is as long as a device allows, tiles continue in the next row.
#[test]
fn tiles_are_folded_into_rows() {
    for row in [1, 3, 20] {
        let mut bench = looking_back(LookBackOptions::default());
        bench.kernels = bench.kernels.clone().with_max_row(row);
        for n in [20 * SCAN_TILE, 20 * SCAN_TILE + 1, 22 * SCAN_TILE + 5] {
            let words = Words::take(u64::from(n), n as usize, |word| word);
            check_scan::<Sum<u32>>(&bench, &words, ScanKind::Inclusive);
            check_compact(&bench, &words);
            check_sort(&bench, &words);
        }
    }
}

/// Modules with wgpu's checks in every loop say the same as those without.
#[test]
fn checked_modules_agree() {
    for silent in [None, Some(SilentTiles { of: 2, at: 1 })] {
        let mut bench = looking_back(LookBackOptions::default().with_polls(1).with_silent(silent));
        bench.kernels = bench.kernels.clone().with_bounded_loops();
        let words = Words::take(5, 9 * SCAN_TILE as usize - 5, |word| word);
        check_scan::<Sum<u32>>(&bench, &words, ScanKind::Exclusive);
        check_compact(&bench, &words);
        check_sort(&bench, &words);
    }
}

/// A value whose halves are posted in two words: what crosses 16 bits, and what sets the bits that posts use for states.
#[test]
fn all_bits_of_a_value_pass_through_posts() {
    for options in [
        LookBackOptions::default(),
        LookBackOptions::default().with_polls(0).with_silent(Some(SilentTiles { of: 2, at: 0 })),
    ] {
        let bench = looking_back(options);
        for value in [1, 0xFFFF, 0x1_0000, 0x4000_0000, 0x8000_0000, 0xC000_C000, u32::MAX] {
            check_scan::<Sum<u32>>(&bench, &vec![value; 5 * SCAN_TILE as usize + 3], ScanKind::Inclusive);
        }
    }
}

#[test]
fn the_same_bits_a_hundred_times() {
    let bench = looking_back(LookBackOptions::default());
    let n = 37 * SCAN_TILE + 11;
    let words = Words::take(1, n as usize, |word| word);
    let (input, output) = (bench.guarded(&words), bench.room::<u32>(words.len()));
    let (scan_plan, sort_plan) =
        (bench.kernels.scan::<Sum<u32>>().unwrap(), bench.kernels.sort_keys::<u32>(Order::Descending).unwrap());
    let scratch = bench.dirty_scratch(scan_plan.scratch(n).max(sort_plan.scratch(n)));
    let io = ScanIo { input: input.slice(), output: output.slice(), total: None };
    let scan_bound = scan_plan.bind(io, ScanKind::Inclusive, Count::Fixed(n), &scratch).unwrap();
    let sorted = bench.room::<u32>(words.len());
    // Sorting what the scan wrote: both leave their posts in the same scratch, which nobody clears between.
    let sort_bound = sort_plan.bind(output.slice(), sorted.slice(), Count::Fixed(n), 32, &scratch).unwrap();
    let mut first = None;
    for round in 0..100 {
        bench.run(&scan_bound, 1);
        bench.run(&sort_bound, 1);
        let found = (bench.read(&output), bench.read(&sorted));
        assert!(*first.get_or_insert_with(|| found.clone()) == found, "round {round} differs");
    }
}

/// A count on the device reaches every size of one to two tiles with one binding; in the other forms, every seventh.
#[test]
fn every_size_from_one_tile_to_two() {
    for bench in benches() {
        let capacity = 2 * SCAN_TILE + 1;
        let items = Words::take(3, capacity as usize, |word| word);
        let (input, output, kept) = (bench.guarded(&items), bench.room::<u32>(items.len()), bench.room::<u32>(1));
        let says = transfer::storage::<u32>(&bench.gpu.device, "count", 1);
        let count = Count::Gpu { buffer: &says, index: 0, capacity };
        let (scan_plan, compact_plan) =
            (bench.kernels.scan::<Sum<u32>>().unwrap(), bench.kernels.compact::<Odd>().unwrap());
        let scratch = bench.dirty_scratch(scan_plan.scratch(capacity).max(compact_plan.scratch(capacity)));
        let io = ScanIo { input: input.slice(), output: output.slice(), total: None };
        let scan_bound = scan_plan.bind(io, ScanKind::Inclusive, count, &scratch).unwrap();
        let places = bench.room::<u32>(items.len());
        let compact_bound = compact_plan.bind(input.slice(), places.slice(), kept.slice(), count, &scratch).unwrap();
        let mut expected = vec![0; items.len()];
        scan::<Sum<u32>, Plain<u32>>(&items, &mut expected, ScanKind::Inclusive);
        let mut odd = vec![0; items.len()];
        compact::<Odd>(&items, &mut odd);
        let stride = if bench.kernels.wanted_variant() == Variant::LookBack { 1 } else { 7 };
        for n in (SCAN_TILE..=capacity).step_by(stride) {
            bench.gpu.queue.write_buffer(&says, 0, bytemuck::bytes_of(&n));
            bench.run(&scan_bound, 1);
            bench.run(&compact_bound, 1);
            let of_n = compact::<Odd>(&items[..n as usize], &mut vec![0; n as usize]) as usize;
            assert_eq!(bench.read(&kept), [of_n as u32], "{}: kept of {n}", bench.name);
            // What the last items become says all: everything before goes into them.
            if n % 61 == 0 || n < SCAN_TILE + 4 || n + 4 > capacity || n.abs_diff(2 * SCAN_TILE) < 3 {
                assert!(bench.read(&output)[..n as usize] == expected[..n as usize], "{}: scan of {n}", bench.name);
                assert!(bench.read(&places)[..of_n] == odd[..of_n], "{}: compaction of {n}", bench.name);
            }
        }
    }
}

/// Items as large as one binding may be on the smallest devices, and one more.
#[test]
fn the_edge_of_the_largest_binding() {
    let bench = looking_back(LookBackOptions::default());
    let limit = (bench.gpu.caps.storage_binding_bytes / 4) as u32;
    if limit > 1 << 25 {
        return;
    }
    let plan = bench.kernels.scan::<Sum<u32>>().unwrap();
    let words: Vec<u32> = (0..=limit).map(|i| i.wrapping_mul(0x9E37_79B9)).collect();
    let input = transfer::upload(&bench.gpu.device, "input", &words);
    let output = transfer::storage::<u32>(&bench.gpu.device, "output", limit + 1);
    let scratch = bench.dirty_scratch(plan.scratch(limit + 1));
    let bind = |n: u32| {
        let slice = |buffer| kernels::GpuSlice::new(buffer, 0, n);
        let io = ScanIo { input: slice(&input), output: slice(&output), total: None };
        plan.bind(io, ScanKind::Inclusive, Count::Fixed(n), &scratch)
    };
    assert!(bind(limit + 1).unwrap_err().to_string().contains("max_storage_buffer_binding_size"));
    bench.run(&bind(limit).unwrap(), 1);
    let found: Vec<u32> = transfer::download(&bench.gpu, &output).unwrap();
    let mut expected = vec![0; limit as usize];
    scan::<Sum<u32>, Plain<u32>>(&words[..limit as usize], &mut expected, ScanKind::Inclusive);
    assert!(found[..limit as usize] == expected);
}

/// What does not associate exactly keeps the brackets of its plan: it never looks back.
#[test]
fn only_integers_of_one_word_look_back() {
    let kernels: Kernels = looking_back(LookBackOptions::default()).kernels;
    let n = 1 << 20;
    assert_eq!(kernels.scan::<Sum<u32>>().unwrap().form(n), Form::LookBack);
    assert_eq!(kernels.scan::<Sum<i32>>().unwrap().form(n), Form::LookBack);
    assert_eq!(kernels.scan::<Sum<f32>>().unwrap().form(n), Form::ReduceThenScan);
    assert_eq!(kernels.scan::<common::Compose>().unwrap().form(n), Form::ReduceThenScan);
    assert_eq!(kernels.scan::<Sum<u32>>().unwrap().form(SCAN_TILE), Form::OneTile);
}
