//! Do random expressions give the same integers in Rust and on every device, in functions and in kernels? The files of
//! `device_random/` are generated here.

mod common;
#[path = "device_random/functions.rs"]
mod functions;
#[path = "device_random/kernels.rs"]
mod random_kernels;

use common::{Words, benches};
use kernels::{
    Element, GpuSlice, LoopKernel,
    device::{Arguments, DeviceFunction},
    laws, transfer,
};

const FUNCTIONS: u32 = 48;
const WIDE_FUNCTIONS: u32 = 24;
const KERNELS: u32 = 16;

/// Writes random expressions, typed, that neither overflow nor divide by zero.
struct Writer(Words);

impl Writer {
    fn pick(&mut self, n: u32) -> u32 {
        self.0.next() % n
    }

    fn unsigned(&mut self, depth: u32) -> String {
        if depth == 0 {
            return match self.pick(4) {
                0 => "a".to_owned(),
                1 => "b".to_owned(),
                // Alone, literals could overflow in what the compilers evaluate.
                2 => format!("(a ^ {})", self.pick(70)),
                _ => format!("({:#x} | b)", self.0.next()),
            };
        }
        let (x, d) = (self.unsigned(depth - 1), depth - 1);
        let typed = |x: &str| if x.len() == 1 { x.to_owned() } else { format!("({x})") };
        match self.pick(16) {
            0 => format!("{}.wrapping_add({})", typed(&x), self.unsigned(d)),
            1 => format!("{}.wrapping_sub({})", typed(&x), self.unsigned(d)),
            2 => format!("{}.wrapping_mul({})", typed(&x), self.unsigned(d)),
            3 => format!("a / (({x}) | 1)"),
            4 => format!("({x} ^ b) % (({}) | 1)", self.unsigned(d)),
            5 => format!("({x} ^ a) & {}", self.unsigned(d)),
            6 => format!("b | {x} ^ a & ({})", self.unsigned(d)),
            7 => format!("{} << (({}) & 31)", typed(&x), self.unsigned(d)),
            8 => format!("{} >> (({}) & 31)", typed(&x), self.unsigned(d)),
            9 => format!("!({x} ^ b)"),
            10 => format!("{}.min({})", typed(&x), self.unsigned(d)),
            11 => format!("{}.count_ones() + {}.leading_zeros() * 40", typed(&x), typed(&self.unsigned(d))),
            12 => format!("{}.rotate_left({} & 63) ^ {}.trailing_zeros()", typed(&x), self.unsigned(d), typed(&x)),
            13 => format!("(if {} {{ a ^ {x} }} else {{ b ^ {} }})", self.boolean(d), self.unsigned(d)),
            14 => format!("({}) as u32", self.signed(d)),
            _ => format!("({}) as u32 ^ {x}", self.boolean(d)),
        }
    }

    fn signed(&mut self, depth: u32) -> String {
        if depth == 0 {
            return if self.pick(2) == 0 { "c".to_owned() } else { format!("(c ^ {})", self.pick(9)) };
        }
        let x = self.signed(depth - 1);
        match self.pick(7) {
            0 => format!("({x}).wrapping_mul(c)"),
            1 => format!("({x}).wrapping_neg()"),
            2 => format!("(({x}) >> 2) / ((c & 0xff) + 1)"),
            3 => format!("({x}) % (c & 31 | 1)"),
            4 => format!("({x}) >> (({}) & 31)", self.unsigned(depth - 1)),
            5 => format!("({x}).max(-{})", self.pick(1000)),
            _ => format!("(({}) ^ a) as i32", self.unsigned(depth - 1)),
        }
    }

    fn boolean(&mut self, depth: u32) -> String {
        if depth == 0 {
            return "a > b".to_owned();
        }
        let d = depth - 1;
        match self.pick(5) {
            0 => format!("({}) ^ a < b", self.unsigned(d)),
            1 => format!("({}) & 1 == 0 || a == b", self.unsigned(d)),
            2 => format!("c >= {} && b != 3", self.signed(d)),
            3 => format!("!({})", self.boolean(d)),
            _ => format!("({}) != ({})", self.boolean(d), self.boolean(d)),
        }
    }

