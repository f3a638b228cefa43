//! Is every kernel that cannot run at once refused where that is, with advice?

use super::{generate, without_annotations};
use proc_macro2::TokenStream;
use syn::ItemFn;

/// The text that an error points at, and its message.
fn error(arguments: &str, source: &str) -> (String, String) {
    let item: ItemFn = syn::parse2(source.parse::<TokenStream>().unwrap()).unwrap();
    match generate(arguments.parse().unwrap(), item) {
        Err(error) => (error.span().source_text().unwrap_or_default(), error.to_string()),
        Ok(_) => panic!("accepted: {source}"),
    }
}

/// The generated Rust, in which WGSL stands as text.
fn generated(source: &str) -> String {
    let item: ItemFn = syn::parse2(source.parse::<TokenStream>().unwrap()).unwrap();
    generate(TokenStream::new(), item).unwrap_or_else(|error| panic!("{source}: {error}")).to_string()
}

#[test]
fn what_cannot_run_at_once_is_refused_where_it_stands() {
    let mut wrong = Vec::new();
    for (source, place, advice) in [
        // Shapes.
        ("fn f(n: u32, y: &mut [u32]) { }", "", "ends with its loops"),
        ("fn f(n: u32, y: &mut [u32]) { y[0] = 1; for i in 0..n { y[i as usize] = 1; } }", "y[0]", "before its loops"),
        ("fn f(n: u32, y: &mut [u32]) { for i in 0..n { y[i as usize] = 1; } g(); }", "g", "ends with its loops"),
        ("fn f(n: u32, y: &mut [u32]) { while n > 1 { y[0] = 1; } }", "while", "ends with its loops"),
        ("fn f(n: u32, y: &mut [u32]) { for i in 0..=n { y[i as usize] = 1; } }", "0..=n", "for i in 0..n"),
        ("fn f(y: &mut [u32]) { for x in y.iter_mut() { *x = 1; } }", "y", "for i in 0..n"),
        ("fn f(n: u32, y: &mut [u32]) { for (i, j) in 0..n { } }", "(i, j)", "is a name"),
        ("fn f(n: u32, y: &[u32]) { for i in 0..n { } }", "fn", "without an effect"),
        ("fn f(n: u32, y: &mut [u32]) -> u32 { for i in 0..n { } }", "->", "reduce into"),
        ("fn f<T>(y: &mut [T]) { for i in 0..3u32 { } }", "<", "no generic"),
        ("fn f(y: &mut [u32]) { for i in 0..y.len() { y[i] = 1; } }", "y.len()", "write `y.len() as u32`"),
        (
            "fn f(n: u32, y: &mut [u32]) { for i in 0..n { y[i as usize] = 1; } for i in 0..n { y[i as usize] += 1; } }",
            "for",
            "make two kernels",
        ),
        // Parameters.
        ("fn f(x: Vec<u32>, y: &mut [u32]) { for i in 0..3u32 { y[i as usize] = 1; } }", "Vec", "`&[T]`"),
        ("fn f(y: &mut [i64]) { for i in 0..3u32 { y[i as usize] = 1; } }", "i64", "`u32`, `i32` and `u64`"),
        ("fn f(y: &mut [u64]) { for i in 0..3u32 { y[i as usize] /= 3; } }", "y[i", "does not divide 64 bits"),
        ("fn f(flag: bool, y: &mut [u32]) { for i in 0..3u32 { y[i as usize] = 1; } }", "bool", "use a `u32`"),
        ("fn f(a: &u32, y: &mut [u32]) { for i in 0..3u32 { y[i as usize] = 1; } }", "u32", "by value"),
        ("fn f(f: u32, y: &mut [u32]) { for i in 0..f { y[i as usize] = 1; } }", "f", "name of the kernel"),
        ("fn f(a: &mut List<u32>, b: &mut List<u32>) { for i in 0..3u32 { a.push(i); } }", "b", "one list"),
        ("fn f(#[count] n: f32, y: &mut [u32]) { for i in 0..3u32 { y[i as usize] = 1; } }", "f32", "is a `u32`"),
        (
            "fn f(#[count] n: u32, y: &mut [u32]) { for i in 1..n { y[i as usize] = 1; } }",
            "n",
            "the end of the only loop",
        ),
        ("fn f(y: &mut [u32]) { for i in 0..3u32 { let y = i; } }", "y", "take another"),
        // The space.
        ("fn f(x: &[u32], y: &mut [u32]) { for i in 0..x[0] { y[i as usize] = 1; } }", "x[0]", "#[count] n: u32"),
        (
            "fn f(n: u32, y: &mut [u32]) { for i in 0..n { for j in 0..4u32 { for k in 0..n { y[i as usize] += j; } } } }",
            "i as",
            "items run at once",
        ),
        ("fn f(n: u32, y: &mut [u32]) { 'a: for i in 0..n { } }", "'a", "no loop is left early"),
        (
            "fn f(n: u32, y: &mut [u32]) { for i in 0..n { if i == 3 { break; } y[i as usize] = 1; } }",
            "break",
            "`continue` ends one",
        ),
        ("fn f(n: u32, y: &mut [u32]) { for i in 0..n { return; } }", "y", "nothing is written"),
        (
            "fn f(n: u32, y: &mut [u32]) { for i in 0..n { y[i as usize] = 1; return; } }",
            "return",
            "`continue` ends one",
        ),
        // Places.
        (
            "fn f(y: &mut [u32]) { for i in 0..3u32 { y[(i + 1) as usize] = 1; } }",
            "(i + 1) as usize",
            "own place alone: `y[(i) as usize]`",
        ),
        (
            "fn f(y: &mut [u32]) { for i in 0..3u32 { y[i as usize] = y[(i ^ 1) as usize]; } }",
            "(i ^ 1) as usize",
            "pass another slice",
        ),
        (
            "fn f(w: u32, y: &mut [u32]) { for r in 0..w { for c in 0..w { y[(c * w + r) as usize] = 1; } } }",
            "(c * w + r)",
            "y[(r * w + c) as usize]",
        ),
        (
            "fn f(w: u32, y: &mut [u32]) { for r in 0..w { for c in 0..w { y[(r * c + c) as usize] = 1; } } }",
            "c",
            "a value of the kernel",
        ),
        (
            "fn f(w: u32, v: u32, y: &mut [u32]) { for r in 0..w { for c in 0..w { y[(r * w + c) as usize] = y[(r * v + c) as usize]; } } }",
            "(r * v",
            "rows of two lengths",
        ),
        ("fn f(y: &mut [u32]) { for i in 0..3u32 { g(y); } }", "y", "used by its elements"),
        // Totals.
        ("fn f(n: u32, t: &mut u32) { for i in 0..n { *t = i; } }", "i", "items are reduced into it by"),
        ("fn f(n: u32, t: &mut u32) { for i in 0..n { *t -= i; } }", "t", "items are reduced into it by"),
        (
            "fn f(n: u32, t: &mut u32, y: &mut [u32]) { for i in 0..n { *t += i; y[i as usize] = *t; } }",
            "t",
            "not used otherwise",
        ),
        ("fn f(n: u32, t: &mut u32) { for i in 0..n { *t += i; *t = t.max(i); } }", "t", "one operation"),
        ("fn f(n: u32, t: &mut u32) { for i in 0..n { *t = g(*t, i); } }", "g", "write `*t = VALUE;` before the loops"),
        ("fn f(n: u32, t: &mut Vec2) { for i in 0..n { *t = t.min(Vec2::ZERO); } }", "t", "of scalars"),
        ("fn f(n: u32, t: &mut u32) { for i in 0..n { } }", "t", "items are reduced into it by"),
        ("fn f(n: u32, l: &mut List<u32>) { for i in 0..n { l.pop(); } }", "pop", "list.push(value)"),
        // Annotations.
        (
            "fn f(n: u32, y: &mut [u32]) { for i in 0..n { #[unroll] for k in 0..n { y[i as usize] += k; } let a = 1u32; } }",
            "0..n",
            "#[unroll(4)]",
        ),
        (
            "fn f(n: u32, y: &mut [u32]) { for i in 0..n { #[unroll(99)] for k in 0..n { y[i as usize] += k; } let a = 1u32; } }",
            "99",
            "from 2 to 64",
        ),
        (
            "fn f(n: u32, y: &mut [u32]) { for i in 0..n { #[unroll] for k in 0u32..9 { if k > i { break; } y[i as usize] += k; } } }",
            "break",
            "runs all its turns",
        ),
        (
            "fn f(n: u32, y: &mut [u32]) { for i in 0..n { #[fast] for k in 0u32..9 { y[i as usize] += k; } } }",
            "#",
            "annotated `#[unroll]`",
        ),
        (
            "fn f(n: u32, x: &[u32], y: &mut [u32]) { for i in 0..n { let mut s = 0u32; #[tile] for k in 0..n { s += x[(i * k + i) as usize] / 2; } y[i as usize] = s; } }",
            "",
            "",
        ),
        (
            "fn f(n: u32, x: &[u32], y: &mut [u32]) { for i in 0..n { let mut s = 0u32; #[tile] for k in 0..n { s += x[i as usize]; } y[i as usize] = s; } }",
            "for",
            "nothing to share",
        ),
        (
            "fn f(n: u32, x: &[u32], y: &mut [u32]) { for i in 0..n { let mut s = 0u32; if i > 2 { #[tile] for k in 0..n { s += x[k as usize]; } } y[i as usize] = s; } }",
            "for",
            "in no `if`",
        ),
        (
            "fn f(n: u32, x: &[u32], y: &mut [u32]) { for i in 0..n { #[tile] for k in 0..n { y[i as usize] += x[k as usize]; } y[i as usize] += 1; } }",
            "y",
            "sum up in a local",
        ),
        (
            "fn f(n: u32, x: &[u32], y: &mut [u32]) { for i in 0..n { if i == 3 { continue; } let mut s = 0u32; #[tile] for k in 0..n { s += x[k as usize]; } y[i as usize] = s; } }",
            "continue",
            "use `if`",
        ),
        (
            "fn f(n: u32, x: &[u32], t: &mut u32) { for i in 0..n { #[tile] for k in 0..n { *t += x[k as usize]; } } }",
            "t",
            "sum up in a local",
        ),
        // Device code.
        ("fn f(n: u32, y: &mut [u32]) { for i in 0..n { loop { } } }", "y", "nothing is written"),
        (
            "fn f(n: u32, y: &mut [u32]) { for i in 0..n { y[i as usize] = 1; loop { } } }",
            "loop",
            "write `for i in a..b`",
        ),
        ("fn f(n: u32, y: &mut [u32]) { for i in 0..n { y[i as usize] = f(n); } }", "f", "no recursion"),
        ("fn f(n: u32, y: &mut [u32]) { for i in 0..n { y[i as usize] = y.len(); } }", "y", "y.len() as u32"),
    ] {
        if advice.is_empty() {
            // Depends on the counter and on one index.
            assert!(generated(source).contains("x_tile"));
            continue;
        }
        let (at, message) = error("", source);
        if !at.starts_with(place) || !message.contains(advice) {
            wrong.push(format!("{source}: `{at}`: {message}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    for (arguments, advice) in
        [("fast", "parenthe"), ("workgroup(0)", "`#[kernel]` takes"), ("loops(4)", "`#[kernel]` takes")]
    {
        let source = "fn f(n: u32, y: &mut [u32]) { for i in 0..n { y[i as usize] = 1; } }";
        let (_, message) = error(arguments, source);
        assert!(message.contains(advice), "{arguments}: {message}");
    }
    let (_, message) = error("loops(2)", "fn f(n: u32, y: &mut [u32]) { for i in 0..n { y[i as usize] = 1; } }");
    assert!(message.contains("2 loops were asked for, 1 are here"), "{message}");
}

#[test]
fn loops_that_are_no_box_belong_to_the_items() {
    let text = generated("fn f(n: u32, y: &mut [u32]) { for i in 0..n { for j in 0..i { y[i as usize] += j; } } }");
    assert!(text.contains("dimensions : 1u32"), "{text}");
    assert!(text.contains("fn f(i: u32) {\\n    for (var j = 0u; j < i; j++) {\\n"), "{text}");
}

#[test]
fn the_function_stays_without_annotations() {
    let source = "fn f(#[count] n: u32, y: &mut [u32]) { for i in 0..n { #[unroll(2)] for k in 0..n { y[i as usize] += k; } let a = 1u32; } }";
    let item: ItemFn = syn::parse_str(source).unwrap();
    let plain = quote::quote!(
        fn f(n: u32, y: &mut [u32]) {
            for i in 0..n {
                for k in 0..n {
                    y[i as usize] += k;
                }
                let a = 1u32;
            }
        }
    );
    let found = without_annotations(&item);
    assert_eq!(quote::quote!(#found).to_string(), plain.to_string());
}

/// What the macro does not see, rustc looks at, in a copy that nobody calls: loops that are tiled and unrolled too.
#[test]
fn hidden_operands_of_kernels_are_put_before_rustc() {
    let text = generated(
        "fn f(#[count] n: u32, s: S, x: &[T], y: &mut [u32], t: &mut u32) { let m = s.a + 1; *t = (s.b > 3) as u32; for i in 0..n { \
         let mut a = 0u32; #[tile] for k in 0..n { a = a.wrapping_add((x[k as usize].c > 2) as u32); } \
         #[unroll] for k in 0u32..3 { if g(k) == 1 { a += m; } } y[i as usize] += a.min(h(s.d << 2)); \
         *t += (x[i as usize].e == a) as u32; } }",
    );
    let (_, checks) = text.split_once("for its types only").unwrap();
    let (checks, _) = checks.split_once("LoopKernel").unwrap();
    let narrow = |operand: &str| checks.contains(&format!(":: kernels :: device :: narrow ({operand})"));
    for operand in ["s . a", "s . b", "x [k as usize] . c", "g (k)", "s . d"] {
        assert!(narrow(operand), "{operand}: {checks}");
    }
    assert!(
        !narrow("a") && !["operand", "tile", "unroll", "count"].iter().any(|word| checks.contains(word)),
        "{checks}"
    );
    let text =
        generated("fn f(n: u32, x: &[u64], y: &mut [u64]) { for i in 0..n { y[i as usize] += x[i as usize] << 3; } }");
    assert!(!text.contains("for its types only"), "{text}");
}
