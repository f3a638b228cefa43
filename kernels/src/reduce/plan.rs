//! Which dispatches reduce?

use crate::{
    BoundKernel, Count, GpuSlice, KernelError, Kernels, Operator, Plain, Scratch, ScratchLayout, Source,
    arguments::Params,
    bound::{BoundCount, check_arguments, dispatch},
    context::check_source,
    scratch::Parts,
    slice::{BoundSlice, check_len},
    wgsl::{SourceText, tile_items},
};
use gpu::pipeline::ComputeKernel;
use std::marker::PhantomData;

/// The reduction of items of source `S` by operator `O`.
///
/// ```
/// use gpu::{Gpu, transfer};
/// use kernels::{Count, GpuSlice, Kernels, PopCount, Scratch, Sum};
///
/// let gpu = Gpu::new(&Default::default())?;
/// let kernels = Kernels::new(&gpu.device);
/// let input = transfer::upload(&gpu.device, "input", &[0b1011u32, 0b1, 0]);
/// let output = transfer::storage::<u32>(&gpu.device, "output", 1);
/// let reduce = kernels.reduce_source::<Sum<u32>, PopCount>()?; // `reduce` takes the items as they are
/// let scratch = Scratch::new(&gpu.device, reduce.scratch(3));
/// let bound = reduce.bind(GpuSlice::whole(&input), GpuSlice::whole(&output), Count::Fixed(3), &scratch)?;
/// let mut encoder = gpu.device.create_command_encoder(&Default::default());
/// bound.encode(&mut encoder.begin_compute_pass(&Default::default()));
/// gpu.queue.submit([encoder.finish()]);
/// assert_eq!(transfer::download::<u32>(&gpu, &output)?, [4]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Reduce<O: Operator, S: Source<Item = O::Item> = Plain<<O as Operator>::Item>> {
    kernels: Kernels,
    first: ComputeKernel,
    last: ComputeKernel,
    types: PhantomData<fn() -> (O, S)>,
}

plan_traits!(Reduce<O: Operator, S: Source<Item = O::Item>> { kernels, first, last, types });

impl Kernels {
    /// The reduction by `O` of the elements of a slice.
    pub fn reduce<O: Operator>(&self) -> Result<Reduce<O>, KernelError> {
        self.reduce_source()
    }

    /// The reduction by `O` of the items that source `S` makes.
    pub fn reduce_source<O: Operator, S: Source<Item = O::Item>>(&self) -> Result<Reduce<O, S>, KernelError> {
        let first = self.generic::<O>("kernels/reduce", "reduce_chunks", &SourceText::of::<S>())?;
        check_source::<S>(&first)?;
        let last = self.generic::<O>("kernels/reduce", "reduce_chunks", &SourceText::of::<Plain<O::Item>>())?;
        Ok(Reduce { kernels: self.clone(), first, last, types: PhantomData })
    }
}

impl<O: Operator, S: Source<Item = O::Item>> Reduce<O, S> {
    fn chunks(&self, capacity: u32) -> u32 {
        self.kernels.chunks(capacity, tile_items::<O::Item>())
    }

    /// Scratch for at most `capacity` items.
    pub fn scratch(&self, capacity: u32) -> ScratchLayout {
        ScratchLayout::bytes(u64::from(self.chunks(capacity)) * size_of::<O::Item>() as u64)
    }

    /// Binds: the first element of `output` becomes the combination of the first `count` items of `input`, the identity
    /// when there is none.
    pub fn bind(
        &self,
        input: GpuSlice<'_, S::Stored>,
        output: GpuSlice<'_, O::Item>,
        count: Count<'_>,
        scratch: &Scratch,
    ) -> Result<BoundKernel, KernelError> {
        let (device, caps) = (self.kernels.device(), self.kernels.caps());
        let capacity = count.capacity();
        check_len("input", &input, capacity)?;
        check_len("output", &output, 1)?;
        scratch.check(self.scratch(capacity))?;
        let count = BoundCount::of(count, caps)?;
        let input = BoundSlice::of("input", input.prefix(capacity), false, caps)?;
        let output = BoundSlice::of("output", output.prefix(1), true, caps)?;
        check_arguments(&[&input, &output], &count, Some(scratch.buffer()))?;

        let chunks = self.chunks(capacity);
        let mode = u32::from(O::COMMUTATIVE);
        let params = Params { capacity, chunks, input_first: input.first, mode, ..Default::default() };
        if chunks == 1 {
            let params = Params { output_first: output.first, ..params };
            let resources = [("input", input.resource()), ("output", output.resource())];
            return Ok(BoundKernel {
                dispatches: vec![dispatch(device, "reduce", &self.first, params, &count, 1, &resources)?],
            });
        }
        let sums = Parts::of(scratch).allocate::<O::Item>(chunks);
        let first = [("input", input.resource()), ("output", sums.resource())];
        let last = [("input", sums.resource()), ("output", output.resource())];
        let last_params = Params { capacity: chunks, chunks: 1, output_first: output.first, ..Default::default() };
        Ok(BoundKernel {
            dispatches: vec![
                dispatch(device, "reduce chunks", &self.first, params, &count, chunks, &first)?,
                dispatch(device, "reduce sums", &self.last, last_params, &BoundCount::FIXED, 1, &last)?,
            ],
        })
    }
}
