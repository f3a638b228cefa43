//! Which things are worth having, if each needs others? The closed set of least cost, by a minimum cut.
//!
//! Picard 1976: a source feeds every thing that saves, every thing that costs drains to a sink, and a thing leads to what it needs
//! by an arc that nothing fills. What the source still reaches when no more flow fits is the set (here by Dinic's algorithm).

/// A directed arc; its reverse is the index with the last bit turned.
#[derive(Clone, Copy)]
struct FlowArc {
    to: u32,
    room: i64,
}

/// Room that no flow fills.
const UNBOUNDED: i64 = i64::MAX / 4;

/// Not reached.
const FAR: u32 = u32::MAX;

/// Arcs, and those of each node, the source and the sink being the last two nodes.
struct FlowNetwork {
    arcs: Vec<FlowArc>,
    of: Vec<Vec<u32>>,
    source: u32,
    sink: u32,
}

/// Of things with costs (negative ones save), each of which needs others, the set that costs least; the smallest of these.
/// `needs` are pairs (thing, what it needs).
pub fn min_cost_closure(costs: &[i64], needs: &[(u32, u32)]) -> Vec<bool> {
    let (source, sink) = (costs.len() as u32, costs.len() as u32 + 1);
    let mut network = FlowNetwork { arcs: Vec::new(), of: vec![Vec::new(); costs.len() + 2], source, sink };
    for (thing, &cost) in costs.iter().enumerate() {
        match cost {
            ..0 => network.connect(source, thing as u32, -cost),
            0 => {}
            1.. => network.connect(thing as u32, sink, cost),
        }
    }
    for &(thing, needed) in needs {
        network.connect(thing, needed, UNBOUNDED);
    }
    let mut steps = network.steps();
    while steps[sink as usize] != FAR {
        network.fill(&steps);
        steps = network.steps();
    }
    steps[..costs.len()].iter().map(|&step| step != FAR).collect()
}

impl FlowNetwork {
    fn connect(&mut self, from: u32, to: u32, room: i64) {
        for (from, to, room) in [(from, to, room), (to, from, 0)] {
            self.of[from as usize].push(self.arcs.len() as u32);
            self.arcs.push(FlowArc { to, room });
        }
    }

    /// Steps from the source along arcs with room.
    fn steps(&self) -> Vec<u32> {
        let mut steps = vec![FAR; self.of.len()];
        steps[self.source as usize] = 0;
        let mut reached = vec![self.source];
        let mut next = 0;
        while let Some(&node) = reached.get(next) {
            next += 1;
            for arc in self.of[node as usize].iter().map(|&arc| self.arcs[arc as usize]) {
                if arc.room > 0 && steps[arc.to as usize] == FAR {
                    steps[arc.to as usize] = steps[node as usize] + 1;
                    reached.push(arc.to);
                }
            }
        }
        steps
    }

    /// Sends flow along shortest ways until none is left.
    fn fill(&mut self, steps: &[u32]) {
        let mut tried = vec![0usize; self.of.len()];
        let mut way: Vec<u32> = Vec::new();
        loop {
            let node = way.last().map_or(self.source, |&arc| self.arcs[arc as usize].to);
            if node == self.sink {
                let flow = way.iter().map(|&arc| self.arcs[arc as usize].room).min().unwrap_or(0);
                for &arc in &way {
                    self.arcs[arc as usize].room -= flow;
                    self.arcs[arc as usize ^ 1].room += flow;
                }
                let full = way.iter().position(|&arc| self.arcs[arc as usize].room == 0).unwrap_or(0);
                way.truncate(full);
                continue;
            }
            let onward = self.of[node as usize].get(tried[node as usize]).copied();
            match onward {
                Some(arc) => {
                    let FlowArc { to, room } = self.arcs[arc as usize];
                    if room > 0 && steps[to as usize] == steps[node as usize] + 1 {
                        way.push(arc);
                    } else {
                        tried[node as usize] += 1;
                    }
                }
                None if node == self.source => return,
                None => {
                    // A dead end: the arc that led here is done with.
                    way.pop();
                    let before = way.last().map_or(self.source, |&arc| self.arcs[arc as usize].to);
                    tried[before as usize] += 1;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{Rng, SeedableRng, rngs::StdRng};

    /// Law: of all closed sets none costs less, and none that costs as little is smaller: against all subsets of small graphs.
    #[test]
    fn no_closed_set_is_cheaper() {
        let mut rng = StdRng::seed_from_u64(3);
        let mut saving = 0;
        for _ in 0..300 {
            let things = rng.random_range(1..11u32);
            let costs: Vec<i64> = (0..things).map(|_| rng.random_range(-5..6)).collect();
            let needs: Vec<(u32, u32)> = (0..rng.random_range(0..16))
                .map(|_| (rng.random_range(0..things), rng.random_range(0..things)))
                .filter(|(thing, needed)| needed < thing)
                .collect();
            let cost = |set: u32| -> i64 { (0..things).filter(|i| set >> i & 1 == 1).map(|i| costs[i as usize]).sum() };
            let closed =
                |set: &u32| needs.iter().all(|(thing, needed)| set >> thing & 1 == 0 || set >> needed & 1 == 1);
            let best = (0..1u32 << things).filter(closed).min_by_key(|&set| (cost(set), set.count_ones())).unwrap();
            let found =
                min_cost_closure(&costs, &needs).iter().enumerate().fold(0, |set, (i, &has)| set | u32::from(has) << i);
            assert!(closed(&found));
            assert_eq!((cost(found), found.count_ones()), (cost(best), best.count_ones()), "{costs:?} {needs:?}");
            saving += u32::from(cost(best) < 0);
        }
        assert!(saving > 100, "only {saving} sets are not empty");
    }
}
