//! Where does a kernel run? On one core, on all cores or on a device: chosen when it runs.

use crate::{DualBufferError, KernelError, Kernels, LoopKernel};
use gpu::Gpu;
use std::fmt;

/// Why an engine could not run a kernel.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EngineError {
    /// The kernel could not be made or bound.
    #[error(transparent)]
    Kernel(#[from] KernelError),
    /// An array is not where it has to be.
    #[error(transparent)]
    DualBuffer(#[from] DualBufferError),
}

/// Something that runs kernels made from loops.
#[derive(Clone, Debug)]
pub enum Engine {
    /// The plain loops.
    OneCore,
    /// rayon's cores.
    AllCores,
    /// A device, by WGSL in the [`Variant`](crate::Variant) of its `Kernels`.
    Device(Box<(Gpu, Kernels)>),
}

impl Engine {
    /// A device, in the variant that [`Kernels::new`] chooses for it.
    pub fn device(gpu: &Gpu) -> Result<Self, KernelError> {
        Ok(Self::with_kernels(gpu, Kernels::new(&gpu.device)))
    }

    /// A device by `kernels`, which say the variant and hold replacements.
    pub fn with_kernels(gpu: &Gpu, kernels: Kernels) -> Self {
        Self::Device(Box::new((gpu.clone(), kernels)))
    }

    /// Runs `K` once. Nothing is copied: arrays must be fresh on the side of the engine, and what is written is newer there. A
    /// device's work is submitted, not waited for.
    pub fn run<K: LoopKernel>(&self, arguments: K::DualBuffers<'_>) -> Result<(), EngineError> {
        match self {
            Self::OneCore => K::serial(K::on_host(arguments)?),
            Self::AllCores => K::parallel(K::on_host(arguments)?),
            Self::Device(device) => {
                let (gpu, kernels) = &**device;
                let bound = kernels.plan::<K>()?.bind(K::on_device(arguments)?)?;
                let mut encoder = gpu.device.create_command_encoder(&Default::default());
                bound.encode(&mut encoder.begin_compute_pass(&Default::default()));
                gpu.queue.submit([encoder.finish()]);
            }
        }
        Ok(())
    }
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OneCore => f.pad("one core"),
            Self::AllCores => f.pad("all cores"),
            Self::Device(device) => f.pad(&format!("{}, {}", device.0.caps.adapter, device.1.wanted_variant())),
        }
    }
}
