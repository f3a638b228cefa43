//! How is a kernel made for a device, and bound to its arguments?

use super::{
    Arguments, Description, LoopKernel,
    compose::{self, Entries},
};
use crate::{
    BoundKernel, Count, GpuSlice, IndirectRequest, KernelError, Kernels, PrepareIndirect, Variant, bound::Dispatch,
    wgsl::shuffled,
};
use gpu::pipeline::ComputeKernel;
use std::marker::PhantomData;

/// Items that an invocation of a kernel with totals has at least, so that not more than needed has to be joined.
const ITEMS_PER_INVOCATION: u32 = 4;

/// A kernel made from loops, compiled for a device. [`Kernels::plan`] makes it.
///
/// ```
/// use gpu::{Gpu, transfer};
/// use kernels::{GpuSlice, Kernels, kernel};
///
/// #[kernel]
/// fn double(x: &mut [u32]) {
///     for i in 0..x.len() as u32 {
///         x[i as usize] *= 2;
///     }
/// }
///
/// let gpu = Gpu::new(&Default::default())?;
/// let kernels = Kernels::new(&gpu.device);
/// let x = transfer::upload(&gpu.device, "x", &[1u32, 2, 3]);
/// let plan = kernels.plan_with::<double>([128, 1, 1])?; // `plan` takes the workgroup of the annotation
/// let bound = plan.bind((GpuSlice::whole(&x),))?;
/// let mut encoder = gpu.device.create_command_encoder(&Default::default());
/// bound.encode(&mut encoder.begin_compute_pass(&Default::default()));
/// gpu.queue.submit([encoder.finish()]);
/// assert_eq!(transfer::download::<u32>(&gpu, &x)?, [2, 4, 6]);
/// assert!(plan.workgroup() == [128, 1, 1] && plan.wgsl().contains("@workgroup_size"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct KernelPlan<K: LoopKernel> {
    kernels: Kernels,
    workgroup: [u32; 3],
    variant: Variant,
    wgsl: String,
    items: ComputeKernel,
    totals: Option<ComputeKernel>,
    begin: Option<ComputeKernel>,
    indirect: Option<PrepareIndirect>,
    kernel: PhantomData<fn() -> K>,
}

impl<K: LoopKernel> Clone for KernelPlan<K> {
    fn clone(&self) -> Self {
        Self {
            kernels: self.kernels.clone(),
            workgroup: self.workgroup,
            variant: self.variant,
            wgsl: self.wgsl.clone(),
            items: self.items.clone(),
            totals: self.totals.clone(),
            begin: self.begin.clone(),
            indirect: self.indirect.clone(),
            kernel: PhantomData,
        }
    }
}

impl<K: LoopKernel> std::fmt::Debug for KernelPlan<K> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct(K::DESCRIPTION.name).field("workgroup", &self.workgroup).field("variant", &self.variant).finish()
    }
}

impl Kernels {
    /// The kernel `K` for this device, in workgroups of the size that its source says, or of a common one.
    pub fn plan<K: LoopKernel>(&self) -> Result<KernelPlan<K>, KernelError> {
        let Description { dimensions, workgroup, totals, is_tiled, .. } = K::DESCRIPTION;
        let wanted = workgroup.unwrap_or(match (dimensions, totals.is_empty() || *is_tiled) {
            (1, _) | (_, false) => [256, 1, 1],
            (2, _) => [16, 16, 1],
            _ => [8, 8, 4],
        });
        self.plan_with(wanted)
    }

    /// The kernel `K` in workgroups of so many invocations in x, y and z: along the innermost loop and outwards.
    pub fn plan_with<K: LoopKernel>(&self, workgroup: [u32; 3]) -> Result<KernelPlan<K>, KernelError> {
        let description = K::DESCRIPTION;
        let workgroup = self.fitting(description, workgroup)?;
        let variant = self.form(description, workgroup)?;
        let composer = compose::composer::<K>(self, workgroup, variant)?;
        let composed = self.composed(&composer, compose::MODULE)?;
        let compiled = |entry: &str| self.compiled(&composed, entry, |segment| compose::loops_end(segment, K::WGSL));
        let entries = Entries::of(description.name);
        let items = compiled(&entries.items)?;
        let totals = (!description.totals.is_empty()).then(|| compiled(&entries.totals)).transpose()?;
        let is_cleared = description.list.as_ref().is_some_and(|list| list.is_cleared);
        let begin = is_cleared.then(|| compiled(&entries.begin)).transpose()?;
        let has_indirect = description.count.is_some() && totals.is_none();
        let indirect = has_indirect.then(|| self.prepare_indirect()).transpose()?;
        check_strides(description, &items)?;
        if let Some(totals) = &totals {
            check_strides(description, totals)?;
        }
        Ok(KernelPlan {
            kernels: self.clone(),
            workgroup,
            variant,
            wgsl: composed.source().to_owned(),
            items,
            totals,
            begin,
            indirect,
            kernel: PhantomData,
        })
    }

