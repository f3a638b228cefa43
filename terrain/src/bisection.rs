//! Which triangles are there? The twelve roots, 64-bit heap ids, and the exact corners of every bisector.
//!
//! A *bisector* is a right-isosceles triangle (in face coordinates) given by its heap id: root r is `16 + r`, child b of h is
//! `2 h + b`. Its corners (v0, v1, v2) run counter-clockwise seen from outside with the right angle at v1; bisection cuts
//! the hypotenuse v2-v0 at its midpoint m into child 0 = (v1, m, v0) and child 1 = (v2, m, v1) (newest-vertex bisection,
//! Benyoub & Dupuy 2024, section 3). Legs meet legs across every cube edge, so the forest is conforming everywhere.

use crate::cube::{CubePoint, FACES, FacePoint, ONE};

/// Number of root triangles: two per cube face.
pub const ROOTS: u32 = 2 * FACES;

/// Deepest bisector whose id fits 64 bits and whose own midpoint is still an exact integer point.
pub const MAX_DEPTH: u32 = 58;

/// Edge from v0 to v1, the "left" leg.
pub const EDGE_LEFT: u32 = 0;
/// Edge from v1 to v2, the "right" leg.
pub const EDGE_RIGHT: u32 = 1;
/// Edge from v2 to v0, the hypotenuse; the triangle across it is the *twin* that must be cut together with this one.
pub const EDGE_TWIN: u32 = 2;

/// Path of a bisector from its root: `16 + root`, then one bit a level.
///
/// Not every number is one; `HeapId(0)` says "none" where slots may be free.
///
/// ```
/// use terrain::bisection::HeapId;
/// let id = HeapId::root(3).child(1).child(0);
/// assert_eq!((id.root_index(), id.depth(), id.parent()), (3, 2, Some(HeapId::root(3).child(1))));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct HeapId(pub u64);

impl HeapId {
    /// The id of root `r`.
    ///
    /// # Panics
    /// If `r` is not below [`ROOTS`].
    pub const fn root(r: u32) -> Self {
        assert!(r < ROOTS, "there are twelve roots");
        Self(16 + r as u64)
    }

    /// True if there is such a bisector: a path from one of the twelve roots.
    pub const fn is_valid(self) -> bool {
        self.0 >= 16 && self.0 >> self.depth() < 16 + ROOTS as u64
    }

    /// Number of bisections from the root; 0 for numbers below 16, which name no bisector.
    pub const fn depth(self) -> u32 {
        59u32.saturating_sub(self.0.leading_zeros())
    }

    /// Index of the root the bisector descends from, below [`ROOTS`].
    ///
    /// # Panics
    /// If there is no such bisector ([`HeapId::is_valid`]).
    pub const fn root_index(self) -> u32 {
        assert!(self.is_valid(), "not the id of a bisector");
        (self.0 >> self.depth()) as u32 - 16
    }

    /// The bisector that was cut to make this one; `None` for a root.
    pub const fn parent(self) -> Option<Self> {
        if self.depth() == 0 { None } else { Some(Self(self.0 >> 1)) }
    }

    /// Child 0 or 1 of a bisector above depth 59, the deepest whose id fits.
    pub const fn child(self, b: u64) -> Self {
        Self(2 * self.0 + b)
    }

    /// True for child 1 of a parent, false for child 0 and for roots.
    pub const fn is_odd_child(self) -> bool {
        self.depth() > 0 && self.0 & 1 == 1
    }

    /// The corners of the bisector, decoded from the root down.
    ///
    /// # Panics
    /// If there is no such bisector ([`HeapId::is_valid`]).
    pub fn triangle(self) -> Triangle {
        let mut triangle = Triangle::root(self.root_index());
        for level in (0..self.depth()).rev() {
            triangle = triangle.child(self.0 >> level & 1);
        }
        triangle
    }
}

/// Corners (v0, v1, v2) of a bisector, counter-clockwise seen from outside, right angle at v1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Triangle(pub [CubePoint; 3]);

impl Triangle {
    /// Root triangle `r`: root 2f and 2f + 1 are the halves of face f on its diagonal (1,0)-(0,1).
    ///
    /// # Panics
    /// If `r` is not below [`ROOTS`].
    pub fn root(r: u32) -> Self {
        assert!(r < ROOTS, "there are twelve roots");
        let face = r / 2;
        let corner = |u: u32, v: u32| FacePoint { face, u: u * ONE, v: v * ONE }.point();
        if r.is_multiple_of(2) {
            Self([corner(0, 1), corner(0, 0), corner(1, 0)])
        } else {
            Self([corner(1, 0), corner(1, 1), corner(0, 1)])
        }
    }

