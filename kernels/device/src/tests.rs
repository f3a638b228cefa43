//! Is WGSL written as it should be, and is everything else refused where it stands, with advice?

use crate::{function, item};
use proc_macro2::TokenStream;
use syn::ItemFn;

/// The WGSL of a function.
fn wgsl(source: &str) -> String {
    let item: ItemFn = syn::parse_str(source).unwrap();
    let name = crate::names::wgsl_name(&item.sig.ident);
    function::translate(&item.sig, &item.attrs, &item.block, &name)
        .unwrap_or_else(|error| panic!("{source}: {error}"))
        .wgsl
}

/// The text that an error points at, and its message.
fn error(source: &str) -> (String, String) {
    let tokens: TokenStream = source.parse().unwrap();
    let item: ItemFn = syn::parse2(tokens).unwrap();
    let Err(error) = function::translate(&item.sig, &item.attrs, &item.block, "f") else {
        panic!("accepted: {source}")
    };
    (error.span().source_text().unwrap_or_default(), error.to_string())
}

#[track_caller]
fn body(source: &str, expected: &str) {
    let all = wgsl(source);
    let lines: Vec<&str> = all.lines().collect();
    let body: Vec<&str> =
        lines[1..lines.len() - 1].iter().map(|line| line.strip_prefix("    ").unwrap_or(line)).collect();
    assert_eq!(body.join("\n"), expected, "of {source}");
}

#[test]
fn operators_keep_rusts_precedence_within_wgsls_grammar() {
    for (rust, expected) in [
        ("a ^ a >> 16 & b", "a ^ ((a >> 16u) & b)"),
        ("a << b + 1", "a << (b + 1u)"),
        ("(a + b) * 2 - a % 3", "(a + b) * 2u - a % 3u"),
        ("a - (b - 1)", "a - (b - 1u)"),
        ("!a & b", "~a & b"),
        ("a.wrapping_add(b).wrapping_mul(3)", "(a + b) * 3u"),
        ("a.max(7).min(b) - 1", "min(max(a, 7u), b) - 1u"),
        ("0x7feb_352d | 0b11u32", "0x7feb352du | 0x3u"),
        ("u32::MAX", "0xffffffffu"),
        ("(a as f32 * 0.1) as u32", "u32_from_f32(f32(a) * 0.1f)"),
        ("(a == b && !(a < 3 || b > 5)) as u32", "u32(a == b && !(a < 3u || b > 5u))"),
        ("if a < b { a } else { b }", "select"),
    ] {
        let expected = if expected == "select" {
            "if a < b {\n    return a;\n}\nreturn b;".to_owned()
        } else {
            format!("return {expected};")
        };
        body(&format!("fn f(a: u32, b: u32) -> u32 {{ {rust} }}"), &expected);
    }
}

#[test]
fn floats_are_written_as_f32() {
    body("fn f(x: f32) -> f32 { -x * 1e-7 + 0.1 }", "return -x * 1e-7f + 0.1f;");
    body("fn f(x: f32) -> f32 { x + std::f32::consts::PI }", "return x + 3.1415927f;");
    body("fn f(x: f32) -> u32 { x.to_bits() >> 31 }", "return bitcast<u32>(x) >> 31u;");
}

#[test]
fn integers_at_the_edge_are_not_too_large_for_wgsl() {
    body("fn f(x: i32) -> i32 { x.max(-2147483648) + -1 }", "return max(x, i32(-2147483648)) + -1i;");
}

#[test]
fn vectors_are_shifted_and_compared_as_a_whole() {
    body("fn f(v: UVec3) -> UVec3 { v >> 2 }", "return v >> vec3u(2u);");
    body("fn f(v: IVec2, w: IVec2) -> bool { v != w || v.x < w.y }", "return any(v != w) || v.x < w.y;");
    body("fn f(v: Vec3) -> Vec4 { v.extend(1.0).wzyx() }", "return vec4f(v, 1.0f).wzyx;");
}

#[test]
fn choices_without_branches_are_select() {
    body(
        "fn f(v: Vec3, w: Vec3, k: u32) -> Vec3 { let m = v.cmple(w) & !w.cmpeq(Vec3::ZERO); \
         std::hint::select_unpredictable(k == 0 && m.any(), v.yzx(), Vec3::select(m, v.min(w), Vec3::splat(1.0))) }",
        "let m = (v <= w) & !(w == vec3f(0.0f));\n\
         return select(select(vec3f(1.0f), min(v, w), m), v.yzx, k == 0u && any(m));",
    );
    body("fn f(m: BVec2) -> bool { (m | BVec2::new(false, true)).all() }", "return all(m | vec2<bool>(false, true));");
    body("fn f(k: u32) -> u32 { select_unpredictable(k < 3, 1, k) }", "return select(k, 1u, (k < 3u));");
    body("fn f(a: [f32; 3]) -> Vec3 { Vec3::from_array(a) }", "return vec3f(a[0u], a[1u], a[2u]);");
}