    /// A workgroup that the device can run: totals take workgroup memory.
    fn fitting(&self, description: &Description, mut workgroup: [u32; 3]) -> Result<[u32; 3], KernelError> {
        let caps = self.caps();
        let invocations = |workgroup: [u32; 3]| workgroup.iter().fold(1, |all: u64, n| all.saturating_mul((*n).into()));
        if !description.totals.is_empty() {
            // Items of no tiles are taken one by one, of whatever shape the space is.
            if !description.is_tiled {
                workgroup = [invocations(workgroup).min(1 << 16) as u32, 1, 1];
            }
            if !invocations(workgroup).is_power_of_two() {
                return Err(KernelError::Workgroup { given: workgroup, why: "with totals it is a power of two" });
            }
            let bytes: u64 = description.totals.iter().map(|total| total.bytes as u64).sum();
            while invocations(workgroup) > 1 && invocations(workgroup) * bytes > u64::from(caps.workgroup_memory_bytes)
            {
                let longest = (0..3).max_by_key(|axis| workgroup[*axis]).unwrap_or(0);
                workgroup[longest] /= 2;
            }
        }
        let given = workgroup;
        if invocations(given) > u64::from(caps.workgroup_invocations) || given[2] > 64 {
            return Err(KernelError::Workgroup { given, why: "the device has smaller workgroups" });
        }
        if description.dimensions < 3 && given[2] > 1 || description.dimensions < 2 && given[1] > 1 {
            return Err(KernelError::Workgroup { given, why: "it has more dimensions than the kernel has loops" });
        }
        Ok(given)
    }

    /// How workgroups combine totals.
    fn form(&self, description: &Description, workgroup: [u32; 3]) -> Result<Variant, KernelError> {
        if description.totals.is_empty() {
            return Ok(Variant::Portable);
        }
        let mut possible = true;
        for total in description.totals.iter().filter(|total| total.subgroup.is_empty()) {
            possible &= shuffled(total.ty, total.declaration, "subgroupShuffleXor", "distance")?.is_some();
        }
        let variant = self.wanted_variant().choose(self.caps(), possible)?;
        // A subgroup with invocations missing has nobody to exchange with.
        let invocations: u32 = workgroup.iter().product();
        let whole = self.caps().subgroups.is_some_and(|sizes| invocations.is_multiple_of(sizes.max.max(1)));
        Ok(if whole { variant } else { Variant::Portable })
    }
}

fn check_strides(description: &Description, kernel: &ComputeKernel) -> Result<(), KernelError> {
    let bindings = kernel.layouts().group(0).map(|group| group.bindings()).unwrap_or_default();
    for (name, element, size) in description.strides {
        let found = bindings.iter().find(|binding| binding.name == *name);
        if let Some(found) = found.filter(|found| found.size != *size as u64) {
            return Err(KernelError::ElementSize { element, rust: *size as u64, wgsl: found.size });
        }
    }
    Ok(())
}

impl<K: LoopKernel> KernelPlan<K> {
    /// The WGSL that runs, in full.
    pub fn wgsl(&self) -> &str {
        &self.wgsl
    }

    /// Invocations of a workgroup in x, y and z.
    pub fn workgroup(&self) -> [u32; 3] {
        self.workgroup
    }

    /// How totals are combined: `Subgroup` or `Portable`.
    pub fn variant(&self) -> Variant {
        self.variant
    }

