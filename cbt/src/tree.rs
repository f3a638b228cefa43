//! What can one do with a tree? Every operation, written once for both layouts.

use rayon::prelude::*;

use crate::storage::{Storage, bitfield_words, check_depth, word_mask};
use crate::{Edit, Edits, Error, IndexedParLeaves, Leaves, Node, ParLeaves, update};

/// A concurrent binary tree: 2^D bits, one for each node of the deepest level, and the sums of set bits above them.
///
/// * A set bit is where a leaf starts. Bit 0 is always set.
/// * [`split`](Self::split), [`merge`](Self::merge), [`set_bit`](Self::set_bit) and [`clear_bit`](Self::clear_bit) take `&self`:
///   any number of threads edit at once, each edit one atomic operation.
/// * [`reduce`](Self::reduce) brings the sums up to date. Whatever counts or numbers leaves
///   ([`leaf_count`](Self::leaf_count), [`leaf`](Self::leaf), [`leaves`](Self::leaves), `rank_*`, `select_*`)
///   is about the tree of the last reduction: edit, reduce, ask. Between an edit and the next reduction answers may mix both trees;
///   only [`Classic`](crate::Classic) names the leaves of the last reduction by [`leaf`](Self::leaf) meanwhile.
///
/// The two layouts, [`Classic`](crate::Classic) and [`Compact`](crate::Compact), give the same answers. The trait is sealed.
///
/// ```
/// use cbt::{Compact, Node, Tree};
/// let mut tree = Compact::new(4)?;
/// tree.split(Node::ROOT)?;
/// tree.split(Node::new(3).unwrap())?;
/// tree.reduce();
/// let leaves: Vec<u64> = tree.leaves().map(Node::index).collect();
/// assert_eq!(leaves, [2, 6, 7]);
/// # Ok::<(), cbt::Error>(())
/// ```
pub trait Tree: Storage {
    /// A tree of maximum depth `depth` that is a single leaf, the root.
    ///
    /// # Errors
    /// [`Error::Depth`] outside `1..=MAX_DEPTH`; [`Error::OutOfMemory`].
    ///
    /// ```
    /// use cbt::{Classic, Tree};
    /// assert_eq!(Classic::new(10)?.leaf_count(), 1);
    /// # Ok::<(), cbt::Error>(())
    /// ```
    fn new(depth: u32) -> Result<Self, Error> {
        check_depth(depth)?;
        let mut tree = Self::allocate(depth)?;
        tree.store_word(0, 1);
        tree.reduce();
        Ok(tree)
    }

    /// A tree whose bitfield is `words`, 64 bits each, lowest first. Bit 0 is set whether or not it was.
    ///
    /// # Errors
    /// Those of [`new`](Self::new), and [`Error::Length`] when the number of words is not max(1, 2^D / 64).
    ///
    /// ```
    /// use cbt::{Classic, Tree};
    /// let tree = Classic::from_words(3, &[0b0001_0001])?;
    /// assert_eq!(tree.leaf_count(), 2);
    /// # Ok::<(), cbt::Error>(())
    /// ```
    fn from_words(depth: u32, words: &[u64]) -> Result<Self, Error> {
        check_depth(depth)?;
        let expected = bitfield_words(depth);
        if words.len() != expected {
            let (expected, found) = (expected as u64 * 8, words.len() as u64 * 8);
            return Err(Error::Length { layout: "bitfield of a", depth, expected, found });
        }
        let mut tree = Self::allocate(depth)?;
        for (word, &bits) in words.iter().enumerate() {
            tree.store_word(word, bits & word_mask(depth) | u64::from(word == 0));
        }
        tree.reduce();
        Ok(tree)
    }

    /// Bytes of memory of a tree of maximum depth `depth` in this layout, sums included.
    ///
    /// ```
    /// use cbt::{Classic, Compact, Tree};
    /// assert_eq!(Classic::memory_bytes(20)?, 512 << 10);
    /// assert_eq!(Compact::memory_bytes(20)?, 144 << 10);
    /// # Ok::<(), cbt::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Depth`] outside `1..=MAX_DEPTH`.
    fn memory_bytes(depth: u32) -> Result<u64, Error> {
        check_depth(depth)?;
        Ok(Self::bytes(depth))
    }

