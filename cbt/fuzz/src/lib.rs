//! Foreign bytes never panic and are never read out of bounds, and both layouts say the same of any bits.

use cbt::{Classic, Compact, Edit, Node, Tree};

/// Deepest tree that is made of the bytes as bits.
const DEEPEST: u32 = 14;

fn try_load<T: Tree>(bytes: &[u8]) {
    if let Ok(tree) = T::load_strict(bytes) {
        assert_eq!(tree.save(), bytes);
    }
    if let Ok(tree) = T::load(bytes) {
        ask(tree);
    }
}

/// What holds for any bits.
fn ask<T: Tree>(mut tree: T) {
    let leaves = tree.leaves().count() as u64;
    assert_eq!(leaves, tree.leaf_count());
    for index in [0, leaves / 2, leaves - 1] {
        let leaf = tree.leaf(index).expect("an index below the count");
        assert!(tree.index_of(leaf).is_ok());
    }
    assert!(tree.leaf(leaves).is_err());
    let clear = tree.capacity() - leaves;
    assert_eq!(tree.select_unset(clear), None);
    assert_eq!(clear > 0, tree.select_unset(0).is_some());
    assert!(T::load(&tree.save()).expect("what was saved").same_bits(&tree));
    tree.update(|leaf| if leaf.is_left_child() { Edit::Split } else { Edit::Merge });
}

/// The first byte is a depth, the others are the bits, over and over: most bytes are of no length that a file can have.
fn bits(bytes: &[u8]) -> Option<(u32, Vec<u64>)> {
    let (&first, rest) = bytes.split_first().filter(|(_, rest)| !rest.is_empty())?;
    let depth = 1 + u32::from(first) % DEEPEST;
    let mut endless = rest.iter().copied().cycle();
    let words = (0..(1_usize << depth).div_ceil(64))
        .map(|_| u64::from_le_bytes(std::array::from_fn(|_| endless.next().unwrap_or(0))));
    Some((depth, words.collect()))
}

fn compare(classic: &Classic, compact: &Compact, questions: &[u8]) {
    assert!(classic.same_bits(compact) && classic.leaf_count() == compact.leaf_count());
    let is_tree = classic.check().is_ok();
    assert_eq!(classic.check(), compact.check());
    for pair in questions.windows(2) {
        let x = u64::from(u16::from_le_bytes([pair[0], pair[1]]));
        assert_eq!(classic.rank_set(x), compact.rank_set(x));
        assert_eq!((classic.select_set(x), classic.select_unset(x)), (compact.select_set(x), compact.select_unset(x)));
        let node = Node::new(x + 1).expect("above zero");
        assert_eq!((classic.count(node), classic.is_leaf(node)), (compact.count(node), compact.is_leaf(node)));
        if is_tree {
            assert_eq!((classic.leaf(x), classic.leaf_at(x)), (compact.leaf(x), compact.leaf_at(x)));
        }
    }
    if is_tree {
        assert!(
            classic.leaves().eq(compact.leaves())
                && (0..compact.leaf_count()).all(|i| compact.leaf(i) == classic.leaf(i))
        );
    }
}

/// The law.
pub fn load(bytes: &[u8]) {
    try_load::<Classic>(bytes);
    try_load::<Compact>(bytes);
    if let Some((depth, words)) = bits(bytes) {
        let classic = Classic::from_words(depth, &words).expect("words of the right number");
        let compact = Compact::from_words(depth, &words).expect("words of the right number");
        compare(&classic, &compact, &bytes[..bytes.len().min(64)]);
        ask(classic);
        ask(compact);
    }
}
