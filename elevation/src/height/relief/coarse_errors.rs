//! What are the errors of the bisection's coarse vertices, everywhere on Earth?
//!
//! The lattice has the `(2^level + 1)^2` vertices a face of all triangles down to depth `2 level - 1` splits. At level 10
//! its posting is 9.8 km, about that of the embedded relief. A vertex's height is a pure function of its canonical cube
//! point, so both faces at a cube edge, and every triangle around a vertex, see the same bits.

mod detail;
mod roots;
mod saturate;
mod topology;

use glam::DVec3;
use rayon::prelude::*;

pub(crate) use roots::root_errors;

use super::Relief;
use crate::{
    bisection::{LATTICE_LEVEL, SAGITTA_M},
    cube::{CubePoint, FACES, FacePoint, ONE, warp},
    height::Patch,
    progress::Stage,
    tile::{decode_error_m, encode_error},
};
use topology::Bisection;

/// Rows of vertices that one task samples.
const BAND: usize = 64;

/// Saturated errors on the vertices of the six faces down to one level.
///
/// ```
/// use elevation::{cube::{CubePoint, ONE}, height::{GlobalGrid, CoarseErrors, Registration, Relief}};
/// let flat = Relief::from_grid(GlobalGrid::from_fn(36, 19, Registration::Node, |_, _| 100.0))?;
/// let coarse_errors = CoarseErrors::build(&flat, 4);
/// let edge = CubePoint([ONE, ONE / 2, 0]);
/// assert!(coarse_errors.error_m(edge).is_some_and(|error_m| error_m > 1e6), "half a cube edge of curvature");
/// # Ok::<(), elevation::height::HeightError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CoarseErrors {
    level: u32,
    /// Codes of a face's vertices, u fastest.
    errors: Vec<Vec<u8>>,
}

impl CoarseErrors {
    /// Level that matches the posting of the embedded relief: 1025 x 1025 vertices a face, 9.8 km apart; 6 MB.
    pub const DEFAULT_LEVEL: u32 = LATTICE_LEVEL;
    /// Deepest level: 2.4 km; 100 MB.
    pub const MAX_LEVEL: u32 = 12;

    /// Samples a relief at all vertices of `level` (clamped to 1 ..= [`CoarseErrors::MAX_LEVEL`]), in parallel.
    ///
    /// Where a layer is finer than the lattice, errors also account for what it holds between the vertices.
    pub fn build(relief: &Relief, level: u32) -> Self {
        let level = level.clamp(1, Self::MAX_LEVEL);
        let side = (1usize << level) + 1;
        let spacing_m = relief.ellipsoid().semi_major_m() * std::f64::consts::FRAC_PI_2 / f64::from(1u32 << level);
        let axis: Vec<f64> = (0..side as u32).map(|i| warp(i * (ONE >> level))).collect();
        relief.prefetch_overview(spacing_m);
        // One face after the other in the same memory.
        let (mut positions, mut own) = (vec![DVec3::ZERO; side * side], vec![0f32; side * side]);
        let (mut heights, mut errors) = (Vec::new(), Vec::new());
        let stage = Stage::begin("sampling the globe", u64::from(FACES));
        for face in 0..FACES {
            let mut face_heights = vec![0f32; side * side];
            let bands = face_heights.par_chunks_mut(BAND * side).zip(positions.par_chunks_mut(BAND * side));
            bands.zip(axis.par_chunks(BAND)).for_each(|((heights, positions), rows)| {
                let patch = Patch::new(face, axis.clone(), rows.to_vec());
                let sampled = relief.overview_patch(&patch, spacing_m);
                for (node, ((h, p), height_m)) in heights.iter_mut().zip(positions).zip(sampled).enumerate() {
                    *h = height_m as f32;
                    *p = relief.ellipsoid().ecef(patch.normal(node), height_m);
                }
            });
            own.par_chunks_mut(side).enumerate().for_each(|(v, row)| {
                saturate::own_errors(level, v as u32, &positions, &normal_row(face, v, &axis), row);
            });
            heights.push(face_heights);
            errors.push(saturate::expected_finer_errors(&own, side));
            stage.step();
        }
        drop((positions, own));
        let details = detail::of_faces(relief, level, &heights);
        for (errors, details) in errors.iter_mut().zip(&details) {
            details.iter().for_each(|detail| detail.raise(errors, level));
        }
        if let Some(synthetic) = relief.synthetic() {
            for ((face, errors), heights) in (0..FACES).zip(&mut errors).zip(&heights) {
                detail::raise_to_synthetic(synthetic, (face, level), &axis, heights, errors);
            }
        }
        saturate::saturate(&mut errors, level);
        let errors =
            errors.into_par_iter().map(|face| face.into_iter().map(|e| encode_error(f64::from(e))).collect()).collect();
        Self { level, errors }
    }

    /// The lattice as bytes, for [`from_bytes`](Self::from_bytes): its level, then the codes of each face.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let faces = self.errors.iter().flatten().copied();
        std::iter::once(self.level as u8).chain(faces).collect()
    }

    /// A lattice from its bytes; `None` if there are none of such a length.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (level, errors) = bytes.split_first()?;
        let level = u32::from(*level);
        let side = (1usize << level.min(Self::MAX_LEVEL)) + 1;
        let fits = (1..=Self::MAX_LEVEL).contains(&level) && errors.len() == FACES as usize * side * side;
        fits.then(|| Self { level, errors: errors.chunks(side * side).map(<[u8]>::to_vec).collect() })
    }

    /// Level of the lattice: `2^level` cells along a face's side.
    pub fn level(&self) -> u32 {
        self.level
    }

    /// Saturated error of a vertex in metres, an upper bound by at most 6 % of what the lattice knows; `None` if the vertex
    /// is finer than the lattice. The eight cube corners, which no split creates, answer 0.
    pub fn error_m(&self, p: CubePoint) -> Option<f64> {
        let (face, u, v) = self.node(p)?;
        let Some(edge) = Bisection::of(u, v, self.level) else { return Some(0.0) };
        let decoded = decode_error_m(self.errors[face][self.index(u, v)]);
        let least = SAGITTA_M.get(edge.depth(self.level) as usize).map_or(0.0, |least| f64::from(*least));
        Some(decoded.max(least))
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
