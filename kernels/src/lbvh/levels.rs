//! What are the boxes of all aligned pairs, fours, eights ... of leaves? Twin: `lbvh/levels.wgsl`, which gives the layout.

use super::aabb::Aabb;
use rayon::prelude::*;

/// Leaves that one task combines.
const BLOCK: usize = 1 << 12;

/// Places that the levels of `n` leaves take.
pub(super) fn places(n: u32) -> u32 {
    2 * n.max(1)
}

/// Where block `block` of level `level` lies.
#[inline]
fn place(level: u32, block: usize) -> usize {
    ((2 * block + 1) << level) - 1
}

/// Writes the levels over the boxes of `primitives`.
pub(super) fn fill(levels: &mut [Aabb], boxes: &[Aabb], primitives: &[u32]) {
    let n = primitives.len();
    levels.par_chunks_mut(2 * BLOCK).zip(primitives.par_chunks(BLOCK)).for_each(|(levels, primitives)| {
        for (place, primitive) in primitives.iter().enumerate() {
            levels[2 * place] = boxes[*primitive as usize].usable();
        }
        combine(levels, 1, primitives.len());
    });
    // The levels above the blocks, which are few.
    combine(levels, BLOCK.ilog2() + 1, n);
}

/// The levels from `level` on over `n` leaves.
fn combine(levels: &mut [Aabb], mut level: u32, n: usize) {
    while n >> level > 0 {
        for block in 0..n >> level {
            let (left, right) = (place(level - 1, 2 * block), place(level - 1, 2 * block + 1));
            levels[place(level, block)] = levels[left].union(levels[right]);
        }
        level += 1;
    }
}

/// The box of leaves `first` to `last`, from at most 2 log2(length) blocks.
#[inline]
pub(super) fn cover(levels: &[Aabb], first: u32, last: u32) -> Aabb {
    let (mut at, end) = (first as usize, last as usize + 1);
    let mut all = Aabb::EMPTY;
    while at < end {
        let level = at.trailing_zeros().min((end - at).ilog2());
        all = all.union(levels[at + (at | ((1 << level) - 1))]);
        at += 1 << level;
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn covers_are_the_boxes_of_their_ranges() {
        for n in [1u32, 2, 3, 7, 64, 1000, 5000, 8192, 20_000] {
            let boxes: Vec<Aabb> =
                (0..n).map(|i| Aabb::around([[(i * 7919 % 1000) as f32, i as f32, -(i as f32)]])).collect();
            let primitives: Vec<u32> = (0..n).collect();
            let mut levels = vec![Aabb::EMPTY; places(n) as usize];
            fill(&mut levels, &boxes, &primitives);
            for k in 0..200u32 {
                let (a, b) = (k * 6151 % n, k * 9973 % n);
                let (first, last) = (a.min(b), a.max(b));
                let expected = boxes[first as usize..=last as usize].iter().fold(Aabb::EMPTY, |all, b| all.union(*b));
                assert_eq!(cover(&levels, first, last), expected, "{first} to {last} of {n}");
            }
        }
    }
}
