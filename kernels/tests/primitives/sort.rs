//! Is the result sorted, a permutation of pairs, and stable, for every kind of key and every awkward input?

use super::common::{self, Bench, Counted, Words, benches, dispatch, sizes};
use gpu::{pipeline::ComputeKernel, transfer};
use kernels::{
    Count, GpuSlice, OnesweepConfig, Order, RadixKey, SortPairsIo, Tuning, Variant, argsort, sort_keys, sort_pairs,
};

const ORDERS: [Order; 2] = [Order::Ascending, Order::Descending];

/// What the standard library's stable sort says, of pairs (key, index).
fn oracle<K: RadixKey>(keys: &[K], order: Order, key_bits: u32) -> (Vec<K>, Vec<u32>) {
    let mask = if key_bits == 64 { u64::MAX } else { (1 << key_bits) - 1 };
    let flip = if order == Order::Descending { u64::MAX } else { 0 };
    let mut pairs: Vec<(K, u32)> = keys.iter().copied().zip(0..).collect();
    pairs.sort_by_key(|(key, _)| (key.to_bits() ^ flip) & mask);
    pairs.into_iter().unzip()
}

/// The inverse of 0x9E37_79B9, modulo 2^32.
const INVERSE: u32 = 0x144C_BC89;

fn bytes<T: bytemuck::Pod>(items: &[T]) -> &[u8] {
    bytemuck::cast_slice(items)
}

fn check_gpu<K: RadixKey>(bench: &Bench, keys: &[K], order: Order, key_bits: u32) {
    let n = keys.len() as u32;
    let (keys_plan, pairs_plan) =
        (bench.kernels.sort_keys::<K>(order).unwrap(), bench.kernels.sort_pairs::<K, u32>(order).unwrap());
    for counted in Counted::all(bench, n) {
        let taken = counted.items();
        let (sorted, order_of) = oracle(&keys[..taken], order, key_bits);
        let indices: Vec<u32> = (0..n).map(|index| index ^ 0x5555_0000).collect();
        let (keys_in, values_in) = (bench.guarded(keys), bench.guarded(&indices));
        let (keys_out, values_out) = (bench.room::<K>(keys.len()), bench.room::<u32>(keys.len()));
        let scratch = bench.dirty_scratch(keys_plan.scratch(n).max(pairs_plan.scratch(n)));
        let io = SortPairsIo {
            keys_in: keys_in.slice(),
            values_in: values_in.slice(),
            keys_out: keys_out.slice(),
            values_out: values_out.slice(),
        };
        bench.run(&pairs_plan.bind(io, counted.count(), key_bits, &scratch).unwrap(), 2);
        let case = format!("{}: {taken} of {n} {}, {order:?}, {key_bits} bits", bench.name, K::TYPE);
        let found = bench.read(&values_out);
        let wrong = (0..taken).find(|&i| found[i] ^ 0x5555_0000 != order_of[i]);
        assert_eq!(wrong, None, "{case}");
        assert!(bytes(&bench.read(&keys_out)[..taken]) == bytes(&sorted), "{case}");
        assert!(bytes(&found[taken..]).iter().all(|byte| *byte == 0xA5), "{case}");

        let keys_out = bench.room::<K>(keys.len());
        let bound = keys_plan.bind(keys_in.slice(), keys_out.slice(), counted.count(), key_bits, &scratch);
        bench.run(&bound.unwrap(), 1);
        assert!(bytes(&bench.read(&keys_out)[..taken]) == bytes(&sorted), "{case}, keys only");
        assert!(bytes(&bench.read(&keys_in)) == bytes(keys), "{case}: the input changed");
    }
}

/// The device whose kernels sweep once a digit.
fn look_back_bench() -> &'static Bench {
    let mut benches = benches().iter();
    let found = benches.find(|bench| bench.kernels.wanted_variant() == Variant::LookBack);
    found.expect("the software device has subgroups")
}

