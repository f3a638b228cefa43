//! What can be done with a tree on the GPU? Its buffers, and the operations bound to them.

use std::num::NonZeroU64;
use std::ops::Range;

use gpu::pipeline::{ComputeKernel, Layouts};
use wgpu::BufferUsages;

use super::passes::Pass;
use super::{Dispatches, GpuTreeError, Layout, TreePasses, Visitor};
use crate::Error;

/// Bits of a workgroup of the visiting pass, log2: as many as its workgroup memory holds, but on hardware fewer in trees where
/// that would leave processors idle.
const VISIT_TILE_LOG2: [u32; 2] = [8, 13];
/// Workgroups that keep a large GPU busy, log2; half as many are faster in trees that are not deeper than the second number.
const BUSY_LOG2: u32 = 9;
const BUSY_BELOW: u32 = 18;
/// Bits of a workgroup of the first reducing pass, log2.
const COMPACT_TILE_LOG2: u32 = 17;
const CLASSIC_TILE_LOG2: u32 = 15;
/// Deepest classic tree that one workgroup reduces bit by bit: half its heap is too short to be bound by itself.
const CLASSIC_FEW: u32 = 9;
/// Deepest classic tree that the first reducing pass finishes, by a workgroup more where it has several.
const CLASSIC_ONE_DISPATCH: u32 = 18;
/// Sums that a workgroup of the second reducing pass of a classic tree takes, log2, and levels that it makes.
const CLASSIC_SUMS_LOG2: u32 = 10;
const CLASSIC_LEVELS: u32 = 5;
/// Workgroups that reset the bits; each takes many words.
const RESET_WORKGROUPS: u32 = 1 << 12;

/// A tree in GPU buffers, with its reduction bound.
///
/// ```no_run
/// # fn f(tree: &cbt::gpu::GpuTree, pass: &mut wgpu::ComputePass<'_>) {
/// tree.reduce().encode(pass);
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct GpuTree {
    passes: TreePasses,
    depth: u32,
    /// The heap; or the sums, then the bits.
    buffers: Vec<wgpu::Buffer>,
    reduce: Dispatches,
}

impl TreePasses {
    /// A tree of maximum depth `depth` whose only leaf is the root, once what is recorded into `encoder` here has run.
    ///
    /// # Errors
    /// [`GpuTreeError::DepthTooLarge`] with the limit that is exceeded; [`GpuTreeError::Tree`] for depth 0.
    ///
    /// ```no_run
    /// # fn f(passes: &cbt::gpu::TreePasses, encoder: &mut wgpu::CommandEncoder) -> Result<(), cbt::gpu::GpuTreeError> {
    /// let tree = passes.tree(encoder, 20)?;
    /// # Ok(()) }
    /// ```
    pub fn tree(&self, encoder: &mut wgpu::CommandEncoder, depth: u32) -> Result<GpuTree, GpuTreeError> {
        let tree = GpuTree::new(self, depth, &[])?;
        let reset = tree.reset(0)?;
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
        reset.encode(&mut pass);
        tree.reduce().encode(&mut pass);
        drop(pass);
        Ok(tree)
    }
}

