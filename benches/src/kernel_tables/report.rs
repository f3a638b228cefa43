//! Rows of the table: printed for people, saved as JSON and CSV for plots.

use anyhow::{Context, ensure};
use gpu::Caps;
use serde::{Deserialize, Serialize};
use std::{
    fs,
    path::{Path, PathBuf},
};

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
#[derive(Debug, Serialize, Deserialize)]
pub struct Report {
    /// Name of the device.
    pub adapter: String,
    /// Name and version of its driver.
    pub driver: String,
    /// Most threads of rows of the CPU.
    pub cpu_threads: usize,
    /// In the order of measuring.
    pub rows: Vec<Row>,
}

impl Report {
    /// An empty report about a device.
    pub fn new(caps: &Caps) -> Self {
        let cpu_threads = rayon::current_num_threads();
        Self { adapter: caps.adapter.clone(), driver: caps.driver.clone(), cpu_threads, rows: Vec::new() }
    }

    /// The rows of the saved JSON of several runs on one machine, in that order.
    pub fn join(files: &[PathBuf]) -> anyhow::Result<Self> {
        let mut joined: Option<Self> = None;
        for file in files {
            let text = fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
            let report: Self = serde_json::from_str(&text)
                .with_context(|| format!("{} is not the JSON of kernel tables", file.display()))?;
            match &mut joined {
                None => joined = Some(report),
                Some(joined) => {
                    let machine = |of: &Self| format!("{} ({}), {} CPU threads", of.adapter, of.driver, of.cpu_threads);
                    let (first, this) = (machine(joined), machine(&report));
                    ensure!(first == this, "{} was measured on {this}, not on {first}", file.display());
                    joined.rows.extend(report.rows);
                }
            }
        }
        joined.context("there is no file to join")
    }

    /// Adds a row; the copy row of a size comes before the others of that size.
    pub fn add(&mut self, mut row: Row) -> anyhow::Result<()> {
        ensure!(
            row.median_us > 0.0,
            "{} of {} items took no time: the device's clock is too coarse",
            row.primitive,
            row.n
        );
        let copies = self.rows.iter().filter(|other| other.primitive == "copy" && other.n == row.n);
        let copy = copies.map(|copy| copy.gb_per_s).max_by(f64::total_cmp);
        row.of_copy = copy.filter(|_| !row.is_on_cpu() && row.primitive != "copy").map(|copy| row.gb_per_s / copy);
        eprintln!("{:20} {:21} n = {:10}  {:12.2} us", row.primitive, row.form, row.n, row.median_us);
        self.rows.push(row);
        Ok(())
    }

    /// Prints the table on stdout.
    pub fn print(&self) {
        println!("# {} ({}), {} CPU threads", self.adapter, self.driver, self.cpu_threads);
        println!(
            "{:20} {:21} {:>10} {:>12} {:>12} {:>9} {:>8}",
            "primitive", "form", "n", "median us", "p95 us", "GB/s", "of copy"
        );
        for row in &self.rows {
            let of_copy = row.of_copy.map_or(String::new(), |fraction| format!("{fraction:.3}"));
            println!(
                "{:20} {:21} {:>10} {:>12.2} {:>12.2} {:>9.1} {:>8}",
                row.primitive, row.form, row.n, row.median_us, row.p95_us, row.gb_per_s, of_copy
            );
        }
    }

    /// Saves `NAME.json` and `NAME.csv`, in a new folder if need be.
    pub fn save(&self, name: &Path) -> anyhow::Result<()> {
        if let Some(folder) = name.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::write(name.with_extension("json"), serde_json::to_string_pretty(self)? + "\n")?;
        let mut csv = "primitive,form,n,median_us,p95_us,gb_per_s,of_copy\n".to_owned();
        for row in &self.rows {
            let of_copy = row.of_copy.map_or(String::new(), |fraction| format!("{fraction:.4}"));
            csv += &format!(
                "{},{},{},{:.3},{:.3},{:.3},{of_copy}\n",
                row.primitive, row.form, row.n, row.median_us, row.p95_us, row.gb_per_s
            );
        }
        fs::write(name.with_extension("csv"), csv)?;
        Ok(())
    }
}

/// A row from the times of single runs, seconds, and the bytes that an item must move.
pub fn row(primitive: &'static str, form: String, n: u32, bytes_per_item: f64, mut seconds: Vec<f64>) -> Row {
    seconds.sort_by(f64::total_cmp);
    let at = |fraction: f64| seconds[((seconds.len() - 1) as f64 * fraction).round() as usize];
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
