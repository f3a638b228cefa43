//! The tree on the device: which dispatches build it, and which move its boxes?

use super::{
    BoxUnion, Code, Lbvh, LbvhNode,
    aabb::{Aabb, Centres},
    passes::{LBVH_BLOCK, LBVH_BLOCK_LEVELS},
    tree::MAX_PRIMITIVES,
};
use crate::{
    BoundKernel, Count, GpuSlice, KernelError, Kernels, Order, Reduce, Scratch, ScratchLayout, SortPairs, SortPairsIo,
    arguments::Params,
    bound::{BoundCount, Dispatch, check_arguments, dispatch},
    context::check_stride,
    slice::{BoundSlice, check_len},
};
use gpu::{Gpu, pipeline::ComputeKernel, transfer};

/// A dispatch has at most this many workgroups; further items are walked.
const MAX_WORKGROUPS: u32 = 65_535;

/// The build and refit of trees on a device, by codes `C`.
///
/// ```
/// use gpu::{Gpu, transfer};
/// use kernels::{Count, GpuSlice, Kernels, Scratch, lbvh::{Codes, GpuLbvh, Hit, Query, Ray, TraceIo, TraceOptions, Triangle}};
///
/// let gpu = Gpu::new(&Default::default())?;
/// let kernels = Kernels::new(&gpu.device);
/// let triangles = [5.0, 9.0].map(|z| Triangle { a: [0.0, 0.0, z], b: [4.0, 0.0, z], c: [0.0, 4.0, z] });
/// let boxes = transfer::upload(&gpu.device, "boxes", &triangles.map(|triangle| triangle.bounds()));
/// let triangles = transfer::upload(&gpu.device, "triangles", &triangles);
/// let rays = transfer::upload(&gpu.device, "rays", &[Ray::new([1.0, 1.0, 0.0], [0.0, 0.0, 1.0])]);
/// let hits = transfer::storage::<Hit>(&gpu.device, "hits", 1);
/// let (build, tree) = (kernels.lbvh()?, GpuLbvh::new(&gpu.device, 2)?);
/// let scratch = Scratch::new(&gpu.device, build.scratch(2));
/// let built = build.bind(GpuSlice::whole(&boxes), Codes::Morton, &tree, Count::Fixed(2), &scratch)?;
/// let io = TraceIo {
///     tree: &tree,
///     triangles: GpuSlice::whole(&triangles),
///     rays: GpuSlice::whole(&rays),
///     hits: GpuSlice::whole(&hits),
/// };
/// let traced = kernels.trace_rays()?.bind(io, TraceOptions::new(Query::Closest), Count::Fixed(1))?;
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
pub struct LbvhBuild<C: Code = u32> {
    kernels: Kernels,
    bounds: Reduce<BoxUnion, Centres>,
    sort: SortPairs<C, u32>,
    codes: ComputeKernel,
    number: ComputeKernel,
    gather: ComputeKernel,
    above: ComputeKernel,
    topology: ComputeKernel,
    refit: ComputeKernel,
}

/// The buffers of a tree on a device, about 128 bytes for each primitive and twice its code.
#[derive(Clone, Debug)]
pub struct GpuLbvh {
    capacity: u32,
    code_bits: u32,
    nodes: wgpu::Buffer,
    primitives: wgpu::Buffer,
    levels: wgpu::Buffer,
    codes: wgpu::Buffer,
    unsorted_codes: wgpu::Buffer,
    unsorted_primitives: wgpu::Buffer,
    bounds: wgpu::Buffer,
}

/// Whether a device can bind so many elements.
pub(super) fn check_binding<T>(device: &wgpu::Device, slice: &'static str, len: u64) -> Result<(), KernelError> {
    let limits = device.limits();
    let limit = limits.max_buffer_size.min(limits.max_storage_buffer_binding_size);
    let bytes = len * size_of::<T>() as u64;
    if bytes > limit { Err(KernelError::BindingTooLarge { slice, bytes, limit }) } else { Ok(()) }
}

impl GpuLbvh {
    /// Room for a tree of at most `capacity` primitives with codes of 32 bits; nothing is in it until a build has run.
    pub fn new(device: &wgpu::Device, capacity: u32) -> Result<Self, KernelError> {
        Self::with_codes::<u32>(device, capacity)
    }

