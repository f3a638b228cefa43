//! How large is a tile of the one-sweep sort, and how does it go through workgroup memory?

use crate::{KernelError, Kernels, OnesweepConfig};
use gpu::Caps;
use shaders::Composer;

pub(super) const DIGITS: u32 = 256;
/// Keys that an invocation counts at a time for the totals.
pub(super) const HISTOGRAM_ITEMS: u32 = 16;

impl OnesweepConfig {
    /// Keys from which on large tiles are no slower: there are a hundred of them.
    pub(super) const MANY: u32 = 1 << 20;

    /// The shape for keys of `key_bytes` bytes on a device with subgroups, for [many](Self::MANY) keys or few; `None` where nothing
    /// fits.
    ///
    /// Many keys of a word by themselves: a tile in two phases, the fastest of 40 shapes at 2^26 keys on an H200; with values, which go
    /// through the same memory, phases take longer than they save. Otherwise the largest workgroup whose counters and keys fit into
    /// workgroup memory, with as many keys as let four of 512 stay on a processor of an H200, where 12 keys of a word take 1.4
    /// times as long as 11 (benches/results/README.md).
    pub(super) fn choose(caps: &Caps, key_bytes: u32, with_values: bool, many: bool) -> Option<Self> {
        let shape = |threads, items, phases| Self { threads, items, phases, copies: None };
        let large = if with_values { shape(384, 14, 1) } else { shape(384, 22, 2) };
        let large = (many && key_bytes <= 4).then_some(large);
        let items = 44 / key_bytes.max(4);
        let one_phase = [512, 256, 128, 64].map(|threads| shape(threads, items, 1));
        large.into_iter().chain(one_phase).find(|shape| shape.check(caps, key_bytes).is_ok())
    }

    /// Whether the device can run it for keys of `key_bytes` bytes.
    pub(super) fn check(&self, caps: &Caps, key_bytes: u32) -> Result<(), KernelError> {
        let refuse = |why: String| Err(KernelError::OnesweepConfig { given: self.to_string(), why });
        let Some(sizes) = caps.subgroups else { return refuse("the device has no subgroups enabled".to_owned()) };
        let largest = sizes.max.clamp(4, 128);
        if self.threads == 0 || self.threads > caps.workgroup_invocations || !self.threads.is_multiple_of(largest) {
            let limit = caps.workgroup_invocations;
            return refuse(format!("a workgroup has a multiple of {largest} invocations, at most {limit}"));
        }
        if !(1..=32).contains(&self.items) || self.phases == 0 || !self.items.is_multiple_of(self.phases) {
            return refuse("an invocation holds 1 to 32 keys, which the number of phases divides".to_owned());
        }
        if self.copies.is_some_and(|copies| !copies.is_power_of_two() || copies > 64) {
            return refuse("copies are a power of two up to 64".to_owned());
        }
        let bytes = self.workgroup_bytes(caps, key_bytes).max(self.histogram_bytes(caps, key_bytes));
        if bytes > caps.workgroup_memory_bytes {
            let limit = caps.workgroup_memory_bytes;
            return refuse(format!("it takes {bytes} bytes of workgroup memory of {limit}"));
        }
        Ok(())
    }

    /// Keys of a tile.
    pub(super) fn tile(&self) -> u32 {
        self.threads * self.items
    }

    /// Binds `kernels/sort/one_sweep/config`, and how `sh_word` stages keys of `key_bytes` bytes.
    pub(super) fn bind(&self, composer: &mut Composer, caps: &Caps, key_bytes: u32, (key_at, put_key): (&str, &str)) {
        let (smallest, largest) = subgroup_sizes(caps);
        let phase_items = self.items / self.phases;
        let subgroups = self.subgroups(caps);
        composer.unroll("SWEEP_ITEMS", self.items).unroll("PHASES", self.phases).unroll("PHASE_ITEMS", phase_items);
        if smallest == largest {
            composer.unroll("SUBGROUPS", subgroups);
        }
        let constants = [
            ("THREADS", self.threads),
            ("SWEEP_ITEMS", self.items),
            ("PHASES", self.phases),
            ("PHASE_ITEMS", phase_items),
            ("SUBGROUPS", subgroups),
            ("SUBGROUP_SIZE", if smallest == largest { largest } else { 0 }),
            ("BALLOT_WORDS", largest.div_ceil(32)),
            ("PLACES", places(key_bytes)),
            ("HISTOGRAM_THREADS", histogram_threads(caps)),
            ("COPIES", self.copies(caps, key_bytes)),
            ("HISTOGRAM_ITEMS", HISTOGRAM_ITEMS),
            ("SH_WORDS", self.words(caps, key_bytes)),
        ];
        let constants: String =
            constants.into_iter().map(|(name, value)| format!("const {name}: u32 = {value}u;\n")).collect();
        let text = format!(
            "{constants}var<workgroup> sh_word: array<atomic<u32>, SH_WORDS>;\n\
             fn key_at(slot: u32) -> Key {{ return {key_at}; }}\n\
             fn put_key(slot: u32, key: Key) {{ {put_key} }}\n"
        );
        composer.bind("kernels/sort/one_sweep/config", "shape of the sweep", &text);
    }

