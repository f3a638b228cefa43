//! Passes 4 and 5: what happens to every slot, and which free slots the new bisectors get.
//!
//! The plan word of a slot is frozen before anything is committed, so the commit pass may ask any neighbour what it becomes.
//! New slots are numbered by an exclusive prefix sum over the slots that split, in slot order. New slot r is the r-th unset
//! bit of the tree as it was before the update. So allocation is by rank, not by arrival.

use std::sync::atomic::Ordering::Relaxed;

use cbt::Tree;
use rayon::prelude::*;

use super::{
    BLOCK, Pool,
    decide::Decision,
    plan_bits::{self, IN_DIAMOND, RANK_SHIFT, rank_of},
};

/// Split pattern, flags, and the rank of the slot's first new slot within its block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Plan(pub u32);

impl Plan {
    pub const CUT: u32 = plan_bits::CUT;
    pub const CUT_LEFT: u32 = plan_bits::CUT_LEFT;
    pub const CUT_RIGHT: u32 = plan_bits::CUT_RIGHT;
    const DEAD: Plan = Plan(plan_bits::DEAD);

    /// Bits [`Plan::CUT`], [`Plan::CUT_LEFT`], [`Plan::CUT_RIGHT`]; one new slot each.
    pub fn pattern(self) -> u32 {
        self.0 & plan_bits::PATTERN
    }

    pub fn cuts(self, bit: u32) -> bool {
        self.0 & bit != 0
    }

    pub fn merges(self) -> bool {
        self.0 & plan_bits::MERGE != 0
    }

    pub fn is_odd_child(self) -> bool {
        self.0 & plan_bits::ODD != 0
    }

    pub fn is_dead(self) -> bool {
        self == Self::DEAD
    }

    /// True if the slot's bisector is replaced or removed.
    pub fn changes(self) -> bool {
        !self.is_dead() && (self.pattern() != 0 || self.merges())
    }
}

impl Pool {
    /// Plans the slots of one block and clears their marks; a block is visited as a whole because ranks run through it.
    pub(super) fn plan(&self, block: usize, decision: &Decision) {
        let mut rank = 0;
        for slot in block * BLOCK..((block + 1) * BLOCK).min(self.heap.len()) {
            let state = &self.state[slot];
            let heap_id = self.id(slot as u32);
            if heap_id.0 == 0 {
                state.store(Plan::DEAD.0, Relaxed);
                continue;
            }
            let mut word = rank << RANK_SHIFT;
            for (bit, mark) in self.marks[slot].iter().enumerate() {
                let key = mark.swap(0, Relaxed);
                if key != 0 && key >= decision.split_from {
                    word |= 1 << bit;
                    rank += 1;
                }
            }
            let keep = state.load(Relaxed);
            if keep & IN_DIAMOND != 0 && keep & !IN_DIAMOND <= decision.merge_to {
                word |= plan_bits::MERGE;
            }
            if heap_id.is_odd_child() {
                word |= plan_bits::ODD;
            }
            state.store(word, Relaxed);
        }
        self.block_need[block].store(rank, Relaxed);
    }

    /// Prefix sum over the blocks, then the free slot of every rank.
    pub(super) fn allocate(&mut self) {
        let mut total = 0;
        for (first, need) in self.block_first.iter_mut().zip(&self.block_need) {
            *first = total;
            total += need.load(Relaxed);
        }
        let tree = &self.tree;
        self.granted.clear();
        self.granted.par_extend((0..total).into_par_iter().with_min_len(256).map(|rank| {
            let slot = tree.select_unset(u64::from(rank));
            slot.expect("decide admits no more than the free slots") as u32
        }));
    }

    /// The slot given to one set bit of a splitting slot's pattern.
    pub(super) fn new_slot(&self, slot: u32, plan: Plan, bit: u32) -> u32 {
        self.granted[(self.block_first[slot as usize / BLOCK] + rank_of(plan.0, bit)) as usize]
    }
}
