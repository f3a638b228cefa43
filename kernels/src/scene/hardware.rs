//! The engine of an adapter's ray queries: the driver's own tree over boxes of triangles.
//!
//! Boxes, not triangles, are what the driver is given: an adapter's test of triangles need not agree with ours, and along an
//! edge need not find either neighbour. Its test of boxes may round as well, so a box is widened by 2^-20 of the largest
//! coordinate of the scene on each side. Rounding of a box test is a few 2^-24 of the distance from the ray's origin to the
//! box. So hits are those of the other engines for rays that begin within four times the scene's largest coordinate. A ray
//! from farther away may miss a triangle that it only grazes.

use super::{FutureHits, RayEngine, Scene, SceneError, cpu::bounds};
use crate::{
    BoundKernel, Count, GpuSlice, KernelError, Kernels,
    arguments::Params,
    lbvh::{Aabb, Batch, Hit, Ray, TraceOptions, Triangle, ray_arguments, ray_batch},
    slice::BoundSlice,
};
use gpu::{Gpu, transfer};
use wgpu::{AccelerationStructureFlags, AccelerationStructureGeometryFlags, AccelerationStructureUpdateMode};

/// 2^-20
const WIDER: f32 = f32::from_bits((127 - 20) << 23);

/// Whether an adapter has ray queries.
pub(super) fn offered(adapter: &wgpu::Adapter) -> bool {
    adapter.features().contains(wgpu::Features::EXPERIMENTAL_RAY_QUERY)
}

/// Whether a device was made with them.
pub(super) fn enabled(device: &wgpu::Device) -> bool {
    device.features().contains(wgpu::Features::EXPERIMENTAL_RAY_QUERY)
}

/// Ray queries for batches of rays.
#[derive(Clone, Debug)]
pub struct QueryRays {
    batch: Batch,
}

/// Arguments of a batch of ray queries.
#[derive(Clone, Copy, Debug)]
pub struct QueryIo<'a> {
    /// One instance of a structure over one geometry of boxes, of which box k holds triangle k.
    pub structure: &'a wgpu::Tlas,
    /// The triangles.
    pub triangles: GpuSlice<'a, Triangle>,
    /// Rays.
    pub rays: GpuSlice<'a, Ray>,
    /// The hit of each ray.
    pub hits: GpuSlice<'a, Hit>,
}

impl Kernels {
    /// Ray queries through acceleration structures over boxes of triangles.
    ///
    /// Fails with [`PipelineError::MissingExtension`](gpu::pipeline::PipelineError::MissingExtension) on a device without.
    ///
    /// ```
    /// use gpu::{Gpu, pipeline::PipelineError};
    /// use kernels::{KernelError, Kernels};
    /// let gpu = Gpu::new(&Default::default())?; // without `GpuOptions::ray_queries`
    /// let missing = Kernels::new(&gpu.device).query_rays();
    /// assert!(matches!(missing, Err(KernelError::Pipeline(PipelineError::MissingExtension { extension: "ray_query", .. }))));
    /// # Ok::<(), gpu::GpuError>(())
    /// ```
    pub fn query_rays(&self) -> Result<QueryRays, KernelError> {
        let entry = ("kernels/lbvh/query_rays", "lbvh_query_rays");
        Ok(QueryRays { batch: ray_batch(self, "query rays", entry)? })
    }
}

impl QueryRays {
    /// Binds: the first `count` hits become those of the rays.
    pub fn bind(&self, io: QueryIo<'_>, options: TraceOptions, count: Count<'_>) -> Result<BoundKernel, KernelError> {
        let caps = self.batch.caps();
        self.batch.check(count.capacity(), options.max_steps)?;
        let triangles = BoundSlice::of("triangles", io.triangles, false, caps)?;
        let ([rays, hits], params) = ray_arguments(io.rays, io.hits, options, &count, caps)?;
        let params = Params { aux_first: triangles.first, ..params };
        let scene = ("scene", io.structure.as_binding());
        self.batch.bind_all(&[triangles, rays, hits], &[scene], params, count)
    }
}

/// Triangles with the driver's tree over their boxes.
///
/// ```no_run
/// use gpu::{Gpu, GpuOptions};
/// use kernels::{Kernels, lbvh::{Query, Ray, TraceOptions, Triangle}, scene::{HardwareScene, Scene}};
///
/// let gpu = Gpu::new(&GpuOptions::default().with_ray_queries(true))?;
/// let triangles = [Triangle { a: [0.0, 0.0, 5.0], b: [4.0, 0.0, 5.0], c: [0.0, 4.0, 5.0] }];
/// let scene = HardwareScene::new(&gpu, &Kernels::new(&gpu.device), &triangles)?;
/// let hits = scene.trace(&[Ray::new([1.0, 2.0, 0.0], [0.0, 0.0, 1.0])], TraceOptions::new(Query::Closest))?;
/// assert_eq!(hits[0].t, 5.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct HardwareScene {
    gpu: Gpu,
    query: QueryRays,
    count: u32,
    triangles: wgpu::Buffer,
    boxes: wgpu::Buffer,
    size: wgpu::BlasAABBGeometrySizeDescriptor,
    bottom: wgpu::Blas,
    top: wgpu::Tlas,
}

