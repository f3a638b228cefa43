//! Laws of the bisector pool: sound after every update, independent of order and slot layout, safe when full, settling.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use terrain::{
    bisection::{EDGE_LEFT, EDGE_RIGHT, EDGE_TWIN, HeapId, MAX_DEPTH, Triangle},
    cube::CubePoint,
    pool::{BUCKET_SPLIT, Pool, UpdateStats, VisitOrder, invariants},
};

use super::fields::{Field, field, mix};

fn snapshot(pool: &Pool) -> Vec<(u32, HeapId, [u32; 3])> {
    pool.iter().map(|(slot, id)| (slot, id, pool.neighbours(slot).map(|h| h.0))).collect()
}

fn leaves(pool: &Pool) -> BTreeSet<HeapId> {
    pool.iter().map(|(_, id)| id).collect()
}

/// Law: after every update of any field all invariants hold, and natural, shuffled and parallel order give the same
/// pool slot for slot. Small pools are full most of the time.
#[test]
fn sound_and_independent_of_order_in_full_pools() {
    let mut full = 0;
    for slots in [64u64, 128, 256, 4096] {
        let updates = if slots == 4096 { 15 } else { 60 };
        for kind in 0..9 {
            for band in [1, 4] {
                let mut pools: Vec<Pool> = (0..3).map(|_| Pool::new(slots, MAX_DEPTH).unwrap()).collect();
                pools.iter_mut().for_each(|pool| pool.set_eviction_band(band));
                let orders = |step| [VisitOrder::Natural, VisitOrder::Shuffled(step), VisitOrder::Parallel];
                for step in 0..updates {
                    let priority = Field(field(kind, slots ^ u64::from(kind), step));
                    let before = pools[0].live();
                    let stats: Vec<UpdateStats> =
                        pools.iter_mut().zip(orders(step)).map(|(pool, order)| pool.update(&priority, order)).collect();
                    invariants::check(&pools[0])
                        .unwrap_or_else(|e| panic!("{slots} slots, field {kind}, step {step}: {e}"));
                    assert_eq!(stats[0].live, before + stats[0].splits - stats[0].merges, "field {kind}");
                    let expected = snapshot(&pools[0]);
                    for (pool, stat) in pools.iter().zip(&stats).skip(1) {
                        assert_eq!(stat, &stats[0], "{slots} slots, field {kind}, step {step}");
                        assert_eq!(snapshot(pool), expected, "{slots} slots, field {kind}, step {step}");
                        assert_eq!(pool.changed(), pools[0].changed());
                    }
                    full += u32::from(u64::from(stats[0].live) == slots);
                }
            }
        }
    }
    assert!(full > 300, "the pools were full only {full} times: the test is too easy");
}

/// Law: `changed` lists exactly the slots whose bisector differs from before.
#[test]
fn changed_slots_are_exactly_the_differences() {
    let mut pool = Pool::new(1024, MAX_DEPTH).unwrap();
    assert_eq!(pool.changed(), (0..12).collect::<Vec<u32>>());
    for step in 0..80 {
        let before: BTreeMap<u32, HeapId> = pool.iter().collect();
        pool.update(&Field(field(3, 5, step)), VisitOrder::Parallel);
        let after: BTreeMap<u32, HeapId> = pool.iter().collect();
        let differing: Vec<u32> = (0..1024).filter(|slot| before.get(slot) != after.get(slot)).collect();
        assert_eq!(pool.changed(), differing);
    }
}