    fn subgroups(&self, caps: &Caps) -> u32 {
        self.threads / subgroup_sizes(caps).0
    }

    /// Bytes of `sh_*` in shaders/kernels/sort/one_sweep, without those of global_histogram.wgsl.
    fn workgroup_bytes(&self, caps: &Caps, key_bytes: u32) -> u32 {
        4 * self.words(caps, key_bytes) + 4 * DIGITS + 8 * 64 + 16
    }

    /// Words of `sh_word`: counters of each subgroup, then a part of the keys of the tile in their place.
    fn words(&self, caps: &Caps, key_bytes: u32) -> u32 {
        (self.tile() / self.phases * key_bytes / 4).max(DIGITS * self.subgroups(caps))
    }

    /// Copies of the counters of all digits of a key.
    fn copies(&self, caps: &Caps, key_bytes: u32) -> u32 {
        let room = (caps.workgroup_memory_bytes / (4 * DIGITS * places(key_bytes))).clamp(1, 4);
        self.copies.unwrap_or(1 << room.ilog2())
    }

    fn histogram_bytes(&self, caps: &Caps, key_bytes: u32) -> u32 {
        4 * DIGITS * places(key_bytes) * self.copies(caps, key_bytes)
    }
}

/// Invocations of a workgroup that counts the totals.
fn histogram_threads(caps: &Caps) -> u32 {
    caps.workgroup_invocations.min(512)
}

/// Workgroups that count the totals of `capacity` keys.
pub(super) fn histogram_chunks(caps: &Caps, capacity: u32) -> u32 {
    capacity.div_ceil(HISTOGRAM_ITEMS * histogram_threads(caps)).clamp(1, Kernels::CHUNK_LIMIT)
}

/// Digits of a key: one a byte.
pub(super) fn places(key_bytes: u32) -> u32 {
    key_bytes
}

