//! Where do the measurements go? A CSV and a JSON file, and a table on stdout.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Result, ensure};
use serde::{Deserialize, Serialize};

use super::machine::{Least, Machine};
use super::row::{Operation, Row};

/// A whole run.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Report {
    /// Where it was measured.
    pub machine: Machine,
    /// What was measured.
    pub rows: Vec<Row>,
}

impl Report {
    /// Reads the JSON of an earlier run.
    pub fn read(file: &Path) -> Result<Self> {
        benches::report::read(file, "the JSON of a depth sweep")
    }

    /// The rows of several runs of one machine.
    pub fn join(files: &[PathBuf]) -> Result<Self> {
        let mut joined = Self { machine: Machine::here(), rows: Vec::new() };
        for (index, file) in files.iter().enumerate() {
            let Self { machine, rows } = Self::read(file)?;
            let (gpu, least) = (joined.machine.gpu.take(), joined.machine.least);
            let same = index == 0 || machine.cpu == joined.machine.cpu;
            ensure!(same, "{} was measured on {}, not on {}", file.display(), machine.cpu, joined.machine.cpu);
            joined.machine = Machine { gpu: gpu.or(machine.gpu.clone()), least: least.or(machine.least), ..machine };
            joined.rows.extend(rows);
        }
        Ok(joined)
    }

    /// Writes `depth-sweep.csv` and `depth-sweep.json` into a folder.
    pub fn write(&self, folder: &Path) -> Result<()> {
        let mut csv = String::from("operation,code,device,depth,fill_percent,leaves,median_s,min_s,runs\n");
        for row in &self.rows {
            let Row { depth, fill_percent, leaves, median_s, min_s, runs, .. } = row;
            let (operation, code, device) = (row.operation.name(), row.code.name(), row.device.name());
            writeln!(csv, "{operation},{code},{device},{depth},{fill_percent},{leaves},{median_s:e},{min_s:e},{runs}")?;
        }
        std::fs::write(folder.join("depth-sweep.csv"), csv)?;
        benches::report::save(&folder.join("depth-sweep.json"), self)
    }

    /// One line for each operation, fill and depth; one column for each code and device.
    pub fn table(&self) -> String {
        let mut text = String::new();
        if let Some(Least { empty_s, copy_s }) = self.machine.least {
            let (empty_us, copy_us) = (empty_s * 1e6, copy_s * 1e6);
            let _ = writeln!(
                text,
                "\nA pass on the GPU that does nothing: {empty_us:.3} µs; that copies 1024 words: {copy_us:.3} µs"
            );
        }
        for operation in Operation::ALL {
            let of_operation: Vec<&Row> = self.rows.iter().filter(|row| row.operation == operation).collect();
            let mut columns: Vec<String> = Vec::new();
            let mut lines: Vec<(u32, u32)> = Vec::new();
            for row in &of_operation {
                let (column, line) = (column(row), (row.fill_percent, row.depth));
                if !columns.contains(&column) {
                    columns.push(column);
                }
                if !lines.contains(&line) {
                    lines.push(line);
                }
            }
            if lines.is_empty() {
                continue;
            }
            lines.sort_by_key(|&(fill, depth)| (u32::MAX - fill, depth));
            let _ = writeln!(text, "\n{}, µs", operation.title());
            let _ =
                writeln!(text, "fill  D {}", columns.iter().map(|column| format!(" {column:>24}")).collect::<String>());
            for (fill, depth) in lines {
                let cell = |name: &String| {
                    let row = of_operation
                        .iter()
                        .find(|row| (row.fill_percent, row.depth) == (fill, depth) && column(row) == *name);
                    row.map_or_else(|| format!(" {:>24}", "-"), |row| format!(" {:>24.3}", row.median_s * 1e6))
                };
                let _ = writeln!(text, "{fill:3}% {depth:2} {}", columns.iter().map(cell).collect::<String>());
            }
        }
        text
    }
}

fn column(row: &Row) -> String {
    let device = match &row.device {
        super::row::Device::Cpu { threads } => format!("{threads}T"),
        super::row::Device::Gpu { .. } => "GPU".into(),
    };
    format!("{} {device}", row.code.name())
}