impl HardwareScene {
    /// Of `triangles`; fails with [`SceneError::NoEngine`] on a device without ray queries, and with
    /// [`KernelError::TooManyItems`] above what the adapter takes in one structure.
    pub fn new(gpu: &Gpu, kernels: &Kernels, triangles: &[Triangle]) -> Result<Self, SceneError> {
        RayEngine::Hardware.check(Some(gpu))?;
        let (device, count) = (&gpu.device, super::count_of(triangles)?);
        let limit = device.limits().max_blas_primitive_count;
        if count > limit {
            let (asked, limit) = (count.into(), limit.into());
            return Err(KernelError::TooManyItems { what: "an acceleration structure", asked, limit }.into());
        }
        // Without triangles there is a box all the same, around the zeros that `upload` puts there.
        let boxes = widened(triangles);
        let size = wgpu::BlasAABBGeometrySizeDescriptor {
            primitive_count: boxes.len() as u32,
            flags: AccelerationStructureGeometryFlags::NO_DUPLICATE_ANY_HIT_INVOCATION,
        };
        let (flags, update_mode) =
            (AccelerationStructureFlags::PREFER_FAST_TRACE, AccelerationStructureUpdateMode::Build);
        let bottom = device.create_blas(
            &wgpu::CreateBlasDescriptor { label: Some("scene"), flags, update_mode },
            wgpu::BlasGeometrySizeDescriptors::AABBs { descriptors: vec![size.clone()] },
        );
        let mut top = device.create_tlas(&wgpu::CreateTlasDescriptor {
            label: Some("scene"),
            max_instances: 1,
            flags,
            update_mode,
        });
        let identity = [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0];
        top[0] = Some(wgpu::TlasInstance::new(&bottom, identity, 0, 0xff));
        let scene = Self {
            gpu: gpu.clone(),
            query: kernels.query_rays()?,
            count,
            triangles: transfer::upload(device, "scene triangles", triangles),
            boxes: device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("scene boxes"),
                size: size_of_val(&*boxes) as u64,
                usage: wgpu::BufferUsages::BLAS_INPUT | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            }),
            size,
            bottom,
            top,
        };
        scene.build(&boxes);
        Ok(scene)
    }

    fn build(&self, boxes: &[Aabb]) {
        self.gpu.queue.write_buffer(&self.boxes, 0, bytemuck::cast_slice(boxes));
        let geometry = wgpu::BlasAabbGeometry {
            size: &self.size,
            stride: size_of::<Aabb>() as u64,
            aabb_buffer: &self.boxes,
            primitive_offset: 0,
        };
        let entry =
            wgpu::BlasBuildEntry { blas: &self.bottom, geometry: wgpu::BlasGeometries::AabbGeometries(vec![geometry]) };
        let mut encoder = self.gpu.device.create_command_encoder(&Default::default());
        encoder.build_acceleration_structures([&entry], [&self.top]);
        self.gpu.queue.submit([encoder.finish()]);
    }

    /// Binds: the first `count` hits become those of the rays.
    pub fn bind(
        &self,
        rays: GpuSlice<'_, Ray>,
        hits: GpuSlice<'_, Hit>,
        options: TraceOptions,
        count: Count<'_>,
    ) -> Result<BoundKernel, KernelError> {
        let io = QueryIo { structure: &self.top, triangles: GpuSlice::whole(&self.triangles), rays, hits };
        self.query.bind(io, options, count)
    }
}

impl Scene for HardwareScene {
    fn engine(&self) -> RayEngine {
        RayEngine::Hardware
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
        self.gpu.queue.write_buffer(&self.triangles, 0, bytemuck::cast_slice(triangles));
        self.build(&widened(triangles));
        Ok(())
    }
}

/// The boxes of triangles, at least one, widened; a wrong one is a point, where its triangle is not met.
fn widened(triangles: &[Triangle]) -> Vec<Aabb> {
    let usable: Vec<Aabb> = bounds(triangles).into_iter().map(Aabb::usable).collect();
    let reach = |bounds: &Aabb| bounds.low.into_iter().chain(bounds.high).fold(0.0f32, |most, x| most.max(x.abs()));
    let largest = usable.iter().filter(|bounds| !bounds.is_empty()).map(reach).fold(0.0, f32::max);
    let more = (largest * WIDER).max(f32::MIN_POSITIVE);
    let widen = |bounds: &Aabb| {
        if bounds.is_empty() {
            return Aabb { low: [0.0; 3], high: [0.0; 3] };
        }
        Aabb { low: bounds.low.map(|x| x - more), high: bounds.high.map(|x| x + more) }
    };
    let mut boxes: Vec<Aabb> = usable.iter().map(widen).collect();
    boxes.resize(boxes.len().max(1), Aabb { low: [0.0; 3], high: [0.0; 3] });
    boxes
}
