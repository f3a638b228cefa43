//! How are the rows printed and saved?

use super::scene::Kind;
use kernels::gpu::Caps;
use serde::Serialize;
use std::path::Path;

/// One number of triangles in one form.
#[derive(Debug, Serialize)]
pub struct Row {
    pub scene: Kind,
    pub triangles: u32,
    /// `device`; `cpu` and its threads; `obvhs`, children a node, threads.
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
    /// Rays that the device and the CPU see end at different places.
    pub differing_hits: u32,
}

#[derive(Debug, Serialize)]
pub struct Report {
    device: String,
    driver: String,
    rows: Vec<Row>,
}

impl Report {
    pub fn new(caps: &Caps) -> Self {
        println!(
            "{:>8} {:>10} {:>10} {:>11} {:>11} {:>16} {:>18} {:>9} {:>7}",
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
        Self { device: caps.adapter.clone(), driver: caps.driver.clone(), rows: Vec::new() }
    }

    /// Prints at once: a long run may be stopped.
    pub fn add(&mut self, row: Row) {
        println!(
            "{:>8} {:>10} {:>10} {:>11.4} {:>11} {:>16.1} {:>18.1} {:>9} {:>7}",
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

    pub fn save(&self, file: &Path) -> anyhow::Result<()> {
        Ok(std::fs::write(file, serde_json::to_string_pretty(self)? + "\n")?)
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
