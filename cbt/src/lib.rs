//! A concurrent binary tree.

mod bits;
mod classic;
mod compact;
mod error;
mod leaves;
mod node;
mod par_leaves;
mod storage;
mod tree;
mod update;
mod words;

pub use classic::Classic;
pub use compact::Compact;
pub use error::Error;
pub use leaves::Leaves;
pub use node::Node;
pub use par_leaves::{IndexedParLeaves, ParLeaves};
pub use tree::Tree;
pub use update::{Edit, Edits};

/// The deepest tree that can be asked for: 2^40 bits, 512 GiB as [`Classic`] and 144 GiB as [`Compact`].
///
/// ```
/// use cbt::{Classic, Tree};
/// assert!(Classic::new(cbt::MAX_DEPTH + 1).is_err());
/// ```
pub const MAX_DEPTH: u32 = 40;