    /// The same with codes `C`.
    pub fn with_codes<C: Code>(device: &wgpu::Device, capacity: u32) -> Result<Self, KernelError> {
        if capacity > MAX_PRIMITIVES {
            let limit = MAX_PRIMITIVES.into();
            return Err(KernelError::TooManyItems { what: "a tree", asked: capacity.into(), limit });
        }
        check_binding::<Aabb>(device, "lbvh levels", 2 * u64::from(capacity))?;
        let words = |label| transfer::storage::<u32>(device, label, capacity);
        let codes = |label| transfer::storage::<C>(device, label, capacity);
        Ok(Self {
            capacity,
            code_bits: C::BITS,
            nodes: transfer::storage::<LbvhNode>(device, "lbvh nodes", capacity.saturating_sub(1)),
            primitives: words("lbvh primitives"),
            levels: transfer::storage::<Aabb>(device, "lbvh levels", 2 * capacity.max(1)),
            codes: codes("lbvh codes"),
            unsorted_codes: codes("lbvh unsorted codes"),
            unsorted_primitives: words("lbvh unsorted primitives"),
            bounds: transfer::storage::<Aabb>(device, "lbvh bounds", 1),
        })
    }

    /// A copy of a tree of the CPU, to be asked and refitted.
    pub fn upload(gpu: &Gpu, tree: &Lbvh) -> Result<Self, KernelError> {
        let copy = Self::new(&gpu.device, tree.primitives().len() as u32)?;
        gpu.queue.write_buffer(&copy.nodes, 0, bytemuck::cast_slice(tree.nodes()));
        gpu.queue.write_buffer(&copy.primitives, 0, bytemuck::cast_slice(tree.primitives()));
        Ok(copy)
    }

    /// Primitives at most.
    pub fn capacity(&self) -> u32 {
        self.capacity
    }

    /// The inner nodes, as many as primitives less one, at least one; the root first. Usages `STORAGE` and copies.
    pub fn nodes(&self) -> &wgpu::Buffer {
        &self.nodes
    }

    /// The primitive of each leaf, `u32`.
    pub fn primitives(&self) -> &wgpu::Buffer {
        &self.primitives
    }
}

/// What the leaves of a tree are sorted by.
#[derive(Clone, Copy, Debug)]
pub enum Codes<'a, C = u32> {
    /// Morton codes of the boxes' centres.
    Morton,
    /// The caller's codes, one for each box, in a buffer that is not read-only bound elsewhere in the same dispatch.
    User(GpuSlice<'a, C>),
}

impl Kernels {
    /// The build and refit of linear bounding volume hierarchies, by codes of 32 bits.
    pub fn lbvh(&self) -> Result<LbvhBuild, KernelError> {
        self.lbvh_by()
    }

    /// The same by codes of 64 bits, for a [`GpuLbvh::with_codes`]; as [`Lbvh::build_wide`], and with the caller's codes.
    ///
    /// ```
    /// use gpu::{Gpu, transfer};
    /// use kernels::{Count, GpuSlice, Kernels, Scratch, lbvh::{Aabb, Codes, GpuLbvh, Lbvh, LbvhNode}};
    ///
    /// let gpu = Gpu::new(&Default::default())?;
    /// let build = Kernels::new(&gpu.device).lbvh_wide()?;
    /// let at = |x: f32| Aabb { low: [x, 0.0, 0.0], high: [x + 1.0, 1.0, 1.0] };
    /// let boxes = [at(0.0), at(5.0), at(2.0)];
    /// let buffer = transfer::upload(&gpu.device, "boxes", &boxes);
    /// let (tree, scratch) = (GpuLbvh::with_codes::<u64>(&gpu.device, 3)?, Scratch::new(&gpu.device, build.scratch(3)));
    /// let bound = build.bind(GpuSlice::whole(&buffer), Codes::Morton, &tree, Count::Fixed(3), &scratch)?;
    /// # let mut encoder = gpu.device.create_command_encoder(&Default::default());
    /// # bound.encode(&mut encoder.begin_compute_pass(&Default::default()));
    /// # gpu.queue.submit([encoder.finish()]);
    /// let on_cpu = Lbvh::build_wide(&boxes)?;
    /// assert_eq!(transfer::download::<u32>(&gpu, tree.primitives())?, on_cpu.primitives());
    /// assert_eq!(transfer::download::<LbvhNode>(&gpu, tree.nodes())?, on_cpu.nodes());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn lbvh_wide(&self) -> Result<LbvhBuild<u64>, KernelError> {
        self.lbvh_by()
    }

    fn lbvh_by<C: Code>(&self) -> Result<LbvhBuild<C>, KernelError> {
        let mut composer = crate::composer();
        composer.bind_module("kernels/lbvh/code", C::MODULE);
        let kernel = |module, entry| self.kernel(&composer, module, entry);
        let topology = kernel("kernels/lbvh/topology", "lbvh_topology")?;
        check_stride::<LbvhNode>(&topology, "nodes")?;
        check_stride::<Aabb>(&topology, "levels")?;
        check_stride::<C>(&topology, "codes")?;
        Ok(LbvhBuild {
            kernels: self.clone(),
            bounds: self.reduce_source()?,
            sort: self.sort_pairs(Order::Ascending)?,
            codes: kernel("kernels/lbvh/codes", "lbvh_codes")?,
            number: kernel("kernels/lbvh/codes", "lbvh_number")?,
            gather: kernel("kernels/lbvh/gather", "lbvh_gather")?,
            above: kernel("kernels/lbvh/levels", "lbvh_above")?,
            topology,
            refit: kernel("kernels/lbvh/topology", "lbvh_refit")?,
        })
    }
}

