//! What are the heights, errors and height ranges of the bisection's coarse vertices, everywhere on Earth?
//!
//! The lattice has the `(2^level + 1)^2` vertices a face of all triangles down to depth `2 level - 1` splits: at level 10 a
//! posting of 9.8 km, about that of the embedded relief. A vertex's height is a pure function of its canonical cube point,
//! so both faces at a cube edge, and every triangle around a vertex, see the same bits.

mod codes;
mod detail;
mod ranges;
mod saturate;
mod topology;

use glam::DVec3;
use rayon::prelude::*;

pub use codes::{decode_error_m, encode_error};

use super::relief::Relief;
use crate::{
    cube::{CubePoint, FACES, FacePoint, ONE, warp},
    geodesy::ecef,
};
use codes::SAGITTA_M;
use ranges::Ranges;
use topology::Bisection;

/// Heights of vertices are multiples of this: 1/4 m, the one dyadic step of the dataset.
pub const HEIGHT_STEP_M: f64 = 0.25;

/// Nearest multiple of [`HEIGHT_STEP_M`]: the height of a vertex from the height of the relief there.
///
/// ```
/// assert_eq!(terrain::height::quantise_m(8848.86), 8848.75);
/// ```
#[inline]
pub fn quantise_m(height_m: f64) -> f64 {
    // Adding 1.5 * 2^52 rounds to an integer, ties to even, and unlike `round` it vectorises; heights are far below 2^51.
    const ROUND: f64 = 6_755_399_441_055_744.0;
    ((height_m * (1.0 / HEIGHT_STEP_M) + ROUND) - ROUND) * HEIGHT_STEP_M
}

/// Heights, saturated errors and height ranges on the vertices of the six faces down to one level.
///
/// ```
/// use terrain::{cube::{CubePoint, ONE}, height::{GlobalGrid, Lattice, Registration, Relief}};
/// let flat = Relief::from_grid(GlobalGrid::from_fn(36, 19, Registration::Node, |_, _| 100.0))?;
/// let lattice = Lattice::build(&flat, 4);
/// let corner = CubePoint([ONE; 3]);
/// assert_eq!(lattice.height_m(corner), Some(100.0));
/// assert_eq!(lattice.range_m(0, 2, 1, 3), (100.0, 100.0));
/// # Ok::<(), terrain::height::HeightError>(())
/// ```
#[derive(Debug)]
pub struct Lattice {
    level: u32,
    /// A face's vertices, u fastest.
    heights: Vec<Vec<f32>>,
    errors: Vec<Vec<u8>>,
    ranges: Ranges,
}

impl Lattice {
    /// Level that matches the posting of the embedded relief: 1025 x 1025 vertices a face, 9.8 km apart; about 70 MB.
    pub const DEFAULT_LEVEL: u32 = 10;
    /// Deepest level: 2.4 km, about 1.1 GB.
    pub const MAX_LEVEL: u32 = 12;

    /// Samples a relief at all vertices of `level` (clamped to 1 ..= [`Lattice::MAX_LEVEL`]), in parallel.
    ///
    /// Where a layer is finer than the lattice, errors and ranges also account for what it holds between the vertices.
    pub fn build(relief: &Relief, level: u32) -> Self {
        let level = level.clamp(1, Self::MAX_LEVEL);
        let side = (1usize << level) + 1;
        let (low, high) = relief.range_m();
        let axis: Vec<f64> = (0..side as u32).map(|i| warp(i * (ONE >> level))).collect();
        let mut positions = vec![DVec3::ZERO; side * side];
        let (mut heights, mut errors) = (Vec::new(), Vec::new());
        for face in 0..FACES {
            let mut face_heights = vec![0f32; side * side];
            let rows = face_heights.par_chunks_mut(side).zip(positions.par_chunks_mut(side));
            rows.enumerate().for_each(|(v, (heights, positions))| {
                let normals = normal_row(face, v, &axis);
                let mut sampled = vec![0.0; side];
                relief.sample_row(&normals, &mut sampled);
                for (((h, p), n), sample) in heights.iter_mut().zip(positions).zip(&normals).zip(sampled) {
                    let height_m = quantise_m(sample);
                    *h = height_m as f32;
                    *p = ecef(*n, height_m);
                }
            });
            let mut own = vec![0f32; side * side];
            own.par_chunks_mut(side).enumerate().for_each(|(v, row)| {
                saturate::own_errors(level, v as u32, &positions, &normal_row(face, v, &axis), row);
            });
            heights.push(face_heights);
            errors.push(saturate::look_ahead(&own, side));
        }
        drop(positions);
        let details = detail::of_faces(relief, level, &heights);
        for (errors, details) in errors.iter_mut().zip(&details) {
            details.iter().for_each(|detail| detail.raise(errors, level));
        }
        saturate::saturate(&mut errors, level);
        let ranges = Ranges::build(&heights, &details, level, low.abs().max(high.abs()) + 1.0);
        let errors =
            errors.into_par_iter().map(|face| face.into_iter().map(|e| encode_error(f64::from(e))).collect()).collect();
        Self { level, heights, errors, ranges }
    }

