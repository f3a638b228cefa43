//! Rows of the tables: printed for people, saved as JSON.

use super::published::{FROLOV, NUDA};
use benches::plot::distinct;
use serde::{Deserialize, Serialize};

/// One measurement.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Row {
    pub task: String,
    /// `cpu 1`, `cpu 16`, `portable`, `subgroup`, `by hand`.
    pub form: String,
    /// How large, in words.
    pub size: String,
    /// Median time, milliseconds.
    pub median_ms: f64,
    /// How much of the task's work is done in a second.
    pub rate: f64,
    /// The unit of the rate: `Gflop/s`, `G/s`.
    pub unit: String,
    /// Lines that are written, and those that are generated of them; 0 where they are not counted or there are none.
    pub lines: usize,
    pub generated: usize,
    /// A part that was measured and multiplied, 1 for all.
    pub share: u32,
}

/// All measurements of a run.
pub type Report = benches::report::Report<Row>;

impl benches::report::Row for Row {
    fn head() -> String {
        format!(
            "{:16} {:24} {:10} {:>12} {:>10} {:8} {:>6} {:>10}",
            "task", "size", "form", "ms", "rate", "", "lines", "generated"
        )
    }

    fn line(&self) -> String {
        let Self { task, form, size, median_ms, rate, unit, share, .. } = self;
        let number = |lines: usize| if lines > 0 { lines.to_string() } else { String::new() };
        let (lines, generated) = (number(self.lines), number(self.generated));
        let share = if *share > 1 { format!("  1/{share} of it, times {share}") } else { String::new() };
        format!(
            "{task:16} {size:24} {form:10} {median_ms:>12.4} {rate:>10.2} {unit:8} {lines:>6} {generated:>10}{share}"
        )
    }
}

/// Adds a row, and tells it.
pub fn add(report: &mut Report, row: Row) {
    eprintln!("{:16} {:10} {:12.4} ms", row.task, row.form, row.median_ms);
    report.rows.push(row);
}

/// The tables, on stdout.
pub fn print(report: &Report) {
    report.print();
    print_frolov(report);
    print_nuda(report);
}

fn find<'r>(report: &'r Report, task: &str, form: &str) -> Option<&'r Row> {
    report.rows.iter().find(|row| row.task == task && row.form == form)
}

fn print_frolov(report: &Report) {
    println!("\n# ms, beside Frolov et al. 2021, table 1 (i9-10940X, 14 cores; RTX 2080), and lines beside table 2");
    println!(
        "{:16} {:>12} {:>12} {:>10} {:>10} {:>10} {:>14}",
        "", "1 core", "all cores", "portable", "warp known", "subgroup", "lines -> GPU"
    );
    let number = |ms: Option<f64>| ms.map_or("-".to_owned(), |ms| format!("{ms:.3}"));
    for published in &FROLOV {
        print!("{:16}", published.task);
        let [a, b, c, d, e] = published.times_ms.map(number);
        let [lines, _, shaders] = published.lines;
        println!(" {a:>12} {b:>12} {c:>10} {d:>10} {e:>10} {:>14}  published", format!("{lines} -> {shaders}"));
        let all = format!("cpu {}", report.cpu_threads);
        let ours = |form: &str| number(find(report, published.task, form).map(|row| row.median_ms));
        let lines = find(report, published.task, "subgroup").or_else(|| find(report, published.task, "portable"));
        let lines = lines.map_or("-".to_owned(), |row| format!("{} -> {}", row.lines, row.generated));
        println!(
            "{:16} {:>12} {:>12} {:>10} {:>10} {:>10} {lines:>14}  here",
            "",
            ours("cpu 1"),
            ours(&all),
            ours("portable"),
            "",
            ours("subgroup")
        );
    }
}

fn print_nuda(report: &Report) {
    println!("\n# Gflop/s, beside NUDA 2011, table 3 (Tesla C2050, 1030 Gflop/s), and lines beside table 1");
    println!(
        "{:16} {:>10} {:>10} {:>8} {:>12} {:>12} {:>8}",
        "", "NUDA", "annotated", "lines", "here", "by hand", "lines"
    );
    for published in &NUDA {
        let [plain, annotated] = published.gflops;
        let rate =
            |form: &str| find(report, published.task, form).map_or("-".to_owned(), |row| format!("{:.0}", row.rate));
        let lines = find(report, published.task, "portable").map_or("-".to_owned(), |row| row.lines.to_string());
        println!(
            "{:16} {plain:>10} {annotated:>10} {:>8} {:>12} {:>12} {lines:>8}",
            published.task,
            published.lines,
            rate("portable"),
            rate("by hand")
        );
    }
    println!("\n# generated over hand-written, time");
    for task in distinct(report.rows.iter().map(|row| row.task.as_str())) {
        let Some(hand) = find(report, task, "by hand") else { continue };
        let forms = ["portable", "subgroup"].iter().filter_map(|form| find(report, task, form));
        if let Some(best) = forms.min_by(|a, b| a.median_ms.total_cmp(&b.median_ms)) {
            println!("{task:16} {:.3} ({})", best.median_ms / hand.median_ms, best.form);
        }
    }
}