/// Workgroups that give `items` their own invocation or workgroup, `each` at a time.
pub(super) fn workgroups(items: u32, each: u32) -> u32 {
    items.div_ceil(each).clamp(1, MAX_WORKGROUPS)
}

impl<C: Code> LbvhBuild<C> {
    /// Scratch for a build of at most `capacity` primitives.
    pub fn scratch(&self, capacity: u32) -> ScratchLayout {
        self.sort.scratch(capacity).max(self.bounds.scratch(capacity))
    }

    /// Binds the build: `tree` becomes the tree over the first `count` boxes.
    pub fn bind(
        &self,
        boxes: GpuSlice<'_, Aabb>,
        codes: Codes<'_, C>,
        tree: &GpuLbvh,
        count: Count<'_>,
        scratch: &Scratch,
    ) -> Result<BoundKernel, KernelError> {
        let (device, caps) = (self.kernels.device(), self.kernels.caps());
        let capacity = count.capacity();
        self.check(&boxes, tree, &count)?;
        if tree.code_bits != C::BITS {
            let (given, low) = (tree.code_bits.into(), C::BITS.into());
            return Err(KernelError::Argument { what: "bits of the tree's codes", given, low, high: low });
        }
        scratch.check(self.scratch(capacity))?;
        let bound_boxes = BoundSlice::checked("boxes", boxes, capacity, false, caps)?;
        let bound_count = BoundCount::of(count, caps)?;
        check_arguments(&[&bound_boxes], &bound_count, Some(scratch.buffer()))?;

        let each = Params { capacity, chunks: workgroups(capacity, 256), ..Default::default() };
        let numbers = ("primitives", tree.unsorted_primitives.as_entire_binding());
        let mut dispatches = Vec::new();
        let keys_in = match codes {
            Codes::Morton => {
                let bounds = GpuSlice::whole(&tree.bounds);
                dispatches.extend(self.bounds.bind(boxes.prefix(capacity), bounds, count, scratch)?.dispatches);
                let params = Params { input_first: bound_boxes.first, ..each };
                let resources = [
                    ("boxes", bound_boxes.resource()),
                    ("bounds", tree.bounds.as_entire_binding()),
                    ("codes", tree.unsorted_codes.as_entire_binding()),
                    numbers,
                ];
                dispatches.push(dispatch(
                    device,
                    "lbvh codes",
                    &self.codes,
                    params,
                    &bound_count,
                    each.chunks,
                    &resources,
                )?);
                GpuSlice::whole(&tree.unsorted_codes)
            }
            Codes::User(codes) => {
                check_len("codes", &codes, capacity)?;
                dispatches.push(dispatch(
                    device,
                    "lbvh number",
                    &self.number,
                    each,
                    &bound_count,
                    each.chunks,
                    &[numbers],
                )?);
                codes
            }
        };
        let io = SortPairsIo {
            keys_in,
            values_in: GpuSlice::whole(&tree.unsorted_primitives),
            keys_out: GpuSlice::whole(&tree.codes),
            values_out: GpuSlice::whole(&tree.primitives),
        };
        dispatches.extend(self.sort.bind(io, count, C::BITS, scratch)?.dispatches);
        dispatches.extend(self.levels(&bound_boxes, tree, capacity, &bound_count)?);
        let nodes = workgroups(capacity.saturating_sub(1), 256);
        let params = Params { chunks: nodes, ..each };
        let resources = [
            ("codes", tree.codes.as_entire_binding()),
            ("levels", tree.levels.as_entire_binding()),
            ("nodes", tree.nodes.as_entire_binding()),
        ];
        dispatches.push(dispatch(device, "lbvh topology", &self.topology, params, &bound_count, nodes, &resources)?);
        Ok(BoundKernel { dispatches })
    }

