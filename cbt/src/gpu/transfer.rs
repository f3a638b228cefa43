//! How do trees cross between CPU and GPU? Copies that the caller submits, and one call that waits.

use gpu::Gpu;
use gpu::transfer;
use wgpu::BufferUsages;

use super::tree::fill;
use super::{GpuTree, GpuTreeError, Layout, TreePasses};
use crate::storage::{Storage, bitfield_words};
use crate::{Classic, Compact, Tree};

impl TreePasses {
    /// A tree with the bits of a tree on the CPU, of either layout, reduced.
    ///
    /// # Errors
    /// As for [`tree`](Self::tree).
    ///
    /// ```no_run
    /// # fn f(passes: &cbt::gpu::TreePasses) -> Result<(), cbt::gpu::GpuTreeError> {
    /// use cbt::{Compact, Tree};
    /// let mut tree = Compact::new(10)?;
    /// tree.reset_to_depth(4)?;
    /// let on_gpu = passes.upload(&tree)?;
    /// # Ok(()) }
    /// ```
    pub fn upload<T: Tree>(&self, tree: &T) -> Result<GpuTree, GpuTreeError> {
        self.layout().check_depth(&self.shared.device.limits(), tree.depth())?;
        GpuTree::new(self, tree.depth(), &content(self.layout(), tree)?)
    }
}

impl GpuTree {
    /// Replaces the tree by one with the bits of `tree`, of either layout and of the same depth, reduced.
    ///
    /// # Errors
    /// [`GpuTreeError::OtherDepth`].
    ///
    /// ```no_run
    /// # fn f(on_gpu: &cbt::gpu::GpuTree, tree: &cbt::Compact, encoder: &mut wgpu::CommandEncoder) -> Result<(), cbt::gpu::GpuTreeError> {
    /// on_gpu.upload(encoder, tree)?;
    /// # Ok(()) }
    /// ```
    pub fn upload<T: Tree>(&self, encoder: &mut wgpu::CommandEncoder, tree: &T) -> Result<(), GpuTreeError> {
        if tree.depth() != self.depth() {
            return Err(GpuTreeError::OtherDepth { given: tree.depth(), depth: self.depth() });
        }
        for (buffer, bytes) in content(self.layout(), tree)?.iter().enumerate() {
            self.copy_in(encoder, buffer, bytes);
        }
        Ok(())
    }

    /// Records copies of `bytes` to the beginning of a buffer.
    fn copy_in(&self, encoder: &mut wgpu::CommandEncoder, buffer: usize, bytes: &[u8]) {
        let staging = self.device().create_buffer(&wgpu::BufferDescriptor {
            label: Some("tree upload"),
            size: bytes.len() as u64,
            usage: BufferUsages::COPY_SRC,
            mapped_at_creation: true,
        });
        fill(&staging, bytes);
        encoder.copy_buffer_to_buffer(&staging, 0, &self.buffers()[buffer], 0, bytes.len() as u64);
    }

    /// Records a copy of the bits, to be [read](Download::read) after the caller has submitted it.
    ///
    /// ```no_run
    /// # fn f(tree: &cbt::gpu::GpuTree, gpu: &gpu::Gpu) -> Result<(), cbt::gpu::GpuTreeError> {
    /// let mut encoder = gpu.device.create_command_encoder(&Default::default());
    /// let download = tree.download(&mut encoder);
    /// gpu.queue.submit([encoder.finish()]);
    /// let tree: cbt::Classic = download.read(gpu)?;
    /// # Ok(()) }
    /// ```
    #[must_use]
    pub fn download(&self, encoder: &mut wgpu::CommandEncoder) -> Download {
        let source = &self.buffers()[self.buffers().len() - 1];
        let staging = self.device().create_buffer(&wgpu::BufferDescriptor {
            label: Some("tree download"),
            size: source.size(),
            usage: BufferUsages::MAP_READ | BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        encoder.copy_buffer_to_buffer(source, 0, &staging, 0, source.size());
        Download { staging, layout: self.layout(), depth: self.depth() }
    }
}

/// A tree on its way to the CPU: see [`GpuTree::download`].
///
/// ```no_run
/// # fn f(download: cbt::gpu::Download, gpu: &gpu::Gpu) -> Result<(), cbt::gpu::GpuTreeError> {
/// let tree: cbt::Compact = download.read(gpu)?;
/// # Ok(()) }
/// ```
#[derive(Debug)]
pub struct Download {
    staging: wgpu::Buffer,
    layout: Layout,
    depth: u32,
}

impl Download {
    /// Waits for the copy, which must have been submitted, and gives the tree in the layout that is asked for, reduced.
    ///
    /// # Errors
    /// [`GpuTreeError::Gpu`] if the device failed; [`GpuTreeError::NotCopied`] if the copy was not submitted; [`GpuTreeError::Tree`] if
    /// there is no memory.
    ///
    /// ```no_run
    /// # fn f(download: cbt::gpu::Download, gpu: &gpu::Gpu) -> Result<(), cbt::gpu::GpuTreeError> {
    /// let tree: cbt::Compact = download.read(gpu)?;
    /// # Ok(()) }
    /// ```
    pub fn read<T: Tree>(self, gpu: &Gpu) -> Result<T, GpuTreeError> {
        let words = transfer::read(gpu, &self.staging)?;
        self.tree(&words)
    }

    /// As [`read`](Self::read), without blocking: see [`gpu::transfer`].
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub async fn read_async<T: Tree>(self) -> Result<T, GpuTreeError> {
        let words = transfer::read_async(&self.staging).await?;
        self.tree(&words)
    }

    fn tree<T: Tree>(&self, words: &[u64]) -> Result<T, GpuTreeError> {
        // In every tree something is set; a buffer that nothing was copied to is zero.
        if words.iter().all(|word| *word == 0) {
            return Err(GpuTreeError::NotCopied);
        }
        let bits = match self.layout {
            Layout::Compact => words[..bitfield_words(self.depth)].to_vec(),
            Layout::Classic => {
                let heap: Vec<u8> = words[..(Classic::bytes(self.depth) / 8) as usize]
                    .iter()
                    .flat_map(|word| word.to_le_bytes())
                    .collect();
                Classic::from_bytes(&heap)?.words().collect()
            }
        };
        Ok(T::from_words(self.depth, &bits)?)
    }
}

/// What the buffers of a tree on the GPU contain that has the bits of `tree`, reduced.
fn content<T: Tree>(layout: Layout, tree: &T) -> Result<Vec<Vec<u8>>, GpuTreeError> {
    let words: Vec<u64> = tree.words().collect();
    Ok(match layout {
        Layout::Classic => vec![Classic::from_words(tree.depth(), &words)?.to_bytes()],
        Layout::Compact => {
            let sums = Compact::from_words(tree.depth(), &words)?.sums_with_depth();
            let bits = words.iter().flat_map(|word| word.to_le_bytes());
            vec![bytemuck::cast_slice(&sums).to_vec(), bits.collect()]
        }
    })
}
