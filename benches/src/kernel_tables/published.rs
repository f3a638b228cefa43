//! What do others publish for the same rows? Frolov, Sanzharov & Galaktionov, GraphiCon 2021, Table 1 (i9-10940X, RTX 2080):
//! the sum of a million numbers, execution alone.

use super::report::Row;

/// A published row, milliseconds.
struct Published {
    primitive: &'static str,
    name: &'static str,
    /// One core, 14 cores, and their GPU variants: no warp size known, warp size known, subgroups.
    times_ms: [f64; 5],
}

const TABLE_1: [Published; 2] = [
    Published { primitive: "reduce sum u32", name: "Int sum", times_ms: [1.263, 0.271, 0.095, 0.089, 0.084] },
    Published { primitive: "reduce sum f32", name: "Float sum", times_ms: [1.42, 0.342, 0.104, 0.096, 0.096] },
];

/// Prints the published rows with ours beside them, if a million numbers were summed.
pub fn print(rows: &[Row]) {
    let ours = |primitive: &str, form: &str| -> String {
        let found = rows.iter().find(|row| row.n == 1_000_000 && row.primitive == primitive && row.form == form);
        found.map_or("-".to_owned(), |row| format!("{:.4}", row.median_us / 1e3))
    };
    if !rows.iter().any(|row| row.n == 1_000_000 && row.primitive.starts_with("reduce sum")) {
        return;
    }
    // The most threads that a row of the CPU has.
    let threads = rows.iter().filter_map(|row| row.form.strip_prefix("cpu ")?.parse::<u32>().ok()).max().unwrap_or(1);
    println!("\n# 1 000 000 numbers, ms; published: GraphiCon 2021, Table 1 (i9-10940X, 14 cores; RTX 2080)");
    println!(
        "{:10} {:>12} {:>12} {:>12} {:>12} {:>12}",
        "", "1 core", "all cores", "portable", "warp known", "subgroup"
    );
    for published in &TABLE_1 {
        print!("{:10}", published.name);
        published.times_ms.iter().for_each(|time| print!(" {time:>12.3}"));
        println!("  published");
        let forms = ["cpu 1", &format!("cpu {threads}"), "portable", "", "subgroup"];
        print!("{:10}", "");
        forms.iter().for_each(|form| print!(" {:>12}", ours(published.primitive, form)));
        println!("  here");
    }
}
