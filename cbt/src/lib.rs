//! A **concurrent binary tree**: a binary tree stored as an array of bits. Thousands of threads, on a CPU or on a GPU, can
//! split and merge its nodes at once and divide its leaves among themselves.
//!
//! ```
//! use cbt::{Compact, Edit, Tree};
//!
//! let mut tree = Compact::new(20)?; // room for 2^20 leaves, 144 KiB; one leaf so far
//! for _ in 0..20 {
//!     // One pass over all leaves, in parallel: refine towards the left end of the domain.
//!     tree.update(|leaf| if leaf.offset() < 4 { Edit::Split } else { Edit::Keep });
//! }
//! assert_eq!(tree.leaf_count(), 76);
//! let deepest = tree.leaf(0)?; // any leaf by its number
//! assert_eq!(deepest.depth(), 20);
//! assert_eq!(tree.leaves().map(|leaf| 0.5_f64.powi(leaf.depth() as i32)).sum::<f64>(), 1.0); // leaves tile the domain
//! # Ok::<(), cbt::Error>(())
//! ```
//!
//! # The structure in a page
//!
//! **Nodes.** A node is its index *k* in a binary heap: the root is 1, the children of *k* are 2*k* and 2*k* + 1. The level of
//! *k* is *d* = ⌊log₂ *k*⌋, and its binary digits after the leading 1 are the path from the root ([`Node`]).
//!
//! **Bits.** A tree of maximum depth *D* is a field of 2^*D* bits, one for each node of level *D*. A leaf *k* sets the bit where
//! its span begins and leaves the rest of it clear:
//!
//! ```text
//!                  1                        bit   0  1  2  3  4  5  6  7
//!            ┌─────┴─────┐                  D=3   1  0  0  0  1  0  1  1
//!            2           3                        └ leaf 2 ──┘ └ 6 ┘ 14 15
//!                     ┌──┴──┐
//!                     6     7               first bit of node k:  x = k 2^(D-d) - 2^D
//!                         ┌─┴─┐             bits that it spans:   2^(D-d)
//!                        14   15            node of bit x, when the next set bit is n:  (2^D + x) / (n - x)
//! ```
//!
//! To [split](Tree::split) *k*, set the first bit of its right child. To [merge](Tree::merge) its children, clear that bit.
//! Each is one atomic, idempotent operation, and operations may run in any order.
//!
//! **Sums.** The bits define the tree, but finding the *i*-th leaf in them means counting from the start. So each node also
//! stores the number of set bits below it, computed bottom-up by [`reduce`](Tree::reduce). The root's sum is the number of
//! leaves. [`leaf`](Tree::leaf) descends from the root to the *i*-th leaf. It goes left if *i* is less than the left child's
//! sum. Else it subtracts that sum from *i* and goes right. It stops at a node that has one leaf. The inverse,
//! [`index_of`](Tree::index_of), adds up left siblings on the way to the root.
//!
//! **The cycle** (Grachev & Ushakov 2023, Fig. 10). [`update`](Tree::update) visits all leaves in parallel, edits them and
//! reduces. The steps by themselves: [`par_leaves`](Tree::par_leaves), `split` and `merge` from any thread, `reduce`.
//!
//! **Pools.** The bits need not be a tree: rank and select work on any set of bits, set or clear.
//! [`select_unset`](Tree::select_unset) finds the *r*-th free slot of a pool.
//!
//! # Two layouts
//!
//! | property | [`Classic`] | [`Compact`] |
//! |---|---|---|
//! | stored data | a bit-packed heap of all sums, as in the papers | the bits, and 32-bit sums of blocks of 512 bits and up |
//! | sum of node *k* | *D*-*d*+1 bits from bit 2^(*d*+1) + *k* (*D*-*d*+1) | word *k* of a heap, for *d* ≤ *S* = max(0, *D*-9) |
//! | bytes | max(8, 2^(*D*+2) / 8) | max(8, 2^*D* / 8) + 4 · 2^(*S*+1) |
//! | *D* = 10 | 512 B | 144 B |
//! | *D* = 17 | 64 KiB | 18 KiB |
//! | *D* = 20 | 512 KiB | 144 KiB |
//! | *D* = 24 | 8 MiB | 2.25 MiB |
//! | *D* = 27 | 64 MiB | 18 MiB |
//! | *D* = 30 | 512 MiB | 144 MiB |
//! | *D* = 32 | 2 GiB | 576 MiB |
//! | saved bytes | libcbt's heap | a magic number of 8 bytes, the depth, the bits |
//! | `leaf(i)` while others edit | names the leaf of the last reduction | not while its block is edited |
//!
//! Both are [`Tree`]s and pass the same tests; write code for `T: Tree` and choose by measurement. Choose [`Compact`], unless
//! libcbt must read the bytes or threads must decode by index while others edit.
//!
//! # Guarantees
//!
//! * Setting a bit is a single `fetch_or`: no thread sees a set bit as clear while another sets it again.
//! * Invalid input is refused with an [`Error`] that holds the numbers. Only [`Tree::word`] indexes like a slice, and may panic.
//! * [`update`](Tree::update) visits each leaf exactly once, and its result does not depend on the number of threads.
//! * [`load`](Tree::load) accepts any bytes without panicking, and recomputes sums instead of trusting them.
//!
//! # Features
//!
//! `gpu`: the same tree in a GPU buffer, as WGSL functions for your own shaders and as compute passes (module `gpu`).
//! Without it the crate needs the standard library and rayon.
//!
//! # Sources
//!
//! J. Dupuy, "Concurrent Binary Trees (with application to longest edge bisection)", PACMCGIT 3(2), 2020,
//! doi:10.1145/3406186.
//!
//! V. G. Grachev, A. S. Ushakov, "A research on concurrent binary tree properties", Software & Systems 36(3), 2023,
//! doi:10.15827/0236-235X.142.398-413; it derives the formulas above.

mod bits;
mod classic;
mod compact;
mod error;
#[cfg(feature = "gpu")]
pub mod gpu;
mod leaves;
mod lines;
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

// The example of the README runs as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