    /// Binds the refit: the boxes of the same primitives have moved, the shape of `tree` stays. `count` must be what the
    /// tree was built with.
    ///
    /// ```
    /// use gpu::{Gpu, transfer};
    /// use kernels::{Count, GpuSlice, Kernels, lbvh::{Aabb, GpuLbvh, Lbvh, LbvhNode}};
    ///
    /// let gpu = Gpu::new(&Default::default())?;
    /// let at = |x: f32| Aabb { low: [x, 0.0, 0.0], high: [x + 1.0, 1.0, 1.0] };
    /// let mut on_cpu = Lbvh::build(&[at(0.0), at(5.0), at(2.0)])?;
    /// let tree = GpuLbvh::upload(&gpu, &on_cpu)?;
    /// let moved = [at(0.0), at(9.0), at(2.0)];
    /// let boxes = transfer::upload(&gpu.device, "boxes", &moved);
    /// let bound = Kernels::new(&gpu.device).lbvh()?.bind_refit(GpuSlice::whole(&boxes), &tree, Count::Fixed(3))?;
    /// # let mut encoder = gpu.device.create_command_encoder(&Default::default());
    /// # bound.encode(&mut encoder.begin_compute_pass(&Default::default()));
    /// # gpu.queue.submit([encoder.finish()]);
    /// on_cpu.refit(&moved)?;
    /// assert_eq!(transfer::download::<LbvhNode>(&gpu, tree.nodes())?, on_cpu.nodes());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn bind_refit(
        &self,
        boxes: GpuSlice<'_, Aabb>,
        tree: &GpuLbvh,
        count: Count<'_>,
    ) -> Result<BoundKernel, KernelError> {
        let (device, caps) = (self.kernels.device(), self.kernels.caps());
        let capacity = count.capacity();
        self.check(&boxes, tree, &count)?;
        let boxes = BoundSlice::checked("boxes", boxes, capacity, false, caps)?;
        let count = BoundCount::of(count, caps)?;
        check_arguments(&[&boxes], &count, None)?;
        let mut dispatches = self.levels(&boxes, tree, capacity, &count)?;
        let nodes = workgroups(capacity.saturating_sub(1), 256);
        let params = Params { capacity, chunks: nodes, ..Default::default() };
        let resources = [("levels", tree.levels.as_entire_binding()), ("nodes", tree.nodes.as_entire_binding())];
        dispatches.push(dispatch(device, "lbvh refit", &self.refit, params, &count, nodes, &resources)?);
        Ok(BoundKernel { dispatches })
    }

    fn check(&self, boxes: &GpuSlice<'_, Aabb>, tree: &GpuLbvh, count: &Count<'_>) -> Result<(), KernelError> {
        let capacity = count.capacity();
        check_len("boxes", boxes, capacity)?;
        if capacity > tree.capacity {
            return Err(KernelError::TooShort { slice: "tree", len: tree.capacity, wanted: capacity });
        }
        let caps = self.kernels.caps();
        // The largest buffers of the tree.
        BoundSlice::of("lbvh nodes", GpuSlice::<LbvhNode>::whole(&tree.nodes), true, caps)?;
        BoundSlice::of("lbvh levels", GpuSlice::<Aabb>::whole(&tree.levels), true, caps)?;
        Ok(())
    }

    /// The boxes of leaves, and of all aligned blocks of them.
    fn levels(
        &self,
        boxes: &BoundSlice<'_>,
        tree: &GpuLbvh,
        capacity: u32,
        count: &BoundCount<'_>,
    ) -> Result<Vec<Dispatch>, KernelError> {
        let device = self.kernels.device();
        let chunks = workgroups(capacity, LBVH_BLOCK);
        let params = Params { capacity, chunks, input_first: boxes.first, ..Default::default() };
        let resources = [
            ("boxes", boxes.resource()),
            ("primitives", tree.primitives.as_entire_binding()),
            ("levels", tree.levels.as_entire_binding()),
        ];
        let mut dispatches = vec![dispatch(device, "lbvh gather", &self.gather, params, count, chunks, &resources)?];
        let mut level = LBVH_BLOCK_LEVELS;
        while capacity >> level > 1 {
            let chunks = workgroups(capacity >> level, LBVH_BLOCK);
            let params = Params { capacity, chunks, extra: level, ..Default::default() };
            let resources = [("levels", tree.levels.as_entire_binding())];
            dispatches.push(dispatch(device, "lbvh above", &self.above, params, count, chunks, &resources)?);
            level += LBVH_BLOCK_LEVELS;
        }
        Ok(dispatches)
    }
}