impl GpuTree {
    /// Buffers that begin with these bytes, and are zero beyond, and the reduction bound to them.
    pub(super) fn new(passes: &TreePasses, depth: u32, content: &[Vec<u8>]) -> Result<Self, GpuTreeError> {
        let (device, layout) = (&passes.shared.device, passes.layout());
        layout.check_depth(&device.limits(), depth)?;
        let names = binding_names(layout);
        let usage = BufferUsages::STORAGE | BufferUsages::COPY_SRC | BufferUsages::COPY_DST;
        let buffer = |(index, (&name, size)): (usize, (&&'static str, u64))| {
            let bytes = content.get(index);
            let mapped_at_creation = bytes.is_some();
            let buffer =
                device.create_buffer(&wgpu::BufferDescriptor { label: Some(name), size, usage, mapped_at_creation });
            if let Some(bytes) = bytes {
                fill(&buffer, bytes);
            }
            buffer
        };
        let buffers = names.iter().zip(layout.buffer_sizes(depth)).enumerate().map(buffer).collect();
        let mut tree = Self { passes: passes.clone(), depth, buffers, reduce: Dispatches::default() };
        tree.reduce = tree.bind_reduce()?;
        Ok(tree)
    }

    /// The maximum depth D.
    ///
    /// ```no_run
    /// # fn f(tree: &cbt::gpu::GpuTree) {
    /// println!("room for {} leaves", 1_u64 << tree.depth());
    /// # }
    /// ```
    #[must_use]
    pub fn depth(&self) -> u32 {
        self.depth
    }

    /// The layout.
    ///
    /// ```no_run
    /// # fn f(tree: &cbt::gpu::GpuTree) {
    /// println!("{}", tree.layout().name());
    /// # }
    /// ```
    #[must_use]
    pub fn layout(&self) -> Layout {
        self.passes.layout()
    }

    /// The buffers: `cbt_heap`, or `cbt_sums` and `cbt_bits`. Usable for storage and for copies both ways.
    ///
    /// Entry 1 of `cbt_sums` is the number of leaves; so are bits D+3 to 2D+3 of `cbt_heap`.
    ///
    /// ```no_run
    /// # fn f(tree: &cbt::gpu::GpuTree) {
    /// let bytes: u64 = tree.buffers().iter().map(wgpu::Buffer::size).sum();
    /// # }
    /// ```
    #[must_use]
    pub fn buffers(&self) -> &[wgpu::Buffer] {
        &self.buffers
    }

    /// The reduction: brings the sums up to date with the bits. One or two dispatches.
    ///
    /// ```no_run
    /// # fn f(tree: &cbt::gpu::GpuTree, pass: &mut wgpu::ComputePass<'_>) {
    /// tree.reduce().encode(pass);
    /// # }
    /// ```
    #[must_use]
    pub fn reduce(&self) -> &Dispatches {
        &self.reduce
    }

    /// Makes the nodes of `level` the leaves, and reduces.
    ///
    /// # Errors
    /// [`GpuTreeError::Tree`] below the deepest level.
    ///
    /// ```no_run
    /// # fn f(tree: &cbt::gpu::GpuTree, pass: &mut wgpu::ComputePass<'_>) -> Result<(), cbt::gpu::GpuTreeError> {
    /// tree.reset(0)?.encode(pass); // the root alone
    /// # Ok(()) }
    /// ```
    pub fn reset(&self, level: u32) -> Result<Dispatches, GpuTreeError> {
        if level > self.depth {
            return Err(Error::Depth { asked: level, limit: self.depth }.into());
        }
        let kernel = &self.passes.shared.kernel(Pass::Reset)?;
        let words = ((1_u64 << self.depth) / 32).max(1) as u32;
        let params = self.uniform("cbt_reset", &[self.depth, level, words]);
        let groups =
            vec![(0, self.group(kernel, 0, &[("cbt_reset", &params)])?), (1, self.bind_group(kernel.layouts())?)];
        let mut dispatches = Dispatches::default();
        dispatches.push(kernel, groups, words.div_ceil(256).min(RESET_WORKGROUPS));
        dispatches.append(&self.reduce);
        Ok(dispatches)
    }

    /// Writes the leaves with indices in `window` into `list`, from its beginning, as `u32` heap indices. Leaves past the last are
    /// not written.
    ///
    /// # Errors
    /// [`GpuTreeError::Buffer`] if `list` is smaller than the window or larger than can be bound.
    ///
    /// ```no_run
    /// # fn f(tree: &cbt::gpu::GpuTree, list: &wgpu::Buffer, pass: &mut wgpu::ComputePass<'_>) -> Result<(), cbt::gpu::GpuTreeError> {
    /// tree.decode(list, 0..1000)?.encode(pass);
    /// # Ok(()) }
    /// ```
    pub fn decode(&self, list: &wgpu::Buffer, window: Range<u32>) -> Result<Dispatches, GpuTreeError> {
        self.check_list("list", list, window.len() as u64)?;
        self.visit_with(&self.passes.shared.decode()?, window, &[("cbt_list", list)], None)
    }

    /// Calls a visitor for the leaves with indices in `window` (`0..u32::MAX` for all). `own` is the bind group of the visitor's
    /// own bindings, if it has any.
    ///
    /// # Errors
    /// [`GpuTreeError::Pipeline`].
    ///
    /// ```no_run
    /// # fn f(tree: &cbt::gpu::GpuTree, visitor: &cbt::gpu::Visitor, own: wgpu::BindGroup) -> Result<(), cbt::gpu::GpuTreeError> {
    /// let visit = tree.visit(visitor, 0..u32::MAX, Some(own))?;
    /// # Ok(()) }
    /// ```
    pub fn visit(
        &self,
        visitor: &Visitor,
        window: Range<u32>,
        own: Option<wgpu::BindGroup>,
    ) -> Result<Dispatches, GpuTreeError> {
        self.visit_with(visitor, window, &[], own)
    }

    fn visit_with(
        &self,
        visitor: &Visitor,
        window: Range<u32>,
        resources: &[(&str, &wgpu::Buffer)],
        own: Option<wgpu::BindGroup>,
    ) -> Result<Dispatches, GpuTreeError> {
        let [least, most] = VISIT_TILE_LOG2;
        let busy_log2 = BUSY_LOG2 - u32::from(self.depth <= BUSY_BELOW);
        let busy = self.depth.saturating_sub(busy_log2).clamp(least, most);
        let height = if self.passes.shared.software { most } else { busy }.min(self.depth);
        let kernel = visitor.kernel(height, self.depth);
        let count = window.end.saturating_sub(window.start);
        let params = self.uniform("cbt_visit", &[window.start, count]);
        let mut own_resources = vec![("cbt_visit", &params)];
        own_resources.extend(resources);
        let mut groups = vec![(0, self.group(kernel, 0, &own_resources)?), (1, self.bind_group(kernel.layouts())?)];
        groups.extend(own.map(|own| (2, own)));
        let mut dispatches = Dispatches::default();
        // As many as there are nodes of that height: from their number the shader knows which it takes.
        dispatches.push(kernel, groups, 1 << (self.depth - height));
        Ok(dispatches)
    }

    /// Gives each leaf of `list` (all leaves, decoded since the last reduction) what `wishes` says at its index: 0 to keep, 1 to
    /// split, 2 to merge, as [`Tree::update`](crate::Tree::update) does. The sums want a reduction afterwards.
    ///
    /// # Errors
    /// [`GpuTreeError::Buffer`] if `wishes` is smaller than `list`, or one is larger than can be bound.
    ///
    /// ```no_run
    /// # fn f(tree: &cbt::gpu::GpuTree, list: &wgpu::Buffer, wishes: &wgpu::Buffer, pass: &mut wgpu::ComputePass<'_>)
    /// # -> Result<(), cbt::gpu::GpuTreeError> {
    /// tree.apply(list, wishes)?.encode(pass);
    /// tree.reduce().encode(pass);
    /// # Ok(()) }
    /// ```
    pub fn apply(&self, list: &wgpu::Buffer, wishes: &wgpu::Buffer) -> Result<Dispatches, GpuTreeError> {
        let capacity = (list.size() / 4).min(1 << self.depth);
        self.check_list("list", list, 1)?;
        self.check_list("wishes", wishes, capacity)?;
        let kernel = &self.passes.shared.kernel(Pass::Apply)?;
        let params = self.uniform("cbt_apply", &[capacity as u32]);
        let own = [("cbt_apply", &params), ("cbt_list", list), ("cbt_wishes", wishes)];
        let groups = vec![(0, self.group(kernel, 0, &own)?), (1, self.bind_group(kernel.layouts())?)];
        let mut dispatches = Dispatches::default();
        dispatches.push(kernel, groups, capacity.div_ceil(256) as u32);
        Ok(dispatches)
    }

    /// The tree as bind group 1 of a shader of your own that imports `cbt/tree` or `cbt/edit`: exactly the buffers that it uses.
    ///
    /// # Errors
    /// [`GpuTreeError::Pipeline`] if the shader uses no tree.
    ///
    /// ```no_run
    /// # fn f(tree: &cbt::gpu::GpuTree, mine: &gpu::pipeline::ComputeKernel) -> Result<(), cbt::gpu::GpuTreeError> {
    /// let group = tree.bind_group(mine.layouts())?;
    /// # Ok(()) }
    /// ```
    pub fn bind_group(&self, layouts: &Layouts) -> Result<wgpu::BindGroup, GpuTreeError> {
        Ok(layouts.bind_used(self.device(), 1, &self.bindings())?)
    }

    /// The tree's buffers by their names in WGSL, for a shader that binds them elsewhere: `cbt_heap`, or `cbt_sums` and `cbt_bits`.
    ///
    /// ```no_run
    /// # fn f(tree: &cbt::gpu::GpuTree, mine: &gpu::pipeline::ComputeKernel, device: &wgpu::Device) -> Result<(), cbt::gpu::GpuTreeError> {
    /// let group = mine.bind_group(device, 3, &tree.bindings())?;
    /// # Ok(()) }
    /// ```
    #[must_use]
    pub fn bindings(&self) -> Vec<(&'static str, wgpu::BindingResource<'_>)> {
        let named = binding_names(self.layout()).iter().zip(&self.buffers);
        named.map(|(&name, buffer)| (name, buffer.as_entire_binding())).collect()
    }

    pub(super) fn device(&self) -> &wgpu::Device {
        &self.passes.shared.device
    }

    fn bind_reduce(&self) -> Result<Dispatches, GpuTreeError> {
        let kernel = |pass| self.passes.shared.kernel(pass);
        let mut dispatches = Dispatches::default();
        match self.layout() {
            Layout::Classic if self.depth <= CLASSIC_FEW => {
                let params = self.uniform("cbt_reduce", &[self.depth]);
                let own = [("cbt_reduce", &params), ("cbt_heap", &self.buffers[0])];
                let reduce = kernel(Pass::ReduceSmall)?;
                dispatches.push(&reduce, vec![(0, self.group(&reduce, 0, &own)?)], 1);
            }
            Layout::Classic => {
                let tiles = 1_u32 << self.depth.saturating_sub(CLASSIC_TILE_LOG2);
                let totals = self.device().create_buffer(&wgpu::BufferDescriptor {
                    label: Some("cbt_totals"),
                    size: 4 * u64::from(tiles).max(4),
                    usage: BufferUsages::STORAGE,
                    mapped_at_creation: false,
                });
                let half = self.buffers[0].size() / 2;
                let part = |offset| {
                    let size = NonZeroU64::new(half);
                    wgpu::BindingResource::Buffer(wgpu::BufferBinding { buffer: &self.buffers[0], offset, size })
                };
                let lower = [("cbt_heap", part(0)), ("cbt_totals", totals.as_entire_binding())];
                let upper = ("cbt_upper", part(half));
                let mut step = |kernel: &ComputeKernel, resources: &[_], workgroups| -> Result<(), GpuTreeError> {
                    let group = kernel.bind_group(self.device(), 0, resources)?;
                    dispatches.push(kernel, vec![(0, group)], workgroups);
                    Ok(())
                };
                let above = tiles > 1 && self.depth <= CLASSIC_ONE_DISPATCH;
                step(&kernel(Pass::ReduceBits)?, &[&lower[..], &[upper]].concat(), tiles + u32::from(above))?;
                if self.depth > CLASSIC_ONE_DISPATCH {
                    let sum_tiles = (tiles >> CLASSIC_LEVELS).max(1);
                    let blocks = (tiles >> CLASSIC_SUMS_LOG2).max(1);
                    step(&kernel(Pass::ReduceSums)?, &lower, sum_tiles + blocks + u32::from(blocks > 1))?;
                }
            }
            Layout::Compact => {
                let levels = self.depth.saturating_sub(9);
                let tiles = 1 << self.depth.saturating_sub(COMPACT_TILE_LOG2);
                let params = self.uniform("cbt_reduce", &[self.depth, levels, tiles]);
                let [sums, bits] = [("cbt_sums", &self.buffers[0]), ("cbt_bits", &self.buffers[1])];
                let own = [("cbt_reduce", &params), sums, bits];
                let reduce = kernel(Pass::ReduceBlocks)?;
                dispatches.push(&reduce, vec![(0, self.group(&reduce, 0, &own)?)], tiles);
                if tiles > 1 {
                    let own = [("cbt_reduce", &params), sums];
                    let reduce = kernel(Pass::ReduceTop)?;
                    dispatches.push(&reduce, vec![(0, self.group(&reduce, 0, &own)?)], 1);
                }
            }
        }
        Ok(dispatches)
    }

    fn group(
        &self,
        kernel: &ComputeKernel,
        group: u32,
        buffers: &[(&str, &wgpu::Buffer)],
    ) -> Result<wgpu::BindGroup, GpuTreeError> {
        let resources: Vec<_> = buffers.iter().map(|(name, buffer)| (*name, buffer.as_entire_binding())).collect();
        Ok(kernel.bind_group(self.device(), group, &resources)?)
    }

    /// A uniform buffer, filled while it is mapped.
    fn uniform(&self, label: &str, values: &[u32]) -> wgpu::Buffer {
        let buffer = self.device().create_buffer(&wgpu::BufferDescriptor {
            label: Some(label),
            size: (4 * values.len() as u64).next_multiple_of(16),
            usage: BufferUsages::UNIFORM,
            mapped_at_creation: true,
        });
        fill(&buffer, bytemuck::cast_slice(values));
        buffer
    }

    /// Refuses buffers of leaves that are too small or too large.
    fn check_list(&self, name: &'static str, buffer: &wgpu::Buffer, leaves: u64) -> Result<(), GpuTreeError> {
        let limit = self.device().limits().max_storage_buffer_binding_size;
        let bytes = buffer.size();
        let because = if bytes < 4 * leaves {
            format!("{leaves} leaves need {}", 4 * leaves)
        } else if bytes > limit {
            format!("max_storage_buffer_binding_size is {limit}")
        } else {
            return Ok(());
        };
        Err(GpuTreeError::Buffer { buffer: name, bytes, because })
    }
}

/// Fills the beginning of a buffer that is mapped at its creation, and unmaps it.
pub(super) fn fill(buffer: &wgpu::Buffer, bytes: &[u8]) {
    // A buffer mapped at creation can always be written, unless the device is lost.
    if let Ok(mut view) = buffer.slice(..).get_mapped_range_mut() {
        view.slice(..bytes.len()).copy_from_slice(bytes);
    }
    buffer.unmap();
}

/// Names of the tree's buffers in WGSL.
fn binding_names(layout: Layout) -> &'static [&'static str] {
    match layout {
        Layout::Classic => &["cbt_heap"],
        Layout::Compact => &["cbt_sums", "cbt_bits"],
    }
}

