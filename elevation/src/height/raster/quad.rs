//! What is known of all places of a small rectangle of a raster, like a quad of a mesh: is one of them filled, are all of them whole?

use super::{AS_EXACT, Raster, Rectangle, counted, voids::Mark};
use crate::height::{kernel::bilinear_between, region::Rect};

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
        let stride = (width + border) as usize;
        let (columns, rows) =
            ([columns[0].max(-border), columns[1].min(width)], [rows[0].max(-border), rows[1].min(height)]);
        for row in rows[0]..rows[1] {
            let line = &marks[(row + border) as usize * stride..];
            for column in columns[0]..columns[1] {
                let mark = line[(column + border) as usize];
                quad.is_whole &= mark >= Mark::HEIGHT;
                quad.is_filled |= mark.is_foreign() && mark != Mark::ELSEWHERE;
                let [low, high] = own;
                let is_own = low[0] <= column && column < high[0] && low[1] <= row && row < high[1];
                quad.is_void |= mark.is_foreign() && is_own;
            }
        }
        // Into wide voids heights go on as far as their weight.
        quad.is_filled = quad.is_filled && (quad.is_whole || self.has_continued(marks, Rect { x, y }));
        quad
    }

    /// Whether a place of a rectangle has a weight and is beside a texel that is not the file's own: cell by cell between texels.
    fn has_continued(&self, marks: &[Mark], Rect { x, y }: Rect) -> bool {
        let (border, stride) = (self.border as i64, self.width + 2 * self.border);
        // The cells between columns or rows, and the part of each that is in the rectangle.
        let cells = |[first, last]: [f64; 2], size: usize| {
            let cell = first.floor();
            let after = last.ceil().max(cell + 1.0).min((size as i64 + border - 1) as f64);
            let within = move |cell: i64| [first, last].map(|at| (at - cell as f64).clamp(0.0, 1.0));
            (cell.max(-border as f64) as i64..after as i64).map(move |cell| ((cell + border) as usize, within(cell)))
        };
        let has_weight = |(row, [top, bottom]): (usize, [f64; 2]), (column, [left, right]): (usize, [f64; 2])| {
            let at = row * stride + column;
            let corners = [marks[at], marks[at + 1], marks[at + stride], marks[at + stride + 1]];
            // As far as a place is less than one away.
            let counted = || counted(corners, [left < 1.0, right > 0.0], [top < 1.0, bottom > 0.0]);
            if !counted().any(Mark::is_foreign) || counted().any(|mark| mark == Mark::ELSEWHERE) {
                return false;
            }
            let depth = |tx: f64, ty: f64| bilinear_between(corners.map(Mark::depth), [tx, ty]);
            // Along columns and rows it is a line.
            let ends = [depth(left, top), depth(right, top), depth(left, bottom), depth(right, bottom)];
            // Where weights are nothing, or become something within rounding, what lies below answers.
            self.weight(ends.into_iter().fold(f64::NEG_INFINITY, f64::max) - 2.0 * AS_EXACT) > 0.0
        };
        cells(y, self.height).any(|row| cells(x, self.width).any(|column| has_weight(row, column)))
    }
}

#[cfg(test)]
mod tests {
    use rand::Rng;

    use super::*;
    use crate::height::kernel::Interpolation;

    /// Law: a rectangle is filled if and only if a place in it is, to a fiftieth of a texel, and whole only if all are: around narrow voids
    /// and wide ones, and beyond the sides.
    #[test]
    fn rectangles_are_filled_where_places_are() {
        let mut rng = crate::random::rng();
        for _ in 0..8 {
            let mut values: Vec<f32> = (0..3600).map(|_| rng.random_range(0.0..100.0)).collect();
            for _ in 0..4 {
                let side = rng.random_range(1..30);
                let (x, y) = (rng.random_range(0..60 - side), rng.random_range(0..60 - side));
                (0..side * side).for_each(|k| values[(y + k / side) * 60 + x + k % side] = f32::NAN);
            }
            let feather = rng.random_range(1..12);
            let raster = Raster::new(60, 60, values, None, feather);
            let (mut filled, mut bare) = (0, 0);
            for _ in 0..4_000 {
                let mut along = || {
                    let first = rng.random_range(-15.0..73.0);
                    [first, first + rng.random_range(0.0..3.0)]
                };
                let rect = Rect { x: along(), y: along() };
                let found = raster.quad(rect, [[0, 0], [60, 60]]);
                let places = |[first, last]: [f64; 2], beyond: f64| {
                    let (first, last) = (first - beyond, last + beyond);
                    let even = (0..=12).map(move |k| first + (last - first) * f64::from(k) / 12.0);
                    let beside = (first.ceil() as i32..=last.floor() as i32)
                        .flat_map(|texel| [-0.0011, 0.0, 0.0011].map(|by| f64::from(texel) + by));
                    even.chain(beside.filter(move |at| (first..=last).contains(at)))
                };
                let within =
                    |beyond: f64| places(rect.y, beyond).flat_map(move |y| places(rect.x, beyond).map(move |x| (x, y)));
                let sample = |(x, y)| raster.sample(Interpolation::Bilinear, x, y);
                let told = format!("feather {feather}: {rect:?}: {found:?}");
                let is_filled = |place, least| sample(place).is_some_and(|spot| spot.filled && spot.weight > least);
                assert!(found.is_filled || !within(0.0).any(|place| is_filled(place, 0.01)), "{told}: it is missed");
                assert!(!found.is_filled || within(0.02).any(|place| is_filled(place, 0.0)), "{told}: nothing is");
                let is_whole = |place| sample(place).is_some_and(|spot| spot.weight >= 1.0);
                assert!(!found.is_whole || within(0.0).all(is_whole), "{told}: it is not");
                filled += u32::from(found.is_filled);
                bare += u32::from(!found.is_filled && !found.is_whole);
            }
            assert!(filled > 100 && bare > 100, "{filled} {bare}");
        }
    }
}
