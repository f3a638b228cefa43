//! What is a measurement of a task, and what did the papers measure beside it?

use super::published::{FROLOV, NUDA};
use benches::plot::distinct;
use benches::report::{Cell, Row, number, table};
use serde::{Deserialize, Serialize};

/// One task in one form.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TaskTime {
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
    /// One in so many parts was measured and its time multiplied, 1 for all.
    pub share: u32,
}

/// All of a run.
pub type Report = benches::report::Report<TaskTime>;

impl Row for TaskTime {
    fn cells(&self) -> Vec<Cell> {
        vec![
            ("task", 14, self.task.clone()),
            ("size", 24, self.size.clone()),
            ("form", 8, self.form.clone()),
            ("ms", 12, number(self.median_ms, 4)),
            ("rate", 10, number(self.rate, 2)),
            ("unit", 8, self.unit.clone()),
            ("lines", 6, self.lines.to_string()),
            ("generated", 0, self.generated.to_string()),
            ("timed part", 0, format!("1/{}", self.share)),
        ]
    }
}

/// Prints the published figures with ours.
pub fn print_published(report: &Report) {
    println!("\n# ms, beside Frolov et al. 2021, table 1 (i9-10940X, 14 cores; RTX 2080), and lines beside table 2");
    print!("{}", table(&beside_frolov(report)));
    println!("\n# Gflop/s, beside NUDA 2011, table 3 (Tesla C2050, 1030 Gflop/s), and lines beside table 1");
    print!("{}", table(&beside_nuda(report)));
    println!("\n# generated over hand-written, time");
    print!("{}", table(&over_hand(report)));
}

fn find<'r>(report: &'r Report, task: &str, form: &str) -> Option<&'r TaskTime> {
    report.rows.iter().find(|row| row.task == task && row.form == form)
}

fn beside_frolov(report: &Report) -> Vec<Vec<Cell>> {
    let line = |whose: &str, task: &str, times_ms: [Option<f64>; 5], lines: String| {
        let columns = ["1 core", "all cores", "portable", "warp known", "subgroup"];
        let mut cells: Vec<Cell> = vec![("task", 14, task.to_owned())];
        cells.extend(columns.into_iter().zip(times_ms).map(|(name, ms)| (name, 11, number(ms, 3))));
        cells.extend([("lines -> GPU", 0, lines), ("", 9, whose.to_owned())]);
        cells
    };
    let both = FROLOV.iter().map(|published| {
        let (task, [written, shaders]) = (published.task, published.lines);
        let all = format!("cpu {}", report.machine.cpu_threads);
        let forms = ["cpu 1", &all, "portable", "", "subgroup"];
        let ours_ms = forms.map(|form| find(report, task, form).map(|row| row.median_ms));
        let row = find(report, task, "subgroup").or_else(|| find(report, task, "portable"));
        let lines = row.map_or("-".to_owned(), |row| format!("{} -> {}", row.lines, row.generated));
        [
            line("published", task, published.times_ms, format!("{written} -> {shaders}")),
            line("here", "", ours_ms, lines),
        ]
    });
    both.flatten().collect()
}

fn beside_nuda(report: &Report) -> Vec<Vec<Cell>> {
    let line = |published: &super::published::Annotated| {
        let [plain, annotated] = published.gflops;
        let [here, by_hand] = ["portable", "by hand"].map(|form| find(report, published.task, form));
        vec![
            ("task", 14, published.task.to_owned()),
            ("NUDA", 10, number(plain, 0)),
            ("annotated", 10, number(annotated, 0)),
            ("its lines", 0, published.lines.to_string()),
            ("here", 10, number(here.map(|row| row.rate), 0)),
            ("by hand", 10, number(by_hand.map(|row| row.rate), 0)),
            ("lines", 0, number(here.map(|row| row.lines as f64), 0)),
        ]
    };
    NUDA.iter().map(line).collect()
}

fn over_hand(report: &Report) -> Vec<Vec<Cell>> {
    let line = |task: &str| {
        let hand = find(report, task, "by hand")?;
        let forms = ["portable", "subgroup"].into_iter().filter_map(|form| find(report, task, form));
        let best = forms.min_by(|a, b| a.median_ms.total_cmp(&b.median_ms))?;
        let ratio = number(best.median_ms / hand.median_ms, 3);
        Some(vec![("task", 14, task.to_owned()), ("ratio", 6, ratio), ("form", 8, best.form.clone())])
    };
    distinct(report.rows.iter().map(|row| row.task.as_str())).filter_map(line).collect()
}
