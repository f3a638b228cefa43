//! What do rays meet in a scene of triangles? One question, and engines that answer it alike.
//!
//! | [`RayEngine`] | who traverses | boxes of |
//! |---|---|---|
//! | [`Cpu`](RayEngine::Cpu) | the CPU's threads, [`Bvh8::trace`](crate::lbvh::Bvh8::trace) | [`Lbvh`](crate::lbvh::Lbvh), eight a node |
//! | [`Device`](RayEngine::Device) | a device, `kernels/lbvh/bvh4/trace` | [`GpuLbvh`](crate::lbvh::GpuLbvh), four a node |
//! | [`Hardware`](RayEngine::Hardware) | the device's ray query units, `kernels/lbvh/query_rays` | the driver's acceleration structure |
//!
//! **Same hits.** All engines ask triangles with one watertight test, and take the hit with the smallest t and, of equally near ones, the
//! smaller primitive: the same t, primitive, u and v. Bit for bit on the CPU and on Mesa's software device; a compiler elsewhere may fuse
//! products and sums, which moves t by a few units in the last place. [`Query::Any`](crate::lbvh::Query::Any) is the same yes or no, of
//! whichever hit an engine finds first. A ray that must keep more boxes in mind than an engine has room for says so
//! ([`Outcome::Limit`](crate::lbvh::Outcome::Limit)). On a device there is room for 48, where a terrain or a soup of a million triangles
//! needs 24.
//!
//! ```
//! use kernels::{lbvh::{Query, Ray, TraceOptions, Triangle}, scene::RayEngine};
//!
//! let triangles = [Triangle { a: [0.0, 0.0, 5.0], b: [4.0, 0.0, 5.0], c: [0.0, 4.0, 5.0] }];
//! let ray = Ray::new([1.0, 2.0, 0.0], [0.0, 0.0, 1.0]);
//! // On a device: Some((&gpu, &kernels)).
//! for engine in RayEngine::available(None) {
//!     let scene = engine.scene(None, &triangles)?;
//!     assert_eq!(scene.trace(&[ray], TraceOptions::new(Query::Closest))?[0].t, 5.0);
//! }
//! # Ok::<(), kernels::scene::SceneError>(())
//! ```
//!
//! [`Scene`] takes and gives memory of the host, and waits: for tests, tools and batches. Inside a frame, bind
//! [`DeviceScene`] or [`HardwareScene`] to rays and hits that stay on the device.
//!
//! **Where the hardware engine ran.** Mesa's lavapipe 25.0.7, whose ray queries are software, in all tests of
//! `tests/scene.rs`. No adapter with ray query units was at hand: of NVIDIA's H200 the driver offers none.

mod cpu;
mod device;
mod hardware;

pub use cpu::CpuScene;
pub use device::DeviceScene;
pub use hardware::{HardwareScene, QueryIo, QueryRays};

use crate::{
    BoundKernel, Count, GpuSlice, KernelError, Kernels,
    lbvh::{Hit, Ray, TraceOptions, Triangle},
};
use gpu::{Gpu, GpuError, transfer};
use std::{fmt, pin::Pin};

/// A way to find what rays meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RayEngine {
    /// A linear BVH on the CPU, rays in parallel.
    Cpu,
    /// A linear BVH on a device.
    Device,
    /// The ray queries of a device, see [`GpuOptions::ray_queries`](gpu::GpuOptions::ray_queries).
    Hardware,
}

