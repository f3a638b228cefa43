//! What many threads may do to a tree at once, tried hard. `tests/loom.rs` tries every order of a few steps.

mod common;

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;

use cbt::{Classic, Compact, Node, Tree};
use common::{Naive, Random};

const THREADS: u64 = 8;

/// Splits that many threads make at once, in any order, and many times over, are those that one thread makes.
fn all_splits_land<T: Tree>() {
    for depth in [4, 7, 14] {
        let naive = Naive::random(depth, 0.9, &mut Random(depth.into()));
        let expected: T = naive.build(depth);
        let leaves = naive.leaves();
        let mut tree = T::new(depth).unwrap();
        thread::scope(|scope| {
            for thread in 0..THREADS {
                let (tree, leaves) = (&tree, &leaves);
                scope.spawn(move || {
                    let mut random = Random(thread);
                    let start = random.below(leaves.len() as u64) as usize;
                    for leaf in leaves.iter().cycle().skip(start).take(leaves.len()) {
                        for level in (0..leaf.depth()).rev() {
                            tree.split(leaf.ancestor(level).unwrap()).unwrap();
                        }
                    }
                });
            }
        });
        tree.reduce();
        assert!(tree.same_bits(&expected));
        assert_eq!(tree.leaves().collect::<Vec<_>>(), leaves);
    }
}

#[test]
fn all_splits_land_in_classic() {
    all_splits_land::<Classic>();
}

#[test]
fn all_splits_land_in_compact() {
    all_splits_land::<Compact>();
}

/// Threads that split and merge, each in a subtree of its own but in shared words, leave what one thread after the other leaves.
fn subtrees_do_not_disturb_each_other<T: Tree>() {
    let depth = 9; // 8 subtrees of 64 bits; in Classic they share words with sums as well
    let run = |tree: &T, thread: u64| {
        let mut random = Random(thread);
        let top = Node::at(3, thread).unwrap();
        for _ in 0..20_000 {
            let level = 1 + random.below(5) as u32;
            let node = Node::new(top.index() << level | random.below(1 << level)).unwrap();
            let done = if random.below(2) == 0 { tree.split(node) } else { tree.merge(node) };
            done.unwrap();
        }
    };
    let mut together = T::new(depth).unwrap();
    together.reset_to_depth(3).unwrap();
    let mut alone = T::new(depth).unwrap();
    alone.reset_to_depth(3).unwrap();
    thread::scope(|scope| {
        for thread in 0..THREADS {
            let together = &together;
            scope.spawn(move || run(together, thread));
        }
    });
    (0..THREADS).for_each(|thread| run(&alone, thread));
    assert!(together.same_bits(&alone));
    together.reduce();
    alone.reduce();
    assert_eq!(together.leaf_count(), alone.leaf_count());
}

#[test]
fn subtrees_do_not_disturb_each_other_in_classic() {
    subtrees_do_not_disturb_each_other::<Classic>();
}

#[test]
fn subtrees_do_not_disturb_each_other_in_compact() {
    subtrees_do_not_disturb_each_other::<Compact>();
}

/// Splitting a node that is already split must not clear its bit even for an instant: every longest-edge chain splits ancestors
/// again, and a thread that decodes meanwhile would take another leaf. (libcbt clears the field, then sets it.)
fn a_set_bit_is_never_seen_clear<T: Tree>() {
    let depth = 6;
    let mut tree = T::new(depth).unwrap();
    tree.reset_to_ceiling();
    let leaves: Vec<Node> = tree.leaves().collect();
    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        for thread in 0..2 {
            let (tree, stop) = (&tree, &stop);
            scope.spawn(move || {
                let mut random = Random(thread);
                while !stop.load(Relaxed) {
                    for _ in 0..64 {
                        tree.split(Node::new(1 + random.below(63)).unwrap()).unwrap();
                    }
                }
            });
        }
        let mut random = Random(9);
        let mut seen = Ok(());
        for _ in 0..400_000 {
            let index = random.below(64);
            if !tree.bit(index) || tree.leaf(index) != Ok(leaves[index as usize]) {
                seen = Err(index);
                break;
            }
        }
        stop.store(true, Relaxed);
        assert_eq!(seen, Ok(()), "the bit of a leaf was seen clear while its ancestors were split again");
    });
}

#[test]
fn a_set_bit_is_never_seen_clear_in_classic() {
    a_set_bit_is_never_seen_clear::<Classic>();
}

#[test]
fn a_set_bit_is_never_seen_clear_in_compact() {
    a_set_bit_is_never_seen_clear::<Compact>();
}

/// In the classic layout the i-th leaf stays the i-th leaf until the next reduction, whatever happens to the leaves themselves:
/// the papers' loop decodes and edits in the same pass.
#[test]
fn classic_leaves_keep_their_index_while_they_are_edited() {
    let depth = 12;
    let mut random = Random(77);
    for _ in 0..20 {
        let mut tree: Classic = Naive::random(depth, 0.85, &mut random).build(depth);
        let leaves: Vec<Node> = tree.leaves().collect();
        thread::scope(|scope| {
            for thread in 0..THREADS as usize {
                let (tree, leaves) = (&tree, &leaves);
                scope.spawn(move || {
                    for (index, &expected) in leaves.iter().enumerate().skip(thread).step_by(THREADS as usize) {
                        let leaf = tree.leaf(index as u64).unwrap();
                        assert_eq!(leaf, expected);
                        if leaf.index() % 3 == 0 && leaf.depth() < depth {
                            tree.split(leaf).unwrap();
                        } else if leaf.index() % 5 == 0
                            && leaf
                                .sibling()
                                .is_some_and(|sibling| leaves.contains(&sibling) && sibling.index() % 3 != 0)
                        {
                            tree.merge(leaf.parent().unwrap()).unwrap();
                        }
                    }
                });
            }
        });
        tree.reduce();
        tree.check().unwrap();
    }
}
