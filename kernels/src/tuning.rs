//! Which sizes do kernels take instead of their own choice, to measure what another machine would like?

use crate::OnesweepConfig;

/// Sizes for [`Kernels::with_tuning`](crate::Kernels::with_tuning); `None` is the kernel's own choice. None of them changes a
/// result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Tuning {
    /// Sizes of the one-sweep sort; one that the device cannot run is an error when the sort is made.
    pub sweep: Option<OnesweepConfig>,
    /// Items that a workgroup of a compaction gathers before it writes them: a multiple of 256 up to 4096, rounded if it is none.
    pub stage: Option<u32>,
}
