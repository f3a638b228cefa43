//! Pass 6: new heap ids, new half-edges, new bits.
//!
//! Everything is derived from the frozen plan words and from rows that nobody writes in this pass. Each slot writes its own
//! row and the rows of its own new slots. A merging odd child leaves its row intact, because its siblings read it.

use std::sync::atomic::Ordering::Relaxed;

use super::{Pool, plan::Plan};
use crate::bisection::{EDGE_LEFT, EDGE_RIGHT, EDGE_TWIN, HalfEdge, HeapId};

/// Which end of an old half-edge is asked for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum HalfEdgeEnd {
    Start,
    Finish,
}

/// The slots of a splitting bisector's children: its own, and one per pattern bit (unused ones are its own slot).
struct ChildSlots {
    own: u32,
    center: u32,
    left: u32,
    right: u32,
}

impl Pool {
    pub(super) fn commit(&self, slot: u32) {
        let plan = self.planned(slot);
        if plan.is_dead() {
            return;
        }
        if plan.pattern() != 0 {
            self.commit_split(slot, plan);
        } else if plan.merges() {
            if plan.is_odd_child() {
                self.heap[slot as usize].store(0, Relaxed);
                self.set_free(slot);
            } else {
                self.commit_merge(slot);
            }
        } else {
            for (edge, stored) in self.neighbours[slot as usize].iter().enumerate() {
                let old = self.neighbour(slot, edge as u32);
                let new = self.successor(old, HalfEdgeEnd::Start);
                if new != old {
                    stored.store(new.0, Relaxed);
                }
            }
        }
    }

    /// The half-edge that owns, after the update, the part of an old half-edge next to its start or its finish.
    fn successor(&self, old: HalfEdge, end: HalfEdgeEnd) -> HalfEdge {
        let slot = old.slot();
        let plan = self.planned(slot);
        if plan.merges() {
            // Only hypotenuses of a diamond's members face the outside: they become the parent's legs.
            return if plan.is_odd_child() {
                HalfEdge::new(self.neighbour(slot, EDGE_RIGHT).slot(), EDGE_RIGHT)
            } else {
                HalfEdge::new(slot, EDGE_LEFT)
            };
        }
        if plan.pattern() == 0 {
            return old;
        }
        let child_slots = self.child_slots(slot, plan);
        let (left, right) = (plan.cuts(Plan::CUT_LEFT), plan.cuts(Plan::CUT_RIGHT));
        match (old.edge(), end) {
            (EDGE_LEFT, HalfEdgeEnd::Start) if left => HalfEdge::new(child_slots.left, 0),
            (EDGE_LEFT, HalfEdgeEnd::Finish) if left => HalfEdge::new(child_slots.own, 1),
            (EDGE_LEFT, _) => HalfEdge::new(child_slots.own, 2),
            (EDGE_RIGHT, HalfEdgeEnd::Start) if right => HalfEdge::new(child_slots.right, 0),
            (EDGE_RIGHT, HalfEdgeEnd::Finish) if right => HalfEdge::new(child_slots.center, 1),
            (EDGE_RIGHT, _) => HalfEdge::new(child_slots.center, 2),
            (_, HalfEdgeEnd::Start) => HalfEdge::new(child_slots.center, if right { 2 } else { 0 }),
            (_, HalfEdgeEnd::Finish) if left => HalfEdge::new(child_slots.left, 2),
            (_, HalfEdgeEnd::Finish) => HalfEdge::new(child_slots.own, 1),
        }
    }

    fn child_slots(&self, slot: u32, plan: Plan) -> ChildSlots {
        let grant = |bit| if plan.cuts(bit) { self.new_slot(slot, plan, bit) } else { slot };
        ChildSlots { own: slot, center: grant(Plan::CUT), left: grant(Plan::CUT_LEFT), right: grant(Plan::CUT_RIGHT) }
    }

    fn commit_split(&self, slot: u32, plan: Plan) {
        let id = self.id(slot);
        let [n0, n1, n2] = self.neighbours(slot);
        let ChildSlots { own, center, left, right } = self.child_slots(slot, plan);
        let (cut_left, cut_right) = (plan.cuts(Plan::CUT_LEFT), plan.cuts(Plan::CUT_RIGHT));
        // The two sides of the new internal edge v1-m.
        let inner_left = HalfEdge::new(own, if cut_left { 2 } else { 0 });
        let inner_right = if cut_right { HalfEdge::new(right, 2) } else { HalfEdge::new(center, 1) };
        // Opposite halves run the other way: what is next to my start is next to their finish.
        let near_start = |n| self.successor(n, HalfEdgeEnd::Finish);
        let near_finish = |n| self.successor(n, HalfEdgeEnd::Start);

        let (child0, child1) = (id.child(0), id.child(1));
        if cut_left {
            self.write(own, child0.child(0), [HalfEdge::new(left, 1), near_finish(n0), inner_right]);
            self.write(left, child0.child(1), [near_start(n0), HalfEdge::new(own, 0), near_finish(n2)]);
        } else {
            self.write(own, child0, [inner_right, near_finish(n2), near_finish(n0)]);
        }
        if cut_right {
            self.write(center, child1.child(0), [HalfEdge::new(right, 1), near_finish(n1), near_start(n2)]);
            self.write(right, child1.child(1), [near_start(n1), HalfEdge::new(center, 0), inner_left]);
        } else {
            self.write(center, child1, [near_start(n2), inner_left, near_finish(n1)]);
        }
    }

    /// The even child `p0` of a merging diamond becomes its parent again, in the slot the parent had.
    fn commit_merge(&self, p0: u32) {
        let p1 = self.neighbour(p0, EDGE_LEFT).slot();
        let q0 = self.neighbour(p1, EDGE_LEFT).slot();
        let leg = |child: u32| self.successor(self.neighbour(child, EDGE_TWIN), HalfEdgeEnd::Start);
        let row = [leg(p0), leg(p1), HalfEdge::new(q0, EDGE_TWIN)];
        self.write(p0, HeapId(self.id(p0).0 >> 1), row);
    }

    fn write(&self, slot: u32, id: HeapId, row: [HalfEdge; 3]) {
        self.heap[slot as usize].store(id.0, Relaxed);
        for (stored, new) in self.neighbours[slot as usize].iter().zip(row) {
            stored.store(new.0, Relaxed);
        }
        self.set_live(slot);
    }
}
