//! Which triangles are live? A fixed pool of bisectors, refined and coarsened in one deterministic, budget-safe update.
//!
//! Each live slot holds a bisector's heap id and its three opposite half-edges. A concurrent binary tree over the pool
//! (`cbt::Compact`, bit x set <=> slot x live) hands out free slots by rank. One [`Pool::update`] runs six passes:
//!
//! | pass | file | what |
//! |---|---|---|
//! | classify | `classify.rs` | each leaf that wants to split marks its twin chain with its priority (maximum wins) |
//! | count | `count.rs` | histograms of slots needed and slots that merging diamonds would free |
//! | decide | `decide.rs` | lowest priority that still fits the free slots; highest diamond to evict |
//! | plan | `plan.rs` | split pattern or merge flag of every slot, prefix sums of the slots needed |
//! | allocate | `plan.rs` | the r-th free slot of the tree for every needed slot r |
//! | commit | `commit.rs` | new ids and half-edges, set and cleared bits, reduction of the tree |
//!
//! The result is a pure function of the keys: marks are order-free maxima, allocation is by rank, and every row has one
//! writer. Passes may therefore run in any slot order and on any number of threads; [`VisitOrder`] lets tests do so.
//! They are the CPU twin of the GPU update.

mod classify;
mod commit;
mod count;
mod decide;

pub mod gpu;
pub mod invariants;
mod key;
mod plan;
mod plan_bits;

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};

use cbt::{Compact, Tree};
use rayon::prelude::*;

use crate::{
    bisection::{HalfEdge, HeapId, MAX_DEPTH, ROOTS, root_neighbours},
    key_words::mix32,
};
use key::Focus;
pub use key::{BUCKET_KEEP, BUCKET_MERGE, BUCKET_SPLIT, bucket_of_ratio};
use plan::Plan;

/// Slots per block: the unit of prefix sums, and the workgroup of the GPU twin.
pub(crate) const BLOCK: usize = 256;

/// Smallest and largest pool: 2^6 to 2^20 slots.
pub const POOL_DEPTHS: std::ops::RangeInclusive<u32> = 6..=20;

/// One octave of error.
const DEFAULT_EVICTION_BAND: u32 = 4;

/// Eviction bands that make sense: from 256 on nothing is ever evicted, because no two buckets are that far apart.
const EVICTION_BANDS: std::ops::RangeInclusive<u32> = 1..=256;

/// Why a pool cannot be made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PoolError {
    /// The number of slots is not a power of two in 2^6 ..= 2^20.
    #[error("a pool of {asked} slots is not possible: choose a power of two from 64 to 1048576")]
    Capacity {
        /// Slots asked for.
        asked: u64,
    },
    /// The bisection limit is deeper than heap ids and integer vertices reach.
    #[error("bisection depth {asked} is too deep: the limit is {limit}")]
    Depth {
        /// Depth asked for.
        asked: u32,
        /// [`MAX_DEPTH`](const@MAX_DEPTH).
        limit: u32,
    },
}

/// How urgently each bisector wants to be cut: the input of an update.
///
/// Both answers are buckets 0..=255 (see [`bucket_of_ratio`]) and must be pure functions of the bisector and the view.
/// `parent_bucket(slot)` is what `bucket` would answer for the parent of the bisector in `slot`; it is asked of even
/// children only.
pub trait Priority: Sync {
    /// Bucket of the bisector in a live slot.
    fn bucket(&self, slot: u32, id: HeapId) -> u8;
    /// Bucket of the parent of the even child in a live slot.
    fn parent_bucket(&self, slot: u32, id: HeapId) -> u8;
}

/// What one update did.
///
/// ```
/// use terrain::{bisection::HeapId, pool::{VisitOrder, Pool, Priority}};
/// struct Everywhere;
/// impl Priority for Everywhere {
///     fn bucket(&self, _: u32, _: HeapId) -> u8 { 9 }
///     fn parent_bucket(&self, _: u32, _: HeapId) -> u8 { 9 }
/// }
/// let mut pool = Pool::new(64, 58)?;
/// let stats = pool.update(&Everywhere, VisitOrder::Parallel);
/// assert_eq!((stats.live, stats.splits, stats.merges), (24, 12, 0)); // twelve roots cut in two
/// assert_eq!(pool.changed().len(), 24);
/// # Ok::<(), terrain::pool::PoolError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UpdateStats {
    /// Live triangles after the update.
    pub live: u32,
    /// Slots allocated: one per bisection.
    pub splits: u32,
    /// Slots freed by merging.
    pub merges: u32,
    /// Slots that candidates still wanted and did not get for lack of room.
    pub starved: u32,
}

