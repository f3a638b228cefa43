//! Which vertices may a mesh of a picture have, and what does each of them change? Sums that a minimum cut is made of.

use std::collections::{HashMap, HashSet};

use glam::DVec3;
use terrain::bisection::{HeapId, MAX_DEPTH, ROOTS, Triangle, bisected_edge};
use terrain::cube::{CubePoint, FACES, FacePoint, ONE};
use terrain::geodesy::Ellipsoid;
use terrain::height::Relief;

use super::max_closure::min_cost_closure;
use super::mesh_triangles::{MeshTriangles, child_over, foot, in_picture, root_over};
use benches::views::sampled_view::SampledView;

/// What a triangle costs, in units of the price of a pixel.
pub const TRIANGLE: i64 = 1 << 12;

/// A pixel's point on the surface, relative to the eye.
struct PixelPoint {
    place: FacePoint,
    n: DVec3,
    relative_m: DVec3,
}

/// A triangle with ground in the picture.
struct CandidateTriangle {
    id: HeapId,
    triangle: Triangle,
    pixels: Vec<u32>,
    /// Pixels that it shows wrong, and whether it is one of the triangles in the picture.
    wrong: i64,
    shown: i64,
}

/// A vertex that a mesh may have.
#[derive(Default)]
struct CandidateVertex {
    /// What it adds to the triangles in the picture and to the pixels that are wrong.
    triangles: i64,
    wrong: i64,
}

/// All vertices that some optimal mesh may have, with their dependencies: the input of the minimum cut.
pub struct CandidateVertices<'a> {
    relief: &'a Relief,
    sampled: &'a SampledView,
    wrong_px: f64,
    points: Vec<PixelPoint>,
    corners_m: HashMap<CubePoint, DVec3>,
    index: HashMap<CubePoint, u32>,
    vertices: Vec<CandidateVertex>,
    needs: Vec<(u32, u32)>,
    /// Triangles that are right as they are, by the vertex that would cut them.
    whole: HashMap<CubePoint, Vec<CandidateTriangle>>,
    /// The roots' triangles and wrong pixels.
    roots: CandidateVertex,
}

impl<'a> CandidateVertices<'a> {
    /// None yet; ground that is drawn beside its place by more than `wrong_px` will be wrong.
    pub fn new(relief: &'a Relief, sampled: &'a SampledView, wrong_px: f64) -> CandidateVertices<'a> {
        CandidateVertices {
            relief,
            sampled,
            wrong_px,
            points: Vec::new(),
            corners_m: HashMap::new(),
            index: HashMap::new(),
            vertices: Vec::new(),
            needs: Vec::new(),
            whole: HashMap::new(),
            roots: CandidateVertex::default(),
        }
    }

    /// Cuts what shows some pixel wrong, and what has to be cut for that.
    pub fn grow(&mut self, points_m: impl Iterator<Item = DVec3>) {
        let eye_m = self.sampled.view().eye_m;
        self.points.extend(points_m.map(|relative_m| {
            let n = Ellipsoid::WGS84.normal_at(eye_m + relative_m);
            PixelPoint { place: CubePoint::nearest(n).on_face(), n, relative_m }
        }));
        let mut pixels: Vec<Vec<u32>> = vec![Vec::new(); ROOTS as usize];
        for (index, point) in self.points.iter().enumerate() {
            if let Some(root) = root_over(point.place) {
                pixels[root.root_index() as usize].push(index as u32);
            }
        }
        let mut open = Vec::new();
        for (root, pixels) in (0..ROOTS).zip(pixels) {
            let id = HeapId::root(root);
            let node = self.node(id, id.triangle(), pixels);
            self.roots.triangles += node.shown;
            self.roots.wrong += node.wrong;
            open.push(node);
        }
        while let Some(node) = open.pop() {
            if node.pixels.is_empty() || node.id.depth() >= MAX_DEPTH {
                continue;
            }
            let midpoint = node.triangle.midpoint();
            let wrong = node.wrong > 0;
            if let Some(&vertex) = self.index.get(&midpoint) {
                self.cut(node, vertex, &mut open);
            } else {
                self.whole.entry(midpoint).or_default().push(node);
                if wrong {
                    self.take(midpoint, &mut open);
                }
            }
        }
    }

    /// Pixels of the picture that are measured.
    pub fn measured(&self) -> usize {
        self.sampled.rays().len()
    }

    fn node(&mut self, id: HeapId, triangle: Triangle, pixels: Vec<u32>) -> CandidateTriangle {
        if pixels.is_empty() {
            return CandidateTriangle { id, triangle, pixels, wrong: 0, shown: 0 };
        }
        let corners_m = self.corners_m(triangle);
        let right = |point: &PixelPoint| {
            foot(corners_m, point.n, point.relative_m)
                .is_some_and(|foot_m| self.sampled.displacement_px(point.relative_m, foot_m) <= self.wrong_px)
        };
        let wrong = pixels.iter().filter(|&&pixel| !right(&self.points[pixel as usize])).count() as i64;
        CandidateTriangle { id, triangle, pixels, wrong, shown: i64::from(in_picture(self.sampled, corners_m)) }
    }

    /// Takes a vertex, with all that it needs and what it cuts.
    fn take(&mut self, point: CubePoint, open: &mut Vec<CandidateTriangle>) -> u32 {
        if let Some(&vertex) = self.index.get(&point) {
            return vertex;
        }
        let vertex = self.vertices.len() as u32;
        self.vertices.push(CandidateVertex::default());
        self.index.insert(point, vertex);
        for needed in apexes(point) {
            if bisected_edge(needed).is_some() {
                let needed = self.take(needed, open);
                self.needs.push((vertex, needed));
            }
        }
        for node in self.whole.remove(&point).unwrap_or_default() {
            self.cut(node, vertex, open);
        }
        vertex
    }

    fn cut(&mut self, node: CandidateTriangle, vertex: u32, open: &mut Vec<CandidateTriangle>) {
        let mut halves = [Vec::new(), Vec::new()];
        for &pixel in &node.pixels {
            let half = child_over(node.triangle, self.points[pixel as usize].place).unwrap_or(0);
            halves[half as usize].push(pixel);
        }
        let (mut triangles, mut wrong) = (-node.shown, -node.wrong);
        for (half, pixels) in (0..2).zip(halves) {
            let child = self.node(node.id.child(half), node.triangle.child(half), pixels);
            triangles += child.shown;
            wrong += child.wrong;
            open.push(child);
        }
        let vertex = &mut self.vertices[vertex as usize];
        vertex.triangles += triangles;
        vertex.wrong += wrong;
    }

    /// The cheapest mesh at a price a wrong pixel, what it costs, and its wrong pixels.
    pub fn at_price(&self, price: i64) -> (HashSet<CubePoint>, i64, i64) {
        let costs: Vec<i64> = self.vertices.iter().map(|v| TRIANGLE * v.triangles + price * v.wrong).collect();
        let has = min_cost_closure(&costs, &self.needs);
        let chosen = |&(_, vertex): &(&CubePoint, &u32)| has[*vertex as usize];
        let (mut cost, mut wrong) = (TRIANGLE * self.roots.triangles + price * self.roots.wrong, self.roots.wrong);
        for (vertex, _) in has.iter().enumerate().filter(|(_, has)| **has) {
            cost += costs[vertex];
            wrong += self.vertices[vertex].wrong;
        }
        (self.index.iter().filter(chosen).map(|(point, _)| *point).collect(), cost, wrong)
    }

    /// The mesh of a set of vertices.
    pub fn mesh(&mut self, vertices: &HashSet<CubePoint>) -> MeshTriangles {
        let mut open: Vec<_> = (0..ROOTS).map(HeapId::root).map(|id| (id, id.triangle())).collect();
        let mut live = Vec::new();
        while let Some((id, triangle)) = open.pop() {
            if vertices.contains(&triangle.midpoint()) {
                open.extend([0, 1].map(|half| (id.child(half), triangle.child(half))));
            } else {
                live.push((id, self.corners_m(triangle)));
            }
        }
        MeshTriangles::new(live.into_iter())
    }

    fn corners_m(&mut self, triangle: Triangle) -> [DVec3; 3] {
        triangle.0.map(|point| {
            *self.corners_m.entry(point).or_insert_with(|| {
                let n = point.normal();
                Ellipsoid::WGS84.ecef(n, self.relief.sample(n).height_m) - self.sampled.view().eye_m
            })
        })
    }
}