/// Why a scene cannot be made or asked.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SceneError {
    /// The engine is not there.
    #[error("the engine {engine} is not there: {why}")]
    NoEngine {
        /// The engine asked for.
        engine: RayEngine,
        /// What it lacks, and what to do.
        why: &'static str,
    },
    /// A kernel was asked wrongly, or there are more items than it takes.
    #[error(transparent)]
    Kernel(#[from] KernelError),
    /// The device failed.
    #[error(transparent)]
    Gpu(#[from] GpuError),
}

/// Hits that a device is asked for.
pub type FutureHits<'a> = Pin<Box<dyn Future<Output = Result<Vec<Hit>, SceneError>> + Send + 'a>>;

/// Triangles that rays can be traced through, by one engine.
pub trait Scene: fmt::Debug + Send + Sync {
    /// Who answers.
    fn engine(&self) -> RayEngine;

    /// Number of triangles.
    fn triangles(&self) -> usize;

    /// The hit of each ray, with the meanings of [`lbvh::trace`](crate::lbvh::trace()). [`TraceOptions::max_steps`] limits
    /// nodes, or boxes that the hardware offers.
    fn trace(&self, rays: &[Ray], options: TraceOptions) -> Result<Vec<Hit>, SceneError>;

    /// As [`trace`](Self::trace), without blocking: ready when the device has been polled, see [`gpu::transfer`]. The CPU answers at once.
    fn trace_async<'a>(&'a self, rays: &'a [Ray], options: TraceOptions) -> FutureHits<'a>;

    /// Moves the same triangles, as many as before; trees keep their shape where they are refitted.
    ///
    /// Fails with [`KernelError::TooShort`] where there are fewer.
    fn refit(&mut self, triangles: &[Triangle]) -> Result<(), SceneError>;
}

impl RayEngine {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Cpu, Self::Device, Self::Hardware];

    /// The engines that are there, with a device or without. A device that is software is none of its own: it is the CPU, by a
    /// detour that takes hundreds of times as long. [`scene`](Self::scene) takes it all the same, for tests.
    pub fn available(device: Option<(&Gpu, &Kernels)>) -> Vec<Self> {
        let gpu = device.map(|(gpu, _)| gpu).filter(|gpu| !gpu.caps.is_software());
        Self::ALL.into_iter().filter(|engine| engine.check(gpu).is_ok()).collect()
    }

    /// The one of them to take here: ray query units before a device without, and that before the CPU.
    ///
    /// ```
    /// use kernels::scene::RayEngine;
    /// assert_eq!(RayEngine::best(None), RayEngine::Cpu); // without a device
    /// ```
    pub fn best(device: Option<(&Gpu, &Kernels)>) -> Self {
        Self::available(device).into_iter().max().unwrap_or(Self::Cpu)
    }

    /// A scene of `triangles`. The CPU needs no device.
    ///
    /// Fails with [`SceneError::NoEngine`] where the engine is not there, and with [`KernelError::TooManyItems`].
    pub fn scene(self, device: Option<(&Gpu, &Kernels)>, triangles: &[Triangle]) -> Result<Box<dyn Scene>, SceneError> {
        self.check(device.map(|(gpu, _)| gpu))?;
        Ok(match (self, device) {
            (Self::Device, Some((gpu, kernels))) => Box::new(DeviceScene::new(gpu, kernels, triangles)?),
            (Self::Hardware, Some((gpu, kernels))) => Box::new(HardwareScene::new(gpu, kernels, triangles)?),
            _ => Box::new(CpuScene::new(triangles)?),
        })
    }

    fn check(self, gpu: Option<&Gpu>) -> Result<(), SceneError> {
        let needs = |why| Err(SceneError::NoEngine { engine: self, why });
        match (self, gpu) {
            (Self::Device | Self::Hardware, None) => needs("give it a device"),
            (Self::Hardware, Some(gpu)) if !hardware::offered(&gpu.adapter) => {
                needs("this adapter has no ray queries: take the engine device")
            }
            (Self::Hardware, Some(gpu)) if !hardware::enabled(&gpu.device) => {
                needs("the device was made without GpuOptions::ray_queries")
            }
            _ => Ok(()),
        }
    }
}

impl fmt::Display for RayEngine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Cpu => "cpu",
            Self::Device => "device",
            Self::Hardware => "hardware",
        })
    }
}

fn count_of(triangles: &[Triangle]) -> Result<u32, KernelError> {
    let limit = u32::MAX.into();
    u32::try_from(triangles.len()).map_err(|_| KernelError::TooManyItems {
        what: "a scene",
        asked: triangles.len() as u64,
        limit,
    })
}

/// The first `wanted` triangles, which there must be.
fn as_many(triangles: &[Triangle], wanted: usize) -> Result<&[Triangle], KernelError> {
    let len = triangles.len() as u32;
    triangles.get(..wanted).ok_or(KernelError::TooShort { slice: "triangles", len, wanted: wanted as u32 })
}

fn submit(gpu: &Gpu, bound: &BoundKernel) {
    let mut encoder = gpu.device.create_command_encoder(&Default::default());
    bound.encode(&mut encoder.begin_compute_pass(&Default::default()));
    gpu.queue.submit([encoder.finish()]);
}

/// Rays to the device, hits back.
async fn trace_on(
    gpu: &Gpu,
    rays: &[Ray],
    bind: impl Fn(GpuSlice<'_, Ray>, GpuSlice<'_, Hit>, Count<'_>) -> Result<BoundKernel, KernelError>,
) -> Result<Vec<Hit>, SceneError> {
    let count = u32::try_from(rays.len()).unwrap_or(u32::MAX);
    let given = transfer::upload(&gpu.device, "scene rays", rays);
    let hits = transfer::storage::<Hit>(&gpu.device, "scene hits", count);
    submit(gpu, &bind(GpuSlice::whole(&given), GpuSlice::whole(&hits), Count::Fixed(count))?);
    let mut found = transfer::download_async(gpu, &hits).await?;
    found.truncate(rays.len());
    Ok(found)
}
