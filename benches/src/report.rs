//! What does a benchmark leave of a run? Rows, with the machine and the parameters of the run: a table on stdout, and JSON that is
//! read again and joined.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use gpu::Caps;
use serde::{Deserialize, Serialize, de::DeserializeOwned};

/// A cell of a table: the name of its column, the least width of that, and what is there.
pub type Cell = (&'static str, usize, String);

/// One measurement: an object of the JSON, and a line of the table that a program prints.
pub trait Row {
    /// Its cells, of the same columns in every row.
    fn cells(&self) -> Vec<Cell>;
}

impl Row for Vec<Cell> {
    fn cells(&self) -> Vec<Cell> {
        self.clone()
    }
}

/// A number as tables show it, with so many digits after the point; a dash if there is none.
///
/// ```
/// use benches::report::number;
/// assert_eq!((number(2.0, 2), number(None, 2)), ("2.00".to_owned(), "-".to_owned()));
/// ```
pub fn number(value: impl Into<Option<f64>>, digits: usize) -> String {
    value.into().map_or_else(|| "-".to_owned(), |value| format!("{value:.digits$}"))
}

/// A line of a table, and the names of the columns above it if it is the first.
fn line(row: &impl Row, is_first: bool) -> String {
    let cells = row.cells();
    let line = |text: fn(&Cell) -> &str| {
        let width = |cell: &Cell| cell.1.max(cell.0.chars().count());
        let cells = cells.iter().map(|cell| format!("{:>1$}", text(cell), width(cell)));
        cells.collect::<Vec<_>>().join(" ") + "\n"
    };
    let head = if is_first { line(|cell| cell.0) } else { String::new() };
    head + &line(|cell| &cell.2)
}

/// Rows below the names of their columns.
///
/// ```
/// let row = |n: u32| vec![("n", 4, n.to_string()), ("square", 0, (n * n).to_string())];
/// assert_eq!(benches::report::table(&[row(3), row(12)]), "   n square\n   3      9\n  12    144\n");
/// ```
pub fn table<R: Row>(rows: &[R]) -> String {
    rows.iter().enumerate().map(|(index, row)| line(row, index == 0)).collect()
}

/// What a program ran on.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Machine {
    /// Name of the device; `none` if none was used.
    pub adapter: String,
    /// Name and version of its driver.
    pub driver: String,
    /// Model of the processor.
    pub cpu: String,
    /// Most threads of rows of the CPU.
    pub cpu_threads: usize,
}

impl Machine {
    /// This machine, with a device if one is used.
    pub fn here<'a>(caps: impl Into<Option<&'a Caps>>) -> Self {
        let cpuinfo = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let model = cpuinfo.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
        let cpu = model.map_or(std::env::consts::ARCH, |(_, name)| name.trim()).to_owned();
        let (adapter, driver) = caps.into().map_or(("none", "none"), |caps| (&caps.adapter, &caps.driver));
        Self { adapter: adapter.into(), driver: driver.into(), cpu, cpu_threads: rayon::current_num_threads() }
    }

    fn has_device(&self) -> bool {
        self.adapter != "none"
    }

    /// Whether one can be the other; one of them may have used no device.
    fn may_be(&self, other: &Self) -> bool {
        let device = |machine: &Self| (machine.adapter.clone(), machine.driver.clone());
        let same_device = !self.has_device() || !other.has_device() || device(self) == device(other);
        same_device && (&self.cpu, self.cpu_threads) == (&other.cpu, other.cpu_threads)
    }
}

impl fmt::Display for Machine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.has_device() {
            write!(f, "{} ({}), ", self.adapter, self.driver)?;
        }
        let model = if self.cpu.is_empty() { "CPU" } else { &self.cpu };
        write!(f, "{model}, {} threads", self.cpu_threads)
    }
}

/// All rows of a run, on a device and the cores beside it.
///
/// ```
/// use benches::report::{Cell, Report, Row};
/// #[derive(serde::Serialize, serde::Deserialize, Debug)]
/// struct CopyTime { words: u32, us: f64 }
/// impl Row for CopyTime {
///     fn cells(&self) -> Vec<Cell> {
///         vec![("words", 10, self.words.to_string()), ("µs", 8, benches::report::number(self.us, 2))]
///     }
/// }
/// let mut report = Report::new(None, ());
/// report.add(CopyTime { words: 1024, us: 6.25 });
/// let file = std::env::temp_dir().join(format!("benches-{}/report.json", std::process::id()));
/// report.save(&file)?;
/// let twice = Report::<CopyTime>::join(&[file.clone(), file.clone()])?;
/// assert_eq!((twice.rows.len(), twice.rows[1].us, &twice.machine), (2, 6.25, &report.machine));
/// # std::fs::remove_dir_all(file.parent().unwrap())?;
/// # anyhow::Ok(())
/// ```
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Report<R, P = ()> {
    /// Where it was measured.
    #[serde(flatten)]
    pub machine: Machine,
    /// What all rows have in common, and what is said of all of them.
    #[serde(flatten)]
    pub parameters: P,
    /// In the order of measuring.
    pub rows: Vec<R>,
    #[serde(skip)]
    is_quiet: bool,
}

