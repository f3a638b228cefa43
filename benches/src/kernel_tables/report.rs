//! What is a measurement of a primitive?

use anyhow::ensure;
use benches::figures::quantiles;
use benches::report::{Cell, Row, number};
use serde::{Deserialize, Serialize};

/// One primitive in one form at one size.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PrimitiveTime {
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

impl PrimitiveTime {
    /// Whether it was measured on the CPU.
    pub fn is_on_cpu(&self) -> bool {
        self.form.starts_with("cpu")
    }

    /// Binary logarithm of the number of items, and the median time in seconds.
    pub fn point(&self) -> (f64, f64) {
        (f64::from(self.n).log2(), self.median_us * 1e-6)
    }
}

/// All of a run.
pub type Report = benches::report::Report<PrimitiveTime>;

impl Row for PrimitiveTime {
    fn cells(&self) -> Vec<Cell> {
        vec![
            ("primitive", 18, self.primitive.clone()),
            ("form", 21, self.form.clone()),
            ("n", 10, self.n.to_string()),
            ("median us", 12, number(self.median_us, 2)),
            ("p95 us", 12, number(self.p95_us, 2)),
            ("GB/s", 9, number(self.gb_per_s, 1)),
            ("of copy", 8, number(self.of_copy, 3)),
        ]
    }
}

/// Adds a row; the copy row of a size comes before the others of that size.
pub fn add(report: &mut Report, mut row: PrimitiveTime) -> anyhow::Result<()> {
    ensure!(row.median_us > 0.0, "{} of {} items took no time: the device's clock is too coarse", row.primitive, row.n);
    let copies = report.rows.iter().filter(|other| other.primitive == "copy" && other.n == row.n);
    let copy = copies.map(|copy| copy.gb_per_s).max_by(f64::total_cmp);
    row.of_copy = copy.filter(|_| !row.is_on_cpu() && row.primitive != "copy").map(|copy| row.gb_per_s / copy);
    report.add(row);
    Ok(())
}

/// A row from the times of single runs, seconds, and the bytes that an item must move.
pub fn times(primitive: &str, form: String, n: u32, bytes_per_item: f64, seconds: Vec<f64>) -> PrimitiveTime {
    let [median, p95] = quantiles(seconds, [0.5, 0.95]);
    let gb_per_s = f64::from(n) * bytes_per_item / median.max(1e-12) / 1e9;
    let (median_us, p95_us) = (median * 1e6, p95 * 1e6);
    PrimitiveTime { primitive: primitive.to_owned(), form, n, median_us, p95_us, gb_per_s, of_copy: None }
}
