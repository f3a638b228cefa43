//! Random sequences of operations on both layouts and on the naive tree at once: after each reduction all three must agree.

mod common;

use cbt::{Classic, Compact, Edit, Error, Node, Tree};
use common::{Naive, check_counting, check_leaves};
use proptest::prelude::*;

#[derive(Clone, Debug)]
enum Operation {
    /// Split the leaf of this index, modulo the number of leaves.
    Split(usize),
    /// Merge the leaf of this index with its sibling if that is a leaf.
    Merge(usize),
    /// Split all ancestors of a node of the deepest level, from below or from above.
    Refine { offset: u64, from_below: bool },
    /// Let every leaf choose by its heap index.
    Update { modulus: u64 },
    /// Reset to this level, modulo the depth + 1.
    Reset(u32),
    /// Save and load.
    Reload,
}

fn operations() -> impl Strategy<Value = Vec<Operation>> {
    let operation = prop_oneof![
        8 => any::<usize>().prop_map(Operation::Split),
        6 => any::<usize>().prop_map(Operation::Merge),
        4 => (any::<u64>(), any::<bool>()).prop_map(|(offset, from_below)| Operation::Refine { offset, from_below }),
        2 => (2..6_u64).prop_map(|modulus| Operation::Update { modulus }),
        1 => (0..41_u32).prop_map(Operation::Reset),
        1 => Just(Operation::Reload),
    ];
    prop::collection::vec(operation, 1..40)
}

fn wish(leaf: Node, modulus: u64) -> Edit {
    match leaf.index() / 2 % modulus {
        0 => Edit::Split,
        1 => Edit::Merge,
        _ => Edit::Keep,
    }
}

/// What the operation does to the oracle.
fn apply_naive(naive: &mut Naive, depth: u32, operation: &Operation) {
    let leaves = naive.leaves();
    match *operation {
        Operation::Split(index) => {
            let leaf = leaves[index % leaves.len()];
            if leaf.depth() < depth {
                naive.find(leaf).unwrap().split();
            }
        }
        Operation::Merge(index) => {
            if let Some(parent) = leaves[index % leaves.len()].parent() {
                naive.find(parent).unwrap().merge();
            }
        }
        Operation::Refine { offset, .. } => {
            let node = Node::at(depth, offset % (1 << depth)).unwrap();
            (0..depth).for_each(|level| naive.find(node.ancestor(level).unwrap()).unwrap().split());
        }
        Operation::Update { modulus } => {
            for pair in leaves.windows(2).filter(|pair| pair[0].is_left_child() && pair[0].sibling() == Some(pair[1])) {
                if pair.iter().all(|&leaf| wish(leaf, modulus) == Edit::Merge) {
                    naive.find(pair[0].parent().unwrap()).unwrap().merge();
                }
            }
            for &leaf in leaves.iter().filter(|leaf| leaf.depth() < depth && wish(**leaf, modulus) == Edit::Split) {
                naive.find(leaf).unwrap().split();
            }
        }
        Operation::Reset(level) => *naive = Naive::perfect(level % (depth + 1)),
        Operation::Reload => {}
    }
}

/// The same with the crate's own means.
fn apply<T: Tree>(tree: &mut T, operation: &Operation) -> Result<(), Error> {
    let depth = tree.depth();
    match *operation {
        Operation::Split(index) => {
            let leaf = tree.leaf(index as u64 % tree.leaf_count())?;
            let split = tree.split(leaf);
            assert_eq!(split.is_err(), leaf.depth() == depth);
        }
        Operation::Merge(index) => {
            let leaf = tree.leaf(index as u64 % tree.leaf_count())?;
            if leaf.sibling().is_some_and(|sibling| tree.is_leaf(sibling)) {
                assert!(tree.merge(leaf.parent().unwrap())?);
            }
        }
        Operation::Refine { offset, from_below } => {
            let node = Node::at(depth, offset % tree.capacity()).unwrap();
            for step in 0..depth {
                let level = if from_below { depth - 1 - step } else { step };
                tree.split(node.ancestor(level).unwrap())?;
            }
        }
        Operation::Update { modulus } => {
            tree.update(|leaf| wish(leaf, modulus));
        }
        Operation::Reset(level) => tree.reset_to_depth(level % (depth + 1))?,
        Operation::Reload => *tree = T::load(&tree.save())?,
    }
    tree.reduce();
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 192, ..ProptestConfig::default() })]

    #[test]
    fn both_layouts_follow_the_naive_tree(depth in 1..=13_u32, operations in operations()) {
        let mut naive = Naive::default();
        let (mut classic, mut compact) = (Classic::new(depth).unwrap(), Compact::new(depth).unwrap());
        for operation in &operations {
            apply(&mut classic, operation).unwrap();
            apply(&mut compact, operation).unwrap();
            apply_naive(&mut naive, depth, operation);
            prop_assert!(classic.same_bits(&compact), "after {operation:?}");
            prop_assert_eq!(classic.leaves().collect::<Vec<_>>(), naive.leaves(), "after {:?}", operation);
        }
        classic.check().unwrap();
        check_leaves(&classic, &naive.leaves());
        check_leaves(&compact, &naive.leaves());
        check_counting(&classic);
        check_counting(&compact);
    }
}
