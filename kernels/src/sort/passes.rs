//! Which dispatches sort?

use super::{
    buffers::{KeyValueBuffers, moving, values},
    key::{Order, RadixKey, check_key_bits, key_text},
    one_sweep::OneSweep,
    onesweep_config::DIGITS,
};
use crate::{
    BoundKernel, Count, Element, Form, GpuSlice, KernelError, Kernels, OnesweepConfig, Scratch, ScratchLayout, Sum,
    arguments::Params,
    bound::{BoundCount, Dispatch, check_arguments, dispatch},
    context::check_stride,
    scratch::{Parts, ScratchPart},
    slice::BoundSlice,
    wgsl::{self, SourceText},
};
use gpu::pipeline::ComputeKernel;
use shaders::Composer;

const DIGIT_BITS: u32 = 8;

/// Tiles of a chunk: a tile is some 20 turns of loops for each of an invocation's keys (shaders/kernels/sort/local.wgsl), and Mesa's
/// llvmpipe silently ends all loops of an invocation after 65 535 in total.
const MAX_TILES: u32 = 200;

/// The kernels of a sort. Values are moved or not; their type is the caller's to remember.
#[derive(Clone, Debug)]
pub(super) struct Passes {
    kernels: Kernels,
    count: ComputeKernel,
    rows: ComputeKernel,
    scatter: ComputeKernel,
    /// One tile, and one of [`FEW_ITEMS`] an invocation.
    small: ComputeKernel,
    smallest: ComputeKernel,
    /// For few keys, or for all; and for many.
    one_sweep: Option<OneSweep>,
    large_sweep: Option<OneSweep>,
    tile: u32,
    with_values: bool,
}

/// Keys that an invocation holds where there are few. Odd, as [`items`] is.
const FEW_ITEMS: u32 = 5;

/// Values before and after.
pub(super) struct PairSlices<'a, V> {
    pub from: GpuSlice<'a, V>,
    pub to: GpuSlice<'a, V>,
}

/// Keys that an invocation holds: odd, and as many as workgroup memory has room for beside the counters.
fn items(workgroup_memory_bytes: u32) -> u32 {
    if workgroup_memory_bytes >= 24 << 10 { 15 } else { 11 }
}

impl Passes {
    pub fn new<K: RadixKey, V: Element>(
        kernels: &Kernels,
        order: Order,
        with_values: bool,
    ) -> Result<Self, KernelError> {
        let caps = kernels.caps();
        let variant = kernels.variant::<[u32; 2]>()?;
        let sort_items = items(caps.workgroup_memory_bytes);

        // Counts of a digit: one item each of up to 1024 chunks.
        let mut rows = wgsl::composer::<Sum<u32>>(caps, variant, &SourceText::scratch::<u32>())?;
        bind_element(&mut rows, "u32", 4, caps);
        let rows = kernels.kernel(&rows, "kernels/sort/rows", "sort_rows")?;

        let mut composer = wgsl::composer::<Sum<[u32; 2]>>(caps, variant, &SourceText::scratch::<[u32; 2]>())?;
        bind_element(&mut composer, "vec2u", 1, caps);
        composer.bind("kernels/sort/key", &format!("{} (key)", K::TYPE), &key_text::<K>(order, sort_items));
        composer.bind("kernels/sort/payload", &format!("{} (value)", V::TYPE), &payload::<V>(with_values));
        let count = kernels.kernel(&composer, "kernels/sort/count", "sort_count")?;
        check_stride::<K>(&count, "keys_in")?;
        let scatter = kernels.kernel(&composer, "kernels/sort/scatter", "sort_scatter")?;
        check_stride::<V>(&scatter, "values_in")?;
        let small = kernels.kernel(&composer, "kernels/sort/small", "sort_small")?;
        composer.bind("kernels/sort/key", &format!("{} (key)", K::TYPE), &key_text::<K>(order, FEW_ITEMS));
        let smallest = kernels.kernel(&composer, "kernels/sort/small", "sort_small")?;
        let tile = 256 * sort_items;
        let may_look_back = Form::may_look_back(kernels.wanted_variant(), caps, true);
        let sweep = |many| match may_look_back {
            true => OneSweep::new::<K, V>(kernels, order, with_values, many),
            false => Ok(None),
        };
        let (one_sweep, large_sweep) = (sweep(false)?, sweep(true)?);
        Ok(Self {
            kernels: kernels.clone(),
            count,
            rows,
            scatter,
            small,
            smallest,
            one_sweep,
            large_sweep,
            tile,
            with_values,
        })
    }

    pub fn kernels(&self) -> &Kernels {
        &self.kernels
    }

    /// At least as many as keep the loops of an invocation below what llvmpipe ends them at.
    fn chunks(&self, capacity: u32) -> u32 {
        let needed = capacity.div_ceil(self.tile).div_ceil(MAX_TILES).min(Kernels::CHUNK_LIMIT);
        self.kernels.chunks(capacity, self.tile).max(needed)
    }

    fn one_sweep(&self, capacity: u32) -> Option<&OneSweep> {
        let large = self.large_sweep.as_ref().filter(|_| capacity >= OnesweepConfig::MANY);
        large.or(self.one_sweep.as_ref())
    }

