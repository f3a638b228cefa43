//! Which triangles are there? The twelve roots, 64-bit heap ids, and the exact corners of every bisector.
//!
//! A *bisector* is a right-isosceles triangle (in face coordinates) given by its heap id: root r is `16 + r`, child b of h is
//! `2 h + b`. Its corners (v0, v1, v2) run counter-clockwise seen from outside, with the right angle at v1. Bisection cuts
//! the hypotenuse v2-v0 at its midpoint m into child 0 = (v1, m, v0) and child 1 = (v2, m, v1). This is newest-vertex
//! bisection (Benyoub & Dupuy 2024, section 3). Legs meet legs across every cube edge, so the forest is conforming
//! everywhere.

pub mod corners;
mod half_edge;
mod heap_id;
#[cfg(test)]
mod tests;

use glam::UVec2;

use crate::{
    cube::{CubePoint, FACES, FacePoint},
    device,
};
pub use half_edge::{EDGE_LEFT, EDGE_RIGHT, EDGE_TWIN};
pub use heap_id::MAX_DEPTH;

/// Number of root triangles: two per cube face.
pub const ROOTS: u32 = 2 * FACES;

/// Level of the lattice over all of the Earth whose vertices have errors of their own: `2^10` cells along a face's side, a posting of 9.8 km.
pub(crate) const LATTICE_LEVEL: u32 = 10;

/// Least error of the vertices of depth 0 to 7, metres: the height of the sphere's surface over the edge's chord, measured on
/// the ellipsoid. It keeps the coarse planet round where codes end or relief and sagitta cancel.
#[device]
pub const SAGITTA_M: [f32; 8] = [2.69e6, 1.17e6, 7.2e5, 4.9e5, 2.25e5, 1.23e5, 6.5e4, 3.1e4];

/// Path of a bisector from its root: `16 + root`, then one bit a level.
///
/// Not every number is one; `HeapId(0)` says "none" where slots may be free.
///
/// ```
/// use elevation::bisection::HeapId;
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
    ///
    /// ```
    /// use elevation::bisection::HeapId;
    /// assert!(HeapId::root(11).is_valid() && !HeapId(0).is_valid() && !HeapId(28).is_valid());
    /// assert!(HeapId::root(0).child(1).is_odd_child() && !HeapId::root(1).is_odd_child());
    /// ```
    pub const fn is_valid(self) -> bool {
        self.0 >= 16 && self.0 >> self.depth() < 16 + ROOTS as u64
    }

    /// Number of bisections from the root; 0 for numbers below 16, which name no bisector.
    pub const fn depth(self) -> u32 {
        heap_id::depth(self.0)
    }

    /// Index of the root the bisector descends from, below [`ROOTS`].
    ///
    /// # Panics
    /// If there is no such bisector ([`HeapId::is_valid`]).
    pub const fn root_index(self) -> u32 {
        assert!(self.is_valid(), "not the id of a bisector");
        heap_id::root_of(self.0)
    }

    /// The bisector that was cut to make this one; `None` for a root.
    pub const fn parent(self) -> Option<Self> {
        if self.depth() == 0 { None } else { Some(Self(heap_id::parent(self.0))) }
    }

    /// Child 0 or 1 of a bisector above depth 59, the deepest whose id fits.
    pub const fn child(self, b: u64) -> Self {
        Self(heap_id::child(self.0, b as u32))
    }

    /// True for child 1 of a parent, false for child 0 and for roots.
    pub const fn is_odd_child(self) -> bool {
        heap_id::is_odd_child(self.0)
    }

    /// The corners of the bisector, decoded from the root down.
    ///
    /// ```
    /// use elevation::bisection::{HeapId, corners::{child_corners, corners, root_corners}};
    /// let id = HeapId::root(3).child(1);
    /// assert_eq!(corners(id.0), child_corners(root_corners(3), 1)); // on the face
    /// assert_eq!(id.triangle().0[1], HeapId::root(3).triangle().midpoint());
    /// ```
    ///
    /// # Panics
    /// If there is no such bisector ([`HeapId::is_valid`]).
    pub fn triangle(self) -> Triangle {
        Triangle::on(self.root_index() / 2, corners::corners(self.0))
    }
}

/// Corners (v0, v1, v2) of a bisector, counter-clockwise seen from outside, right angle at v1.
///
/// ```
/// use elevation::bisection::{EDGE_TWIN, HeapId, Triangle, birth_depth, bisected_edge};
/// let root = Triangle::root(0);
/// assert_eq!(root.child(1), HeapId::root(0).child(1).triangle());
/// // The midpoint of the hypotenuse is the right-angle corner of both children, which are of depth 1.
/// let (start, end) = root.edge(EDGE_TWIN);
/// assert_eq!(birth_depth(root.midpoint()), 1);
/// let found = bisected_edge(root.midpoint()).unwrap();
/// assert!(found == [start, end] || found == [end, start]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Triangle(pub [CubePoint; 3]);

impl Triangle {
    /// Root triangle `r`: root 2f and 2f + 1 are the halves of face f on its diagonal (1,0)-(0,1).
    ///
    /// # Panics
    /// If `r` is not below [`ROOTS`].
    pub fn root(r: u32) -> Self {
        assert!(r < ROOTS, "there are twelve roots");
        Self::on(r / 2, corners::root_corners(r))
    }

    fn on(face: u32, corners: corners::Corners) -> Self {
        Self([corners.v0, corners.v1, corners.v2].map(|UVec2 { x: u, y: v }| FacePoint { face, u, v }.point()))
    }

    /// Midpoint of the hypotenuse, the vertex that bisection inserts.
    ///
    /// Exact for every bisector down to [`MAX_DEPTH`](const@MAX_DEPTH).
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
/// # Panics
/// If the point does not lie on the surface of the cube, see [`CubePoint`].
pub fn birth_depth(vertex: CubePoint) -> u32 {
    corners::birth_depth(vertex.on_face())
}

/// End points of the one edge that a vertex bisects; `None` for the eight corners of the cube, which bisect none.
///
/// # Panics
/// If the point does not lie on the surface of the cube, see [`CubePoint`].
pub fn bisected_edge(vertex: CubePoint) -> Option<[CubePoint; 2]> {
    let edge = corners::bisected_edge(vertex.on_face());
    edge.exists.then(|| [edge.start.point(), edge.end.point()])
}

/// A directed edge of the bisector in a pool slot: `slot * 4 + edge`.
///
/// Neighbours are stored as the handle of the *opposite* half-edge, so the role of an edge in its neighbour is known
/// without looking at the neighbour.
///
/// ```
/// use elevation::bisection::{EDGE_TWIN, HalfEdge, root_neighbours};
/// assert_eq!((HalfEdge::new(5, EDGE_TWIN).slot(), HalfEdge::new(5, EDGE_TWIN).edge()), (5, EDGE_TWIN));
/// // The two halves of a face are twins.
/// assert_eq!(root_neighbours()[0][EDGE_TWIN as usize], HalfEdge::new(1, EDGE_TWIN));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct HalfEdge(pub u32);

impl HalfEdge {
    /// The edge `edge` (0..3) of the bisector in `slot`.
    pub const fn new(slot: u32, edge: u32) -> Self {
        Self(half_edge::half_edge(slot, edge))
    }

    /// Pool slot of the bisector that owns the edge.
    pub const fn slot(self) -> u32 {
        half_edge::slot_of(self.0)
    }

    /// Which of its edges it is.
    pub const fn edge(self) -> u32 {
        half_edge::edge_of(self.0)
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
