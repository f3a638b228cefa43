//! How far off is the surface if a vertex, and all that its split would lead to, is left out?
//!
//! The own error of a vertex is the vertical distance between it and the 3D midpoint of the edge it bisects: relief and
//! curvature together. Saturation takes the maximum with the four vertices that its split makes possible, from fine to
//! coarse, so a peak is never hidden behind a flat spot. The finest vertices look ahead instead: 0.7 times the largest own
//! error around them stands for what lies below the lattice.

use glam::DVec3;
use rayon::prelude::*;

use super::topology::Bisection;
use crate::cube::{FACES, FacePoint, ONE};

/// Share of the largest own error nearby that the finest vertices expect below themselves.
const LOOK_AHEAD: f32 = 0.7;

/// Own error in metres of the vertices of one lattice row: `out[u]` for `(u, v)`; 0 at the face's corners.
///
/// `positions` are the face's vertices in metres, row by row, `normals` the normals of this row.
pub(crate) fn own_errors(level: u32, v: u32, positions: &[DVec3], normals: &[DVec3], out: &mut [f32]) {
    let side = (1usize << level) + 1;
    let at = |(u, v): (u32, u32)| positions[v as usize * side + u as usize];
    for (u, (n, e)) in normals.iter().zip(out).enumerate() {
        let u = u as u32;
        *e = Bisection::of(u, v, level)
            .map_or(0.0, |edge| n.dot(at((u, v)) - 0.5 * (at(edge.a) + at(edge.b))).abs() as f32);
    }
}

/// Raises the finest vertices of a face (born at scale 1) to the errors that are expected of finer ones, by their 3 x 3
/// neighbours of that scale.
pub(crate) fn expected_finer_errors(own: &[f32], side: usize) -> Vec<f32> {
    let mut out = own.to_vec();
    out.par_chunks_mut(side).enumerate().for_each(|(v, row)| {
        // Largest own error of each column over three rows, without the coarser vertices (both coordinates even).
        let mut columns = vec![0f32; side];
        for r in v.saturating_sub(1)..=(v + 1).min(side - 1) {
            let line = &own[r * side..(r + 1) * side];
            for (u, (c, e)) in columns.iter_mut().zip(line).enumerate() {
                let finest = (u | r) & 1 == 1;
                *c = c.max(if finest { *e } else { 0.0 });
            }
        }
        for u in 0..side {
            if (u | v) & 1 == 1 {
                let near = columns[u].max(columns[u.saturating_sub(1)]).max(columns[(u + 1).min(side - 1)]);
                row[u] = row[u].max(LOOK_AHEAD * near);
            }
        }
    });
    out
}

/// Saturates the errors of all faces in place, fine to coarse, equal on shared edges.
pub(crate) fn saturate(faces: &mut [Vec<f32>], level: u32) {
    let m = 1u32 << level;
    for k in 0..level {
        let s = 1 << k;
        if k > 0 {
            faces.par_iter_mut().for_each(|e| raise_axis(e, m, s));
        }
        share_edges(faces, m, s);
        faces.par_iter_mut().for_each(|e| raise_diagonal(e, m, s));
    }
}

/// Vertices in the middle of axis-parallel edges at scale `s`: children at the middles of the squares around.
fn raise_axis(e: &mut [f32], m: u32, s: u32) {
    let side = m as usize + 1;
    let h = s / 2;
    for v in (0..=m).step_by(s as usize) {
        let first = if (v / s).is_multiple_of(2) { s } else { 0 };
        for u in (first..=m).step_by(2 * s as usize) {
            let mut largest = e[v as usize * side + u as usize];
            for (du, dv) in [(0, 0), (s, 0), (0, s), (s, s)] {
                // (u - h, v - h) .. (u + h, v + h), those on the face.
                let (Some(cu), Some(cv)) = ((u + du).checked_sub(h), (v + dv).checked_sub(h)) else { continue };
                if cu <= m && cv <= m {
                    largest = largest.max(e[cv as usize * side + cu as usize]);
                }
            }
            e[v as usize * side + u as usize] = largest;
        }
    }
}

/// Vertices in the middle of squares at scale `s`: children at the middles of the square's sides.
fn raise_diagonal(e: &mut [f32], m: u32, s: u32) {
    let side = m as usize + 1;
    let (step, far) = (2 * s as usize, s as usize);
    for v in (s as usize..m as usize).step_by(step) {
        for u in (far..m as usize).step_by(step) {
            let at = v * side + u;
            let sides = e[at - far].max(e[at + far]).max(e[at - far * side]).max(e[at + far * side]);
            e[at] = e[at].max(sides);
        }
    }
}

/// Gives both copies of each vertex of scale `s` on a cube edge the larger error.
fn share_edges(faces: &mut [Vec<f32>], m: u32, s: u32) {
    let unit = ONE / m;
    let index = |p: FacePoint| (p.v / unit) as usize * (m as usize + 1) + (p.u / unit) as usize;
    for face in 0..FACES {
        for along in (s..m).step_by(2 * s as usize) {
            for (u, v) in [(along, 0), (along, m), (0, along), (m, along)] {
                let own = FacePoint { face, u: u * unit, v: v * unit };
                let p = own.point();
                let Some(other) = (0..face).find_map(|f| p.on(f)) else { continue };
                let (i, j) = (index(own), index(other));
                let larger = faces[face as usize][i].max(faces[other.face as usize][j]);
                faces[face as usize][i] = larger;
                faces[other.face as usize][j] = larger;
            }
        }
    }
}
