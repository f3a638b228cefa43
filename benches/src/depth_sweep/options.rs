//! What is to be measured? The command line.

use std::ops::RangeInclusive;
use std::path::PathBuf;

use clap::{Parser, ValueEnum};
use foreign::values::integer;

use super::row::Operation;

/// Measures the concurrent binary tree over its depth and draws the figures of Grachev & Ushakov 2023 anew.
///
/// Every result is checked: GPU against CPU, leaves against the count. What is there already is written after each depth, so that a
/// run can be cut short.
#[derive(Parser, Debug)]
#[command(name = "depth-sweep", after_help = EXAMPLES)]
pub struct Options {
    /// Depths, as FIRST..LAST, both included, or a single one
    #[arg(long, default_value = "10..24", value_parser = parse_depths)]
    pub depths: RangeInclusive<u32>,
    /// Every how many depths
    #[arg(long, default_value_t = 1, value_parser = integer::<usize>(1..=30))]
    pub step: usize,
    /// Numbers of CPU threads, separated by commas
    #[arg(long, value_delimiter = ',', default_values_t = default_threads(), value_parser = integer::<usize>(1..=4096))]
    pub threads: Vec<usize>,
    /// Operations, separated by commas
    #[arg(long, value_delimiter = ',', default_values = ["bitfield", "reduce", "decode", "leaf", "cycle"])]
    pub operation: Vec<Operation>,
    /// Leaves in percent of 2^depth, separated by commas
    #[arg(long, value_delimiter = ',', default_values_t = [100, 25], value_parser = clap::value_parser!(u32).range(1..=100))]
    pub fill: Vec<u32>,
    /// Layouts, separated by commas
    #[arg(long, value_delimiter = ',', default_values = ["classic", "compact"])]
    pub layout: Vec<Layout>,
    /// Measure on the GPU too, with device timestamps
    #[arg(long)]
    pub gpu: bool,
    /// Do not measure on the CPU
    #[arg(long, requires = "gpu")]
    pub no_cpu: bool,
    /// Longest time in seconds that one operation of the slow reference port may be expected to take
    #[arg(long, default_value_t = 8.0)]
    pub reference_limit_s: f64,
    /// Folder for the JSON and the plots
    #[arg(long, default_value = "out/depth-sweep")]
    pub out: PathBuf,
    /// Join the JSON files of earlier runs and draw their plots, without measuring
    #[arg(long, value_delimiter = ',', conflicts_with_all = ["gpu", "no_cpu"])]
    pub redraw: Vec<PathBuf>,
}

impl Options {
    /// Whether an operation is to be measured.
    pub fn is_selected(&self, operation: Operation) -> bool {
        self.operation.contains(&operation)
    }
}

const EXAMPLES: &str = "\
Examples:
  depth-sweep --depths 10..16                       a minute
  depth-sweep --depths 10..28 --gpu --no-cpu        the GPU alone
  depth-sweep --depths 24 --operation leaf,decode   two operations at one depth";

/// A layout of the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Layout {
    /// The bit-packed heap of the papers
    Classic,
    /// The bitfield, and sums above blocks of 512 bits
    Compact,
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
