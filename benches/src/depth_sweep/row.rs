//! What is one measurement? One line of the table, one object of the JSON, one point of a plot.

use benches::figures::quantiles;
use benches::report::{Cell, Row, number};
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

/// One operation at one depth.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct OperationTime {
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

impl OperationTime {
    /// Of a tree without a time yet.
    pub fn of(code: Code, device: Device, depth: u32, fill_percent: u32, leaves: u64) -> Self {
        Self {
            operation: Operation::Reduce,
            code,
            device,
            depth,
            fill_percent,
            leaves,
            median_s: 0.0,
            min_s: 0.0,
            runs: 0,
        }
    }

    /// The same for an operation that took so many seconds in each run.
    #[must_use]
    pub fn with(&self, operation: Operation, seconds: Vec<f64>) -> Self {
        let runs = seconds.len();
        let [min_s, median_s] = quantiles(seconds, [0.0, 0.5]);
        Self { operation, median_s, min_s, runs, ..self.clone() }
    }

    /// Whether it ran on a GPU.
    pub fn is_on_gpu(&self) -> bool {
        matches!(self.device, Device::Gpu { .. })
    }
}

impl Row for OperationTime {
    fn cells(&self) -> Vec<Cell> {
        vec![
            ("operation", 9, self.operation.name().to_owned()),
            ("fill %", 6, self.fill_percent.to_string()),
            ("depth", 5, self.depth.to_string()),
            ("code", 14, self.code.name().to_owned()),
            ("device", 32, self.device.name()),
            ("leaves", 11, self.leaves.to_string()),
            ("median µs", 14, number(self.median_s * 1e6, 3)),
            ("least µs", 14, number(self.min_s * 1e6, 3)),
            ("runs", 4, self.runs.to_string()),
        ]
    }
}

/// All of a run; of the GPU, if one was measured, its passes.
pub type Report = benches::report::Report<OperationTime, Option<GpuPasses>>;

/// How a GPU was measured, and what any operation takes at least there.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct GpuPasses {
    /// The interface.
    pub backend: String,
    /// Which kernels ran.
    pub variant: String,
    /// Device times of passes of one workgroup, in seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub least: Option<LeastPassTimes>,
}

/// What passes of one workgroup take.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct LeastPassTimes {
    /// It does nothing.
    pub empty_s: f64,
    /// It reads 1024 words and writes them: the bits and leaves of depth 10 are as many.
    pub copy_s: f64,
}
