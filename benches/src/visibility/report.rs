//! How are the rows printed and saved?

use benches::report::Row as _;
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
pub struct Row {
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
pub struct OfHorizons {
    pub cells: usize,
    pub directions: usize,
    /// A cell and direction: of processor time, and by the clock.
    pub processor_ns: f64,
    pub elapsed_ns: f64,
}

/// All rows.
#[derive(Debug, Serialize)]
pub struct Report {
    pub seed: u64,
    pub threads: usize,
    pub rows: Vec<Row>,
    /// Programs that were not run, and why.
    pub skipped: Vec<[String; 2]>,
    pub horizons: Option<OfHorizons>,
}

impl benches::report::Row for Row {
    fn head() -> String {
        format!(
            "{:>14} {:>19} {:>9} {:>9} {:>8} {:>17} {:>17}",
            "program", "surface", "seconds", "cells", "seen", "differ, of all %", "of seen %"
        )
    }

    fn line(&self) -> String {
        let percent = |[exact, bilinear]: [f64; 2]| format!("{:.2} / {:.2}", 100.0 * exact, 100.0 * bilinear);
        format!(
            "{:>14} {:>19} {:>9.2} {:>9} {:>8} {:>17} {:>17}",
            self.program,
            self.surface,
            self.seconds,
            self.cells,
            self.seen,
            percent(self.differing),
            percent(self.differing_of_seen)
        )
    }
}

impl Report {
    /// Of a ground; prints the head of the table.
    pub fn new(seed: u64) -> Self {
        println!("seed {seed}; shares of cells that differ from exact rays over the exact and the bilinear surface");
        println!("{}", Row::head());
        Self { seed, threads: rayon::current_num_threads(), rows: Vec::new(), skipped: Vec::new(), horizons: None }
    }

    /// One line of what is missing.
    pub fn skip(&mut self, program: &str, why: &str) {
        println!("{program:>14} skipped: {why}");
        self.skipped.push([program.into(), why.into()]);
    }

    /// The line of the horizons.
    pub fn print_horizons(&self) {
        if let Some(OfHorizons { cells, directions, processor_ns, elapsed_ns }) = &self.horizons {
            println!(
                "horizons: {cells} cells, {directions} directions: {processor_ns:.0} ns of processor time and {elapsed_ns:.0} ns a cell and direction"
            );
        }
    }
}
