//! The window: event loop, surface, when to draw the next frame, and what is opened in flight.

mod device_losses;
mod flight;
mod ground;
mod loading;
mod options;
mod plugins;
mod run;
mod title;
mod window_destroyed;

use gpu::GpuError;

pub use flight::{MeasuredFrame, RunLimit, WindowBench};
#[cfg(feature = "gdal")]
pub use ground::GroundFiles;
pub use ground::PublicGround;
pub use options::{FlyOptions, StoredChoices};
pub use run::run;
pub(crate) use window_destroyed::is_window_destroyed as tells_that_a_window_is_gone;

/// What else there is to try where a window gives no pictures.
fn with_advice(error: GpuError) -> anyhow::Error {
    match error {
        GpuError::Surface { .. } => anyhow::anyhow!("{error}; or try --software"),
        other => other.into(),
    }
}