    /// The maximum depth D: no leaf is deeper.
    ///
    /// ```
    /// use cbt::{Compact, Tree};
    /// assert_eq!(Compact::new(7)?.depth(), 7);
    /// # Ok::<(), cbt::Error>(())
    /// ```
    fn depth(&self) -> u32 {
        self.levels()
    }

    /// Bits of the bitfield, 2^D: the most leaves that fit.
    ///
    /// ```
    /// use cbt::{Compact, Tree};
    /// assert_eq!(Compact::new(7)?.capacity(), 128);
    /// # Ok::<(), cbt::Error>(())
    /// ```
    fn capacity(&self) -> u64 {
        1 << self.levels()
    }

    // ---- the bitfield -------------------------------------------------------------------------------------------

    /// Whether bit `x` is set now; `false` from the capacity on.
    ///
    /// ```
    /// use cbt::{Compact, Tree};
    /// let tree = Compact::new(7)?;
    /// assert!(tree.bit(0) && !tree.bit(1) && !tree.bit(u64::MAX));
    /// # Ok::<(), cbt::Error>(())
    /// ```
    fn bit(&self, x: u64) -> bool {
        x < self.capacity() && self.load_word((x / 64) as usize) >> (x % 64) & 1 == 1
    }

    /// Sets bit `x` with one atomic `fetch_or`; `true` if it was clear. A bit that is already set is never seen clear meanwhile.
    ///
    /// # Errors
    /// [`Error::BitOutside`] from the capacity on.
    ///
    /// ```
    /// use cbt::{Compact, Tree};
    /// let tree = Compact::new(7)?;
    /// assert_eq!((tree.set_bit(5)?, tree.set_bit(5)?), (true, false));
    /// # Ok::<(), cbt::Error>(())
    /// ```
    fn set_bit(&self, x: u64) -> Result<bool, Error> {
        if x >= self.capacity() {
            return Err(Error::BitOutside { bit: x, capacity: self.capacity() });
        }
        let mask = 1 << (x % 64);
        Ok(self.or_word((x / 64) as usize, mask) & mask == 0)
    }

    /// Clears bit `x` with one atomic `fetch_and`; `true` if it was set.
    ///
    /// # Errors
    /// [`Error::BitOutside`] from the capacity on, [`Error::FirstBit`] for bit 0.
    ///
    /// ```
    /// use cbt::{Compact, Error, Tree};
    /// let tree = Compact::new(7)?;
    /// tree.set_bit(5)?;
    /// assert_eq!((tree.clear_bit(5)?, tree.clear_bit(5)?), (true, false));
    /// assert_eq!(tree.clear_bit(0), Err(Error::FirstBit));
    /// # Ok::<(), cbt::Error>(())
    /// ```
    fn clear_bit(&self, x: u64) -> Result<bool, Error> {
        if x >= self.capacity() {
            return Err(Error::BitOutside { bit: x, capacity: self.capacity() });
        }
        if x == 0 {
            return Err(Error::FirstBit);
        }
        let mask = 1 << (x % 64);
        Ok(self.clear_in_word((x / 64) as usize, mask) & mask != 0)
    }

    /// Number of 64-bit words of the bitfield, max(1, 2^D / 64).
    ///
    /// ```
    /// use cbt::{Compact, Tree};
    /// assert_eq!((Compact::new(5)?.word_count(), Compact::new(10)?.word_count()), (1, 16));
    /// # Ok::<(), cbt::Error>(())
    /// ```
    fn word_count(&self) -> usize {
        bitfield_words(self.levels())
    }

    /// Bits `64 i .. 64 i + 64` as they are now, lowest first; bits past the capacity read as zero.
    ///
    /// # Panics
    /// If `i` is not below [`word_count`](Self::word_count), as a slice does.
    ///
    /// ```
    /// use cbt::{Compact, Tree};
    /// let tree = Compact::new(7)?;
    /// tree.set_bit(66)?;
    /// assert_eq!((tree.word(0), tree.word(1)), (1, 4));
    /// # Ok::<(), cbt::Error>(())
    /// ```
    fn word(&self, i: usize) -> u64 {
        assert!(i < self.word_count(), "word {i} of {}", self.word_count());
        self.load_word(i)
    }

