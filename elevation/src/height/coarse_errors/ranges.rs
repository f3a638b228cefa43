//! Between which heights does the surface of a quadtree cell lie? A pyramid of minima and maxima over the lattice.

use rayon::prelude::*;

use super::detail::CellDetail;
use crate::cube::FACES;

/// Lowest and highest height of each cell of each level, rounded outwards.
#[derive(Debug)]
pub(crate) struct Ranges {
    /// Metres of one stored unit.
    unit_m: f64,
    /// `levels[l]`: 6 faces of `2^l * 2^l` cells, u fastest.
    levels: Vec<Vec<[i16; 2]>>,
}

impl Ranges {
    /// From heights at `(2^level + 1)^2` vertices a face, and what lies between them. `limit_m` bounds their magnitude.
    pub fn build(faces: &[Vec<f32>], details: &[Vec<CellDetail>], level: u32, limit_m: f64) -> Self {
        let unit_m = (limit_m / 32_000.0).max(1.0);
        let mut cells = finest(faces, level, unit_m);
        let per_metre = (1.0 / unit_m) as f32;
        for (face, detail) in details.iter().enumerate().flat_map(|(face, d)| d.iter().map(move |d| (face, d))) {
            let (i, j) = detail.cell;
            let cell = &mut cells[(((face << level) + j as usize) << level) + i as usize];
            cell[0] = cell[0].min(floor(detail.range_m.0 * per_metre));
            cell[1] = cell[1].max(ceil(detail.range_m.1 * per_metre));
        }
        let mut levels = vec![cells];
        for l in (0..level).rev() {
            let fine = &levels[levels.len() - 1];
            levels.push(halve(fine, 1 << l));
        }
        levels.reverse();
        Self { unit_m, levels }
    }

    /// Range of cell `(i, j)`; below the finest level, of the finest cell around it. Indices are clamped to the face.
    pub fn cell_m(&self, face: u32, level: u32, i: u32, j: u32) -> (f64, f64) {
        let finest = self.levels.len() as u32 - 1;
        let below = level.saturating_sub(finest).min(31);
        let level = level.min(finest);
        let last = (1usize << level) - 1;
        let (i, j) = (((i >> below) as usize).min(last), ((j >> below) as usize).min(last));
        let face = face.min(FACES - 1) as usize;
        let [low, high] = self.levels[level as usize][(((face << level) + j) << level) + i];
        (f64::from(low) * self.unit_m, f64::from(high) * self.unit_m)
    }
}

fn finest(faces: &[Vec<f32>], level: u32, unit_m: f64) -> Vec<[i16; 2]> {
    let m = 1usize << level;
    let side = m + 1;
    let per_metre = (1.0 / unit_m) as f32;
    let mut cells = vec![[0; 2]; faces.len() * m * m];
    cells.par_chunks_mut(m).enumerate().for_each(|(row, out)| {
        let (face, j) = (row / m, row % m);
        let (top, bottom) = faces[face][j * side..(j + 2) * side].split_at(side);
        for (i, cell) in out.iter_mut().enumerate() {
            let [a, b, c, d] = [top[i], top[i + 1], bottom[i], bottom[i + 1]];
            let (low, high) = (a.min(b).min(c.min(d)), a.max(b).max(c.max(d)));
            *cell = [floor(low * per_metre), ceil(high * per_metre)];
        }
    });
    cells
}

/// Cells of twice the size: `m` of them a side.
fn halve(fine: &[[i16; 2]], m: usize) -> Vec<[i16; 2]> {
    let mut cells = vec![[0; 2]; fine.len() / 4];
    cells.par_chunks_mut(m).enumerate().for_each(|(row, out)| {
        // Faces follow each other, so row r of all faces covers fine rows 2 r and 2 r + 1.
        let (top, bottom) = fine[4 * row * m..4 * (row + 1) * m].split_at(2 * m);
        for (i, cell) in out.iter_mut().enumerate() {
            let four = [top[2 * i], top[2 * i + 1], bottom[2 * i], bottom[2 * i + 1]];
            *cell = four.into_iter().fold(four[0], |a, b| [a[0].min(b[0]), a[1].max(b[1])]);
        }
    });
    cells
}

/// Greatest integer not above `x`, without the call that `f32::floor` is on a baseline x86-64.
#[inline]
fn floor(x: f32) -> i16 {
    let t = x as i16;
    t - i16::from(f32::from(t) > x)
}

/// Least integer not below `x`.
#[inline]
fn ceil(x: f32) -> i16 {
    let t = x as i16;
    t + i16::from(f32::from(t) < x)
}
