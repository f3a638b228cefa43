//! The laws of the tree, each run over both layouts.

mod common;

use cbt::{Classic, Compact, Edit, Edits, Error, MAX_DEPTH, Node, Tree};
use common::{Naive, Random, check_counting, check_leaves};

/// Runs a generic law over both layouts as two tests.
macro_rules! law {
    ($name:ident) => {
        mod $name {
            #[test]
            fn classic() {
                super::laws::$name::<cbt::Classic>();
            }
            #[test]
            fn compact() {
                super::laws::$name::<cbt::Compact>();
            }
        }
    };
}

law!(a_new_tree_is_its_root);
law!(leaves_are_those_of_the_naive_tree_at_every_depth);
law!(counting_agrees_with_the_bits_at_every_depth);
law!(counting_holds_for_bits_that_are_no_tree);
law!(resetting_to_a_level_makes_its_nodes_the_leaves);
law!(split_and_merge_are_inverse_and_idempotent);
law!(sequential_and_parallel_reduction_agree);
law!(update_makes_all_decisions_at_once);
law!(update_asks_each_leaf_once);
law!(membership_is_that_of_the_naive_tree);
law!(refusals_name_their_numbers);
law!(saved_trees_come_back);
law!(words_are_the_bits);
law!(check_accepts_trees_and_names_the_first_fault);
law!(a_single_path_reaches_the_deepest_level);

mod laws {
    use super::*;

    pub fn a_new_tree_is_its_root<T: Tree>() {
        for depth in 1..=24 {
            let tree = T::new(depth).unwrap();
            assert_eq!((tree.depth(), tree.capacity()), (depth, 1 << depth));
            check_leaves(&tree, &[Node::ROOT]);
        }
    }

    pub fn leaves_are_those_of_the_naive_tree_at_every_depth<T: Tree>() {
        let mut random = Random(1);
        for depth in 1..=18 {
            for fill in [0.4, 0.7, 0.9, 1.0] {
                // A full tree of that depth checks a million answers.
                let naive = Naive::random(if fill == 1.0 { depth.min(15) } else { depth }, fill, &mut random);
                check_leaves(&naive.build::<T>(depth), &naive.leaves());
            }
        }
    }

    pub fn counting_agrees_with_the_bits_at_every_depth<T: Tree>() {
        let mut random = Random(2);
        for depth in 1..=15 {
            check_counting(&Naive::random(depth, 0.8, &mut random).build::<T>(depth));
        }
    }

    pub fn counting_holds_for_bits_that_are_no_tree<T: Tree>() {
        let mut random = Random(3);
        for depth in 1..=15 {
            for sparse in [0, 1, 5] {
                let mut tree = T::new(depth).unwrap();
                for x in 0..tree.capacity() {
                    if random.below(1 << sparse) == 0 {
                        tree.set_bit(x).unwrap();
                    }
                }
                tree.reduce();
                check_counting(&tree);
                // Whatever "leaf" means there, all ways to it agree and none panics.
                let leaves: Vec<Node> = tree.leaves().collect();
                let by_index: Vec<Node> = (0..tree.leaf_count()).map(|index| tree.leaf(index).unwrap()).collect();
                assert_eq!(leaves, by_index);
                tree.update(|leaf| if leaf.index() % 3 == 0 { Edit::Split } else { Edit::Merge });
                check_counting(&tree);
            }
        }
    }

    pub fn resetting_to_a_level_makes_its_nodes_the_leaves<T: Tree>() {
        for depth in 1..=13 {
            let mut tree = T::new(depth).unwrap();
            for level in (0..=depth).chain([0]) {
                tree.reset_to_depth(level).unwrap();
                let nodes: Vec<Node> = (0..1 << level).map(|offset| Node::at(level, offset).unwrap()).collect();
                check_leaves(&tree, &nodes);
            }
            tree.reset_to_ceiling();
            assert_eq!(tree.leaf_count(), tree.capacity());
            tree.reset_to_root();
            check_leaves(&tree, &[Node::ROOT]);
            let asked = depth + 1;
            assert_eq!(tree.reset_to_depth(asked), Err(Error::Depth { asked, limit: depth }));
        }
    }

    pub fn split_and_merge_are_inverse_and_idempotent<T: Tree>() {
        let mut random = Random(4);
        for depth in 1..=12 {
            let naive = Naive::random(depth, 0.75, &mut random);
            let mut tree: T = naive.build(depth);
            for leaf in naive.leaves().into_iter().filter(|leaf| leaf.depth() < depth) {
                assert_eq!((tree.split(leaf), tree.split(leaf)), (Ok(true), Ok(false)));
                assert!(!tree.is_leaf(leaf) && leaf.children().unwrap().into_iter().all(|child| tree.is_leaf(child)));
                assert_eq!((tree.merge(leaf), tree.merge(leaf)), (Ok(true), Ok(false)));
                assert!(tree.is_leaf(leaf));
            }
            tree.reduce();
            check_leaves(&tree, &naive.leaves());
        }
    }

