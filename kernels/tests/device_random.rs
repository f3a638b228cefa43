//! Do random expressions give the same integers in Rust and on every device, in functions and in kernels, and floats within
//! the bounds of their operations? `device_random_text` writes the files of `device_random/`.

#![cfg(feature = "gpu")]

mod common;
#[path = "device_random/floats.rs"]
mod floats;
#[path = "device_random/functions.rs"]
mod functions;
#[path = "device_random/near.rs"]
mod near;
#[path = "device_random/kernels.rs"]
mod random_kernels;

use common::{Words, benches};
use gpu::transfer;
use kernels::{
    Count, Element, GpuList, GpuSlice, List, LoopKernel,
    device::DeviceFunction,
    testing::{self, Arguments, evaluate},
};
use near::Near;

fn check<F: DeviceFunction>(rows: &[F::Arguments])
where
    F::Arguments: Arguments,
    F::Output: Element + PartialEq,
{
    for bench in benches() {
        testing::check_function::<F>(&bench.kernels, &bench.gpu, rows, |a, b| a == b)
            .unwrap_or_else(|error| panic!("{}: {error}\n{}", bench.name, F::WGSL));
    }
}

macro_rules! check_all {
    ($rows:expr; $($function:ident)*) => { $(check::<functions::$function>($rows);)* };
}

#[test]
fn random_expressions_agree_bit_for_bit_on_every_device() {
    let mut words = Words(10);
    let mut word = || {
        let word = words.next();
        word >> (words.next() & 31)
    };
    let rows: Vec<_> = (0..2000).map(|_| (word(), word(), (word() ^ word().wrapping_neg()) as i32)).collect();
    check_all!(&rows; e0 e1 e2 e3 e4 e5 e6 e7 e8 e9 e10 e11 e12 e13 e14 e15);
}

/// What a kernel leaves: elements and totals.
type Left = (Vec<u32>, [u32; 3]);

const SIZE: [u32; 2] = [37, 29];

/// Runs a kernel by the plain loops, on all cores and on every device.
fn check_kernel<K>(
    name: &str,
    host: impl Fn(&[u32], &[i32], &mut Left, bool),
    device: impl for<'a> Fn(
        GpuSlice<'a, u32>,
        GpuSlice<'a, i32>,
        GpuSlice<'a, u32>,
        [GpuSlice<'a, u32>; 3],
    ) -> K::Device<'a>,
) where
    K: LoopKernel,
{
    let n = (SIZE[0] * SIZE[1]) as usize;
    let x = Words::take(20, n, |word| word >> (word & 31));
    let y = Words::take(21, n, |word| (word >> (word & 31)) as i32);
    let before: Left = (Words::take(22, n, |word| word), [1, u32::MAX, 3]);
    let (mut plain, mut parallel) = (before.clone(), before.clone());
    host(&x, &y, &mut plain, false);
    host(&x, &y, &mut parallel, true);
    assert_eq!(parallel, plain, "{name} on all cores");
    for bench in benches() {
        let gpu = &bench.gpu;
        let (on_x, on_y) = (transfer::upload(&gpu.device, "x", &x), transfer::upload(&gpu.device, "y", &y));
        let out = transfer::upload(&gpu.device, "out", &before.0);
        let totals = before.1.map(|total| transfer::upload(&gpu.device, "total", &[total]));
        let plan = bench.kernels.plan::<K>().unwrap_or_else(|error| panic!("{name}: {error}"));
        let slices = totals.each_ref().map(GpuSlice::whole);
        let bound = plan.bind(device(GpuSlice::whole(&on_x), GpuSlice::whole(&on_y), GpuSlice::whole(&out), slices));
        bench.run(&bound.unwrap(), 1);
        let found: Vec<u32> = transfer::download(gpu, &out).unwrap();
        let found_totals = totals.each_ref().map(|total| transfer::download::<u32>(gpu, total).unwrap()[0]);
        assert!(found == plain.0 && found_totals == plain.1, "{}: {name}\n{}", bench.name, plan.wgsl());
    }
}

macro_rules! check_kernels {
    ($($kernel:ident)*) => {
        $(check_kernel::<random_kernels::$kernel>(
            stringify!($kernel),
            |x, y, (out, [a, b, c]), parallel| {
                if parallel {
                    random_kernels::$kernel::par(SIZE[0], SIZE[1], x, y, out, a, b, c)
                } else {
                    random_kernels::$kernel(SIZE[0], SIZE[1], x, y, out, a, b, c)
                }
            },
            |x, y, out, [a, b, c]| (SIZE[0], SIZE[1], x, y, out, a, b, c),
        );)*
    };
}

#[test]
fn random_kernels_agree_bit_for_bit_on_all_cores_and_on_every_device() {
    check_kernels!(k0 k1 k2 k3 k4 k5);
}