    /// Midpoint of the hypotenuse, the vertex that bisection inserts.
    ///
    /// Exact for every bisector down to [`MAX_DEPTH`].
    ///
    /// # Panics
    /// If the midpoint is not an integer point: for triangles deeper than that, or such as are no bisectors.
    pub fn midpoint(self) -> CubePoint {
        self.0[2].midpoint(self.0[0]).expect("midpoints are integer points down to depth 59")
    }

    /// Child 0 = (v1, m, v0) or child 1 = (v2, m, v1).
    ///
    /// # Panics
    /// As [`Triangle::midpoint`].
    pub fn child(self, b: u64) -> Self {
        let [v0, v1, v2] = self.0;
        let m = self.midpoint();
        if b == 0 { Self([v1, m, v0]) } else { Self([v2, m, v1]) }
    }

    /// Start and end of edge 0, 1 or 2.
    ///
    /// # Panics
    /// If `edge` is more than 2.
    pub fn edge(self, edge: u32) -> (CubePoint, CubePoint) {
        (self.0[edge as usize], self.0[(edge as usize + 1) % 3])
    }
}

/// Depth of the bisectors that have a vertex as their right-angle corner; 0 for the corners of the cube. A bisector's other
/// corners are older, so this is a bisector's depth by its right-angle corner.
///
/// On each face the lower power of two in the two coordinates tells the side of the square whose middle (both have it) or
/// whose edge's middle (one has it) the vertex is. WGSL twin: `birth_depth` of `shaders/terrain/bisection.wgsl`.
pub fn birth_depth(vertex: CubePoint) -> u32 {
    let place = vertex.on_face();
    let [u, v] = [place.u, place.v].map(|x| x.trailing_zeros().min(ONE.trailing_zeros()));
    let halvings = ONE.trailing_zeros() - u.min(v);
    if halvings > 0 && u == v { 2 * halvings - 1 } else { 2 * halvings }
}

/// End points of the one edge that a vertex bisects; `None` for the eight corners of the cube, which bisect none.
///
/// With `s` the largest power of two that divides both face coordinates, a vertex is either the centre of a cell of side 2s,
/// where it cuts the cell's diagonal, or the middle of a cell's side. Diagonals alternate like a chessboard, except on
/// the whole face, whose diagonal is the one that makes the roots.
///
/// # Panics
/// If the point does not lie on the surface of the cube, see [`CubePoint`].
pub fn bisected_edge(vertex: CubePoint) -> Option<[CubePoint; 2]> {
    let FacePoint { face, u, v } = vertex.on_face();
    let power = |x: u32| if x == 0 { ONE.trailing_zeros() } else { x.trailing_zeros() };
    let k = power(u).min(power(v));
    if k >= ONE.trailing_zeros() {
        return None;
    }
    let s = 1 << k;
    let point = |u, v| FacePoint { face, u, v }.point();
    Some(if power(u) < power(v) {
        [point(u - s, v), point(u + s, v)]
    } else if power(v) < power(u) {
        [point(u, v - s), point(u, v + s)]
    } else {
        let odd = ((u - s) >> (k + 1) ^ (v - s) >> (k + 1)) & 1 == 1;
        if odd || 2 * s == ONE {
            [point(u - s, v + s), point(u + s, v - s)]
        } else {
            [point(u - s, v - s), point(u + s, v + s)]
        }
    })
}

/// A directed edge of the bisector in a pool slot: `slot * 4 + edge`.
///
/// Neighbours are stored as the handle of the *opposite* half-edge, so the role of an edge in its neighbour is known
/// without looking at the neighbour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct HalfEdge(pub u32);

impl HalfEdge {
    /// The edge `edge` (0..3) of the bisector in `slot`.
    pub const fn new(slot: u32, edge: u32) -> Self {
        Self(slot << 2 | edge)
    }

    /// Pool slot of the bisector that owns the edge.
    pub const fn slot(self) -> u32 {
        self.0 >> 2
    }

    /// Which of its edges it is.
    pub const fn edge(self) -> u32 {
        self.0 & 3
    }
}

