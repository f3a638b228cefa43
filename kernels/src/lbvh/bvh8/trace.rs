//! What does each ray meet? Boxes wait on a stack, of each node the nearest on top.

use super::{Bvh8, lanes::LANES, node::Probe};
use crate::lbvh::{
    Query, TraceOptions,
    node::LBVH_LEAF as LEAF,
    prepared_ray::lbvh_prepare_ray,
    ray::{Hit, Ray},
};
use multiversion::multiversion;
use rayon::prelude::*;

/// Boxes that may wait at once: no path of a tree has more than 93 nodes, see [`STACK`](crate::lbvh::trace::STACK), and each
/// leaves at most seven boxes behind.
const STACK: usize = 94 * (LANES - 1) + 1;
/// Rays that one thread takes at a time.
const CHUNK: usize = 64;

/// What is in a box, and where the ray enters it.
#[derive(Clone, Copy, Default)]
struct StackEntry {
    child: u32,
    enters: f32,
}

impl Bvh8 {
    /// The hit of each ray, that of [`trace()`](crate::lbvh::trace()) bit for bit.
    ///
    /// Of [`Query::Any`] it may be another hit, and [`TraceOptions::max_steps`] counts nodes of this tree. Where rounding puts
    /// a hit beside its triangle, which is a needle then, either tree may find it or not.
    pub fn trace(&self, rays: &[Ray], options: TraceOptions) -> Vec<Hit> {
        let mut hits = vec![Hit { t: 0.0, primitive: Hit::MISS, u: 0.0, v: 0.0 }; rays.len()];
        let chunks = rays.par_chunks(CHUNK).zip(hits.par_chunks_mut(CHUNK));
        chunks.for_each(|(rays, hits)| trace_chunk(self, rays, options, hits));
        hits
    }
}

/// Wider registers need fewer moves; numbers are the same.
#[multiversion(targets("x86_64+avx2"))]
fn trace_chunk(tree: &Bvh8, rays: &[Ray], options: TraceOptions, hits: &mut [Hit]) {
    let mut waiting = [StackEntry::default(); STACK];
    for (ray, found) in rays.iter().zip(hits) {
        *found = trace_ray(tree, ray, options, &mut waiting);
    }
}

#[inline(always)]
fn trace_ray(tree: &Bvh8, ray: &Ray, options: TraceOptions, waiting: &mut [StackEntry; STACK]) -> Hit {
    let prepared = lbvh_prepare_ray(*ray);
    let mut best = Hit { t: prepared.t_max, primitive: Hit::MISS, u: 0.0, v: 0.0 };
    if !prepared.valid {
        return Hit { t: 0.0, primitive: Hit::INVALID, ..best };
    }
    let probe = Probe::of(ray, &tree.bounds);
    let (mut top, mut at) = (0, 0);
    for _ in 0..options.max_steps {
        let node = &tree.nodes[at as usize];
        let (enters, mut met) = node.enter(&probe, best.t);
        let enters = enters.to_array();
        let Some(room) = waiting.get_mut(top..top + LANES) else { break };
        let mut len = 0;
        while met != 0 {
            let lane = met.trailing_zeros() as usize % LANES;
            met &= met - 1;
            let new = StackEntry { child: node.children[lane], enters: enters[lane] };
            // Sorted as they come: usually there are two or three.
            let mut place = len;
            while place > 0 && room[place - 1].enters < new.enters {
                room[place] = room[place - 1];
                place -= 1;
            }
            room[place] = new;
            len += 1;
        }
        top += len;
        loop {
            let Some(next) = top.checked_sub(1) else { return best };
            top = next;
            let StackEntry { child, enters } = waiting[next];
            if enters > best.t {
                continue;
            }
            if child & LEAF == 0 {
                at = child;
                break;
            }
            best = tree.blocks[(child & !LEAF) as usize].hit(&prepared, best);
            if options.query == Query::Any && best.primitive != Hit::MISS {
                return best;
            }
        }
    }
    Hit { t: prepared.t_min, primitive: Hit::LIMIT, u: 0.0, v: 0.0 }
}