impl<R: Row, P> Report<R, P> {
    /// Of this machine and a device, if one is used; without rows.
    pub fn new<'a>(caps: impl Into<Option<&'a Caps>>, parameters: P) -> Self {
        Self { machine: Machine::here(caps), parameters, rows: Vec::new(), is_quiet: false }
    }

    /// Without output of rows, for a program that prints JSON at its end.
    #[must_use]
    pub fn quiet_if(self, is_quiet: bool) -> Self {
        Self { is_quiet, ..self }
    }

    /// Keeps a row, and prints it at once: a long run may be stopped. Machine and head of the table are printed before the first.
    pub fn add(&mut self, row: R) {
        if !self.is_quiet {
            if self.rows.is_empty() {
                println!("# {}", self.machine);
            }
            print!("{}", line(&row, self.rows.is_empty()));
        }
        self.rows.push(row);
    }

    /// Prints the machine and the table.
    pub fn print(&self) {
        print!("# {}\n{}", self.machine, table(&self.rows));
    }
}

impl<R: Serialize, P: Serialize> Report<R, P> {
    /// As JSON.
    ///
    /// # Errors
    /// None but those of a row that has no JSON.
    pub fn json(&self) -> Result<String> {
        Ok(serde_json::to_string_pretty(self)? + "\n")
    }

    /// Writes the JSON, in a new folder if need be.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub fn save(&self, file: &Path) -> Result<()> {
        if let Some(folder) = file.parent() {
            fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
        }
        fs::write(file, self.json()?).with_context(|| format!("cannot write {}", file.display()))?;
        Ok(())
    }
}

impl<R: DeserializeOwned, P: DeserializeOwned> Report<R, P> {
    /// The rows of several files in one, in that order, with the parameters of the first that used a device.
    ///
    /// # Errors
    /// No file; one that cannot be read, holds something else, or is of another machine.
    pub fn join(files: &[PathBuf]) -> Result<Self> {
        let read = |file: &PathBuf| -> Result<Self> {
            let text = fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
            serde_json::from_str(&text).with_context(|| format!("{} is no report of this benchmark", file.display()))
        };
        let mut files = files.iter();
        let mut all = read(files.next().context("there is no file to join")?)?;
        for file in files {
            let Self { machine, parameters, rows, .. } = read(file)?;
            let other = &all.machine;
            ensure!(machine.may_be(other), "{} was measured on {machine}, not on {other}", file.display());
            if machine.has_device() && !other.has_device() {
                (all.machine, all.parameters) = (machine, parameters);
            }
            all.rows.extend(rows);
        }
        Ok(all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    fn files(folder: &Path) -> Vec<PathBuf> {
        let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
    }

    /// Law: every committed result is a report with rows, but for those that `orogen bench` and `benches/scale` wrote.
    #[test]
    fn committed_results_are_reports() {
        let all = files(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/results"))).into_iter();
        let is_json = |file: &PathBuf| file.extension().is_some_and(|end| end == "json");
        let is_other = |file: &PathBuf| {
            let name = file.file_name().unwrap_or_default().to_string_lossy();
            name.starts_with("flights") || name == "scale.json"
        };
        let reports: Vec<PathBuf> = all.filter(|file| is_json(file) && !is_other(file)).collect();
        assert!(reports.len() > 10, "{reports:?}");
        for file in reports {
            let report = Report::<Value, Value>::join(std::slice::from_ref(&file)).unwrap();
            assert!(!report.rows.is_empty() && report.rows.iter().all(Value::is_object), "{}", file.display());
        }
    }

    /// Law: rows of a device and of the cores of one machine join, with the device's parameters. Those of another machine do not.
    #[test]
    fn only_rows_of_one_machine_join() {
        let folder = tempfile::tempdir().unwrap();
        let machine =
            |adapter: &str, cpu: &str| Machine { adapter: adapter.into(), cpu: cpu.into(), ..Machine::default() };
        let file = |name: &str, machine: Machine, parameters: Option<u32>| {
            let file = folder.path().join(name);
            let parameters = serde_json::json!({ "frames": parameters });
            Report { machine, parameters, rows: vec![name.to_owned()], is_quiet: true }.save(&file).unwrap();
            file
        };
        let cores = file("cores", machine("none", "a"), None);
        let device = file("device", machine("A", "a"), Some(7));
        let others = [file("other", machine("B", "a"), None), file("cpu", machine("none", "b"), None)];
        let all = Report::<String, Value>::join(&[cores.clone(), device.clone()]).unwrap();
        assert_eq!((all.machine, &all.parameters["frames"]), (machine("A", "a"), &Value::from(7)));
        assert_eq!(all.rows, ["cores", "device"]);
        for other in others {
            let error = Report::<String, Value>::join(&[cores.clone(), device.clone(), other]).unwrap_err();
            assert!(error.to_string().contains("was measured on"), "{error}");
        }
        assert!(Report::<u32>::join(&[cores]).is_err() && Report::<String>::join(&[]).is_err());
    }
}
