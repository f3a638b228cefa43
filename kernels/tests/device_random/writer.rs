//! Which random expressions, functions and kernels are tested? Typed ones that neither overflow nor divide by zero.

use crate::common::Words;

const FUNCTIONS: u32 = 16;
const WIDE_FUNCTIONS: u32 = 8;
const KERNELS: u32 = 6;
const WIDE_KERNELS: u32 = 3;
const FLOAT_FUNCTIONS: u32 = 8;

/// Writes them.
pub struct Writer(pub Words);

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
        match self.pick(26) {
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
            15 => format!("({x}).max({})", self.unsigned(d)),
            16 => format!("{}.rotate_right({})", typed(&x), self.unsigned(d)),
            17 => format!("({x}).wrapping_shl({})", self.unsigned(d)),
            18 => format!("({x}).wrapping_shr({})", self.unsigned(d)),
            19 => format!("({x}).is_multiple_of({} | 1) as u32", self.unsigned(d)),
            20 => format!("({x}).reverse_bits()"),
            21 => format!("({x}).wrapping_neg()"),
            22 => format!("({x}).clamp({}, {})", self.pick(99), 100 + self.pick(99_999)),
            23 => format!("(({x}) & 0xffff) * 7 + (({}) & 0xfff) + 5 - (a & 3)", self.unsigned(d)),
            24 => format!("({}).count_ones() * 33 + ({x}).leading_zeros()", self.signed(d)),
            _ => format!("({}) as u32 ^ {x}", self.boolean(d)),
        }
    }

    fn signed(&mut self, depth: u32) -> String {
        if depth == 0 {
            return if self.pick(2) == 0 { "c".to_owned() } else { format!("(c ^ {})", self.pick(9)) };
        }
        let x = self.signed(depth - 1);
        match self.pick(16) {
            0 => format!("({x}).wrapping_mul(c)"),
            1 => format!("({x}).wrapping_neg()"),
            2 => format!("(({x}) >> 2) / ((c & 0xff) + 1)"),
            3 => format!("({x}) % (c & 31 | 1)"),
            4 => format!("({x}) >> (({}) & 31)", self.unsigned(depth - 1)),
            5 => format!("({x}).max(-{})", self.pick(1000)),
            6 => format!("({x}).min({})", self.signed(depth - 1)),
            7 => format!("({x}).wrapping_add({})", self.signed(depth - 1)),
            8 => format!("({x}).wrapping_sub({})", self.signed(depth - 1)),
            9 => format!("(({x}) >> 1).abs()"),
            10 => format!("({x}).signum() * 77"),
            11 => format!("!({x})"),
            12 => format!("({x}) << (({}) & 31)", self.unsigned(depth - 1)),
            13 => format!("({x}) & ({}) | c", self.signed(depth - 1)),
            14 => format!("(if {} {{ c }} else {{ {x} }})", self.boolean(depth - 1)),
            _ => format!("(({}) ^ a) as i32", self.unsigned(depth - 1)),
        }
    }

    fn boolean(&mut self, depth: u32) -> String {
        if depth == 0 {
            return "a > b".to_owned();
        }
        let d = depth - 1;
        match self.pick(10) {
            0 => format!("({}) ^ a < b", self.unsigned(d)),
            1 => format!("({}) & 1 == 0 || a == b", self.unsigned(d)),
            2 => format!("c >= {} && b != 3", self.signed(d)),
            3 => format!("!({})", self.boolean(d)),
            4 => format!("c <= {}", self.signed(d)),
            5 => format!("({}) == ({})", self.boolean(d), self.boolean(d)),
            6 => format!("({}) & ({})", self.boolean(d), self.boolean(d)),
            7 => format!("({}) | ({})", self.boolean(d), self.boolean(d)),
            8 => format!("(({}) ^ ({}))", self.boolean(d), self.boolean(d)),
            _ => format!("({}) != ({})", self.boolean(d), self.boolean(d)),
        }
    }

    /// Kernels in two dimensions: gathered reads, loops as they are, unrolled and tiled, guards, totals.
    pub fn kernels_file(&mut self) -> String {
        let mut file = "//! Random kernels. Generated: `./x generate`.\n\
                        #![allow(warnings, clippy::all, reason = \"random\")]\n\nuse kernels::{List, kernel};\n"
            .to_owned();
        for i in 0..KERNELS {
            let tiled = i % 4 == 3;
            file += &format!(
                "\n#[kernel]\n#[rustfmt::skip]\npub fn k{i}(width: u32, height: u32, x: &[u32], y: &[i32], out: &mut [u32], sum: &mut u32, least: &mut u32, parity: &mut u32) {{\n"
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
            file += &format!("            *sum = sum.wrapping_add({});\n", self.unsigned(2));
            file += &format!("            *parity ^= {};\n", self.unsigned(2));
            file += &format!(
                "            if {} {{\n                *least = (*least).min({});\n            }}\n",
                self.boolean(1),
                self.unsigned(2)
            );
            file += "        }\n    }\n}\n";
        }
        file + &self.wide_kernels()
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
        match self.pick(17) {
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
            14 => format!("({x}).rotate_left({})", self.unsigned(1)),
            15 => format!("({x}).rotate_right({})", self.unsigned(1)),
            13 => format!("(({x}) >= {} || {} != q) as u64", self.wide(d), self.wide(d)),
            _ => format!("({x}) as u32 as u64 ^ (({}) as u64) << 32", self.unsigned(1)),
        }
    }

    /// Loops, cases, compound assignments and vectors, which change `b`.
    fn statements(&mut self) -> String {
        let mut text = "    let mut s = b;\n".to_owned();
        let operator =
            ["+= 1 + (s >> 9 & 7)", "^= k", "|= k << 3", "&= !k", "<<= k & 3", ">>= k & 7", "-= s >> 1", "/= 3"];
        let operator = operator[self.pick(8) as usize];
        let range = ["0..a % 7", "(0..a % 7).rev()"][self.pick(2) as usize];
        text += &format!("    for k in {range} {{\n        s >>= 1;\n        s {operator};\n");
        text += &format!("        if {} {{\n            continue;\n        }}\n", self.boolean(1));
        text += &format!("        s = s.rotate_left(5) ^ {};\n    }}\n", self.unsigned(1));
        text +=
            "    while s > 70_000 {\n        s /= 5;\n        if s & 6 == 6 {\n            break;\n        }\n    }\n";
        text += &format!("    let t: u32 = match a % 5 {{\n        0 => {},\n", self.unsigned(2));
        text += &format!("        1 | 3 => {},\n        _ => {},\n    }};\n", self.unsigned(2), self.unsigned(2));
        text += &format!("    let v: UVec3 = UVec3::new(s, t, {});\n", self.unsigned(2));
        let operator = ["^", "&", "|"][self.pick(3) as usize];
        let method = ["max", "min", "wrapping_add", "wrapping_sub", "wrapping_mul"][self.pick(5) as usize];
        text += &format!("    let v: UVec3 = (v {operator} UVec3::splat(a)).{method}(UVec3::new(a, b, t));\n");
        text += "    let b: u32 = v.x ^ v.y.rotate_left(7) ^ v.z.rotate_left(13);\n";
        text
    }

    /// Kernels over elements of 64 bits: values, elements, totals, a list, a count on the device, tiles.
    fn wide_kernels(&mut self) -> String {
        let mut file = String::new();
        for i in 0..WIDE_KERNELS {
            file += &format!(
                "\n#[kernel(workgroup(64))]\n#[rustfmt::skip]\npub fn v{i}(#[count] n: u32, q: u64, x: &[u64], out: &mut [u64], \
                 sum: &mut u64, least: &mut u64, most: &mut u64, parity: &mut u64, chosen: &mut List<u64>) {{\n"
            );
            let start = self.next_wide();
            file += &format!("    *sum = {start:#x};\n    chosen.clear();\n    for i in 0..n {{\n");
            file += "        let mut p: u64 = x[i as usize];\n        let a: u32 = (p >> 20) as u32;\n";
            file += "        let b: u32 = p as u32;\n        let c: i32 = q as i32;\n";
            let annotation = ["", "#[tile] "][i as usize % 2];
            file += &format!(
                "        {annotation}for k in 0..x.len() as u32 {{\n            p = p.wrapping_mul({:#x}) ^ x[k as usize];\n        }}\n",
                self.next_wide() | 1
            );
            file += &format!("        out[i as usize] ^= {};\n", self.wide(3));
            file += &format!("        *sum = sum.wrapping_add({});\n", self.wide(2));
            file += &format!("        *parity ^= {};\n", self.wide(2));
            file += &format!("        *most = (*most).max({});\n", self.wide(2));
            file += &format!("        if {} {{\n", self.boolean(1));
            file += &format!("            *least = (*least).min({});\n", self.wide(2));
            file += &format!("            chosen.push({});\n        }}\n    }}\n}}\n", self.wide(2));
        }
        file
    }

    fn next_wide(&mut self) -> u64 {
        u64::from(self.0.next()) << 32 | u64::from(self.0.next())
    }

    pub fn file(&mut self) -> String {
        let mut file =
            "//! Random expressions. Generated: `./x generate`.\n\
                        #![allow(warnings, clippy::all, reason = \"random\")]\n\nuse glam::UVec3;\nuse kernels::device;\n"
                .to_owned();
        for i in 0..FUNCTIONS {
            file += &format!("\n#[device]\n#[rustfmt::skip]\npub fn e{i}(a: u32, b: u32, c: i32) -> u32 {{\n");
            for step in ["a", "b"] {
                file += &format!("    let {step}: u32 = {};\n", self.unsigned(3));
            }
            file += &self.statements();
            file += &format!("    {}\n}}\n", self.unsigned(4));
        }
        for i in 0..WIDE_FUNCTIONS {
            file += &format!("\n#[device]\n#[rustfmt::skip]\npub fn w{i}(p: u64, q: u64, a: u32) -> u64 {{\n");
            file += "    let b: u32 = (q >> 7) as u32;\n    let c: i32 = p as i32;\n";
            file += &format!("    let p: u64 = {};\n    {}\n}}\n", self.wide(3), self.wide(4));
        }
        file
    }

    /// Of floats, where no rounding changes which way is taken.
    fn real(&mut self, depth: u32) -> String {
        if depth == 0 {
            return ["a", "b", "c"][self.pick(3) as usize].to_owned();
        }
        let d = depth - 1;
        let (x, eighths) = (self.real(d), f64::from(self.pick(80) + 1) / 8.0);
        match self.pick(18) {
            0 => format!("({x}) + {}", self.real(d)),
            1 => format!("({x}) - ({})", self.real(d)),
            2 => format!("({x}) * ({})", self.real(d)),
            3 => format!("({x}) / (({}).abs() + 1.5)", self.real(d)),
            4 => format!("({x}) * {eighths:?} - {}", self.real(0)),
            5 => format!("({x}) / {eighths:?} + {}", self.real(d)),
            6 => format!("-({x}).abs()"),
            7 => format!("({x}).min({})", self.real(d)),
            8 => format!("({x}).max({})", self.real(d)),
            9 => format!("({x}).clamp(-{eighths:?}, {eighths:?})"),
            10 => format!("(({x}).abs() + 0.25).sqrt()"),
            11 => format!("({x}).clamp(-4.0, 4.0).exp2()"),
            12 => format!("(({x}).abs() + 0.25).log2()"),
            13 => format!("({x}).clamp(-3.0, 3.0).sin()"),
            14 => format!("({x}).clamp(-3.0, 3.0).cos()"),
            15 => format!("({x}).mul_add({}, {})", self.real(d), self.real(0)),
            16 => format!("(({x}).abs() + {eighths:?}).recip()"),
            _ => format!("(if a < b {{ {x} }} else {{ {} }})", self.real(d)),
        }
    }

    /// Functions of floats, and the same with bounds.
    pub fn floats_file(&mut self) -> String {
        let mut file = "//! Random expressions of floats. Generated: `./x generate`.\n\
                        #![allow(warnings, clippy::all, reason = \"random\")]\n\nuse crate::near::Near;\nuse kernels::device;\n\n\
                        macro_rules! both {\n    ($name:ident, $near:ident, $a:ident $b:ident $c:ident, $expression:expr) => {\n        \
                        #[device]\n        pub fn $name($a: f32, $b: f32, $c: f32) -> f32 {\n            $expression\n        }\n        \
                        pub fn $near($a: Near, $b: Near, $c: Near) -> Near {\n            $expression\n        }\n    };\n}\n\n"
            .to_owned();
        for i in 0..FLOAT_FUNCTIONS {
            file += &format!("both!(r{i}, near_r{i}, a b c, {});\n", self.real(4));
        }
        file
    }
}