/// Independent oracle: longest-edge propagation on a map from edges to leaves, no handles, no marks, no pool.
fn refine_by_propagation(wants: &impl Fn(HeapId) -> bool) -> BTreeSet<HeapId> {
    struct LeafSet {
        leaf_of: HashMap<(CubePoint, CubePoint), HeapId>,
        leaves: BTreeSet<HeapId>,
    }
    impl LeafSet {
        fn insert(&mut self, id: HeapId) {
            let triangle: Triangle = id.triangle();
            for e in 0..3 {
                self.leaf_of.insert(triangle.edge(e), id);
            }
            self.leaves.insert(id);
        }
        fn cut(&mut self, id: HeapId) {
            for e in 0..3 {
                self.leaf_of.remove(&id.triangle().edge(e));
            }
            self.leaves.remove(&id);
            self.insert(id.child(0));
            self.insert(id.child(1));
        }
        fn bisect(&mut self, id: HeapId) {
            let (start, end) = id.triangle().edge(2);
            let mut twin = self.leaf_of[&(end, start)];
            if twin.triangle().edge(2) != (end, start) {
                self.bisect(twin);
                twin = self.leaf_of[&(end, start)];
            }
            self.cut(id);
            self.cut(twin);
        }
    }
    let mut leaf_set = LeafSet { leaf_of: HashMap::new(), leaves: BTreeSet::new() };
    (0..12).for_each(|r| leaf_set.insert(HeapId::root(r)));
    while let Some(&id) = leaf_set.leaves.iter().find(|&&id| wants(id)) {
        leaf_set.bisect(id);
    }
    leaf_set.leaves
}

/// True for the proper ancestors of some random bisectors: nested, so the closure is unique whatever came before.
fn ancestors_of_random(seed: u64, count: u64, depth: u32) -> impl Fn(HeapId) -> bool + Copy + Sync {
    move |id| {
        id.depth() < depth
            && (0..count).any(|i| {
                let target = (16 + mix(seed ^ i) % 12) << depth | mix(mix(seed) ^ i) >> (64 - depth);
                target >> (depth - id.depth()) == id.0
            })
    }
}

/// Law: with room, the settled pool is the closure that sequential longest-edge propagation gives.
#[test]
fn converges_to_longest_edge_propagation() {
    for seed in 0..12 {
        let wants = ancestors_of_random(seed, 40, 14 + seed as u32);
        let mut pool = Pool::new(1 << 14, MAX_DEPTH).unwrap();
        let priority = Field(|id| if wants(id) { BUCKET_SPLIT + 5 } else { 1 });
        loop {
            let stats = pool.update(&priority, VisitOrder::Parallel);
            assert_eq!(stats.starved, 0, "the pool must have room for this law");
            if stats.splits == 0 {
                break;
            }
        }
        let expected = refine_by_propagation(&wants);
        assert!(expected.len() > 300);
        assert!(leaves(&pool) == expected, "seed {seed}: {} leaves, oracle {}", pool.live(), expected.len());
    }
}

/// Law: the deepest possible chain (alternating children) touches depth + 2 slots, stays sound, and collapses to the roots.
#[test]
fn worst_chain_reaches_the_depth_limit_and_collapses() {
    let mut deep = HeapId::root(5);
    while deep.depth() < MAX_DEPTH + 1 {
        deep = deep.child(u64::from(deep.depth()) % 2);
    }
    let on_path = Field(|id| {
        let is_ancestor = id.depth() < deep.depth() && deep.0 >> (deep.depth() - id.depth()) == id.0;
        if is_ancestor { 50 } else { 0 }
    });
    let mut pool = Pool::new(4096, MAX_DEPTH).unwrap();
    for _ in 0..70 {
        pool.update(&on_path, VisitOrder::Parallel);
    }
    invariants::check(&pool).unwrap();
    assert_eq!(pool.iter().map(|(_, id)| id.depth()).max(), Some(MAX_DEPTH));
    for _ in 0..70 {
        pool.update(&Field(|_| 0), VisitOrder::Parallel);
    }
    invariants::check(&pool).unwrap();
    assert_eq!(leaves(&pool), (0..12).map(HeapId::root).collect());
}

/// Highest bucket that asks for the cut of each slot's bisector or of a future child of it, by walking the chain of every
/// leaf that wants to be cut, one at a time.
fn asked(pool: &Pool, bucket: &impl Fn(HeapId) -> u8) -> BTreeMap<u32, u8> {
    let mut asked = BTreeMap::new();
    for (slot, id) in pool.iter().filter(|(_, id)| bucket(*id) >= BUCKET_SPLIT && id.depth() < MAX_DEPTH) {
        let mut current = slot;
        loop {
            let highest = asked.entry(current).or_default();
            *highest = bucket(id).max(*highest);
            let across = pool.neighbours(current)[EDGE_TWIN as usize];
            let twin = asked.entry(across.slot()).or_default();
            *twin = bucket(id).max(*twin);
            current = across.slot();
            if across.edge() == EDGE_TWIN {
                break;
            }
        }
    }
    asked
}

