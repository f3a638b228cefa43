//! How far off is a mesh that lacks a vertex of a tile? Told from the tile's own heights, row by row.
//!
//! A vertex born in a tile cuts either a side of a quad of twice the size ("axis") or its diagonal. Its error is the larger of its
//! own vertical distance to the middle of that edge and of its descendants' as far as they are known. The axis vertices that
//! follow a diagonal one are texels of the tile. The diagonal ones that follow an axis vertex are the quad centres, one level
//! finer.

use multiversion::multiversion;

use crate::tile::{ErrorCodes, TILE_VERTICES, TileId};

/// Share of the largest own error nearby that is expected of vertices that have not been looked at.
pub(crate) const EXPECTED: f32 = 0.7;
/// Quad centres along a side, with a ring of quads around the tile.
const CENTRES: usize = TILE_VERTICES + 1;

/// What is known of the vertices after those of the tile.
#[derive(Clone, Copy, Debug)]
pub(crate) enum FinerVertices<'a> {
    /// Heights of the centres of the tile's quads and of a ring of quads around them.
    Centres(&'a [f64]),
    /// Nothing: the data are coarser than the tile. A share of the errors nearby stands for them.
    Expected,
}

/// Errors of a tile's vertices in metres.
#[derive(Clone, Debug)]
pub(crate) struct Errors(Vec<f32>);

impl Errors {
    /// From the heights of a tile's vertices, with a ring around them where centres are known. `sagitta_m` is the height of
    /// the ground's curvature over one quad's side.
    pub fn of(heights_m: &[f64], sagitta_m: f64, ahead: FinerVertices<'_>) -> Self {
        let mut errors = vec![0.0; TILE_VERTICES * TILE_VERTICES];
        match ahead {
            FinerVertices::Centres(centres) => {
                own_errors(heights_m, TILE_VERTICES + 2, 1, sagitta_m, &mut errors);
                let centres = centre_errors(heights_m, centres, sagitta_m);
                raise_to_centres(&mut errors, &centres);
            }
            FinerVertices::Expected => {
                own_errors(heights_m, TILE_VERTICES, 0, sagitta_m, &mut errors);
                raise_to_neighbours(&mut errors);
            }
        }
        raise_diagonals(&mut errors);
        Self(errors)
    }

    /// Own errors in metres of a tile's vertices, without their descendants'; 0 where both coordinates are even.
    pub fn own(heights_m: &[f64], sagitta_m: f64) -> Vec<f32> {
        let mut errors = vec![0.0; TILE_VERTICES * TILE_VERTICES];
        own_errors(heights_m, TILE_VERTICES, 0, sagitta_m, &mut errors);
        errors
    }

    /// From errors whose axis vertices cover what follows them.
    pub fn saturated(mut errors: Vec<f32>) -> Self {
        raise_diagonals(&mut errors);
        Self(errors)
    }

    /// Codes of the vertices that are born in a tile, 0 for others.
    pub fn codes(&self, id: TileId) -> Vec<u8> {
        let codes = ErrorCodes::new();
        let mut out = vec![0; self.0.len()];
        let rows = out.chunks_exact_mut(TILE_VERTICES).zip(self.0.chunks_exact(TILE_VERTICES));
        for (y, (out, errors)) in rows.enumerate() {
            if id.level == 0 || y % 2 == 1 {
                out.iter_mut().zip(errors).for_each(|(out, e)| *out = codes.encode(*e));
            } else {
                let pairs = out.chunks_exact_mut(2).zip(errors.chunks_exact(2));
                pairs.for_each(|(out, e)| out[1] = codes.encode(e[1]));
            }
        }
        out
    }
}

/// Own errors of all vertices, 0 where both coordinates are even: those are of coarser tiles.
#[multiversion(targets("x86_64+avx512f", "x86_64+avx2"))]
fn own_errors(heights: &[f64], stride: usize, ring: usize, sagitta_m: f64, out: &mut [f32]) {
    let line = |y: usize| &heights[(y + ring) * stride + ring..][..TILE_VERTICES];
    let inner = 1..TILE_VERTICES - 1;
    for (y, out) in out.chunks_exact_mut(TILE_VERTICES).enumerate() {
        let here = line(y);
        if y.is_multiple_of(2) {
            let bulge = 4.0 * sagitta_m;
            for x in inner.clone() {
                let own = (here[x] - 0.5 * (here[x - 1] + here[x + 1]) + bulge).abs() as f32;
                out[x] = if x % 2 == 1 { own } else { 0.0 };
            }
            continue;
        }
        let (above, below) = (&line(y - 1)[..TILE_VERTICES], &line(y + 1)[..TILE_VERTICES]);
        let bulge = 4.0 * sagitta_m;
        for x in 0..TILE_VERTICES {
            out[x] = (here[x] - 0.5 * (above[x] + below[x]) + bulge).abs() as f32;
        }
        // Diagonals alternate like a chessboard, as in `bisection::bisected_edge`.
        let rises = |x: usize| ((x ^ y) >> 1).is_multiple_of(2);
        let bulge = 8.0 * sagitta_m;
        for x in inner.clone() {
            let ends = if rises(x) { above[x - 1] + below[x + 1] } else { above[x + 1] + below[x - 1] };
            let own = (here[x] - 0.5 * ends + bulge).abs() as f32;
            out[x] = if x % 2 == 1 { own } else { out[x] };
        }
    }
}

