//! The window: event loop, surface, when to draw the next frame, and what is opened in flight.

mod flight;
mod gone;
mod ground;
mod loading;
mod losses;
mod options;
mod run;

use gpu::GpuError;

pub use flight::{Limit, Measured, WarmUp, WindowBench};
pub(crate) use gone::is_told as tells_that_a_window_is_gone;
pub use ground::{GroundFiles, PublicGround};
pub use options::{Choices, FlyOptions};
pub use run::run;

/// What else there is to try where a window gives no pictures.
fn with_advice(error: GpuError) -> anyhow::Error {
    match error {
        GpuError::Surface { .. } => anyhow::anyhow!("{error}; or try --software"),
        other => other.into(),
    }
}
