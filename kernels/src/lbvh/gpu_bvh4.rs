//! What do many rays meet, on the device, sooner? A tree of four children a node.
//!
//! A ray reads a node's four boxes at once and sorts them, so it waits for memory half as often as in the binary tree. Its corners lie
//! with a triangle, in the order of the tree.

use super::{
    GpuLbvh, Hit, LbvhNode, Ray, TraceOptions, Triangle,
    batch::Batch,
    build::{check_binding, workgroups},
    rays::{check_strides, ray_arguments},
    tree::MAX_PRIMITIVES,
};
use crate::{
    BoundKernel, Count, Element, GpuSlice, KernelError, Kernels,
    arguments::Params,
    bound::{BoundCount, check_arguments, dispatch},
    context::check_stride,
    slice::BoundSlice,
};
use gpu::{pipeline::ComputeKernel, transfer};

/// A node as in `shaders/kernels/lbvh/bvh4/node.wgsl`, 128 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug, bytemuck::Pod, bytemuck::Zeroable)]
struct Node {
    sides: [[f32; 4]; 6],
    children: [u32; 4],
    middle: [u32; 4],
}

impl Element for Node {
    const TYPE: &'static str = "Bvh4Node";
}

/// A triangle, likewise, 48 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug, bytemuck::Pod, bytemuck::Zeroable)]
struct Corners([[u32; 4]; 3]);

impl Element for Corners {
    const TYPE: &'static str = "Bvh4Triangle";
}

/// Parts that an invocation makes one after the other are about so many leaves.
const LEAVES_PER_INVOCATION: u32 = 32;

/// The buffers of a tree with four children a node over triangles on a device, for rays: 105 bytes for each triangle.
///
/// It is made of a [`GpuLbvh`] and holds its own copy of the triangles. A tree that was refitted is collapsed again.
#[derive(Clone, Debug)]
pub struct GpuBvh4 {
    capacity: u32,
    nodes: wgpu::Buffer,
    triangles: wgpu::Buffer,
    top_nodes: wgpu::Buffer,
}

impl GpuBvh4 {
    /// Room for a tree of at most `capacity` triangles; nothing is in it until a [`Bvh4Build`] has run.
    ///
    /// # Errors
    /// [`KernelError::TooManyItems`] above 2^29 triangles, [`KernelError::BindingTooLarge`] above what the device can bind.
    pub fn new(device: &wgpu::Device, capacity: u32) -> Result<Self, KernelError> {
        if capacity > MAX_PRIMITIVES {
            let limit = MAX_PRIMITIVES.into();
            return Err(KernelError::TooManyItems { what: "a tree", asked: capacity.into(), limit });
        }
        check_binding::<Node>(device, "bvh4 nodes", nodes_of(capacity).into())?;
        check_binding::<Corners>(device, "bvh4 triangles", capacity.into())?;
        Ok(Self {
            capacity,
            nodes: transfer::storage::<Node>(device, "bvh4 nodes", nodes_of(capacity)),
            triangles: transfer::storage::<Corners>(device, "bvh4 triangles", capacity),
            top_nodes: transfer::storage::<u32>(device, "bvh4 top nodes", 1),
        })
    }

    /// Triangles at most.
    pub fn capacity(&self) -> u32 {
        self.capacity
    }

    /// The nodes, `Bvh4Node`, the root first: for `bvh4_side` and its like of a shader that imports `kernels/lbvh/bvh4/trace`.
    pub fn nodes(&self) -> &wgpu::Buffer {
        &self.nodes
    }

    /// The triangles, `Bvh4Triangle`: for `bvh4_triangle`.
    pub fn triangles(&self) -> &wgpu::Buffer {
        &self.triangles
    }
}

/// Nodes that so many triangles may need: one with fewer than four children has leaves alone, of three triangles at least, and all
/// others have four children.
fn nodes_of(triangles: u32) -> u32 {
    let nodes = (4 * u64::from(triangles)).saturating_sub(3) / 9;
    nodes.max(1) as u32
}