/// Own errors of the centres of quads, of a ring around the tile too.
#[multiversion(targets("x86_64+avx512f", "x86_64+avx2"))]
fn centre_errors(heights: &[f64], centres: &[f64], sagitta_m: f64) -> Vec<f32> {
    const STRIDE: usize = TILE_VERTICES + 2;
    let mut out = vec![0.0; CENTRES * CENTRES];
    let rows = out.chunks_exact_mut(CENTRES).zip(centres.chunks_exact(CENTRES)).enumerate();
    let bulge = 2.0 * sagitta_m;
    for (y, (out, centres)) in rows {
        // The quad of the ring has the corner (-1, -1): the parity is the same.
        let (above, below) = (&heights[y * STRIDE..][..STRIDE], &heights[(y + 1) * STRIDE..][..STRIDE]);
        for x in 0..CENTRES {
            let ends = if (x ^ y).is_multiple_of(2) { above[x] + below[x + 1] } else { above[x + 1] + below[x] };
            out[x] = (centres[x] - 0.5 * ends + bulge).abs() as f32;
        }
    }
    out
}

/// Raises axis vertices to the centres of the four quads around them; the rest, but for diagonal ones, is not born here.
#[multiversion(targets("x86_64+avx512f", "x86_64+avx2"))]
fn raise_to_centres(errors: &mut [f32], centres: &[f32]) {
    for (y, out) in errors.chunks_exact_mut(TILE_VERTICES).enumerate() {
        let (above, below) = (&centres[y * CENTRES..][..CENTRES], &centres[(y + 1) * CENTRES..][..CENTRES]);
        for x in 0..TILE_VERTICES {
            let around = larger(larger(above[x], above[x + 1]), larger(below[x], below[x + 1]));
            let axis = (x ^ y) % 2 == 1;
            out[x] = if axis { larger(out[x], around) } else { out[x] };
        }
    }
}

/// Raises axis vertices to what is expected of the centres around them.
#[multiversion(targets("x86_64+avx512f", "x86_64+avx2"))]
fn raise_to_neighbours(errors: &mut [f32]) {
    // Largest own errors of each row, over three columns.
    let mut across = vec![0.0; errors.len()];
    for (out, row) in across.chunks_exact_mut(TILE_VERTICES).zip(errors.chunks_exact(TILE_VERTICES)) {
        let last = TILE_VERTICES - 1;
        for x in 1..last {
            out[x] = larger(row[x], larger(row[x - 1], row[x + 1]));
        }
        (out[0], out[last]) = (larger(row[0], row[1]), larger(row[last], row[last - 1]));
    }
    let line = |y: usize| &across[y * TILE_VERTICES..][..TILE_VERTICES];
    for (y, out) in errors.chunks_exact_mut(TILE_VERTICES).enumerate() {
        let (above, here, below) = (line(y.saturating_sub(1)), line(y), line((y + 1).min(TILE_VERTICES - 1)));
        for x in 0..TILE_VERTICES {
            let nearby = larger(larger(above[x], below[x]), here[x]);
            let axis = (x ^ y) % 2 == 1;
            out[x] = if axis { larger(out[x], EXPECTED * nearby) } else { out[x] };
        }
    }
}

/// Raises diagonal vertices to the four axis vertices around them.
#[multiversion(targets("x86_64+avx512f", "x86_64+avx2"))]
fn raise_diagonals(errors: &mut [f32]) {
    const N: usize = TILE_VERTICES;
    for rows in 0..N / 2 {
        let rows = &mut errors[2 * rows * N..][..3 * N];
        let (above, rest) = rows.split_at_mut(N);
        let (here, below) = rest.split_at_mut(N);
        for x in (1..N - 1).step_by(2) {
            let sides = larger(larger(here[x - 1], here[x + 1]), larger(above[x], below[x]));
            here[x] = larger(here[x], sides);
        }
    }
}

#[inline]
fn larger(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}
