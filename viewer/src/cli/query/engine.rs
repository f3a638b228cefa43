//! Which engine finds horizons and lines of sight?

use analysis::DeviceHorizonsError;
use gpu::{Gpu, GpuOptions};
use indicatif::ProgressBar;

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
    /// What a device has found. `None`, and a line that says why, where the CPU is to find it in its place: not where the device was asked
    /// for, nor of what cannot be.
    pub fn fall_back_to_cpu<T>(
        self,
        found: Result<T, DeviceHorizonsError>,
        gpu: &Gpu,
        (what, bar): (&str, &ProgressBar),
    ) -> Result<Option<T>, DeviceHorizonsError> {
        match found {
            Err(error) if self != Self::Gpu && !matches!(error, DeviceHorizonsError::Horizon(_)) => {
                bar.suspend(|| eprintln!("{} finds no {what}, so the CPU does: {error}", gpu.caps.adapter));
                Ok(None)
            }
            found => found.map(Some),
        }
    }
}
