//! Pass 1: every leaf that wants to be cut marks all cuts it needs with its priority.
//!
//! Cutting a leaf means cutting its twin too. If the twin is coarser, its child next to us does not exist yet. So the twin
//! is cut first, and the walk goes on across the twin's own hypotenuse. Each visited bisector gets three possible marks:
//! cut it (C), cut its future child 0 (L), cut its future child 1 (R). A mark keeps the *maximum* priority, so the set of
//! marks at or above any threshold is a union of complete chains, whatever the order of the threads.

use std::sync::atomic::Ordering::Relaxed;

use super::{
    BUCKET_SPLIT, Pool, Priority,
    key::Key,
    plan_bits::{CENTER, LEFT, RIGHT},
};
use crate::bisection::{EDGE_TWIN, HalfEdge, MAX_DEPTH};

impl Pool {
    pub(super) fn classify(&self, slot: u32, priority: &impl Priority, salt: u32) {
        let id = self.id(slot);
        let depth = id.depth();
        let parent_key = match id.parent() {
            Some(parent) if !id.is_odd_child() => Key::new(priority.parent_bucket(slot, id), parent.0, salt),
            _ => Key(0),
        };
        self.state[slot as usize].store(parent_key.0, Relaxed);
        let bucket = priority.bucket(slot, id);
        if bucket >= BUCKET_SPLIT && depth < self.max_depth {
            self.mark_chain(slot, Key::new(bucket, id.0, salt));
        }
    }

    /// Raises the marks along the twin chain of `slot`; stops where a chain of at least this priority already passes,
    /// because whoever raised that mark is walking the rest.
    fn mark_chain(&self, slot: u32, key: Key) {
        if self.raise(slot, CENTER, key) >= key.0 {
            return;
        }
        let mut current = slot;
        for _ in 0..=MAX_DEPTH {
            let across: HalfEdge = self.neighbour(current, EDGE_TWIN);
            let twin = across.slot();
            if across.edge() == EDGE_TWIN {
                self.raise(twin, CENTER, key);
                return;
            }
            // Before the early exit: two chains may enter the same twin through different legs.
            self.raise(twin, if across.edge() == 0 { LEFT } else { RIGHT }, key);
            if self.raise(twin, CENTER, key) >= key.0 {
                return;
            }
            current = twin;
        }
    }

    fn raise(&self, slot: u32, mark: u32, key: Key) -> u32 {
        self.marks[slot as usize][mark as usize].fetch_max(key.0, Relaxed)
    }
}