/// Names and vectors of fields are WGSL's only.
#[test]
fn structs_have_another_name_in_wgsl_and_arrays_that_are_vectors() {
    let item = "#[repr(C)] pub struct Ray { #[vector] origin: [f32; 3], #[vector] planes: [[f32; 4]; 6], t: [u32; 2] }";
    let generated = item::expand("name = \"LbvhRay\"".parse().unwrap(), item.parse().unwrap()).to_string();
    let wgsl = "struct LbvhRay {\\n    origin: vec3f,\\n    planes: array<vec4f, 6>,\\n    t: array<u32, 2>,\\n}\\n";
    assert!(generated.contains(wgsl) && !generated.contains("# [vector]"), "{generated}");
    assert!(generated.contains("pub struct Ray") && generated.contains("\"LbvhRay\""), "{generated}");
    // Functions that name a struct have its name compared.
    let item = item::expand(TokenStream::new(), "fn f(ray: LbvhRay) -> u32 { LIMIT }".parse().unwrap()).to_string();
    let named = item::expand("name = \"g\"".parse().unwrap(), "fn f(k: u32) -> u32 { k }".parse().unwrap()).to_string();
    assert!(named.contains("only structs have another name"), "{named}");
    assert!(item.contains(":: same_name (< LbvhRay as") && !item.contains(":: same_name (< LIMIT"), "{item}");
}

#[test]
fn shadowing_and_names_of_wgsl_are_renamed() {
    body(
        "fn f(mut x: u32) -> u32 { let min = x; { let x = min + 1; let _ = x; } x += 1; let x = x ^ min; x }",
        "var x_1 = x;\nlet min_ = x_1;\nlet x_2 = min_ + 1u;\n_ = x_2;\nx_1 += 1u;\nlet x_3 = x_1 ^ min_;\nreturn x_3;",
    );
    // The local would hide the function.
    body("fn f(x: u32) -> u32 { let depth = depth(x); depth }", "let depth_1 = depth(x);\nreturn depth_1;");
}

#[test]
fn wide_integers_are_two_words() {
    for (rust, expected) in [
        ("n << 1 | k as u64", "u64_shl(n, 1u) | vec2u(k, 0u)"),
        ("(n >> k) + 0xff_0000_0001", "u64_add(u64_shr(n, k), vec2u(0x1u, 0xffu))"),
        ("if n <= 7 { !n } else { n & n - 1 }", "select"),
        ("(n as u32 + n.leading_zeros()) as u64", "vec2u(n.x + u64_leading_zeros(n), 0u)"),
        ("n.wrapping_mul(3).min(1 << n)", "u64_min(u64_mul(n, vec2u(0x3u, 0x0u)), u64_shl(vec2u(0x1u, 0x0u), n.x))"),
    ] {
        let expected = match expected {
            "select" => {
                "if !u64_less(vec2u(0x7u, 0x0u), n) {\n    return ~n;\n}\nreturn n & u64_sub(n, vec2u(0x1u, 0x0u));"
                    .to_owned()
            }
            text => format!("return {text};"),
        };
        body(&format!("fn f(n: u64, k: u32) -> u64 {{ {rust} }}"), &expected);
    }
    body(
        "fn f(mut n: u64) -> u64 { n += 1; n >>= 3; n ^= 5; n }",
        "var n_1 = n;\nn_1 = u64_add(n_1, vec2u(0x1u, 0x0u));\nn_1 = u64_shr(n_1, 3u);\nn_1 ^= vec2u(0x5u, 0x0u);\nreturn n_1;",
    );
}

/// What the macro does not see, rustc looks at, in a copy that nobody calls.
#[test]
fn hidden_operands_are_put_before_rustc() {
    let item: ItemFn = syn::parse_str(
        "const fn f(s: S, n: u64) -> u32 { let a = g(n); s.x += 1; (a << 2) + n as u32 + s.y[0].min(a) }",
    )
    .unwrap();
    let checks = function::translate(&item.sig, &item.attrs, &item.block, "f").unwrap().checks.to_string();
    let narrow = |operand: &str| checks.contains(&format!(":: kernels :: device :: narrow ({operand})"));
    assert!(narrow("a") && narrow("s . x") && narrow("s . y [0]") && !narrow("n"), "{checks}");
    assert!(!checks.contains("const fn"), "{checks}");
    let item: ItemFn = syn::parse_str("fn f(n: u64, v: Vec2) -> f32 { v.x * 2.0 }").unwrap();
    assert!(function::translate(&item.sig, &item.attrs, &item.block, "f").unwrap().checks.is_empty());
}

