//! Which dispatches sort in one pass a digit, and how large are their tiles? Onesweep (Adinets & Merrill 2022) with fallback.

use super::{
    key::{Order, RadixKey},
    passes::{Place, key_text, key_type, moving, values},
};
use crate::{
    Element, KernelError, Kernels, ScratchLayout,
    bound::{BoundCount, Params, Step, step, step_of_tiles},
    context::check_stride,
    gpu::Caps,
    look_back::{LookBack, posts_scratch},
    pipeline::ComputeKernel,
    scratch::Parts,
};
use shaders::Composer;

const DIGIT_BITS: u32 = 8;
const DIGITS: u32 = 256;

/// Sizes of a tile's workgroup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    threads: u32,
    /// Keys that an invocation holds.
    items: u32,
    max_subgroups: u32,
    ballot_words: u32,
}

impl Shape {
    /// The largest workgroup whose counters and keys fit into workgroup memory, with as many keys as let four of 512 stay on a
    /// processor of an H200, where 12 keys of a word take 1.4 times as long as 11.
    pub fn of(caps: &Caps, key_bytes: u32) -> Option<Self> {
        let sizes = caps.subgroups?;
        let (smallest, largest) = (sizes.min.clamp(4, 128), sizes.max.clamp(4, 128));
        let items = 44 / key_bytes.max(4);
        let shape = |threads: u32| Self {
            threads,
            items,
            max_subgroups: threads / smallest,
            ballot_words: largest.div_ceil(32),
        };
        let fits = |shape: &Self| {
            shape.threads >= largest
                && shape.threads <= caps.workgroup_invocations
                && shape.workgroup_bytes(key_bytes) <= caps.workgroup_memory_bytes
        };
        [512, 256, 128, 64].into_iter().map(shape).find(fits)
    }

    /// Bytes of `sh_*` in shaders/kernels/sort/one_sweep.
    fn workgroup_bytes(&self, key_bytes: u32) -> u32 {
        4 * self.words(key_bytes) + 4 * DIGITS + 8 * 64 + 16
    }

    /// Words of `sh_word`: counters of each subgroup, then the keys of the tile in their place.
    fn words(&self, key_bytes: u32) -> u32 {
        (self.tile() * key_bytes / 4).max(DIGITS * self.max_subgroups)
    }

    fn tile(&self) -> u32 {
        self.threads * self.items
    }
}

/// The kernels of a one-sweep sort.
#[derive(Clone, Debug)]
pub(super) struct OneSweep {
    kernels: Kernels,
    shape: Shape,
    places: u32,
    totals: ComputeKernel,
    sweep: LookBack,
}

impl OneSweep {
    /// Keys at most: a count shares its word with two bits of state.
    pub const LIMIT: u32 = (1 << 30) - 1;

    /// `None` where the device or the key does not allow it.
    pub fn new<K: RadixKey, V: Element>(
        kernels: &Kernels,
        order: Order,
        with_values: bool,
    ) -> Result<Option<Self>, KernelError> {
        let Some((key_at, put_key)) = staged_key(key_type::<K>()) else { return Ok(None) };
        if !kernels.caps().features.contains(wgpu::Features::SUBGROUP_BARRIER) {
            return Ok(None);
        }
        let Some(shape) = Shape::of(kernels.caps(), size_of::<K>() as u32) else { return Ok(None) };
        let places = K::BITS.div_ceil(DIGIT_BITS);
        let mut composer = Composer::new();
        composer.unroll("SWEEP_ITEMS", shape.items);
        composer.bind("kernels/sort/key", &format!("{} (key)", K::TYPE), &key_text::<K>(order, shape.items));
        composer.bind(
            "kernels/sort/one_sweep/shape",
            "shape of the sweep",
            &format!(
                "const THREADS: u32 = {}u;\nconst SWEEP_ITEMS: u32 = {}u;\n\
                 const BALLOT_WORDS: u32 = {}u;\nconst PLACES: u32 = {places}u;\n\
                 const SH_WORDS: u32 = {}u;\nvar<workgroup> sh_word: array<atomic<u32>, SH_WORDS>;\n\
                 fn key_at(slot: u32) -> Key {{ return {key_at}; }}\n\
                 fn put_key(slot: u32, key: Key) {{ {put_key} }}\n",
                shape.threads,
                shape.items,
                shape.ballot_words,
                shape.words(size_of::<K>() as u32)
            ),
        );
        let payload = payload::<V>(with_values);
        composer.bind("kernels/sort/one_sweep/payload", &format!("{} (value)", V::TYPE), &payload);
        let totals = kernels.kernel(&composer, "kernels/sort/one_sweep/totals", "sort_totals")?;
        check_stride::<K>(&totals, "keys_in")?;
        let sweep = LookBack::new(kernels, &composer, "kernels/sort/one_sweep/sweep", "sort_sweep")?;
        check_stride::<V>(&sweep.pass, "values_in")?;
        Ok(Some(Self { kernels: kernels.clone(), shape, places, totals, sweep }))
    }

