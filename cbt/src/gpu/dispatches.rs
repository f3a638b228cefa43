//! What is there left to do when everything is bound? A list of dispatches, recorded into the caller's pass.

use gpu::pipeline::ComputeKernel;

/// Workgroups of one row of a dispatch; more are laid out in rows, which the shaders put together again.
const ROW: u32 = 1 << 15;

/// An operation on a tree, bound to its buffers. Record it as often as wanted; its dispatches follow each other in order.
///
/// ```no_run
/// # fn f(reduce: &cbt::gpu::Dispatches, encoder: &mut wgpu::CommandEncoder) {
/// let mut pass = encoder.begin_compute_pass(&Default::default());
/// reduce.encode(&mut pass);
/// # }
/// ```
#[derive(Clone, Debug, Default)]
pub struct Dispatches {
    steps: Vec<Dispatch>,
}

#[derive(Clone, Debug)]
struct Dispatch {
    pipeline: wgpu::ComputePipeline,
    groups: Vec<(u32, wgpu::BindGroup)>,
    workgroups: [u32; 2],
}

impl Dispatch {
    fn bind(&self, pass: &mut wgpu::ComputePass<'_>) {
        pass.set_pipeline(&self.pipeline);
        for (index, group) in &self.groups {
            pass.set_bind_group(*index, group, &[]);
        }
    }
}

impl Dispatches {
    /// Appends a dispatch of at least `workgroups` workgroups (a few more where they fill rows: the shader knows how many count).
    pub(super) fn push(&mut self, kernel: &ComputeKernel, groups: Vec<(u32, wgpu::BindGroup)>, workgroups: u32) {
        let workgroups = [workgroups.min(ROW), workgroups.div_ceil(ROW)];
        self.steps.push(Dispatch { pipeline: kernel.pipeline().clone(), groups, workgroups });
    }

    /// Appends what another operation does.
    pub(super) fn append(&mut self, other: &Self) {
        self.steps.extend_from_slice(&other.steps);
    }

    /// Records the dispatches. Nothing is submitted, mapped or written from the host.
    ///
    /// ```no_run
    /// # fn f(decode: &cbt::gpu::Dispatches, pass: &mut wgpu::ComputePass<'_>) {
    /// decode.encode(pass);
    /// # }
    /// ```
    pub fn encode(&self, pass: &mut wgpu::ComputePass<'_>) {
        for step in &self.steps {
            step.bind(pass);
            pass.dispatch_workgroups(step.workgroups[0], step.workgroups[1], 1);
        }
    }

    /// Workgroups of each dispatch, as the arguments of an indirect one.
    ///
    /// ```no_run
    /// # fn f(tree: &cbt::gpu::GpuTree) {
    /// assert_eq!(tree.reduce().workgroups().count(), tree.reduce().len());
    /// # }
    /// ```
    pub fn workgroups(&self) -> impl Iterator<Item = [u32; 3]> + '_ {
        self.steps.iter().map(|step| [step.workgroups[0], step.workgroups[1], 1])
    }

    /// Records the dispatches with numbers of workgroups that the device reads from `arguments`: three words for each from byte
    /// `offset` on, either those of [`workgroups`](Self::workgroups) or zeros, for a shader that knows whether there is anything to do.
    ///
    /// ```no_run
    /// # fn f(tree: &cbt::gpu::GpuTree, arguments: &wgpu::Buffer, pass: &mut wgpu::ComputePass<'_>) {
    /// tree.reduce().encode_indirect(pass, arguments, 0); // where a shader has set the words
    /// # }
    /// ```
    pub fn encode_indirect(&self, pass: &mut wgpu::ComputePass<'_>, arguments: &wgpu::Buffer, offset: u64) {
        for (at, step) in (offset..).step_by(12).zip(&self.steps) {
            step.bind(pass);
            pass.dispatch_workgroups_indirect(arguments, at);
        }
    }

    /// Number of dispatches.
    ///
    /// ```
    /// assert_eq!(cbt::gpu::Dispatches::default().len(), 0);
    /// ```
    #[must_use]
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Whether there is nothing to do.
    ///
    /// ```
    /// assert!(cbt::gpu::Dispatches::default().is_empty());
    /// ```
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }
}
