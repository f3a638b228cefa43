//! Which cells of a face are all sea or have none? What is far from shores, as most of the Earth is, needs no outlines.

use super::shores::{ROWS_A_UNIT, Shores};
use crate::geodesy::Overlap;

/// Cells along a side of a face, 10 km each: as many as rows of pieces.
const SIDE: usize = 2 * ROWS_A_UNIT as usize;

/// How much of each cell of a face is sea, row by row.
#[derive(Debug)]
pub(super) struct SeaCells(Vec<Overlap>);

/// The cell of a coordinate from -1 to 1.
fn cell_of(coordinate: f64) -> usize {
    (((coordinate + 1.0) * ROWS_A_UNIT).max(0.0) as usize).min(SIDE - 1)
}

/// The middle of a cell.
fn middle_of(cell: usize) -> f64 {
    (cell as f64 + 0.5) / ROWS_A_UNIT - 1.0
}

impl SeaCells {
    pub fn of(shores: &Shores) -> Self {
        let mut cells = vec![Overlap::Some; SIDE * SIDE];
        for (row, cells) in cells.chunks_exact_mut(SIDE).enumerate() {
            let t = middle_of(row);
            // Cells with shores of land, and with those of lakes.
            let mut shored = [[false; SIDE]; 2];
            for piece in shores.rows(t, t) {
                let [first, last] = piece.range(0).map(cell_of);
                shored[usize::from(!piece.is_of_land())][first..=last].fill(true);
            }
            let [of_land, of_lakes] = &shored;
            let mut last = Overlap::Some;
            for (column, cell) in cells.iter_mut().enumerate() {
                // Without a shore between them neighbours are alike.
                last = match last {
                    _ if of_land[column] => Overlap::Some,
                    Overlap::None | Overlap::All if !of_lakes[column] => last,
                    _ => {
                        let winding = shores.winding(middle_of(column), t);
                        match winding.is_land {
                            true => Overlap::None,
                            false if of_lakes[column] => Overlap::Some,
                            false if winding.lake.is_some() => Overlap::None,
                            false => Overlap::All,
                        }
                    }
                };
                *cell = last;
            }
        }
        Self(cells)
    }

    /// How much of a box is sea, as far as the cells tell: [`Overlap::Some`] where it may be more or less.
    pub fn share_of(&self, [across, down]: [[f64; 2]; 2]) -> Overlap {
        let ([left, right], [top, bottom]) = (across.map(cell_of), down.map(cell_of));
        let first = self.0[top * SIDE + left];
        let is_alike = (top..=bottom).all(|row| self.0[row * SIDE..][left..=right].iter().all(|cell| *cell == first));
        if is_alike { first } else { Overlap::Some }
    }
}
