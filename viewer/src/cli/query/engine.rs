//! Which engine finds horizons and lines of sight?

use gpu::{Gpu, GpuOptions};

/// Values from which on a graphics device is worth its start.
const MANY_VALUES: f64 = 16_777_216.0;

/// What finds horizons.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Engine {
    /// A graphics device where there is one and the work is large, else the CPU
    Auto,
    /// All cores
    Cpu,
    /// A graphics device, even if the CPU plays it
    Gpu,
}

impl Engine {
    /// The graphics device that is to find so many values, if one is.
    pub fn device(self, values: f64) -> anyhow::Result<Option<Gpu>> {
        match self {
            Self::Cpu => Ok(None),
            Self::Gpu => Ok(Some(Gpu::new(&GpuOptions::from_env())?)),
            Self::Auto if values < MANY_VALUES => Ok(None),
            Self::Auto => Ok(Gpu::new(&GpuOptions::from_env()).ok().filter(|gpu| !gpu.caps.is_software())),
        }
    }
}
