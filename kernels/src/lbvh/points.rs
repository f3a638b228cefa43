//! What lies nearest to each point of a batch, on the device?

use super::{GpuLbvh, Hit, LbvhNode, Point, Triangle, rays::checked_batch};
use crate::{
    Bound, Count, GpuSlice, KernelError, Kernels,
    bound::{BoundCount, Params, check_arguments, step},
    context::check_stride,
    pipeline::ComputeKernel,
    slice::BoundSlice,
};
use shaders::Composer;

/// Nearest triangles of batches of points.
#[derive(Clone, Debug)]
pub struct NearPoints {
    kernels: Kernels,
    near: ComputeKernel,
}

/// Arguments of a query for the nearest.
#[derive(Clone, Copy, Debug)]
pub struct NearIo<'a> {
    /// The tree, over the [`bounds`](Triangle::bounds) of the triangles.
    pub tree: &'a GpuLbvh,
    /// The triangles, as many as the tree has capacity.
    pub triangles: GpuSlice<'a, Triangle>,
    /// Points.
    pub points: GpuSlice<'a, Point>,
    /// The nearest to each, as [`nearest`](super::nearest()) says it.
    pub hits: GpuSlice<'a, Hit>,
}

impl Kernels {
    /// Queries for the nearest triangle.
    pub fn near_points(&self) -> Result<NearPoints, KernelError> {
        let mut composer = Composer::new();
        composer.bind_module("kernels/lbvh/tree", "kernels/lbvh/tree_bound");
        composer.bind_module("kernels/lbvh/nearby", "kernels/lbvh/nearby_triangles");
        let near = self.kernel(&composer, "kernels/lbvh/near_points", "lbvh_near_points")?;
        check_stride::<LbvhNode>(&near, "nodes")?;
        check_stride::<Triangle>(&near, "triangles")?;
        check_stride::<Point>(&near, "points")?;
        check_stride::<Hit>(&near, "hits")?;
        Ok(NearPoints { kernels: self.clone(), near })
    }
}

impl NearPoints {
    /// Binds: the first `count` hits become those of the points. `max_steps` is limited as
    /// [`TraceOptions::max_steps`](super::TraceOptions::max_steps) is.
    pub fn bind(&self, io: NearIo<'_>, max_steps: u32, count: Count<'_>) -> Result<Bound, KernelError> {
        let (device, caps) = (self.kernels.device(), self.kernels.caps());
        let capacity = count.capacity();
        checked_batch(capacity, max_steps, caps)?;
        let nodes = BoundSlice::of("lbvh nodes", GpuSlice::<LbvhNode>::whole(io.tree.nodes()), false, caps)?;
        let primitives = BoundSlice::of("lbvh primitives", GpuSlice::<u32>::whole(io.tree.primitives()), false, caps)?;
        let triangles = BoundSlice::checked("triangles", io.triangles, io.tree.capacity(), false, caps)?;
        let points = BoundSlice::checked("points", io.points, capacity, false, caps)?;
        let hits = BoundSlice::checked("hits", io.hits, capacity, true, caps)?;
        let count = BoundCount::of(count, caps)?;
        check_arguments(&[&nodes, &primitives, &triangles, &points, &hits], &count, None)?;
        let workgroups = capacity.div_ceil(256).max(1);
        let params = Params {
            capacity,
            chunks: workgroups,
            input_first: points.first,
            output_first: hits.first,
            aux_first: triangles.first,
            extra: max_steps,
            ..Default::default()
        };
        let resources = [
            ("nodes", nodes.resource()),
            ("primitives", primitives.resource()),
            ("triangles", triangles.resource()),
            ("points", points.resource()),
            ("hits", hits.resource()),
        ];
        Ok(Bound { steps: vec![step(device, "near points", &self.near, params, &count, workgroups, &resources)?] })
    }
}
