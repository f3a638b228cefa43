//! Which values follow each other, and how often each in a row? Run-length encoding; of sorted keys, the unique ones.
//!
//! An item starts a run when it differs from the one before. The starts are compacted twice, as values and as indices, from
//! one count of them; a run's length is the next start less its own. 5 dispatches, or 3 when one tile holds all items.

mod cpu;
#[cfg(feature = "gpu")]
mod plan;

pub use cpu::run_lengths;
#[cfg(feature = "gpu")]
pub use plan::{RunLengths, RunLengthsOut};
