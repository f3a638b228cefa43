//! Rows of the table: printed for people, saved as JSON and CSV for plots.

use anyhow::ensure;
use benches::figures::quantile;
use serde::{Deserialize, Serialize};
use std::{fs, path::Path};

/// One measurement.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Row {
    /// What ran.
    pub primitive: String,
    /// In which form: a variant, or how many CPU threads.
    pub form: String,
    /// Items.
    pub n: u32,
    /// Median time, microseconds.
    pub median_us: f64,
    /// Time that 95 of 100 runs do not exceed, microseconds.
    pub p95_us: f64,
    /// Bytes that must move, read and written once, over the median time.
    pub gb_per_s: f64,
    /// That over the fastest copy on the device of as many words; absent for the CPU.
    pub of_copy: Option<f64>,
}

impl Row {
    /// Whether it was measured on the CPU.
    pub fn is_on_cpu(&self) -> bool {
        self.form.starts_with("cpu")
    }

    /// Binary logarithm of the number of items, and the median time in seconds.
    pub fn point(&self) -> (f64, f64) {
        (f64::from(self.n).log2(), self.median_us * 1e-6)
    }
}

/// All measurements of a run.
pub type Report = benches::report::Report<Row>;

impl benches::report::Row for Row {
    fn head() -> String {
        format!(
            "{:20} {:21} {:>10} {:>12} {:>12} {:>9} {:>8}",
            "primitive", "form", "n", "median us", "p95 us", "GB/s", "of copy"
        )
    }

    fn line(&self) -> String {
        let Self { primitive, form, n, median_us, p95_us, gb_per_s, of_copy } = self;
        let of_copy = of_copy.map_or(String::new(), |fraction| format!("{fraction:.3}"));
        format!("{primitive:20} {form:21} {n:>10} {median_us:>12.2} {p95_us:>12.2} {gb_per_s:>9.1} {of_copy:>8}")
    }
}

/// Adds a row; the copy row of a size comes before the others of that size.
pub fn add(report: &mut Report, mut row: Row) -> anyhow::Result<()> {
    ensure!(row.median_us > 0.0, "{} of {} items took no time: the device's clock is too coarse", row.primitive, row.n);
    let copies = report.rows.iter().filter(|other| other.primitive == "copy" && other.n == row.n);
    let copy = copies.map(|copy| copy.gb_per_s).max_by(f64::total_cmp);
    row.of_copy = copy.filter(|_| !row.is_on_cpu() && row.primitive != "copy").map(|copy| row.gb_per_s / copy);
    eprintln!("{:20} {:21} n = {:10}  {:12.2} us", row.primitive, row.form, row.n, row.median_us);
    report.rows.push(row);
    Ok(())
}

/// Saves `NAME.json` and `NAME.csv`, in a new folder if need be.
pub fn save(report: &Report, name: &Path) -> anyhow::Result<()> {
    benches::report::save(&name.with_extension("json"), report)?;
    let mut csv = "primitive,form,n,median_us,p95_us,gb_per_s,of_copy\n".to_owned();
    for row in &report.rows {
        let of_copy = row.of_copy.map_or(String::new(), |fraction| format!("{fraction:.4}"));
        csv += &format!(
            "{},{},{},{:.3},{:.3},{:.3},{of_copy}\n",
            row.primitive, row.form, row.n, row.median_us, row.p95_us, row.gb_per_s
        );
    }
    Ok(fs::write(name.with_extension("csv"), csv)?)
}

/// A row from the times of single runs, seconds, and the bytes that an item must move.
pub fn row(primitive: &'static str, form: String, n: u32, bytes_per_item: f64, mut seconds: Vec<f64>) -> Row {
    seconds.sort_by(f64::total_cmp);
    let at = |part: f64| quantile(&seconds, part).unwrap_or(f64::NAN);
    let (median, p95) = (at(0.5), at(0.95));
    let gb_per_s = f64::from(n) * bytes_per_item / median.max(1e-12) / 1e9;
    Row {
        primitive: primitive.to_owned(),
        form,
        n,
        median_us: median * 1e6,
        p95_us: p95 * 1e6,
        gb_per_s,
        of_copy: None,
    }
}
