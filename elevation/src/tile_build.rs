//! How is a tile made? Heights sampled at canonical points, errors from the heights of this level and what is known of the next.
//!
//! Everything here runs on the thread that asks: tiles are made in parallel, not a tile.

mod errors;

use std::f64::consts::FRAC_PI_2;

use glam::DVec3;
use multiversion::multiversion;

use crate::{
    cube::{ONE, warp_of},
    geodesy::Ellipsoid,
    height::{CoarseErrors, Patch, Relief},
    sample_spacing::SampleSpacing,
    tile::{TILE_QUADS, TILE_VERTICES, Texel, Tile, TileId, encode_error, height_scale, posting_m},
};
use errors::FinerVertices;
pub(crate) use errors::{EXPECTED, Errors};

/// Tiles with a posting of this share of the data's have no need to look at finer vertices: nothing new is found there. Tiles as
/// fine as the data have: peaks of the data lie between their vertices.
const AS_FINE: f64 = 0.55;

impl Tile {
    /// Builds a tile: the same texels whenever and wherever it is built.
    ///
    /// # Panics
    /// If there is no such tile: a face, level, column or row beyond what the fields of [`TileId`] allow may panic, or give
    /// texels that mean nothing.
    pub fn build(relief: &Relief, coarse_errors: &CoarseErrors, id: TileId) -> Self {
        let scale = height_scale(relief.range_m());
        if let Some((heights_m, mut codes)) = relief.packed(id) {
            if id.level == 0 {
                // Vertices of the coarsest scales keep the planet round.
                let mut least = codes.clone();
                raise_to_lattice(&mut least, coarse_errors, id);
                codes.iter_mut().zip(least).for_each(|(code, least)| *code = least.max(*code));
            }
            return Self::from_texels(id, texels(&heights_m, 0, &codes, scale), scale);
        }
        if is_of_lattice(coarse_errors, id) {
            let heights_m = heights_m(relief, id);
            let mut codes = vec![0; heights_m.len()];
            raise_to_lattice(&mut codes, coarse_errors, id);
            raise_to_packed(&mut codes, relief, id);
            return Self::from_texels(id, texels(&heights_m, 0, &codes, scale), scale);
        }
        let finest_m = narrowing(id) * SampleSpacing::of(relief).finest_m(middle(id), reach_m(relief.ellipsoid(), id));
        let looks_ahead = posting_m(relief.ellipsoid(), id.level) > AS_FINE * finest_m;
        let ellipsoid = relief.ellipsoid();
        let ring = usize::from(looks_ahead);
        let (heights_m, errors) = if looks_ahead {
            let [heights_m, centres] = relief.sample_patches([nodes(ellipsoid, id, 1), centres(ellipsoid, id)]);
            let errors = Errors::of(&heights_m, sagitta_m(ellipsoid, id), FinerVertices::Centres(&centres));
            (heights_m, errors)
        } else {
            let heights_m = heights_m(relief, id);
            let errors = Errors::of(&heights_m, sagitta_m(ellipsoid, id), FinerVertices::Expected);
            (heights_m, errors)
        };
        let mut codes = errors.codes(id);
        raise_to_lattice(&mut codes, coarse_errors, id);
        raise_to_packed(&mut codes, relief, id);
        Self::from_texels(id, texels(&heights_m, ring, &codes, scale), scale)
    }
}

/// Texels from heights with so many rings of vertices around the tile's, and codes without; heights are over a power of two.
#[multiversion(targets("x86_64+avx512f", "x86_64+avx2"))]
fn texels(heights_m: &[f64], ring: usize, codes: &[u8], scale: f64) -> Vec<Texel> {
    let per_scale = scale.recip();
    let mut texels = vec![Texel(0); codes.len()];
    let rows = heights_m.chunks_exact(TILE_VERTICES + 2 * ring).skip(ring).zip(codes.chunks_exact(TILE_VERTICES));
    for (out, (heights_m, codes)) in texels.chunks_exact_mut(TILE_VERTICES).zip(rows) {
        let row = heights_m[ring..].iter().zip(codes);
        out.iter_mut().zip(row).for_each(|(out, (height_m, code))| *out = Texel::new(*height_m * per_scale, *code));
    }
    texels
}

