//! How does the pool update on the GPU? The same passes as compute shaders, bit for bit.
//!
//! [`GpuPool`] owns the buffers and records an update into the caller's compute pass: six stages, no submit, no readback. All but
//! two are indirect: where no bisector wants to be cut and no diamond may merge, only classify and a look at what it found
//! run. Which slots are live is a [`GpuTree`] of compact layout: free slots are numbered, new ones granted and triangles drawn
//! by its ranks, and the last stage is its reduction.
//!
//! Where the priorities come from is the caller's shader: the module `terrain/pool/priority` with `fn bucket(slot: u32,
//! of_parent: bool, edge: Edge) -> u32`, its bindings in group 1. It returns the priority of the vertex that bisecting
//! a slot's bisector (or its parent) inserts in the middle of an edge. That is 0 ..= 255, as [`super::bucket_of_ratio`]
//! computes it. Larger answers count as 255.
//!
//! Two such modules come with the crate: `terrain/pool/priority_buckets` reads them from a buffer, one word a slot,
//! `bucket | bucket of the parent << 8`; `terrain/pool/priority_edge_length` computes them from an [`EdgeLength`].

mod control;
mod edge_length;

pub use control::PoolControl;
pub use edge_length::EdgeLength;

use cbt::{
    Compact, Tree,
    gpu::{Access, GpuTree, GpuTreeError, Layout, TreePasses},
};
use gpu::{
    Caps,
    pipeline::{ComputeKernel, ComputeOptions, PipelineError},
};
use kernels::{KernelError, Sum, Variant, bind_group_functions};
use shaders::{Composer, ShaderError};

use super::{BLOCK, PoolError, check_size, key::BINS};
use crate::{
    bisection::{HeapId, ROOTS, root_neighbours},
    cube::CubePoint,
};

