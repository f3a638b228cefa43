//! Which loops does the composer write out? Those that a module marks with `//!unroll`, for a bound that the caller names.
//!
//! Compilers of drivers decide by themselves which loops they unroll, and an array that is indexed by the counter of a loop left
//! as it is lies in memory instead of registers. Line numbers stay: what is written out takes the lines of the loop.

use crate::{ShaderError, SourceLocation};
use std::collections::BTreeMap;

/// Writes out every loop of `text` behind a line `//!unroll`, of the form
///
/// ```wgsl
/// for (var k = 0u; k < BOUND; k += 1u) {
/// ```
///
/// whose `BOUND` is in `bounds`; loops with other bounds stay loops. Loops inside are written out likewise, and may use the
/// counter of the outer one as a constant. The body may not contain block comments.
pub(crate) fn unroll(file: &str, text: &str, bounds: &BTreeMap<String, u32>) -> Result<String, ShaderError> {
    let lines: Vec<&str> = text.lines().collect();
    let mut out = Vec::with_capacity(lines.len());
    let mut next = 0;
    while let Some(line) = lines.get(next) {
        out.push((*line).to_owned());
        next += 1;
        if line.trim() != "//!unroll" {
            continue;
        }
        let head = lines.get(next).copied().unwrap_or_default();
        let wrong = |why: &str| ShaderError::Directive {
            place: SourceLocation { file: file.to_owned(), line: next as u32 + 1, column: 1, text: head.to_owned() },
            why: why.to_owned(),
        };
        let (counter, bound) = loop_head(head)
            .ok_or_else(|| wrong("`for (var k = 0u; k < BOUND; k += 1u) {` is expected after //!unroll"))?;
        let Some(turns) = bounds.get(bound) else { continue };
        // The loop ends with the brace that stands under its head.
        let indent = head.len() - head.trim_start().len();
        let is_end = |line: &&str| line.trim_end().len() == indent + 1 && line.trim() == "}";
        let length = lines[next + 1..].iter().position(is_end).ok_or_else(|| wrong("the loop has no end"))?;
        // The lines inside have the numbers that errors tell: empty ones stand for those before.
        let inside = "\n".repeat(next + 1) + &lines[next + 1..next + 1 + length].join("\n");
        let inside = unroll(file, &inside, bounds)?;
        let body: Vec<&str> = inside.lines().map(code).filter(|line| !line.is_empty()).collect();
        let body = body.join(" ");
        out.push((0..*turns).map(|turn| format!("{{ const {counter} = {turn}u; {body} }} ")).collect());
        out.extend(std::iter::repeat_n(String::new(), length + 1));
        next += length + 2;
    }
    Ok(out.join("\n") + "\n")
}

/// Counter and bound of a loop's first line.
fn loop_head(line: &str) -> Option<(&str, &str)> {
    let (counter, rest) = line.trim().strip_prefix("for (var ")?.split_once(" = 0u; ")?;
    let (bound, rest) = rest.strip_prefix(counter)?.strip_prefix(" < ")?.split_once("; ")?;
    (rest == format!("{counter} += 1u) {{")).then_some((counter, bound))
}

/// A line without its comment.
fn code(line: &str) -> &str {
    line.split_once("//").map_or(line, |(code, _)| code).trim()
}

#[cfg(test)]
mod tests {
    use super::unroll;
    use std::collections::BTreeMap;

    const LOOP: &str = "fn f() {\n    //!unroll\n    for (var k = 0u; k < N; k += 1u) {\n        // A comment.\n        \
                        if k > 1u {\n            x[k] = k;\n        }\n    }\n}\n";

    #[test]
    fn a_loop_of_a_known_bound_becomes_its_turns_on_the_same_lines() {
        let bounds = BTreeMap::from([("N".to_owned(), 2)]);
        let out = unroll("a.wgsl", LOOP, &bounds).unwrap();
        let lines: Vec<&str> = out.lines().collect();
        assert_eq!(lines.len(), LOOP.lines().count());
        assert_eq!(lines[2], "{ const k = 0u; if k > 1u { x[k] = k; } } { const k = 1u; if k > 1u { x[k] = k; } } ");
        assert_eq!((lines[0], lines[8]), ("fn f() {", "}"));
    }

    #[test]
    fn a_loop_inside_is_written_out_too() {
        let text = "//!unroll\nfor (var i = 0u; i < M; i += 1u) {\n    //!unroll\n    for (var k = 0u; k < N; k += 1u) {\n        \
                    x[i * N + k] = 0u;\n    }\n}\n";
        let bounds = BTreeMap::from([("M".to_owned(), 2), ("N".to_owned(), 2)]);
        let out = unroll("a.wgsl", text, &bounds).unwrap();
        let inner = "{ const k = 0u; x[i * N + k] = 0u; } { const k = 1u; x[i * N + k] = 0u; }";
        let expected = format!("{{ const i = 0u; {inner} }} {{ const i = 1u; {inner} }} ");
        assert_eq!(out.lines().nth(1), Some(expected.as_str()));
        assert_eq!(out.lines().count(), text.lines().count());
        let error = unroll("a.wgsl", &text.replace("k += 1u", "k += 2u"), &bounds).unwrap_err().to_string();
        assert!(error.starts_with("a.wgsl:4:1"), "{error}");
    }

    #[test]
    fn other_bounds_stay_and_other_statements_are_errors() {
        assert_eq!(unroll("a.wgsl", LOOP, &BTreeMap::new()).unwrap(), LOOP);
        let error = unroll("a.wgsl", "//!unroll\nwhile true {\n}\n", &BTreeMap::new()).unwrap_err().to_string();
        assert!(error.starts_with("a.wgsl:2:1"), "{error}");
    }
}