/// The smallest and the largest subgroup.
fn subgroup_sizes(caps: &Caps) -> (u32, u32) {
    caps.subgroups.map_or((4, 128), |sizes| (sizes.min.clamp(4, 128), sizes.max.clamp(4, 128)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Order,
        sort::{key::key_text, one_sweep::staged_key},
    };
    use gpu::{Gpu, GpuOptions, SubgroupSizes};

    /// The same device with other subgroups and workgroups.
    fn limited(caps: &Caps, (min, max): (u32, u32), memory_bytes: u32, invocations: u32) -> Caps {
        caps.clone()
            .with_subgroups(Some(SubgroupSizes { min, max }))
            .with_workgroup_memory_bytes(memory_bytes)
            .with_workgroup_invocations(invocations)
    }

    #[test]
    fn tiles_fit_into_the_workgroup_memory_of_small_and_large_devices() {
        let gpu = Gpu::new(&GpuOptions::default().with_software(true)).unwrap();
        for (min, max) in [(4, 4), (8, 8), (8, 32), (16, 16), (32, 32), (32, 64), (64, 64), (4, 128), (128, 128)] {
            for workgroup_memory_bytes in [16 << 10, 32 << 10, 48 << 10, 64 << 10] {
                for workgroup_invocations in [256, 1024] {
                    let caps = limited(&gpu.caps, (min, max), workgroup_memory_bytes, workgroup_invocations);
                    for (key_bytes, with_values, many) in
                        [(4, false, true), (4, false, false), (4, true, true), (8, false, true)]
                    {
                        let Some(shape) = OnesweepConfig::choose(&caps, key_bytes, with_values, many) else { continue };
                        assert!(shape.workgroup_bytes(&caps, key_bytes) <= workgroup_memory_bytes);
                        assert!(shape.histogram_bytes(&caps, key_bytes) <= workgroup_memory_bytes);
                        assert!(shape.threads <= workgroup_invocations && shape.threads.is_multiple_of(max));
                    }
                }
            }
        }
    }

    #[test]
    fn only_many_keys_take_large_tiles() {
        let gpu = Gpu::new(&GpuOptions::default().with_software(true)).unwrap();
        let caps = limited(&gpu.caps, (32, 32), 48 << 10, 1024);
        let shape = |key_bytes, with_values, many| {
            OnesweepConfig::choose(&caps, key_bytes, with_values, many).unwrap().to_string()
        };
        assert_eq!(shape(4, false, true), "384x22/2");
        assert_eq!(shape(4, true, true), "384x14/1");
        assert_eq!([shape(4, false, false), shape(4, true, false)], ["512x11/1"; 2]);
        assert_eq!(shape(8, false, true), "512x5/1");
    }

    /// Shapes for devices that no test runs on are at least valid modules.
    #[test]
    fn modules_of_large_workgroups_are_valid() {
        let gpu = Gpu::new(&GpuOptions::default().with_software(true)).unwrap();
        for (min, max, shapes) in [
            (32, 32, ["512x11", "512x22/2", "384x21/3@8"]),
            (32, 64, ["512x11", "256x24/3", "384x20/2@4"]),
            (64, 64, ["512x8/2", "256x12/1", "1024x6/2@1"]),
        ] {
            let caps = limited(&gpu.caps, (min, max), 48 << 10, 1024);
            for shape in shapes {
                let shape: OnesweepConfig = shape.parse().unwrap();
                shape.check(&caps, 4).unwrap();
                let mut composer = crate::composer();
                composer.bind("kernels/sort/key", "key", &key_text::<u32>(Order::Ascending, shape.items));
                shape.bind(&mut composer, &caps, 4, staged_key("u32").unwrap());
                composer.compose("kernels/sort/one_sweep/global_histogram").unwrap();
                let sweep = composer.compose("kernels/sort/one_sweep/sweep").unwrap();
                assert_eq!(indexed_at_run_time(&sweep), ["counts", "smaller", "walks"]);
            }
        }
    }

    /// The arrays of the sweep that do not lie in registers unless the driver unrolls a loop: those of a workgroup's own digits, of
    /// which large ones have one an invocation.
    fn indexed_at_run_time(sweep: &shaders::Composed) -> Vec<String> {
        let entry = &sweep.module().entry_points[0].function;
        let local = |base| match entry.expressions[base] {
            naga::Expression::LocalVariable(variable) => Some(variable),
            _ => None,
        };
        let accesses = entry.expressions.iter().filter_map(|(_, expression)| match *expression {
            naga::Expression::Access { base, .. } => local(base),
            _ => None,
        });
        let accessed: Vec<_> = accesses.collect();
        let variables = entry.local_variables.iter().filter(|(variable, _)| accessed.contains(variable));
        variables.filter_map(|(_, variable)| variable.name.clone()).collect()
    }

    #[test]
    fn a_shape_that_does_not_fit_says_why() {
        let gpu = Gpu::new(&GpuOptions::default().with_software(true)).unwrap();
        let caps = gpu.caps.with_workgroup_memory_bytes(48 << 10).with_workgroup_invocations(1024);
        let check = |text: &str| text.parse::<OnesweepConfig>().and_then(|shape| shape.check(&caps, 4));
        check("256x22/2@8").unwrap();
        for (text, why) in [
            ("512", "is expected"),
            ("512x22/3", "phases divides"),
            ("512x0", "1 to 32 keys"),
            ("2048x4", "at most 1024"),
            ("12x4", "a multiple of"),
            ("1024x32/2", "bytes of workgroup memory of 49152"),
            ("256x8/1@3", "power of two"),
        ] {
            let error = check(text).unwrap_err().to_string();
            assert!(error.contains(why) && error.contains(text), "{error}");
        }
    }
}
