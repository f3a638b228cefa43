//! Which dispatches sort in one pass a digit, and how large are their tiles? Onesweep (Adinets & Merrill 2022) with fallback.

use super::{
    buffers::{KeyValueBuffers, moving, values},
    key::{Order, RadixKey, key_text, key_type},
    onesweep_config::{DIGITS, histogram_chunks, places},
};
use crate::{
    Element, Form, KernelError, Kernels, OnesweepConfig, ScratchLayout,
    arguments::Params,
    bound::{BoundCount, Dispatch, dispatch, dispatch_of_tiles},
    context::check_stride,
    look_back::{LookBack, tile_states_scratch},
    scratch::Parts,
};
use gpu::pipeline::ComputeKernel;

/// The kernels of a one-sweep sort.
#[derive(Clone, Debug)]
pub(super) struct OneSweep {
    kernels: Kernels,
    shape: OnesweepConfig,
    key_bytes: u32,
    global_histogram: ComputeKernel,
    /// The first pass over keys whose order among equal ones cannot be told, and the bits that they must be sorted by for that.
    first_scatter: Option<(ComputeKernel, u32)>,
    sweep: LookBack,
}

impl OneSweep {
    /// Whether so many keys can be sorted: a count shares its word with two bits of state, and walks must end.
    pub fn takes(&self, capacity: u32) -> bool {
        capacity < 1 << 30 && Form::may_walk(self.kernels.caps(), self.tiles(capacity))
    }

    /// For [many](OnesweepConfig::MANY) keys or few; `None` where the device or the key does not allow it, and for many where these take
    /// the shape of few.
    pub fn new<K: RadixKey, V: Element>(
        kernels: &Kernels,
        order: Order,
        with_values: bool,
        many: bool,
    ) -> Result<Option<Self>, KernelError> {
        let Some(staged) = staged_key(key_type::<K>()) else { return Ok(None) };
        if !kernels.caps().features.contains(wgpu::Features::SUBGROUP_BARRIER) {
            return Ok(None);
        }
        let (caps, key_bytes) = (kernels.caps(), size_of::<K>() as u32);
        let choose =
            |many| kernels.tuning().sweep.or_else(|| OnesweepConfig::choose(caps, key_bytes, with_values, many));
        let Some(shape) = choose(many).filter(|shape| !many || choose(false) != Some(*shape)) else {
            return Ok(None);
        };
        shape.check(caps, key_bytes)?;
        let mut composer = crate::composer();
        composer.bind("kernels/sort/key", &format!("{} (key)", K::TYPE), &key_text::<K>(order, shape.items));
        shape.bind(&mut composer, caps, key_bytes, staged);
        let payload = payload::<V>(with_values);
        composer.bind("kernels/sort/one_sweep/payload", &format!("{} (value)", V::TYPE), &payload);
        if ["u32", "i32"].contains(&key_type::<K>()) {
            composer.bind_module("kernels/sort/one_sweep/load4", "kernels/sort/one_sweep/load4_words");
        }
        let global_histogram =
            kernels.kernel(&composer, "kernels/sort/one_sweep/global_histogram", "sort_global_histogram")?;
        check_stride::<K>(&global_histogram, "keys_in")?;
        let first_scatter = match K::INJECTIVE && !with_values {
            true => Some((
                kernels.kernel(&composer, "kernels/sort/one_sweep/first_scatter", "sort_first_scatter")?,
                K::BITS,
            )),
            false => None,
        };
        let sweep = LookBack::new(kernels, &composer, "kernels/sort/one_sweep/sweep", "sort_sweep")?;
        check_stride::<V>(&sweep.pass, "values_in")?;
        Ok(Some(Self { kernels: kernels.clone(), shape, key_bytes, global_histogram, first_scatter, sweep }))
    }

    fn tiles(&self, capacity: u32) -> u32 {
        capacity / self.shape.tile() + 1
    }

    /// Words of the totals and of the posts of `passes` passes.
    fn words(&self, capacity: u32, passes: u32) -> u32 {
        DIGITS * (places(self.key_bytes) + passes * self.tiles(capacity))
    }

    /// Scratch besides the keys and values that go back and forth.
    pub fn scratch(&self, capacity: u32) -> ScratchLayout {
        tile_states_scratch(self.words(capacity, 2))
    }