/// The right-angle corners of the two triangles that a vertex cuts, which have to be there before it.
fn apexes(vertex: CubePoint) -> Vec<CubePoint> {
    let Some(ends) = bisected_edge(vertex) else { return Vec::new() };
    let mut apexes: Vec<CubePoint> = Vec::with_capacity(2);
    for face in 0..FACES {
        let (Some(m), [Some(a), Some(b)]) = (vertex.on(face), ends.map(|end| end.on(face))) else { continue };
        // Half the edge, turned by a right angle either way.
        let half = |a: u32, b: u32| (i64::from(b) - i64::from(a)) / 2;
        let (along_u, along_v) = (half(a.u, b.u), half(a.v, b.v));
        for turn in [1, -1] {
            let (u, v) = (i64::from(m.u) - turn * along_v, i64::from(m.v) + turn * along_u);
            if let (Ok(u), Ok(v)) = (u32::try_from(u), u32::try_from(v))
                && u <= ONE
                && v <= ONE
            {
                let apex = FacePoint { face, u, v }.point();
                if !apexes.contains(&apex) {
                    apexes.push(apex);
                }
            }
        }
    }
    apexes
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Law: a vertex needs the right-angle corners of both triangles whose hypotenuse it halves, across the cube's edges too.
    #[test]
    fn a_vertex_needs_both_apexes() {
        let mut triangles: Vec<(HeapId, Triangle)> =
            (0..ROOTS).map(HeapId::root).map(|id| (id, id.triangle())).collect();
        for _ in 0..7 {
            let mut found: HashMap<CubePoint, Vec<CubePoint>> = HashMap::new();
            for (_, triangle) in &triangles {
                found.entry(triangle.midpoint()).or_default().push(triangle.0[1]);
            }
            for (vertex, mut expected) in found {
                let mut apexes = apexes(vertex);
                apexes.sort_by_key(|point| point.0);
                expected.sort_by_key(|point| point.0);
                assert_eq!(apexes, expected);
            }
            triangles = triangles
                .into_iter()
                .flat_map(|(id, triangle)| [0, 1].map(|half| (id.child(half), triangle.child(half))))
                .collect();
        }
    }
}