    /// The words of the bitfield, each as it is when the iterator comes to it.
    ///
    /// ```
    /// use cbt::{Compact, Tree};
    /// let live: u32 = Compact::new(10)?.words().map(u64::count_ones).sum();
    /// assert_eq!(live, 1);
    /// # Ok::<(), cbt::Error>(())
    /// ```
    fn words(&self) -> impl DoubleEndedIterator<Item = u64> + ExactSizeIterator + '_ {
        (0..self.word_count()).map(|i| self.load_word(i))
    }

    // ---- sums ---------------------------------------------------------------------------------------------------

    /// Brings the sums up to date with the bits, on rayon's current pool.
    ///
    /// ```
    /// use cbt::{Compact, Node, Tree};
    /// let mut tree = Compact::new(7)?;
    /// tree.split(Node::ROOT)?;
    /// assert_eq!(tree.leaf_count(), 1); // of the last reduction
    /// tree.reduce();
    /// assert_eq!(tree.leaf_count(), 2);
    /// # Ok::<(), cbt::Error>(())
    /// ```
    fn reduce(&mut self) {
        // Miri interprets, and complains of the queues of rayon's threads.
        self.sum_up(!cfg!(miri));
    }

    /// Brings the sums up to date with the bits on the calling thread alone.
    ///
    /// ```
    /// use cbt::{Compact, Node, Tree};
    /// let mut tree = Compact::new(7)?;
    /// tree.split(Node::ROOT)?;
    /// tree.reduce_sequential();
    /// assert_eq!(tree.leaf_count(), 2);
    /// # Ok::<(), cbt::Error>(())
    /// ```
    fn reduce_sequential(&mut self) {
        self.sum_up(false);
    }

    /// Number of leaves, which is the number of set bits, at the last reduction.
    ///
    /// ```
    /// use cbt::{Compact, Tree};
    /// let mut tree = Compact::new(7)?;
    /// tree.reset_to_ceiling();
    /// assert_eq!(tree.leaf_count(), 128);
    /// # Ok::<(), cbt::Error>(())
    /// ```
    fn leaf_count(&self) -> u64 {
        self.sum(Node::ROOT)
    }

    /// Number of set bits in the span of `node`: its leaves if it is in the tree.
    ///
    /// # Errors
    /// [`Error::NodeOutside`] below the deepest level.
    ///
    /// ```
    /// use cbt::{Compact, Node, Tree};
    /// let mut tree = Compact::new(7)?;
    /// tree.reset_to_depth(3)?;
    /// assert_eq!(tree.count(Node::new(3).unwrap())?, 4);
    /// # Ok::<(), cbt::Error>(())
    /// ```
    fn count(&self, node: Node) -> Result<u64, Error> {
        self.check_node(node)?;
        Ok(self.sum(node))
    }

    /// Number of set bits before bit `x`; all of them from the capacity on.
    ///
    /// ```
    /// use cbt::{Compact, Tree};
    /// let mut tree = Compact::new(7)?;
    /// tree.set_bit(5)?;
    /// tree.reduce();
    /// assert_eq!((tree.rank_set(5), tree.rank_set(6), tree.rank_set(u64::MAX)), (1, 2, 2));
    /// # Ok::<(), cbt::Error>(())
    /// ```
    fn rank_set(&self, x: u64) -> u64 {
        self.rank(x.min(self.capacity()))
    }

    /// Number of clear bits before bit `x`; all of them from the capacity on.
    ///
    /// ```
    /// use cbt::{Compact, Tree};
    /// assert_eq!(Compact::new(7)?.rank_unset(6), 5);
    /// # Ok::<(), cbt::Error>(())
    /// ```
    fn rank_unset(&self, x: u64) -> u64 {
        let x = x.min(self.capacity());
        x - self.rank(x)
    }

    /// The set bit that has `rank` set bits before it, or `None` if there are not so many.
    ///
    /// ```
    /// use cbt::{Compact, Tree};
    /// let mut tree = Compact::new(7)?;
    /// tree.set_bit(5)?;
    /// tree.reduce();
    /// assert_eq!((tree.select_set(1), tree.select_set(2)), (Some(5), None));
    /// # Ok::<(), cbt::Error>(())
    /// ```
    fn select_set(&self, rank: u64) -> Option<u64> {
        self.select(rank, true)
    }

    /// The clear bit that has `rank` clear bits before it, or `None` if there are not so many:
    /// in a pool with a bit for each slot in use, the `rank`-th free slot.
    ///
    /// ```
    /// use cbt::{Compact, Tree};
    /// let mut tree = Compact::new(2)?;
    /// tree.set_bit(2)?;
    /// tree.reduce();
    /// assert_eq!((tree.select_unset(0), tree.select_unset(1), tree.select_unset(2)), (Some(1), Some(3), None));
    /// # Ok::<(), cbt::Error>(())
    /// ```
    fn select_unset(&self, rank: u64) -> Option<u64> {
        self.select(rank, false)
    }

    // ---- nodes --------------------------------------------------------------------------------------------------

    /// Gives `node` two children: sets the bit where its right child starts. `true` if that bit was clear.
    ///
    /// Any thread may do this at any time, also to a node that already has children (nothing changes) and to a node that is
    /// not there yet: what counts is the set of bits when all are done. They are a tree again once every ancestor of a split
    /// node is split too, in whatever order; [`check`](Self::check) tells.
    ///
    /// # Errors
    /// [`Error::NodeOutside`] below the deepest level, [`Error::AtMaximumDepth`] on it.
    ///
    /// ```
    /// use cbt::{Classic, Error, Node, Tree};
    /// let tree = Classic::new(1)?;
    /// let [left, _] = Node::ROOT.children().unwrap();
    /// assert_eq!((tree.split(Node::ROOT)?, tree.split(Node::ROOT)?), (true, false));
    /// assert_eq!(tree.split(left), Err(Error::AtMaximumDepth { node: 2, depth: 1 }));
    /// # Ok::<(), cbt::Error>(())
    /// ```
    fn split(&self, node: Node) -> Result<bool, Error> {
        self.set_bit(self.right_child_bit(node)?)
    }

    /// Takes the two children of `node` away: clears the bit where its right child starts. `true` if that bit was set.
    ///
    /// The inverse of [`split`](Self::split) on the same node, and like it allowed to any thread at any time. The children
    /// should be leaves; if the right one has leaves below it, these stay and the node keeps an inner right child.
    ///
    /// # Errors
    /// [`Error::NodeOutside`] below the deepest level, [`Error::AtMaximumDepth`] on it.
    ///
    /// ```
    /// use cbt::{Classic, Node, Tree};
    /// let tree = Classic::new(6)?;
    /// tree.split(Node::ROOT)?;
    /// assert_eq!((tree.merge(Node::ROOT)?, tree.merge(Node::ROOT)?), (true, false));
    /// # Ok::<(), cbt::Error>(())
    /// ```
    fn merge(&self, node: Node) -> Result<bool, Error> {
        self.clear_bit(self.right_child_bit(node)?)
    }

    /// Whether `node` is in the tree now, as a leaf or above leaves; `false` below the deepest level.
    ///
    /// It is, exactly when a leaf starts where it starts and another starts where it ends (or the tree ends there).
    ///
    /// ```
    /// use cbt::{Classic, Node, Tree};
    /// let tree = Classic::new(6)?;
    /// tree.split(Node::ROOT)?;
    /// assert!(tree.contains(Node::ROOT) && tree.contains(Node::new(3).unwrap()));
    /// assert!(!tree.contains(Node::new(4).unwrap()));
    /// # Ok::<(), cbt::Error>(())
    /// ```
    fn contains(&self, node: Node) -> bool {
        let (Some(first), Some(len)) = (node.first_bit(self.levels()), node.bit_len(self.levels())) else {
            return false;
        };
        self.bit(first) && (first + len == self.capacity() || self.bit(first + len))
    }

    /// Whether `node` is a leaf of the tree now; `false` below the deepest level.
    ///
    /// ```
    /// use cbt::{Classic, Node, Tree};
    /// let tree = Classic::new(6)?;
    /// assert!(tree.is_leaf(Node::ROOT));
    /// tree.split(Node::ROOT)?;
    /// assert!(!tree.is_leaf(Node::ROOT) && tree.is_leaf(Node::new(2).unwrap()));
    /// # Ok::<(), cbt::Error>(())
    /// ```
    fn is_leaf(&self, node: Node) -> bool {
        self.contains(node) && self.right_child_bit(node).map_or(true, |bit| !self.bit(bit))
    }

    /// The leaf that has `index` leaves before it (Grachev & Ushakov 2023, Fig. 8).
    ///
    /// # Errors
    /// [`Error::LeafIndex`] past the last leaf.
    ///
    /// ```
    /// use cbt::{Classic, Error, Node, Tree};
    /// let mut tree = Classic::new(6)?;
    /// tree.reset_to_depth(2)?;
    /// assert_eq!(tree.leaf(1)?, Node::new(5).unwrap());
    /// assert_eq!(tree.leaf(4), Err(Error::LeafIndex { index: 4, count: 4 }));
    /// # Ok::<(), cbt::Error>(())
    /// ```
    fn leaf(&self, index: u64) -> Result<Node, Error> {
        self.nth_leaf(index).ok_or_else(|| Error::LeafIndex { index, count: self.leaf_count() })
    }

    /// How many leaves start before `node`: for a leaf, its index.
    ///
    /// # Errors
    /// [`Error::NodeOutside`] below the deepest level.
    ///
    /// ```
    /// use cbt::{Classic, Node, Tree};
    /// let mut tree = Classic::new(6)?;
    /// tree.reset_to_depth(2)?;
    /// assert_eq!(tree.index_of(Node::new(5).unwrap())?, 1);
    /// # Ok::<(), cbt::Error>(())
    /// ```
    fn index_of(&self, node: Node) -> Result<u64, Error> {
        self.check_node(node)?;
        Ok(self.rank(node.first_bit(self.levels()).unwrap_or(0)))
    }

    /// The leaf that spans bit `x`: where a point of the domain lies.
    ///
    /// # Errors
    /// [`Error::BitOutside`] from the capacity on.
    ///
    /// ```
    /// use cbt::{Classic, Node, Tree};
    /// let mut tree = Classic::new(6)?;
    /// tree.reset_to_depth(2)?;
    /// assert_eq!(tree.leaf_at(17)?, Node::new(5).unwrap());
    /// # Ok::<(), cbt::Error>(())
    /// ```
    fn leaf_at(&self, x: u64) -> Result<Node, Error> {
        if x >= self.capacity() {
            return Err(Error::BitOutside { bit: x, capacity: self.capacity() });
        }
        self.leaf(self.rank(x + 1).saturating_sub(1))
    }

    /// The leaves from left to right.
    ///
    /// ```
    /// use cbt::{Classic, Tree};
    /// let mut tree = Classic::new(6)?;
    /// tree.reset_to_depth(1)?;
    /// assert_eq!(tree.leaves().map(|leaf| leaf.index()).collect::<Vec<_>>(), [2, 3]);
    /// # Ok::<(), cbt::Error>(())
    /// ```
    fn leaves(&self) -> Leaves<'_, Self> {
        Leaves::all(self)
    }

    /// The leaves, in parallel on rayon.
    ///
    /// ```
    /// use cbt::{Classic, Tree};
    /// use rayon::prelude::*;
    /// let mut tree = Classic::new(6)?;
    /// tree.reset_to_depth(1)?;
    /// assert_eq!(tree.par_leaves().map(|leaf| leaf.index()).sum::<u64>(), 5);
    /// # Ok::<(), cbt::Error>(())
    /// ```
    fn par_leaves(&self) -> ParLeaves<'_, Self> {
        ParLeaves::all(self)
    }

    /// Index and leaf, in parallel on rayon: the index is what [`leaf`](Self::leaf) takes.
    ///
    /// ```
    /// use cbt::{Classic, Node, Tree};
    /// use rayon::prelude::*;
    /// let mut tree = Classic::new(6)?;
    /// tree.reset_to_depth(1)?;
    /// let pairs: Vec<(u64, Node)> = tree.par_leaves_indexed().collect();
    /// assert_eq!(pairs, [(0, Node::new(2).unwrap()), (1, Node::new(3).unwrap())]);
    /// # Ok::<(), cbt::Error>(())
    /// ```
    fn par_leaves_indexed(&self) -> IndexedParLeaves<'_, Self> {
        IndexedParLeaves::all(self)
    }

    /// One turn of the cycle of Grachev & Ushakov 2023, Fig. 10: visits every leaf once, in parallel, edits the topology on
    /// the way, then reduces if anything changed.
    ///
    /// `decide` sees each leaf of the last reduction exactly once, whatever is edited meanwhile, and the result is that of all
    /// decisions taken together: a leaf that asks to [split](Edit::Split) does, unless it is on the deepest level; two sibling
    /// leaves [merge](Edit::Merge) if both ask for it. The answer does not depend on the number of threads.
    ///
    /// ```
    /// use cbt::{Compact, Edit, Tree};
    /// let mut tree = Compact::new(8)?;
    /// let edits = tree.update(|leaf| if leaf.depth() < 3 { Edit::Split } else { Edit::Keep });
    /// assert_eq!((edits.splits, tree.leaf_count()), (1, 2));
    /// let edits = tree.update(|_| Edit::Merge);
    /// assert_eq!((edits.merges, tree.leaf_count()), (1, 1));
    /// # Ok::<(), cbt::Error>(())
    /// ```
    fn update(&mut self, decide: impl Fn(Node) -> Edit + Sync) -> Edits {
        let edits = update::visit_all(self, &decide);
        if edits.splits + edits.merges > 0 {
            self.reduce();
        }
        edits
    }

    // ---- the whole tree -----------------------------------------------------------------------------------------

    /// Makes the root the only leaf.
    ///
    /// ```
    /// use cbt::{Classic, Tree};
    /// let mut tree = Classic::new(6)?;
    /// tree.reset_to_ceiling();
    /// tree.reset_to_root();
    /// assert_eq!(tree.leaf_count(), 1);
    /// # Ok::<(), cbt::Error>(())
    /// ```
    fn reset_to_root(&mut self) {
        fill(self, 0);
    }

    /// Makes the nodes of the deepest level the leaves: every bit set.
    ///
    /// ```
    /// use cbt::{Classic, Tree};
    /// let mut tree = Classic::new(6)?;
    /// tree.reset_to_ceiling();
    /// assert_eq!(tree.leaf_count(), 64);
    /// # Ok::<(), cbt::Error>(())
    /// ```
    fn reset_to_ceiling(&mut self) {
        fill(self, self.levels());
    }

    /// Makes the 2^level nodes of `level` the leaves: every bit of index k 2^(D-d) - 2^D set.
    ///
    /// # Errors
    /// [`Error::Depth`] below the deepest level.
    ///
    /// ```
    /// use cbt::{Classic, Tree};
    /// let mut tree = Classic::new(6)?;
    /// tree.reset_to_depth(4)?;
    /// assert_eq!(tree.leaf_count(), 16);
    /// # Ok::<(), cbt::Error>(())
    /// ```
    fn reset_to_depth(&mut self, level: u32) -> Result<(), Error> {
        if level > self.levels() {
            return Err(Error::Depth { asked: level, limit: self.levels() });
        }
        fill(self, level);
        Ok(())
    }

    /// Whether the set bits are the leaves of a binary tree: each stretch from one to the next must be one node.
    ///
    /// Bits set by [`split`](Self::split) are, once all ancestors of split nodes are split; those of a pool
    /// ([`set_bit`](Self::set_bit)) or of foreign bytes need not be. Everything but the meaning of "leaf" works on any bits.
    ///
    /// # Errors
    /// [`Error::NotATree`] with the first stretch that is not a node.
    ///
    /// ```
    /// use cbt::{Classic, Error, Tree};
    /// let mut tree = Classic::new(3)?;
    /// tree.set_bit(3)?;
    /// tree.reduce();
    /// assert_eq!(tree.check(), Err(Error::NotATree { bit: 0, end: 3, depth: 3 }));
    /// # Ok::<(), cbt::Error>(())
    /// ```
    fn check(&self) -> Result<(), Error> {
        let whole = |bit: u64, end: u64| {
            let len = end - bit;
            if len.is_power_of_two() && bit.is_multiple_of(len) {
                Ok(())
            } else {
                Err(Error::NotATree { bit, end, depth: self.levels() })
            }
        };
        let mut open = None;
        for (i, mut word) in self.words().enumerate() {
            while word != 0 {
                let bit = i as u64 * 64 + u64::from(word.trailing_zeros());
                whole(open.unwrap_or(0), bit)
                    .or_else(|error| if open.is_none() && bit == 0 { Ok(()) } else { Err(error) })?;
                open = Some(bit);
                word &= word - 1;
            }
        }
        whole(open.unwrap_or(0), self.capacity())
    }

    /// Whether both trees have the same depth and the same bits, whatever their layouts.
    ///
    /// ```
    /// use cbt::{Classic, Compact, Tree};
    /// assert!(Classic::new(6)?.same_bits(&Compact::new(6)?));
    /// # Ok::<(), cbt::Error>(())
    /// ```
    fn same_bits<T: Tree>(&self, other: &T) -> bool {
        let same = |i: usize| self.load_word(i) == other.load_word(i);
        let mut words = 0..self.word_count();
        self.levels() == other.levels()
            && if cfg!(miri) { words.all(same) } else { words.into_par_iter().with_min_len(4096).all(same) }
    }

    /// The tree as bytes: for [`Classic`](crate::Classic), the heap of libcbt; for [`Compact`](crate::Compact), a header
    /// and the bitfield. Edits since the last reduction are in it.
    ///
    /// ```
    /// use cbt::{Classic, Tree};
    /// let tree = Classic::new(8)?;
    /// assert_eq!(Classic::load(&tree.save())?, tree);
    /// # Ok::<(), cbt::Error>(())
    /// ```
    fn save(&self) -> Vec<u8> {
        self.to_bytes()
    }

    /// The tree of [`save`](Self::save), reduced. Sums in the bytes are not trusted: they are counted again.
    ///
    /// # Errors
    /// [`Error::Foreign`], [`Error::Depth`], [`Error::Length`], [`Error::FirstBit`], [`Error::OutOfMemory`]. Whether the bits are a
    /// tree is for [`check`](Self::check) to say, and whether the bytes are as they were saved for
    /// [`load_strict`](Self::load_strict).
    ///
    /// ```
    /// use cbt::{Classic, Tree};
    /// assert!(Classic::load(b"what is this?").is_err());
    /// ```
    fn load(bytes: &[u8]) -> Result<Self, Error> {
        let mut tree = Self::from_bytes(bytes)?;
        if !tree.bit(0) {
            return Err(Error::FirstBit);
        }
        tree.reduce();
        Ok(tree)
    }

    /// The tree of exactly the bytes that [`save`](Self::save) gives of a reduced tree: for files, of which any byte may be
    /// damaged. [`Classic`](crate::Classic) says everything twice, in bits and in sums, so this finds a flipped bit of either;
    /// [`Compact`](crate::Compact) says it once, and this finds what makes the bits no tree.
    ///
    /// # Errors
    /// As [`load`](Self::load); [`Error::NotATree`] where the bits are none, [`Error::Contradiction`] where the other bytes do not
    /// follow from them.
    ///
    /// ```
    /// use cbt::{Classic, Error, Tree};
    /// let mut bytes = Classic::new(8)?.save();
    /// assert!(Classic::load_strict(&bytes).is_ok());
    /// bytes[2] ^= 8; // a sum
    /// assert!(matches!(Classic::load_strict(&bytes), Err(Error::Contradiction { byte: 2, .. })));
    /// # Ok::<(), cbt::Error>(())
    /// ```
    fn load_strict(bytes: &[u8]) -> Result<Self, Error> {
        let tree = Self::load(bytes)?;
        tree.check()?;
        let saved = tree.save();
        let differing = saved.iter().zip(bytes).enumerate().find(|(_, (expected, found))| expected != found);
        match differing {
            Some((byte, (&expected, &found))) => {
                let (layout, depth, byte) = (Self::LAYOUT, tree.levels(), byte as u64);
                Err(Error::Contradiction { layout, depth, byte, expected, found })
            }
            None => Ok(tree),
        }
    }

    /// Refuses nodes below the deepest level.
    #[doc(hidden)]
    fn check_node(&self, node: Node) -> Result<(), Error> {
        let (level, depth) = (node.depth(), self.levels());
        if level > depth { Err(Error::NodeOutside { node: node.index(), level, depth }) } else { Ok(()) }
    }

    /// The bit where the right child of `node` starts.
    #[doc(hidden)]
    fn right_child_bit(&self, node: Node) -> Result<u64, Error> {
        self.check_node(node)?;
        let depth = self.levels();
        let right = node.children().and_then(|[_, right]| right.first_bit(depth));
        right.ok_or(Error::AtMaximumDepth { node: node.index(), depth })
    }
}

impl<S: Storage> Tree for S {}

/// Makes the nodes of `level` the leaves: every 2^(D-level)-th bit.
fn fill<T: Tree>(tree: &mut T, level: u32) {
    let step = 1_u64 << (tree.depth() - level);
    let pattern = (0..64).step_by(usize::try_from(step).unwrap_or(64)).fold(0, |bits, bit| bits | 1 << bit);
    let mask = word_mask(tree.depth());
    for word in 0..tree.word_count() {
        let starts = (word as u64 * 64).is_multiple_of(step);
        tree.store_word(word, if starts { pattern & mask } else { 0 });
    }
    tree.reduce();
}