    pub fn form(&self, capacity: u32) -> Form {
        let (variant, caps) = (self.kernels.wanted_variant(), self.kernels.caps());
        let possible = self.one_sweep(capacity).is_some_and(|one_sweep| one_sweep.takes(capacity));
        Form::choose(variant, caps, possible, self.tile, capacity)
    }

    /// What a sort over several tiles counts in, behind the spare keys and values.
    fn counters(&self, capacity: u32) -> ScratchLayout {
        match (self.one_sweep(capacity), self.form(capacity)) {
            (Some(one_sweep), Form::LookBack) => {
                // More keys never need less: what a scratch is made for, fewer can use.
                let few = self.one_sweep.as_ref().map(|few| few.scratch(capacity.min(OnesweepConfig::MANY)));
                one_sweep.scratch(capacity).max(few.unwrap_or_default())
            }
            _ => {
                let counts = ScratchLayout::bytes(u64::from(DIGITS * self.chunks(capacity)) * 4);
                counts.then(ScratchLayout::bytes(u64::from(DIGITS) * 4))
            }
        }
    }

    pub fn scratch<K: RadixKey, V: Element>(&self, capacity: u32) -> ScratchLayout {
        let array = |bytes: usize| ScratchLayout::bytes(u64::from(capacity.max(1)) * bytes as u64);
        let values = if self.with_values { array(size_of::<V>()) } else { ScratchLayout::default() };
        array(size_of::<K>()).then(values).then(self.counters(capacity))
    }

    pub fn bind<K: RadixKey, V: Element>(
        &self,
        keys_in: GpuSlice<'_, K>,
        keys_out: GpuSlice<'_, K>,
        values: Option<PairSlices<'_, V>>,
        count: Count<'_>,
        key_bits: u32,
        scratch: &Scratch,
    ) -> Result<BoundKernel, KernelError> {
        let caps = self.kernels.caps();
        let capacity = count.capacity();
        let key_bits = check_key_bits::<K>(key_bits)?;
        scratch.check(self.scratch::<K, V>(capacity))?;
        let keys_in = BoundSlice::checked("keys_in", keys_in, capacity, true, caps)?;
        let keys_out = BoundSlice::checked("keys_out", keys_out, capacity, true, caps)?;
        let values = match values {
            Some(PairSlices { from, to }) => Some((
                BoundSlice::checked("values_in", from, capacity, true, caps)?,
                BoundSlice::checked("values_out", to, capacity, true, caps)?,
            )),
            None => None,
        };
        let count = BoundCount::of(count, caps)?;
        let values_in = values.as_ref().map(|(from, _)| from);
        let values_out = values.as_ref().map(|(_, to)| to);
        let slices: Vec<_> = [&keys_in, &keys_out].into_iter().chain(values_in).chain(values_out).collect();
        check_arguments(&slices, &count, Some(scratch.buffer()))?;

        let from = KeyValueBuffers::of(&keys_in, values_in);
        let to = KeyValueBuffers::of(&keys_out, values_out);
        if capacity <= self.tile {
            return Ok(BoundKernel { dispatches: vec![self.small(&from, &to, capacity, key_bits, &count)?] });
        }
        let digits = digits(key_bits, false);
        let dispatches = self.dispatches::<K, V>(from, to, &digits, capacity, key_bits, &count, Parts::of(scratch))?;
        Ok(BoundKernel { dispatches })
    }

    /// Sorts keys and values where they are: by way of the scratch, and back.
    pub fn bind_in_place<K: RadixKey, V: Element>(
        &self,
        keys: GpuSlice<'_, K>,
        values: Option<GpuSlice<'_, V>>,
        count: Count<'_>,
        key_bits: u32,
        scratch: &Scratch,
    ) -> Result<BoundKernel, KernelError> {
        let caps = self.kernels.caps();
        let capacity = count.capacity();
        let key_bits = check_key_bits::<K>(key_bits)?;
        scratch.check(self.scratch::<K, V>(capacity))?;
        let keys = BoundSlice::checked("keys", keys, capacity, true, caps)?;
        let values = values.map(|values| BoundSlice::checked("values", values, capacity, true, caps)).transpose()?;
        let count = BoundCount::of(count, caps)?;
        let slices: Vec<_> = [&keys].into_iter().chain(&values).collect();
        check_arguments(&slices, &count, Some(scratch.buffer()))?;
        let place = KeyValueBuffers::of(&keys, values.as_ref());
        let digits = digits(key_bits, true);
        let parts = Parts::of(scratch);
        let dispatches = self.dispatches::<K, V>(place.clone(), place, &digits, capacity, key_bits, &count, parts)?;
        Ok(BoundKernel { dispatches })
    }

