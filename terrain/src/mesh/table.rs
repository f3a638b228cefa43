//! Which index has which vertex? A reference-counted table keyed by canonical cube points.

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::vertex::{NONE, Vertex};
use crate::{bisection::bisected_edge, cube::CubePoint, streaming::HostTiles};

/// Records that a table may have besides four times those in use.
const SPARE: usize = 1 << 10;

/// Vertices by index, found by cube point, freed when the last triangle lets go.
#[derive(Default)]
pub(super) struct VertexTable {
    index_of: FxHashMap<CubePoint, u32>,
    vertices: Vec<Vertex>,
    free: Vec<u32>,
}

impl VertexTable {
    /// Number of records, used or free.
    pub fn len(&self) -> usize {
        self.vertices.len()
    }

    pub fn vertices(&self) -> &[Vertex] {
        &self.vertices
    }

    /// Takes a vertex as the corner of a triangle; a new one is appended to `acquired`, to be placed.
    pub fn acquire_corner(&mut self, point: CubePoint, acquired: &mut Vec<u32>) -> u32 {
        let index = self.acquire(point, acquired);
        self.vertices[index as usize].corner_uses += 1;
        index
    }

    /// Takes a vertex as the midpoint of a triangle's hypotenuse.
    pub fn acquire_midpoint(&mut self, point: CubePoint, acquired: &mut Vec<u32>) -> u32 {
        self.acquire(point, acquired)
    }

    /// Places vertices, new ones and those whose tile has come.
    pub fn place(&mut self, tiles: &HostTiles, indices: &[u32]) {
        let placed = |&index: &u32| self.vertices[index as usize].placed(tiles);
        let placed: Vec<Vertex> = indices.par_iter().with_min_len(64).map(placed).collect();
        let index_of = |end| self.index_of.get(&end).copied().unwrap_or(NONE);
        for (&index, vertex) in indices.iter().zip(placed) {
            let ends = bisected_edge(vertex.point).map_or([NONE; 2], |ends| ends.map(index_of));
            self.vertices[index as usize] = Vertex { ends, ..vertex };
        }
    }

    /// Lets go of a vertex taken as a midpoint or corner.
    pub fn release(&mut self, index: u32, corner: bool) {
        let vertex = &mut self.vertices[index as usize];
        vertex.uses -= 1;
        vertex.corner_uses -= u32::from(corner);
        if vertex.uses == 0 {
            self.index_of.remove(&vertex.point);
            self.free.push(index);
        }
    }

    /// Forgets free records where they are most of the table, so that a mesh that was large once is not for ever. Gives the new index of
    /// each old one then.
    pub fn compact(&mut self) -> Option<Vec<u32>> {
        if self.vertices.len() <= 4 * self.index_of.len() + SPARE {
            return None;
        }
        let mut used = 0;
        let mut number = |vertex: &Vertex| {
            let index = if vertex.uses > 0 { used } else { NONE };
            used += u32::from(vertex.uses > 0);
            index
        };
        let moved: Vec<u32> = self.vertices.iter().map(&mut number).collect();
        // The corners of the cube have no ends.
        let new = |old: u32| moved.get(old as usize).copied().unwrap_or(NONE);
        self.vertices.retain(|vertex| vertex.uses > 0);
        self.vertices.shrink_to_fit();
        for vertex in &mut self.vertices {
            vertex.ends = vertex.ends.map(new);
        }
        self.index_of.values_mut().for_each(|index| *index = new(*index));
        self.index_of.shrink_to_fit();
        self.free = Vec::new();
        Some(moved)
    }

    fn acquire(&mut self, point: CubePoint, acquired: &mut Vec<u32>) -> u32 {
        let index = *self.index_of.entry(point).or_insert_with(|| {
            let vertex = Vertex::unplaced(point);
            let index = match self.free.pop() {
                Some(index) => {
                    self.vertices[index as usize] = vertex;
                    index
                }
                None => {
                    self.vertices.push(vertex);
                    self.vertices.len() as u32 - 1
                }
            };
            acquired.push(index);
            index
        });
        self.vertices[index as usize].uses += 1;
        index
    }
}