/// Slots of every complete diamond: two sibling pairs round a vertex.
fn diamonds(pool: &Pool) -> Vec<[u32; 4]> {
    let around = |(slot, id): (u32, HeapId)| {
        let mut members = [slot; 4];
        for i in 1..4 {
            let next = pool.neighbours(members[i - 1])[EDGE_LEFT as usize];
            members[i] = next.slot();
            if next.edge() != EDGE_RIGHT {
                return None;
            }
        }
        (id.depth() > 0 && !id.is_odd_child()).then_some(members)
    };
    pool.iter().filter_map(around).collect()
}

/// Law: a static view settles, also in a full pool, and then no exchange is worth it: the most urgent refused cut is less
/// than the eviction band above the least urgent diamond that could make room for it.
#[test]
fn static_fields_settle_in_full_pools() {
    let mut exchanges = 0;
    for seed in 0..20 {
        let band = 1 + seed as u32 % 4;
        let mut pool = Pool::new(256, MAX_DEPTH).unwrap();
        pool.set_eviction_band(band);
        let bucket = field(if seed % 2 == 0 { 1 } else { 2 }, seed, 0);
        let priority = Field(&bucket);
        let mut quiet = 0;
        let mut last = UpdateStats::default();
        for _ in 0..400 {
            last = pool.update(&priority, VisitOrder::Parallel);
            quiet = if last.splits + last.merges == 0 { quiet + 1 } else { 0 };
        }
        assert!(quiet > 40, "seed {seed}: still changing after 400 updates");
        invariants::check(&pool).unwrap();

        let asked = asked(&pool, &bucket);
        let of_parent = |slot: u32| bucket(pool.get(slot).and_then(HeapId::parent).unwrap());
        let keep = |members: [u32; 4]| {
            let marks = members.iter().filter_map(|slot| asked.get(slot).copied());
            marks.chain([of_parent(members[0]), of_parent(members[2])]).max().unwrap()
        };
        let refused = asked.values().max().map_or(0, |bucket| u32::from(*bucket));
        assert_eq!(refused > 0, last.starved > 0, "seed {seed}");
        if let Some(cheapest) = diamonds(&pool).into_iter().map(keep).min() {
            assert!(
                refused < u32::from(cheapest) + band,
                "seed {seed}: {refused} waits, {cheapest} stays, band {band}"
            );
            exchanges += u32::from(refused > 0);
        }
    }
    assert!(exchanges > 8, "only {exchanges} pools were full with a choice");
}

/// Law: when the need exceeds the room, the big errors win: a region far above the rest ends up as refined as alone.
#[test]
fn largest_errors_win_when_full() {
    let urgent = |id: HeapId| id.root_index() == 3 && id.depth() < 6;
    let mut pool = Pool::new(512, MAX_DEPTH).unwrap();
    for _ in 0..100 {
        pool.update(&Field(|id| if id.depth() < 9 { 8 } else { 0 }), VisitOrder::Parallel);
    }
    assert!(pool.live() > 480);
    for _ in 0..60 {
        pool.update(
            &Field(|id| {
                if urgent(id) {
                    60
                } else if id.depth() < 9 {
                    8
                } else {
                    0
                }
            }),
            VisitOrder::Parallel,
        );
    }
    invariants::check(&pool).unwrap();
    assert!(pool.iter().all(|(_, id)| !urgent(id)), "an urgent bisector is still waiting");
}