    /// Kernels in two dimensions: gathered reads, loops as they are, unrolled and tiled, guards, totals.
    fn kernels_file(&mut self) -> String {
        let mut file = "//! Random kernels. Generated: `OROGEN_BLESS=1 cargo test -p kernels --test device_random`.\n\
                        #![allow(warnings, clippy::all, reason = \"random\")]\n\nuse kernels::kernel;\n"
            .to_owned();
        for i in 0..KERNELS {
            let tiled = i % 4 == 3;
            let totals = if tiled { "" } else { ", sum: &mut u32, least: &mut u32, parity: &mut u32" };
            file += &format!(
                "\n#[kernel]\n#[rustfmt::skip]\npub fn k{i}(width: u32, height: u32, x: &[u32], y: &[i32], out: &mut [u32]{totals}) {{\n"
            );
            file += "    for row in 0..height {\n        for column in 0..width {\n            let at = row * width + column;\n";
            file += "            let a: u32 = x[at as usize];\n            let c: i32 = y[at as usize];\n";
            file += "            let mut b = at;\n";
            let annotation = ["", "#[unroll] ", "#[unroll(3)] ", "#[tile(8)] "][i as usize % 4];
            let (end, read) = match i % 4 {
                1 => ("5u32", "x[((b ^ k) % x.len() as u32) as usize]"),
                3 => ("height", "x[(k * width + column) as usize]"),
                _ => ("a % 9", "x[((b ^ k) % x.len() as u32) as usize]"),
            };
            let first = if i % 4 == 1 { "0u32" } else { "0" };
            file += &format!(
                "            {annotation}for k in {first}..{end} {{\n                b = b.rotate_left(3) ^ {read};\n            }}\n"
            );
            if !tiled {
                file += &format!("            if {} {{\n                continue;\n            }}\n", self.boolean(2));
            }
            file += &format!("            let b: u32 = {};\n", self.unsigned(2));
            file += &format!("            out[at as usize] = out[at as usize] ^ ({});\n", self.unsigned(3));
            if !tiled {
                file += &format!("            *sum = sum.wrapping_add({});\n", self.unsigned(2));
                file += &format!("            *parity ^= {};\n", self.unsigned(2));
                file += &format!(
                    "            if {} {{\n                *least = (*least).min({});\n            }}\n",
                    self.boolean(1),
                    self.unsigned(2)
                );
            }
            file += "        }\n    }\n}\n";
        }
        file
    }

    /// Of 64 bits.
    fn wide(&mut self, depth: u32) -> String {
        if depth == 0 {
            return match self.pick(4) {
                0 => "p".to_owned(),
                1 => "q".to_owned(),
                2 => format!("(p ^ {})", self.pick(70)),
                _ => format!("({:#x} | q)", u64::from(self.0.next()) << self.pick(33)),
            };
        }
        let (x, d) = (self.wide(depth - 1), depth - 1);
        match self.pick(15) {
            0 => format!("({x}).wrapping_add({})", self.wide(d)),
            1 => format!("({x}).wrapping_sub({})", self.wide(d)),
            2 => format!("({x}).wrapping_mul({})", self.wide(d)),
            3 => format!("({x}) << (({}) & 63)", self.unsigned(1)),
            4 => format!("({x}) >> (({}) & 63)", self.wide(1)),
            5 => format!("({x} ^ p) & {}", self.wide(d)),
            6 => format!("q | {x} ^ p & ({})", self.wide(d)),
            7 => format!("!({x} ^ q)"),
            8 => format!("({x}).min({})", self.wide(d)),
            9 => format!("({x}).max({})", self.wide(d)),
            10 => format!("(({x}).leading_zeros() * 100 + ({}).trailing_zeros()) as u64", self.wide(d)),
            11 => format!("({x}).count_ones() as u64 + (({}) & 0xffff_ffff) * 3", self.wide(d)),
            12 => format!("(if ({x}) < {} {{ p ^ {x} }} else {{ q ^ {} }})", self.wide(d), self.wide(d)),
            13 => format!("(({x}) >= {} || {} != q) as u64", self.wide(d), self.wide(d)),
            _ => format!("({x}) as u32 as u64 ^ (({}) as u64) << 32", self.unsigned(1)),
        }
    }

