//! What comes before each chunk? The first two dispatches of everything that is done in even shares: reduce each chunk, then scan
//! the sums. The third reads the items again, each chunk from its carry.

use crate::{
    Element, KernelError, Kernels, Operator, ScratchLayout,
    arguments::Params,
    bound::{BoundCount, Dispatch, dispatch},
    scratch::{Parts, ScratchPart},
    wgsl::SourceText,
};
use gpu::pipeline::ComputeKernel;

/// The kernels of these dispatches.
#[derive(Clone, Debug)]
pub(crate) struct Carries {
    sums: ComputeKernel,
    spine: ComputeKernel,
}

/// What the dispatch that follows binds.
#[derive(Clone, Copy)]
pub(crate) struct CarriesParts<'a> {
    /// What comes before each chunk; of a single chunk nothing is read.
    pub carries: ScratchPart<'a>,
    /// Room for a total that nobody wants.
    pub unused: ScratchPart<'a>,
}

impl Carries {
    /// Of operator `O` over the items of a source.
    pub fn new<O: Operator>(kernels: &Kernels, source: &SourceText) -> Result<Self, KernelError> {
        let sums = kernels.generic::<O>("kernels/reduce", "reduce_chunks", source)?;
        let spine = kernels.generic::<O>("kernels/scan", "scan_chunks", &SourceText::scratch::<O::Item>())?;
        Ok(Self { sums, spine })
    }

    /// The kernel that reads the items.
    pub fn sums(&self) -> &ComputeKernel {
        &self.sums
    }

    /// Scratch of `chunks` chunks: their sums, what comes before each, and a place for an unwanted total.
    pub fn scratch<T: Element>(chunks: u32) -> ScratchLayout {
        let array = ScratchLayout::bytes(u64::from(chunks) * size_of::<T>() as u64);
        array.then(array).then(ScratchLayout::bytes(size_of::<T>() as u64))
    }

    /// The dispatches, none where there is one chunk, of items of `T` in `params.chunks` chunks of `input`.
    pub fn dispatches<'a, T: Element>(
        &self,
        device: &wgpu::Device,
        label: &'static str,
        params: Params,
        input: wgpu::BindingResource<'_>,
        count: &BoundCount<'_>,
        parts: &mut Parts<'a>,
    ) -> Result<(Vec<Dispatch>, CarriesParts<'a>), KernelError> {
        let chunks = params.chunks;
        let (sums, carries, unused) =
            (parts.allocate::<T>(chunks), parts.allocate::<T>(chunks), parts.allocate::<T>(1));
        let mut dispatches = Vec::with_capacity(3);
        if chunks > 1 {
            let reducing = Params { output_first: 0, mode: 0, ..params };
            let resources = [("input", input), ("output", sums.resource())];
            dispatches.push(dispatch(device, label, &self.sums, reducing, count, chunks, &resources)?);
            // The sums are one chunk.
            let scanning = Params { capacity: chunks, chunks: 1, ..Default::default() };
            let resources = [
                ("input", sums.resource()),
                ("output", carries.resource()),
                ("carries", unused.resource()),
                ("total", unused.resource()),
            ];
            dispatches.push(dispatch(device, "scan sums", &self.spine, scanning, &BoundCount::FIXED, 1, &resources)?);
        }
        Ok((dispatches, CarriesParts { carries, unused }))
    }
}