#[test]
fn matrices_and_arrays_are_written_as_wgsl_has_them() {
    body(
        "fn f(m: Mat4, v: Vec4) -> Vec4 { let n = m.transpose() * m; (n * v) * n.x_axis.dot(v) }",
        "let n = transpose(m) * m;\nreturn n * v * dot(n[0], v);",
    );
    let item = "#[repr(C)] struct View { /// Of the frustum.\n sides: [Vec4; 4], m: Mat4 }";
    let generated = item::expand(TokenStream::new(), item.parse().unwrap()).to_string();
    let wgsl = "struct View {\\n    // Of the frustum.\\n    sides: array<vec4f, 4>,\\n    m: mat4x4f,\\n}\\n";
    assert!(generated.contains(wgsl) && generated.contains("array_layout"), "{generated}");
}

#[test]
fn branches_that_are_values_become_assignments() {
    body(
        "fn f(x: u32) -> u32 { let y: u32 = match x { 0 | 3 => g(x), _ => { if x > 9 { 1 } else { h(x) } } }; y }",
        "var y: u32;\nswitch x {\n    case 0u, 3u: {\n        y = g(x);\n    }\n    default: {\n        if x > 9u {\n            y = 1u;\n        } else {\n            y = h(x);\n        }\n    }\n}\nreturn y;",
    );
    body("fn f(x: u32) -> u32 { let y = if x > 3 { x } else { 1 }; y }", "let y = select(1u, x, (x > 3u));\nreturn y;");
}

#[test]
fn arrays_of_one_value_are_written_out() {
    body(
        "fn f(n: u32) -> u32 { let mut a = [0u32; 16]; let b: [f32; 2] = [1.5; 2]; let c = [n; 3]; a[1] = c[2]; a[1] }",
        "var a = array<u32, 16>();\nlet b = array<f32, 2>(1.5f, 1.5f);\nlet c = array<u32, 3>(n, n, n);\na[1u] = c[2u];\nreturn a[1u];",
    );
}

#[test]
fn loops_evaluate_their_bounds_once() {
    body(
        "fn f(n: u32) -> u32 { let mut m = n; for i in 0..m / 2 { m += i; } for _ in (1..n).rev() { m ^= 1; } m }",
        "var m = n;\nlet i_end = m / 2u;\nfor (var i = 0u; i < i_end; i++) {\n    m += i;\n}\nfor (var i_1 = n; i_1 > 1u;) {\n    i_1--;\n    m ^= 1u;\n}\nreturn m;",
    );
}