/// Tiles of every form: more keys than workgroup memory holds at a time, subgroups that do not divide the digits.
#[test]
fn every_shape_of_the_sweep() {
    let bench = look_back_bench();
    for (shape, key_bits) in [("128x6/2", 32), ("192x9/3@4", 9), ("64x4/4@8", 13), ("8x2/1@1", 8)] {
        let sweep: OnesweepConfig = shape.parse().unwrap();
        let kernels = bench.kernels.clone().with_tuning(Tuning::default().with_sweep(Some(sweep)));
        let bench = Bench { name: shape.to_owned(), gpu: bench.gpu.clone(), kernels };
        let (tile, part) = (sweep.threads * sweep.items, sweep.threads * sweep.items / sweep.phases);
        // A single tile of the other form takes all that are fewer.
        let tiles = 3840_u32.div_ceil(tile);
        for n in [tiles * tile + 1, tiles * tile + part, (tiles + 1) * tile - 1, (tiles + 1) * tile] {
            let keys = Words::take(u64::from(n), n as usize, |word| word);
            check_gpu(&bench, &keys, Order::Ascending, key_bits);
        }
        if shape == "128x6/2" {
            for (_, keys) in awkward(9_001) {
                check_gpu(&bench, &keys, Order::Ascending, 32);
            }
            let longs = Words::take(31, 5_001, |word| u64::from(word) << 37 | u64::from(word.rotate_left(5) & 0xFF));
            check_gpu(&bench, &longs, Order::Ascending, 64);
        }
    }
    // A shape that the device cannot run is an error when the sort is made.
    let sweep = Some("12x4".parse().unwrap());
    let kernels = bench.kernels.clone().with_tuning(Tuning::default().with_sweep(sweep));
    let error = kernels.sort_keys::<u32>(Order::Ascending).map(drop).unwrap_err().to_string();
    assert!(
        error.starts_with("the one-sweep sort cannot take the shape 12x4/1: a workgroup has a multiple of"),
        "{error}"
    );
}

/// A count on the device reaches every size with one binding: of one tile, and of several; then sizes far beyond, at random.
#[test]
fn every_size() {
    for bench in benches() {
        // The sweep meets every size, the other forms every third.
        let step = if bench.kernels.wanted_variant() == Variant::LookBack { 1 } else { 3 };
        // Tiles of 256 keys where there is a sweep.
        let tuning = Tuning::default().with_sweep(Some("64x4/2".parse().unwrap()));
        let kernels = bench.kernels.clone().with_tuning(tuning);
        let plan = kernels.sort_pairs::<u32, u32>(Order::Ascending).unwrap();
        let mut beyond = Words(77);
        let beyond: Vec<u32> = (0..6).map(|_| beyond.next() % (1 << 17)).collect();
        // With several tiles at least, a capacity above that of one takes the other form.
        for (capacity, sizes) in [
            (1030, (0..=1030).step_by(step).collect::<Vec<u32>>()),
            (4000, (0..=1030).chain(3835..=4000).step_by(3).collect()),
            (1 << 17, beyond),
        ] {
            let keys = Words::take(u64::from(capacity), capacity as usize, |word| word);
            let indices: Vec<u32> = (0..capacity).collect();
            let (keys_in, values_in) = (bench.guarded(&keys), bench.guarded(&indices));
            let (keys_out, values_out) = (bench.room::<u32>(keys.len()), bench.room::<u32>(keys.len()));
            let scratch = bench.dirty_scratch(plan.scratch(capacity));
            let says = transfer::storage::<u32>(&bench.gpu.device, "count", 1);
            let io = SortPairsIo {
                keys_in: keys_in.slice(),
                values_in: values_in.slice(),
                keys_out: keys_out.slice(),
                values_out: values_out.slice(),
            };
            let bound = plan.bind(io, Count::Gpu { buffer: &says, index: 0, capacity }, 11, &scratch).unwrap();
            for n in sizes {
                bench.gpu.queue.write_buffer(&says, 0, bytemuck::bytes_of(&n));
                bench.run(&bound, 1);
                let (sorted, order_of) = oracle(&keys[..n as usize], Order::Ascending, 11);
                let case = format!("{}: {n} of {capacity}", bench.name);
                assert!(bench.read(&values_out)[..n as usize] == order_of, "{case}: values");
                assert!(bench.read(&keys_out)[..n as usize] == sorted, "{case}: keys");
            }
        }
    }
}

