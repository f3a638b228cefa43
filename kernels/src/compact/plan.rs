//! Which dispatches compact?

use crate::{
    BoundKernel, Count, Element, Form, GpuSlice, KernelError, Kernels, Predicate, Scratch, ScratchLayout, Sum,
    arguments::Params,
    bound::{BoundCount, Dispatch, check_arguments, dispatch},
    context::check_stride,
    emit::{Emit, flags_text},
    look_back::{LookBack, Tiling},
    scan::{Carries, CarriesParts},
    scratch::Parts,
    slice::{BoundSlice, check_len},
    wgsl::tile_items,
};
use gpu::pipeline::ComputeKernel;
use std::marker::PhantomData;

/// Compaction by predicate `P`; `Out` is the item's type, or `u32` for the indices of kept items.
///
/// ```
/// use gpu::{Gpu, transfer};
/// use kernels::{Count, GpuSlice, Kernels, Predicate, Scratch, device};
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
/// let output = transfer::storage::<u32>(&gpu.device, "output", 6);
/// let kept = transfer::storage::<u32>(&gpu.device, "kept", 1);
/// let compact = kernels.compact_indices::<Odd>()?; // `compact` writes the items themselves
/// let scratch = Scratch::new(&gpu.device, compact.scratch(6));
/// let (input, indices, count) = (GpuSlice::whole(&input), GpuSlice::whole(&output), GpuSlice::whole(&kept));
/// let bound = compact.bind(input, indices, count, Count::Fixed(6), &scratch)?;
/// let mut encoder = gpu.device.create_command_encoder(&Default::default());
/// bound.encode(&mut encoder.begin_compute_pass(&Default::default()));
/// gpu.queue.submit([encoder.finish()]);
/// assert_eq!(transfer::download::<u32>(&gpu, &kept)?, [4]);
/// assert_eq!(transfer::download::<u32>(&gpu, &output)?[..4], [0, 2, 4, 5]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Compaction<P: Predicate, Out: Element> {
    kernels: Kernels,
    carries: Carries,
    write: ComputeKernel,
    look_back: Option<LookBack>,
    types: PhantomData<fn() -> (P, Out)>,
}

plan_traits!(Compaction<P: Predicate, Out: Element> { kernels, carries, write, look_back, types });

impl Kernels {
    /// Compaction that writes the kept items.
    pub fn compact<P: Predicate>(&self) -> Result<Compaction<P, P::Item>, KernelError> {
        self.compaction(Emit::Item)
    }

    /// Compaction that writes the indices of the kept items.
    pub fn compact_indices<P: Predicate>(&self) -> Result<Compaction<P, u32>, KernelError> {
        self.compaction(Emit::Index)
    }

    fn compaction<P: Predicate, Out: Element>(&self, emit: Emit) -> Result<Compaction<P, Out>, KernelError> {
        let source = flags_text::<P>();
        let carries = Carries::new::<Sum<u32>>(self, &source)?;
        check_stride::<P::Item>(carries.sums(), "input")?;
        let mut composer = self.composer::<Sum<u32>>(&source)?;
        composer.bind("kernels/emit", "what is emitted", &emit.wgsl());
        if let Some(items) = self.tuning().stage {
            let items = items.clamp(256, 4096) / 256 * 256;
            composer.bind("kernels/compact_stage", "stage", &format!("const STAGE_ITEMS: u32 = {items}u;\n"));
        }
        let write = self.kernel(&composer, "kernels/compact", "compact_chunks")?;
        check_stride::<Out>(&write, "output")?;
        let look_back = if Form::may_look_back(self.wanted_variant(), self.caps(), true) {
            composer.bind_module("kernels/look_back/tile_states", "kernels/look_back/count_states");
            Some(LookBack::new(self, &composer, "kernels/compact_single_pass", "compact_tiles")?)
        } else {
            None
        };
        Ok(Compaction { kernels: self.clone(), carries, write, look_back, types: PhantomData })
    }
}

impl<P: Predicate, Out: Element> Compaction<P, Out> {
    fn chunks(&self, capacity: u32) -> u32 {
        self.kernels.chunks(capacity, tile_items::<u32>())
    }

    fn tiling() -> Tiling {
        Tiling { items: tile_items::<u32>(), state_words: 1 }
    }

    /// How the compaction of at most `capacity` items goes over them.
    pub fn form(&self, capacity: u32) -> Form {
        let (variant, caps) = (self.kernels.wanted_variant(), self.kernels.caps());
        // A count shares its word with two bits of state.
        let exact = self.look_back.is_some() && capacity < 1 << 30;
        Form::choose(variant, caps, exact, tile_items::<u32>(), capacity)
    }

    /// Scratch for at most `capacity` items.
    pub fn scratch(&self, capacity: u32) -> ScratchLayout {
        match self.form(capacity) {
            Form::LookBack => Self::tiling().scratch(capacity),
            _ => Carries::scratch::<u32>(self.chunks(capacity)),
        }
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
    ) -> Result<BoundKernel, KernelError> {
        let caps = self.kernels.caps();
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

        let params = Params {
            capacity,
            input_first: input.first,
            output_first: output.first,
            aux_first: kept.first,
            extra: room,
            ..Default::default()
        };
        let slices = Slices { input: &input, output: &output, kept: &kept };
        let dispatches = match (&self.look_back, self.form(capacity)) {
            (Some(look_back), Form::LookBack) => self.single_pass(look_back, params, &slices, &count, scratch)?,
            _ => self.reduce_then_scan(params, &slices, &count, scratch)?,
        };
        Ok(BoundKernel { dispatches })
    }

    fn reduce_then_scan(
        &self,
        params: Params,
        Slices { input, output, kept }: &Slices<'_>,
        count: &BoundCount<'_>,
        scratch: &Scratch,
    ) -> Result<Vec<Dispatch>, KernelError> {
        let device = self.kernels.device();
        let chunks = self.chunks(params.capacity);
        let params = Params { chunks, ..params };
        let mut parts = Parts::of(scratch);
        let (mut dispatches, CarriesParts { carries, .. }) =
            self.carries.dispatches::<u32>(device, "compact count", params, input.resource(), count, &mut parts)?;
        let resources = [
            ("input", input.resource()),
            ("output", output.resource()),
            ("carries", carries.resource()),
            ("total", kept.resource()),
        ];
        dispatches.push(dispatch(device, "compact", &self.write, params, count, chunks, &resources)?);
        Ok(dispatches)
    }

    fn single_pass(
        &self,
        look_back: &LookBack,
        params: Params,
        Slices { input, output, kept }: &Slices<'_>,
        count: &BoundCount<'_>,
        scratch: &Scratch,
    ) -> Result<Vec<Dispatch>, KernelError> {
        let resources = vec![("input", input.resource()), ("output", output.resource()), ("total", kept.resource())];
        let pass = ("compact tiles", Self::tiling());
        look_back.dispatches(&self.kernels, pass, params, count, &mut Parts::of(scratch), resources)
    }
}

/// What a compaction is bound to.
struct Slices<'a> {
    input: &'a BoundSlice<'a>,
    output: &'a BoundSlice<'a>,
    kept: &'a BoundSlice<'a>,
}
