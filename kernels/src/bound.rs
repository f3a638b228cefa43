//! What is left to do each frame? A bound primitive is a list of dispatches, encoded into the caller's pass.

use crate::{
    Count, GpuSlice, KernelError, Kernels,
    arguments::Params,
    slice::{BoundSlice, check_aliases},
};
use gpu::{Caps, pipeline::ComputeKernel, timing::Dispatches};

/// A primitive with its arguments: bind groups are made, arguments are checked. Encode it as often as wanted.
///
/// ```
/// use gpu::{Gpu, timing::timed_run, transfer};
/// use kernels::{Count, GpuSlice, Kernels, Order, Scratch};
///
/// let gpu = Gpu::new(&Default::default())?;
/// let keys = transfer::storage::<u32>(&gpu.device, "keys", 3);
/// let sort = Kernels::new(&gpu.device).sort_keys::<u32>(Order::Ascending)?;
/// let scratch = Scratch::new(&gpu.device, sort.scratch(3));
/// let bound = sort.bind_in_place(GpuSlice::whole(&keys), Count::Fixed(3), 32, &scratch)?;
/// // In a frame it is encoded into a pass of yours; here it is timed.
/// let (timings, sorted) = timed_run(&gpu, &[(&keys, bytemuck::bytes_of(&[3u32, 1, 2]))], &bound, &[&keys])?;
/// assert_eq!((sorted, timings.bytes_up), (vec![vec![1, 2, 3]], 12));
/// assert!(timings.spans.len() <= bound.dispatches());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct BoundKernel {
    pub(crate) dispatches: Vec<Dispatch>,
}

/// One dispatch.
#[derive(Clone, Debug)]
pub(crate) struct Dispatch {
    pub label: &'static str,
    kernel: ComputeKernel,
    group: wgpu::BindGroup,
    /// Columns and rows.
    workgroups: [u32; 2],
    /// Where the device finds both instead.
    indirect: Option<wgpu::Buffer>,
}

impl BoundKernel {
    /// Records the dispatches. Nothing is submitted, mapped or written from the host.
    pub fn encode(&self, pass: &mut wgpu::ComputePass<'_>) {
        self.encode_each(pass, &mut |_, _| {});
    }

    /// Number of dispatches.
    pub fn dispatches(&self) -> usize {
        self.dispatches.len()
    }
}

impl Dispatches for BoundKernel {
    fn dispatches(&self) -> usize {
        self.dispatches.len()
    }

    fn encode_each(
        &self,
        pass: &mut wgpu::ComputePass<'_>,
        after: &mut dyn FnMut(&mut wgpu::ComputePass<'_>, &'static str),
    ) {
        for dispatch in &self.dispatches {
            dispatch.encode(pass);
            after(pass, dispatch.label);
        }
    }
}

impl Dispatch {
    pub fn new(label: &'static str, kernel: &ComputeKernel, group: wgpu::BindGroup, workgroups: u32) -> Self {
        Self::folded(label, kernel, group, [workgroups, 1])
    }

    /// Workgroups in columns and rows.
    pub fn folded(label: &'static str, kernel: &ComputeKernel, group: wgpu::BindGroup, workgroups: [u32; 2]) -> Self {
        Self { label, kernel: kernel.clone(), group, workgroups, indirect: None }
    }

    /// As many workgroups as the first three words of a buffer say when it runs.
    pub fn indirect(label: &'static str, kernel: &ComputeKernel, group: wgpu::BindGroup, counts: wgpu::Buffer) -> Self {
        Self { indirect: Some(counts), ..Self::folded(label, kernel, group, [0; 2]) }
    }

    pub fn encode(&self, pass: &mut wgpu::ComputePass<'_>) {
        pass.set_pipeline(self.kernel.pipeline());
        pass.set_bind_group(0, &self.group, &[]);
        match &self.indirect {
            Some(counts) => pass.dispatch_workgroups_indirect(counts, 0),
            None => pass.dispatch_workgroups(self.workgroups[0], self.workgroups[1], 1),
        }
    }
}

/// A count as bound: a slice of the caller's buffer, or the capacity in the parameters themselves.
#[derive(Clone, Debug)]
pub(crate) struct BoundCount<'a>(Option<BoundSlice<'a>>);

impl<'a> BoundCount<'a> {
    pub const FIXED: Self = Self(None);

