//! Pass 2: how many slots would each priority take, and how many would each complete diamond give back?
//!
//! Four leaves round a vertex, two sibling pairs, are a *diamond*: the only shape that can be merged without a T-junction.
//! Starting from an even child p0 its left leg leads to its sibling p1, from there to q0 and q1. The diamond is complete iff
//! those three half-edges have role 1 (role 2 means that a member is subdivided further).

use std::sync::atomic::Ordering::Relaxed;

use super::{
    Pool,
    key::{Key, bin_of},
    plan_bits::IN_DIAMOND,
};
use crate::bisection::{EDGE_LEFT, EDGE_RIGHT};

impl Pool {
    pub(super) fn count(&self, slot: u32) {
        for mark in &self.marks[slot as usize] {
            let key = Key(mark.load(Relaxed));
            if key.0 != 0 {
                self.need[bin_of(key, self.focus.need)].fetch_add(1, Relaxed);
            }
        }
        // The even child with the smaller heap id represents the diamond: one writer, counted once.
        if let Some(members) = self.diamond(slot)
            && self.id(members[0]) < self.id(members[2])
        {
            let keep = self.keep_priority(&members);
            self.freed[bin_of(keep, self.focus.freed)].fetch_add(2, Relaxed);
            for member in members {
                self.state[member as usize].store(keep.0 | IN_DIAMOND, Relaxed);
            }
        }
    }

    /// Slots [p0, p1, q0, q1] of the complete diamond whose first even child is in `slot`.
    fn diamond(&self, slot: u32) -> Option<[u32; 4]> {
        let id = self.id(slot);
        if id.depth() == 0 || id.is_odd_child() {
            return None;
        }
        let mut members = [slot; 4];
        for i in 1..4 {
            let next = self.neighbour(members[i - 1], EDGE_LEFT);
            if next.edge() != EDGE_RIGHT {
                return None;
            }
            members[i] = next.slot();
        }
        Some(members)
    }

    /// What the diamond is worth: the urgency of its two parents and of every cut that needs one of its members.
    fn keep_priority(&self, members: &[u32; 4]) -> Key {
        let parents = [members[0], members[2]].map(|even| self.state[even as usize].load(Relaxed));
        let marks = members.iter().flat_map(|&m| &self.marks[m as usize]).map(|mark| mark.load(Relaxed));
        Key(parents.into_iter().chain(marks).max().unwrap_or(0))
    }
}