    pub fn sequential_and_parallel_reduction_agree<T: Tree>() {
        for depth in [1, 2, 5, 6, 9, 12, 13, 17, 20] {
            let mut random = Random(5);
            let mut trees = [T::new(depth).unwrap(), T::new(depth).unwrap()];
            for _ in 0..trees[0].capacity() / 3 {
                let x = random.below(trees[0].capacity());
                trees.iter().for_each(|tree| assert!(tree.set_bit(x).is_ok()));
            }
            trees[0].reduce_sequential();
            trees[1].reduce();
            for node in (1..2_u64 << depth).map(|index| Node::new(index).unwrap()) {
                assert_eq!(trees[0].count(node), trees[1].count(node), "{node} of depth {depth}");
            }
        }
    }

    pub fn update_makes_all_decisions_at_once<T: Tree>() {
        let mut random = Random(6);
        for depth in [1, 2, 3, 6, 9, 12, 13, 14, 17] {
            for round in 0..12 {
                let mut naive = Naive::random(depth, 0.86, &mut random);
                let mut tree: T = naive.build(depth);
                let salt = random.next();
                let wish = move |leaf: Node| match Random(leaf.index() ^ salt).below(if round % 2 == 0 { 3 } else { 2 })
                {
                    0 => Edit::Merge,
                    1 => Edit::Split,
                    _ => Edit::Keep,
                };
                let leaves = naive.leaves();
                let mut expected = Edits::default();
                for pair in leaves.windows(2) {
                    if pair[0].sibling() == Some(pair[1])
                        && pair[0].is_left_child()
                        && pair.iter().all(|&leaf| wish(leaf) == Edit::Merge)
                    {
                        assert!(naive.find(pair[0].parent().unwrap()).unwrap().merge());
                        expected.merges += 1;
                    }
                }
                for &leaf in leaves.iter().filter(|&&leaf| wish(leaf) == Edit::Split) {
                    if leaf.depth() == depth {
                        expected.at_maximum_depth += 1;
                    } else {
                        naive.find(leaf).unwrap().split();
                        expected.splits += 1;
                    }
                }
                assert_eq!(tree.update(wish), expected, "depth {depth}");
                tree.check().unwrap();
                check_leaves(&tree, &naive.leaves());
            }
        }
    }

    pub fn update_asks_each_leaf_once<T: Tree>() {
        use std::sync::Mutex;
        let mut random = Random(7);
        for depth in [3, 8, 13, 16] {
            let mut tree: T = Naive::random(depth, 0.85, &mut random).build(depth);
            let expected: Vec<Node> = tree.leaves().collect();
            let asked = Mutex::new(Vec::new());
            tree.update(|leaf| {
                asked.lock().unwrap().push(leaf);
                if leaf.index() % 2 == 0 { Edit::Split } else { Edit::Merge }
            });
            let mut asked = asked.into_inner().unwrap();
            asked.sort_by_key(|leaf| leaf.first_bit(depth));
            assert_eq!(asked, expected);
        }
    }

    pub fn membership_is_that_of_the_naive_tree<T: Tree>() {
        let mut random = Random(8);
        for depth in 1..=9 {
            let mut naive = Naive::random(depth, 0.75, &mut random);
            let tree: T = naive.build(depth);
            for node in (1..4_u64 << depth).map(|index| Node::new(index).unwrap()) {
                let found = naive.find(node);
                assert_eq!(tree.contains(node), found.is_some(), "{node} of depth {depth}");
                assert_eq!(tree.is_leaf(node), found.is_some_and(|node| node.is_leaf()), "{node} of depth {depth}");
            }
        }
    }

