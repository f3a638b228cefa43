//! How is a tile made? Heights sampled at canonical points, errors from the heights of this level and the next.
//!
//! A vertex born here cuts either a side of a quad of twice the size ("axis") or its diagonal. Its error is the larger of its
//! own vertical distance to the middle of that edge and of its descendants' as far as sampled: the axis vertices that follow a diagonal one are
//! texels of this tile, the diagonal ones that follow an axis vertex are the quad centres, one level finer. Vertices of
//! the global lattice have their error from there, saturated over all data.

use glam::DVec3;
use rayon::prelude::*;

use super::{TILE_QUADS, TILE_VERTICES, Texel, Tile, TileId};
use crate::{
    cube::{ONE, face_normal},
    geodesy::{SEMI_MAJOR_M, ecef},
    height::{Lattice, Relief, encode_error},
    pack::posting_m,
};

/// Nodes sampled on a side: the tile's, and one ring beyond it.
const NODES: usize = TILE_VERTICES + 2;
/// Quad centres sampled on a side: those between the nodes.
const CENTRES: usize = NODES - 1;

impl Tile {
    /// Builds a tile: the same texels whenever and wherever it is built.
    ///
    /// # Panics
    /// If there is no such tile: a face, level, column or row beyond what the fields of [`TileId`] allow may panic, or give
    /// texels that mean nothing.
    pub fn build(relief: &Relief, lattice: &Lattice, id: TileId) -> Self {
        let heights = Heights::sample(relief, id);
        let texels: Vec<Texel> = (0..TILE_VERTICES * TILE_VERTICES)
            .into_par_iter()
            .with_min_len(4 * TILE_VERTICES)
            .map(|index| {
                let (x, y) = (index % TILE_VERTICES, index / TILE_VERTICES);
                let height_m = heights.node(x as i32, y as i32);
                let born_here = id.level == 0 || x % 2 == 1 || y % 2 == 1;
                let code = if born_here { encode_error(heights.error_m(lattice, x as i32, y as i32)) } else { 0 };
                Texel::new(height_m, code)
            })
            .collect();
        Self::from_texels(id, texels)
    }
}

/// Heights of a tile's vertices and of the centres of its quads, and of a ring of both around it.
struct Heights {
    id: TileId,
    nodes: Vec<f64>,
    centres: Vec<f64>,
    /// Height by which a chord of the ellipsoid over one quad's side lies below it at its middle.
    sagitta_m: f64,
}

impl Heights {
    fn sample(relief: &Relief, id: TileId) -> Self {
        // Beyond the face's edge its map continues smoothly; on it, a vertex is its canonical point.
        let spacing = f64::from(id.spacing());
        let corner = id.place(0, 0);
        let beyond = |x: f64, y: f64| {
            let coordinate = |corner: u32, x: f64| (f64::from(corner) + x * spacing) * (2.0 / f64::from(ONE)) - 1.0;
            face_normal(id.face, coordinate(corner.u, x), coordinate(corner.v, y))
        };
        let nodes = sample_rows(relief, NODES, posting_m(id.level), |x, y| {
            if (1..=TILE_VERTICES).contains(&x) && (1..=TILE_VERTICES).contains(&y) {
                id.place(x as u32 - 1, y as u32 - 1).point().normal()
            } else {
                beyond(x as f64 - 1.0, y as f64 - 1.0)
            }
        });
        let centres =
            sample_rows(relief, CENTRES, posting_m(id.level + 1), |x, y| beyond(x as f64 - 0.5, y as f64 - 0.5));
        let middle = TILE_QUADS / 2;
        let side_m = |dx: u32, dy: u32| {
            let at = |x: u32, y: u32| ecef(id.place(x, y).point().normal(), 0.0);
            at(middle, middle).distance(at(middle + dx, middle + dy))
        };
        let side_m = side_m(1, 0).max(side_m(0, 1));
        Self { id, nodes, centres, sagitta_m: side_m * side_m / (8.0 * SEMI_MAJOR_M) }
    }

