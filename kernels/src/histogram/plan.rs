//! Which dispatches count into bins?

use crate::{
    Binning, BoundKernel, Count, Element, GpuSlice, KernelError, Kernels,
    arguments::Params,
    bound::{BoundCount, check_arguments, dispatch},
    context::check_stride,
    slice::{BoundSlice, check_len},
};
use gpu::pipeline::ComputeKernel;
use std::marker::PhantomData;

/// Counters that fit in the workgroup memory that every device has (16 KiB).
const WORKGROUP_COUNTERS: u32 = 4096;

/// The histogram by binning `B`.
///
/// ```
/// use gpu::{Gpu, transfer};
/// use kernels::{Binning, Count, GpuSlice, Kernels, device};
///
/// struct Parity;
/// #[device]
/// impl Binning for Parity {
///     type Item = u32;
///     const NAME: &'static str = "parity";
///     const BINS: u32 = 2;
///     fn bin(stored: u32, _item: u32) -> u32 { stored % 2 }
/// }
///
/// let gpu = Gpu::new(&Default::default())?;
/// let kernels = Kernels::new(&gpu.device);
/// let input = transfer::upload(&gpu.device, "input", &[5u32, 2, 7, 8, 1, 3]);
/// let counts = transfer::storage::<u32>(&gpu.device, "counts", 2);
/// let bound = kernels.histogram::<Parity>()?.bind(GpuSlice::whole(&input), GpuSlice::whole(&counts), Count::Fixed(6))?;
/// let mut encoder = gpu.device.create_command_encoder(&Default::default());
/// bound.encode(&mut encoder.begin_compute_pass(&Default::default()));
/// gpu.queue.submit([encoder.finish()]);
/// assert_eq!(transfer::download::<u32>(&gpu, &counts)?, [2, 4]); // even, odd
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Histogram<B: Binning> {
    kernels: Kernels,
    clear: ComputeKernel,
    count: ComputeKernel,
    types: PhantomData<fn() -> B>,
}

plan_traits!(Histogram<B: Binning> { kernels, clear, count, types });

impl Kernels {
    /// The histogram of items by `B`.
    pub fn histogram<B: Binning>(&self) -> Result<Histogram<B>, KernelError> {
        if !(1..=1 << 24).contains(&B::BINS) {
            return Err(KernelError::Argument { what: "BINS", given: B::BINS.into(), low: 1, high: 1 << 24 });
        }
        let in_workgroup = B::BINS <= WORKGROUP_COUNTERS;
        let copies = (WORKGROUP_COUNTERS / B::BINS).clamp(1, 8);
        let (stored, declaration) = (B::Item::TYPE, B::Item::DECLARATION);
        let mut composer = crate::composer();
        composer.bind("kernels/bin_of", &format!("{} (binning)", B::NAME), B::WGSL);
        composer.bind("kernels/stored", stored, &format!("{declaration}\nalias Stored = {stored};"));
        composer.bind(
            "kernels/binning",
            "binning",
            &format!(
                "//!import kernels/params\n//!import kernels/stored\n//!import kernels/bin_of\n\
                 @group(0) @binding(2) var<storage, read> input: array<Stored>;\n\
                 const BINS: u32 = {}u;\nconst COPIES: u32 = {copies}u;\nconst IN_WORKGROUP: bool = {in_workgroup};\n",
                B::BINS
            ),
        );
        let count = self.kernel(&composer, "kernels/histogram", "histogram_count")?;
        check_stride::<B::Item>(&count, "input")?;
        let clear = self.kernel(&composer, "kernels/histogram", "histogram_clear")?;
        Ok(Histogram { kernels: self.clone(), clear, count, types: PhantomData })
    }
}

impl<B: Binning> Histogram<B> {
    /// Items of a tile, which is what workgroups share out.
    const TILE: u32 = 4096;

    /// Binds: the first `BINS` elements of `output` become the numbers of items in each bin.
    pub fn bind(
        &self,
        input: GpuSlice<'_, B::Item>,
        output: GpuSlice<'_, u32>,
        count: Count<'_>,
    ) -> Result<BoundKernel, KernelError> {
        let (device, caps) = (self.kernels.device(), self.kernels.caps());
        let capacity = count.capacity();
        check_len("input", &input, capacity)?;
        check_len("output", &output, B::BINS)?;
        let count = BoundCount::of(count, caps)?;
        let input = BoundSlice::of("input", input.prefix(capacity), false, caps)?;
        let output = BoundSlice::of("output", output.prefix(B::BINS), true, caps)?;
        check_arguments(&[&input, &output], &count, None)?;

        let clearing = self.kernels.chunks(B::BINS, 256);
        let counting = self.kernels.chunks(capacity, Self::TILE);
        let (input_first, output_first) = (input.first, output.first);
        let params = Params { capacity, input_first, output_first, chunks: clearing, ..Default::default() };
        let clear = [("output", output.resource())];
        let read = [("input", input.resource()), ("output", output.resource())];
        let counted = Params { chunks: counting, ..params };
        Ok(BoundKernel {
            dispatches: vec![
                dispatch(device, "histogram clear", &self.clear, params, &BoundCount::FIXED, clearing, &clear)?,
                dispatch(device, "histogram", &self.count, counted, &count, counting, &read)?,
            ],
        })
    }
}