/// Keys that fill the largest binding are sorted in every form; one more is refused before anything is recorded.
#[test]
fn the_edge_of_the_largest_binding() {
    for bench in benches() {
        let limit = (bench.gpu.caps.storage_binding_bytes / 4) as u32;
        if limit > 1 << 25 {
            return;
        }
        let plan = bench.kernels.sort_keys::<u32>(Order::Ascending).unwrap();
        let keys: Vec<u32> = (0..=limit).map(|i| i.wrapping_mul(0x9E37_79B9)).collect();
        let input = transfer::upload(&bench.gpu.device, "input", &keys);
        let output = transfer::storage::<u32>(&bench.gpu.device, "output", limit + 1);
        let scratch = bench.dirty_scratch(plan.scratch(limit + 1));
        let bind = |n: u32| {
            let slice = |buffer| GpuSlice::new(buffer, 0, n);
            plan.bind(slice(&input), slice(&output), Count::Fixed(n), 8, &scratch)
        };
        let error = bind(limit + 1).unwrap_err().to_string();
        let bytes = bench.gpu.caps.storage_binding_bytes;
        let expected = format!("`keys_in` is {} bytes, but this device binds at most {bytes}", bytes + 4);
        assert!(error.starts_with(&expected), "{error}");
        bench.run(&bind(limit).unwrap(), 1);
        let found: Vec<u32> = transfer::download(&bench.gpu, &output).unwrap();
        let mut counts = [0u32; 256];
        keys[..limit as usize].iter().for_each(|key| counts[(key & 255) as usize] += 1);
        let mut next = 0;
        for (digit, count) in counts.into_iter().enumerate() {
            let run = &found[next..next + count as usize];
            assert!(run.iter().all(|key| (key & 255) as usize == digit), "{}: digit {digit}", bench.name);
            // Keys of a digit came in the order of their indices, which the inverse of the factor tells.
            let index = |key: &u32| key.wrapping_mul(INVERSE);
            assert!(run.windows(2).all(|pair| index(&pair[0]) < index(&pair[1])), "{}: digit {digit}", bench.name);
            next += count as usize;
        }
    }
}

fn check_cpu<K: RadixKey>(keys: &[K], order: Order, key_bits: u32) {
    let (sorted, order_of) = oracle(keys, order, key_bits);
    let (mut found, mut values): (Vec<K>, Vec<u32>) = (keys.to_vec(), (0..keys.len() as u32).collect());
    sort_pairs(&mut found, &mut values, order, key_bits);
    assert!(bytes(&found) == bytes(&sorted) && values == order_of, "{} {}, {order:?}, {key_bits}", keys.len(), K::TYPE);
    let mut found = keys.to_vec();
    sort_keys(&mut found, order, key_bits);
    assert!(bytes(&found) == bytes(&sorted));
}

#[test]
fn sizes_around_tiles() {
    for bench in benches() {
        // A sort by look-back takes the other form up to its tile.
        let sweep = if bench.kernels.wanted_variant() == Variant::LookBack { sizes(2816) } else { Vec::new() };
        for n in [sweep, sizes(3840)].concat().into_iter().filter(|n| *n < 20_000) {
            let keys = Words::take(u64::from(n), n as usize, |word| word);
            check_gpu(bench, &keys, if n % 2 == 0 { Order::Ascending } else { Order::Descending }, 32);
        }
    }
}

/// Inputs that break sorts: (name, keys).
fn awkward(n: usize) -> Vec<(&'static str, Vec<u32>)> {
    let words = |make: &dyn Fn(u32) -> u32| Words::take(11, n, make);
    let mut outlier = vec![u32::MAX; n];
    outlier[n - 1] = 0;
    vec![
        ("ascending", (0..n as u32).map(|i| i * 77).collect()),
        ("descending", (0..n as u32).rev().map(|i| i * 77).collect()),
        ("all zero", vec![0; n]),
        ("all ones", vec![u32::MAX; n]),
        ("two values", words(&|word| if word & 1 == 0 { 5 } else { 0xFFFF_FF05 })),
        ("one digit only", words(&|word| word & 0x00FF_0000)),
        ("low entropy", words(&|word| word & word.rotate_left(9) & word.rotate_left(17))),
        ("one outlier in the last tile", outlier),
    ]
}

