//! Does a device function mean the same on a device as in Rust?

use super::common::{self, benches};
use glam::{IVec4, UVec2, UVec4, Vec2, Vec2Swizzles, Vec3, Vec4, Vec4Swizzles};
use gpu::transfer;
use kernels::{
    Count, GpuSlice, Operator, Order, Plain, Predicate, RadixKey, ScanIo, ScanKind, Source, device, testing,
};

/// Finaliser of a hash.
#[device]
fn scramble(value: u32) -> u32 {
    let mut x = value;
    x = (x ^ x >> 16).wrapping_mul(0x7feb_352d);
    x ^ x >> 15
}

#[device]
const STEPS: u32 = 7;

#[device]
fn integers(a: u32, b: u32, c: i32) -> u32 {
    let mut sum = a.rotate_left(b & 63).wrapping_add(STEPS);
    for i in 0u32..STEPS {
        if i == 3 {
            continue;
        }
        sum ^= scramble(sum.wrapping_add(i)) >> (b % 32);
        if sum & 0xff == 7 {
            break;
        }
    }
    for i in (1..b % 9).rev() {
        sum = sum.wrapping_mul(i).wrapping_sub(a);
    }
    while sum > 1 << 31 {
        sum >>= 1;
    }
    let choice: i32 = match b % 5 {
        0 => c,
        1 | 2 => c.wrapping_neg(),
        _ => {
            let half = c / 2;
            half % 1000 - (c >> 3)
        }
    };
    let bits = c.count_ones() + a.leading_zeros() * 64 + b.trailing_zeros() * 4096;
    sum ^ choice as u32 ^ bits ^ !a ^ if c < 0 { a } else { b }
}

#[device]
fn saturating(x: f32) -> IVec4 {
    let both = Vec2::new(x, -x).as_ivec2();
    IVec4::new(x as i32, (x as u32).reverse_bits() as i32, both.x, both.y)
}

/// Not to be evaluated: a `Vec3` is 12 bytes in Rust, but 16 apart in a buffer.
#[device]
fn tight(v: Vec3) -> f32 {
    v.x
}

#[device]
fn floats(from: Vec4, to: Vec4, t: f32) -> Vec4 {
    let a = from.truncate();
    let b = to.xyz();
    let n = a.cross(b) * t.clamp(0.0, 1.0) + a.lerp(b, 0.25);
    let length = n.length_squared().sqrt();
    let unit = if length > 0.0 { n / length } else { Vec3::Z };
    unit.extend(t.abs().floor() - (t * 0.5).mul_add(2.0, 1.0))
}

#[device]
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
struct Line {
    from: Vec2,
    to: Vec2,
}

/// The other way round.
#[device]
fn reversed(line: Line) -> Line {
    Line { from: line.to, to: line.from }
}

#[device]
fn table(words: UVec4) -> UVec2 {
    let places: [u32; 4] = [3, 1, 0, 2];
    let mut sum = UVec2::ZERO;
    for i in 0u32..4 {
        let word = words[places[i as usize] as usize];
        sum += UVec2::new(word, i) >> (i + 1);
        sum.x ^= word;
    }
    if sum == UVec2::splat(9) { sum.yx() } else { sum }
}

/// Names that mean something in WGSL.
#[device]
fn select(vec3f: u32, min: u32) -> u32 {
    let mut var = vec3f;
    let target = min;
    let target = target.min(var);
    if target < 5 {
        let target = 5u32;
        var = var.max(target);
    }
    var ^ target
}

fn words(seed: u64, n: usize) -> Vec<u32> {
    // Small and large numbers, all ones and zeros.
    let mut words = common::Words::take(seed, n, |word| word >> (word & 31));
    words.extend([0, 1, 2, 31, 32, u32::MAX, 1 << 31, i32::MAX as u32]);
    words
}

