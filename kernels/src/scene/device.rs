//! The engine of a device: a tree in its memory, built and traversed there.

use super::{FutureHits, RayEngine, Scene, SceneError, cpu::bounds};
use crate::{
    BoundKernel, Count, GpuSlice, KernelError, Kernels, Scratch,
    lbvh::{Bvh4Build, Bvh4TraceIo, Codes, GpuBvh4, GpuLbvh, Hit, LbvhBuild, Ray, TraceBvh4, TraceOptions, Triangle},
};
use gpu::{Gpu, transfer};

/// Triangles with their tree on a device.
///
/// ```
/// use gpu::Gpu;
/// use kernels::{Kernels, lbvh::{Query, Ray, TraceOptions, Triangle}, scene::{CpuScene, DeviceScene, Scene}};
///
/// let gpu = Gpu::new(&Default::default())?;
/// let triangles = [Triangle { a: [0.0, 0.0, 5.0], b: [4.0, 0.0, 5.0], c: [0.0, 4.0, 5.0] }];
/// let ray = [Ray::new([1.0, 2.0, 0.0], [0.0, 0.0, 1.0])];
/// let options = TraceOptions::new(Query::Closest);
/// let on_device = DeviceScene::new(&gpu, &Kernels::new(&gpu.device), &triangles)?.trace(&ray, options)?;
/// assert_eq!(on_device, CpuScene::new(&triangles)?.trace(&ray, options)?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct DeviceScene {
    gpu: Gpu,
    build: LbvhBuild,
    collapse: Bvh4Build,
    tracer: TraceBvh4,
    binary: GpuLbvh,
    tree: GpuBvh4,
    count: u32,
}

impl DeviceScene {
    /// Of `triangles`; fails with [`KernelError::TooManyItems`] above 2^29, and where the device cannot bind them.
    pub fn new(gpu: &Gpu, kernels: &Kernels, triangles: &[Triangle]) -> Result<Self, SceneError> {
        let (device, count) = (&gpu.device, super::count_of(triangles)?);
        let scene = Self {
            gpu: gpu.clone(),
            build: kernels.lbvh()?,
            collapse: kernels.bvh4()?,
            tracer: kernels.trace_bvh4()?,
            binary: GpuLbvh::new(device, count)?,
            tree: GpuBvh4::new(device, count)?,
            count,
        };
        let boxes = transfer::upload(device, "scene boxes", &bounds(triangles));
        let scratch = Scratch::new(device, scene.build.scratch(count));
        let (boxes, count) = (GpuSlice::whole(&boxes), Count::Fixed(count));
        super::submit(gpu, &scene.build.bind(boxes, Codes::Morton, &scene.binary, count, &scratch)?);
        scene.collapse(triangles)?;
        Ok(scene)
    }

    /// Makes the tree that rays see of the binary one.
    fn collapse(&self, triangles: &[Triangle]) -> Result<(), KernelError> {
        let triangles = transfer::upload(&self.gpu.device, "scene triangles", triangles);
        let (triangles, count) = (GpuSlice::whole(&triangles), Count::Fixed(self.count));
        super::submit(&self.gpu, &self.collapse.bind(&self.binary, triangles, &self.tree, count)?);
        Ok(())
    }

    /// Binds: the first `count` hits become those of the rays.
    pub fn bind(
        &self,
        rays: GpuSlice<'_, Ray>,
        hits: GpuSlice<'_, Hit>,
        options: TraceOptions,
        count: Count<'_>,
    ) -> Result<BoundKernel, KernelError> {
        self.tracer.bind(Bvh4TraceIo { tree: &self.tree, rays, hits }, options, count)
    }
}

impl Scene for DeviceScene {
    fn engine(&self) -> RayEngine {
        RayEngine::Device
    }

    fn triangles(&self) -> usize {
        self.count as usize
    }

    fn trace(&self, rays: &[Ray], options: TraceOptions) -> Result<Vec<Hit>, SceneError> {
        self.gpu.block_on(self.trace_async(rays, options))
    }

    fn trace_async<'a>(&'a self, rays: &'a [Ray], options: TraceOptions) -> FutureHits<'a> {
        Box::pin(super::trace_on(&self.gpu, rays, move |rays, hits, count| self.bind(rays, hits, options, count)))
    }

    fn refit(&mut self, triangles: &[Triangle]) -> Result<(), SceneError> {
        let triangles = super::as_many(triangles, self.count as usize)?;
        let boxes = transfer::upload(&self.gpu.device, "scene boxes", &bounds(triangles));
        let bound = self.build.bind_refit(GpuSlice::whole(&boxes), &self.binary, Count::Fixed(self.count))?;
        super::submit(&self.gpu, &bound);
        Ok(self.collapse(triangles)?)
    }
}
