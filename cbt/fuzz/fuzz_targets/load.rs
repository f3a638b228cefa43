//! Foreign bytes never panic and are never read out of bounds: `cargo fuzz run load` (on stable: `cargo fuzz run -s none load`).
#![no_main]

use cbt::{Classic, Compact, Edit, Tree};
use libfuzzer_sys::fuzz_target;

fn try_load<T: Tree>(bytes: &[u8]) {
    let Ok(mut tree) = T::load(bytes) else { return };
    let leaves = tree.leaves().count() as u64;
    assert_eq!(leaves, tree.leaf_count());
    for index in [0, leaves / 2, leaves - 1] {
        let leaf = tree.leaf(index).expect("an index below the count");
        assert_eq!(tree.index_of(leaf).is_ok(), true);
    }
    assert!(tree.leaf(leaves).is_err());
    let clear = tree.capacity() - leaves;
    assert_eq!(tree.select_unset(clear), None);
    assert_eq!(clear > 0, tree.select_unset(0).is_some());
    let _ = tree.check();
    assert!(T::load(&tree.save()).expect("what was saved").same_bits(&tree));
    tree.update(|leaf| if leaf.is_left_child() { Edit::Split } else { Edit::Merge });
}

fuzz_target!(|bytes: &[u8]| {
    try_load::<Classic>(bytes);
    try_load::<Compact>(bytes);
});
