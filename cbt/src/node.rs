//! What is a node, and where are its relatives? The binary heap index and its arithmetic.

mod arithmetic;

use std::fmt;

use arithmetic::{
    cbt_ancestor, cbt_bit_len, cbt_first_bit, cbt_is_left_child, cbt_is_right_child, cbt_left_child, cbt_node_depth,
    cbt_parent, cbt_right_child, cbt_sibling,
};

/// A node of a binary tree, named by its heap index *k*: the root is 1, the children of *k* are 2*k* and 2*k*+1.
///
/// The binary digits of *k* after the leading 1 are the path from the root (0 = left, 1 = right), so the level of *k* is
/// the position of its top bit (Grachev & Ushakov 2023, formulas 1 and 2). A node knows nothing of any tree: whether
/// it is in one is for [`Tree::contains`](crate::Tree::contains) to say. Nodes are ordered by heap index: level by level, left to right.
///
/// ```
/// use cbt::Node;
/// let node = Node::new(27).unwrap(); // 1 1011: right, left, right, right
/// assert_eq!(node.depth(), 4);
/// assert_eq!(node.path().collect::<Vec<_>>(), [true, false, true, true]);
/// assert_eq!(node.parent(), Node::new(13));
/// assert_eq!(node.sibling(), Node::new(26));
/// assert_eq!(node.to_string(), "27/1011");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Node(u64);

impl Node {
    /// The root, heap index 1.
    ///
    /// ```
    /// assert_eq!(cbt::Node::ROOT.depth(), 0);
    /// ```
    pub const ROOT: Self = Self(1);

    /// The node with this heap index; `None` for 0, which names none.
    ///
    /// ```
    /// use cbt::Node;
    /// assert_eq!(Node::new(1), Some(Node::ROOT));
    /// assert_eq!(Node::new(0), None);
    /// ```
    #[must_use]
    pub const fn new(index: u64) -> Option<Self> {
        if index == 0 { None } else { Some(Self(index)) }
    }

    /// The node on `level` that is `offset` nodes from the left; `None` where that level has no such node.
    ///
    /// ```
    /// use cbt::Node;
    /// assert_eq!(Node::at(3, 5), Node::new(13));
    /// assert_eq!(Node::at(3, 8), None);
    /// assert_eq!(Node::at(64, 0), None);
    /// ```
    #[must_use]
    pub const fn at(level: u32, offset: u64) -> Option<Self> {
        if level < 64 && offset >> level == 0 { Some(Self((1 << level) + offset)) } else { None }
    }

    /// Heap indices that the caller knows to be at least 1.
    pub(crate) const fn from_index(index: u64) -> Self {
        debug_assert!(index != 0);
        Self(index)
    }

    /// The heap index, at least 1.
    ///
    /// ```
    /// assert_eq!(cbt::Node::at(2, 1).unwrap().index(), 5);
    /// ```
    #[must_use]
    pub const fn index(self) -> u64 {
        self.0
    }

    /// The level: 0 for the root, at most 63. d = floor(log2 k).
    ///
    /// ```
    /// assert_eq!(cbt::Node::new(8).unwrap().depth(), 3);
    /// ```
    #[must_use]
    pub const fn depth(self) -> u32 {
        cbt_node_depth(self.0)
    }

    /// How many nodes of the same level lie to the left: k - 2^d.
    ///
    /// ```
    /// assert_eq!(cbt::Node::new(13).unwrap().offset(), 5);
    /// ```
    #[must_use]
    pub const fn offset(self) -> u64 {
        self.0 - (1 << self.depth())
    }

    /// The turns from the root to here: `false` is left, `true` is right.
    ///
    /// ```
    /// assert_eq!(cbt::Node::new(6).unwrap().path().collect::<Vec<_>>(), [true, false]);
    /// ```
    pub fn path(self) -> impl DoubleEndedIterator<Item = bool> + Clone {
        (0..self.depth()).rev().map(move |bit| self.0 >> bit & 1 == 1)
    }

    /// The parent, or `None` for the root.
    ///
    /// ```
    /// use cbt::Node;
    /// assert_eq!(Node::new(5).unwrap().parent(), Node::new(2));
    /// assert_eq!(Node::ROOT.parent(), None);
    /// ```
    #[must_use]
    pub const fn parent(self) -> Option<Self> {
        Self::new(cbt_parent(self.0))
    }

    /// The other child of the parent, or `None` for the root.
    ///
    /// ```
    /// use cbt::Node;
    /// assert_eq!(Node::new(5).unwrap().sibling(), Node::new(4));
    /// assert_eq!(Node::ROOT.sibling(), None);
    /// ```
    #[must_use]
    pub const fn sibling(self) -> Option<Self> {
        Self::new(cbt_sibling(self.0))
    }

    /// The left and right child, or `None` on level 63, below which heap indices end.
    ///
    /// ```
    /// use cbt::Node;
    /// let [left, right] = Node::new(3).unwrap().children().unwrap();
    /// assert_eq!((left.index(), right.index()), (6, 7));
    /// assert_eq!(Node::at(63, 0).unwrap().children(), None);
    /// ```
    #[must_use]
    pub const fn children(self) -> Option<[Self; 2]> {
        if self.0 >> 63 == 1 { None } else { Some([Self(cbt_left_child(self.0)), Self(cbt_right_child(self.0))]) }
    }

    /// Whether this node is the left child of its parent. The root is nobody's child.
    ///
    /// ```
    /// use cbt::Node;
    /// assert!(Node::new(4).unwrap().is_left_child());
    /// assert!(!Node::ROOT.is_left_child());
    /// ```
    #[must_use]
    pub const fn is_left_child(self) -> bool {
        cbt_is_left_child(self.0)
    }