/// In which order the passes visit the slots; the result never depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VisitOrder {
    /// Blocks in parallel on rayon's threads: the fast way.
    Parallel,
    /// Slot 0 to the last on one thread.
    Natural,
    /// A pseudo-random permutation of the slots on one thread, for tests.
    Shuffled(u64),
}

/// The pool of live bisectors.
///
/// ```
/// use terrain::{bisection::HeapId, pool::{VisitOrder, Pool, Priority}};
/// struct UpTo(u32);
/// impl Priority for UpTo {
///     fn bucket(&self, _: u32, id: HeapId) -> u8 { if id.depth() < self.0 { 9 } else { 0 } }
///     fn parent_bucket(&self, _: u32, id: HeapId) -> u8 { if id.depth() <= self.0 { 9 } else { 0 } }
/// }
/// let mut pool = Pool::new(1 << 10, 58)?;
/// for _ in 0..3 { pool.update(&UpTo(3), VisitOrder::Parallel); }
/// assert_eq!(pool.live(), 12 * 8);
/// assert_eq!((pool.capacity(), pool.updates()), (1 << 10, 3));
/// # Ok::<(), terrain::pool::PoolError>(())
/// ```
pub struct Pool {
    max_depth: u32,
    tree: Compact,
    heap: Vec<AtomicU64>,
    neighbours: Vec<[AtomicU32; 3]>,
    /// Highest priority that asks for the cut of the slot's bisector, of its child 0, of its child 1.
    marks: Vec<[AtomicU32; 3]>,
    /// Key of the parent (after classify), keep priority of the diamond (after count), plan word (after plan).
    state: Vec<AtomicU32>,
    need: Vec<AtomicU32>,
    freed: Vec<AtomicU32>,
    block_need: Vec<AtomicU32>,
    block_first: Vec<u32>,
    granted: Vec<u32>,
    changed: Vec<u32>,
    focus: Focus,
    updates: u32,
    eviction_band: u32,
}

impl Pool {
    /// A pool of `capacity` slots that holds the twelve roots; bisectors reach at most `max_depth`.
    ///
    /// # Errors
    /// [`PoolError::Capacity`] unless `capacity` is a power of two in [`POOL_DEPTHS`], [`PoolError::Depth`] past [`MAX_DEPTH`](const@MAX_DEPTH).
    pub fn new(capacity: u64, max_depth: u32) -> Result<Self, PoolError> {
        check_size(capacity, max_depth)?;
        let tree = Compact::new(capacity.trailing_zeros()).map_err(|_| PoolError::Capacity { asked: capacity })?;
        let slots = capacity as usize;
        let zeros = |n: usize| (0..n).map(|_| AtomicU32::new(0)).collect::<Vec<_>>();
        let triples = |n: usize| (0..n).map(|_| [0, 0, 0].map(AtomicU32::new)).collect::<Vec<_>>();
        let mut pool = Self {
            max_depth,
            tree,
            heap: (0..slots).map(|_| AtomicU64::new(0)).collect(),
            neighbours: triples(slots),
            marks: triples(slots),
            state: zeros(slots),
            need: zeros(key::BINS),
            freed: zeros(key::BINS),
            block_need: zeros(slots.div_ceil(BLOCK)),
            block_first: vec![0; slots.div_ceil(BLOCK)],
            granted: Vec::new(),
            changed: (0..ROOTS).collect(),
            focus: Focus::default(),
            updates: 0,
            eviction_band: DEFAULT_EVICTION_BAND,
        };
        for (r, row) in root_neighbours().into_iter().enumerate() {
            pool.heap[r].store(HeapId::root(r as u32).0, Relaxed);
            pool.set_live(r as u32);
            for (stored, opposite) in pool.neighbours[r].iter().zip(row) {
                stored.store(opposite.0, Relaxed);
            }
        }
        pool.tree.reduce();
        Ok(pool)
    }

