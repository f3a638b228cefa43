//! The oracle of all tests: a binary tree of boxes, and a bit vector that is counted from one end to the other.
#![allow(dead_code)] // each test file uses its part

use cbt::{Node, Tree};

/// A binary tree as a first-year student writes it.
#[derive(Clone, Debug, Default)]
pub struct Naive {
    children: Option<Box<[Naive; 2]>>,
}

impl Naive {
    /// The subtree at `node`, if it is in the tree.
    pub fn find(&mut self, node: Node) -> Option<&mut Self> {
        node.path().try_fold(self, |at, right| Some(&mut at.children.as_mut()?[usize::from(right)]))
    }

    /// Gives children to a leaf; to any other node, nothing.
    pub fn split(&mut self) {
        self.children.get_or_insert_default();
    }

    /// Takes leaf children away; anything else stays.
    pub fn merge(&mut self) -> bool {
        let leaves = self.children.as_ref().is_some_and(|children| children.iter().all(Self::is_leaf));
        if leaves {
            self.children = None;
        }
        leaves
    }

    pub fn is_leaf(&self) -> bool {
        self.children.is_none()
    }

    /// Heap indices of the leaves, left to right.
    pub fn leaves(&self) -> Vec<Node> {
        fn walk(tree: &Naive, node: Node, out: &mut Vec<Node>) {
            match (&tree.children, node.children()) {
                (Some(children), Some(nodes)) => {
                    children.iter().zip(nodes).for_each(|(child, node)| walk(child, node, out))
                }
                _ => out.push(node),
            }
        }
        let mut out = Vec::new();
        walk(self, Node::ROOT, &mut out);
        out
    }

    /// A random tree in which a node above the deepest level has children with probability `fill`.
    pub fn random(depth: u32, fill: f64, random: &mut Random) -> Self {
        let mut tree = Self::default();
        if depth > 0 && random.unit() < fill {
            tree.children =
                Some(Box::new([Self::random(depth - 1, fill, random), Self::random(depth - 1, fill, random)]));
        }
        tree
    }

    /// The tree whose leaves are all nodes of a level.
    pub fn perfect(level: u32) -> Self {
        let mut tree = Self::default();
        if level > 0 {
            tree.children = Some(Box::new([Self::perfect(level - 1), Self::perfect(level - 1)]));
        }
        tree
    }

    /// The same tree in the crate's own form, made by splits from the root down.
    pub fn build<T: Tree>(&self, depth: u32) -> T {
        let mut tree = T::new(depth).unwrap();
        for leaf in self.leaves() {
            for level in 0..leaf.depth() {
                tree.split(leaf.ancestor(level).unwrap()).unwrap();
            }
        }
        tree.reduce();
        tree
    }
}

/// SplitMix64: the same numbers everywhere.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ x >> 31
    }

    pub fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }

    pub fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// Checks every law of counting and numbering against the bits, one by one: holds for any bits, tree or not.
pub fn check_counting<T: Tree>(tree: &T) {
    let bits: Vec<bool> = (0..tree.capacity()).map(|x| tree.bit(x)).collect();
    let (mut set, mut unset) = (0, 0);
    for (x, &bit) in (0..).zip(&bits) {
        assert_eq!((tree.rank_set(x), tree.rank_unset(x)), (set, unset), "rank of bit {x}");
        let found = if bit { tree.select_set(set) } else { tree.select_unset(unset) };
        assert_eq!(found, Some(x), "select the {set}-th set or {unset}-th clear bit");
        *(if bit { &mut set } else { &mut unset }) += 1;
    }
    assert_eq!((tree.rank_set(tree.capacity()), tree.rank_unset(u64::MAX)), (set, unset));
    assert_eq!((tree.select_set(set), tree.select_unset(unset), tree.leaf_count()), (None, None, set));
    for level in 0..=tree.depth() {
        let span = 1_usize << (tree.depth() - level);
        for (offset, bits) in bits.chunks(span).enumerate() {
            let expected = bits.iter().filter(|&&bit| bit).count() as u64;
            assert_eq!(
                tree.count(Node::at(level, offset as u64).unwrap()).unwrap(),
                expected,
                "sum of {level}/{offset}"
            );
        }
    }
}

/// Checks that every way of naming leaves gives exactly these.
pub fn check_leaves<T: Tree>(tree: &T, expected: &[Node]) {
    use rayon::prelude::*;
    assert_eq!(tree.leaf_count(), expected.len() as u64);
    assert_eq!(tree.leaves().collect::<Vec<_>>(), expected);
    let mut stepped = tree.leaves();
    let by_steps: Vec<Node> = std::iter::from_fn(|| stepped.next()).collect();
    assert_eq!(by_steps, expected);
    assert_eq!(tree.par_leaves().collect::<Vec<_>>(), expected);
    let indexed: Vec<(u64, Node)> = tree.par_leaves_indexed().collect();
    assert_eq!(indexed, (0..).zip(expected.iter().copied()).collect::<Vec<_>>());
    for (index, &leaf) in (0..).zip(expected) {
        assert_eq!(tree.leaf(index).unwrap(), leaf, "leaf {index}");
        assert_eq!(tree.index_of(leaf).unwrap(), index);
        let first = leaf.first_bit(tree.depth()).unwrap();
        let last = first + leaf.bit_len(tree.depth()).unwrap() - 1;
        assert_eq!((tree.leaf_at(first).unwrap(), tree.leaf_at(last).unwrap()), (leaf, leaf));
    }
    assert!(tree.leaf(expected.len() as u64).is_err());
}
