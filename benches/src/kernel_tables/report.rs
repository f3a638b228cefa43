//! Rows of the table: printed for people, saved as JSON and CSV for plots.

use anyhow::ensure;
use kernels::gpu::Caps;
use serde::Serialize;
use std::{fs, path::Path};

/// One measurement.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// What ran.
    pub primitive: &'static str,
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

/// All measurements of a run.
#[derive(Debug, Serialize)]
pub struct Report {
    adapter: String,
    driver: String,
    cpu_threads: usize,
    rows: Vec<Row>,
}

impl Report {
    /// An empty report about a device.
    pub fn new(caps: &Caps) -> Self {
        let cpu_threads = rayon::current_num_threads();
        Self { adapter: caps.adapter.clone(), driver: caps.driver.clone(), cpu_threads, rows: Vec::new() }
    }

    /// Adds a row; the copy row of a size comes before the others of that size.
    pub fn add(&mut self, mut row: Row) -> anyhow::Result<()> {
        ensure!(
            row.median_us > 0.0,
            "{} of {} items took no time: the device's clock is too coarse",
            row.primitive,
            row.n
        );
        let on_cpu = row.form.starts_with("cpu");
        let copies = self.rows.iter().filter(|other| other.primitive == "copy" && other.n == row.n);
        let copy = copies.map(|copy| copy.gb_per_s).max_by(f64::total_cmp);
        row.of_copy = copy.filter(|_| !on_cpu && row.primitive != "copy").map(|copy| row.gb_per_s / copy);
        eprintln!("{:20} {:12} n = {:10}  {:12.2} us", row.primitive, row.form, row.n, row.median_us);
        self.rows.push(row);
        Ok(())
    }

    /// Prints the table on stdout.
    pub fn print(&self) {
        println!("# {} ({}), {} CPU threads", self.adapter, self.driver, self.cpu_threads);
        println!(
            "{:20} {:12} {:>10} {:>12} {:>12} {:>9} {:>8}",
            "primitive", "form", "n", "median us", "p95 us", "GB/s", "of copy"
        );
        for row in &self.rows {
            let of_copy = row.of_copy.map_or(String::new(), |fraction| format!("{fraction:.3}"));
            println!(
                "{:20} {:12} {:>10} {:>12.2} {:>12.2} {:>9.1} {:>8}",
                row.primitive, row.form, row.n, row.median_us, row.p95_us, row.gb_per_s, of_copy
            );
        }
        super::published::print(&self.rows);
    }

    /// Saves NAME.json and NAME.csv.
    pub fn save(&self, name: &Path) -> anyhow::Result<()> {
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
    Row { primitive, form, n, median_us: median * 1e6, p95_us: p95 * 1e6, gb_per_s, of_copy: None }
}