/// How a [`GpuBvh4`] is made of a [`GpuLbvh`].
///
/// ```
/// use gpu::{Gpu, transfer};
/// use kernels::{Count, GpuSlice, Kernels, lbvh::{Bvh4TraceIo, GpuBvh4, GpuLbvh, Hit, Lbvh, Query, Ray, TraceOptions, Triangle}};
///
/// let gpu = Gpu::new(&Default::default())?;
/// let kernels = Kernels::new(&gpu.device);
/// let triangles = [5.0, 9.0].map(|z| Triangle { a: [0.0, 0.0, z], b: [4.0, 0.0, z], c: [0.0, 4.0, z] });
/// let binary = GpuLbvh::upload(&gpu, &Lbvh::build(&triangles.map(|triangle| triangle.bounds()))?)?;
/// let triangles = transfer::upload(&gpu.device, "triangles", &triangles);
/// let tree = GpuBvh4::new(&gpu.device, 2)?;
/// let built = kernels.bvh4()?.bind(&binary, GpuSlice::whole(&triangles), &tree, Count::Fixed(2))?;
///
/// let rays = transfer::upload(&gpu.device, "rays", &[Ray::new([1.0, 1.0, 0.0], [0.0, 0.0, 1.0])]);
/// let hits = transfer::storage::<Hit>(&gpu.device, "hits", 1);
/// let io = Bvh4TraceIo { tree: &tree, rays: GpuSlice::whole(&rays), hits: GpuSlice::whole(&hits) };
/// let traced = kernels.trace_bvh4()?.bind(io, TraceOptions::new(Query::Closest), Count::Fixed(1))?;
/// let mut encoder = gpu.device.create_command_encoder(&Default::default());
/// {
///     let mut pass = encoder.begin_compute_pass(&Default::default());
///     built.encode(&mut pass);
///     traced.encode(&mut pass);
/// }
/// gpu.queue.submit([encoder.finish()]);
/// let hit = transfer::download::<Hit>(&gpu, &hits)?[0];
/// assert_eq!((hit.t, hit.primitive), (5.0, 0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Bvh4Build {
    kernels: Kernels,
    top: ComputeKernel,
    parts: ComputeKernel,
    triangles: ComputeKernel,
}

impl Kernels {
    /// The making of trees of four children a node.
    pub fn bvh4(&self) -> Result<Bvh4Build, KernelError> {
        let composer = crate::composer();
        let kernel = |entry| self.kernel(&composer, "kernels/lbvh/bvh4/collapse", entry);
        let (top, triangles) = (kernel("bvh4_top")?, kernel("bvh4_corners")?);
        check_stride::<LbvhNode>(&top, "nodes")?;
        check_stride::<Triangle>(&triangles, "triangles")?;
        check_stride::<Node>(&top, "bvh4_nodes")?;
        check_stride::<Corners>(&triangles, "bvh4_triangles")?;
        Ok(Bvh4Build { kernels: self.clone(), top, parts: kernel("bvh4_parts")?, triangles })
    }

    /// The trace of rays through trees of four children a node.
    pub fn trace_bvh4(&self) -> Result<TraceBvh4, KernelError> {
        let entry = ("kernels/lbvh/bvh4/trace_rays", "bvh4_trace_rays");
        let bindings = [("kernels/lbvh/bvh4/tree", "kernels/lbvh/bvh4/tree_bound")];
        let batch = Batch::without_tree(self, "trace bvh4", entry, &bindings)?;
        check_strides(&batch)?;
        Ok(TraceBvh4 { batch })
    }
}

