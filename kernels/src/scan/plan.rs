//! Which dispatches scan?

use super::{Carries, CarriesParts};
use crate::{
    BoundKernel, Count, Form, GpuSlice, KernelError, Kernels, Operator, Plain, ScanKind, Scratch, ScratchLayout,
    Source,
    arguments::Params,
    bound::{BoundCount, Dispatch, check_arguments, dispatch},
    context::check_source,
    look_back::{LookBack, Tiling},
    scratch::Parts,
    slice::{BoundSlice, check_len},
    wgsl::{SourceText, is_integer_word, tile_items},
};
use gpu::pipeline::ComputeKernel;
use std::marker::PhantomData;

/// The scan of items of source `S` by operator `O`.
///
/// ```
/// use gpu::{Gpu, transfer};
/// use kernels::{Count, GpuSlice, Kernels, PopCount, ScanIo, ScanKind, Scratch, Sum};
///
/// let gpu = Gpu::new(&Default::default())?;
/// let kernels = Kernels::new(&gpu.device);
/// let input = transfer::upload(&gpu.device, "input", &[0b1011u32, 0b1, 0b11]);
/// let output = transfer::storage::<u32>(&gpu.device, "output", 3);
/// let total = transfer::storage::<u32>(&gpu.device, "total", 1);
/// let scan = kernels.scan_source::<Sum<u32>, PopCount>()?; // `scan` takes the items as they are
/// let scratch = Scratch::new(&gpu.device, scan.scratch(3));
/// let io = ScanIo { input: GpuSlice::whole(&input), output: GpuSlice::whole(&output), total: Some(GpuSlice::whole(&total)) };
/// let bound = scan.bind(io, ScanKind::Exclusive, Count::Fixed(3), &scratch)?;
/// let mut encoder = gpu.device.create_command_encoder(&Default::default());
/// bound.encode(&mut encoder.begin_compute_pass(&Default::default()));
/// gpu.queue.submit([encoder.finish()]);
/// assert_eq!(transfer::download::<u32>(&gpu, &output)?, [0, 3, 4]);
/// assert_eq!(transfer::download::<u32>(&gpu, &total)?, [6]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Scan<O: Operator, S: Source<Item = O::Item> = Plain<<O as Operator>::Item>> {
    kernels: Kernels,
    carries: Carries,
    scan: ComputeKernel,
    look_back: Option<LookBack>,
    types: PhantomData<fn() -> (O, S)>,
}

plan_traits!(Scan<O: Operator, S: Source<Item = O::Item>> { kernels, carries, scan, look_back, types });

/// Arguments of a scan.
#[derive(Debug)]
pub struct ScanIo<'a, O: Operator, S: Source<Item = O::Item> = Plain<<O as Operator>::Item>> {
    /// Items.
    pub input: GpuSlice<'a, S::Stored>,
    /// One result for each item; not in the buffer of `input`.
    pub output: GpuSlice<'a, O::Item>,
    /// Where the combination of all items goes, if anywhere.
    pub total: Option<GpuSlice<'a, O::Item>>,
}

impl Kernels {
    /// The scan by `O` of the elements of a slice.
    pub fn scan<O: Operator>(&self) -> Result<Scan<O>, KernelError> {
        self.scan_source()
    }

    /// The scan by `O` of the items that source `S` makes.
    pub fn scan_source<O: Operator, S: Source<Item = O::Item>>(&self) -> Result<Scan<O, S>, KernelError> {
        let source = SourceText::of::<S>();
        let carries = Carries::new::<O>(self, &source)?;
        check_source::<S>(carries.sums())?;
        let scan = self.generic::<O>("kernels/scan", "scan_chunks", &source)?;
        let look_back = if Form::may_look_back(self.wanted_variant(), self.caps(), is_integer_word::<O::Item>()) {
            let composer = self.composer::<O>(&source)?;
            Some(LookBack::new(self, &composer, "kernels/scan_single_pass", "scan_tiles")?)
        } else {
            None
        };
        Ok(Scan { kernels: self.clone(), carries, scan, look_back, types: PhantomData })
    }
}

impl<O: Operator, S: Source<Item = O::Item>> Scan<O, S> {
    fn chunks(&self, capacity: u32) -> u32 {
        self.kernels.chunks(capacity, tile_items::<O::Item>())
    }