#[test]
fn integers_agree_bit_for_bit_on_every_device() {
    let (a, b) = (words(1, 20_000), words(2, 20_000));
    let c: Vec<u32> = a.iter().zip(&b).map(|(a, b)| a ^ b.rotate_left(9)).collect();
    let rows: Vec<_> = a.iter().zip(&b).zip(&c).map(|((&a, &b), &c)| (a, b, c as i32)).collect();
    let rows: Vec<_> = rows.into_iter().filter(|(_, _, c)| *c != i32::MIN).collect();
    let fours: Vec<_> = rows.iter().map(|&(a, b, c)| (UVec4::new(a, b, c as u32, a ^ b) >> 2,)).collect();
    let pairs: Vec<_> = rows.iter().map(|&(a, b, _)| (a, b)).collect();
    let lines: Vec<_> =
        a.iter().map(|&a| Vec2::new(a as f32, -1.5)).map(|v| (Line { from: v, to: v + 1.0 },)).collect();
    for bench in benches() {
        let check =
            |result: Result<(), testing::LawError>| result.unwrap_or_else(|error| panic!("{}: {error}", bench.name));
        let (kernels, gpu) = (&bench.kernels, &bench.gpu);
        check(testing::check_function::<integers>(kernels, gpu, &rows, |a, b| a == b));
        check(testing::check_function::<table>(kernels, gpu, &fours, |a, b| a == b));
        check(testing::check_function::<select>(kernels, gpu, &pairs, |a, b| a == b));
        check(testing::check_function::<reversed>(kernels, gpu, &lines, |a, b| a == b));
    }
}

#[test]
fn casts_saturate_on_every_device() {
    let mut values: Vec<f32> = words(3, 5000).into_iter().map(f32::from_bits).filter(|x| x.is_finite()).collect();
    values.extend([0.99, -0.99, 2_147_483_500.0, 2_147_483_648.0, 4_294_967_300.0, -2_147_483_648.0, 1e20, -1e20]);
    let rows: Vec<_> = values.into_iter().map(|x| (x,)).collect();
    for bench in benches() {
        testing::check_function::<saturating>(&bench.kernels, &bench.gpu, &rows, |a, b| a == b)
            .unwrap_or_else(|error| panic!("{}: {error}", bench.name));
    }
}

#[test]
fn floats_agree_within_a_few_units_in_the_last_place() {
    let value = |word: u32| (word >> 8) as f32 * (4.0 / 16_777_216.0) - 2.0;
    let w = common::Words::take(4, 70_000, value);
    let rows: Vec<_> = w
        .chunks_exact(7)
        .map(|w| (Vec4::new(w[0], w[1], w[2], 0.0), Vec4::new(w[3], w[4], w[5], 0.0), w[6] * 4.0))
        .collect();
    let tight = testing::evaluate::<tight>(&benches()[0].kernels, &benches()[0].gpu, &[(Vec3::X,)]);
    assert!(tight.unwrap_err().to_string().contains("12 bytes in Rust, but 16 bytes apart"));
    // Where cross product and mean cancel, what is left of 24 bits is normalised.
    let same = |a: &Vec4, b: &Vec4| (*a - *b).abs().max_element() <= 1e-4;
    for bench in benches() {
        testing::check_function::<floats>(&bench.kernels, &bench.gpu, &rows, same)
            .unwrap_or_else(|error| panic!("{}: {error}", bench.name));
    }
}

/// Mixes, then adds: not associative in general, but on (hash, 0) pairs addition is.
struct Total;

#[device]
impl Operator for Total {
    type Item = UVec2;
    const NAME: &'static str = "sum of pairs";
    const COMMUTATIVE: bool = true;
    fn identity() -> UVec2 {
        UVec2::ZERO
    }
    fn combine(left: UVec2, right: UVec2) -> UVec2 {
        UVec2::new(left.x.wrapping_add(right.x), left.y.max(right.y))
    }
}

struct Mixed;