impl Bvh4Build {
    /// Binds: `tree` becomes that over the first `count` triangles, of whose [`bounds`](Triangle::bounds) `binary` was built.
    ///
    /// # Errors
    /// [`KernelError::TooShort`] where either tree or the triangles have less room, and where the device cannot bind them.
    pub fn bind(
        &self,
        binary: &GpuLbvh,
        triangles: GpuSlice<'_, Triangle>,
        tree: &GpuBvh4,
        count: Count<'_>,
    ) -> Result<BoundKernel, KernelError> {
        let (device, caps) = (self.kernels.device(), self.kernels.caps());
        let capacity = count.capacity();
        for (slice, len) in [("binary tree", binary.capacity()), ("tree", tree.capacity)] {
            if capacity > len {
                return Err(KernelError::TooShort { slice, len, wanted: capacity });
            }
        }
        let triangles = BoundSlice::checked("triangles", triangles, capacity, false, caps)?;
        BoundSlice::of("bvh4 nodes", GpuSlice::<Node>::whole(&tree.nodes), true, caps)?;
        BoundSlice::of("bvh4 triangles", GpuSlice::<Corners>::whole(&tree.triangles), true, caps)?;
        let count = BoundCount::of(count, caps)?;
        check_arguments(&[&triangles], &count, None)?;
        let nodes = ("nodes", binary.nodes().as_entire_binding());
        let primitives = ("primitives", binary.primitives().as_entire_binding());
        let made_nodes = ("bvh4_nodes", tree.nodes.as_entire_binding());
        let made_triangles = ("bvh4_triangles", tree.triangles.as_entire_binding());
        let top_nodes = ("top_nodes", tree.top_nodes.as_entire_binding());
        let bind = |label, kernel, chunks, resources: &[_]| {
            let (aux_first, extra) = (triangles.first, nodes_of(capacity));
            let params = Params { capacity, chunks, aux_first, extra, ..Default::default() };
            dispatch(device, label, kernel, params, &count, chunks, resources)
        };
        let made = [nodes, primitives, made_nodes, made_triangles.clone(), top_nodes];
        let invocations = workgroups(capacity, 64 * LEAVES_PER_INVOCATION);
        Ok(BoundKernel {
            dispatches: vec![
                bind("bvh4 top", &self.top, 1, &made)?,
                bind("bvh4 parts", &self.parts, invocations, &made)?,
                bind(
                    "bvh4 triangles",
                    &self.triangles,
                    workgroups(capacity, 256),
                    &[("triangles", triangles.resource()), made_triangles],
                )?,
            ],
        })
    }
}

/// The trace of batches of rays through trees of four children a node: the hits of [`TraceRays`](super::TraceRays).
///
/// Of [`Query::Any`](super::Query::Any) it may be another hit, and [`TraceOptions::max_steps`] counts nodes and leaves of this tree.
#[derive(Clone, Debug)]
pub struct TraceBvh4 {
    batch: Batch,
}

/// Arguments of such a trace.
#[derive(Clone, Copy, Debug)]
pub struct Bvh4TraceIo<'a> {
    /// The tree.
    pub tree: &'a GpuBvh4,
    /// Rays.
    pub rays: GpuSlice<'a, Ray>,
    /// The hit of each ray.
    pub hits: GpuSlice<'a, Hit>,
}

impl TraceBvh4 {
    /// Binds: the first `count` hits become those of the rays.
    ///
    /// # Errors
    /// [`KernelError::TooShort`] and the like where rays or hits do not fit, [`KernelError::Argument`] for steps out of range.
    pub fn bind(
        &self,
        io: Bvh4TraceIo<'_>,
        options: TraceOptions,
        count: Count<'_>,
    ) -> Result<BoundKernel, KernelError> {
        let caps = self.batch.caps();
        self.batch.check(count.capacity(), options.max_steps)?;
        let nodes = BoundSlice::of("bvh4_nodes", GpuSlice::<Node>::whole(&io.tree.nodes), false, caps)?;
        let triangles = GpuSlice::<Corners>::whole(&io.tree.triangles);
        let triangles = BoundSlice::of("bvh4_triangles", triangles, false, caps)?;
        let ([rays, hits], params) = ray_arguments(io.rays, io.hits, options, &count, caps)?;
        self.batch.bind_all(&[nodes, triangles, rays, hits], &[], params, count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Law: nodes that a tree may need are those of the worst tree, all triangles by threes in nodes of their own below nodes of four.
    #[test]
    fn there_is_room_for_the_worst_tree() {
        // Nodes of three triangles, a power of four of them.
        for level in 0..12 {
            let threes = 4u32.pow(level);
            assert_eq!(nodes_of(3 * threes), (4 * threes - 1) / 3);
        }
        assert_eq!((nodes_of(0), nodes_of(2)), (1, 1));
    }
}
