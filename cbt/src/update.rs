//! How do all leaves decide at once, while the tree changes under them? One parallel pass over chunks of the bitfield.
//!
//! Why it is exact. A thread owns a chunk and reads each of its words once, left to right, one set bit ahead of the leaf it is
//! asking about. An edit within the chunk touches only bits already read: a split sets a bit between a leaf's start and its end,
//! a merge clears the start of the leaf just asked. Edits that reach across a chunk's border (a split whose bit lies in a
//! later chunk, a merge of two leaves in different chunks) are put aside and made after the pass. What a thread must know of
//! other chunks, the last set bit before its own and the first one after, is looked up before the pass begins.

use rayon::prelude::*;

use crate::bits::{leaf_between, separating_height};
use crate::leaves::{SetBits, chunk_bits, chunk_count, chunk_node, last_bit_before};
use crate::{Node, Tree};

/// What a leaf asks for in [`Tree::update`].
///
/// ```
/// use cbt::{Classic, Edit, Tree};
/// let mut tree = Classic::new(5)?;
/// tree.update(|leaf| if leaf.depth() < 5 { Edit::Split } else { Edit::Keep });
/// assert_eq!(tree.leaf_count(), 2);
/// # Ok::<(), cbt::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Edit {
    /// To stay as it is.
    #[default]
    Keep,
    /// To become the parent of two leaves.
    Split,
    /// To be replaced by its parent, which happens if its sibling is a leaf too and asks for the same.
    Merge,
}

/// What became of the wishes of all leaves in [`Tree::update`].
///
/// ```
/// use cbt::{Classic, Edit, Edits, Tree};
/// let edits = Classic::new(1)?.update(|_| Edit::Merge);
/// assert_eq!(edits, Edits::default()); // the root has no parent
/// # Ok::<(), cbt::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Edits {
    /// Leaves that were split.
    pub splits: u64,
    /// Pairs of leaves that were merged.
    pub merges: u64,
    /// Leaves that asked to be split but are on the deepest level.
    pub at_maximum_depth: u64,
}

/// A chunk that has leaves, and where they lie.
struct Span {
    chunk: usize,
    first: u64,
    last: u64,
}

/// What a chunk leaves to be done after the pass.
#[derive(Default)]
struct ChunkEdits {
    edits: Edits,
    /// The first leaf of the chunk, if it is a right child that asks to merge and its sibling is in an earlier chunk.
    first_merge: Option<Node>,
    /// The last leaf of the chunk, if it is a left child that asks to merge.
    last_merge: Option<Node>,
    /// The last leaf of the chunk, if it asks for a split whose bit is in a later chunk.
    late_split: Option<Node>,
}

/// Asks every leaf and makes the edits; does not reduce.
pub(crate) fn visit_all<T: Tree>(tree: &T, decide: &(impl Fn(Node) -> Edit + Sync)) -> Edits {
    let chunks = 0..chunk_count(tree.depth());
    let span_of = |chunk| span(tree, chunk);
    let spans: Vec<Span> = if cfg!(miri) {
        chunks.filter_map(span_of).collect()
    } else {
        chunks.into_par_iter().filter_map(span_of).collect()
    };
    let visit_span = |i: usize| {
        let previous = i.checked_sub(1).map(|i| spans[i].last);
        let next = spans.get(i + 1).map(|span| span.first);
        visit(tree, &spans[i], previous, next, decide)
    };
    let each = 0..spans.len();
    let visits: Vec<ChunkEdits> =
        if cfg!(miri) { each.map(visit_span).collect() } else { each.into_par_iter().map(visit_span).collect() };

    let mut edits = Edits::default();
    let mut open: Option<Node> = None;
    for visited in visits {
        edits.splits += visited.edits.splits;
        edits.merges += visited.edits.merges;
        edits.at_maximum_depth += visited.edits.at_maximum_depth;
        if let Some(left) = open
            && left.sibling() == visited.first_merge
        {
            edits.merges += merge(tree, left);
        }
        edits.splits += visited.late_split.map_or(0, |leaf| split(tree, leaf));
        open = visited.last_merge;
    }
    edits
}

/// The extent of the leaves that start in a chunk, if any do.
fn span<T: Tree>(tree: &T, chunk: usize) -> Option<Span> {
    if tree.sum(chunk_node(tree.depth(), chunk)) == 0 {
        return None;
    }
    let first = SetBits::new(tree, chunk..chunk + 1).next()?;
    let last = last_bit_before(tree, chunk + 1)?;
    Some(Span { chunk, first, last })
}

/// Asks the leaves of one chunk and makes the edits that stay within it.
fn visit<T: Tree>(
    tree: &T,
    span: &Span,
    previous: Option<u64>,
    next: Option<u64>,
    decide: &impl Fn(Node) -> Edit,
) -> ChunkEdits {
    let depth = tree.depth();
    let own = chunk_bits(depth, span.chunk);
    let mut bits = SetBits::new(tree, span.chunk..span.chunk + 1);
    let mut visited = ChunkEdits::default();
    let mut before = previous.map_or(depth, |previous| separating_height(previous, span.first));
    let mut open: Option<Node> = None;
    let mut start = bits.next();
    while let Some(x) = start {
        start = bits.next();
        let after = start.or(next).map_or(depth, |next| separating_height(x, next));
        let leaf = leaf_between(depth, x, before, after);
        before = after;
        let left = open.take();
        match decide(leaf) {
            Edit::Keep => {}
            Edit::Split => match tree.right_child_bit(leaf) {
                Ok(bit) if own.contains(&bit) => visited.edits.splits += split(tree, leaf),
                Ok(_) => visited.late_split = Some(leaf),
                Err(_) => visited.edits.at_maximum_depth += 1,
            },
            Edit::Merge if leaf.is_left_child() => open = Some(leaf),
            Edit::Merge if left.is_some() && left == leaf.sibling() => visited.edits.merges += merge(tree, leaf),
            Edit::Merge if x == span.first && leaf.is_right_child() => visited.first_merge = Some(leaf),
            Edit::Merge => {}
        }
    }
    visited.last_merge = open;
    visited
}

/// Splits a leaf and counts it.
fn split<T: Tree>(tree: &T, leaf: Node) -> u64 {
    u64::from(tree.split(leaf).unwrap_or(false))
}

/// Merges a leaf with its sibling and counts the pair.
fn merge<T: Tree>(tree: &T, leaf: Node) -> u64 {
    u64::from(leaf.parent().is_some_and(|parent| tree.merge(parent).unwrap_or(false)))
}
