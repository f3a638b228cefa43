//! Do random expressions give the same integers in Rust and on every device? `device_random/functions.rs` is generated here.

mod common;
#[path = "device_random/functions.rs"]
mod functions;

use common::{Words, benches};
use kernels::{
    Element,
    device::{Arguments, DeviceFunction},
    laws,
};

const FUNCTIONS: u32 = 48;
const WIDE_FUNCTIONS: u32 = 24;

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
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/device_random/functions.rs");
    let written = Writer(Words(9)).file();
    if std::env::var_os("OROGEN_BLESS").is_some() {
        std::fs::write(path, &written).unwrap();
    }
    assert!(std::fs::read_to_string(path).unwrap() == written, "OROGEN_BLESS=1 writes {path} anew");
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
