//! What can be refused on the GPU, with the limit that says why.

use gpu::GpuError;
use gpu::pipeline::PipelineError;
use kernels::VariantError;
use shaders::ShaderError;

/// Why a tree, a pass or a transfer could not be made.
///
/// ```
/// use cbt::gpu::{GpuTreeError, Layout};
/// let refused = Layout::Classic.check_depth(&wgpu::Limits::default(), 29).unwrap_err();
/// assert!(matches!(refused, GpuTreeError::DepthTooLarge { asked: 29, limit: 28, .. }));
/// assert!(refused.to_string().contains("max_storage_buffer_binding_size"));
/// ```
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GpuTreeError {
    /// The tree is deeper than the device or the index type allows.
    #[error("depth {asked} is too large, the limit is {limit}: {because}")]
    DepthTooLarge {
        /// The depth that was asked for.
        asked: u32,
        /// The largest that works.
        limit: u32,
        /// The limit that would be exceeded, and its value.
        because: String,
    },
    /// A buffer for leaves or wishes is too small for the window, or larger than can be bound.
    #[error("buffer `{buffer}` has {bytes} bytes: {because}")]
    Buffer {
        /// Which buffer.
        buffer: &'static str,
        /// Its size.
        bytes: u64,
        /// What is wrong with that.
        because: String,
    },
    /// A tree of another depth than that of the buffers.
    #[error("the tree has the depth {given}, the one on the device {depth}: make one of the same depth")]
    OtherDepth {
        /// Of the tree that was given.
        given: u32,
        /// Of the tree on the device.
        depth: u32,
    },
    /// Nothing has come to the CPU.
    #[error("the tree has not been copied: submit the encoder of the download before it is read")]
    NotCopied,
    /// A node, level or bytes that the CPU tree refuses too.
    #[error(transparent)]
    Tree(#[from] crate::Error),
    /// The wanted kernel variant cannot run.
    #[error(transparent)]
    Variant(#[from] VariantError),
    /// A shader, perhaps the caller's, does not compose.
    #[error(transparent)]
    Shader(#[from] ShaderError),
    /// A pipeline or bind group was refused.
    #[error(transparent)]
    Pipeline(#[from] PipelineError),
    /// The device failed.
    #[error(transparent)]
    Gpu(#[from] GpuError),
}