/// Opposite half-edges of the roots, root r in slot r, found by matching directed edges of the cube.
pub fn root_neighbours() -> [[HalfEdge; 3]; ROOTS as usize] {
    let opposite = |r: u32, e: u32| {
        let (start, end) = Triangle::root(r).edge(e);
        (0..ROOTS)
            .flat_map(|q| (0..3).map(move |f| (q, f)))
            .find(|&(q, f)| Triangle::root(q).edge(f) == (end, start))
            .map(|(q, f)| HalfEdge::new(q, f))
            .expect("the twelve roots close the cube")
    };
    std::array::from_fn(|r| std::array::from_fn(|e| opposite(r as u32, e as u32)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn numbers_that_are_no_paths_are_told_apart() {
        let path = |root: u64, depth: u32| HeapId((16 + root) << depth);
        assert!([path(0, 0), path(11, 0), path(11, 58), path(3, 59)].into_iter().all(HeapId::is_valid));
        assert!([HeapId(0), HeapId(1), HeapId(15), path(12, 0), path(15, 59)].into_iter().all(|id| !id.is_valid()));
        assert_eq!([0, 1, 15, 16, 33].map(|id| HeapId(id).depth()), [0, 0, 0, 0, 1]);
        assert_eq!(HeapId(0).parent(), None);
    }

    proptest! {
        /// Law: of a bisector's corners the one at the right angle was born with it, and the others before.
        #[test]
        fn the_right_angle_corner_tells_the_depth(root in 0..ROOTS, path in any::<u64>(), depth in 0..=MAX_DEPTH) {
            let mut id = HeapId::root(root);
            for level in 0..depth { id = id.child(path >> level & 1); }
            let [v0, v1, v2] = id.triangle().0.map(birth_depth);
            prop_assert_eq!(v1, depth);
            prop_assert!(depth == 0 || v0 < depth && v2 < depth);
            prop_assert_eq!(birth_depth(id.triangle().midpoint()), depth + 1);
        }
    }

    #[test]
    fn cube_corners_bisect_nothing() {
        for r in 0..ROOTS {
            assert!(Triangle::root(r).0.into_iter().all(|corner| bisected_edge(corner).is_none()));
        }
    }

    #[test]
    fn roots_pair_hypotenuse_with_hypotenuse_and_leg_with_leg() {
        // research table: neighbours as root.edge, e0 e1 e2.
        const EXPECTED: [[(u32, u32); 3]; 12] = [
            [(7, 0), (11, 1), (1, 2)],
            [(5, 1), (9, 0), (0, 2)],
            [(10, 1), (6, 0), (3, 2)],
            [(8, 0), (4, 1), (2, 2)],
            [(11, 0), (3, 1), (5, 2)],
            [(9, 1), (1, 0), (4, 2)],
            [(2, 1), (10, 0), (7, 2)],
            [(0, 0), (8, 1), (6, 2)],
            [(3, 0), (7, 1), (9, 2)],
            [(1, 1), (5, 0), (8, 2)],
            [(6, 1), (2, 0), (11, 2)],
            [(4, 0), (0, 1), (10, 2)],
        ];
        let found = root_neighbours();
        for (r, row) in EXPECTED.iter().enumerate() {
            for (e, &(q, f)) in row.iter().enumerate() {
                assert_eq!(found[r][e], HalfEdge::new(q, f), "root {r} edge {e}");
                assert_eq!(found[q as usize][f as usize], HalfEdge::new(r as u32, e as u32));
            }
        }
    }

    proptest! {
        /// Children share the parent's edges as the neighbour rules demand, keep its orientation, and stay exact to depth 58.
        #[test]
        fn child_rule(root in 0..ROOTS, path in any::<u64>(), depth in 0..MAX_DEPTH) {
            let mut id = HeapId::root(root);
            for level in 0..depth { id = id.child(path >> level & 1); }
            prop_assert_eq!(id.depth(), depth);
            prop_assert_eq!(id.root_index(), root);
            let parent = id.triangle();
            let (c0, c1) = (id.child(0).triangle(), id.child(1).triangle());
            prop_assert_eq!(c0.edge(EDGE_TWIN), parent.edge(EDGE_LEFT));
            prop_assert_eq!(c1.edge(EDGE_TWIN), parent.edge(EDGE_RIGHT));
            let (a, b) = c0.edge(EDGE_LEFT);
            prop_assert_eq!(c1.edge(EDGE_RIGHT), (b, a));
            // Vertices are multiples of 2^(30 - ceil(depth / 2)).
            let unit = 30 - depth.div_ceil(2);
            for v in parent.0 { for x in v.0 { prop_assert_eq!(x % (1 << unit), 0); } }
            // The edge that a vertex bisects follows from the vertex alone.
            let mut edge = bisected_edge(parent.midpoint()).unwrap();
            edge.sort();
            let mut hypotenuse = [parent.0[0], parent.0[2]];
            hypotenuse.sort();
            prop_assert_eq!(edge, hypotenuse);
        }
    }
}
