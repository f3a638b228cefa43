//! What does a ray meet of the mesh that is drawn? A tree over the live triangles, made and traced on the device.
//!
//! The tree is that of the bisection itself: its leaves are sorted by left-aligned heap id, root and path from the first bit
//! on. So no code has to be computed from positions, and neighbours along the curve are neighbours on the ground. Ids are
//! longer than the 32 bits of a code. Triangles are therefore first put into the order of what is beyond, which the stable
//! sort of the build keeps where codes are equal.

use gpu::{
    pipeline::{ComputeKernel, PipelineError},
    transfer,
};
use kernels::{
    BoundKernel, Count, GpuSlice, KernelError, Kernels, Order, Scratch, SortPairsIo,
    lbvh::{Aabb, Codes, GpuLbvh, Hit, Query, Ray, TraceIo, TraceOptions, Triangle},
};
use shaders::ShaderError;

use super::{GpuTerrain, drawing_composer};
use crate::pool::BLOCK;

/// Path bits of a heap id that a code has beside the root.
const CODE_DEPTH: u32 = 28;

/// Why rays cannot be traced.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MeshRaysError {
    /// Too many rays for a batch, or the device's buffers are too small for the tree of a full pool.
    #[error(transparent)]
    Kernel(#[from] KernelError),
    /// A shader does not compose.
    #[error(transparent)]
    Shader(#[from] ShaderError),
    /// The device rejects a pipeline or bind group.
    #[error(transparent)]
    Pipeline(#[from] PipelineError),
}

/// Batches of rays against the triangles of a [`GpuTerrain`]: for picking, sensors, shadows, collisions with what is seen.
///
/// Rays are in the vertices' own space, metres from the eye of the terrain's last update on ECEF axes; what they meet are the
/// drawn triangles, morphed as they are drawn, both sides, watertight. It is the mesh that answers: within its tolerated
/// error of the surface ([`crate::surface::Surface::ray`] is the surface itself). A hit is at the distance `t` along the
/// ray, to 2^-20 of it.
///
/// **What a ray costs** is first of all the tree, which is made anew wherever the mesh has changed: a pass over the pool, a sort
/// and a build over the drawn triangles, some 0.1 ms of an H200 before one ray is traced. So a pick a frame belongs to
/// [`crate::surface::Surface::ray`], which takes some 0.02 ms of one CPU core and answers in the same frame; batches belong
/// here. `cargo run --release -p orogen-terrain --example pick` measures the tree, one ray and a million by the device's
/// timestamps, and picks on the CPU.
///
/// About 230 bytes a slot of the pool. All it records goes into a pass of the caller's; nothing is submitted.
///
/// ```no_run
/// # fn demo(device: &wgpu::Device, queue: &wgpu::Queue, terrain: &terrain::GpuTerrain, encoder: &mut wgpu::CommandEncoder)
/// # -> Result<(), Box<dyn std::error::Error>> {
/// use kernels::lbvh::Ray;
/// use terrain::MeshRays;
/// let rays = MeshRays::new(device, terrain, 1)?; // once
/// assert_eq!((rays.capacity(), rays.bisectors().size()), (1, 8 * u64::from(terrain.pool().capacity()))); // two words an id
/// // After `terrain.update` has recorded into the same encoder, or an earlier one:
/// queue.write_buffer(rays.rays(), 0, bytemuck::bytes_of(&Ray::new([0.0; 3], [0.0, 0.6, 0.8])));
/// {
///     let mut pass = encoder.begin_compute_pass(&Default::default());
///     rays.encode_build(&mut pass); // where the update changed something: the report was not settled
///     rays.encode_trace(&mut pass);
/// }
/// // `rays.hits()` now has one `kernels::lbvh::Hit` a ray, to be copied and read when the device is done.
/// # Ok(())
/// # }
/// ```
pub struct MeshRays {
    keys: ComputeKernel,
    gather: ComputeKernel,
    /// Groups 0, 1 and 3 of the keys.
    keys_groups: [wgpu::BindGroup; 3],
    /// Groups 0, 1 and 2 of the gathering.
    gather_groups: [wgpu::BindGroup; 3],
    workgroups: u32,
    sort: BoundKernel,
    build: BoundKernel,
    trace: BoundKernel,
    bisectors: wgpu::Buffer,
    rays: wgpu::Buffer,
    hits: wgpu::Buffer,
    capacity: u32,
}

impl MeshRays {
    /// Room for a tree over all triangles that the terrain may have, and for `capacity` rays.
    ///
    /// # Errors
    /// [`MeshRaysError::Kernel`] for more rays than a dispatch can trace (16 776 960), and where the device binds less
    /// than the tree takes.
    pub fn new(device: &wgpu::Device, terrain: &GpuTerrain, capacity: u32) -> Result<Self, MeshRaysError> {
        let kernels = Kernels::new(device);
        let slots = terrain.pool.capacity();
        let words = |label| transfer::storage::<u32>(device, label, slots);
        let (low_keys, sorted_keys, order, codes) =
            (words("rays low keys"), words("rays sorted low keys"), words("rays order"), words("rays codes"));
        let numbers = transfer::upload(device, "rays numbers", &(0..slots).collect::<Vec<u32>>());
        let ids = transfer::storage::<u32>(device, "rays heap ids", 2 * slots);
        let bisectors = transfer::storage::<u32>(device, "rays bisectors", 2 * slots);
        let triangle_count = transfer::storage::<u32>(device, "rays triangle count", 1);
        let boxes = transfer::storage::<Aabb>(device, "rays boxes", slots);
        let triangles = transfer::storage::<Triangle>(device, "rays triangles", slots);
        let rays = transfer::storage::<Ray>(device, "rays", capacity);
        let hits = transfer::storage::<Hit>(device, "hits", capacity);

        let count = Count::Gpu { buffer: &triangle_count, index: 0, capacity: slots };
        let (sort, lbvh) = (kernels.sort_pairs::<u32, u32>(Order::Ascending)?, kernels.lbvh()?);
        let scratch = Scratch::new(device, sort.scratch(slots).max(lbvh.scratch(slots)));
        let tree = GpuLbvh::new(device, slots)?;
        let io = SortPairsIo {
            keys_in: GpuSlice::whole(&low_keys),
            values_in: GpuSlice::whole(&numbers),
            keys_out: GpuSlice::whole(&sorted_keys),
            values_out: GpuSlice::whole(&order),
        };
        let key_bits = terrain.options.max_depth.saturating_sub(CODE_DEPTH).max(1);
        let sort = sort.bind(io, count, key_bits, &scratch)?;
        let by_codes = Codes::User(GpuSlice::whole(&codes));
        let build = lbvh.bind(GpuSlice::whole(&boxes), by_codes, &tree, count, &scratch)?;
        let io = TraceIo {
            tree: &tree,
            triangles: GpuSlice::whole(&triangles),
            rays: GpuSlice::whole(&rays),
            hits: GpuSlice::whole(&hits),
        };
        let trace = kernels.trace_rays()?.bind(io, TraceOptions::new(Query::Closest), Count::Fixed(capacity))?;

        let composer = drawing_composer(terrain.relief.ellipsoid());
        let kernel = |module: &str, entry: &str| -> Result<ComputeKernel, MeshRaysError> {
            Ok(ComputeKernel::new(device, &composer.compose(module)?, entry, &Default::default())?)
        };
        let (keys, gather) = (kernel("terrain/rays/keys", "keys")?, kernel("terrain/rays/gather", "gather")?);
        let pool = terrain.pool.buffers();
        let [ids, triangle_count] = [("ids", &ids), ("triangle_count", &triangle_count)]
            .map(|(name, buffer)| (name, buffer.as_entire_binding()));
        let keys_groups = [
            keys.bind_group(
                device,
                0,
                &[("control", pool.control.as_entire_binding()), ("heap", pool.heap.as_entire_binding())],
            )?,
            keys.bind_group(
                device,
                1,
                &[ids.clone(), ("low_keys", low_keys.as_entire_binding()), triangle_count.clone()],
            )?,
            keys.bind_group(device, 3, &pool.tree.bindings())?,
        ];
        let gather_groups = [
            gather.bind_group(
                device,
                0,
                &[("order", order.as_entire_binding()), ("vertices", terrain.buffers.vertices.as_entire_binding())],
            )?,
            gather.bind_group(device, 1, &[ids, triangle_count])?,
            gather.bind_group(
                device,
                2,
                &[
                    ("boxes", boxes.as_entire_binding()),
                    ("triangles", triangles.as_entire_binding()),
                    ("codes", codes.as_entire_binding()),
                    ("bisector_ids", bisectors.as_entire_binding()),
                ],
            )?,
        ];
        let workgroups = slots.div_ceil(BLOCK as u32);
        Ok(Self {
            keys,
            gather,
            keys_groups,
            gather_groups,
            workgroups,
            sort,
            build,
            trace,
            bisectors,
            rays,
            hits,
            capacity,
        })
    }

    /// Records the making of the tree over what the terrain draws, after its update. A tree stays right until the terrain's next
    /// update that changes something.
    pub fn encode_build(&self, pass: &mut wgpu::ComputePass<'_>) {
        pass.set_pipeline(self.keys.pipeline());
        for (group, bound) in [0, 1, 3].into_iter().zip(&self.keys_groups) {
            pass.set_bind_group(group, bound, &[]);
        }
        pass.dispatch_workgroups(self.workgroups, 1, 1);
        self.sort.encode(pass);
        pass.set_pipeline(self.gather.pipeline());
        for (group, bound) in [0, 1, 2].into_iter().zip(&self.gather_groups) {
            pass.set_bind_group(group, bound, &[]);
        }
        pass.dispatch_workgroups(self.workgroups, 1, 1);
        self.build.encode(pass);
    }

    /// Records the trace of all rays through the tree that was made last.
    pub fn encode_trace(&self, pass: &mut wgpu::ComputePass<'_>) {
        self.trace.encode(pass);
    }

    /// The rays to be traced, [`kernels::lbvh::Ray`]; those that are not written are not valid and meet nothing. Usages
    /// `STORAGE` and copies.
    pub fn rays(&self) -> &wgpu::Buffer {
        &self.rays
    }

    /// What they meet, [`kernels::lbvh::Hit`] in the same order. Usages `STORAGE` and copies.
    pub fn hits(&self) -> &wgpu::Buffer {
        &self.hits
    }

    /// Heap ids of the bisectors by the `primitive` of a hit: low word, high word ([`crate::bisection::HeapId`]).
    pub fn bisectors(&self) -> &wgpu::Buffer {
        &self.bisectors
    }

    /// Number of rays in a batch.
    pub fn capacity(&self) -> u32 {
        self.capacity
    }
}