#[test]
fn awkward_inputs() {
    for (_, keys) in awkward(40_001) {
        for bench in benches() {
            check_gpu(bench, &keys, Order::Ascending, 32);
        }
    }
    for (_, keys) in awkward(600_007) {
        check_cpu(&keys, Order::Ascending, 32);
    }
}

#[test]
fn every_kind_of_key_in_both_orders() {
    let floats = |n: usize| {
        let mut floats = Words::take(3, n, f32::from_bits);
        let special = [
            0.0,
            -0.0,
            f32::INFINITY,
            f32::NEG_INFINITY,
            f32::NAN,
            -f32::NAN,
            f32::MIN_POSITIVE / 8.0,
            -1e-45,
            f32::MAX,
        ];
        for (index, value) in special.into_iter().enumerate() {
            floats[index * 7] = value;
        }
        floats
    };
    let integers = |n: usize| {
        let mut integers = Words::take(4, n, |word| word as i32);
        integers[..5].copy_from_slice(&[i32::MIN, i32::MAX, 0, -1, 1]);
        integers
    };
    let longs = |n: usize| Words::take(5, n, |word| u64::from(word) << 37 | u64::from(word.rotate_left(5) & 0xFF));
    for order in ORDERS {
        // Kernels compile for seconds on a software device: each kind of key meets one form of kernels in each order.
        let mut benches = benches().iter().cycle().skip(usize::from(order == Order::Descending));
        let mut next = || benches.next().expect("there is a device");
        let (first, second, third) = (next(), next(), next());
        let looking_back = look_back_bench();
        for n in [2000, 12_345] {
            check_gpu(first, &floats(n), order, 32);
            check_gpu(second, &integers(n), order, 32);
            check_gpu(third, &longs(n), order, 64);
        }
        if order == Order::Descending {
            check_gpu(looking_back, &floats(12_345), order, 32);
            check_gpu(looking_back, &longs(12_345), order, 64);
        } else {
            check_gpu(looking_back, &integers(12_345), order, 32);
        }
        for n in [64, 95, 97, 5000, 300_000] {
            check_cpu(&floats(n), order, 32);
            check_cpu(&integers(n), order, 32);
            check_cpu(&longs(n), order, 64);
        }
        // The order of floats is the total order.
        let mut found = floats(1000);
        sort_keys(&mut found, Order::Ascending, 32);
        assert!(found.is_sorted_by(|a, b| a.total_cmp(b).is_le()));
    }
}

/// Values of 32 bytes travel whole, and in the order of equal keys.
#[test]
fn structs_travel_with_keys() {
    for bench in benches() {
        let n = 10_007;
        let keys = Words::take(9, n, |word| word % 50);
        let boxes: Vec<_> = (0..n as u32).map(common::aabb).collect();
        let plan = bench.kernels.sort_pairs::<u32, common::Aabb>(Order::Ascending).unwrap();
        let (keys_in, values_in) = (bench.guarded(&keys), bench.guarded(&boxes));
        let (keys_out, values_out) = (bench.room::<u32>(n), bench.room::<common::Aabb>(n));
        let scratch = bench.dirty_scratch(plan.scratch(n as u32));
        let io = SortPairsIo {
            keys_in: keys_in.slice(),
            values_in: values_in.slice(),
            keys_out: keys_out.slice(),
            values_out: values_out.slice(),
        };
        bench.run(&plan.bind(io, Count::Fixed(n as u32), 6, &scratch).unwrap(), 2);
        let (sorted, order_of) = oracle(&keys, Order::Ascending, 6);
        let expected: Vec<_> = order_of.iter().map(|&index| boxes[index as usize]).collect();
        assert!(bench.read(&values_out) == expected && bench.read(&keys_out) == sorted, "{}", bench.name);
    }
}

