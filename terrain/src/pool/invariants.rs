//! Is a pool sound? The laws that hold after every update, checked by brute force.

use std::{collections::HashMap, fmt};

use cbt::Tree;

use super::Pool;
use crate::bisection::{EDGE_TWIN, HalfEdge, HeapId, ROOTS};

/// The first broken law found, with the slots or ids that break it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InvariantViolation(String);

impl fmt::Display for InvariantViolation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for InvariantViolation {}

/// Checks every law of a sound pool, O(live log live):
///
/// 1. bit set <=> slot live, and the tree counts them;
/// 2. the leaves of each root tile it: no gap, no overlap, no duplicate;
/// 3. half-edges are mutual, run opposite between the same two integer points (no T-junction, also across cube faces),
///    and roles agree with depths;
/// 4. no mark is left over.
///
/// ```
/// use terrain::pool::{Pool, invariants};
/// assert_eq!(invariants::check(&Pool::new(64, 58)?), Ok(()));
/// # Ok::<(), terrain::pool::PoolError>(())
/// ```
///
/// # Errors
/// [`InvariantViolation`] says which law fails where.
pub fn check(pool: &Pool) -> Result<(), InvariantViolation> {
    let broken = |what: String| Err(InvariantViolation(what));
    let mut live = 0;
    for slot in 0..pool.capacity() {
        let bit = pool.tree.bit(u64::from(slot));
        if bit != pool.get(slot).is_some() {
            return broken(format!("slot {slot}: bit {bit}, bisector {:?}", pool.get(slot)));
        }
        live += u32::from(bit);
        if pool.marks[slot as usize].iter().any(|mark| mark.load(super::Relaxed) != 0) {
            return broken(format!("slot {slot}: a mark is left over"));
        }
    }
    if live != pool.live() {
        return broken(format!("{live} slots are live, the tree counts {}", pool.live()));
    }
    tiles_the_roots(pool)?;
    for (slot, id) in pool.iter() {
        edges_match(pool, slot, id)?;
    }
    Ok(())
}

fn tiles_the_roots(pool: &Pool) -> Result<(), InvariantViolation> {
    // A leaf of depth d covers 2^(59 - d) units of its root's interval [0, 2^59).
    let mut intervals: HashMap<u32, Vec<(u64, u64)>> = HashMap::new();
    for (_, id) in pool.iter() {
        let size = 1u64 << (59 - id.depth());
        let path = id.0 & ((1 << id.depth()) - 1);
        intervals.entry(id.root_index()).or_default().push((path * size, size));
    }
    for root in 0..ROOTS {
        let leaves = intervals.entry(root).or_default();
        leaves.sort_unstable();
        let mut next = 0;
        for &(start, size) in leaves.iter() {
            if start != next {
                return Err(InvariantViolation(format!("root {root}: leaves jump from {next} to {start} of 2^59")));
            }
            next += size;
        }
        if next != 1 << 59 {
            return Err(InvariantViolation(format!("root {root}: leaves end at {next} of 2^59")));
        }
    }
    Ok(())
}

fn edges_match(pool: &Pool, slot: u32, id: HeapId) -> Result<(), InvariantViolation> {
    let triangle = id.triangle();
    for edge in 0..3 {
        let opposite = pool.neighbours(slot)[edge as usize];
        let Some(other) = pool.get(opposite.slot()).filter(|_| opposite.edge() < 3) else {
            return Err(InvariantViolation(format!(
                "slot {slot} edge {edge}: leads to {opposite:?}, which is not live"
            )));
        };
        if pool.neighbours(opposite.slot())[opposite.edge() as usize] != HalfEdge::new(slot, edge) {
            return Err(InvariantViolation(format!("slot {slot} edge {edge}: {opposite:?} does not lead back")));
        }
        let (start, end) = triangle.edge(edge);
        if other.triangle().edge(opposite.edge()) != (end, start) {
            return Err(InvariantViolation(format!(
                "slot {slot} edge {edge}: end points differ from those of {opposite:?}"
            )));
        }
        let expected = match (edge == EDGE_TWIN, opposite.edge() == EDGE_TWIN) {
            (false, true) => 1,
            (true, false) => -1,
            _ => 0,
        };
        if other.depth() as i32 - id.depth() as i32 != expected {
            return Err(InvariantViolation(format!(
                "slot {slot} edge {edge}: depths {} and {}",
                id.depth(),
                other.depth()
            )));
        }
    }
    Ok(())
}