    pub fn of(count: Count<'a>, caps: &Caps) -> Result<Self, KernelError> {
        Ok(Self(match count {
            Count::Fixed(_) => None,
            Count::Gpu { buffer, index, .. } => {
                Some(BoundSlice::of("count", GpuSlice::<u32>::new(buffer, index, 1), false, caps)?)
            }
        }))
    }

    pub fn slice(&self) -> Option<&BoundSlice<'a>> {
        self.0.as_ref()
    }
}

/// Arguments of a primitive, checked against each other and against the scratch.
pub(crate) fn check_arguments(
    slices: &[&BoundSlice<'_>],
    count: &BoundCount<'_>,
    scratch: Option<&wgpu::Buffer>,
) -> Result<(), KernelError> {
    let all: Vec<_> = slices.iter().copied().chain(count.slice()).collect();
    check_aliases(&all)?;
    match all.iter().find(|slice| Some(slice.buffer) == scratch) {
        Some(slice) => Err(KernelError::SameBuffer { read: slice.name, written: "scratch" }),
        None => Ok(()),
    }
}

/// Makes a step of one workgroup for each of `tiles` tiles: in several rows where the device allows no row as long.
pub(crate) fn dispatch_of_tiles(
    kernels: &Kernels,
    label: &'static str,
    kernel: &ComputeKernel,
    params: Params,
    count: &BoundCount<'_>,
    tiles: u32,
    resources: &[(&str, wgpu::BindingResource<'_>)],
) -> Result<Dispatch, KernelError> {
    let rows = tiles.div_ceil(kernels.caps().workgroups_per_dimension).max(1);
    let columns = tiles.div_ceil(rows).max(1);
    let params = Params { chunks: columns, ..params };
    Ok(Dispatch {
        workgroups: [columns, rows],
        ..dispatch(kernels.device(), label, kernel, params, count, columns, resources)?
    })
}

/// Makes a step: the parameter buffer is filled here, once, while it is mapped.
pub(crate) fn dispatch(
    device: &wgpu::Device,
    label: &'static str,
    kernel: &ComputeKernel,
    mut params: Params,
    count: &BoundCount<'_>,
    workgroups: u32,
    resources: &[(&str, wgpu::BindingResource<'_>)],
) -> Result<Dispatch, KernelError> {
    params.count_index = count.slice().map_or(0, |slice| slice.first);
    let buffer = uniform(device, label, bytemuck::bytes_of(&params));
    let count = count.slice().map_or_else(|| buffer.as_entire_binding(), BoundSlice::resource);
    let uses = |name: &str| kernel.layouts().uses(0, name);
    let mut all = vec![("params", buffer.as_entire_binding())];
    // Passes that treat everything have no use for the count.
    if uses("count") {
        all.push(("count", count));
    }
    all.extend(resources.iter().cloned());
    // A kernel that moves four elements at a time sees its input and output a second time, as vectors. Memory too short
    // for a vector is never seen so: anything long enough may stand in, of the same kind of access.
    let twice =
        [("input4", "input", "params"), ("output4", "output", "carries"), ("keys_in4", "keys_in", "tile_states")];
    for (vectors, elements, stand_in) in twice {
        if uses(vectors) {
            let found = |name| all.iter().find(|(given, _)| *given == name).map(|(_, resource)| resource.clone());
            let long_enough = found(elements).filter(|resource| bound_bytes(resource) >= 16);
            all.extend(long_enough.or_else(|| found(stand_in)).map(|resource| (vectors, resource)));
        }
    }
    let group = kernel.bind_group(device, 0, &all)?;
    Ok(Dispatch::new(label, kernel, group, workgroups))
}

fn bound_bytes(resource: &wgpu::BindingResource<'_>) -> u64 {
    match resource {
        wgpu::BindingResource::Buffer(binding) => {
            binding.size.map_or(binding.buffer.size() - binding.offset, std::num::NonZeroU64::get)
        }
        _ => 0,
    }
}

/// A small constant buffer, bindable as uniform and as read-only storage.
pub(crate) fn uniform(device: &wgpu::Device, label: &str, bytes: &[u8]) -> wgpu::Buffer {
    let buffer = device.create_buffer(&wgpu::BufferDescriptor {
        label: Some(label),
        size: bytes.len() as u64,
        usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::STORAGE,
        mapped_at_creation: true,
    });
    // A buffer mapped at creation can always be written, unless the device is lost: then nothing matters any more.
    if let Ok(mut view) = buffer.slice(..).get_mapped_range_mut() {
        view.copy_from_slice(bytes);
    }
    buffer.unmap();
    buffer
}