/// The error stands at the offending part, and says what to write.
#[test]
fn what_wgsl_cannot_say_is_refused_where_it_stands() {
    for (source, place, advice) in [
        ("fn f(n: u32) -> u32 { if n == 0 { 1 } else { f(n - 1) } }", "f", "WGSL has no recursion: write a loop"),
        ("fn f(n: i64) -> u32 { 1 }", "i64", "`u32`, `i32` and `u64`"),
        ("fn f(n: u64) -> u64 { n / 3 }", "n", "does not divide 64 bits"),
        ("fn f(n: i32) -> u64 { n as u64 }", "n", "`x as u32 as u64`"),
        ("fn f(n: u64) -> u64 { n.reverse_bits() }", "reverse_bits", "of a `u64`, device code has"),
        ("fn f(n: &u32) -> u32 { 1 }", "&", "pass it by value"),
        ("fn f<T>(n: T) -> u32 { 1 }", "<", "WGSL has no generic functions"),
        ("fn f(n: u32) { }", "fn", "gives a value"),
        ("fn f(n: u32) -> u32 { loop { } }", "loop", "write `for i in a..b`"),
        ("fn f(n: u32) -> u32 { while true { } n }", "true", "it would not end"),
        ("fn f(n: u32) -> u32 { let mut m = n; while n > 3 { m = n; let k = n + m; } m }", "n > 3", "it would not end"),
        ("fn f(n: u32) -> u32 { unsafe { n } }", "unsafe", "leave out `unsafe`"),
        ("fn f(n: u32) -> u32 { (0..n).map(g).sum() }", "0..n", "WGSL has no iterators"),
        ("fn f(n: u64) -> f32 { n as f32 }", "n", "`x as u32 as f32`"),
        ("fn f(n: u32) -> u32 { let a = [n; 999]; a[0] }", "999", "from 1 to 256"),
        ("fn f(n: u32) -> u32 { let a = [g(n); 4]; a[0] }", "g(n)", "bind it first"),
        ("fn f(n: u32) -> u32 { for i in 0..=n { } 1 }", "..=", "write `a..b + 1`"),
        ("fn f(n: u32) -> u32 { for i in [1, 2] { } 1 }", "[1, 2]", "for i in a..b"),
        ("fn f(n: u32) -> u32 { let k = 3; k }", "3", "write the type, as in `0u32`"),
        ("fn f(n: u32) -> u32 { n << (1 << 3) >> (2 + 3) }", "", ""),
        ("fn f(n: f32) -> f32 { n.round() }", "round", "round_ties_even"),
        ("fn f(n: f32) -> f32 { n.fract() }", "fract", "x - x.floor()"),
        ("fn f(n: u32) -> u32 { println!(\"{n}\"); n }", "println", "device code has no macros"),
        ("fn f(n: u32) -> u32 { let g = |x: u32| x; n }", "|", "write a device function"),
        ("fn f(n: u32) -> u32 { (n, n).0 }", "(n, n)", "WGSL has no tuples"),
        ("fn f(n: u32) -> u32 { let m = !g(n); m }", "g", "bind it first"),
        ("fn f(n: u32) -> u32 { g(n).x as u32 }", "g", "bind it first"),
        ("fn f(n: u32) -> u32 { match n { 0..=3 => 1, _ => 2 } }", "0", "list them"),
        ("fn f(n: u32) -> u32 { match n { 0 => 1, 1 => 2 } }", "match", "add `_ => …`"),
        ("fn f(n: u32) -> u32 { while n > 1 { match n { 0 => break, _ => {} } } n }", "break", "leave the `match`"),
        ("fn f(n: u32) -> u32 { g(match n { _ => 1 }) }", "match", "bind it first"),
        ("fn f(n: u32) -> u32 { n.saturating_add(1) }", "saturating_add", "compare first"),
        ("fn f(n: f32) -> bool { n == f32::INFINITY }", "f32", "use `f32::MAX`"),
        ("fn f(b: Body) -> f32 { b.length() }", "length", "stand outside of types"),
        ("fn f(v: Vec3) -> f32 { v[n] }", "n", "write `[i as usize]`"),
        ("fn f(n: u32) -> u32 { n as u8 as u32 }", "u8", "use `u32` or `i32`"),
        ("fn f(n: u32) -> u32 { 1.5 as u32 }", "1.5", "write `f32` behind it"),
    ] {
        if advice.is_empty() {
            // Literals that meet nothing typed but the shift are `u32`.
            assert!(wgsl(source).contains("(n << (1u << 3u)) >> (2u + 3u)"), "{}", wgsl(source));
            continue;
        }
        let (at, message) = error(source);
        assert!(at.starts_with(place) && message.contains(advice), "{source}: `{at}`: {message}");
    }
}

#[test]
fn items_that_cannot_be_are_refused_and_kept() {
    for (item, advice) in [
        ("struct S { a: u32 }", "#[repr(C)]"),
        ("#[repr(C)] struct S(u32);", "name the fields"),
        ("#[repr(C)] struct S { a: [u32; N] }", "a literal"),
        ("#[repr(C)] struct S<T> { a: T }", "no generic structs"),
        ("enum E { A }", "stands before a function"),
        ("fn f(n: u32) -> u32 { #[cfg(test)] let n = 1u32; n }", "put it before two whole items"),
        ("impl S { fn f() -> u32 { 1 } }", "free functions"),
        ("#[repr(C)] struct S { #[vector] a: [f32; 5] }", "arrays of two to four numbers"),
        ("#[repr(C)] struct S { #[vector] a: Vec3 }", "arrays of two to four numbers"),
        ("impl Clone for S { fn clone(&self) -> S { S } }", "`Binning` and `RadixKey` of `kernels`"),
        ("impl Predicate for S { const WGSL: &'static str = \"\"; }", "leave it out"),
    ] {
        let generated = item::expand(TokenStream::new(), item.parse().unwrap()).to_string();
        assert!(generated.contains("compile_error"), "{item}: {generated}");
        assert!(generated.contains(advice), "{item}: {generated}");
        assert!(generated.starts_with(&item.parse::<TokenStream>().unwrap().to_string()), "{item}: {generated}");
    }
}

#[test]
fn an_item_of_which_only_the_wgsl_is_used_is_not_dead() {
    for source in ["fn two(x: u32) -> u32 { 2 * x }", "const two: u32 = 2;"] {
        let expanded = item::expand(TokenStream::new(), source.parse().unwrap()).to_string();
        assert!(expanded.contains("let _ = two ;"), "{expanded}");
    }
}
