//! What does each ray of a batch meet, on the device?

use super::{GpuLbvh, Hit, LbvhNode, Query, Ray, TraceOptions, Triangle};
use crate::{
    Bound, Count, GpuSlice, KernelError, Kernels,
    bound::{BoundCount, Params, check_arguments, step},
    context::check_stride,
    gpu::Caps,
    pipeline::ComputeKernel,
    slice::BoundSlice,
};
use shaders::Composer;

/// Queries of a dispatch at most, one for each invocation.
const MAX_QUERIES: u32 = 65_535 * 256;
/// Steps that a device may be asked for where it is no software device.
const MAX_STEPS: u32 = 1 << 20;

/// The trace of batches of rays through trees of triangles.
#[derive(Clone, Debug)]
pub struct TraceRays {
    kernels: Kernels,
    trace: ComputeKernel,
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
        let mut composer = Composer::new();
        composer.bind_module("kernels/lbvh/tree", "kernels/lbvh/tree_bound");
        composer.bind_module("kernels/lbvh/primitive", "kernels/lbvh/triangles_bound");
        let trace = self.kernel(&composer, "kernels/lbvh/trace_rays", "lbvh_trace_rays")?;
        check_stride::<LbvhNode>(&trace, "nodes")?;
        check_stride::<Triangle>(&trace, "triangles")?;
        check_stride::<Ray>(&trace, "rays")?;
        check_stride::<Hit>(&trace, "hits")?;
        Ok(TraceRays { kernels: self.clone(), trace })
    }
}

/// Whether a batch of `capacity` queries and its limit of steps are within what a dispatch can do.
pub(super) fn checked_batch(capacity: u32, max_steps: u32, caps: &Caps) -> Result<(), KernelError> {
    if capacity > MAX_QUERIES {
        let (asked, limit) = (capacity.into(), MAX_QUERIES.into());
        return Err(KernelError::TooManyItems { what: "a batch of queries", asked, limit });
    }
    let high = if caps.is_software() { TraceOptions::SAFE_STEPS } else { MAX_STEPS };
    if (1..=high).contains(&max_steps) {
        return Ok(());
    }
    let (given, high) = (max_steps.into(), high.into());
    Err(KernelError::Argument { what: "max_steps", given, low: 1, high })
}

impl TraceRays {
    /// Binds: the first `count` hits become those of the rays.
    pub fn bind(&self, io: TraceIo<'_>, options: TraceOptions, count: Count<'_>) -> Result<Bound, KernelError> {
        let (device, caps) = (self.kernels.device(), self.kernels.caps());
        let capacity = count.capacity();
        checked_batch(capacity, options.max_steps, caps)?;
        let nodes = BoundSlice::of("lbvh nodes", GpuSlice::<LbvhNode>::whole(io.tree.nodes()), false, caps)?;
        let primitives = BoundSlice::of("lbvh primitives", GpuSlice::<u32>::whole(io.tree.primitives()), false, caps)?;
        let triangles = BoundSlice::checked("triangles", io.triangles, io.tree.capacity(), false, caps)?;
        let rays = BoundSlice::checked("rays", io.rays, capacity, false, caps)?;
        let hits = BoundSlice::checked("hits", io.hits, capacity, true, caps)?;
        let count = BoundCount::of(count, caps)?;
        check_arguments(&[&nodes, &primitives, &triangles, &rays, &hits], &count, None)?;
        let workgroups = capacity.div_ceil(256).max(1);
        let params = Params {
            capacity,
            chunks: workgroups,
            input_first: rays.first,
            output_first: hits.first,
            aux_first: triangles.first,
            mode: u32::from(options.query == Query::Any),
            extra: options.max_steps,
            ..Default::default()
        };
        let resources = [
            ("nodes", nodes.resource()),
            ("primitives", primitives.resource()),
            ("triangles", triangles.resource()),
            ("rays", rays.resource()),
            ("hits", hits.resource()),
        ];
        Ok(Bound { steps: vec![step(device, "trace rays", &self.trace, params, &count, workgroups, &resources)?] })
    }
}
