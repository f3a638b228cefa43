//! How long is the source of a task? Its lines in `tasks.rs`, without empty ones and documentation.

const TASKS: &str = include_str!("tasks.rs");

/// Lines of some items, by the word before `(`, `{` or `:` in their first line of code.
pub fn lines(items: &[&str]) -> usize {
    let wanted = |block: &&str| {
        block.lines().any(|line| {
            let line = line.strip_prefix("pub ").unwrap_or(line);
            let rest = ["fn ", "struct ", "const "].iter().find_map(|word| line.strip_prefix(word));
            let name = rest.map(|rest| rest.split(['(', ' ', ':']).next().unwrap_or_default());
            name.is_some_and(|name| items.contains(&name))
        })
    };
    let counts = |line: &&str| !line.trim().is_empty() && !line.starts_with("///");
    TASKS.split("\n\n").filter(wanted).map(|block| block.lines().filter(counts).count()).sum()
}

/// Lines of WGSL, without empty ones, comments and directives.
pub fn generated(wgsl: &str) -> usize {
    wgsl.lines().filter(|line| !line.trim().is_empty() && !line.trim_start().starts_with("//")).count()
}

#[cfg(test)]
mod tests {
    #[test]
    fn items_are_found_by_name() {
        assert_eq!(super::lines(&["int_sum"]), 7);
        assert_eq!(super::lines(&["letters"]), 5);
        assert_eq!(super::lines(&["letters", "int_sum", "none"]), 12);
    }
}
