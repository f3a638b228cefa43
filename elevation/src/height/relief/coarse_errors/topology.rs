//! Which edge does a lattice vertex bisect, and which vertices bisect the edges its split creates?
//!
//! On a face lattice `0 ..= 2^level` a vertex is born at the scale `s = 2^k`, `k` the number of trailing zero bits that its
//! two coordinates share. If both have exactly `k` it is the middle of a square of side `2 s` and bisects one of its
//! diagonals. Otherwise it is the middle of an axis-parallel edge of length `2 s`. Diagonals of the four squares around a
//! split point all run through it, whence the parity rule; the face's own diagonal is that of the roots, from (0, 1) to (1,
//! 0).

/// The edge a vertex bisects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bisection {
    /// Half of the edge's extent along each axis it spans, in lattice units: the scale of the vertex.
    pub s: u32,
    /// Whether the edge is parallel to a face axis.
    pub axis: bool,
    /// One end of the edge.
    pub a: (u32, u32),
    /// The other end.
    pub b: (u32, u32),
}

impl Bisection {
    /// The edge that `(u, v)` bisects on a face lattice of `2^level` cells a side; `None` for the corners of the face.
    #[inline]
    pub fn of(u: u32, v: u32, level: u32) -> Option<Self> {
        let (ku, kv) = (u.trailing_zeros(), v.trailing_zeros());
        let k = ku.min(kv);
        // Coordinate 0 counts as a multiple of everything; 2^level is a corner with itself and 0.
        if k >= level {
            return None;
        }
        let s = 1 << k;
        if ku == kv {
            let falling = k + 1 == level || ((u >> (k + 1)) ^ (v >> (k + 1))) & 1 == 1;
            let (a, b) = if falling { ((u - s, v + s), (u + s, v - s)) } else { ((u - s, v - s), (u + s, v + s)) };
            return Some(Self { s, axis: false, a, b });
        }
        let (a, b) = if ku < kv { ((u - s, v), (u + s, v)) } else { ((u, v - s), (u, v + s)) };
        Some(Self { s, axis: true, a, b })
    }

    /// Depth of the triangles that the vertex splits, on a face lattice of `2^level` cells a side.
    pub fn depth(&self, level: u32) -> u32 {
        2 * (level - 1 - self.s.trailing_zeros()) + u32::from(self.axis)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::{CubePoint, FacePoint, ONE};
    use std::collections::HashMap;

    const LEVEL: u32 = 5;

    /// Bisects the twelve roots by the rule of the bisection itself: apex first, hypotenuse halved.
    fn bisect(v: [CubePoint; 3], depth: u32, edges: &mut HashMap<CubePoint, (u32, [CubePoint; 2])>) {
        if depth == 2 * LEVEL {
            return;
        }
        let m = v[0].midpoint(v[2]).expect("far above the resolution");
        let mut ends = [v[0], v[2]];
        ends.sort();
        let before = edges.insert(m, (depth, ends));
        assert!(before.is_none_or(|b| b == (depth, ends)), "both triangles at an edge agree");
        bisect([v[1], m, v[0]], depth + 1, edges);
        bisect([v[2], m, v[1]], depth + 1, edges);
    }

    #[test]
    fn formula_equals_recursive_bisection() {
        let mut edges = HashMap::new();
        for face in 0..6 {
            let at = |(u, v): (u32, u32)| FacePoint { face, u: u * ONE, v: v * ONE }.point();
            bisect([(0, 1), (0, 0), (1, 0)].map(at), 0, &mut edges);
            bisect([(1, 0), (1, 1), (0, 1)].map(at), 0, &mut edges);
        }
        let (side, unit) = (1 << LEVEL, ONE >> LEVEL);
        let mut seen = 0;
        for face in 0..6 {
            let at = |(u, v): (u32, u32)| FacePoint { face, u: u * unit, v: v * unit }.point();
            for (u, v) in (0..=side).flat_map(|v| (0..=side).map(move |u| (u, v))) {
                let Some(rule) = Bisection::of(u, v, LEVEL) else {
                    assert!(u % side == 0 && v % side == 0);
                    continue;
                };
                let mut ends = [at(rule.a), at(rule.b)];
                ends.sort();
                assert_eq!(edges.get(&at((u, v))), Some(&(rule.depth(LEVEL), ends)), "face {face} ({u}, {v})");
                seen += 1;
            }
        }
        assert!(seen >= edges.len());
    }
}