    /// The dispatches that sort `from` into `to` by `digits`, by way of `spare`.
    pub fn dispatches<'a>(
        &self,
        from: KeyValueBuffers<'a>,
        (to, spare): (KeyValueBuffers<'a>, KeyValueBuffers<'a>),
        mut parts: Parts<'a>,
        capacity: u32,
        (key_bits, digits): (u32, &[(u32, u32)]),
        count: &BoundCount<'_>,
    ) -> Result<Vec<Dispatch>, KernelError> {
        let device = self.kernels.device();
        let tile_states = parts.allocate::<u32>(self.words(capacity, 2));
        let tiles = self.tiles(capacity);
        let chunks = histogram_chunks(self.kernels.caps(), capacity);
        let counting = Params { capacity, chunks, extra: key_bits, ..moving(&from, &to) };
        let resources = [("keys_in", from.keys.0.clone()), ("tile_states", tile_states.resource())];
        let first_scatter = self
            .first_scatter
            .as_ref()
            .filter(|(_, all_bits)| key_bits == *all_bits)
            .map(|(first_scatter, _)| first_scatter);
        // Tiles that take places from one counter a digit do not post.
        let first_states = if first_scatter.is_some() { 0 } else { capacity };
        let mut dispatches = vec![
            self.sweep.clear_dispatch(device, tile_states, self.words(first_states, 1))?,
            dispatch(device, "sort totals", &self.global_histogram, counting, count, chunks, &resources)?,
        ];
        let mut source = from;
        for (pass, &(shift, bits)) in digits.iter().enumerate() {
            // The last pass must end in the output; those before take turns.
            let target = if (digits.len() - 1 - pass).is_multiple_of(2) { &to } else { &spare };
            let params = Params { capacity, mode: shift, extra: bits, ..moving(&source, target) };
            let mut resources = vec![
                ("keys_in", source.keys.0.clone()),
                ("keys_out", target.keys.0.clone()),
                ("tile_states", tile_states.resource()),
            ];
            resources.extend(values(&source, target));
            let sweep = ("sort sweep", &self.sweep.pass);
            let (label, kernel) =
                first_scatter.filter(|_| pass == 0).map_or(sweep, |first_scatter| ("sort spread", first_scatter));
            dispatches.push(dispatch_of_tiles(&self.kernels, label, kernel, params, count, tiles, &resources)?);
            source = target.clone();
        }
        Ok(dispatches)
    }
}

/// WGSL that reads a key of the type from its slot in `sh_word`, and that writes it there; `None` for types that sorts have not.
pub(super) fn staged_key(key: &str) -> Option<(&'static str, &'static str)> {
    match key {
        "u32" => Some(("atomicLoad(&sh_word[slot])", "atomicStore(&sh_word[slot], key);")),
        "i32" => Some(("i32(atomicLoad(&sh_word[slot]))", "atomicStore(&sh_word[slot], u32(key));")),
        "vec2u" => Some((
            "vec2u(atomicLoad(&sh_word[slot]), atomicLoad(&sh_word[THREADS * PHASE_ITEMS + slot]))",
            "atomicStore(&sh_word[slot], key.x); atomicStore(&sh_word[THREADS * PHASE_ITEMS + slot], key.y);",
        )),
        _ => None,
    }
}

/// Values of one word go through workgroup memory like keys; larger ones are read where their place in the tile says.
fn payload<V: Element>(with_values: bool) -> String {
    if !with_values {
        return "const HAS_VALUES: bool = false;\n\
                fn staged_value(item: u32) -> u32 { return item; }\n\
                fn write_value(place: u32, staged: u32) {}\n"
            .to_owned();
    }
    // Values of one word are moved as integers, so that no bit of theirs is touched.
    let is_word = ["u32", "i32", "f32"].contains(&V::TYPE);
    let (declaration, value) = if is_word { ("", "u32") } else { (V::DECLARATION, V::TYPE) };
    let (staged, written) = if is_word {
        ("values_in[params.aux_first + item]", "staged")
    } else {
        // A value in a sweep's tile is found again by its item.
        ("item", "values_in[params.aux_first + staged]")
    };
    format!(
        "//!import kernels/params\n{declaration}\nalias Value = {value};\nconst HAS_VALUES: bool = true;\n\
         @group(0) @binding(6) var<storage, read_write> values_in: array<Value>;\n\
         @group(0) @binding(7) var<storage, read_write> values_out: array<Value>;\n\
         fn staged_value(item: u32) -> u32 {{ return {staged}; }}\n\
         fn write_value(place: u32, staged: u32) {{ values_out[params.items + place] = {written}; }}\n"
    )
}