    /// Number of slots.
    pub fn capacity(&self) -> u32 {
        self.heap.len() as u32
    }

    /// Number of live triangles.
    pub fn live(&self) -> u32 {
        self.tree.leaf_count() as u32
    }

    /// The bisector in a slot, `None` where the slot is free or past the end.
    pub fn get(&self, slot: u32) -> Option<HeapId> {
        let id = self.heap.get(slot as usize)?.load(Relaxed);
        (id != 0).then_some(HeapId(id))
    }

    /// Opposite half-edges of a live slot; those of a free slot mean nothing.
    ///
    /// ```
    /// use terrain::pool::Pool;
    /// let pool = Pool::new(64, 58)?;
    /// for (slot, id) in pool.iter() {
    ///     assert_eq!(pool.get(slot), Some(id));
    ///     for (edge, opposite) in pool.neighbours(slot).into_iter().enumerate() {
    ///         // Half-edges are mutual.
    ///         assert_eq!(pool.neighbours(opposite.slot())[opposite.edge() as usize].slot(), slot, "edge {edge}");
    ///     }
    /// }
    /// # Ok::<(), terrain::pool::PoolError>(())
    /// ```
    ///
    /// # Panics
    /// If `slot` is not below [`Pool::capacity`].
    pub fn neighbours(&self, slot: u32) -> [HalfEdge; 3] {
        std::array::from_fn(|e| self.neighbour(slot, e as u32))
    }