/// Arguments of all kernels over elements of 64 bits: the slice that is read, what is written, totals, and the list.
type WideDevice<'a> = (
    Count<'a>,
    u64,
    GpuSlice<'a, u64>,
    GpuSlice<'a, u64>,
    GpuSlice<'a, u64>,
    GpuSlice<'a, u64>,
    GpuSlice<'a, u64>,
    GpuSlice<'a, u64>,
    GpuList<'a, u64>,
);
type WideHost<'a> =
    (u32, u64, &'a [u64], &'a mut [u64], &'a mut u64, &'a mut u64, &'a mut u64, &'a mut u64, &'a mut List<u64>);

fn check_wide<K>(name: &str)
where
    K: for<'a> LoopKernel<Device<'a> = WideDevice<'a>, Host<'a> = WideHost<'a>>,
{
    let n = 150;
    let mut words = Words(23);
    let mut wide = || (u64::from(words.next()) << 32 | u64::from(words.next())) >> (words.next() & 63);
    let x: Vec<u64> = (0..n).map(|_| wide()).collect();
    let before: Vec<u64> = (0..n).map(|_| wide()).collect();
    let (q, totals, len) = (wide(), [1u64, u64::MAX, 3, 4], n as u32 - 9);
    let host = |parallel: bool| {
        let (mut out, mut left, mut list) = (before.clone(), totals, List::with_capacity(n as u32));
        let [a, b, c, d] = &mut left;
        let arguments = (len, q, &*x, &mut *out, a, b, c, d, &mut list);
        if parallel {
            K::parallel(arguments)
        } else {
            K::serial(arguments)
        }
        (out, left, list)
    };
    let plain = host(false);
    assert_eq!(host(true), plain, "{name} on all cores");
    let sorted = |mut items: Vec<u64>| {
        items.sort_unstable();
        items
    };
    let chosen = sorted(plain.2.items().to_vec());
    for bench in benches() {
        let gpu = &bench.gpu;
        let on_x = transfer::upload(&gpu.device, "x", &x);
        let number = transfer::upload(&gpu.device, "count", &[0, len]);
        for count in [Count::Fixed(len), Count::Gpu { buffer: &number, index: 1, capacity: n as u32 }] {
            let out = transfer::upload(&gpu.device, "out", &before);
            let left = totals.map(|total| transfer::upload(&gpu.device, "total", &[total]));
            let (items, counter) =
                (transfer::upload(&gpu.device, "items", &before), transfer::upload(&gpu.device, "counter", &[7u32, 7]));
            let [a, b, c, d] = left.each_ref().map(GpuSlice::whole);
            let list = GpuList { items: GpuSlice::whole(&items), counter: GpuSlice::whole(&counter) };
            let plan = bench.kernels.plan::<K>().unwrap_or_else(|error| panic!("{name}: {error}"));
            let bound = plan.bind((count, q, GpuSlice::whole(&on_x), GpuSlice::whole(&out), a, b, c, d, list));
            bench.run(&bound.unwrap(), 1);
            let found: Vec<u64> = transfer::download(gpu, &out).unwrap();
            let found_totals = left.each_ref().map(|total| transfer::download::<u64>(gpu, total).unwrap()[0]);
            assert!(found == plain.0 && found_totals == plain.1, "{}: {name}\n{}", bench.name, plan.wgsl());
            assert_eq!(transfer::download::<u32>(gpu, &counter).unwrap(), [plain.2.pushed(), 0], "{name}");
            let mut found: Vec<u64> = transfer::download(gpu, &items).unwrap();
            found.truncate(chosen.len());
            assert_eq!(sorted(found), chosen, "{}: {name}", bench.name);
        }
    }
}

#[test]
fn random_kernels_of_64_bits_agree_bit_for_bit_on_all_cores_and_on_every_device() {
    macro_rules! check_all {
        ($($kernel:ident)*) => { $(check_wide::<random_kernels::$kernel>(stringify!($kernel));)* };
    }
    check_all!(v0 v1 v2);
}

#[test]
fn random_expressions_of_64_bits_agree_bit_for_bit_on_every_device() {
    let mut words = Words(11);
    let mut wide = || {
        let both = u64::from(words.next()) << 32 | u64::from(words.next());
        both >> (words.next() & 63)
    };
    let rows: Vec<_> = (0..2000).map(|_| (wide(), wide(), wide() as u32)).collect();
    check_all!(&rows; w0 w1 w2 w3 w4 w5 w6 w7);
}

fn check_floats<F: DeviceFunction<Arguments = (f32, f32, f32), Output = f32>>(
    name: &str,
    near: impl Fn(Near, Near, Near) -> Near,
    rows: &[(f32, f32, f32)],
) {
    let bounds: Vec<Near> =
        rows.iter().map(|(a, b, c)| near(Near::exactly(*a), Near::exactly(*b), Near::exactly(*c))).collect();
    let check = |place: &str, found: &[f32]| {
        for ((found, bound), row) in found.iter().zip(&bounds).zip(rows) {
            let off = (f64::from(*found) - bound.value).abs();
            assert!(off <= bound.error, "{place}: {name} of {row:?} is {found}, not {bound:?}\n{}", F::WGSL);
        }
    };
    let tight = bounds.iter().filter(|bound| bound.error <= 0.01 * (1.0 + bound.value.abs())).count();
    assert!(10 * tight >= 9 * bounds.len(), "{name}: {tight} bounds of {} say something", bounds.len());
    check("Rust", &rows.iter().map(|row| F::call(*row)).collect::<Vec<_>>());
    for bench in benches() {
        let found = evaluate::<F>(&bench.kernels, &bench.gpu, rows).unwrap_or_else(|error| panic!("{name}: {error}"));
        check(&bench.name, &found);
    }
}

#[test]
fn random_expressions_of_floats_lie_within_the_bounds_of_their_operations() {
    let mut words = Words(30);
    let mut real = || (words.next() >> 8) as f32 / 2_097_152.0 - 4.0;
    let rows: Vec<_> = (0..2000).map(|_| (real(), real(), real())).collect();
    macro_rules! check_all {
        ($($function:ident $near:ident)*) => {
            $(check_floats::<floats::$function>(stringify!($function), floats::$near, &rows);)*
        };
    }
    check_all!(r0 near_r0 r1 near_r1 r2 near_r2 r3 near_r3 r4 near_r4 r5 near_r5 r6 near_r6 r7 near_r7);
}