#[device]
impl Source for Mixed {
    type Stored = u32;
    type Item = UVec2;
    const NAME: &'static str = "mixed";
    fn map(stored: u32, item: u32) -> UVec2 {
        UVec2::new(scramble(stored ^ scramble(item)), item)
    }
}

struct Rare;

#[device]
impl Predicate for Rare {
    type Item = u32;
    const NAME: &'static str = "rare";
    fn keep(stored: u32, item: u32) -> bool {
        scramble(stored).wrapping_add(item).is_multiple_of(7)
    }
}

#[test]
fn primitives_take_device_implementations() {
    let items = common::Words::take(5, 30_000, |word| word);
    let n = items.len() as u32;
    let pairs: Vec<UVec2> = items.iter().map(|&w| UVec2::new(w, w >> 7)).collect();
    for bench in benches() {
        testing::check_operator::<Total>(&bench.gpu, &pairs[..4], |a, b| a == b).unwrap();
        let reduce = bench.kernels.reduce_source::<Total, Mixed>().unwrap();
        let input = transfer::upload(&bench.gpu.device, "items", &items);
        let output = transfer::storage::<UVec2>(&bench.gpu.device, "total", 1);
        let scratch = bench.dirty_scratch(reduce.scratch(n));
        let bound = reduce.bind(GpuSlice::whole(&input), GpuSlice::whole(&output), Count::Fixed(n), &scratch).unwrap();
        bench.run(&bound, 1);
        let found = transfer::download::<UVec2>(&bench.gpu, &output).unwrap()[0];
        assert_eq!(found, kernels::reduce::<Total, Mixed>(&items), "{}", bench.name);
        assert_eq!(kernels::reduce::<Total, Plain<UVec2>>(&pairs[..1]), pairs[0]);
    }
    let mut kept = vec![0; items.len()];
    let count = kernels::compact::<Rare>(&items, &mut kept) as usize;
    assert!(count > 3000 && count < 6000, "{count}");
    for bench in benches() {
        let compact = bench.kernels.compact::<Rare>().unwrap();
        let (input, output, found) = (bench.guarded(&items), bench.room::<u32>(items.len()), bench.room::<u32>(1));
        let scratch = bench.dirty_scratch(compact.scratch(n));
        let bound = compact.bind(input.slice(), output.slice(), found.slice(), Count::Fixed(n), &scratch);
        bench.run(&bound.unwrap(), 1);
        assert_eq!(bench.read(&found)[0] as usize, count, "{}", bench.name);
        assert!(bench.read(&output)[..count] == kept[..count], "{}", bench.name);
    }
}

#[device]
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
struct Entry {
    name: u32,
    rank: i32,
}

#[device]
impl RadixKey for Entry {
    const BITS: u32 = 64;
    fn key_word(key: Entry, word: u32) -> u32 {
        let rank: i32 = key.rank;
        if word == 1 { rank as u32 ^ 0x8000_0000 } else { key.name }
    }
}

#[test]
fn structs_are_sorted_by_a_device_key() {
    let entries = common::Words::take(8, 20_000, |word| Entry { name: word >> 16, rank: word as i32 % 50 });
    let mut expected = entries.clone();
    expected.sort_by_key(|entry| (entry.rank, entry.name));
    let mut found = entries.clone();
    kernels::sort_keys(&mut found, Order::Ascending, 64);
    assert_eq!(found, expected);
    for bench in benches() {
        let sort = bench.kernels.sort_keys::<Entry>(Order::Ascending).unwrap();
        let (keys_in, keys_out) = (bench.guarded(&entries), bench.room::<Entry>(entries.len()));
        let n = entries.len() as u32;
        let scratch = bench.dirty_scratch(sort.scratch(n));
        bench.run(&sort.bind(keys_in.slice(), keys_out.slice(), Count::Fixed(n), 64, &scratch).unwrap(), 1);
        assert_eq!(bench.read(&keys_out), expected, "{}", bench.name);
    }
}