    fn tiling() -> Tiling {
        Tiling { items: tile_items::<O::Item>(), state_words: 2 }
    }

    /// How the scan of at most `capacity` items goes over them.
    pub fn form(&self, capacity: u32) -> Form {
        let (variant, caps) = (self.kernels.wanted_variant(), self.kernels.caps());
        Form::choose(variant, caps, self.look_back.is_some(), tile_items::<O::Item>(), capacity)
    }

    /// Scratch for at most `capacity` items.
    pub fn scratch(&self, capacity: u32) -> ScratchLayout {
        match self.form(capacity) {
            Form::LookBack => Self::tiling().scratch(capacity).then(Carries::scratch::<O::Item>(1)),
            _ => Carries::scratch::<O::Item>(self.chunks(capacity)),
        }
    }

    /// Binds: the first `count` elements of `output` become the scan of the first `count` items of `input`.
    pub fn bind(
        &self,
        io: ScanIo<'_, O, S>,
        kind: ScanKind,
        count: Count<'_>,
        scratch: &Scratch,
    ) -> Result<BoundKernel, KernelError> {
        let caps = self.kernels.caps();
        let capacity = count.capacity();
        check_len("input", &io.input, capacity)?;
        check_len("output", &io.output, capacity)?;
        scratch.check(self.scratch(capacity))?;
        let count = BoundCount::of(count, caps)?;
        let input = BoundSlice::of("input", io.input.prefix(capacity), false, caps)?;
        let output = BoundSlice::of("output", io.output.prefix(capacity), true, caps)?;
        let total = match io.total {
            Some(total) => {
                check_len("total", &total, 1)?;
                Some(BoundSlice::of("total", total.prefix(1), true, caps)?)
            }
            None => None,
        };
        let slices: Vec<_> = [&input, &output].into_iter().chain(&total).collect();
        check_arguments(&slices, &count, Some(scratch.buffer()))?;

        let params = Params {
            capacity,
            input_first: input.first,
            output_first: output.first,
            aux_first: total.as_ref().map_or(0, |total| total.first),
            mode: u32::from(kind == ScanKind::Inclusive),
            ..Default::default()
        };
        let slices = Slices { input: &input, output: &output, total: total.as_ref() };
        let dispatches = match (&self.look_back, self.form(capacity)) {
            (Some(look_back), Form::LookBack) => self.single_pass(look_back, params, &slices, &count, scratch)?,
            _ => self.reduce_then_scan(params, &slices, &count, scratch)?,
        };
        Ok(BoundKernel { dispatches })
    }

    fn reduce_then_scan(
        &self,
        params: Params,
        Slices { input, output, total }: &Slices<'_>,
        count: &BoundCount<'_>,
        scratch: &Scratch,
    ) -> Result<Vec<Dispatch>, KernelError> {
        let device = self.kernels.device();
        let chunks = self.chunks(params.capacity);
        let params = Params { chunks, ..params };
        let mut parts = Parts::of(scratch);
        let (mut dispatches, CarriesParts { carries, unused }) =
            self.carries.dispatches::<O::Item>(device, "scan reduce", params, input.resource(), count, &mut parts)?;
        let resources = [
            ("input", input.resource()),
            ("output", output.resource()),
            ("carries", carries.resource()),
            ("total", total.map_or_else(|| unused.resource(), BoundSlice::resource)),
        ];
        dispatches.push(dispatch(device, "scan", &self.scan, params, count, chunks, &resources)?);
        Ok(dispatches)
    }

    fn single_pass(
        &self,
        look_back: &LookBack,
        params: Params,
        Slices { input, output, total }: &Slices<'_>,
        count: &BoundCount<'_>,
        scratch: &Scratch,
    ) -> Result<Vec<Dispatch>, KernelError> {
        let mut parts = Parts::of(scratch);
        let unused = parts.allocate::<O::Item>(1);
        let total = total.map_or_else(|| unused.resource(), BoundSlice::resource);
        let resources = vec![("input", input.resource()), ("output", output.resource()), ("total", total)];
        look_back.dispatches(&self.kernels, ("scan tiles", Self::tiling()), params, count, &mut parts, resources)
    }
}

/// What a scan is bound to.
struct Slices<'a> {
    input: &'a BoundSlice<'a>,
    output: &'a BoundSlice<'a>,
    total: Option<&'a BoundSlice<'a>>,
}
