//! Which dispatches encode runs?

use crate::{
    BoundKernel, Count, GpuSlice, KernelError, Kernels, RadixKey, Scratch, ScratchLayout, Sum,
    arguments::Params,
    bound::{BoundCount, check_arguments, dispatch},
    context::check_stride,
    emit::Emit,
    scan::{Carries, CarriesParts},
    scratch::Parts,
    slice::{BoundSlice, check_len},
    wgsl::{self, SourceText, tile_items},
};
use gpu::pipeline::ComputeKernel;
use std::marker::PhantomData;

/// The run-length encoding of keys `K`. Keys are compared bit by bit: -0 and +0 differ, a NaN equals itself.
///
/// ```
/// use gpu::{Gpu, transfer};
/// use kernels::{Count, GpuSlice, Kernels, RunLengthsOut, Scratch};
///
/// let gpu = Gpu::new(&Default::default())?;
/// let kernels = Kernels::new(&gpu.device);
/// let input = transfer::upload(&gpu.device, "input", &[7u32, 7, 7, 2, 2, 9]);
/// let [values, lengths] = ["values", "lengths"].map(|name| transfer::storage::<u32>(&gpu.device, name, 6));
/// let runs = transfer::storage::<u32>(&gpu.device, "runs", 1);
/// let run_lengths = kernels.run_lengths::<u32>()?;
/// let scratch = Scratch::new(&gpu.device, run_lengths.scratch(6));
/// let out = RunLengthsOut { values: GpuSlice::whole(&values), lengths: GpuSlice::whole(&lengths), runs: GpuSlice::whole(&runs) };
/// let bound = run_lengths.bind(GpuSlice::whole(&input), out, Count::Fixed(6), &scratch)?;
/// let mut encoder = gpu.device.create_command_encoder(&Default::default());
/// bound.encode(&mut encoder.begin_compute_pass(&Default::default()));
/// gpu.queue.submit([encoder.finish()]);
/// assert_eq!(transfer::download::<u32>(&gpu, &runs)?, [3]);
/// assert_eq!(transfer::download::<u32>(&gpu, &values)?[..3], [7, 2, 9]);
/// assert_eq!(transfer::download::<u32>(&gpu, &lengths)?[..3], [3, 2, 1]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct RunLengths<K: RadixKey> {
    kernels: Kernels,
    carries: Carries,
    values: ComputeKernel,
    starts: ComputeKernel,
    lengths: ComputeKernel,
    types: PhantomData<fn() -> K>,
}

plan_traits!(RunLengths<K: RadixKey> { kernels, carries, values, starts, lengths, types });

/// Results of a run-length encoding.
#[derive(Debug)]
pub struct RunLengthsOut<'a, K: RadixKey> {
    /// The value of each run, in order.
    pub values: GpuSlice<'a, K>,
    /// The length of each run, as many as `values`.
    pub lengths: GpuSlice<'a, u32>,
    /// The number of runs, even when `values` and `lengths` have no room for all.
    pub runs: GpuSlice<'a, u32>,
}

impl Kernels {
    /// The run-length encoding of keys.
    pub fn run_lengths<K: RadixKey>(&self) -> Result<RunLengths<K>, KernelError> {
        // Floats are compared as words.
        let stored_type = if K::TYPE == "f32" { "u32" } else { K::TYPE };
        let differs = if stored_type.starts_with("vec") { "any(stored != before)" } else { "stored != before" };
        let source = SourceText {
            name: "starts of runs".to_owned(),
            stored_type,
            stored_declaration: K::DECLARATION,
            map: format!(
                "fn source_map(stored: Stored, item: u32) -> Elem {{\n\
                 if item == 0u {{ return 1u; }}\n\
                 let before = input[params.input_first + item - 1u];\n\
                 return select(0u, 1u, {differs});\n}}"
            ),
            access: "read",
            modules: Vec::new(),
        };
        let carries = Carries::new::<Sum<u32>>(self, &source)?;
        check_stride::<K>(carries.sums(), "input")?;
        let mut composer = wgsl::composer::<Sum<u32>>(self.caps(), self.variant::<u32>()?, &source)?;
        let mut compaction = |emit: Emit| {
            composer.bind("kernels/emit", "what is emitted", &emit.wgsl());
            self.kernel(&composer, "kernels/compact", "compact_chunks")
        };
        let (values, starts) = (compaction(Emit::Item)?, compaction(Emit::Index)?);
        let lengths = self.kernel(&crate::composer(), "kernels/run_lengths", "run_lengths")?;
        Ok(RunLengths { kernels: self.clone(), carries, values, starts, lengths, types: PhantomData })
    }
}

impl<K: RadixKey> RunLengths<K> {
    fn chunks(&self, capacity: u32) -> u32 {
        self.kernels.chunks(capacity, tile_items::<u32>())
    }

    /// Scratch for at most `capacity` keys.
    pub fn scratch(&self, capacity: u32) -> ScratchLayout {
        Carries::scratch::<u32>(self.chunks(capacity)).then(ScratchLayout::bytes(4 * u64::from(capacity.max(1))))
    }

    /// Binds: `out` becomes the runs of the first `count` keys of `input`.
    pub fn bind(
        &self,
        input: GpuSlice<'_, K>,
        out: RunLengthsOut<'_, K>,
        count: Count<'_>,
        scratch: &Scratch,
    ) -> Result<BoundKernel, KernelError> {
        let (device, caps) = (self.kernels.device(), self.kernels.caps());
        let capacity = count.capacity();
        let room = out.values.len.min(capacity);
        check_len("lengths", &out.lengths, room)?;
        check_len("runs", &out.runs, 1)?;
        scratch.check(self.scratch(capacity))?;
        let count = BoundCount::of(count, caps)?;
        let input = BoundSlice::checked("input", input, capacity, false, caps)?;
        let values = BoundSlice::checked("values", out.values, room, true, caps)?;
        let lengths = BoundSlice::checked("lengths", out.lengths, room, true, caps)?;
        let runs = BoundSlice::checked("runs", out.runs, 1, true, caps)?;
        check_arguments(&[&input, &values, &lengths, &runs], &count, Some(scratch.buffer()))?;

        let chunks = self.chunks(capacity);
        let mut parts = Parts::of(scratch);
        let params = Params { capacity, chunks, input_first: input.first, aux_first: runs.first, ..Default::default() };
        let (mut dispatches, CarriesParts { carries, .. }) =
            self.carries.dispatches::<u32>(device, "runs count", params, input.resource(), &count, &mut parts)?;
        let starts = parts.allocate::<u32>(capacity);
        let writing = |output| {
            [
                ("input", input.resource()),
                ("output", output),
                ("carries", carries.resource()),
                ("total", runs.resource()),
            ]
        };
        let valued = Params { output_first: values.first, extra: room, ..params };
        let resources = writing(values.resource());
        dispatches.push(dispatch(device, "runs values", &self.values, valued, &count, chunks, &resources)?);
        // All starts are kept, so that the last run with room for its length knows where the next begins.
        let started = Params { extra: capacity, ..params };
        let resources = writing(starts.resource());
        dispatches.push(dispatch(device, "runs starts", &self.starts, started, &count, chunks, &resources)?);
        let measured = Params { output_first: lengths.first, extra: room, ..params };
        let resources = [("output", lengths.resource()), ("starts", starts.resource()), ("total", runs.resource())];
        dispatches.push(dispatch(device, "runs lengths", &self.lengths, measured, &count, chunks, &resources)?);
        Ok(BoundKernel { dispatches })
    }
}