    /// Whether this node is the right child of its parent. The root is nobody's child.
    ///
    /// ```
    /// use cbt::Node;
    /// assert!(Node::new(5).unwrap().is_right_child());
    /// assert!(!Node::ROOT.is_right_child());
    /// ```
    #[must_use]
    pub const fn is_right_child(self) -> bool {
        cbt_is_right_child(self.0)
    }

    /// The ancestor on `level` (the node itself on its own level), or `None` below it.
    ///
    /// ```
    /// use cbt::Node;
    /// let node = Node::new(27).unwrap();
    /// assert_eq!(node.ancestor(2), Node::new(6));
    /// assert_eq!(node.ancestor(4), Some(node));
    /// assert_eq!(node.ancestor(5), None);
    /// ```
    #[must_use]
    pub const fn ancestor(self, level: u32) -> Option<Self> {
        if level <= self.depth() { Some(Self(cbt_ancestor(self.0, level))) } else { None }
    }

    /// Whether `other` lies strictly below this node.
    ///
    /// ```
    /// use cbt::Node;
    /// let node = Node::new(6).unwrap();
    /// assert!(node.is_ancestor_of(Node::new(27).unwrap()));
    /// assert!(!node.is_ancestor_of(node));
    /// ```
    #[must_use]
    pub const fn is_ancestor_of(self, other: Self) -> bool {
        let (above, below) = (self.depth(), other.depth());
        above < below && other.0 >> (below - above) == self.0
    }

    /// The deepest node that is an ancestor of both, or one of them.
    ///
    /// ```
    /// use cbt::Node;
    /// let (a, b) = (Node::new(27).unwrap(), Node::new(25).unwrap());
    /// assert_eq!(a.common_ancestor(b), Node::new(6).unwrap());
    /// assert_eq!(a.common_ancestor(Node::ROOT), Node::ROOT);
    /// ```
    #[must_use]
    pub const fn common_ancestor(self, other: Self) -> Self {
        let (a, b) = (self.depth(), other.depth());
        let level = if a < b { a } else { b };
        let (x, y) = (self.0 >> (a - level), other.0 >> (b - level));
        Self(x >> (64 - (x ^ y).leading_zeros()))
    }

    /// The bit at which this node starts in the bitfield of a tree of depth `depth`, or `None` below its deepest level.
    ///
    /// x = k 2^(D-d) - 2^D: go left to the deepest level, then count from that level's first node
    /// (Grachev & Ushakov 2023, from formula 10).
    ///
    /// ```
    /// use cbt::Node;
    /// assert_eq!(Node::new(5).unwrap().first_bit(4), Some(4));
    /// assert_eq!(Node::new(32).unwrap().first_bit(4), None);
    /// ```
    #[must_use]
    pub const fn first_bit(self, depth: u32) -> Option<u64> {
        if self.depth() <= depth && depth < 64 { Some(cbt_first_bit(self.0, depth)) } else { None }
    }

    /// How many bits this node spans in the bitfield of a tree of depth `depth`, 2^(D-d), or `None` below its deepest level.
    ///
    /// ```
    /// assert_eq!(cbt::Node::new(5).unwrap().bit_len(4), Some(4));
    /// ```
    #[must_use]
    pub const fn bit_len(self, depth: u32) -> Option<u64> {
        if self.depth() <= depth && depth < 64 { Some(cbt_bit_len(self.0, depth)) } else { None }
    }
}

/// `27/1011`: the heap index, then the path.
impl fmt::Display for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/", self.0)?;
        self.path().try_for_each(|right| f.write_str(if right { "1" } else { "0" }))
    }
}

impl fmt::Debug for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Node({self})")
    }
}

impl From<Node> for u64 {
    fn from(node: Node) -> Self {
        node.0
    }
}

#[cfg(test)]
mod tests {
    use super::Node;

    #[test]
    fn relatives_agree_with_each_other() {
        for index in 1..if cfg!(miri) { 64 } else { 4096 } {
            let node = Node::new(index).unwrap();
            let [left, right] = node.children().unwrap();
            assert_eq!((left.parent(), right.parent()), (Some(node), Some(node)));
            assert_eq!((left.sibling(), right.sibling()), (Some(right), Some(left)));
            assert!(left.is_left_child() && right.is_right_child());
            assert!(node.is_ancestor_of(left) && !left.is_ancestor_of(node) && !left.is_ancestor_of(right));
            assert_eq!(left.common_ancestor(right), node);
            let walked = node.path().fold(Node::ROOT, |at, right| at.children().unwrap()[usize::from(right)]);
            assert_eq!(walked, node);
        }
    }

    #[test]
    fn common_ancestor_is_the_last_shared_node_of_both_paths() {
        let end: u64 = if cfg!(miri) { 20 } else { 200 };
        for a in 1..end {
            for b in 1..end {
                let (mut x, mut y) = (a, b);
                while x != y {
                    if x > y { x >>= 1 } else { y >>= 1 }
                }
                assert_eq!(Node::new(a).unwrap().common_ancestor(Node::new(b).unwrap()).index(), x);
            }
        }
    }

    #[test]
    fn the_deepest_level_of_heap_indices_has_no_children_and_no_overflow() {
        let last = Node::new(u64::MAX).unwrap();
        assert_eq!((last.depth(), last.children()), (63, None));
        assert_eq!((last.first_bit(63), last.first_bit(62), last.first_bit(64)), (Some(u64::MAX >> 1), None, None));
        assert_eq!(last.common_ancestor(last), last);
        assert_eq!(last.common_ancestor(Node::at(63, 0).unwrap()), Node::ROOT);
    }
}
