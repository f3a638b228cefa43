//! Which tiles are those of a share of a pack?

use serde::{Deserialize, Serialize};

/// A share of a pack's tiles: consecutive ones, of about equal number.
///
/// ```
/// use elevation::pack::Shard;
/// let parts: Vec<_> = (1..=3).map(|index| Shard { index, count: 3 }.range(10)).collect();
/// assert_eq!(parts, [0..3, 3..6, 6..10]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shard {
    /// From 1.
    pub index: u64,
    /// Number of shares.
    pub count: u64,
}

impl Shard {
    /// Which of `tiles` tiles, in order, belong to the share.
    pub fn range(self, tiles: u64) -> std::ops::Range<u64> {
        let start = |index: u64| (u128::from(tiles) * u128::from(index) / u128::from(self.count.max(1))) as u64;
        start(self.index.saturating_sub(1))..start(self.index)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Law: shards are disjoint, in order, and together everything.
        #[test]
        fn shards_partition(tiles in any::<u64>(), count in 1..50u64) {
            let mut next = 0;
            for index in 1..=count {
                let range = Shard { index, count }.range(tiles);
                prop_assert_eq!(range.start, next);
                next = range.end;
            }
            prop_assert_eq!(next, tiles);
        }
    }
}
