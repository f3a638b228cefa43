//! Which pipelines does a tree need? Made once for a device and a layout.

use std::sync::{Arc, OnceLock};

use gpu::Caps;
use gpu::pipeline::ComputeKernel;
use kernels::Variant;
use shaders::Composer;

use super::library::{self, options};
use super::{GpuTreeError, Layout, Visitor};

/// How a shader of your own binds the tree.
///
/// ```
/// assert_ne!(cbt::gpu::Access::ReadWrite, cbt::gpu::Access::ReadOnly);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Access {
    /// Atomic words that threads may edit; compute shaders only.
    ReadWrite,
    /// Read-only, in any stage.
    ReadOnly,
}

/// The pipelines of trees of one layout on one device. Cheap to clone.
///
/// ```
/// use cbt::gpu::{Layout, TreePasses};
/// use gpu::{Gpu, GpuOptions};
/// use kernels::Variant;
/// let gpu = Gpu::new(&GpuOptions::default())?;
/// let passes = TreePasses::new(&gpu.device, Layout::Classic, Variant::Portable)?;
/// assert_eq!((passes.layout(), passes.variant()), (Layout::Classic, Variant::Portable));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct TreePasses {
    pub(super) shared: Arc<Pipelines>,
}

/// What [`TreePasses`] share.
#[derive(Debug)]
pub(super) struct Pipelines {
    pub(super) device: wgpu::Device,
    pub(super) layout: Layout,
    variant: Variant,
    /// Whether the device is a CPU, where workgroups run one after the other.
    pub(super) software: bool,
    /// Lanes of the smallest subgroup, where passes use them and workgroups run side by side.
    lanes: Option<u32>,
    /// By module and entry point, each made when it is first asked for.
    kernels: [OnceLock<ComputeKernel>; PASSES],
    decode: OnceLock<Visitor>,
}

/// A pass of the tree's own that is not a visitor.
#[derive(Clone, Copy, Debug)]
pub(super) enum Pass {
    Reset,
    Apply,
    /// From the bits.
    ReduceBlocks,
    /// From what [`Pass::ReduceBlocks`] has left.
    ReduceTop,
    /// From the bits of a small tree.
    ReduceSmall,
    /// From the bits of others.
    ReduceBits,
    /// From what [`Pass::ReduceBits`] has left.
    ReduceSums,
}

const PASSES: usize = 7;

impl Pass {
    /// Module and entry point.
    const fn place(self) -> (&'static str, &'static str) {
        match self {
            Self::Reset => ("cbt/reset", "reset_bits"),
            Self::Apply => ("cbt/apply", "apply_edits"),
            Self::ReduceBlocks => ("cbt/compact/reduce", "reduce_blocks"),
            Self::ReduceTop => ("cbt/compact/reduce", "reduce_top"),
            Self::ReduceSmall => ("cbt/classic/reduce_small", "reduce_small"),
            Self::ReduceBits => ("cbt/classic/reduce_bits", "reduce_bits"),
            Self::ReduceSums => ("cbt/classic/reduce_sums", "reduce_sums"),
        }
    }
}

impl Pipelines {
    /// The pipeline of a pass, compiled at the first call.
    pub(super) fn kernel(&self, pass: Pass) -> Result<ComputeKernel, GpuTreeError> {
        let slot = &self.kernels[pass as usize];
        if let Some(kernel) = slot.get() {
            return Ok(kernel.clone());
        }
        let (module, entry) = pass.place();
        let composed = composer(self.layout, self.variant, Access::ReadWrite).compose(module)?;
        let kernel = ComputeKernel::with_embedded_loops(&self.device, &composed, entry, &options())?;
        // Two threads may come here at once: the first one's is kept.
        let _first = slot.set(kernel.clone());
        Ok(kernel)
    }

    /// The visitor that writes a list, compiled at the first call.
    pub(super) fn decode(&self) -> Result<Visitor, GpuTreeError> {
        if let Some(visitor) = self.decode.get() {
            return Ok(visitor.clone());
        }
        let mut composer = composer(self.layout, self.variant, Access::ReadOnly);
        composer.bind_module("cbt/visitor", "cbt/visitor/list");
        let visitor = Visitor::new(&self.device, &composer, self.lanes)?;
        let _first = self.decode.set(visitor.clone());
        Ok(visitor)
    }
}