/// Why a pool cannot be made on a device.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GpuPoolError {
    /// Size or depth cannot be.
    #[error(transparent)]
    Pool(#[from] PoolError),
    /// The caller's priority module does not compose.
    #[error(transparent)]
    Shader(#[from] ShaderError),
    /// The device rejects a pipeline or bind group.
    #[error(transparent)]
    Pipeline(#[from] PipelineError),
    /// The device rejects the tree of live slots.
    #[error(transparent)]
    Tree(#[from] GpuTreeError),
    /// The device has no form of the scans inside the passes.
    #[error(transparent)]
    Kernel(#[from] KernelError),
}

/// The buffers of a pool; all may be copied from, and bound as storage by shaders of the caller's own.
#[derive(Clone, Debug)]
pub struct PoolBuffers {
    /// One [`PoolControl`].
    pub control: wgpu::Buffer,
    /// Bit x set <=> slot x live, reduced after every update: its leaves are the live slots.
    pub tree: GpuTree,
    /// Heap id of each slot: low word, high word; zero where free.
    pub heap: wgpu::Buffer,
    /// Three opposite half-edges a slot; after all of them, six words a slot: (u, v) of its corners on its root's face.
    pub bisectors: wgpu::Buffer,
    /// Workgroups (x, y, z) of the passes count, plan and commit and of the two dispatches that reduce the tree, which are dispatched
    /// from it. After an update x is 0 for count, always, and for those others that it could do without: all where there was
    /// nothing to do. Then how many workgroups the two have when they run.
    pub arguments: wgpu::Buffer,
    marks: wgpu::Buffer,
    state: wgpu::Buffer,
    histogram: wgpu::Buffer,
    ranks: wgpu::Buffer,
}

/// The stages of an update in order. Plan allocates, too.
pub const STAGES: [&str; 6] = ["classify", "count", "decide", "plan", "commit", "reduce"];

/// How many workgroups a stage of the pool's own has.
#[derive(Clone, Copy, Debug)]
enum Workgroups {
    /// One for each block of slots.
    Blocks,
    One,
    /// As many as a group of [`PoolBuffers::arguments`] says.
    Indirect(u64),
}

/// In the order of [`STAGES`], but for the last, which is the tree's.
const WORKGROUPS: [Workgroups; 5] =
    [Workgroups::Blocks, Workgroups::Indirect(0), Workgroups::One, Workgroups::Indirect(1), Workgroups::Indirect(2)];

/// Bytes of the arguments of one indirect dispatch.
const ARGUMENT_BYTES: u64 = 12;

/// Those of the tree's reduction come after those of count, plan and commit, and it has at most so many dispatches.
const REDUCE_ARGUMENTS: u64 = 3;
const REDUCE_DISPATCHES: usize = 2;

struct Stage {
    kernel: ComputeKernel,
    /// Only what the stage uses: a buffer cannot be bound where a dispatch takes its arguments from it.
    bind_group: wgpu::BindGroup,
    /// Group 1, where the stage asks the tree or edits it.
    tree: Option<wgpu::BindGroup>,
}

/// A pool of bisectors that lives on a device: 64 bytes a slot.
///
/// ```
/// use gpu::{Gpu, GpuOptions, transfer};
/// use terrain::pool::gpu::{GpuPool, PoolControl, STAGES};
///
/// let gpu = Gpu::new(&GpuOptions::default())?;
/// let everywhere = "//!import terrain/pool/edge\nfn bucket(slot: u32, of_parent: bool, edge: Edge) -> u32 { return 9u; }";
/// let pool = GpuPool::new(&gpu.device, 64, 58, |composer| {
///     composer.bind("terrain/pool/priority", "everywhere.wgsl", everywhere);
/// })?;
/// let mut encoder = gpu.device.create_command_encoder(&Default::default());
/// pool.encode_update(&mut encoder.begin_compute_pass(&Default::default()), None);
/// gpu.queue.submit([encoder.finish()]);
/// let control: Vec<PoolControl> = transfer::download(&gpu, &pool.buffers().control)?;
/// assert_eq!((control[0].live, control[0].admitted), (12, 12)); // every root is cut in two
/// // The same pool with priorities from a buffer: all stay as they are. An update stage by stage.
/// let pool = pool.recompiled(&gpu.device, |composer| {
///     composer.bind_module("terrain/pool/priority", "terrain/pool/priority_buckets");
/// })?;
/// let buckets = transfer::upload(&gpu.device, "buckets", &vec![1u32 | 1 << 8; pool.capacity() as usize]);
/// let priority = pool.priority_bind_group(&gpu.device, 1, &[("buckets", buckets.as_entire_binding())])?;
/// pool.set_eviction_band(&gpu.queue, 16);
/// let mut encoder = gpu.device.create_command_encoder(&Default::default());
/// {
///     let mut pass = encoder.begin_compute_pass(&Default::default());
///     (0..STAGES.len()).for_each(|stage| pool.encode_stage(&mut pass, stage, Some(&priority)));
/// }
/// gpu.queue.submit([encoder.finish()]);
/// let control: Vec<PoolControl> = transfer::download(&gpu, &pool.buffers().control)?;
/// assert_eq!((control[0].live, control[0].admitted, control[0].eviction_band), (24, 0, 16));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct GpuPool {
    capacity: u32,
    passes: TreePasses,
    buffers: PoolBuffers,
    stages: Vec<Stage>,
}

impl GpuPool {
    /// A pool of `capacity` slots that holds the twelve roots.
    ///
    /// `bind_priority` binds the module `terrain/pool/priority`, to text with [`Composer::bind`] or to an embedded module
    /// with [`Composer::bind_module`].
    ///
    /// # Errors
    /// [`GpuPoolError::Pool`] as for [`super::Pool::new`]; [`GpuPoolError::Shader`] if the priority module does not
    /// compose; [`GpuPoolError::Pipeline`] if the device takes fewer storage buffers a stage than eight, or than six plus
    /// those of the priority module.
    pub fn new(
        device: &wgpu::Device,
        capacity: u64,
        max_depth: u32,
        bind_priority: impl FnOnce(&mut Composer),
    ) -> Result<Self, GpuPoolError> {
        check_size(capacity, max_depth)?;
        let capacity = capacity as u32;
        let passes = TreePasses::new(device, Layout::Compact, Variant::Auto)?;
        let buffers = PoolBuffers::roots(device, &passes, capacity, max_depth)?;
        let stages = bound(device, &buffers, kernels(device, &passes, bind_priority)?)?;
        Ok(Self { capacity, passes, buffers, stages })
    }

    /// One more pool of twelve roots, with the shaders of this one. [Bind groups](Self::priority_bind_group) of this one go with both.
    ///
    /// # Errors
    /// [`GpuPoolError::Pool`], [`GpuPoolError::Tree`], [`GpuPoolError::Pipeline`].
    pub fn another(&self, device: &wgpu::Device, capacity: u64, max_depth: u32) -> Result<Self, GpuPoolError> {
        check_size(capacity, max_depth)?;
        let (capacity, passes) = (capacity as u32, self.passes.clone());
        let buffers = PoolBuffers::roots(device, &passes, capacity, max_depth)?;
        let stages = bound(device, &buffers, self.stages.iter().map(|stage| stage.kernel.clone()).collect())?;
        Ok(Self { capacity, passes, buffers, stages })
    }

    /// The same pool with its stages compiled anew; `bind` binds the priority module as for [`new`](Self::new), and what else was edited
    /// while the program runs. The reduction of the tree stays as it is; [bind groups](Self::priority_bind_group) have to be made anew.
    ///
    /// # Errors
    /// [`GpuPoolError::Shader`], [`GpuPoolError::Pipeline`].
    pub fn recompiled(&self, device: &wgpu::Device, bind: impl FnOnce(&mut Composer)) -> Result<Self, GpuPoolError> {
        let stages = bound(device, &self.buffers, kernels(device, &self.passes, bind)?)?;
        Ok(Self { capacity: self.capacity, passes: self.passes.clone(), buffers: self.buffers.clone(), stages })
    }

    /// Number of slots.
    pub fn capacity(&self) -> u32 {
        self.capacity
    }

    /// The pool's buffers.
    pub fn buffers(&self) -> &PoolBuffers {
        &self.buffers
    }

    /// [`super::Pool::set_eviction_band`] for the updates that are submitted to `queue` from now on.
    pub fn set_eviction_band(&self, queue: &wgpu::Queue, quarter_octaves: u32) {
        let offset = std::mem::offset_of!(PoolControl, eviction_band) as u64;
        queue.write_buffer(&self.buffers.control, offset, &super::clamp_band(quarter_octaves).to_ne_bytes());
    }

    /// A bind group of the priority module's bindings in group 1 or above, by name.
    ///
    /// # Errors
    /// [`PipelineError`] for a missing or superfluous name.
    pub fn priority_bind_group(
        &self,
        device: &wgpu::Device,
        group: u32,
        resources: &[(&str, wgpu::BindingResource<'_>)],
    ) -> Result<wgpu::BindGroup, PipelineError> {
        self.stages[0].kernel.bind_group(device, group, resources)
    }

    /// Records one update: refines and coarsens by at most one level everywhere.
    ///
    /// `priority` is the group-1 bind group of the priority module, `None` if it has no bindings there; the caller sets any
    /// groups above.
    pub fn encode_update(&self, pass: &mut wgpu::ComputePass<'_>, priority: Option<&wgpu::BindGroup>) {
        for stage in 0..STAGES.len() {
            self.encode_stage(pass, stage, priority);
        }
    }

    /// Records one of the [`STAGES`], for those who time them one by one.
    ///
    /// # Panics
    /// If `stage` is not below the number of stages.
    pub fn encode_stage(&self, pass: &mut wgpu::ComputePass<'_>, stage: usize, priority: Option<&wgpu::BindGroup>) {
        let arguments = &self.buffers.arguments;
        if stage == WORKGROUPS.len() {
            let reduce = self.buffers.tree.reduce();
            return reduce.encode_indirect(pass, arguments, REDUCE_ARGUMENTS * ARGUMENT_BYTES);
        }
        let Stage { kernel, bind_group, tree } = &self.stages[stage];
        pass.set_pipeline(kernel.pipeline());
        pass.set_bind_group(0, bind_group, &[]);
        if let Some(group) = if stage == 0 { priority } else { tree.as_ref() } {
            pass.set_bind_group(1, group, &[]);
        }
        match WORKGROUPS[stage] {
            Workgroups::Blocks => pass.dispatch_workgroups(self.capacity.div_ceil(BLOCK as u32), 1, 1),
            Workgroups::One => pass.dispatch_workgroups(1, 1, 1),
            Workgroups::Indirect(group) => {
                pass.dispatch_workgroups_indirect(arguments, group * ARGUMENT_BYTES);
            }
        }
    }
}

/// The kernels of all stages but the last.
fn kernels(
    device: &wgpu::Device,
    passes: &TreePasses,
    bind: impl FnOnce(&mut Composer),
) -> Result<Vec<ComputeKernel>, GpuPoolError> {
    let mut composer = passes.composer(Access::ReadWrite).with(kernels::WGSL).with(crate::WGSL);
    bind_group_functions::<Sum<u32>>(&mut composer, &Caps::of(device), Variant::Auto)?;
    composer.unroll("SPAN", (BINS / BLOCK) as u32);
    bind(&mut composer);
    let kernel = |entry: &&str| -> Result<ComputeKernel, GpuPoolError> {
        let composed = composer.compose(&format!("terrain/pool/{entry}"))?;
        Ok(ComputeKernel::with_embedded_loops(device, &composed, entry, &ComputeOptions::default())?)
    };
    STAGES[..WORKGROUPS.len()].iter().map(kernel).collect()
}

/// Stages over the buffers of a pool.
fn bound(
    device: &wgpu::Device,
    buffers: &PoolBuffers,
    kernels: Vec<ComputeKernel>,
) -> Result<Vec<Stage>, GpuPoolError> {
    let stage = |kernel: ComputeKernel| -> Result<Stage, GpuPoolError> {
        let layouts = kernel.layouts();
        let bind_group = layouts.bind_used(device, 0, &buffers.by_name())?;
        // Classify has the caller's priorities there.
        let tree = layouts.uses(1, "cbt_sums").then(|| buffers.tree.bind_group(layouts)).transpose()?;
        Ok(Stage { kernel, bind_group, tree })
    };
    kernels.into_iter().map(stage).collect()
}

impl PoolBuffers {
    /// Buffers that hold the twelve roots in slots 0 to 11.
    fn roots(device: &wgpu::Device, passes: &TreePasses, capacity: u32, max_depth: u32) -> Result<Self, GpuPoolError> {
        let mut live = Compact::new(capacity.trailing_zeros()).map_err(GpuTreeError::from)?;
        for root in 0..ROOTS {
            live.set_bit(u64::from(root)).map_err(GpuTreeError::from)?;
        }
        live.reduce();
        let tree = passes.upload(&live)?;
        let buffer_for = |usage: wgpu::BufferUsages, label: &str, words: usize, content: &[u32]| {
            let buffer = device.create_buffer(&wgpu::BufferDescriptor {
                label: Some(label),
                size: 4 * words as u64,
                usage,
                mapped_at_creation: !content.is_empty(),
            });
            if !content.is_empty() {
                // A buffer mapped at creation can always be written, unless the device is lost.
                if let Ok(mut view) = buffer.get_mapped_range_mut(..) {
                    view.slice(..4 * content.len()).copy_from_slice(bytemuck::cast_slice(content));
                }
                buffer.unmap();
            }
            buffer
        };
        let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST;
        let buffer = |label: &str, words, content: &[u32]| buffer_for(usage, label, words, content);
        // Classify and decide say how many, and that is the only one of the three that changes.
        let mut arguments = [0, 1, 1].repeat(REDUCE_ARGUMENTS as usize + REDUCE_DISPATCHES);
        arguments.extend(tree.reduce().workgroups().map(|[x, ..]| x));
        arguments.resize(3 * (REDUCE_ARGUMENTS as usize + REDUCE_DISPATCHES) + REDUCE_DISPATCHES, 0);
        let indirect = usage | wgpu::BufferUsages::INDIRECT;
        let slots = capacity as usize;
        let heap: Vec<u32> = (0..ROOTS).flat_map(|r| [HeapId::root(r).0 as u32, 0]).collect();
        let mut bisectors: Vec<u32> = root_neighbours().iter().flatten().map(|half_edge| half_edge.0).collect();
        bisectors.resize(3 * slots, 0);
        bisectors.extend((0..ROOTS).flat_map(|r| {
            let on_face = |corner: CubePoint| corner.on(r / 2).expect("a root lies on its face");
            HeapId::root(r).triangle().0.map(on_face).into_iter().flat_map(|p| [p.u, p.v])
        }));
        let control = PoolControl {
            capacity,
            max_depth,
            eviction_band: super::DEFAULT_EVICTION_BAND,
            update: 1,
            split_from: u32::MAX,
            live: ROOTS,
            ..bytemuck::Zeroable::zeroed()
        };
        let control: [u32; 12] = bytemuck::cast(control);
        Ok(Self {
            control: buffer("pool control", control.len(), &control),
            tree,
            heap: buffer("pool heap ids", 2 * slots, &heap),
            bisectors: buffer("pool bisectors", 9 * slots, &bisectors),
            arguments: buffer_for(indirect, "pool arguments", arguments.len(), &arguments),
            marks: buffer("pool marks", 3 * slots, &[]),
            state: buffer("pool state", slots, &[]),
            histogram: buffer("pool histograms", 2 * BINS, &[]),
            ranks: buffer("pool ranks", 2 * slots.div_ceil(BLOCK) + slots, &[]),
        })
    }

    fn by_name(&self) -> [(&'static str, wgpu::BindingResource<'_>); 8] {
        [
            ("control", self.control.as_entire_binding()),
            ("heap", self.heap.as_entire_binding()),
            ("bisectors", self.bisectors.as_entire_binding()),
            ("marks", self.marks.as_entire_binding()),
            ("state", self.state.as_entire_binding()),
            ("histogram", self.histogram.as_entire_binding()),
            ("ranks", self.ranks.as_entire_binding()),
            ("arguments", self.arguments.as_entire_binding()),
        ]
    }
}
