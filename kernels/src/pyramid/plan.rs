//! Which dispatches make a pyramid?

use crate::{
    BoundKernel, Count, GpuSlice, KernelError, Kernels, Operator, Plain, PyramidShape, Source,
    arguments::Params,
    bound::{BoundCount, Dispatch, check_arguments, dispatch},
    context::check_source,
    slice::{BoundSlice, check_len},
    wgsl::{self, SourceText, items_per_invocation, tile_items},
};
use gpu::pipeline::ComputeKernel;
use std::marker::PhantomData;

/// Depth limit: a heap of 2^28 items has 2^29 nodes, and indices must stay below 2^32.
const MAX_DEPTH: u32 = 28;

/// The pyramid of items of source `S` by operator `O`.
///
/// ```
/// use gpu::{Gpu, transfer};
/// use kernels::{Count, GpuSlice, Kernels, Max, Plain, PyramidShape, pyramid};
///
/// let gpu = Gpu::new(&Default::default())?;
/// let kernels = Kernels::new(&gpu.device);
/// let items = [3u32, 9, 4, 1];
/// let shape = PyramidShape { depth: 2, store_items: true };
/// let input = transfer::upload(&gpu.device, "items", &items);
/// let heap = transfer::storage::<u32>(&gpu.device, "heap", shape.nodes());
/// let plan = kernels.pyramid::<Max<u32>>()?;
/// let bound = plan.bind(GpuSlice::whole(&input), GpuSlice::whole(&heap), shape, Count::Fixed(4))?;
/// let mut encoder = gpu.device.create_command_encoder(&Default::default());
/// bound.encode(&mut encoder.begin_compute_pass(&Default::default()));
/// gpu.queue.submit([encoder.finish()]);
/// let mut expected = vec![0; shape.nodes() as usize];
/// assert_eq!(pyramid::<Max<u32>, Plain<u32>>(&items, &mut expected, shape), Some(9));
/// assert_eq!(transfer::download::<u32>(&gpu, &heap)?[1..], expected[1..]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Pyramid<O: Operator, S: Source<Item = O::Item> = Plain<<O as Operator>::Item>> {
    kernels: Kernels,
    blocks: ComputeKernel,
    dirty: ComputeKernel,
    above: ComputeKernel,
    types: PhantomData<fn() -> (O, S)>,
}

plan_traits!(Pyramid<O: Operator, S: Source<Item = O::Item>> { kernels, blocks, dirty, above, types });

impl Kernels {
    /// The pyramid by `O` of the elements of a slice.
    pub fn pyramid<O: Operator>(&self) -> Result<Pyramid<O>, KernelError> {
        self.pyramid_source()
    }

    /// The pyramid by `O` of the items that source `S` makes.
    ///
    /// ```
    /// use gpu::{Gpu, transfer};
    /// use kernels::{Count, GpuSlice, Kernels, PopCount, PyramidShape, Sum};
    ///
    /// let gpu = Gpu::new(&Default::default())?;
    /// let shape = PyramidShape { depth: 1, store_items: true };
    /// let words = transfer::upload(&gpu.device, "words", &[0b1011u32, 0b1]);
    /// let heap = transfer::storage::<u32>(&gpu.device, "heap", shape.nodes());
    /// let plan = Kernels::new(&gpu.device).pyramid_source::<Sum<u32>, PopCount>()?;
    /// let bound = plan.bind(GpuSlice::whole(&words), GpuSlice::whole(&heap), shape, Count::Fixed(2))?;
    /// # let mut encoder = gpu.device.create_command_encoder(&Default::default());
    /// # bound.encode(&mut encoder.begin_compute_pass(&Default::default()));
    /// # gpu.queue.submit([encoder.finish()]);
    /// assert_eq!(transfer::download::<u32>(&gpu, &heap)?[1..], [4, 3, 1]); // of all bits, and of those of each word
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn pyramid_source<O: Operator, S: Source<Item = O::Item>>(&self) -> Result<Pyramid<O, S>, KernelError> {
        let variant = self.variant::<O::Item>()?;
        let mut composer = wgsl::composer::<O>(self.caps(), variant, &SourceText::of::<S>())?;
        let tree = format!("kernels/pyramid/tree_{variant}");
        composer.bind_module("kernels/pyramid/tree", &tree);
        let kernel = |entry| self.kernel(&composer, "kernels/pyramid/blocks", entry);
        let (blocks, dirty, above) = (kernel("pyramid_blocks")?, kernel("pyramid_dirty")?, kernel("pyramid_above")?);
        check_source::<S>(&blocks)?;
        crate::context::check_stride::<O::Item>(&blocks, "output")?;
        Ok(Pyramid { kernels: self.clone(), blocks, dirty, above, types: PhantomData })
    }
}

