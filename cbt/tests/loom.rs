//! Every order of a few steps of two or three threads: `RUSTFLAGS="--cfg loom" cargo test -p orogen-cbt --test loom --release`.
#![cfg(loom)]

use cbt::{Classic, Compact, Node, Tree};
use loom::sync::Arc;
use loom::sync::atomic::{AtomicU64, Ordering::Relaxed};
use loom::thread;

fn node(index: u64) -> Node {
    Node::new(index).unwrap()
}

/// Splitting a split node again, while another thread looks.
fn resplit<T: Tree + 'static>() {
    loom::model(|| {
        let mut tree = T::new(2).unwrap();
        tree.reset_to_ceiling();
        let tree = Arc::new(tree);
        let splitter = {
            let tree = tree.clone();
            thread::spawn(move || {
                tree.split(node(3)).unwrap();
                tree.split(Node::ROOT).unwrap();
            })
        };
        for index in [2, 3] {
            assert!(tree.bit(index), "a set bit was seen clear");
            assert_eq!(tree.leaf(index), Ok(node(4 + index)));
        }
        splitter.join().unwrap();
    });
}

#[test]
fn a_set_bit_is_never_seen_clear_in_classic() {
    resplit::<Classic>();
}

#[test]
fn a_set_bit_is_never_seen_clear_in_compact() {
    resplit::<Compact>();
}

/// Edits of different bits of one word by different threads all land.
fn no_lost_edit<T: Tree + 'static>() {
    loom::model(|| {
        let tree = T::new(2).unwrap();
        tree.split(Node::ROOT).unwrap();
        tree.split(node(2)).unwrap();
        let tree = Arc::new(tree);
        let split = {
            let tree = tree.clone();
            thread::spawn(move || assert!(tree.split(node(3)).unwrap()))
        };
        let merge = {
            let tree = tree.clone();
            thread::spawn(move || assert!(tree.merge(node(2)).unwrap()))
        };
        split.join().unwrap();
        merge.join().unwrap();
        let bits: Vec<bool> = (0..4).map(|x| tree.bit(x)).collect();
        assert_eq!(bits, [true, false, true, true]);
    });
}

#[test]
fn no_edit_is_lost_in_classic() {
    no_lost_edit::<Classic>();
}

#[test]
fn no_edit_is_lost_in_compact() {
    no_lost_edit::<Compact>();
}

/// Of two threads that split the same leaf exactly one is told that it did, and the paper's loop (decode by index, then edit)
/// decodes the same leaf in every order.
#[test]
fn decoding_while_splitting_names_the_same_leaves() {
    loom::model(|| {
        let mut tree = Classic::new(2).unwrap();
        tree.split(Node::ROOT).unwrap();
        tree.reduce_sequential();
        let tree = Arc::new(tree);
        let other = {
            let tree = tree.clone();
            thread::spawn(move || {
                let leaf = tree.leaf(0).unwrap();
                assert_eq!(leaf, node(2));
                tree.split(leaf).unwrap()
            })
        };
        let leaf = tree.leaf(1).unwrap();
        assert_eq!(leaf, node(3));
        tree.split(leaf).unwrap();
        let again = tree.split(node(2)).unwrap();
        assert!(again != other.join().unwrap());
        assert!((0..4).all(|x| tree.bit(x)));
    });
}

/// The model finds what it is there to find: setting a field by AND and then OR, as libcbt does.
#[test]
#[should_panic(expected = "a set bit was seen clear")]
fn the_model_catches_and_then_or() {
    loom::model(|| {
        let word = Arc::new(AtomicU64::new(0b1111));
        let writer = {
            let word = word.clone();
            thread::spawn(move || {
                word.fetch_and(!0b100, Relaxed);
                word.fetch_or(0b100, Relaxed);
            })
        };
        assert!(word.load(Relaxed) & 0b100 != 0, "a set bit was seen clear");
        writer.join().unwrap();
    });
}