    /// Level of the lattice: `2^level` cells along a face's side.
    pub fn level(&self) -> u32 {
        self.level
    }

    /// Height in metres of a vertex; `None` if it is finer than the lattice: then it is `quantise_m` of the relief there.
    pub fn height_m(&self, p: CubePoint) -> Option<f64> {
        let (face, u, v) = self.node(p)?;
        Some(f64::from(self.heights[face][self.index(u, v)]))
    }

    /// Saturated error of a vertex in metres, an upper bound by at most 6 % of what the lattice knows; `None` if the vertex
    /// is finer than the lattice. The eight cube corners, which no split creates, answer 0.
    pub fn error_m(&self, p: CubePoint) -> Option<f64> {
        let (face, u, v) = self.node(p)?;
        let Some(edge) = Bisection::of(u, v, self.level) else { return Some(0.0) };
        let decoded = decode_error_m(self.errors[face][self.index(u, v)]);
        let least = SAGITTA_M.get(edge.depth(self.level) as usize).copied().unwrap_or(0.0);
        Some(decoded.max(least))
    }

    /// Lowest and highest height in metres, rounded outwards, of the vertices in quadtree cell `(i, j)` of `level` (`i` along
    /// u, `j` along v). Levels below the lattice answer with its finest cell; indices past the face are clamped.
    pub fn range_m(&self, face: u32, level: u32, i: u32, j: u32) -> (f64, f64) {
        self.ranges.cell_m(face, level, i, j)
    }

    /// Heights of a face in metres, `(2^level + 1)^2` values, u fastest: for upload. Faces past the last answer nothing.
    pub fn face_heights_m(&self, face: u32) -> &[f32] {
        self.heights.get(face as usize).map_or(&[], Vec::as_slice)
    }

    /// Error codes of a face ([`decode_error_m`]), laid out like the heights; without the floor for depths below 8.
    pub fn face_error_codes(&self, face: u32) -> &[u8] {
        self.errors.get(face as usize).map_or(&[], Vec::as_slice)
    }

    /// Face and lattice coordinates of a point, on its canonical face.
    fn node(&self, p: CubePoint) -> Option<(usize, u32, u32)> {
        let unit = ONE >> self.level;
        let FacePoint { face, u, v } = (0..FACES).find_map(|face| p.on(face))?;
        (u.is_multiple_of(unit) && v.is_multiple_of(unit)).then(|| (face as usize, u / unit, v / unit))
    }

    fn index(&self, u: u32, v: u32) -> usize {
        v as usize * ((1 << self.level) + 1) + u as usize
    }
}

/// Normals of one lattice row, the bits of [`CubePoint::normal`]; `axis` is the warp of each lattice coordinate.
fn normal_row(face: u32, v: usize, axis: &[f64]) -> Vec<DVec3> {
    axis.iter().map(|&x| normal_at(face, x, axis[v])).collect()
}

/// Normal of a face's gnomonic coordinates `(x, y)`, the warps of its lattice coordinates.
#[inline]
fn normal_at(face: u32, x: f64, y: f64) -> DVec3 {
    let (first, second, fixed) = frame(face);
    let mut p = [0.0; 3];
    p[(face / 2) as usize] = fixed;
    p[first] = x;
    p[second] = y;
    DVec3::from_array(p).normalize()
}

/// World axes along a face's u and v, and the face's coordinate on the third.
#[inline]
fn frame(face: u32) -> (usize, usize, f64) {
    let a = (face / 2) as usize;
    let (b, c) = ((a + 1) % 3, (a + 2) % 3);
    if face.is_multiple_of(2) { (b, c, 1.0) } else { (c, b, -1.0) }
}

#[cfg(test)]
mod tests;
