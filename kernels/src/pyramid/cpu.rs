//! The same on the CPU: subtrees in parallel, then the few levels above them.

use crate::{Operator, PyramidShape, Source};
use rayon::prelude::*;

/// Items of a subtree that one task reduces: its levels stay in the first-level cache.
const SUBTREE_DEPTH: u32 = 12;

/// Fills `heap` with the pyramid by `O` of the items that `S` makes of `input`: node 1 is the root, the children of k are
/// 2k and 2k + 1. Items beyond `input` are the identity. `heap` needs [`PyramidShape::nodes`] elements; a shorter one, or
/// more items than 2^depth, leaves it as it is and returns `None`. Else the root is returned.
///
/// ```
/// use kernels::{Plain, PyramidShape, Sum, pyramid};
/// let mut heap = [0; 8];
/// let shape = PyramidShape { depth: 2, store_items: true };
/// assert_eq!(pyramid::<Sum<u32>, Plain<u32>>(&[1, 2, 3, 4], &mut heap, shape), Some(10));
/// assert_eq!(heap[1..], [10, 3, 7, 1, 2, 3, 4]);
/// ```
pub fn pyramid<O: Operator, S: Source<Item = O::Item>>(
    input: &[S::Stored],
    heap: &mut [O::Item],
    shape: PyramidShape,
) -> Option<O::Item> {
    if shape.depth > 28 || heap.len() < shape.nodes() as usize || input.len() > 1 << shape.depth {
        return None;
    }
    // Cut the heap into its levels, so that each is written by itself.
    let mut levels = Vec::with_capacity(shape.depth as usize + 1);
    let mut rest = &mut heap[1..shape.nodes() as usize];
    while !rest.is_empty() {
        let (level, below) = rest.split_at_mut(1 << levels.len());
        levels.push(level);
        rest = below;
    }

    let item = |index: usize| input.get(index).map_or_else(O::identity, |stored| S::map(*stored, index as u32));
    let subtree_depth = shape.depth.min(SUBTREE_DEPTH);
    let top = (shape.depth - subtree_depth) as usize;
    // Subtree t owns a run of 2^(level - top) nodes of each level from `top` down.
    let mut runs: Vec<Vec<&mut [O::Item]>> = (0..1usize << top).map(|_| Vec::new()).collect();
    let mut below = levels.split_off(top);
    for (down, level) in below.iter_mut().enumerate() {
        for (subtree, run) in level.chunks_mut(1 << down).enumerate() {
            runs[subtree].push(run);
        }
    }
    let roots: Vec<O::Item> = runs
        .into_par_iter()
        .enumerate()
        .map(|(subtree, mut runs)| {
            let first = subtree << subtree_depth;
            let mut values: Vec<O::Item> = (first..first + (1 << subtree_depth)).map(item).collect();
            for down in (0..=subtree_depth as usize).rev() {
                if down < subtree_depth as usize {
                    for k in 0..1 << down {
                        values[k] = O::combine(values[2 * k], values[2 * k + 1]);
                    }
                }
                if let Some(run) = runs.get_mut(down) {
                    run.copy_from_slice(&values[..1 << down]);
                }
            }
            values[0]
        })
        .collect();

    let mut values = roots;
    for level in levels.into_iter().rev() {
        for (k, node) in level.iter_mut().enumerate() {
            values[k] = O::combine(values[2 * k], values[2 * k + 1]);
            *node = values[k];
        }
    }
    values.first().copied()
}
