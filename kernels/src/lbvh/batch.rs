//! What do batches of queries on the device have in common? One invocation a query, a tree, a limit of steps.

use super::{GpuLbvh, LbvhNode, TraceOptions};
use crate::{
    BoundKernel, Count, GpuSlice, KernelError, Kernels,
    arguments::Params,
    bound::{BoundCount, check_arguments, dispatch},
    context::check_stride,
    slice::BoundSlice,
};
use gpu::{Caps, pipeline::ComputeKernel};

/// Queries of a dispatch at most, one for each invocation.
const MAX_QUERIES: u32 = 65_535 * 256;
/// Steps that a device may be asked for where it is no software device.
const MAX_STEPS: u32 = 1 << 20;

/// The kernel of a kind of query, over a tree in `kernels/lbvh/tree_bound`.
#[derive(Clone, Debug)]
pub(crate) struct Batch {
    kernels: Kernels,
    kernel: ComputeKernel,
    label: &'static str,
}

impl Batch {
    /// Compiles `entry` of `module`, with the virtual modules of `bindings` besides the tree's.
    pub fn new(
        kernels: &Kernels,
        label: &'static str,
        entry: (&str, &str),
        bindings: &[(&str, &str)],
    ) -> Result<Self, KernelError> {
        let tree = ("kernels/lbvh/tree", "kernels/lbvh/tree_bound");
        let all: Vec<_> = std::iter::once(tree).chain(bindings.iter().copied()).collect();
        let batch = Self::without_tree(kernels, label, entry, &all)?;
        check_stride::<LbvhNode>(&batch.kernel, "nodes")?;
        Ok(batch)
    }

    /// The same, of a module that does not read a [`GpuLbvh`].
    pub fn without_tree(
        kernels: &Kernels,
        label: &'static str,
        (module, entry): (&str, &str),
        bindings: &[(&str, &str)],
    ) -> Result<Self, KernelError> {
        let mut composer = crate::composer();
        for (name, target) in bindings {
            composer.bind_module(name, target);
        }
        let kernel = kernels.kernel(&composer, module, entry)?;
        Ok(Self { kernels: kernels.clone(), kernel, label })
    }

    pub fn kernel(&self) -> &ComputeKernel {
        &self.kernel
    }

    pub fn caps(&self) -> &Caps {
        self.kernels.caps()
    }

    /// Whether `capacity` queries and their limit of steps are within what a dispatch can do.
    pub fn check(&self, capacity: u32, max_steps: u32) -> Result<(), KernelError> {
        if capacity > MAX_QUERIES {
            let (asked, limit) = (capacity.into(), MAX_QUERIES.into());
            return Err(KernelError::TooManyItems { what: "a batch of queries", asked, limit });
        }
        let high = if self.caps().is_software() { TraceOptions::SAFE_STEPS } else { MAX_STEPS };
        if (1..=high).contains(&max_steps) {
            return Ok(());
        }
        let (given, high) = (max_steps.into(), high.into());
        Err(KernelError::Argument { what: "max_steps", given, low: 1, high })
    }

    /// Binds the tree and `slices`, which have the names of their bindings; `params` say what is not the same in all batches.
    pub fn bind(
        &self,
        tree: &GpuLbvh,
        slices: &[BoundSlice<'_>],
        params: Params,
        count: Count<'_>,
    ) -> Result<BoundKernel, KernelError> {
        let (nodes, primitives) =
            (GpuSlice::<LbvhNode>::whole(tree.nodes()), GpuSlice::<u32>::whole(tree.primitives()));
        let nodes = BoundSlice::of("nodes", nodes, false, self.caps())?;
        let primitives = BoundSlice::of("primitives", primitives, false, self.caps())?;
        let all: Vec<_> = [nodes, primitives].iter().chain(slices).cloned().collect();
        self.bind_all(&all, &[], params, count)
    }

    /// Binds `slices` and `others`, which are no buffers.
    pub fn bind_all(
        &self,
        slices: &[BoundSlice<'_>],
        others: &[(&str, wgpu::BindingResource<'_>)],
        params: Params,
        count: Count<'_>,
    ) -> Result<BoundKernel, KernelError> {
        let capacity = count.capacity();
        let count = BoundCount::of(count, self.caps())?;
        check_arguments(&slices.iter().collect::<Vec<_>>(), &count, None)?;
        let workgroups = capacity.div_ceil(256).max(1);
        let params = Params { capacity, chunks: workgroups, ..params };
        let mut resources = others.to_vec();
        resources.extend(slices.iter().map(|slice| (slice.name, slice.resource())));
        let device = self.kernels.device();
        Ok(BoundKernel {
            dispatches: vec![dispatch(device, self.label, &self.kernel, params, &count, workgroups, &resources)?],
        })
    }
}
