//! What was it measured on, and how much fits there?

use serde::{Deserialize, Serialize};

/// The machine, as far as it matters to the figures.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Machine {
    /// Model of the CPU.
    pub cpu: String,
    /// Hardware threads that this process may use.
    pub threads: usize,
    /// Adapter, driver and backend, if a GPU was measured.
    pub gpu: Option<String>,
    /// What every operation there takes at least.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub least: Option<Least>,
}

/// Device times of passes of one workgroup, in seconds.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Least {
    /// It does nothing.
    pub empty_s: f64,
    /// It reads 1024 words and writes them: the bits and leaves of depth 10 are as many.
    pub copy_s: f64,
}

impl Machine {
    /// This one.
    pub fn here() -> Self {
        let cpuinfo = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let model = cpuinfo.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
        let cpu = model.map_or_else(|| std::env::consts::ARCH.into(), |(_, name)| name.trim().into());
        Self { cpu, threads: std::thread::available_parallelism().map_or(1, usize::from), gpu: None, least: None }
    }
}

/// Bytes of memory that can be had without pushing others out; `None` where the system does not say.
pub fn available_bytes() -> Option<u64> {
    let meminfo = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    Some(line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? * 1024)
}
