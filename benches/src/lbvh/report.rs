//! What is a measurement of trees?

use super::scene::Kind;
use benches::report::{Cell, Row, number};
use serde::{Deserialize, Serialize};

/// One number of triangles in one form.
#[derive(Debug, Serialize, Deserialize)]
pub struct TreeTimes {
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

/// All of a run.
pub type Report = benches::report::Report<TreeTimes>;

impl Row for TreeTimes {
    fn cells(&self) -> Vec<Cell> {
        vec![
            ("scene", 8, self.scene.name()),
            ("triangles", 10, self.triangles.to_string()),
            ("form", 19, self.form.clone()),
            ("build ms", 11, number(self.build_ms, 4)),
            ("refit ms", 11, number(self.refit_ms, 4)),
            ("coherent Mray/s", 0, number(self.coherent_mrays_per_s, 2)),
            ("incoherent Mray/s", 0, number(self.incoherent_mrays_per_s, 2)),
            ("rays", 9, self.rays.to_string()),
            ("differ", 7, self.differing_hits.to_string()),
        ]
    }
}

/// The share of rays that hit something.
pub fn share_of_hits(hits: &[kernels::lbvh::Hit]) -> f64 {
    let found = hits.iter().filter(|hit| matches!(hit.outcome(), kernels::lbvh::Outcome::Hit(_))).count();
    found as f64 / hits.len() as f64
}