    pub fn refusals_name_their_numbers<T: Tree>() {
        for asked in [0, MAX_DEPTH + 1, u32::MAX] {
            let refused = Error::Depth { asked, limit: MAX_DEPTH };
            assert_eq!(T::new(asked).err(), Some(refused.clone()));
            assert_eq!(T::memory_bytes(asked).err(), Some(refused.clone()));
            assert_eq!(T::from_words(asked, &[1]).err(), Some(refused));
        }
        let mut tree = T::new(3).unwrap();
        let below = Node::new(16).unwrap();
        let outside = Error::NodeOutside { node: 16, level: 4, depth: 3 };
        assert_eq!(tree.split(below), Err(outside.clone()));
        assert_eq!(tree.merge(below), Err(outside.clone()));
        assert_eq!(tree.count(below), Err(outside.clone()));
        assert_eq!(tree.index_of(below), Err(outside));
        assert!(!tree.contains(below) && !tree.is_leaf(Node::new(u64::MAX).unwrap()));
        let deepest = Node::new(15).unwrap();
        assert_eq!(tree.split(deepest), Err(Error::AtMaximumDepth { node: 15, depth: 3 }));
        assert_eq!(tree.merge(deepest), Err(Error::AtMaximumDepth { node: 15, depth: 3 }));
        assert_eq!(tree.leaf(1), Err(Error::LeafIndex { index: 1, count: 1 }));
        assert_eq!(tree.leaf_at(8), Err(Error::BitOutside { bit: 8, capacity: 8 }));
        assert_eq!(tree.set_bit(8), Err(Error::BitOutside { bit: 8, capacity: 8 }));
        assert_eq!(tree.clear_bit(u64::MAX), Err(Error::BitOutside { bit: u64::MAX, capacity: 8 }));
        assert_eq!(tree.clear_bit(0), Err(Error::FirstBit));
        assert_eq!(
            T::from_words(8, &[1]).err(),
            Some(Error::Length { layout: "bitfield of a", depth: 8, expected: 32, found: 8 })
        );
        tree.reduce();
        check_leaves(&tree, &[Node::ROOT]); // nothing of this left a trace
    }

    pub fn saved_trees_come_back<T: Tree>() {
        let mut random = Random(9);
        for depth in 1..=14 {
            let naive = Naive::random(depth, 0.8, &mut random);
            let tree: T = naive.build(depth);
            let loaded = T::load(&tree.save()).unwrap();
            assert!(loaded.same_bits(&tree));
            check_leaves(&loaded, &naive.leaves());
            // Edits that no reduction has seen are saved too.
            tree.set_bit(tree.capacity() - 1).unwrap();
            assert!(T::load(&tree.save()).unwrap().same_bits(&tree));
        }
    }

    pub fn words_are_the_bits<T: Tree>() {
        let mut random = Random(10);
        for depth in 1..=10 {
            let tree: T = Naive::random(depth, 0.8, &mut random).build(depth);
            let words: Vec<u64> = tree.words().collect();
            assert_eq!(words.len(), tree.word_count());
            for x in 0..64 * words.len() as u64 {
                assert_eq!(words[(x / 64) as usize] >> (x % 64) & 1 == 1, tree.bit(x));
            }
            assert_eq!(words[words.len() - 1], tree.word(words.len() - 1));
            assert!(T::from_words(depth, &words).unwrap().same_bits(&tree));
        }
    }

    pub fn check_accepts_trees_and_names_the_first_fault<T: Tree>() {
        let mut random = Random(11);
        for depth in 1..=10 {
            Naive::random(depth, 0.8, &mut random).build::<T>(depth).check().unwrap();
        }
        let fault = |bits: u64, bit, end| {
            assert_eq!(T::from_words(4, &[bits]).unwrap().check(), Err(Error::NotATree { bit, end, depth: 4 }))
        };
        fault(0b0000_0000_0000_1001, 0, 3);
        fault(0b0000_0001_0100_0101, 2, 6);
        fault(0b0001_0000_0000_0001, 0, 12);
    }

    pub fn a_single_path_reaches_the_deepest_level<T: Tree>() {
        let mut tree = T::new(24).unwrap();
        let mut node = Node::ROOT;
        while node.depth() < 24 {
            tree.split(node).unwrap();
            node = node.children().unwrap()[1];
        }
        tree.reduce();
        assert_eq!((tree.leaf_count(), tree.leaf(24).unwrap()), (25, node));
    }
}

#[test]
fn layouts_agree_bit_for_bit() {
    let mut random = Random(12);
    for depth in 1..=14 {
        let naive = Naive::random(depth, 0.8, &mut random);
        let (classic, compact): (Classic, Compact) = (naive.build(depth), naive.build(depth));
        assert!(classic.same_bits(&compact));
        assert_eq!(classic.words().collect::<Vec<_>>(), compact.words().collect::<Vec<_>>());
    }
}

#[test]
fn memory_is_what_the_formulas_say() {
    for depth in 1..=MAX_DEPTH {
        let (classic, compact) = (Classic::memory_bytes(depth).unwrap(), Compact::memory_bytes(depth).unwrap());
        assert_eq!(classic, ((4_u64 << depth) / 8).max(8));
        let wide = if depth > 31 { 8 << (depth - 31) } else { 0 };
        assert_eq!(compact, ((1_u64 << depth) / 8).max(8) + (8 << depth.saturating_sub(9)) + wide);
        if depth >= 7 {
            assert!(classic as f64 / compact as f64 >= 2.5, "depth {depth}: {classic} against {compact}");
        }
    }
}