    /// Height in column x and row y, -1 ..= 257.
    fn node(&self, x: i32, y: i32) -> f64 {
        self.nodes[(y + 1) as usize * NODES + (x + 1) as usize]
    }

    /// Saturated error of the vertex in column x and row y.
    fn error_m(&self, lattice: &Lattice, x: i32, y: i32) -> f64 {
        if let Some(error_m) = lattice.error_m(self.id.place(x as u32, y as u32).point()) {
            return error_m;
        }
        if x & y & 1 == 0 {
            return self.axis_error_m(x, y);
        }
        let own = self.deviation(self.node(x, y), self.diagonal_ends(x - 1, y - 1, 2), 8.0);
        let axes = [(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)];
        axes.into_iter().fold(own, |e, (x, y)| e.max(self.axis_error_m(x, y)))
    }

    /// Error of a vertex that cuts a side: its own, and that of the four quad centres around it.
    fn axis_error_m(&self, x: i32, y: i32) -> f64 {
        let ends = if x & 1 == 1 {
            (self.node(x - 1, y), self.node(x + 1, y))
        } else {
            (self.node(x, y - 1), self.node(x, y + 1))
        };
        let own = self.deviation(self.node(x, y), ends, 4.0);
        let quads = [(x - 1, y - 1), (x, y - 1), (x - 1, y), (x, y)];
        quads.into_iter().fold(own, |e, (x, y)| e.max(self.centre_error_m(x, y)))
    }

    /// Error of the centre of the quad whose lower corner is (x, y).
    fn centre_error_m(&self, x: i32, y: i32) -> f64 {
        let centre_m = self.centres[(y + 1) as usize * CENTRES + (x + 1) as usize];
        self.deviation(centre_m, self.diagonal_ends(x, y, 1), 2.0)
    }

    /// Heights at the ends of the diagonal of the cell of `size` texels whose lower corner is (x, y). Diagonals alternate
    /// like a chessboard, as in [`crate::bisection::bisected_edge`].
    fn diagonal_ends(&self, x: i32, y: i32, size: i32) -> (f64, f64) {
        let cell = |tile: u32, x: i32| ((tile * TILE_QUADS) as i32 + x).div_euclid(size);
        if (cell(self.id.i, x) ^ cell(self.id.j, y)) & 1 == 0 {
            (self.node(x, y), self.node(x + size, y + size))
        } else {
            (self.node(x, y + size), self.node(x + size, y))
        }
    }

    /// Vertical distance of a vertex to the middle of an edge whose squared length is `squares` squared quad sides.
    fn deviation(&self, height_m: f64, ends: (f64, f64), squares: f64) -> f64 {
        (height_m - 0.5 * (ends.0 + ends.1) + squares * self.sagitta_m).abs()
    }
}

/// Heights of a square of points about `spacing_m` apart, rows in parallel.
fn sample_rows(
    relief: &Relief,
    side: usize,
    spacing_m: f64,
    normal: impl Fn(usize, usize) -> DVec3 + Sync,
) -> Vec<f64> {
    let mut heights = vec![0.0; side * side];
    heights.par_chunks_mut(side).enumerate().for_each(|(y, row)| {
        let normals: Vec<DVec3> = (0..side).map(|x| normal(x, y)).collect();
        relief.sample_row_spaced(&normals, spacing_m, row);
    });
    heights
}

#[cfg(test)]
mod tests {
    use std::sync::LazyLock;

    use rand::{Rng, SeedableRng, rngs::StdRng};

    use super::*;
    use crate::{
        bisection::{HeapId, ROOTS, bisected_edge},
        cube::CubePoint,
        geodesy::n_vector,
        height::{GlobalGrid, Registration, decode_error_m},
        tile::{TEXEL_STEP_M, birth},
    };

