//! Which primitives' boxes touch each region of a batch, on the device?

use super::{GpuLbvh, LbvhNode, OverlapOptions, Region, rays::checked_batch};
use crate::{
    Bound, Count, GpuSlice, KernelError, Kernels,
    bound::{BoundCount, Params, check_arguments, step},
    context::check_stride,
    pipeline::ComputeKernel,
    slice::BoundSlice,
};
use shaders::Composer;
use std::marker::PhantomData;

/// Overlap queries of batches of regions: of boxes, [`Aabb`](super::Aabb), or of frusta, [`Frustum`](super::Frustum).
#[derive(Debug)]
pub struct Overlap<R> {
    kernels: Kernels,
    overlap: ComputeKernel,
    region: PhantomData<R>,
}

impl<R> Clone for Overlap<R> {
    fn clone(&self) -> Self {
        Self { kernels: self.kernels.clone(), overlap: self.overlap.clone(), region: PhantomData }
    }
}

/// Arguments of overlap queries.
#[derive(Clone, Copy, Debug)]
pub struct OverlapIo<'a, R> {
    /// The tree.
    pub tree: &'a GpuLbvh,
    /// Regions that are asked about.
    pub queries: GpuSlice<'a, R>,
    /// How many primitives each touches, even where there is no room for all, or
    /// [`OVERLAP_LIMIT`](super::OVERLAP_LIMIT).
    pub counts: GpuSlice<'a, u32>,
    /// The first of them: `room` for each query, one query after the other.
    pub found: GpuSlice<'a, u32>,
    /// Primitives that are listed of each query.
    pub room: u32,
}

impl Kernels {
    /// Overlap queries of boxes or frusta.
    pub fn overlap<R: Region>(&self) -> Result<Overlap<R>, KernelError> {
        let mut composer = Composer::new();
        composer.bind_module("kernels/lbvh/tree", "kernels/lbvh/tree_bound");
        composer.bind_module("kernels/lbvh/visit", "kernels/lbvh/visit_list");
        composer.bind_module("kernels/lbvh/region", R::MODULE);
        let overlap = self.kernel(&composer, "kernels/lbvh/overlap_regions", "lbvh_overlap_regions")?;
        check_stride::<LbvhNode>(&overlap, "nodes")?;
        check_stride::<R>(&overlap, "queries")?;
        Ok(Overlap { kernels: self.clone(), overlap, region: PhantomData })
    }
}

impl<R: Region> Overlap<R> {
    /// Binds: the first `count` of `counts` and `found` become those of the queries.
    pub fn bind(&self, io: OverlapIo<'_, R>, options: OverlapOptions, count: Count<'_>) -> Result<Bound, KernelError> {
        let (device, caps) = (self.kernels.device(), self.kernels.caps());
        let capacity = count.capacity();
        checked_batch(capacity, options.max_steps, caps)?;
        let listed = u64::from(capacity) * u64::from(io.room);
        let Ok(listed) = u32::try_from(listed) else {
            let limit = u32::MAX.into();
            return Err(KernelError::TooManyItems { what: "the list of an overlap query", asked: listed, limit });
        };
        let nodes = BoundSlice::of("lbvh nodes", GpuSlice::<LbvhNode>::whole(io.tree.nodes()), false, caps)?;
        let primitives = BoundSlice::of("lbvh primitives", GpuSlice::<u32>::whole(io.tree.primitives()), false, caps)?;
        let queries = BoundSlice::checked("queries", io.queries, capacity, false, caps)?;
        let counts = BoundSlice::checked("counts", io.counts, capacity, true, caps)?;
        let found = BoundSlice::checked("found", io.found, listed, true, caps)?;
        let count = BoundCount::of(count, caps)?;
        check_arguments(&[&nodes, &primitives, &queries, &counts, &found], &count, None)?;
        let workgroups = capacity.div_ceil(256).max(1);
        let params = Params {
            capacity,
            chunks: workgroups,
            input_first: queries.first,
            output_first: counts.first,
            aux_first: found.first,
            items: io.room,
            mode: u32::from(options.any),
            extra: options.max_steps,
            ..Default::default()
        };
        let resources = [
            ("nodes", nodes.resource()),
            ("primitives", primitives.resource()),
            ("queries", queries.resource()),
            ("counts", counts.resource()),
            ("found", found.resource()),
        ];
        Ok(Bound {
            steps: vec![step(device, "overlap regions", &self.overlap, params, &count, workgroups, &resources)?],
        })
    }
}
