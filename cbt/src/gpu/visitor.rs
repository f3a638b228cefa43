//! How does a user's function see every leaf? The pass of `shaders/cbt/visit.wgsl` around it.

use kernels::pipeline::ComputeKernel;
use shaders::Composer;

use super::GpuTreeError;
use super::passes::options;

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
}

impl Visitor {
    pub(super) fn new(device: &wgpu::Device, composer: &Composer) -> Result<Self, GpuTreeError> {
        let composed = composer.compose("cbt/visit")?;
        Ok(Self { kernel: ComputeKernel::with_embedded_loops(device, &composed, "visit_leaves", &options())? })
    }

    pub(super) fn kernel(&self) -> &ComputeKernel {
        &self.kernel
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
