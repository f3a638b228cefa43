//! What do all primitives of a device share? Its capabilities, the wanted variant, and the pipelines made so far.

use crate::{
    Element, KernelError, LookBackOptions, Operator, Source, Tuning, Variant,
    device::DeviceItem,
    wgsl::{self, SourceText},
};
use gpu::{
    Caps,
    pipeline::{ComputeKernel, ComputeOptions},
};
use shaders::{Composed, Composer, Segment};
use std::{
    collections::{BTreeMap, HashMap},
    sync::{Arc, Mutex, PoisonError},
};

/// Items that one invocation may walk. Mesa's llvmpipe silently ends all loops of an invocation after 65 535 iterations
/// in total (`LP_MAX_TGSI_LOOP_ITERATIONS`), outer and inner ones together.
const MAX_ITERATIONS: u64 = 16_384;

/// Makes primitives for a device. Cheap to clone: clones share the pipelines.
///
/// ```
/// use gpu::Gpu;
/// use kernels::{Kernels, Variant};
/// let gpu = Gpu::new(&Default::default())?;
/// let portable = Kernels::new(&gpu.device).with_variant(Variant::Portable).with_max_chunks(16);
/// assert_eq!(portable.variant::<u32>()?, Variant::Portable);
/// assert!(portable.caps().storage_buffers_per_stage >= 8);
/// assert_eq!(portable.wanted_variant(), Variant::Portable);
/// assert_eq!(Kernels::new(&gpu.device).wanted_variant(), Variant::Auto); // chosen for each primitive
/// assert_eq!(portable.with_max_row(16).caps().workgroups_per_dimension, 16);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Kernels {
    device: wgpu::Device,
    caps: Caps,
    variant: Variant,
    max_chunks: u32,
    look_back: LookBackOptions,
    tuning: Tuning,
    bounded_loops: bool,
    /// Hand-written WGSL by the path of the device item that it stands for.
    replacements: BTreeMap<&'static str, String>,
    pipelines: Arc<Mutex<HashMap<String, ComputeKernel>>>,
}

impl Kernels {
    /// More chunks could not be scanned by one workgroup.
    pub const CHUNK_LIMIT: u32 = 1024;

    /// Primitives for `device`, in the variant that suits it best; [`with_variant`](Self::with_variant) asks for another.
    pub fn new(device: &wgpu::Device) -> Self {
        let caps = Caps::of(device);
        // A software device has a thread or two for each core: more workgroups only cost.
        let max_chunks = if caps.is_software() { 64 } else { Self::CHUNK_LIMIT };
        Self {
            device: device.clone(),
            caps,
            variant: Variant::Auto,
            max_chunks,
            look_back: LookBackOptions::default(),
            tuning: Tuning::default(),
            bounded_loops: false,
            replacements: BTreeMap::new(),
            pipelines: Arc::default(),
        }
    }

    /// The same with another variant.
    pub fn with_variant(self, variant: Variant) -> Self {
        Self { variant, ..self }
    }

    /// The same with at most `chunks` workgroups a dispatch, 1 to [`CHUNK_LIMIT`](Self::CHUNK_LIMIT): each workgroup
    /// walks an even share of the items.
    pub fn with_max_chunks(self, chunks: u32) -> Self {
        Self { max_chunks: chunks.clamp(1, Self::CHUNK_LIMIT), ..self }
    }

    /// The same with other choices of [`Form::LookBack`](crate::Form::LookBack).
    pub fn with_look_back(self, look_back: LookBackOptions) -> Self {
        Self { look_back, ..self }
    }

    /// The same with other sizes than the kernels' own.
    pub fn with_tuning(self, tuning: Tuning) -> Self {
        Self { tuning, ..self }
    }

    /// The same with wgpu's counter in every loop, also in loops of this crate's own modules, which are known to end.
    ///
    /// ```
    /// use gpu::{Gpu, transfer};
    /// use kernels::{Count, GpuSlice, Kernels, Scratch, Sum};
    ///
    /// let gpu = Gpu::new(&Default::default())?;
    /// let input = transfer::upload(&gpu.device, "input", &[1u32, 2, 4]);
    /// let output = transfer::storage::<u32>(&gpu.device, "output", 1);
    /// let reduce = Kernels::new(&gpu.device).with_bounded_loops().reduce::<Sum<u32>>()?;
    /// let scratch = Scratch::new(&gpu.device, reduce.scratch(3));
    /// let bound = reduce.bind(GpuSlice::whole(&input), GpuSlice::whole(&output), Count::Fixed(3), &scratch)?;
    /// # let mut encoder = gpu.device.create_command_encoder(&Default::default());
    /// # bound.encode(&mut encoder.begin_compute_pass(&Default::default()));
    /// # gpu.queue.submit([encoder.finish()]);
    /// assert_eq!(transfer::download::<u32>(&gpu, &output)?, [7]); // as without the counters
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_bounded_loops(self) -> Self {
        Self { bounded_loops: true, ..self }
    }

    /// The same with rows of at most `workgroups` workgroups, where one tile is one workgroup: less than the device allows,
    /// to test what is folded into several rows.
    pub fn with_max_row(mut self, workgroups: u32) -> Self {
        self.caps.workgroups_per_dimension = workgroups.clamp(1, self.caps.workgroups_per_dimension);
        self
    }

    /// The same with WGSL written by hand for the device item `D` in all kernels made from now on, which
    /// [`check_function`](crate::testing::check_function) compares with the Rust meaning.
    pub fn with_replacement<D: DeviceItem>(mut self, wgsl: &str) -> Self {
        self.replacements.insert(D::ITEM.path, wgsl.to_owned());
        self
    }