    fn tiles(&self, capacity: u32) -> u32 {
        capacity / self.shape.tile() + 1
    }

    /// Words of the totals and of the posts of `passes` passes.
    fn words(&self, capacity: u32, passes: u32) -> u32 {
        DIGITS * (self.places + passes * self.tiles(capacity))
    }

    /// Scratch besides the keys and values that go back and forth.
    pub fn scratch(&self, capacity: u32) -> ScratchLayout {
        posts_scratch(self.words(capacity, 2))
    }

    /// The dispatches that sort `from` into `to` by `digits`, by way of `spare`.
    pub fn steps<'a>(
        &self,
        from: Place<'a>,
        (to, spare): (Place<'a>, Place<'a>),
        mut parts: Parts<'a>,
        capacity: u32,
        (key_bits, digits): (u32, &[(u32, u32)]),
        count: &BoundCount<'_>,
    ) -> Result<Vec<Step>, KernelError> {
        let device = self.kernels.device();
        let posts = parts.take::<u32>(self.words(capacity, 2));
        let tiles = self.tiles(capacity);
        let chunks = tiles.min(Kernels::CHUNK_LIMIT);
        let counting = Params { capacity, chunks, extra: key_bits, ..moving(&from, &to) };
        let resources = [("keys_in", from.keys.0.clone()), ("posts", posts.resource())];
        let mut steps = vec![
            self.sweep.clear_step(device, posts, self.words(capacity, 1))?,
            step(device, "sort totals", &self.totals, counting, count, chunks, &resources)?,
        ];
        let mut source = from;
        for (pass, &(shift, bits)) in digits.iter().enumerate() {
            // The last pass must end in the output; those before take turns.
            let target = if (digits.len() - 1 - pass).is_multiple_of(2) { &to } else { &spare };
            let params = Params { capacity, mode: shift, extra: bits, ..moving(&source, target) };
            let mut resources = vec![
                ("keys_in", source.keys.0.clone()),
                ("keys_out", target.keys.0.clone()),
                ("posts", posts.resource()),
            ];
            resources.extend(values(&source, target));
            let sweep = &self.sweep.pass;
            steps.push(step_of_tiles(&self.kernels, "sort sweep", sweep, params, count, tiles, &resources)?);
            source = target.clone();
        }
        Ok(steps)
    }
}

/// WGSL that reads a key of the type from its slot in `sh_word`, and that writes it there; `None` for types that sorts have not.
fn staged_key(key: &str) -> Option<(&'static str, &'static str)> {
    match key {
        "u32" => Some(("atomicLoad(&sh_word[slot])", "atomicStore(&sh_word[slot], key);")),
        "i32" => Some(("i32(atomicLoad(&sh_word[slot]))", "atomicStore(&sh_word[slot], u32(key));")),
        "vec2u" => Some((
            "vec2u(atomicLoad(&sh_word[slot]), atomicLoad(&sh_word[THREADS * SWEEP_ITEMS + slot]))",
            "atomicStore(&sh_word[slot], key.x); atomicStore(&sh_word[THREADS * SWEEP_ITEMS + slot], key.y);",
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::{Gpu, GpuOptions, SubgroupSizes};

    #[test]
    fn tiles_fit_into_the_workgroup_memory_of_small_and_large_devices() {
        let gpu = Gpu::new(&GpuOptions { software: true, ..Default::default() }).unwrap();
        for (min, max) in [(4, 4), (8, 8), (8, 32), (16, 16), (32, 32), (32, 64), (64, 64), (4, 128), (128, 128)] {
            for workgroup_memory_bytes in [16 << 10, 32 << 10, 48 << 10, 64 << 10] {
                for workgroup_invocations in [256, 1024] {
                    let subgroups = Some(SubgroupSizes { min, max });
                    let caps = Caps { subgroups, workgroup_memory_bytes, workgroup_invocations, ..gpu.caps.clone() };
                    for key_bytes in [4, 8] {
                        let Some(shape) = Shape::of(&caps, key_bytes) else { continue };
                        assert!(shape.workgroup_bytes(key_bytes) <= workgroup_memory_bytes);
                        assert!(shape.threads <= workgroup_invocations && shape.threads.is_multiple_of(max));
                        assert_eq!((shape.max_subgroups, shape.ballot_words), (shape.threads / min, max.div_ceil(32)));
                    }
                }
            }
        }
    }
}