/// Law: decisions use heap ids only, so with room the leaf set does not depend on which slots the leaves sit in.
#[test]
fn leaf_set_does_not_depend_on_slot_layout() {
    // Two pools with the same leaves in different slots: one got to the common start through a detour.
    let (mut straight, mut detour) = (Pool::new(1 << 14, 20).unwrap(), Pool::new(1 << 14, 20).unwrap());
    let wanted = |seed| {
        let wants = ancestors_of_random(seed, 60, 12);
        Field(move |id| if wants(id) { 9 } else { 0 })
    };
    (0..40).for_each(|_| assert_eq!(detour.update(&wanted(1), VisitOrder::Parallel).starved, 0));
    for pool in [&mut straight, &mut detour] {
        (0..40).for_each(|_| assert_eq!(pool.update(&wanted(2), VisitOrder::Parallel).starved, 0));
    }
    assert!(leaves(&straight) == leaves(&detour));
    let mut layouts_differ = false;
    for step in 0..60 {
        let target = Field(field(3, 8, step));
        let stats = straight.update(&target, VisitOrder::Parallel);
        assert_eq!((stats.starved, detour.update(&target, VisitOrder::Parallel).starved), (0, 0));
        assert!(leaves(&straight) == leaves(&detour), "step {step}");
        layouts_differ |= snapshot(&straight) != snapshot(&detour);
    }
    assert!(layouts_differ, "both pools have the same layout: nothing was tested");
}

/// A pool that is fuzzed, and the field that drives it for a while.
struct FuzzedPool {
    pool: Pool,
    /// Updates of this pool, and of those how many left it full.
    updates: u64,
    full: u64,
    kind: u32,
    seed: u64,
    until: u64,
}

impl FuzzedPool {
    fn new(slots: u64) -> Self {
        let pool = Pool::new(slots, MAX_DEPTH).unwrap();
        Self { pool, updates: 0, full: 0, kind: 0, seed: 0, until: 0 }
    }

    /// One update by what a number draws, of which the pool must come out sound, and as it says.
    fn update(&mut self, draw: u64) {
        if draw >> 8 & 63 == 0 {
            self.pool.set_eviction_band((draw >> 16 & 7) as u32);
        }
        if self.updates == self.until {
            (self.kind, self.seed) = ((draw >> 20) as u32 % 9, draw >> 24 & 31);
            self.until += 1 + (draw >> 32) % 40;
        }
        let field = Field(field(self.kind, self.seed, self.updates));
        let order = [VisitOrder::Natural, VisitOrder::Shuffled(draw)][(draw >> 40 & 1) as usize];
        let before = self.pool.live();
        let stats = self.pool.update(&field, order);
        let at = || format!("{} slots, update {}", self.pool.capacity(), self.updates);
        invariants::check(&self.pool).unwrap_or_else(|e| panic!("{}: {e}", at()));
        assert_eq!(stats.live, before + stats.splits - stats.merges, "{}", at());
        self.full += u64::from(stats.live == self.pool.capacity());
        self.updates += 1;
    }
}

/// Law: whatever priorities come, in whatever order, and however the eviction band changes, every update leaves a sound
/// pool. `OROGEN_UPDATES` sets how many updates are tried, three in ten of them in a pool of 4096 slots: a million take some
/// seven minutes of a core in a release build.
#[test]
fn fuzzed_pools_stay_sound() {
    let updates: u64 = std::env::var("OROGEN_UPDATES").ok().and_then(|n| n.parse().ok()).unwrap_or(10_000);
    // Pools and their tenths of the updates.
    let mut pools = [(64, 2), (128, 2), (256, 3), (4096, 3)].map(|(slots, share)| (FuzzedPool::new(slots), share));
    std::thread::scope(|threads| {
        for (salt, (fuzzed, share)) in pools.iter_mut().enumerate() {
            let updates = updates * *share / 10;
            threads.spawn(move || (0..updates).for_each(|step| fuzzed.update(mix(step << 2 | salt as u64))));
        }
    });
    for (fuzzed, _) in &pools {
        let FuzzedPool { pool, updates, full, .. } = fuzzed;
        println!("{} slots: {updates} updates, full after {full}", pool.capacity());
        assert!(*full > updates / 50, "{} slots: full only {full} times of {updates}", pool.capacity());
    }
}
