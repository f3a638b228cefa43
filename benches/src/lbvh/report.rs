//! How are the rows printed and saved?

use super::scene::Kind;
use anyhow::Context;
use gpu::Caps;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// One number of triangles in one form.
#[derive(Debug, Serialize, Deserialize)]
pub struct Row {
    pub scene: Kind,
    pub triangles: u32,
    /// `device`; `cpu` and its threads, each with `wide` between for codes of 63 bits, and `cpu` with `eight` before the
    /// threads for eight children a node; `obvhs`, children a node, threads.
    pub form: String,
    pub rays: u32,
    pub build_ms: f64,
    /// Where there is a refit.
    pub refit_ms: Option<f64>,
    pub coherent_mrays_per_s: f64,
    pub incoherent_mrays_per_s: f64,
    /// Rays that hit something, of all.
    pub coherent_hits: f64,
    pub incoherent_hits: f64,
    /// Rays that the device and the CPU see end at different places, or that the CPU's two trees answer with other bits.
    pub differing_hits: u32,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct Report {
    pub device: String,
    pub driver: String,
    pub rows: Vec<Row>,
}

impl Report {
    /// Of a device, if one is measured; prints the head of the table.
    pub fn new(caps: Option<&Caps>) -> Self {
        println!(
            "{:>8} {:>10} {:>17} {:>11} {:>11} {:>16} {:>18} {:>9} {:>7}",
            "scene",
            "triangles",
            "form",
            "build ms",
            "refit ms",
            "coherent Mray/s",
            "incoherent Mray/s",
            "rays",
            "differ"
        );
        let of = |text: fn(&Caps) -> &String| caps.map_or_else(|| "none".to_owned(), |caps| text(caps).clone());
        Self { device: of(|caps| &caps.adapter), driver: of(|caps| &caps.driver), rows: Vec::new() }
    }

    /// Prints at once: a long run may be stopped.
    pub fn add(&mut self, row: Row) {
        println!(
            "{:>8} {:>10} {:>17} {:>11.4} {:>11} {:>16.2} {:>18.2} {:>9} {:>7}",
            format!("{:?}", row.scene).to_lowercase(),
            row.triangles,
            row.form,
            row.build_ms,
            row.refit_ms.map_or_else(|| "-".to_owned(), |ms| format!("{ms:.4}")),
            row.coherent_mrays_per_s,
            row.incoherent_mrays_per_s,
            row.rays,
            row.differing_hits
        );
        self.rows.push(row);
    }

    /// Writes `NAME.json`; returns its path.
    pub fn save(&self, name: &Path) -> anyhow::Result<PathBuf> {
        let file = name.with_extension("json");
        let text = serde_json::to_string_pretty(self)? + "\n";
        std::fs::write(&file, text).with_context(|| format!("cannot write {}", file.display()))?;
        Ok(file)
    }

    /// The rows of earlier runs in one, under the device of the first that has one.
    pub fn join(files: &[PathBuf]) -> anyhow::Result<Self> {
        let mut all: Option<Self> = None;
        for file in files {
            let text = std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
            let report: Self =
                serde_json::from_str(&text).with_context(|| format!("{} is no table of trees", file.display()))?;
            match &mut all {
                Some(all) => {
                    if all.device == "none" {
                        (all.device, all.driver) = (report.device, report.driver);
                    }
                    all.rows.extend(report.rows);
                }
                None => all = Some(report),
            }
        }
        all.context("no file to join")
    }
}

/// The middle of the values.
pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// The share of rays that hit something.
pub fn share_of_hits(hits: &[kernels::lbvh::Hit]) -> f64 {
    let found = hits.iter().filter(|hit| matches!(hit.outcome(), kernels::lbvh::Outcome::Hit(_))).count();
    found as f64 / hits.len() as f64
}
