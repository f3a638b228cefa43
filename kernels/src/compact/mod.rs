//! Which items pass a test, in their order?
//!
//! Stable compaction by reduce-then-scan: count each chunk's kept items, scan the counts, write each chunk from its place.
//! 3 dispatches, or 1 when one tile holds all items; 8 bytes read for each 4-byte item and 4 written for each kept one.
//! The predicate is evaluated twice, so no flag array exists. The order, and so the result, is the same on every run.

mod cpu;

pub use cpu::{compact, compact_indices};

use crate::{
    Bound, Count, Element, GpuSlice, KernelError, Kernels, Predicate, Scratch, ScratchLayout, Sum,
    bound::{BoundCount, Params, check_arguments, step},
    context::check_stride,
    pipeline::ComputeKernel,
    predicate::{Emit, flags_text},
    scan::{spine_scratch, spine_step},
    scratch::Parts,
    slice::{BoundSlice, check_len},
    wgsl::{self, SourceText, tile_items},
};
use std::marker::PhantomData;

/// Compaction by predicate `P`; `Out` is the item's type, or `u32` for the indices of kept items.
pub struct Compact<P: Predicate, Out: Element> {
    kernels: Kernels,
    counts: ComputeKernel,
    spine: ComputeKernel,
    write: ComputeKernel,
    types: PhantomData<fn() -> (P, Out)>,
}

plan_traits!(Compact<P: Predicate, Out: Element> { kernels, counts, spine, write, types });

impl Kernels {
    /// Compaction that writes the kept items.
    pub fn compact<P: Predicate>(&self) -> Result<Compact<P, P::Item>, KernelError> {
        self.compaction(Emit::Item)
    }

    /// Compaction that writes the indices of the kept items.
    pub fn compact_indices<P: Predicate>(&self) -> Result<Compact<P, u32>, KernelError> {
        self.compaction(Emit::Index)
    }

    fn compaction<P: Predicate, Out: Element>(&self, emit: Emit) -> Result<Compact<P, Out>, KernelError> {
        let source = flags_text::<P>();
        let counts = self.generic::<Sum<u32>>("kernels/reduce", "reduce_chunks", &source)?;
        check_stride::<P::Item>(&counts, "input")?;
        let spine = self.generic::<Sum<u32>>("kernels/scan", "scan_chunks", &SourceText::scratch::<u32>())?;
        let mut composer = wgsl::composer::<Sum<u32>>(self.caps(), self.variant::<u32>()?, &source)?;
        composer.bind("kernels/emit", "what is emitted", &emit.wgsl());
        let write = self.kernel(&composer, "kernels/compact", "compact_chunks")?;
        check_stride::<Out>(&write, "output")?;
        Ok(Compact { kernels: self.clone(), counts, spine, write, types: PhantomData })
    }
}

impl<P: Predicate, Out: Element> Compact<P, Out> {
    fn chunks(&self, capacity: u32) -> u32 {
        self.kernels.chunks(capacity, tile_items::<u32>())
    }

    /// Scratch for at most `capacity` items.
    pub fn scratch(&self, capacity: u32) -> ScratchLayout {
        spine_scratch::<u32>(self.chunks(capacity))
    }

    /// Binds: `output` begins with the kept ones among the first `count` items of `input`, and `kept` says how many there
    /// are. When `output` is shorter, it holds the first of them, and `kept` still says how many there are in all.
    pub fn bind(
        &self,
        input: GpuSlice<'_, P::Item>,
        output: GpuSlice<'_, Out>,
        kept: GpuSlice<'_, u32>,
        count: Count<'_>,
        scratch: &Scratch,
    ) -> Result<Bound, KernelError> {
        let (device, caps) = (self.kernels.device(), self.kernels.caps());
        let capacity = count.capacity();
        check_len("input", &input, capacity)?;
        check_len("kept", &kept, 1)?;
        scratch.check(self.scratch(capacity))?;
        let room = output.len;
        let count = BoundCount::of(count, caps)?;
        let input = BoundSlice::of("input", input.prefix(capacity), false, caps)?;
        let output = BoundSlice::of("output", output.prefix(room.min(capacity)), true, caps)?;
        let kept = BoundSlice::of("kept", kept.prefix(1), true, caps)?;
        check_arguments(&[&input, &output, &kept], &count, Some(scratch.buffer()))?;

        let chunks = self.chunks(capacity);
        let mut parts = Parts::of(scratch);
        let (sums, carries) = (parts.take::<u32>(chunks), parts.take::<u32>(chunks));
        let unused = parts.take::<u32>(1);
        let params = Params {
            capacity,
            chunks,
            input_first: input.first,
            output_first: output.first,
            aux_first: kept.first,
            extra: room,
            ..Default::default()
        };
        let mut steps = Vec::with_capacity(3);
        if chunks > 1 {
            let counting = Params { output_first: 0, ..params };
            let resources = [("input", input.resource()), ("output", sums.resource())];
            steps.push(step(device, "compact count", &self.counts, counting, &count, chunks, &resources)?);
            steps.push(spine_step(device, &self.spine, chunks, sums, carries, unused)?);
        }
        let resources = [
            ("input", input.resource()),
            ("output", output.resource()),
            ("carries", carries.resource()),
            ("total", kept.resource()),
        ];
        steps.push(step(device, "compact", &self.write, params, &count, chunks, &resources)?);
        Ok(Bound { steps })
    }
}