    /// Binds the arguments, in the order of the function's. What is read and what is written lie in different buffers, and
    /// places are inside of what is written. Of a total the first element counts.
    pub fn bind(&self, arguments: K::Device<'_>) -> Result<BoundKernel, KernelError> {
        let (device, caps, description) = (self.kernels.device(), self.kernels.caps(), K::DESCRIPTION);
        let mut collected = Arguments::new(device, caps);
        K::arguments(arguments, &mut collected)?;
        collected.check_aliases()?;
        let mut dispatches = Vec::new();
        if let Some(begin) = &self.begin {
            let group = self.group(begin, &collected, &[], None)?;
            dispatches.push(Dispatch::new(description.name, begin, group, 1));
        }
        if let Some(totals) = &self.totals {
            let invocations: u32 = self.workgroup.iter().product();
            let chunks = self.kernels.chunks(collected.items(), invocations * ITEMS_PER_INVOCATION);
            let uniform = collected.uniform(description.name, chunks, 1);
            let parts: Vec<wgpu::Buffer> =
                description.totals.iter().map(|total| parts(device, total.name, chunks, total.bytes)).collect();
            let group = self.group(&self.items, &collected, &parts, Some(&uniform))?;
            dispatches.push(Dispatch::new(description.name, &self.items, group, chunks));
            let group = self.group(totals, &collected, &parts, Some(&uniform))?;
            dispatches.push(Dispatch::new("totals", totals, group, 1));
            return Ok(BoundKernel { dispatches });
        }
        let [x, y, z]: [u32; 3] = std::array::from_fn(|i| collected.lengths()[i].div_ceil(self.workgroup[i]));
        let uniform = collected.uniform(description.name, x.max(1), y.max(1));
        let group = self.group(&self.items, &collected, &[], Some(&uniform))?;
        if let (Some(prepare), Some(Count::Gpu { buffer, index, capacity })) = (&self.indirect, collected.count) {
            let counts = device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("workgroups"),
                size: 12,
                usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::INDIRECT,
                mapped_at_creation: false,
            });
            let request = IndirectRequest {
                count_index: index,
                capacity,
                items_per_workgroup: self.workgroup[0],
                arguments_index: 0,
            };
            let known = GpuSlice::new(buffer, 0, index + 1);
            dispatches.extend(prepare.bind(&[request], known, GpuSlice::whole(&counts))?.dispatches);
            dispatches.push(Dispatch::indirect(description.name, &self.items, group, counts));
            return Ok(BoundKernel { dispatches });
        }
        let limit = u64::from(caps.workgroups_per_dimension);
        let workgroups = u64::from(x) * u64::from(y) * u64::from(z);
        let rows = workgroups.div_ceil(limit).max(1);
        if rows > limit {
            return Err(KernelError::TooManyItems {
                what: "a dispatch of workgroups",
                asked: workgroups,
                limit: limit * limit,
            });
        }
        let columns = workgroups.div_ceil(rows);
        dispatches.push(Dispatch::folded(description.name, &self.items, group, [columns as u32, rows as u32]));
        Ok(BoundKernel { dispatches })
    }

    /// The bind group of an entry point: what it uses of all there is.
    fn group(
        &self,
        kernel: &ComputeKernel,
        arguments: &Arguments<'_>,
        parts: &[wgpu::Buffer],
        uniform: Option<&wgpu::Buffer>,
    ) -> Result<wgpu::BindGroup, KernelError> {
        let mut all: Vec<(String, wgpu::BindingResource<'_>)> = Vec::new();
        all.extend(uniform.map(|uniform| ("arguments".to_owned(), uniform.as_entire_binding())));
        all.extend(arguments.structures.iter().map(|(name, buffer)| ((*name).to_owned(), buffer.as_entire_binding())));
        all.extend(arguments.slices.iter().map(|(name, slice)| (name.clone(), slice.resource())));
        all.extend(arguments.fixed_count.iter().map(|(name, word)| (name.clone(), word.as_entire_binding())));
        for ((total, slice), parts) in K::DESCRIPTION.totals.iter().zip(&arguments.totals).zip(parts) {
            all.push((format!("{}_out", total.name), slice.resource()));
            all.push((format!("{}_parts", total.name), parts.as_entire_binding()));
        }
        let all: Vec<_> = all.iter().map(|(name, resource)| (name.as_str(), resource.clone())).collect();
        Ok(kernel.layouts().bind_used(self.kernels.device(), 0, &all)?)
    }
}

/// Room for what the workgroups reduced.
fn parts(device: &wgpu::Device, label: &str, chunks: u32, bytes: usize) -> wgpu::Buffer {
    let size = u64::from(chunks) * bytes as u64;
    let usage = wgpu::BufferUsages::STORAGE;
    device.create_buffer(&wgpu::BufferDescriptor { label: Some(label), size, usage, mapped_at_creation: false })
}
