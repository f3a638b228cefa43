//! The tree in GPU buffers: WGSL functions for your own shaders, and passes that reset, reduce, decode and edit.
//!
//! [`TreePasses`] are the pipelines of a device for one [`Layout`]; a [`GpuTree`] is a tree in its buffers. What a tree does is a
//! [`Dispatches`]: made once, recorded into your compute pass as often as you like. Nothing is submitted, mapped or written behind
//! you; only [`Download::read`] waits.
//!
//! ```
//! use cbt::gpu::{Layout, TreePasses};
//! use cbt::{Compact, Tree};
//! use gpu::{Gpu, GpuOptions};
//! use kernels::Variant;
//!
//! let gpu = Gpu::new(&GpuOptions::default())?;
//! let passes = TreePasses::new(&gpu.device, Layout::Compact, Variant::Auto)?;
//! let mut encoder = gpu.device.create_command_encoder(&Default::default());
//! let tree = passes.tree(&mut encoder, 12)?; // one leaf, the root
//! let reset = tree.reset(5)?;
//! {
//!     let mut pass = encoder.begin_compute_pass(&Default::default());
//!     reset.encode(&mut pass); // 32 leaves
//!     tree.reduce().encode(&mut pass);
//! }
//! let download = tree.download(&mut encoder);
//! gpu.queue.submit([encoder.finish()]);
//! let tree: Compact = download.read(&gpu)?;
//! assert_eq!(tree.leaf_count(), 32);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # In your own shader
//!
//! [`TreePasses::composer`] gives a composer that knows the tree. A shader that imports `cbt/tree` (queries) or `cbt/edit` (queries
//! and edits) has the functions of [`Tree`](crate::Tree) with `cbt_` before their names: `cbt_leaf_count()`, `cbt_leaf(i)`, `cbt_index_of(node)`,
//! `cbt_bit(x)`, `cbt_is_leaf(node)`, `cbt_split(node)`, `cbt_merge(node)`, ... Nodes are `u32` heap indices, 0 for none. The tree
//! is bind group 1, made by [`GpuTree::bind_group`]; to have it elsewhere, bind `cbt/storage` to a text of your own.
//!
//! What numbers leaves (`cbt_leaf(i)`, `cbt_leaf_count()`) is about the tree of the last reduction. While other invocations edit, that holds in
//! trees of [`Layout::Classic`] alone: in [`Layout::Compact`] the bits themselves are counted. There decode first
//! ([`GpuTree::decode`]) and edit the leaves of the list, or take [`GpuTree::apply`].
//! [`TreePasses::visitor`] goes further: it runs your `visit(index, leaf)` for every leaf, faster than `cbt_leaf` can find them.
//!
//! # Limits
//!
//! Depth is at most 30, and what the device's largest storage binding holds: 128 MiB, the least that WebGPU promises, is
//! depth 28 as `Classic` and 30 as `Compact`. Deeper is [`GpuTreeError::DepthTooLarge`], which names the limit.

mod dispatches;
mod error;
mod library;
mod limits;
mod passes;
mod transfer;
mod tree;
mod visitor;

pub use dispatches::Dispatches;
pub use error::GpuTreeError;
pub use library::{WGSL, composer};
pub use limits::{Layout, MAX_GPU_DEPTH};
pub use passes::{Access, TreePasses};
pub use transfer::Download;
pub use tree::GpuTree;
pub use visitor::Visitor;
