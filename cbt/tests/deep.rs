//! Trees with more leaves than 32 bits count.

use cbt::{Classic, Compact, Edit, Node, Tree};

/// A perfect tree of that depth, and the same after its last two leaves have merged.
fn perfect<T: Tree>(depth: u32) {
    let mut tree = T::new(depth).unwrap();
    tree.reset_to_ceiling();
    let all = 1_u64 << depth;
    let deepest = |offset| Node::at(depth, offset).unwrap();
    assert_eq!(tree.leaf_count(), all);
    for index in [0, 1, (1 << 31) - 1, 1 << 31, all / 2 + 12_345, all - 1] {
        assert_eq!(tree.leaf(index), Ok(deepest(index)));
        assert_eq!(
            (tree.select_set(index), tree.rank_set(index), tree.index_of(deepest(index))),
            (Some(index), index, Ok(index))
        );
    }
    assert_eq!((tree.select_set(all), tree.select_unset(0)), (None, None));

    tree.merge(deepest(all - 1).parent().unwrap()).unwrap();
    tree.reduce();
    assert_eq!((tree.leaf_count(), tree.leaf(all - 2)), (all - 1, Ok(Node::at(depth - 1, all / 2 - 1).unwrap())));
    assert_eq!((tree.select_unset(0), tree.rank_unset(all)), (Some(all - 1), 1));

    tree.reset_to_root();
    tree.update(|_| Edit::Split);
    assert_eq!((tree.leaf_count(), tree.leaf(1)), (2, Ok(Node::new(3).unwrap())));
    assert_eq!((tree.select_unset(all - 3), tree.rank_unset(all / 2)), (Some(all - 1), all / 2 - 1));
}

#[test]
fn compact_of_depth_32() {
    perfect::<Compact>(32);
}

#[test]
#[ignore = "writes 2 GiB of memory"]
fn classic_of_depth_32() {
    perfect::<Classic>(32);
}

#[test]
#[ignore = "writes 2.3 GiB of memory"]
fn compact_of_depth_34() {
    perfect::<Compact>(34);
}
