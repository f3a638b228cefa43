//! What is one measurement? One line of the CSV, one object of the JSON, one point of a plot.

use clap::ValueEnum;
use serde::{Deserialize, Serialize};

/// What was measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "snake_case")]
pub enum Operation {
    /// Every leaf from the bits alone, in order, on one thread (Fig. 6).
    Bitfield,
    /// The sums from the bits.
    Reduce,
    /// Every leaf (Fig. 11).
    Decode,
    /// One leaf by its index, chosen at random.
    Leaf,
    /// Decode every leaf, split or merge some, reduce (Fig. 12).
    Cycle,
}

impl Operation {
    /// All of them, in the order of the report.
    pub const ALL: [Self; 5] = [Self::Bitfield, Self::Reduce, Self::Decode, Self::Leaf, Self::Cycle];

    /// Name in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Bitfield => "bitfield",
            Self::Reduce => "reduce",
            Self::Decode => "decode",
            Self::Leaf => "leaf",
            Self::Cycle => "cycle",
        }
    }

    /// Title of its plot.
    pub fn title(self) -> &'static str {
        match self {
            Self::Bitfield => "Decoding the bitfield alone, one thread",
            Self::Reduce => "Sum reduction",
            Self::Decode => "Decoding all leaves",
            Self::Leaf => "Decoding one leaf by its index",
            Self::Cycle => "One cycle: decode, split and merge, reduce",
        }
    }
}

impl std::fmt::Display for Operation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// Whose code ran, or whose figure it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Code {
    /// The published algorithm as it is written, ported without improvements.
    Reference,
    /// The bit-packed heap of this project.
    Classic,
    /// The compact layout of this project.
    Compact,
    /// Values printed in Grachev & Ushakov 2023.
    Paper,
    /// libcbt's GLSL, measured on an NVIDIA H200.
    Libcbt,
}

impl Code {
    /// Name in files and legends.
    pub fn name(self) -> &'static str {
        match self {
            Self::Reference => "reference port",
            Self::Classic => "classic",
            Self::Compact => "compact",
            Self::Paper => "Grachev & Ushakov 2023",
            Self::Libcbt => "libcbt GLSL",
        }
    }
}

/// Where it ran.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Device {
    /// A CPU, with that many threads.
    Cpu {
        /// Threads.
        threads: usize,
    },
    /// A GPU, and its name.
    Gpu {
        /// Name of the adapter.
        name: String,
    },
}

impl Device {
    /// `1 thread`, `8 threads`, or the GPU's name.
    pub fn name(&self) -> String {
        match self {
            Self::Cpu { threads: 1 } => "1 thread".into(),
            Self::Cpu { threads } => format!("{threads} threads"),
            Self::Gpu { name } => name.clone(),
        }
    }
}

/// One measurement.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Row {
    /// What was measured.
    pub operation: Operation,
    /// Whose code.
    pub code: Code,
    /// Where.
    pub device: Device,
    /// Maximum depth of the tree.
    pub depth: u32,
    /// Leaves in percent of 2^depth.
    pub fill_percent: u32,
    /// Leaves.
    pub leaves: u64,
    /// Median time of one operation.
    pub median_s: f64,
    /// Shortest time of one operation.
    pub min_s: f64,
    /// Repetitions.
    pub runs: usize,
}