/// In place, also where an odd number of digits would leave the keys in the scratch, and within a tile.
#[test]
fn sorts_in_place() {
    for bench in benches() {
        let (keys_plan, pairs_plan) = (
            bench.kernels.sort_keys::<u32>(Order::Ascending).unwrap(),
            bench.kernels.sort_pairs::<u32, u32>(Order::Descending).unwrap(),
        );
        for n in [0, 1, 500, 9_001] {
            let keys = Words::take(13, n, |word| word);
            let indices: Vec<u32> = (0..n as u32).collect();
            for key_bits in [1, 8, 13, 24, 32] {
                for counted in Counted::all(bench, n as u32) {
                    let taken = counted.items();
                    let scratch = bench.dirty_scratch(keys_plan.scratch(n as u32).max(pairs_plan.scratch(n as u32)));
                    let alone = bench.guarded(&keys);
                    let bound = keys_plan.bind_in_place(alone.slice(), counted.count(), key_bits, &scratch).unwrap();
                    bench.run(&bound, 1);
                    let found = bench.read(&alone);
                    let case = format!("{}: {taken} of {n}, {key_bits} bits", bench.name);
                    assert!(found[..taken] == oracle(&keys[..taken], Order::Ascending, key_bits).0, "{case}");
                    assert!(found[taken..] == keys[taken..], "{case}: beyond the count");

                    let (left, right) = (bench.guarded(&keys), bench.guarded(&indices));
                    let count = counted.count();
                    let bound = pairs_plan.bind_in_place(left.slice(), right.slice(), count, key_bits, &scratch);
                    bench.run(&bound.unwrap(), 1);
                    let (sorted, order_of) = oracle(&keys[..taken], Order::Descending, key_bits);
                    assert!(bench.read(&left)[..taken] == sorted, "{case}: keys of pairs");
                    assert!(bench.read(&right)[..taken] == order_of, "{case}: values of pairs");
                }
            }
        }
    }
}

#[test]
fn the_order_of_keys_that_stay() {
    for bench in benches() {
        let plan = bench.kernels.argsort::<i32>(Order::Descending).unwrap();
        for n in [0, 3, 3_000, 9_001] {
            let keys = Words::take(17, n, |word| (word % 1000) as i32 - 500);
            for key_bits in [8, 32] {
                for counted in Counted::all(bench, n as u32) {
                    let (from, indices) = (bench.guarded(&keys), bench.room::<u32>(n));
                    let scratch = bench.dirty_scratch(plan.scratch(n as u32));
                    let bound = plan.bind(from.slice(), indices.slice(), counted.count(), key_bits, &scratch).unwrap();
                    bench.run(&bound, 2);
                    let taken = counted.items();
                    let found = bench.read(&indices);
                    let case = format!("{}: {taken} of {n}, {key_bits} bits", bench.name);
                    assert!(found[..taken] == oracle(&keys[..taken], Order::Descending, key_bits).1, "{case}");
                    assert!(bytes(&found[taken..]).iter().all(|byte| *byte == 0xA5), "{case}: beyond the count");
                    assert!(bench.read(&from) == keys, "{case}: the keys changed");
                    let on_cpu = argsort(&keys[..taken], Order::Descending, key_bits);
                    assert!(found[..taken] == on_cpu, "{case}: on the CPU");
                }
            }
        }
    }
}

/// A word of which the lowest bit does not count.
#[repr(transparent)]
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
struct Half(u32);

impl kernels::Element for Half {
    const TYPE: &'static str = "u32";
}

impl RadixKey for Half {
    const BITS: u32 = 31;
    const WGSL: &'static str = "fn key_word(key: u32, word: u32) -> u32 { return key >> 1u; }";
    fn to_bits(self) -> u64 {
        (self.0 >> 1).into()
    }
}

/// Law: where different keys have the same bits, their order is seen, and is kept.
#[test]
fn different_keys_of_equal_bits_keep_their_order() {
    for bench in benches() {
        let keys = Words::take(23, 9_001, |word| Half(word % 600));
        for order in ORDERS {
            check_gpu(bench, &keys, order, 31);
        }
    }
}