/// Reduces and scans on every device as on the host.
fn check_wide<O: Operator<Item = u64>>(items: &[u64]) {
    let n = items.len() as u32;
    let mut expected = vec![0; items.len()];
    let total = kernels::scan::<O, Plain<u64>>(items, &mut expected, ScanKind::Exclusive);
    assert_eq!(total, kernels::reduce::<O, Plain<u64>>(items));
    for bench in benches() {
        testing::check_operator::<O>(&bench.gpu, &items[..4], |a, b| a == b).unwrap();
        let (input, out, sum) = (bench.guarded(items), bench.room::<u64>(items.len()), bench.room::<u64>(1));
        let reduce = bench.kernels.reduce::<O>().unwrap();
        let scratch = bench.dirty_scratch(reduce.scratch(n));
        bench.run(&reduce.bind(input.slice(), sum.slice(), Count::Fixed(n), &scratch).unwrap(), 1);
        assert_eq!(bench.read(&sum), [total], "{}: {}", bench.name, O::NAME);
        let scan = bench.kernels.scan::<O>().unwrap();
        let scratch = bench.dirty_scratch(scan.scratch(n));
        let io = ScanIo { input: input.slice(), output: out.slice(), total: None };
        bench.run(&scan.bind(io, ScanKind::Exclusive, Count::Fixed(n), &scratch).unwrap(), 1);
        assert!(bench.read(&out) == expected, "{}: {}", bench.name, O::NAME);
    }
}

#[test]
fn primitives_combine_words_of_64_bits() {
    let words = common::Words::take(31, 40_000, |word| word);
    let items: Vec<u64> = words.chunks_exact(2).map(|two| u64::from(two[0]) << 32 | u64::from(two[1])).collect();
    check_wide::<kernels::Sum<u64>>(&items);
    check_wide::<kernels::Min<u64>>(&items);
    check_wide::<kernels::Max<u64>>(&items);
}

#[test]
fn a_replacement_is_used_and_judged() {
    let bench = &benches()[0];
    let rows: Vec<_> = words(6, 100).into_iter().map(|word| (word,)).collect();
    let wrong = bench.kernels.clone().with_replacement::<scramble>("fn scramble(value: u32) -> u32 { return value; }");
    let error = testing::check_function::<scramble>(&wrong, &bench.gpu, &rows, |a, b| a == b).unwrap_err();
    assert!(matches!(error, testing::LawError::Meaning { operator: "scramble", .. }), "{error}");
    let broken = bench.kernels.clone().with_replacement::<scramble>("fn scramble(value: u32) -> u32 { return value }");
    let error = testing::check_function::<scramble>(&broken, &bench.gpu, &rows, |a, b| a == b).unwrap_err().to_string();
    assert!(error.starts_with("primitives::device_functions::scramble (replacement):1:"), "{error}");
    let right = "fn scramble(value: u32) -> u32 {
        let x = (value ^ (value >> 16u)) * 0x7feb352du;
        return x ^ (x >> 15u);
    }";
    let right = bench.kernels.clone().with_replacement::<scramble>(right);
    testing::check_function::<scramble>(&right, &bench.gpu, &rows, |a, b| a == b).unwrap();
}

#[test]
fn the_text_is_readable() {
    assert_eq!(
        scramble::WGSL,
        "//!once primitives::device_functions::scramble
// Finaliser of a hash.
fn scramble(value: u32) -> u32 {
    var x = value;
    x = (x ^ (x >> 16u)) * 0x7feb352du;
    return x ^ (x >> 15u);
}
//!end
"
    );
    assert!(reversed::WGSL.contains("struct Line {\n    from_: vec2f,\n    to: vec2f,\n}\n"), "{}", reversed::WGSL);
    assert!(integers::WGSL.contains("const STEPS: u32 = 7u;\n"), "{}", integers::WGSL);
}