    static PLANET: LazyLock<(Relief, Lattice)> = LazyLock::new(|| {
        let grid = GlobalGrid::from_fn(1440, 721, Registration::Node, |lon_deg, lat_deg| {
            let n = n_vector(lat_deg.to_radians(), lon_deg.to_radians());
            2500.0 * (23.0 * n.x).sin() * (31.0 * n.y).cos() + 700.0 * (143.0 * n.z + 90.0 * n.x).sin()
        });
        let relief = Relief::from_grid(grid).unwrap();
        let lattice = Lattice::build(&relief, 8);
        (relief, lattice)
    });

    fn build(id: TileId) -> Tile {
        Tile::build(&PLANET.0, &PLANET.1, id)
    }

    /// Law: a vertex's texel is the relief at the vertex, whichever tile and level holds it, across tile and face edges.
    #[test]
    fn heights_are_a_function_of_the_vertex() {
        let mut rng = StdRng::seed_from_u64(6);
        for _ in 0..24 {
            let level = rng.random_range(0..=12);
            let mut index = || [0, (1 << level) - 1, rng.random_range(0..1u32 << level)][rng.random_range(0..3)];
            let id = TileId { face: index() % 6, level, i: index(), j: index() };
            let tile = build(id);
            for _ in 0..400 {
                let (x, y) = (rng.random_range(0..257), rng.random_range(0..257));
                let vertex = id.place(x, y).point();
                let expected = PLANET.0.sample(vertex.normal()).height_m;
                let got = tile.texel(x as usize, y as usize).height_m();
                assert!((got - expected).abs() <= 0.5 * TEXEL_STEP_M, "{id:?} {x} {y}: {got} {expected}");
                let (low, high) = tile.range_m();
                assert!((low..=high).contains(&got));
            }
        }
    }

    /// Law: the error of a vertex in its birth tile covers its own deviation and that of its children, computed here from
    /// the bisection itself (code rounding upwards, sagitta to a tenth).
    #[test]
    fn errors_cover_own_and_children_deviation() {
        let mut rng = StdRng::seed_from_u64(7);
        let height = |p: CubePoint| PLANET.0.sample(p.normal()).height_m;
        let deviation = |vertex: CubePoint| {
            let [a, b] = bisected_edge(vertex).unwrap();
            let sagitta_m = ecef(a.normal(), 0.0).distance_squared(ecef(b.normal(), 0.0)) / (8.0 * SEMI_MAJOR_M);
            (height(vertex) - 0.5 * (height(a) + height(b)), sagitta_m)
        };
        let mut checked = 0;
        while checked < 60 {
            let mut id = HeapId::root(rng.random_range(0..ROOTS));
            for _ in 0..rng.random_range(18..36) {
                id = id.child(rng.random_range(0..2));
            }
            let vertex = id.triangle().midpoint();
            let (tile_id, x, y) = birth(vertex);
            if PLANET.1.error_m(vertex).is_some() {
                continue;
            }
            let stored = build(tile_id).texel(x as usize, y as usize).error_m();
            let children = [id.child(0), id.child(1)].map(|child| child.triangle().midpoint());
            let mut least: f64 = 0.0;
            for vertex in children.into_iter().chain([vertex]) {
                let (offset_m, sagitta_m) = deviation(vertex);
                least = least.max((offset_m + sagitta_m).abs() - 0.5 * sagitta_m);
            }
            assert!(stored >= least - 2.0 * TEXEL_STEP_M, "{tile_id:?} {x} {y}: stored {stored}, needed {least}");
            assert!(stored <= decode_error_m(255));
            checked += 1;
        }
    }

    /// Law: on the lattice, a tile carries the lattice's saturated errors.
    #[test]
    fn coarse_errors_are_those_of_the_lattice() {
        let tile = build(TileId::root(3));
        for (x, y) in [(1, 1), (17, 4), (128, 128), (255, 3), (100, 37)] {
            let expected = PLANET.1.error_m(tile.id().place(x, y).point()).unwrap().min(decode_error_m(255));
            let got = tile.texel(x as usize, y as usize).error_m();
            assert!(got >= expected && got <= 1.06 * expected.max(1.0 / 64.0), "{got} {expected}");
        }
        assert!(tile.error_m() > 100.0);
    }
}
