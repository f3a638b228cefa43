//! How does a user's function see every leaf? The passes of `shaders/cbt/visit.wgsl` and `visit_small.wgsl` around it.

use gpu::pipeline::ComputeKernel;
use shaders::Composer;

use super::GpuTreeError;
use super::library::options;

/// A pass that calls a WGSL function for every leaf: see [`TreePasses::visitor`](super::TreePasses::visitor).
///
/// ```no_run
/// # fn f(visitor: &cbt::gpu::Visitor, device: &wgpu::Device, buffer: &wgpu::Buffer) -> Result<(), cbt::gpu::GpuTreeError> {
/// let mine = visitor.bind_group(device, &[("deepest", buffer.as_entire_binding())])?;
/// # Ok(()) }
/// ```
#[derive(Clone, Debug)]
pub struct Visitor {
    kernel: ComputeKernel,
    /// For trees of which a workgroup takes no more than 2^[`SMALL_LOG2`] bits.
    small: Option<SmallTreeKernel>,
}

/// Bits of a workgroup of the pass for few bits at most, log2.
const SMALL_LOG2: u32 = 8;

#[derive(Clone, Debug)]
struct SmallTreeKernel {
    kernel: ComputeKernel,
    /// Lanes of the smallest subgroup: one for each word of a tile, and for each of its ancestors.
    lanes: u32,
}

impl Visitor {
    /// `lanes` are those of the smallest subgroup where few bits have a pass of their own, which a device that runs workgroups one
    /// after the other has no use for.
    pub(super) fn new(device: &wgpu::Device, composer: &Composer, lanes: Option<u32>) -> Result<Self, GpuTreeError> {
        let kernel = |module| -> Result<ComputeKernel, GpuTreeError> {
            let composed = composer.compose(module)?;
            Ok(ComputeKernel::with_embedded_loops(device, &composed, "visit_leaves", &options())?)
        };
        let small = match lanes {
            Some(lanes) if lanes >= 8 => Some(SmallTreeKernel { kernel: kernel("cbt/visit_small")?, lanes }),
            _ => None,
        };
        Ok(Self { kernel: kernel("cbt/visit")?, small })
    }

    /// The kernel whose workgroups take nodes of `height` in a tree of `depth`.
    pub(super) fn kernel(&self, height: u32, depth: u32) -> &ComputeKernel {
        let fits = |small: &&SmallTreeKernel| {
            height <= SMALL_LOG2 && (1 << height) / 32 <= small.lanes && depth - height < small.lanes
        };
        self.small.as_ref().filter(fits).map_or(&self.kernel, |small| &small.kernel)
    }

    /// The bind group of the visitor's own bindings, group 2, by their names in WGSL.
    ///
    /// # Errors
    /// [`GpuTreeError::Pipeline`] if one is missing, superfluous or refused.
    ///
    /// ```no_run
    /// # fn f(visitor: &cbt::gpu::Visitor, device: &wgpu::Device, buffer: &wgpu::Buffer) -> Result<(), cbt::gpu::GpuTreeError> {
    /// let mine = visitor.bind_group(device, &[("deepest", buffer.as_entire_binding())])?;
    /// # Ok(()) }
    /// ```
    pub fn bind_group(
        &self,
        device: &wgpu::Device,
        resources: &[(&str, wgpu::BindingResource<'_>)],
    ) -> Result<wgpu::BindGroup, GpuTreeError> {
        Ok(self.kernel.bind_group(device, 2, resources)?)
    }
}