#[test]
fn any_number_of_key_bits() {
    let keys = Words::take(6, 9_000, |word| word);
    let longs = Words::take(7, 9_000, |word| u64::from(word) << 32 | u64::from(word.rotate_left(11)));
    let bench = &benches()[0];
    for key_bits in [1, 2, 7, 8, 9, 12, 16, 17, 23, 24, 25, 31] {
        check_gpu(bench, &keys, Order::Ascending, key_bits);
        check_gpu(bench, &keys[..1000], Order::Descending, key_bits);
    }
    for key_bits in 1..=32 {
        check_cpu(&keys, Order::Descending, key_bits);
    }
    for key_bits in [33, 40, 41, 63] {
        check_gpu(bench, &longs, Order::Ascending, key_bits);
        check_cpu(&longs, Order::Ascending, key_bits);
    }
}

#[test]
fn bad_arguments_are_errors() {
    let bench = &benches()[0];
    let plan = bench.kernels.sort_keys::<u32>(Order::Ascending).unwrap();
    let keys = bench.guarded(&[1u32; 100]);
    let other = bench.guarded(&[1u32; 100]);
    let scratch = bench.dirty_scratch(plan.scratch(100));
    let bind = |from, to, bits| plan.bind(from, to, Count::Fixed(100), bits, &scratch).map(drop);
    bind(keys.slice(), other.slice(), 32).unwrap();
    let error = bind(keys.slice(), other.slice(), 33).unwrap_err();
    assert_eq!(error.to_string(), "key_bits is 33, but must be within 1 to 32");
    assert!(bind(keys.slice(), other.slice(), 0).is_err());
    assert_eq!(bind(keys.slice(), keys.slice(), 32).unwrap_err().to_string(), "`keys_in` and `keys_out` overlap");
    let beyond = GpuSlice::new(&other.buffer, 200, 100);
    assert!(bind(keys.slice(), beyond, 32).unwrap_err().to_string().contains("of a buffer of"));
}

mod random {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn cpu_sorts_whatever_comes(keys in prop::collection::vec(any::<u64>(), 0..3000), bits in 1u32..=64, down: bool) {
            check_cpu(&keys, ORDERS[usize::from(down)], bits);
        }
    }
}

/// Votes find the same peers however many words a ballot of the device may have.
#[test]
fn peers_are_those_of_equal_digits() {
    let bench = look_back_bench();
    let digits = Words::take(21, 256, |word| word % 3 * 100);
    for ballot_words in [1, 4] {
        let mut composer = kernels::composer();
        let shape = format!("const BALLOT_WORDS: u32 = {ballot_words}u; const SUBGROUP_SIZE: u32 = 0u;");
        composer.bind("kernels/sort/one_sweep/config", "shape", &shape).bind(
            "peers",
            "peers.wgsl",
            "//!import kernels/sort/one_sweep/match
             @group(0) @binding(0) var<storage, read_write> digits: array<u32>;
             @group(0) @binding(1) var<storage, read_write> found: array<vec3u>;
             @compute @workgroup_size(256) fn peers(
                 @builtin(subgroup_invocation_id) lane: u32,
                 @builtin(subgroup_id) subgroup: u32,
                 @builtin(subgroup_size) size: u32,
             ) {
                 let rank = subgroup * size + lane;
                 let peers = match_digit(digits[rank], lane);
                 found[rank] = vec3u(u32(peers.is_last), peers.before, size);
             }",
        );
        let composed = composer.compose("peers").unwrap();
        let kernel = ComputeKernel::new(&bench.gpu.device, &composed, "peers", &Default::default()).unwrap();
        let input = transfer::upload(&bench.gpu.device, "digits", &digits);
        let output = transfer::storage::<[u32; 4]>(&bench.gpu.device, "found", 256);
        dispatch(&bench.gpu, &kernel, &[("digits", &input), ("found", &output)], 1);
        let found: Vec<[u32; 4]> = transfer::download(&bench.gpu, &output).unwrap();
        for (rank, &[is_last, before, size, _]) in found.iter().enumerate() {
            if ballot_words == 1 && size > 32 {
                return;
            }
            let (subgroup, lane) = (rank / size as usize * size as usize, rank % size as usize);
            let same: Vec<u32> = (0..size).filter(|other| digits[subgroup + *other as usize] == digits[rank]).collect();
            let earlier = same.iter().filter(|other| (**other as usize) < lane).count() as u32;
            let last = u32::from(same[same.len() - 1] as usize == lane);
            assert_eq!((is_last, before), (last, earlier), "{ballot_words} words, {rank}");
        }
    }
}
