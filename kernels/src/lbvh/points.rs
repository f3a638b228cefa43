//! What lies nearest to each point of a batch, on the device?

use super::{GpuLbvh, Hit, Point, Triangle, batch::Batch};
use crate::{
    BoundKernel, Count, GpuSlice, KernelError, Kernels, arguments::Params, context::check_stride, slice::BoundSlice,
};

/// Nearest triangles of batches of points.
#[derive(Clone, Debug)]
pub struct NearPoints {
    batch: Batch,
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
        let entry = ("kernels/lbvh/near_points", "lbvh_near_points");
        let nearby = ("kernels/lbvh/nearby", "kernels/lbvh/nearby_triangles");
        let batch = Batch::new(self, "near points", entry, &[nearby])?;
        check_stride::<Triangle>(batch.kernel(), "triangles")?;
        check_stride::<Point>(batch.kernel(), "points")?;
        check_stride::<Hit>(batch.kernel(), "hits")?;
        Ok(NearPoints { batch })
    }
}

impl NearPoints {
    /// Binds: the first `count` hits become those of the points. `max_steps` is limited as
    /// [`TraceOptions::max_steps`](super::TraceOptions::max_steps) is.
    pub fn bind(&self, io: NearIo<'_>, max_steps: u32, count: Count<'_>) -> Result<BoundKernel, KernelError> {
        let (capacity, caps) = (count.capacity(), self.batch.caps());
        self.batch.check(capacity, max_steps)?;
        let triangles = BoundSlice::checked("triangles", io.triangles, io.tree.capacity(), false, caps)?;
        let points = BoundSlice::checked("points", io.points, capacity, false, caps)?;
        let hits = BoundSlice::checked("hits", io.hits, capacity, true, caps)?;
        let params = Params {
            input_first: points.first,
            output_first: hits.first,
            aux_first: triangles.first,
            extra: max_steps,
            ..Default::default()
        };
        self.batch.bind(io.tree, &[triangles, points, hits], params, count)
    }
}
