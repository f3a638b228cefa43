//! What is a measurement of a viewshed, and of horizons?

use benches::report::{Cell, Row, number};
use serde::Serialize;

/// A viewshed of a program.
pub struct Cells {
    pub program: String,
    /// The ground between postings.
    pub surface: String,
    /// Of processor time.
    pub seconds: f64,
    /// Cell by cell, northernmost row first; nothing beyond the radius.
    pub seen: Vec<bool>,
}

/// The same beside exact rays.
#[derive(Debug, Serialize)]
pub struct ViewshedTime {
    pub program: String,
    pub surface: String,
    /// Of processor time, user and system: of our viewshed alone, of the whole program of others, unless they run in Python.
    pub seconds: f64,
    pub cells: usize,
    pub seen: usize,
    /// Share of random cells that differ from exact rays over the exact and over the bilinear surface.
    pub differing: [f64; 2],
    /// The same of those that one of both sees.
    pub differing_of_seen: [f64; 2],
}

/// Horizons of ours.
#[derive(Debug, Serialize)]
pub struct HorizonsTime {
    pub cells: usize,
    pub directions: usize,
    /// A cell and direction: of processor time, and by the clock.
    pub processor_ns: f64,
    pub elapsed_ns: f64,
}

/// Parameters and further results of a run.
#[derive(Debug, Serialize)]
pub struct RunParameters {
    /// Of the ground.
    pub seed: u64,
    /// Programs that were not run, and why.
    pub skipped: Vec<[String; 2]>,
    pub horizons: Option<HorizonsTime>,
}

impl Row for ViewshedTime {
    fn cells(&self) -> Vec<Cell> {
        let percent = |[exact, bilinear]: [f64; 2]| format!("{:.2} / {:.2}", 100.0 * exact, 100.0 * bilinear);
        vec![
            ("program", 14, self.program.clone()),
            ("surface", 19, self.surface.clone()),
            ("seconds", 9, number(self.seconds, 2)),
            ("cells", 9, self.cells.to_string()),
            ("seen", 8, self.seen.to_string()),
            ("differ, of all %", 16, percent(self.differing)),
            ("of seen %", 16, percent(self.differing_of_seen)),
        ]
    }
}

impl RunParameters {
    /// One line of what is missing.
    pub fn skip(&mut self, program: &str, why: &str) {
        println!("{program:>14} skipped: {why}");
        self.skipped.push([program.into(), why.into()]);
    }
}