    /// Live slots in ascending order with their bisectors.
    pub fn iter(&self) -> impl Iterator<Item = (u32, HeapId)> + '_ {
        self.heap.iter().enumerate().filter_map(|(slot, id)| {
            let id = id.load(Relaxed);
            (id != 0).then_some((slot as u32, HeapId(id)))
        })
    }

    /// Number of updates so far, modulo 2^32.
    pub fn updates(&self) -> u32 {
        self.updates
    }

    /// Slots whose bisector the last update replaced, created or removed, in ascending order; the roots before the first.
    pub fn changed(&self) -> &[u32] {
        &self.changed
    }

    /// How much more urgent a starved bisector must be than a live diamond that is evicted for it, in quarter octaves of error.
    ///
    /// Clamped to 1 ..= 256; the default 4 (one octave) keeps a full pool still while the camera moves, 256 never evicts.
    ///
    /// ```
    /// use terrain::{bisection::HeapId, pool::{VisitOrder, Pool, PoolError, Priority}};
    /// /// The bisectors of one root have a bucket of their own.
    /// struct Root(u8);
    /// impl Priority for Root {
    ///     fn bucket(&self, _: u32, id: HeapId) -> u8 { if id.root_index() == 3 { self.0 } else { 8 } }
    ///     fn parent_bucket(&self, slot: u32, id: HeapId) -> u8 { self.bucket(slot, id) }
    /// }
    /// let evicted = |band: u32| -> Result<u32, PoolError> {
    ///     let mut pool = Pool::new(64, 58)?;
    ///     pool.set_eviction_band(band);
    ///     for _ in 0..20 { pool.update(&Root(8), VisitOrder::Natural); } // until it is full
    ///     Ok((0..20).map(|_| pool.update(&Root(60), VisitOrder::Natural).merges).sum())
    /// };
    /// assert!(evicted(4)? > 0 && evicted(256)? == 0);
    /// # Ok::<(), PoolError>(())
    /// ```
    pub fn set_eviction_band(&mut self, quarter_octaves: u32) {
        self.eviction_band = clamp_band(quarter_octaves);
    }

    /// Refines and coarsens by at most one level everywhere, as the priorities ask and the free slots allow.
    pub fn update(&mut self, priority: &impl Priority, order: VisitOrder) -> UpdateStats {
        self.updates = self.updates.wrapping_add(1);
        let salt = key::salt(self.updates);
        self.for_each_live(order, |slot| self.classify(slot, priority, salt));
        self.for_each_live(order, |slot| self.count(slot));
        let decision = self.decide();
        self.focus = decision.focus;
        self.clear_histograms();
        self.for_each_block(order, |block| self.plan(block, &decision));
        self.allocate();
        self.for_each_live(order, |slot| self.commit(slot));
        self.changed = self.collect_changed();
        if !self.changed.is_empty() {
            self.tree.reduce();
        }
        UpdateStats {
            live: self.live(),
            splits: self.granted.len() as u32,
            merges: self.changed.iter().filter(|&&s| self.get(s).is_none()).count() as u32,
            starved: decision.starved,
        }
    }

    fn neighbour(&self, slot: u32, edge: u32) -> HalfEdge {
        HalfEdge(self.neighbours[slot as usize][edge as usize].load(Relaxed))
    }

    fn id(&self, slot: u32) -> HeapId {
        HeapId(self.heap[slot as usize].load(Relaxed))
    }

    fn set_live(&self, slot: u32) {
        self.tree.set_bit(u64::from(slot)).expect("slots lie inside the pool");
    }

    fn set_free(&self, slot: u32) {
        self.tree.clear_bit(u64::from(slot)).expect("slots lie inside the pool, and slot 0 is never freed");
    }

    fn planned(&self, slot: u32) -> Plan {
        Plan(self.state[slot as usize].load(Relaxed))
    }

    /// Slots that split or merged, and the slots they took or freed.
    fn collect_changed(&self) -> Vec<u32> {
        let mut changed: Vec<u32> = (0..self.block_first.len())
            .into_par_iter()
            .flat_map_iter(|block| {
                let slots = block * BLOCK..((block + 1) * BLOCK).min(self.heap.len());
                slots.filter(|&s| self.planned(s as u32).changes()).map(|s| s as u32)
            })
            .collect();
        changed.extend_from_slice(&self.granted);
        changed.par_sort_unstable();
        changed
    }

    /// Calls `visit` once for every slot that was live before this update's commit.
    fn for_each_live(&self, order: VisitOrder, visit: impl Fn(u32) + Sync + Send) {
        let words = self.tree.word_count();
        let visit_word = |w: usize| {
            let mut bits = self.tree.word(w);
            while bits != 0 {
                visit((w * 64) as u32 + bits.trailing_zeros());
                bits &= bits - 1;
            }
        };
        match order {
            VisitOrder::Parallel => (0..words).into_par_iter().with_min_len(16).for_each(visit_word),
            VisitOrder::Natural => (0..words).for_each(visit_word),
            VisitOrder::Shuffled(seed) => {
                let live: Vec<u32> = self.iter().map(|(slot, _)| slot).collect();
                shuffled(live, seed).into_iter().for_each(visit);
            }
        }
    }

    fn for_each_block(&self, order: VisitOrder, visit: impl Fn(usize) + Sync + Send) {
        let blocks = 0..self.block_first.len();
        match order {
            VisitOrder::Parallel => blocks.into_par_iter().with_min_len(4).for_each(visit),
            VisitOrder::Natural => blocks.for_each(visit),
            VisitOrder::Shuffled(seed) => shuffled(blocks.collect(), seed).into_iter().for_each(visit),
        }
    }
}

fn clamp_band(quarter_octaves: u32) -> u32 {
    quarter_octaves.clamp(*EVICTION_BANDS.start(), *EVICTION_BANDS.end())
}

fn check_size(capacity: u64, max_depth: u32) -> Result<(), PoolError> {
    if !capacity.is_power_of_two() || !POOL_DEPTHS.contains(&capacity.trailing_zeros()) {
        return Err(PoolError::Capacity { asked: capacity });
    }
    if max_depth > MAX_DEPTH {
        return Err(PoolError::Depth { asked: max_depth, limit: MAX_DEPTH });
    }
    Ok(())
}

/// Fisher-Yates with a hash: a permutation that depends on the seed only.
fn shuffled<T>(mut items: Vec<T>, seed: u64) -> Vec<T> {
    for i in (1..items.len()).rev() {
        let j = mix32(i as u32 ^ mix32(seed as u32)) % (i as u32 + 1);
        items.swap(i, j as usize);
    }
    items
}
