//! How are the rows printed and saved?

use super::scene::Kind;
use gpu::Caps;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// One number of triangles in one form.
#[derive(Debug, Serialize, Deserialize)]
pub struct Row {
    pub scene: Kind,
    pub triangles: u32,
    /// `device`; `cpu` and its threads; each with `wide` for codes of 63 bits, and `four` or `eight` for as many children a node;
    /// `obvhs`, children a node, threads.
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

impl benches::report::Row for Row {
    fn head() -> String {
        format!(
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
        )
    }

    fn line(&self) -> String {
        format!(
            "{:>8} {:>10} {:>17} {:>11.4} {:>11} {:>16.2} {:>18.2} {:>9} {:>7}",
            format!("{:?}", self.scene).to_lowercase(),
            self.triangles,
            self.form,
            self.build_ms,
            self.refit_ms.map_or_else(|| "-".to_owned(), |ms| format!("{ms:.4}")),
            self.coherent_mrays_per_s,
            self.incoherent_mrays_per_s,
            self.rays,
            self.differing_hits
        )
    }
}

impl Report {
    /// Of a device, if one is measured.
    pub fn new(caps: Option<&Caps>) -> Self {
        let of = |text: fn(&Caps) -> &String| caps.map_or_else(|| "none".to_owned(), |caps| text(caps).clone());
        Self { device: of(|caps| &caps.adapter), driver: of(|caps| &caps.driver), rows: Vec::new() }
    }

    /// The rows of earlier runs in one, under the device of the first that has one.
    pub fn join(files: &[PathBuf]) -> anyhow::Result<Self> {
        benches::report::join(files, "a table of trees", |all: &mut Self, report: Self, _| {
            if all.device == "none" {
                (all.device, all.driver) = (report.device, report.driver);
            }
            all.rows.extend(report.rows);
            Ok(())
        })
    }
}

/// The share of rays that hit something.
pub fn share_of_hits(hits: &[kernels::lbvh::Hit]) -> f64 {
    let found = hits.iter().filter(|hit| matches!(hit.outcome(), kernels::lbvh::Outcome::Hit(_))).count();
    found as f64 / hits.len() as f64
}
