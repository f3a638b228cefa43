//! Pass 3: which cuts fit the free slots, and which diamonds make room for those that do not?
//!
//! Cuts are admitted from the highest priority down while their whole bin fits; nothing below the first refused bin is
//! admitted, so every admitted set is closed under the twin chains. Diamonds that nobody needs merge for free. While a
//! refused cut is more urgent than a diamond by the eviction band, diamonds are evicted from the least urgent up until the
//! starved need is covered. The band of at least one bucket is what makes a full pool settle.

use std::sync::atomic::Ordering::Relaxed;

use super::{
    Pool,
    key::{BINS, Focus, bucket_of_bin, high_key, low_key},
};

/// Thresholds of one update.
#[derive(Clone, Copy, Debug)]
pub(super) struct Decision {
    /// Marks at or above this key are cut.
    pub split_from: u32,
    /// Diamonds with keep priority at or below this key merge; always below `split_from`.
    pub merge_to: u32,
    /// Buckets to look at finely in the next update.
    pub focus: Focus,
    /// Slots that refused cuts would have needed.
    pub starved: u32,
}

impl Pool {
    pub(super) fn decide(&self) -> Decision {
        let free = self.capacity() - self.live();
        let need = |bin: usize| self.need[bin].load(Relaxed);
        let mut admitted = 0;
        let mut split_from = u32::MAX;
        let mut refused = None;
        for bin in (0..BINS).rev().filter(|&bin| need(bin) > 0) {
            if admitted + need(bin) > free {
                refused = Some(bin);
                break;
            }
            admitted += need(bin);
            split_from = low_key(bin, self.focus.need);
        }

        // starved[b]: slots wanted by refused cuts of bucket b or above.
        let mut starved = [0u32; 257];
        for bin in 0..refused.map_or(0, |bin| bin + 1) {
            starved[bucket_of_bin(bin, self.focus.need) as usize] += need(bin);
        }
        for bucket in (0..256).rev() {
            starved[bucket] += starved[bucket + 1];
        }
        let starved_above = |bucket: u32| starved[bucket.min(256) as usize];

        let slack = free - admitted;
        let mut freed = self.freed[0].load(Relaxed);
        let mut merge_to = 0;
        let mut last_evicted = 0;
        for bin in 1..BINS {
            let gain = self.freed[bin].load(Relaxed);
            let bucket = bucket_of_bin(bin, self.focus.freed);
            if freed + slack >= starved_above(bucket + self.eviction_band) {
                break;
            }
            if gain > 0 {
                freed += gain;
                merge_to = high_key(bin, self.focus.freed);
                last_evicted = bucket;
            }
        }
        Decision {
            split_from,
            merge_to: merge_to.min(split_from - 1),
            focus: Focus { need: refused.map_or(0, |bin| bucket_of_bin(bin, self.focus.need)), freed: last_evicted },
            starved: starved[0],
        }
    }

    pub(super) fn clear_histograms(&self) {
        for bin in self.need.iter().chain(&self.freed) {
            bin.store(0, Relaxed);
        }
    }
}