/// Whether the lattice has all vertices that are born in a tile: nothing else is to be found out about their errors.
fn is_of_lattice(coarse_errors: &CoarseErrors, id: TileId) -> bool {
    id.level + TILE_QUADS.ilog2() <= coarse_errors.level()
}

/// Errors that a pack knows are saturated over its data.
fn raise_to_packed(codes: &mut [u8], relief: &Relief, id: TileId) {
    if let Some(known) = relief.error_codes(id) {
        codes.iter_mut().zip(known).for_each(|(code, known)| *code = known.max(*code));
    }
}

/// Errors of vertices of the global lattice are known from there, saturated over all data.
fn raise_to_lattice(codes: &mut [u8], coarse_errors: &CoarseErrors, id: TileId) {
    // Vertices that first appear in a tile are on the lattice all together or not at all, but for the coarsest tiles.
    if id.level > 0 && !is_of_lattice(coarse_errors, id) {
        return;
    }
    for (at, code) in codes.iter_mut().enumerate() {
        let (x, y) = (at % TILE_VERTICES, at / TILE_VERTICES);
        if (id.level == 0 || (x | y) & 1 == 1)
            && let Some(error_m) = coarse_errors.error_m(id.place(x as u32, y as u32).point())
        {
            *code = encode_error(error_m);
        }
    }
}

/// Heights in metres of a tile's vertices.
pub(crate) fn heights_m(relief: &Relief, id: TileId) -> Vec<f64> {
    let [heights_m] = relief.sample_patches([nodes(relief.ellipsoid(), id, 0)]);
    heights_m
}

/// A tile's vertices and `ring` rings of vertices around it, where the map of the face continues smoothly, with their spacing in
/// metres.
pub(crate) fn nodes(ellipsoid: Ellipsoid, id: TileId, ring: u32) -> (Patch, f64) {
    (patch(id, TILE_VERTICES as u32 + 2 * ring, -f64::from(ring)), posting_m(ellipsoid, id.level))
}

/// The centres of a tile's quads and of a ring of quads around it, with their spacing in metres.
fn centres(ellipsoid: Ellipsoid, id: TileId) -> (Patch, f64) {
    (patch(id, TILE_QUADS + 2, -0.5), posting_m(ellipsoid, id.level + 1))
}

/// `count` nodes along each side, a texel's spacing apart, the first one `first` texels from the tile's corner.
fn patch(id: TileId, count: u32, first: f64) -> Patch {
    let along = || (0..count).map(|k| f64::from(k) + first);
    patch_of(id, along(), along())
}

/// Nodes at some texels from the tile's corner, columns and rows, where the map of the face continues smoothly.
pub(crate) fn patch_of(id: TileId, x: impl Iterator<Item = f64>, y: impl Iterator<Item = f64>) -> Patch {
    let (corner, spacing) = (id.place(0, 0), f64::from(id.spacing()));
    let gnomonic = |corner: u32, k: f64| warp_of((f64::from(corner) + k * spacing) * (2.0 / f64::from(ONE)) - 1.0);
    Patch::new(id.face, x.map(|k| gnomonic(corner.u, k)).collect(), y.map(|k| gnomonic(corner.v, k)).collect())
}

/// How much closer meridians are than at the equator where they are closest in a tile: postings of degrees shrink so towards the
/// poles, from east to west.
pub(crate) fn narrowing(id: TileId) -> f64 {
    let lat_rad = middle(id).z.clamp(-1.0, 1.0).asin().abs() + reach_rad(id);
    lat_rad.min(FRAC_PI_2).cos()
}

