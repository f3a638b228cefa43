//! How are leaves visited in parallel? Runs of chunks, halved by rayon for as long as it has idle threads.

use std::ops::Range;

use rayon::iter::ParallelIterator;
use rayon::iter::plumbing::{Folder, UnindexedConsumer, UnindexedProducer, bridge_unindexed};

use crate::leaves::{chunk_bits, chunk_count};
use crate::{Leaves, Node, Tree};

/// Half of a run of chunks, if it can be halved.
fn halves(chunks: &Range<usize>) -> Option<[Range<usize>; 2]> {
    let middle = chunks.start + chunks.len() / 2;
    (chunks.len() > 1).then_some([chunks.start..middle, middle..chunks.end])
}

/// Hands the leaves of each chunk to `consume` until the folder is full.
///
/// They go through a buffer, because a folder takes items one by one with `next`, and [`Leaves`] is several times faster as a whole
/// (`fold`): it then keeps its place in a word of the bitfield in registers.
fn each_chunk<T: Tree, I, F: Folder<I>>(
    tree: &T,
    chunks: Range<usize>,
    mut folder: F,
    mut consume: impl FnMut(F, &[Node]) -> F,
) -> F {
    let mut leaves: Vec<Node> = Vec::new();
    for chunk in chunks {
        if folder.full() {
            break;
        }
        leaves.clear();
        Leaves::of_chunks(tree, chunk..chunk + 1).for_each(|leaf| leaves.push(leaf));
        folder = consume(folder, &leaves);
    }
    folder
}

/// The leaves of a tree, in parallel, as [`Tree::par_leaves`] gives them. Collecting keeps their order.
#[derive(Debug)]
pub struct ParLeaves<'a, T> {
    tree: &'a T,
    chunks: Range<usize>,
}

impl<'a, T: Tree> ParLeaves<'a, T> {
    pub(crate) fn all(tree: &'a T) -> Self {
        Self { tree, chunks: 0..chunk_count(tree.depth()) }
    }
}

impl<T: Tree> ParallelIterator for ParLeaves<'_, T> {
    type Item = Node;

    fn drive_unindexed<C: UnindexedConsumer<Node>>(self, consumer: C) -> C::Result {
        bridge_unindexed(self, consumer)
    }
}

impl<T: Tree> UnindexedProducer for ParLeaves<'_, T> {
    type Item = Node;

    fn split(self) -> (Self, Option<Self>) {
        let tree = self.tree;
        match halves(&self.chunks) {
            Some([left, right]) => (Self { tree, chunks: left }, Some(Self { tree, chunks: right })),
            None => (self, None),
        }
    }

    fn fold_with<F: Folder<Node>>(self, folder: F) -> F {
        each_chunk(self.tree, self.chunks, folder, |folder, leaves| folder.consume_iter(leaves.iter().copied()))
    }
}

/// Index and leaf of every leaf, in parallel, as [`Tree::par_leaves_indexed`] gives them. Collecting keeps their order.
#[derive(Debug)]
pub struct IndexedParLeaves<'a, T>(ParLeaves<'a, T>);

impl<'a, T: Tree> IndexedParLeaves<'a, T> {
    pub(crate) fn all(tree: &'a T) -> Self {
        Self(ParLeaves::all(tree))
    }
}

impl<T: Tree> ParallelIterator for IndexedParLeaves<'_, T> {
    type Item = (u64, Node);

    fn drive_unindexed<C: UnindexedConsumer<(u64, Node)>>(self, consumer: C) -> C::Result {
        bridge_unindexed(self, consumer)
    }
}

impl<T: Tree> UnindexedProducer for IndexedParLeaves<'_, T> {
    type Item = (u64, Node);

    fn split(self) -> (Self, Option<Self>) {
        let (left, right) = self.0.split();
        (Self(left), right.map(Self))
    }

    fn fold_with<F: Folder<(u64, Node)>>(self, folder: F) -> F {
        let Self(ParLeaves { tree, chunks }) = self;
        let mut first = tree.rank(chunk_bits(tree.depth(), chunks.start).start);
        each_chunk(tree, chunks, folder, |folder, leaves| {
            let numbered = (first..).zip(leaves.iter().copied());
            first += leaves.len() as u64;
            folder.consume_iter(numbered)
        })
    }
}
