//! What does a program leave of a run? Rows and the machine that they were measured on, as JSON, which is read again and joined.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use gpu::Caps;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::{Value, json};

/// One measurement: an object of the JSON, and a line of the table that a program prints.
pub trait Row {
    /// The names of the table's columns.
    fn head() -> String;
    /// Its line below them.
    fn line(&self) -> String;
}

/// Prints a row, and keeps it: a long run may be stopped.
pub fn tell<R: Row>(rows: &mut Vec<R>, row: R) {
    println!("{}", row.line());
    rows.push(row);
}

/// All rows of a run on a device and the cores beside it.
#[derive(Debug, Serialize, Deserialize)]
pub struct Report<R> {
    /// Name of the device.
    pub adapter: String,
    /// Name and version of its driver.
    pub driver: String,
    /// Most threads of rows of the CPU.
    pub cpu_threads: usize,
    /// In the order of measuring.
    pub rows: Vec<R>,
}

impl<R> Report<R> {
    /// Of a device, without rows.
    pub fn new(caps: &Caps) -> Self {
        let cpu_threads = rayon::current_num_threads();
        Self { adapter: caps.adapter.clone(), driver: caps.driver.clone(), cpu_threads, rows: Vec::new() }
    }

    /// The machine in words.
    pub fn machine(&self) -> String {
        format!("{} ({}), {} CPU threads", self.adapter, self.driver, self.cpu_threads)
    }
}

impl<R: Row> Report<R> {
    /// Prints the machine and the table on stdout.
    pub fn print(&self) {
        println!("# {}\n{}", self.machine(), R::head());
        self.rows.iter().for_each(|row| println!("{}", row.line()));
    }
}

impl<R: DeserializeOwned> Report<R> {
    /// The rows of several runs on one machine, in that order; `what` is what the files hold.
    ///
    /// # Errors
    /// A file that cannot be read, or is of another machine.
    pub fn join(files: &[PathBuf], what: &str) -> Result<Self> {
        join(files, what, |all: &mut Self, report: Self, file| {
            let (first, this) = (all.machine(), report.machine());
            ensure!(first == this, "{} was measured on {this}, not on {first}", file.display());
            all.rows.extend(report.rows);
            Ok(())
        })
    }
}

/// Writes a report as JSON, in a new folder if need be.
///
/// ```
/// let file = std::env::temp_dir().join(format!("benches-{}/report.json", std::process::id()));
/// benches::report::save(&file, &[1, 2])?;
/// let sum = |all: &mut Vec<u32>, more: Vec<u32>, _: &std::path::Path| Ok(all.extend(more));
/// assert_eq!(benches::report::join(&[file.clone(), file.clone()], "a list", sum)?, [1, 2, 1, 2]);
/// # std::fs::remove_dir_all(file.parent().unwrap())?;
/// # anyhow::Ok(())
/// ```
///
/// # Errors
/// A file that cannot be written.
pub fn save(file: &Path, report: &(impl Serialize + ?Sized)) -> Result<()> {
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    }
    let text = serde_json::to_string_pretty(report)? + "\n";
    fs::write(file, text).with_context(|| format!("cannot write {}", file.display()))
}

/// Reads what [`save`] has written; `what` is what it has to be.
///
/// # Errors
/// A file that cannot be read, or is something else.
pub fn read<T: DeserializeOwned>(file: &Path, what: &str) -> Result<T> {
    let text = fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
    serde_json::from_str(&text).with_context(|| format!("{} is not {what}", file.display()))
}

/// The reports of several files in one: `add` adds one to those before.
///
/// # Errors
/// No file, one that cannot be read, and those of `add`.
pub fn join<T: DeserializeOwned>(
    files: &[PathBuf],
    what: &str,
    mut add: impl FnMut(&mut T, T, &Path) -> Result<()>,
) -> Result<T> {
    let mut files = files.iter();
    let mut all = read(files.next().context("there is no file to join")?, what)?;
    for file in files {
        add(&mut all, read(file, what)?, file)?;
    }
    Ok(all)
}

/// A JSON file that names the device, in a folder that is made before anything is measured.
#[derive(Debug)]
pub struct ReportFile(PathBuf);

impl ReportFile {
    /// `name` in a folder, which is made if it is not there.
    ///
    /// # Errors
    /// A folder that cannot be made.
    pub fn in_folder(folder: &Path, name: &str) -> Result<Self> {
        fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
        Ok(Self(folder.join(name)))
    }

    /// Writes an object, with adapter and driver.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub fn write(&self, caps: &Caps, mut report: Value) -> Result<()> {
        report["adapter"] = json!(caps.adapter);
        report["driver"] = json!(caps.driver);
        save(&self.0, &report)
    }
}
