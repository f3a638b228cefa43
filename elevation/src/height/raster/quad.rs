//! What is known of all places of a small rectangle of a raster, like a quad of a mesh: is one of them filled, are all of them whole?

use super::{AS_EXACT, Raster, Rectangle, voids::Mark};
use crate::height::region::Rect;

/// Of the ground of a quad.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Quad {
    /// Whether a place in it may be filled or continued, as [`RasterSample::filled`](super::RasterSample) says.
    pub is_filled: bool,
    /// Whether the weight is 1 at all places.
    pub is_whole: bool,
    /// Whether a void of the data themselves is beside a place: not only what lies beyond their sides.
    pub is_void: bool,
}

impl Quad {
    /// Of heights of the data's own.
    pub const OWN: Self = Self { is_filled: false, is_whole: true, is_void: false };

    /// Of this ground and other.
    pub fn and(self, other: Self) -> Self {
        Self {
            is_filled: self.is_filled || other.is_filled,
            is_whole: self.is_whole && other.is_whole,
            is_void: self.is_void || other.is_void,
        }
    }
}

impl Raster {
    /// Of the places in a rectangle of columns and rows, by the texels within one of them. The data themselves have the texels of `own`.
    pub fn quad(&self, Rect { x, y }: Rect, own: Rectangle) -> Quad {
        // The first and the last texel that is less than one away.
        let along = |[first, last]: [f64; 2]| [(first - 1.0).floor() as i64 + 1, (last + 1.0).ceil() as i64];
        let (columns, rows) = (along(x), along(y));
        let border = self.border as i64;
        let [width, height] = [self.width, self.height].map(|n| n as i64 + border);
        let is_inside = columns[0] >= -border && rows[0] >= -border && columns[1] <= width && rows[1] <= height;
        let Some(marks) = &self.marks else { return Quad { is_whole: is_inside, ..Quad::default() } };
        let mut quad = Quad { is_whole: is_inside, ..Quad::default() };
        let mut deepest = f64::NEG_INFINITY;
        let stride = (width + border) as usize;
        let (columns, rows) =
            ([columns[0].max(-border), columns[1].min(width)], [rows[0].max(-border), rows[1].min(height)]);
        for row in rows[0]..rows[1] {
            let line = &marks[(row + border) as usize * stride..];
            for column in columns[0]..columns[1] {
                let mark = line[(column + border) as usize];
                deepest = deepest.max(mark.depth());
                let is_foreign = mark.is_filled() || mark < Mark::HEIGHT;
                quad.is_whole &= mark >= Mark::HEIGHT;
                quad.is_filled |= is_foreign && mark != Mark::ELSEWHERE;
                let [low, high] = own;
                let is_own = low[0] <= column && column < high[0] && low[1] <= row && row < high[1];
                quad.is_void |= is_foreign && is_own;
            }
        }
        // Where weights are nothing, or become something within rounding, what lies below answers.
        quad.is_filled &= self.weight(deepest - 2.0 * AS_EXACT) > 0.0;
        quad
    }
}
