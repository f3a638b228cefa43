//! Which dispatches append?

use crate::{
    BoundKernel, Count, GpuSlice, KernelError, Kernels, Predicate, Sum,
    arguments::Params,
    bound::{BoundCount, check_arguments, dispatch},
    context::check_stride,
    emit::{Emit, flags_text},
    slice::{BoundSlice, check_len},
    wgsl::{self, tile_items},
};
use gpu::pipeline::ComputeKernel;
use std::marker::PhantomData;

/// Appending by predicate `P`.
///
/// ```
/// use gpu::{Gpu, transfer};
/// use kernels::{Count, GpuSlice, Kernels, Predicate, device};
///
/// struct Odd;
/// #[device]
/// impl Predicate for Odd {
///     type Item = u32;
///     const NAME: &'static str = "odd";
///     fn keep(stored: u32, _item: u32) -> bool { stored % 2 == 1 }
/// }
///
/// let gpu = Gpu::new(&Default::default())?;
/// let kernels = Kernels::new(&gpu.device);
/// let input = transfer::upload(&gpu.device, "input", &[5u32, 2, 7, 8, 1, 3]);
/// let output = transfer::storage::<u32>(&gpu.device, "output", 3);
/// let counter = transfer::storage::<u32>(&gpu.device, "counter", 2);
/// let (input, room, words) = (GpuSlice::whole(&input), GpuSlice::whole(&output), GpuSlice::whole(&counter));
/// let bound = kernels.append::<Odd>()?.bind(input, room, words, Count::Fixed(6), true)?;
/// let mut encoder = gpu.device.create_command_encoder(&Default::default());
/// bound.encode(&mut encoder.begin_compute_pass(&Default::default()));
/// gpu.queue.submit([encoder.finish()]);
/// // Four are odd, and one of them found no room.
/// assert_eq!(transfer::download::<u32>(&gpu, &counter)?, [4, 1]);
/// assert!(transfer::download::<u32>(&gpu, &output)?.iter().all(|kept| kept % 2 == 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Append<P: Predicate> {
    kernels: Kernels,
    reset: ComputeKernel,
    append: ComputeKernel,
    types: PhantomData<fn() -> P>,
}

plan_traits!(Append<P: Predicate> { kernels, reset, append, types });

impl Kernels {
    /// Appending of the items that `P` keeps.
    pub fn append<P: Predicate>(&self) -> Result<Append<P>, KernelError> {
        let source = flags_text::<P>();
        let mut composer = wgsl::composer::<Sum<u32>>(self.caps(), self.variant::<u32>()?, &source)?;
        composer.bind("kernels/emit", "what is emitted", &Emit::Item.wgsl());
        let append = self.kernel(&composer, "kernels/append", "append_chunks")?;
        check_stride::<P::Item>(&append, "output")?;
        let reset = self.kernel(&composer, "kernels/append", "append_reset")?;
        Ok(Append { kernels: self.clone(), reset, append, types: PhantomData })
    }
}

impl<P: Predicate> Append<P> {
    /// Binds: the kept ones among the first `count` items of `input` are added to `output`, whose length is its capacity.
    ///
    /// `counter` is two words: the number of items appended so far, which grows beyond the capacity when there are more
    /// (as a [`Count::Gpu`] it is clamped), and a flag that is 1 once an item found no room. With `reset` both are
    /// cleared first.
    pub fn bind(
        &self,
        input: GpuSlice<'_, P::Item>,
        output: GpuSlice<'_, P::Item>,
        counter: GpuSlice<'_, u32>,
        count: Count<'_>,
        reset: bool,
    ) -> Result<BoundKernel, KernelError> {
        let (device, caps) = (self.kernels.device(), self.kernels.caps());
        let capacity = count.capacity();
        check_len("input", &input, capacity)?;
        check_len("counter", &counter, 2)?;
        let room = output.len;
        let count = BoundCount::of(count, caps)?;
        let input = BoundSlice::of("input", input.prefix(capacity), false, caps)?;
        let output = BoundSlice::of("output", output, true, caps)?;
        let counter = BoundSlice::of("counter", counter.prefix(2), true, caps)?;
        check_arguments(&[&input, &output, &counter], &count, None)?;

        let chunks = self.kernels.chunks(capacity, tile_items::<u32>());
        let params = Params {
            capacity,
            chunks,
            input_first: input.first,
            output_first: output.first,
            aux_first: counter.first,
            extra: room,
            ..Default::default()
        };
        let mut dispatches = Vec::with_capacity(2);
        if reset {
            let resources = [("counter", counter.resource())];
            let unread = BoundCount::FIXED;
            dispatches.push(dispatch(device, "append reset", &self.reset, params, &unread, 1, &resources)?);
        }
        let resources = [("input", input.resource()), ("output", output.resource()), ("counter", counter.resource())];
        dispatches.push(dispatch(device, "append", &self.append, params, &count, chunks, &resources)?);
        Ok(BoundKernel { dispatches })
    }
}
