//! What lies nearest to each point of a batch, on the device?

use super::{GpuLbvh, Hit, Point, Triangle, batch::Batch};
use crate::{
    BoundKernel, Count, GpuSlice, KernelError, Kernels, arguments::Params, context::check_stride, slice::BoundSlice,
};

/// Nearest triangles of batches of points.
///
/// ```
/// use gpu::{Gpu, transfer};
/// use kernels::{Count, GpuSlice, Kernels, lbvh::{GpuLbvh, Hit, Lbvh, NearestIo, Point, Triangle}};
///
/// let gpu = Gpu::new(&Default::default())?;
/// let kernels = Kernels::new(&gpu.device);
/// let triangles = [5.0, 9.0].map(|z| Triangle { a: [0.0, 0.0, z], b: [4.0, 0.0, z], c: [0.0, 4.0, z] });
/// let tree = GpuLbvh::upload(&gpu, &Lbvh::build(&triangles.map(|triangle| triangle.bounds()))?)?;
/// let triangles = transfer::upload(&gpu.device, "triangles", &triangles);
/// let points = transfer::upload(&gpu.device, "points", &[Point { position: [1.0, 1.0, 8.0], reach: 3.0 }]);
/// let hits = transfer::storage::<Hit>(&gpu.device, "hits", 1);
/// let io = NearestIo {
///     tree: &tree,
///     triangles: GpuSlice::whole(&triangles),
///     points: GpuSlice::whole(&points),
///     hits: GpuSlice::whole(&hits),
/// };
/// let bound = kernels.nearest_points()?.bind(io, 1000, Count::Fixed(1))?;
/// let mut encoder = gpu.device.create_command_encoder(&Default::default());
/// bound.encode(&mut encoder.begin_compute_pass(&Default::default()));
/// gpu.queue.submit([encoder.finish()]);
/// let nearest = transfer::download::<Hit>(&gpu, &hits)?[0];
/// assert_eq!((nearest.t, nearest.primitive), (1.0, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct NearestPoints {
    batch: Batch,
}

/// Arguments of a query for the nearest.
#[derive(Clone, Copy, Debug)]
pub struct NearestIo<'a> {
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
    pub fn nearest_points(&self) -> Result<NearestPoints, KernelError> {
        let entry = ("kernels/lbvh/near_points", "lbvh_near_points");
        let nearby = ("kernels/lbvh/nearby", "kernels/lbvh/nearby_triangles");
        let batch = Batch::new(self, "near points", entry, &[nearby])?;
        check_stride::<Triangle>(batch.kernel(), "triangles")?;
        check_stride::<Point>(batch.kernel(), "points")?;
        check_stride::<Hit>(batch.kernel(), "hits")?;
        Ok(NearestPoints { batch })
    }
}

impl NearestPoints {
    /// Binds: the first `count` hits become those of the points. `max_steps` is limited as
    /// [`TraceOptions::max_steps`](super::TraceOptions::max_steps) is.
    pub fn bind(&self, io: NearestIo<'_>, max_steps: u32, count: Count<'_>) -> Result<BoundKernel, KernelError> {
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
