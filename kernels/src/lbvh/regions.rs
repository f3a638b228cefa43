//! Which primitives' boxes touch each region of a batch, on the device?

use super::{GpuLbvh, OverlapOptions, Region, batch::Batch, passes::mode};
use crate::{
    BoundKernel, Count, GpuSlice, KernelError, Kernels, arguments::Params, context::check_stride, slice::BoundSlice,
};
use std::marker::PhantomData;

/// Overlap queries of batches of regions: of boxes, [`Aabb`](super::Aabb), or of frusta, [`Frustum`](super::Frustum).
///
/// ```
/// use gpu::{Gpu, transfer};
/// use kernels::{Count, GpuSlice, Kernels, lbvh::{Aabb, GpuLbvh, Lbvh, OverlapIo, OverlapOptions}};
///
/// let gpu = Gpu::new(&Default::default())?;
/// let kernels = Kernels::new(&gpu.device);
/// let at = |x: f32| Aabb { low: [x, 0.0, 0.0], high: [x + 1.0, 1.0, 1.0] };
/// let tree = GpuLbvh::upload(&gpu, &Lbvh::build(&[at(0.0), at(5.0), at(2.0)])?)?;
/// let queries = transfer::upload(&gpu.device, "queries", &[at(1.5)]);
/// let counts = transfer::storage::<u32>(&gpu.device, "counts", 1);
/// let found = transfer::storage::<u32>(&gpu.device, "found", 4);
/// let io = OverlapIo {
///     tree: &tree,
///     queries: GpuSlice::whole(&queries),
///     counts: GpuSlice::whole(&counts),
///     found: GpuSlice::whole(&found),
///     room: 4,
/// };
/// let bound = kernels.overlap::<Aabb>()?.bind(io, OverlapOptions::ALL, Count::Fixed(1))?;
/// let mut encoder = gpu.device.create_command_encoder(&Default::default());
/// bound.encode(&mut encoder.begin_compute_pass(&Default::default()));
/// gpu.queue.submit([encoder.finish()]);
/// assert_eq!(transfer::download::<u32>(&gpu, &counts)?, [1]);
/// assert_eq!(transfer::download::<u32>(&gpu, &found)?[0], 2); // only the box from 2 to 3 touches
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Overlap<R> {
    batch: Batch,
    region: PhantomData<R>,
}

impl<R> Clone for Overlap<R> {
    fn clone(&self) -> Self {
        Self { batch: self.batch.clone(), region: PhantomData }
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
        let entry = ("kernels/lbvh/overlap_regions", "lbvh_overlap_regions");
        let visit = ("kernels/lbvh/visit", "kernels/lbvh/visit_list");
        let batch = Batch::new(self, "overlap regions", entry, &[visit, ("kernels/lbvh/region", R::MODULE)])?;
        check_stride::<R>(batch.kernel(), "queries")?;
        Ok(Overlap { batch, region: PhantomData })
    }
}

impl<R: Region> Overlap<R> {
    /// Binds: the first `count` of `counts` and `found` become those of the queries.
    pub fn bind(
        &self,
        io: OverlapIo<'_, R>,
        options: OverlapOptions,
        count: Count<'_>,
    ) -> Result<BoundKernel, KernelError> {
        let (capacity, caps) = (count.capacity(), self.batch.caps());
        self.batch.check(capacity, options.max_steps)?;
        let listed = u64::from(capacity) * u64::from(io.room);
        let Ok(listed) = u32::try_from(listed) else {
            let limit = u32::MAX.into();
            return Err(KernelError::TooManyItems { what: "the list of an overlap query", asked: listed, limit });
        };
        let queries = BoundSlice::checked("queries", io.queries, capacity, false, caps)?;
        let counts = BoundSlice::checked("counts", io.counts, capacity, true, caps)?;
        let found = BoundSlice::checked("found", io.found, listed, true, caps)?;
        let params = Params {
            input_first: queries.first,
            output_first: counts.first,
            aux_first: found.first,
            items: io.room,
            mode: mode(options.any),
            extra: options.max_steps,
            ..Default::default()
        };
        self.batch.bind(io.tree, &[queries, counts, found], params, count)
    }
}
