//! What do others reach in the same rows? Frolov, Sanzharov & Galaktionov, GraphiCon 2021, Table 1 (i9-10940X, RTX 2080):
//! the sum of a million numbers, execution alone. And CUB, NVIDIA's own primitives, on an H200.

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

/// CUB of CUDA 13 on an NVIDIA H200 (driver 580.159), device timestamps, median of 10 after 2 untimed runs: its algorithms,
/// and of each number of u32 the times in microseconds in the same order.
const CUB_ALGORITHMS: [(&str, &str); 6] = [
    ("copy", "copy"),
    ("reduce sum u32", "reduce"),
    ("scan exclusive u32", "exclusive scan"),
    ("sort keys u32", "sort keys"),
    ("sort pairs u32", "sort pairs"),
    ("compact half u32", "select-if"),
];
const CUB_TIMES_US: [(u32, [f64; 6]); 9] = [
    (1 << 10, [6.4, 7.1, 12.8, 15.2, 16.5, 12.4]),
    (1 << 14, [6.6, 12.0, 13.3, 55.3, 58.2, 14.1]),
    (1 << 16, [6.8, 12.1, 14.0, 63.4, 67.9, 15.8]),
    (1 << 18, [6.9, 10.7, 14.1, 70.2, 74.9, 14.8]),
    (1 << 20, [8.1, 12.3, 18.1, 87.1, 99.9, 16.0]),
    (1 << 22, [11.4, 12.2, 22.6, 174.0, 221.0, 21.5]),
    (1 << 24, [38.4, 25.4, 59.7, 425.0, 618.0, 52.1]),
    (1 << 26, [132.0, 69.5, 186.0, 1_420.0, 2_200.0, 164.0]),
    (1 << 28, [514.0, 245.0, 704.0, 5_450.0, 8_562.0, 601.0]),
];

/// CUB's algorithm for a primitive, with its times in microseconds by number of items; none for primitives that CUB was not
/// timed for.
pub fn cub(primitive: &str) -> Option<(&'static str, impl Iterator<Item = (u32, f64)> + use<>)> {
    let column = CUB_ALGORITHMS.iter().position(|(ours, _)| *ours == primitive)?;
    Some((CUB_ALGORITHMS[column].1, CUB_TIMES_US.into_iter().map(move |(n, times)| (n, times[column]))))
}

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
