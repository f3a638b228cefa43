//! Which triangles does a leaf draw? Those of an even number of further bisections, over a lattice on the leaf.
//!
//! Two bisections halve all three sides of a bisector: the first its hypotenuse, the second its legs. So after an even number
//! of levels each side has the same number of segments, whichever role it plays in the triangles beside it, and leaves
//! that share a side draw the same vertices on it: patches of a conforming mesh conform.

use std::fmt::Write as _;

/// A point of the lattice: segments from the right angle towards the first and the last corner.
pub type Place = [u32; 2];

/// The triangles of a leaf.
#[derive(Clone, Debug, PartialEq)]
pub struct Pattern {
    /// Segments of a side: a power of two.
    pub segments: u32,
    /// The vertices.
    pub places: Vec<Place>,
    /// Triangles as indices of vertices, the right angle in the middle, in the leaf's own orientation.
    pub triangles: Vec<[u32; 3]>,
}

impl Pattern {
    /// `levels` bisections of all of a leaf; 0 is the leaf itself.
    ///
    /// # Panics
    /// If the number of levels is odd: sides would have different numbers of segments.
    pub fn new(levels: u32) -> Pattern {
        assert!(levels.is_multiple_of(2), "an odd number of levels leaves the legs whole");
        let n = 1 << (levels / 2);
        let places: Vec<Place> = (0..=n).flat_map(|j| (0..=n - j).map(move |i| [i, j])).collect();
        let mut corners = vec![[[n, 0], [0, 0], [0, n]]];
        for _ in 0..levels {
            corners = corners.into_iter().flat_map(bisected).collect();
        }
        let index = |place: &Place| places.iter().position(|p| p == place).unwrap_or_default() as u32;
        let triangles = corners.iter().map(|t| t.each_ref().map(index)).collect();
        Pattern { segments: n, places, triangles }
    }

    /// Vertices a leaf.
    pub fn vertices(&self) -> u32 {
        self.places.len() as u32
    }

    /// Triangles a leaf.
    pub fn count(&self) -> u32 {
        self.triangles.len() as u32
    }

    /// Indices of the triangles of so many leaves, each with vertices of its own.
    pub fn indices(&self, leaves: u32) -> Vec<u32> {
        let of = |leaf: u32| self.triangles.iter().flatten().map(move |index| leaf * self.vertices() + index);
        (0..leaves).flat_map(of).collect()
    }

    /// Two words of four of each triangle: its vertices, and the places of the ends of its hypotenuse.
    pub fn cuts(&self) -> Vec<[u32; 4]> {
        let of = |&[a, b, c]: &[u32; 3]| {
            let ([ai, aj], [ci, cj]) = (self.places[a as usize], self.places[c as usize]);
            [[a, b, c, 0], [ai, aj, ci, cj]]
        };
        self.triangles.iter().flat_map(of).collect()
    }

    /// The numbers and places of the pattern as constants of WGSL.
    pub fn wgsl(&self) -> String {
        let places: Vec<String> = self.places.iter().map(|[i, j]| format!("vec2u({i}u, {j}u)")).collect();
        let mut text = String::from("// What does a leaf draw? See benches/src/leaf_patches/pattern.rs.\n");
        let _ = writeln!(text, "const SEGMENTS_LOG2: u32 = {}u;", self.segments.ilog2());
        let _ = writeln!(text, "const VERTICES: u32 = {}u;", self.vertices());
        let _ = writeln!(text, "const TRIANGLES: u32 = {}u;", self.count());
        let _ = writeln!(text, "const PLACES = array<vec2u, {}>({});", self.vertices(), places.join(", "));
        text
    }
}

/// The two halves of a bisector (v0, v1, v2) with its right angle at v1; see `terrain::bisection`.
fn bisected([v0, v1, v2]: [Place; 3]) -> [[Place; 3]; 2] {
    let m = [(v0[0] + v2[0]) / 2, (v0[1] + v2[1]) / 2];
    [[v1, m, v0], [v2, m, v1]]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Law: the triangles tile the leaf, once and the right way round, and each of its sides is cut into equal segments.
    #[test]
    fn patterns_tile_a_leaf_and_halve_its_sides_alike() {
        for levels in [0, 2, 4, 6] {
            let pattern = Pattern::new(levels);
            let n = i64::from(pattern.segments);
            assert_eq!(i64::from(pattern.count()), n * n);
            let mut edges = std::collections::HashMap::new();
            for triangle in &pattern.triangles {
                let [a, b, c] = triangle.map(|index| pattern.places[index as usize].map(i64::from));
                let area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
                assert_eq!(area, -1, "{a:?} {b:?} {c:?}");
                for (from, to) in [(a, b), (b, c), (c, a)] {
                    *edges.entry((from, to)).or_insert(0) += 1;
                    *edges.entry((to, from)).or_insert(0) -= 1;
                }
            }
            let rim: Vec<_> = edges.into_iter().filter(|(_, balance)| *balance > 0).map(|(edge, _)| edge).collect();
            assert_eq!(rim.len() as i64, 3 * n, "{levels} levels");
            for (from, to) in rim {
                let step = [to[0] - from[0], to[1] - from[1]];
                assert!(step.iter().all(|s| s.abs() <= 1), "{from:?} {to:?}");
            }
        }
    }

    #[test]
    fn leaves_have_vertices_of_their_own() {
        let pattern = Pattern::new(2);
        let indices = pattern.indices(3);
        assert_eq!((indices.len(), indices.iter().max()), (36, Some(&17)));
        assert_eq!(Pattern::new(0).indices(1), [1, 0, 2]);
    }
}
