//! What does each ray of a batch meet, on the device?

use super::{GpuLbvh, Hit, Query, Ray, TraceOptions, Triangle, batch::Batch, passes::mode};
use crate::{
    BoundKernel, Count, GpuSlice, KernelError, Kernels, arguments::Params, context::check_stride, slice::BoundSlice,
};
use gpu::Caps;

/// The trace of batches of rays through trees of triangles.
#[derive(Clone, Debug)]
pub struct TraceRays {
    batch: Batch,
}

/// Arguments of a trace.
#[derive(Clone, Copy, Debug)]
pub struct TraceIo<'a> {
    /// The tree, over the [`bounds`](Triangle::bounds) of the triangles.
    pub tree: &'a GpuLbvh,
    /// The triangles, as many as the tree has capacity.
    pub triangles: GpuSlice<'a, Triangle>,
    /// Rays.
    pub rays: GpuSlice<'a, Ray>,
    /// The hit of each ray.
    pub hits: GpuSlice<'a, Hit>,
}

impl Kernels {
    /// The trace of rays through trees of triangles.
    pub fn trace_rays(&self) -> Result<TraceRays, KernelError> {
        let entry = ("kernels/lbvh/trace_rays", "lbvh_trace_rays");
        Ok(TraceRays { batch: ray_batch(self, "trace rays", entry)? })
    }
}

impl TraceRays {
    /// Binds: the first `count` hits become those of the rays.
    pub fn bind(&self, io: TraceIo<'_>, options: TraceOptions, count: Count<'_>) -> Result<BoundKernel, KernelError> {
        let caps = self.batch.caps();
        self.batch.check(count.capacity(), options.max_steps)?;
        let triangles = BoundSlice::checked("triangles", io.triangles, io.tree.capacity(), false, caps)?;
        let ([rays, hits], params) = ray_arguments(io.rays, io.hits, options, &count, caps)?;
        let params = Params { aux_first: triangles.first, ..params };
        self.batch.bind(io.tree, &[triangles, rays, hits], params, count)
    }
}

/// The kernel of a batch of rays, by whatever finds their hits among triangles.
pub(crate) fn ray_batch(kernels: &Kernels, label: &'static str, entry: (&str, &str)) -> Result<Batch, KernelError> {
    let primitive = ("kernels/lbvh/primitive", "kernels/lbvh/triangles_bound");
    let batch = Batch::new(kernels, label, entry, &[primitive])?;
    check_stride::<Triangle>(batch.kernel(), "triangles")?;
    check_strides(&batch)?;
    Ok(batch)
}

/// Whether rays and hits of a batch have the same bytes in Rust and WGSL.
pub(crate) fn check_strides(batch: &Batch) -> Result<(), KernelError> {
    check_stride::<Ray>(batch.kernel(), "rays")?;
    check_stride::<Hit>(batch.kernel(), "hits")
}

/// Rays and hits of such a batch as bound, and its parameters.
pub(crate) fn ray_arguments<'a>(
    rays: GpuSlice<'a, Ray>,
    hits: GpuSlice<'a, Hit>,
    options: TraceOptions,
    count: &Count<'_>,
    caps: &Caps,
) -> Result<([BoundSlice<'a>; 2], Params), KernelError> {
    let rays = BoundSlice::checked("rays", rays, count.capacity(), false, caps)?;
    let hits = BoundSlice::checked("hits", hits, count.capacity(), true, caps)?;
    let params = Params {
        input_first: rays.first,
        output_first: hits.first,
        mode: mode(options.query == Query::Any),
        extra: options.max_steps,
        ..Default::default()
    };
    Ok(([rays, hits], params))
}