    /// The device.
    pub fn device(&self) -> &wgpu::Device {
        &self.device
    }

    /// Its capabilities.
    pub fn caps(&self) -> &Caps {
        &self.caps
    }

    /// The variant that primitives over items `T` run in.
    pub fn variant<T: Element>(&self) -> Result<Variant, KernelError> {
        Ok(self.variant.choose(&self.caps, wgsl::shuffles::<T>()?.is_some())?)
    }

    /// The variant asked for.
    pub fn wanted_variant(&self) -> Variant {
        self.variant
    }

    pub(crate) fn tuning(&self) -> &Tuning {
        &self.tuning
    }

    pub(crate) fn look_back(&self) -> &LookBackOptions {
        &self.look_back
    }

    /// Workgroups for at most `capacity` items in tiles of `tile` items: no more than wanted, unless an invocation would
    /// then loop too often.
    pub(crate) fn chunks(&self, capacity: u32, tile: u32) -> u32 {
        let needed = (u64::from(capacity) / (256 * MAX_ITERATIONS)) as u32;
        capacity.div_ceil(tile).clamp(1, self.max_chunks.max(needed + 1))
    }

    /// The kernel `entry` of `module` over operator `O` and `source`.
    pub(crate) fn generic<O: Operator>(
        &self,
        module: &str,
        entry: &str,
        source: &SourceText,
    ) -> Result<ComputeKernel, KernelError> {
        let kernel = self.kernel(&self.composer::<O>(source)?, module, entry)?;
        check_stride::<O::Item>(&kernel, "output")?;
        Ok(kernel)
    }

    /// A composer with the modules of operator `O` and `source`.
    pub(crate) fn composer<O: Operator>(&self, source: &SourceText) -> Result<Composer, KernelError> {
        wgsl::composer::<O>(&self.caps, self.variant::<O::Item>()?, source)
    }

    /// The kernel `entry` of `module`, compiled once for each text.
    pub(crate) fn kernel(&self, composer: &Composer, module: &str, entry: &str) -> Result<ComputeKernel, KernelError> {
        self.compiled(&self.composed(composer, module)?, entry, |segment| segment.loops_end)
    }

    /// A module with what it imports, and replacements in the place of the items that they stand for.
    pub(crate) fn composed(&self, composer: &Composer, module: &str) -> Result<Composed, KernelError> {
        Ok(if self.replacements.is_empty() {
            composer.compose(module)?
        } else {
            let mut composer = composer.clone();
            for (path, wgsl) in &self.replacements {
                composer.replace(path, &format!("{path} (replacement)"), wgsl);
            }
            composer.compose(module)?
        })
    }

    /// The kernel `entry`, compiled once for each text; `ends` says of a segment whether all its loops end.
    pub(crate) fn compiled(
        &self,
        composed: &Composed,
        entry: &str,
        ends: impl Fn(&Segment) -> bool,
    ) -> Result<ComputeKernel, KernelError> {
        let key = format!("{entry} {}\n{}", self.bounded_loops, composed.source());
        let lock = || self.pipelines.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(kernel) = lock().get(&key) {
            return Ok(kernel.clone());
        }
        let options = ComputeOptions::default().with_workgroup_memory_uncleared(true);
        let kernel = if self.bounded_loops {
            ComputeKernel::new(&self.device, composed, entry, &options)?
        } else {
            // SAFETY: `ends` goes by the promise of a library, and of other texts knows only loops that `#[kernel]` wrote: they count
            // towards a bound that does not change, in steps that do not pass it by (`kernels/src/kernel/compose.rs`).
            unsafe { ComputeKernel::with_loops_that_end(&self.device, composed, entry, &options, ends)? }
        };
        lock().insert(key, kernel.clone());
        Ok(kernel)
    }
}

/// Compares the stride of a run-time sized array with the Rust size of its elements.
pub(crate) fn check_stride<T: Element>(kernel: &ComputeKernel, binding: &str) -> Result<(), KernelError> {
    let group = kernel.layouts().group(0);
    let found = group.and_then(|group| group.bindings().iter().find(|b| b.name == binding));
    match found {
        Some(found) if found.size != size_of::<T>() as u64 => {
            Err(KernelError::ElementSize { element: T::TYPE, rust: size_of::<T>() as u64, wgsl: found.size })
        }
        _ => Ok(()),
    }
}

/// [`check_stride`] of both ends of a source.
pub(crate) fn check_source<S: Source>(kernel: &ComputeKernel) -> Result<(), KernelError> {
    check_stride::<S::Stored>(kernel, "input")
}

#[cfg(test)]
mod tests {
    use super::*;
    use gpu::{Gpu, GpuOptions};

    #[test]
    fn no_invocation_walks_more_items_than_llvmpipe_lets_it() {
        let gpu = Gpu::new(&GpuOptions::default().with_software(true)).unwrap();
        for wanted in [1, 2, 64, 1024] {
            let kernels = Kernels::new(&gpu.device).with_max_chunks(wanted);
            for tile in [1024, 2048, 2816, 3840, 4096] {
                for capacity in [0, 1, tile, tile + 1, 1 << 22, (1 << 25) + 1, 1 << 28, u32::MAX] {
                    let chunks = kernels.chunks(capacity, tile);
                    assert!((1..=Kernels::CHUNK_LIMIT).contains(&chunks));
                    let tiles = u64::from(capacity.div_ceil(tile)).div_ceil(u64::from(chunks));
                    let items = tiles * u64::from(tile) / 256;
                    assert!(items <= 2 * MAX_ITERATIONS, "{items} items of {capacity} in tiles of {tile}");
                }
            }
        }
    }
}
