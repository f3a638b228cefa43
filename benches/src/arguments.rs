//! What do several programs take on the command line? Pools, and where rows go.

use std::path::{Path, PathBuf};

use anyhow::Result;
use serde::{Serialize, de::DeserializeOwned};

use crate::plot::Chart;
use crate::report::{Report, Row};

/// Slots of a pool, and pixels: a tolerated error, or the longest edge that is wanted: `131072:0.5`.
///
/// # Errors
/// What does not read so.
pub fn pool(text: &str) -> std::result::Result<(u32, f64), String> {
    let parsed = text.split_once(':').and_then(|(slots, px)| Some((slots.parse().ok()?, px.parse().ok()?)));
    parsed.ok_or_else(|| format!("{text} is not SLOTS:PIXELS, as in 131072:0.5"))
}

/// Where rows are saved and drawn, and which rows.
#[derive(clap::Args, Debug)]
pub struct Output {
    /// Where to save the rows, as NAME.json, and to draw them, as NAME*.svg and NAME*.png.
    #[arg(long, short, value_name = "NAME")]
    output: Option<PathBuf>,
    /// Join, print and draw the JSON files of earlier runs on one machine, without measuring.
    #[arg(long, value_name = "JSON", num_args = 1.., value_delimiter = ',')]
    redraw: Vec<PathBuf>,
}

impl Output {
    /// The rows of earlier runs, which are printed, or those of this one.
    ///
    /// # Errors
    /// Files that cannot be read or joined, and those of `measure`.
    pub fn rows<R: Row + DeserializeOwned, P: DeserializeOwned>(
        &self,
        measure: impl FnOnce() -> Result<Report<R, P>>,
    ) -> Result<Report<R, P>> {
        if self.redraw.is_empty() {
            return measure();
        }
        let report = Report::join(&self.redraw)?;
        report.print();
        Ok(report)
    }

    /// Saves rows as `NAME.json` and charts as `NAME-SUFFIX.svg` and `.png`, if asked for. Without a suffix a chart is `NAME.svg`.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub fn save<R: Serialize, P: Serialize>(&self, report: &Report<R, P>, charts: Vec<(String, Chart)>) -> Result<()> {
        let Some(name) = &self.output else { return Ok(()) };
        let name = name.with_extension("");
        report.save(&name.with_extension("json"))?;
        let plots = charts.len();
        for (suffix, chart) in charts {
            let mut stem = name.clone().into_os_string();
            if !suffix.is_empty() {
                // Names of forms have signs that names of files do not.
                stem.push(format!("-{}", suffix.replace(|sign: char| !sign.is_ascii_alphanumeric(), "-")));
            }
            chart.save(Path::new(&stem))?;
        }
        eprintln!("saved {}.json and {plots} plots", name.display());
        Ok(())
    }
}
