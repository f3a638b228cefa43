//! Bytes from anywhere: `load` gives a tree or says why not, never panics, and what it gives can be used.

mod common;

use cbt::{Classic, Compact, Edit, Error, MAX_DEPTH, Tree};
use common::{Naive, Random, check_counting};
use proptest::prelude::*;

/// Loads; a tree that comes of it must answer as its bits say.
fn try_load<T: Tree>(bytes: &[u8]) -> Result<T, Error> {
    let mut tree = T::load(bytes)?;
    assert!(tree.depth() <= MAX_DEPTH && tree.bit(0));
    if tree.depth() <= 12 {
        check_counting(&tree);
        let _ = tree.check();
        tree.update(|leaf| if leaf.is_left_child() { Edit::Split } else { Edit::Merge });
        check_counting(&tree);
    }
    Ok(tree)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, ..ProptestConfig::default() })]

    #[test]
    fn random_bytes_are_refused_or_used(bytes in prop::collection::vec(any::<u8>(), 0..600)) {
        let _ = try_load::<Classic>(&bytes);
        let _ = try_load::<Compact>(&bytes);
    }

    #[test]
    fn random_bytes_behind_a_right_beginning(depth in 0..70_u32, mut bytes in prop::collection::vec(any::<u8>(), 16..1100)) {
        let classic = 1_u64.checked_shl(depth).unwrap_or(0).to_le_bytes();
        bytes[..8].copy_from_slice(&classic);
        let _ = try_load::<Classic>(&bytes);
        bytes[..8].copy_from_slice(b"CBTbits1");
        bytes[8..16].copy_from_slice(&u64::from(depth).to_le_bytes());
        let _ = try_load::<Compact>(&bytes);
    }

    #[test]
    fn a_saved_tree_with_any_damage_is_refused_or_used(depth in 1..=10_u32, seed: u64, at: prop::sample::Index, flip in 1..=255_u8, cut: prop::sample::Index) {
        fn damage<T: Tree>(depth: u32, seed: u64, at: &prop::sample::Index, flip: u8, cut: &prop::sample::Index) {
            let saved = Naive::random(depth, 0.8, &mut Random(seed)).build::<T>(depth).save();
            let mut flipped = saved.clone();
            flipped[at.index(saved.len())] ^= flip;
            let _ = try_load::<T>(&flipped);
            let short = try_load::<T>(&saved[..cut.index(saved.len())]);
            assert!(short.is_err(), "a tree came of {} bytes of {}", cut.index(saved.len()), saved.len());
            let long = try_load::<T>(&[saved.as_slice(), &[0]].concat());
            assert!(matches!(long, Err(Error::Length { .. })));
        }
        damage::<Classic>(depth, seed, &at, flip, &cut);
        damage::<Compact>(depth, seed, &at, flip, &cut);
    }
}

proptest! {
    /// Law: strictly read, a saved tree is itself; with any bit flipped the classic layout, which says all things twice, is refused,
    /// and the compact one is another tree or refused.
    #[test]
    fn strict_reading_finds_damage(depth in 1..=10_u32, seed: u64, at: prop::sample::Index, bit in 0..8_u32) {
        fn damaged<T: Tree>(depth: u32, seed: u64, at: &prop::sample::Index, bit: u32) -> Option<Error> {
            let tree = Naive::random(depth, 0.8, &mut Random(seed)).build::<T>(depth);
            let mut bytes = tree.save();
            assert!(T::load_strict(&bytes).unwrap().same_bits(&tree));
            let place = at.index(bytes.len());
            bytes[place] ^= 1 << bit;
            match T::load_strict(&bytes) {
                Ok(other) => {
                    assert!(other.check().is_ok() && other.save() == bytes);
                    None
                }
                Err(error) => Some(error),
            }
        }
        prop_assert!(damaged::<Classic>(depth, seed, &at, bit).is_some());
        damaged::<Compact>(depth, seed, &at, bit);
    }
}

#[test]
fn refusals_say_what_is_wrong() {
    let foreign = |because| Some(Error::Foreign { layout: "classic", because });
    assert_eq!(Classic::load(b"").err(), foreign("fewer than 8 bytes"));
    assert_eq!(Classic::load(&[0; 64]).err(), foreign("no bit names a depth"));
    for depth in [0, 41, 58, 63] {
        let heap = if depth == 0 { [0xff; 8] } else { (1_u64 << depth).to_le_bytes() };
        assert_eq!(Classic::load(&heap).err(), Some(Error::Depth { asked: depth, limit: MAX_DEPTH }));
    }
    assert_eq!(
        Classic::load(&[0b1110, 0, 0, 0, 0, 0, 0, 0]).err(),
        foreign("the two bits after the depth are not clear")
    );
    assert_eq!(Classic::load(&[2, 0, 0, 0, 0, 0, 0, 0]).err(), Some(Error::FirstBit));
    let length = Error::Length { layout: "classic", depth: 10, expected: 512, found: 8 };
    assert_eq!(Classic::load(&1024_u64.to_le_bytes()).err(), Some(length));
    let foreign = |because| Some(Error::Foreign { layout: "compact", because });
    assert_eq!(Compact::load(b"CBTbits1").err(), foreign("fewer than 16 bytes"));
    assert_eq!(Compact::load(&[7; 32]).err(), foreign("it does not begin with CBTbits1"));
    let header = |depth: u64| [b"CBTbits1".as_slice(), &depth.to_le_bytes()].concat();
    assert_eq!(Compact::load(&header(0)).err(), Some(Error::Depth { asked: 0, limit: MAX_DEPTH }));
    assert_eq!(Compact::load(&header(u64::MAX)).err(), foreign("its depth exceeds 32 bits"));
    let length = Error::Length { layout: "compact", depth: 40, expected: 16 + (1 << 37), found: 16 };
    assert_eq!(Compact::load(&header(40)).err(), Some(length));
}

/// Words 0 and the fields of a heap written by libcbt's formulas alone, not by this crate: a tree of depth 6 split as {2, 6, 7}.
#[test]
fn the_classic_heap_is_that_of_the_formulas() {
    let depth = 6_u32;
    let mut heap = vec![false; 4 << depth];
    let mut put = |node: u64, value: u64| {
        let level = node.ilog2();
        let width = u64::from(depth - level + 1);
        for bit in 0..width {
            heap[((2 << level) + node * width + bit) as usize] = value >> bit & 1 == 1;
        }
    };
    let starts = [0_u64, 32, 48];
    for node in 1..128_u64 {
        let span = 64 >> node.ilog2();
        let first = node * span - 64;
        put(node, starts.iter().filter(|&&x| (first..first + span).contains(&x)).count() as u64);
    }
    heap[depth as usize] = true;
    let bytes: Vec<u8> =
        heap.chunks(8).map(|bits| bits.iter().rev().fold(0, |byte, &bit| byte << 1 | u8::from(bit))).collect();
    let tree = Classic::load(&bytes).unwrap();
    assert_eq!(tree.leaves().map(|leaf| leaf.index()).collect::<Vec<_>>(), [2, 6, 7]);
    assert_eq!(tree.save(), bytes);
}