impl TreePasses {
    /// Chooses the form of the passes. Each is compiled when an operation first asks for it, which then says if the device refuses it.
    ///
    /// # Errors
    /// [`GpuTreeError::Variant`] if the device cannot run the variant.
    ///
    /// ```
    /// use cbt::gpu::{Layout, TreePasses};
    /// use gpu::{Gpu, GpuOptions};
    /// use kernels::Variant;
    /// let gpu = Gpu::new(&GpuOptions::default().with_disable_subgroups(true))?;
    /// assert!(TreePasses::new(&gpu.device, Layout::Compact, Variant::Subgroup).is_err());
    /// assert!(TreePasses::new(&gpu.device, Layout::Compact, Variant::Auto).is_ok());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(device: &wgpu::Device, layout: Layout, variant: Variant) -> Result<Self, GpuTreeError> {
        Self::for_device(device, layout, variant, Caps::of(device).is_software())
    }

    /// As [`new`](Self::new), for a device that is a CPU or for one that is not.
    pub(super) fn for_device(
        device: &wgpu::Device,
        layout: Layout,
        variant: Variant,
        software: bool,
    ) -> Result<Self, GpuTreeError> {
        let caps = Caps::of(device);
        let variant = variant.choose(&caps, true)?;
        let has_lanes = variant == Variant::Subgroup && !software;
        let lanes = caps.subgroups.filter(|_| has_lanes).map(|sizes| sizes.min);
        let (kernels, decode) = (Default::default(), OnceLock::new());
        let shared = Pipelines { device: device.clone(), layout, variant, software, lanes, kernels, decode };
        Ok(Self { shared: Arc::new(shared) })
    }

    /// The layout of the trees.
    ///
    /// ```no_run
    /// # fn f(passes: &cbt::gpu::TreePasses) {
    /// println!("{}", passes.layout().name());
    /// # }
    /// ```
    #[must_use]
    pub fn layout(&self) -> Layout {
        self.shared.layout
    }

    /// The variant that runs: [`Variant::Portable`] or [`Variant::Subgroup`].
    ///
    /// ```no_run
    /// # fn f(passes: &cbt::gpu::TreePasses) {
    /// println!("{}", passes.variant());
    /// # }
    /// ```
    #[must_use]
    pub fn variant(&self) -> Variant {
        self.shared.variant
    }

    /// A composer for shaders of your own, in which `cbt/tree` and `cbt/edit` (with [`Access::ReadWrite`]) mean trees
    /// of this layout. The one below splits every leaf of a tree of [`Layout::Classic`]; in one of [`Layout::Compact`] leaves have no numbers
    /// while others are edited.
    ///
    /// ```no_run
    /// # fn f(passes: &cbt::gpu::TreePasses) -> Result<(), shaders::ShaderError> {
    /// let mut composer = passes.composer(cbt::gpu::Access::ReadWrite);
    /// composer.bind("mine/grow", "grow.wgsl", "
    /// //!import cbt/edit
    /// @compute @workgroup_size(64) fn grow(@builtin(global_invocation_id) id: vec3u) {
    ///     if id.x < cbt_leaf_count() { cbt_split(cbt_leaf(id.x)); }
    /// }");
    /// let shader = composer.compose("mine/grow")?;
    /// # Ok(()) }
    /// ```
    #[must_use]
    pub fn composer(&self, access: Access) -> Composer {
        composer(self.shared.layout, self.shared.variant, access)
    }

    /// A pass that calls your WGSL functions `visit(index: u32, leaf: u32)`, for each leaf, and `visit_end(rank: u32)`, at the end of
    /// each of the 256 invocations of a workgroup, all together.
    ///
    /// Bindings of your own go to group 2. `file` is what errors call the text.
    ///
    /// # Errors
    /// [`GpuTreeError::Shader`] with the place in your text; [`GpuTreeError::Pipeline`].
    ///
    /// ```no_run
    /// # fn f(passes: &cbt::gpu::TreePasses) -> Result<(), cbt::gpu::GpuTreeError> {
    /// let visitor = passes.visitor("deepest.wgsl", "
    /// @group(2) @binding(0) var<storage, read_write> deepest: atomic<u32>;
    /// fn visit(index: u32, leaf: u32) { atomicMax(&deepest, cbt_node_depth(leaf)); }
    /// fn visit_end(rank: u32) {}")?;
    /// # Ok(()) }
    /// ```
    pub fn visitor(&self, file: &str, text: &str) -> Result<Visitor, GpuTreeError> {
        let mut composer = self.composer(Access::ReadOnly);
        composer.bind("cbt/visitor", file, text);
        Visitor::new(&self.shared.device, &composer, self.shared.lanes)
    }
}

/// A composer in which the virtual modules of `shaders/cbt` are those of a layout, a variant and an access.
fn composer(layout: Layout, variant: Variant, access: Access) -> Composer {
    let layout = layout.name();
    let storage = if access == Access::ReadWrite { "read_write" } else { "read_only" };
    let form = if variant == Variant::Subgroup { "subgroup" } else { "portable" };
    let mut composer = library::composer();
    composer
        .bind_module("cbt/layout", &format!("cbt/{layout}/layout"))
        .bind_module("cbt/storage", &format!("cbt/{layout}/{storage}"))
        .bind_module("cbt/scan", &format!("cbt/scan/{form}"))
        .bind_module("cbt/shuffle_up", &format!("cbt/shuffle_up/{form}"))
        .bind_module("cbt/pairs", &format!("cbt/pairs/{form}"));
    composer
}
