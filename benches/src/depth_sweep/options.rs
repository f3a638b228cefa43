//! What is to be measured? The command line.

use std::ops::RangeInclusive;
use std::path::PathBuf;

use clap::{Parser, ValueEnum};

/// Measures the concurrent binary tree over its depth and draws the figures of Grachev & Ushakov 2023 anew.
#[derive(Parser, Debug)]
#[command(name = "depth-sweep")]
pub struct Options {
    /// Depths, as FIRST..LAST or a single one
    #[arg(long, default_value = "10..24", value_parser = parse_depths)]
    pub depths: RangeInclusive<u32>,
    /// Every how many depths
    #[arg(long, default_value_t = 1)]
    pub step: usize,
    /// Numbers of CPU threads
    #[arg(long, value_delimiter = ',', default_values_t = default_threads())]
    pub threads: Vec<usize>,
    /// Leaves in percent of 2^depth
    #[arg(long, value_delimiter = ',', default_values_t = [100, 25], value_parser = clap::value_parser!(u32).range(1..=100))]
    pub fill: Vec<u32>,
    /// Layouts
    #[arg(long, value_delimiter = ',', default_values_t = [Layout::Classic, Layout::Compact])]
    pub layout: Vec<Layout>,
    /// Measure on the GPU too, with device timestamps
    #[arg(long)]
    pub gpu: bool,
    /// Do not measure on the CPU
    #[arg(long)]
    pub no_cpu: bool,
    /// Longest time in seconds that one operation of the slow reference port may be expected to take
    #[arg(long, default_value_t = 8.0)]
    pub reference_limit_s: f64,
    /// Folder for the CSV, the JSON and the plots
    #[arg(long, default_value = "out/depth-sweep")]
    pub out: PathBuf,
    /// Join the JSON files of earlier runs and draw their plots, without measuring
    #[arg(long, value_delimiter = ',')]
    pub redraw: Vec<PathBuf>,
}

/// A layout of the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Layout {
    /// The bit-packed heap of the papers
    Classic,
    /// The bitfield, and sums above blocks of 512 bits
    Compact,
}

impl std::fmt::Display for Layout {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Classic => "classic",
            Self::Compact => "compact",
        })
    }
}

/// 1, 2, 4, 8, as far as the machine has them.
fn default_threads() -> Vec<usize> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    [1, 2, 4, 8].into_iter().filter(|&threads| threads <= cores).collect()
}

fn parse_depths(text: &str) -> Result<RangeInclusive<u32>, String> {
    let (first, last) = text.split_once("..").unwrap_or((text, text));
    let number = |text: &str| text.trim_start_matches('=').parse::<u32>().map_err(|error| format!("{text:?}: {error}"));
    let (first, last) = (number(first)?, number(last)?);
    if (1..=last).contains(&first) && last <= cbt::MAX_DEPTH {
        Ok(first..=last)
    } else {
        Err(format!("{first}..{last} is not a rising range within 1..{}", cbt::MAX_DEPTH))
    }
}