    /// The dispatches that sort by `digits`, one after the other, with what `parts` has left.
    #[allow(clippy::too_many_arguments, reason = "each says another thing about one sort")]
    pub fn dispatches<K: RadixKey, V: Element>(
        &self,
        from: KeyValueBuffers<'_>,
        to: KeyValueBuffers<'_>,
        digits: &[(u32, u32)],
        capacity: u32,
        key_bits: u32,
        count: &BoundCount<'_>,
        mut parts: Parts<'_>,
    ) -> Result<Vec<Dispatch>, KernelError> {
        let spare_keys = parts.allocate::<K>(capacity);
        let spare_values = self.with_values.then(|| parts.allocate::<V>(capacity));
        let spare = KeyValueBuffers {
            keys: (spare_keys.resource(), 0),
            values: spare_values.map(|values| (values.resource(), 0)),
        };
        if let (Some(one_sweep), Form::LookBack) = (self.one_sweep(capacity), self.form(capacity)) {
            return one_sweep.dispatches(from, (to, spare), parts, capacity, (key_bits, digits), count);
        }
        let (counts, totals) = (parts.allocate::<u32>(DIGITS * self.chunks(capacity)), parts.allocate::<u32>(DIGITS));
        let mut dispatches = Vec::with_capacity(3 * digits.len());
        let mut source = from;
        for (pass, digit) in digits.iter().enumerate() {
            // The last step must end in the output; those before take turns.
            let target = if (digits.len() - 1 - pass).is_multiple_of(2) { &to } else { &spare };
            dispatches.extend(self.digit(&source, target, (counts, totals), capacity, *digit, count)?);
            source = target.clone();
        }
        Ok(dispatches)
    }

    fn small(
        &self,
        from: &KeyValueBuffers<'_>,
        to: &KeyValueBuffers<'_>,
        capacity: u32,
        key_bits: u32,
        count: &BoundCount<'_>,
    ) -> Result<Dispatch, KernelError> {
        let params = Params { capacity, chunks: 1, extra: key_bits, ..moving(from, to) };
        let mut resources = vec![("keys_in", from.keys.0.clone()), ("keys_out", to.keys.0.clone())];
        resources.extend(values(from, to));
        let kernel = if capacity <= 256 * FEW_ITEMS { &self.smallest } else { &self.small };
        dispatch(self.kernels.device(), "sort small", kernel, params, count, 1, &resources)
    }

    /// The three dispatches of a digit.
    fn digit(
        &self,
        from: &KeyValueBuffers<'_>,
        to: &KeyValueBuffers<'_>,
        (counts, totals): (ScratchPart<'_>, ScratchPart<'_>),
        capacity: u32,
        (shift, bits): (u32, u32),
        count: &BoundCount<'_>,
    ) -> Result<[Dispatch; 3], KernelError> {
        let device = self.kernels.device();
        let chunks = self.chunks(capacity);
        let params = Params { capacity, chunks, mode: shift, extra: bits, ..moving(from, to) };
        let counting = [("keys_in", from.keys.0.clone()), ("counts", counts.resource())];
        let scanning = [("counts", counts.resource()), ("totals", totals.resource())];
        let mut scattering = vec![
            ("keys_in", from.keys.0.clone()),
            ("keys_out", to.keys.0.clone()),
            ("counts", counts.resource()),
            ("totals", totals.resource()),
        ];
        scattering.extend(values(from, to));
        Ok([
            dispatch(device, "sort count", &self.count, params, count, chunks, &counting)?,
            dispatch(device, "sort rows", &self.rows, params, count, DIGITS, &scanning)?,
            dispatch(device, "sort scatter", &self.scatter, params, count, chunks, &scattering)?,
        ])
    }
}

/// First bit and number of bits of each digit, the lowest first. Where keys must come back, an even number of digits: the last
/// may be of no bits, which only copies.
pub(super) fn digits(key_bits: u32, come_back: bool) -> Vec<(u32, u32)> {
    let mut digits = key_bits.div_ceil(DIGIT_BITS);
    if come_back {
        digits = digits.next_multiple_of(2);
    }
    let of = |digit: u32| (DIGIT_BITS * digit, DIGIT_BITS.min(key_bits.saturating_sub(DIGIT_BITS * digit)));
    (0..digits).map(of).collect()
}

fn bind_element(composer: &mut Composer, element: &str, items: u32, caps: &gpu::Caps) {
    let max_subgroups = 256 / caps.subgroups.map_or(4, |sizes| sizes.min.clamp(4, 128));
    let text = format!(
        "alias Elem = {element};\nconst ITEMS: u32 = {items}u;\nconst MAX_SUBGROUPS: u32 = {max_subgroups}u;\n\
         const VECTOR: bool = false;\n"
    );
    composer.bind("kernels/element", "count (element)", &text);
}

fn payload<V: Element>(with_values: bool) -> String {
    if !with_values {
        return "fn move_payload(source: u32, place: u32) {}\n".to_owned();
    }
    format!(
        "//!import kernels/params\n{}\nalias Value = {};\n\
         @group(0) @binding(6) var<storage, read_write> values_in: array<Value>;\n\
         @group(0) @binding(7) var<storage, read_write> values_out: array<Value>;\n\
         fn move_payload(source: u32, place: u32) {{\n\
         values_out[params.items + place] = values_in[params.aux_first + source];\n}}\n",
        V::DECLARATION,
        V::TYPE
    )
}