#[cfg(test)]
mod tests {
    use gpu::transfer;
    use gpu::{Gpu, GpuOptions};
    use kernels::Variant;

    use crate::gpu::{Layout, TreePasses};
    use crate::{Compact, Edit, Tree};

    /// The workgroups of hardware, on a software device too: nodes of height 8 and up instead of 13.
    #[test]
    fn decoding_with_the_workgroups_of_hardware() {
        let gpu = Gpu::new(&GpuOptions::default().with_software(true)).expect("a software adapter");
        for layout in [Layout::Classic, Layout::Compact] {
            let passes = TreePasses::for_device(&gpu.device, layout, Variant::Auto, false).expect("pipelines");
            for depth in [1, 4, 5, 6, 7, 8, 9, 10, 13, 15, 16, 17, 18, 19, 21] {
                let mut tree = Compact::new(depth).expect("memory");
                for turn in 0..depth {
                    let mixed = |leaf: u64| (leaf * 0x9e37_79b9 + u64::from(turn)) >> 7 & 7 < 6;
                    tree.update(|leaf| if mixed(leaf.index()) { Edit::Split } else { Edit::Keep });
                }
                let leaves: Vec<u32> = tree.leaves().map(|leaf| leaf.index() as u32).collect();
                let mut encoder = gpu.device.create_command_encoder(&Default::default());
                let on_gpu = passes.upload(&tree).expect("a depth within the limits");
                let list = transfer::storage::<u32>(&gpu.device, "list", leaves.len() as u32);
                let decode = on_gpu.decode(&list, 0..leaves.len() as u32).expect("a list that fits");
                decode.encode(&mut encoder.begin_compute_pass(&Default::default()));
                gpu.queue.submit([encoder.finish()]);
                let decoded: Vec<u32> = transfer::download(&gpu, &list).expect("a device that works");
                assert!(decoded == leaves, "{} of depth {depth}", layout.name());
            }
        }
    }
}