    fn file(&mut self) -> String {
        let mut file =
            "//! Random expressions. Generated: `OROGEN_BLESS=1 cargo test -p kernels --test device_random`.\n\
                        #![allow(warnings, clippy::all, reason = \"random\")]\n\nuse kernels::device;\n"
                .to_owned();
        for i in 0..FUNCTIONS {
            file += &format!("\n#[device]\n#[rustfmt::skip]\npub fn e{i}(a: u32, b: u32, c: i32) -> u32 {{\n");
            for step in ["a", "b"] {
                file += &format!("    let {step}: u32 = {};\n", self.unsigned(3));
            }
            file += &format!("    {}\n}}\n", self.unsigned(4));
        }
        for i in 0..WIDE_FUNCTIONS {
            file += &format!("\n#[device]\n#[rustfmt::skip]\npub fn w{i}(p: u64, q: u64, a: u32) -> u64 {{\n");
            file += "    let b: u32 = (q >> 7) as u32;\n    let c: i32 = p as i32;\n";
            file += &format!("    let p: u64 = {};\n    {}\n}}\n", self.wide(3), self.wide(4));
        }
        file
    }
}

#[test]
fn random_expressions_are_what_the_writer_writes() {
    for (name, written) in [("functions", Writer(Words(9)).file()), ("kernels", Writer(Words(19)).kernels_file())] {
        let path = format!("{}/tests/device_random/{name}.rs", env!("CARGO_MANIFEST_DIR"));
        if std::env::var_os("OROGEN_BLESS").is_some() {
            std::fs::write(&path, &written).unwrap();
        }
        assert!(std::fs::read_to_string(&path).unwrap() == written, "OROGEN_BLESS=1 writes {path} anew");
    }
}

fn check<F: DeviceFunction>(rows: &[F::Arguments])
where
    F::Arguments: Arguments,
    F::Output: Element + PartialEq,
{
    for bench in benches() {
        laws::check_function::<F>(&bench.kernels, &bench.gpu, rows, |a, b| a == b)
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
    check_all!(&rows; e0 e1 e2 e3 e4 e5 e6 e7 e8 e9 e10 e11 e12 e13 e14 e15 e16 e17 e18 e19 e20 e21 e22 e23);
    check_all!(&rows; e24 e25 e26 e27 e28 e29 e30 e31 e32 e33 e34 e35 e36 e37 e38 e39 e40 e41 e42 e43 e44 e45 e46 e47);
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
    ($($kernel:ident)*; $($tiled:ident)*) => {
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
        $(check_kernel::<random_kernels::$tiled>(
            stringify!($tiled),
            |x, y, (out, _), parallel| {
                if parallel {
                    random_kernels::$tiled::par(SIZE[0], SIZE[1], x, y, out)
                } else {
                    random_kernels::$tiled(SIZE[0], SIZE[1], x, y, out)
                }
            },
            |x, y, out, _| (SIZE[0], SIZE[1], x, y, out),
        );)*
    };
}

#[test]
fn random_kernels_agree_bit_for_bit_on_all_cores_and_on_every_device() {
    check_kernels!(k0 k1 k2 k4 k5 k6 k8 k9 k10 k12 k13 k14; k3 k7 k11 k15);
}

#[test]
fn random_expressions_of_64_bits_agree_bit_for_bit_on_every_device() {
    let mut words = Words(11);
    let mut wide = || {
        let both = u64::from(words.next()) << 32 | u64::from(words.next());
        both >> (words.next() & 63)
    };
    let rows: Vec<_> = (0..2000).map(|_| (wide(), wide(), wide() as u32)).collect();
    check_all!(&rows; w0 w1 w2 w3 w4 w5 w6 w7 w8 w9 w10 w11 w12 w13 w14 w15 w16 w17 w18 w19 w20 w21 w22 w23);
}