impl<O: Operator, S: Source<Item = O::Item>> Pyramid<O, S> {
    /// Items of a block: what [`bind_dirty`](Self::bind_dirty) does again for each entry of its list.
    pub fn block_items() -> u32 {
        tile_items::<O::Item>()
    }

    /// Levels that a dispatch adds.
    fn levels() -> u32 {
        8 + items_per_invocation::<O::Item>().ilog2()
    }

    /// Binds: `heap` becomes the pyramid of the first `count` items of `input`.
    pub fn bind(
        &self,
        input: GpuSlice<'_, S::Stored>,
        heap: GpuSlice<'_, O::Item>,
        shape: PyramidShape,
        count: Count<'_>,
    ) -> Result<BoundKernel, KernelError> {
        let (device, caps) = (self.kernels.device(), self.kernels.caps());
        let capacity = count.capacity();
        let (input, heap) = self.slices(input, heap, shape, capacity)?;
        let count = BoundCount::of(count, caps)?;
        check_arguments(&[&input, &heap], &count, None)?;
        let chunks = self.kernels.chunks(1 << shape.depth, Self::block_items());
        let params = Self::params(&input, &heap, shape, capacity, chunks);
        let resources = [("input", input.resource()), ("output", heap.resource())];
        let mut dispatches = vec![dispatch(device, "pyramid", &self.blocks, params, &count, chunks, &resources)?];
        dispatches.extend(self.above(&heap, shape)?);
        Ok(BoundKernel { dispatches })
    }