pub(crate) fn middle(id: TileId) -> DVec3 {
    id.place(TILE_QUADS / 2, TILE_QUADS / 2).point().normal()
}

/// Angle within which all of a tile lies from its middle, radians.
pub(crate) fn reach_rad(id: TileId) -> f64 {
    let middle = middle(id);
    let corners = [(0, 0), (TILE_QUADS, 0), (0, TILE_QUADS), (TILE_QUADS, TILE_QUADS)];
    let chord = corners.map(|(x, y)| id.place(x, y).point().normal().distance(middle)).into_iter().fold(0.0, f64::max);
    // The arc over a chord that is at most that of a face's diagonal.
    1.2 * chord
}

/// Distance in metres within which all of a tile lies from its middle.
pub(crate) fn reach_m(ellipsoid: Ellipsoid, id: TileId) -> f64 {
    reach_rad(id) * ellipsoid.semi_major_m()
}

/// Height by which a chord of the ellipsoid over one quad's side lies below it at its middle.
pub(crate) fn sagitta_m(ellipsoid: Ellipsoid, id: TileId) -> f64 {
    let half = TILE_QUADS / 2;
    let at = |x: u32, y: u32| ellipsoid.ecef(id.place(x, y).point().normal(), 0.0);
    let side_m = at(half, half).distance(at(half + 1, half)).max(at(half, half).distance(at(half, half + 1)));
    side_m * side_m / (8.0 * ellipsoid.semi_major_m())
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
        height::{GlobalGrid, Registration},
        tile::decode_error_m,
        tile::{TEXEL_STEP_M, birth},
    };

    /// The Earth first, and other bodies.
    static PLANETS: LazyLock<[(Relief, CoarseErrors); 4]> = LazyLock::new(|| Ellipsoid::bodies().map(planet));

    fn planet(ellipsoid: Ellipsoid) -> (Relief, CoarseErrors) {
        let grid = GlobalGrid::from_fn(1440, 721, Registration::Node, |lon_deg, lat_deg| {
            let n = n_vector(lat_deg.to_radians(), lon_deg.to_radians());
            2500.0 * (23.0 * n.x).sin() * (31.0 * n.y).cos() + 700.0 * (143.0 * n.z + 90.0 * n.x).sin()
        });
        let relief = Relief::from_grid_on(ellipsoid, grid).unwrap();
        let coarse_errors = CoarseErrors::build(&relief, 8);
        (relief, coarse_errors)
    }

    fn build(id: TileId) -> Tile {
        Tile::build(&PLANETS[0].0, &PLANETS[0].1, id)
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
                let expected = PLANETS[0].0.sample(vertex.normal()).height_m;
                let got = tile.height_m(x as usize, y as usize);
                assert!((got - expected).abs() <= 0.5 * TEXEL_STEP_M, "{id:?} {x} {y}: {got} {expected}");
                let (low, high) = tile.range_m();
                assert!((low..=high).contains(&got));
            }
        }
    }

    /// Law: ground beyond what texels hold is in their steps, which are longer by the scale.
    #[test]
    fn exaggerated_heights_keep_their_digits() {
        let mut rng = StdRng::seed_from_u64(8);
        for exaggeration in [6.0, 10.0, 33.0] {
            let tall = PLANETS[0].0.exaggerated(exaggeration);
            let scale = height_scale(tall.range_m());
            assert!(scale > 1.0 && scale <= exaggeration);
            let level = rng.random_range(0..=9);
            let side = 1 << level;
            let id = TileId { face: 3, level, i: rng.random_range(0..side), j: rng.random_range(0..side) };
            let tile = Tile::build(&tall, &CoarseErrors::build(&tall, 8), id);
            for (x, y) in (0..400).map(|_| (rng.random_range(0..257), rng.random_range(0..257))) {
                let expected = tall.sample(id.place(x, y).point().normal()).height_m;
                let got = tile.height_m(x as usize, y as usize);
                assert!((got - expected).abs() <= 0.5 * scale * TEXEL_STEP_M, "{id:?} {x} {y}: {got} {expected}");
                assert!((tile.range_m().0..=tile.range_m().1).contains(&got));
            }
        }
    }

    /// Law: the error of a vertex in its birth tile covers its own deviation and that of its children, computed here from
    /// the bisection itself (code rounding upwards, sagitta to a tenth).
    #[test]
    fn errors_cover_own_and_children_deviation() {
        let mut rng = StdRng::seed_from_u64(7);
        for (relief, coarse_errors) in PLANETS.iter() {
            let ellipsoid = relief.ellipsoid();
            let at = |p: CubePoint| ellipsoid.ecef(p.normal(), 0.0);
            let height = |p: CubePoint| relief.sample(p.normal()).height_m;
            let deviation = |vertex: CubePoint| {
                let [a, b] = bisected_edge(vertex).unwrap();
                let sagitta_m = at(a).distance_squared(at(b)) / (8.0 * ellipsoid.semi_major_m());
                (height(vertex) - 0.5 * (height(a) + height(b)), sagitta_m)
            };
            let mut checked = 0;
            while checked < 40 {
                let mut id = HeapId::root(rng.random_range(0..ROOTS));
                for _ in 0..rng.random_range(18..36) {
                    id = id.child(rng.random_range(0..2));
                }
                let vertex = id.triangle().midpoint();
                let (tile_id, x, y) = birth(vertex);
                if coarse_errors.error_m(vertex).is_some() {
                    continue;
                }
                let tile = Tile::build(relief, coarse_errors, tile_id);
                let stored = tile.texel(x as usize, y as usize).error_m();
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
    }

    /// Law: what a chord over a quad's side in the middle of a tile leaves out is its sagitta, to a hundredth, on every body.
    #[test]
    fn sagittas_are_those_of_the_body() {
        let mut rng = StdRng::seed_from_u64(9);
        for round in 0..200 {
            let ellipsoid = Ellipsoid::bodies()[round % 4];
            let level = rng.random_range(0..6);
            let mut index = || rng.random_range(0..1u32 << level);
            let id = TileId { face: round as u32 % 6, level, i: index(), j: index() };
            let half = TILE_QUADS / 2;
            // Of a side twice as long, whose middle is a vertex: four times as much.
            let left_out_m = |[a, b]: [(u32, u32); 2]| {
                let n = id.place(half, half).point().normal();
                let [a, m, b] = [a, (half, half), b].map(|(x, y)| ellipsoid.ecef(id.place(x, y).point().normal(), 0.0));
                n.dot(m - 0.5 * (a + b)) / 4.0
            };
            let of_sides = [[(half - 1, half), (half + 1, half)], [(half, half - 1), (half, half + 1)]].map(left_out_m);
            let (expected, said) = (of_sides[0].max(of_sides[1]), sagitta_m(ellipsoid, id));
            let within = 0.012 + 2.5 * ellipsoid.flattening();
            assert!((said / expected - 1.0).abs() < within, "{said} {expected} of {id:?} on {ellipsoid:?}");
        }
    }

    /// Law: on the lattice, a tile carries the lattice's saturated errors.
    #[test]
    fn coarse_errors_are_those_of_the_lattice() {
        let tile = build(TileId::root(3));
        for (x, y) in [(1, 1), (17, 4), (128, 128), (255, 3), (100, 37)] {
            let expected = PLANETS[0].1.error_m(tile.id().place(x, y).point()).unwrap().min(decode_error_m(255));
            let got = tile.texel(x as usize, y as usize).error_m();
            assert!(got >= expected && got <= 1.072 * expected.max(1.0 / 1024.0), "{got} {expected}");
        }
        assert!(tile.error_m() > 100.0);
    }
}
