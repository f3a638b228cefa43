//! What are the errors of the six tiles that cover the faces, given those of all that is finer?

use rayon::prelude::*;

use super::{
    normal_row,
    saturate::{expected_finer_errors, own_errors, saturate},
    topology::Bisection,
};
use crate::{
    bisection::SAGITTA_M,
    cube::{ONE, warp},
    geodesy::Ellipsoid,
};

/// Level of a lattice with the vertices of a tile on each face.
const LEVEL: u32 = 8;
const SIDE: usize = (1 << LEVEL) + 1;

/// Raises the finest axis vertices of a face to those that follow: its number, its errors, and what stands for finer vertices that
/// are not there.
pub(crate) type Raise<'a> = dyn FnMut(usize, &mut [f32], &[f32]) + 'a;

/// Saturated errors in metres of the vertices of six tiles, from their heights.
pub(crate) fn root_errors(ellipsoid: Ellipsoid, heights_m: &[Vec<f64>], raise: &mut Raise<'_>) -> Vec<Vec<f32>> {
    let axis: Vec<f64> = (0..SIDE as u32).map(|i| warp(i * (ONE >> LEVEL))).collect();
    let mut faces = Vec::new();
    for (face, heights_m) in heights_m.iter().enumerate() {
        let row = |v: usize| normal_row(face as u32, v, &axis);
        let place = |(v, heights): (usize, &[f64])| {
            row(v).into_iter().zip(heights.to_vec()).map(|(n, h)| ellipsoid.ecef(n, h)).collect::<Vec<_>>()
        };
        let positions: Vec<_> = heights_m.par_chunks(SIDE).enumerate().flat_map_iter(place).collect();
        let mut errors = vec![0f32; SIDE * SIDE];
        errors.par_chunks_mut(SIDE).enumerate().for_each(|(v, out)| {
            own_errors(LEVEL, v as u32, &positions, &row(v), out);
        });
        let expected = expected_finer_errors(&errors, SIDE);
        raise(face, &mut errors, &expected);
        faces.push(errors);
    }
    saturate(&mut faces, LEVEL);
    for face in &mut faces {
        for (at, e) in face.iter_mut().enumerate() {
            let depth = Bisection::of((at % SIDE) as u32, (at / SIDE) as u32, LEVEL).map(|edge| edge.depth(LEVEL));
            let least = depth.and_then(|depth| SAGITTA_M.get(depth as usize)).copied().unwrap_or(0.0);
            *e = e.max(least);
        }
    }
    faces
}