    /// Binds the update after few items have changed: `dirty` lists numbers of blocks of
    /// [`block_items`](Self::block_items) items, `dirty_count` says how many it lists, `items` is the number of items.
    /// A block may be listed more than once. Only listed blocks, and the levels above blocks, are written.
    ///
    /// ```
    /// use gpu::{Gpu, transfer};
    /// use kernels::{Count, GpuSlice, Kernels, Max, Pyramid, PyramidShape};
    ///
    /// let gpu = Gpu::new(&Default::default())?;
    /// let shape = PyramidShape { depth: 2, store_items: true };
    /// let input = transfer::upload(&gpu.device, "items", &[3u32, 9, 4, 1]);
    /// let heap = transfer::storage::<u32>(&gpu.device, "heap", shape.nodes());
    /// let plan = Kernels::new(&gpu.device).pyramid::<Max<u32>>()?;
    /// let (items, nodes) = (GpuSlice::whole(&input), GpuSlice::whole(&heap));
    /// let bound = plan.bind(items, nodes, shape, Count::Fixed(4))?;
    /// # let mut encoder = gpu.device.create_command_encoder(&Default::default());
    /// # bound.encode(&mut encoder.begin_compute_pass(&Default::default()));
    /// # gpu.queue.submit([encoder.finish()]);
    /// // Item 1 becomes 2, and so its block is done again.
    /// gpu.queue.write_buffer(&input, 4, bytemuck::bytes_of(&2u32));
    /// let block = 1 / Pyramid::<Max<u32>>::block_items();
    /// let dirty = transfer::upload(&gpu.device, "dirty", &[block]);
    /// let bound = plan.bind_dirty(items, nodes, shape, 4, GpuSlice::whole(&dirty), Count::Fixed(1))?;
    /// # let mut encoder = gpu.device.create_command_encoder(&Default::default());
    /// # bound.encode(&mut encoder.begin_compute_pass(&Default::default()));
    /// # gpu.queue.submit([encoder.finish()]);
    /// assert_eq!(transfer::download::<u32>(&gpu, &heap)?[1..], [4, 3, 4, 3, 2, 4, 1]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn bind_dirty(
        &self,
        input: GpuSlice<'_, S::Stored>,
        heap: GpuSlice<'_, O::Item>,
        shape: PyramidShape,
        items: u32,
        dirty: GpuSlice<'_, u32>,
        dirty_count: Count<'_>,
    ) -> Result<BoundKernel, KernelError> {
        let (device, caps) = (self.kernels.device(), self.kernels.caps());
        let capacity = dirty_count.capacity();
        let (input, heap) = self.slices(input, heap, shape, items)?;
        check_len("dirty", &dirty, capacity)?;
        let dirty = BoundSlice::of("dirty", dirty.prefix(capacity), false, caps)?;
        let count = BoundCount::of(dirty_count, caps)?;
        check_arguments(&[&input, &heap, &dirty], &count, None)?;
        let chunks = self.kernels.chunks(capacity, 1);
        let params =
            Params { capacity, aux_first: dirty.first, items, ..Self::params(&input, &heap, shape, 0, chunks) };
        let resources = [("input", input.resource()), ("output", heap.resource()), ("dirty", dirty.resource())];
        let mut dispatches = vec![dispatch(device, "pyramid dirty", &self.dirty, params, &count, chunks, &resources)?];
        dispatches.extend(self.above(&heap, shape)?);
        Ok(BoundKernel { dispatches })
    }

    fn slices<'a>(
        &self,
        input: GpuSlice<'a, S::Stored>,
        heap: GpuSlice<'a, O::Item>,
        shape: PyramidShape,
        items: u32,
    ) -> Result<(BoundSlice<'a>, BoundSlice<'a>), KernelError> {
        let (what, given) = ("depth", u64::from(shape.depth));
        if shape.depth > MAX_DEPTH {
            return Err(KernelError::Argument { what, given, low: 0, high: MAX_DEPTH.into() });
        }
        if items > 1 << shape.depth {
            let limit = 1 << shape.depth;
            return Err(KernelError::TooManyItems { what: "a pyramid of this depth", asked: items.into(), limit });
        }
        check_len("input", &input, items)?;
        check_len("heap", &heap, shape.nodes())?;
        let caps = self.kernels.caps();
        let input = BoundSlice::of("input", input.prefix(items), false, caps)?;
        let heap = BoundSlice::of("heap", heap.prefix(shape.nodes()), true, caps)?;
        Ok((input, heap))
    }

    fn params(
        input: &BoundSlice<'_>,
        heap: &BoundSlice<'_>,
        shape: PyramidShape,
        capacity: u32,
        chunks: u32,
    ) -> Params {
        Params {
            capacity,
            chunks,
            input_first: input.first,
            output_first: heap.first,
            mode: u32::from(shape.store_items),
            extra: shape.depth,
            ..Default::default()
        }
    }

    /// The dispatches above the first.
    fn above(&self, heap: &BoundSlice<'_>, shape: PyramidShape) -> Result<Vec<Dispatch>, KernelError> {
        let mut dispatches = Vec::new();
        let mut level = shape.depth;
        while level > Self::levels() {
            level -= Self::levels();
            let chunks = self.kernels.chunks(1 << level, Self::block_items());
            let params = Params { chunks, output_first: heap.first, extra: level, ..Default::default() };
            let resources = [("output", heap.resource())];
            let device = self.kernels.device();
            let unread = BoundCount::FIXED;
            dispatches.push(dispatch(device, "pyramid above", &self.above, params, &unread, chunks, &resources)?);
        }
        Ok(dispatches)
    }
}
