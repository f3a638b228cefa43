//! What does a layer have under a tile? Means of its texels, as many as one of the tile's has, in linear light.

use glam::{DVec2, Vec4};

use crate::{
    height::{ImageryLayer, Part},
    light::linear,
};

/// Columns and rows of a window, at most: near a pole a tile has all columns of degrees.
const MOST: usize = 2048;

/// Columns and rows between which all places are that are in the layer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    pub low: DVec2,
    pub high: DVec2,
}

/// A part of a layer.
pub(super) struct Window {
    /// Its first column and row in the layer's; columns of a layer that goes around may be beyond its sides.
    corner: DVec2,
    /// Columns and rows of the layer a mean.
    step: DVec2,
    columns: usize,
    rows: usize,
    /// Colours times alpha, and alpha.
    means: Vec<Vec4>,
    /// Where the layer ends, in means.
    low: DVec2,
    high: DVec2,
    turn: Option<usize>,
}

impl Window {
    /// Reads what lies between bounds, as means of `step` columns and rows or more; none where it cannot be read.
    pub fn read(layer: &ImageryLayer, Bounds { low, high }: Bounds, step: i64) -> Option<Self> {
        let (columns, rows) = layer.size();
        let turn = layer.turn();
        // From one before the first to one after the last, in whole means of all of the layer.
        let span = |low: f64, high: f64, size: Option<usize>| {
            let mut step = step;
            loop {
                let from = ((low - 0.5) / step as f64).floor() as i64 * step - step;
                let to = ((high + 1.5) / step as f64).ceil() as i64 * step + step;
                let (from, to) = size.map_or((from, to), |size| (from.max(0), to.min(size as i64)));
                if (to - from) as usize <= MOST * step as usize || step > 1 << 40 {
                    return (from, to, step);
                }
                step *= 2;
            }
        };
        let (left, right, step_x) = span(low.x, high.x, turn.is_none().then_some(columns));
        let (top, bottom, step_y) = span(low.y, high.y, Some(rows));
        let means_of = |from: i64, to: i64, step: i64| ((to - from + step - 1) / step).max(1) as usize;
        let down = means_of(top, bottom, step_y);
        let across = means_of(left, right, step_x);
        let mut means = vec![Vec4::ZERO; across * down];
        // In pieces that end where the layer begins anew.
        let turn_columns = turn.map_or(i64::MAX, |turn| turn as i64);
        let mut from = left;
        while from < right {
            let first = if turn.is_some() { from.rem_euclid(turn_columns) } else { from };
            let to = right.min(from.saturating_add(turn_columns - first));
            let part = Part {
                column: first as usize,
                row: top as usize,
                columns: (to - from) as usize,
                rows: (bottom - top) as usize,
            };
            let start = ((from - left) / step_x) as usize;
            let wide = means_of(from, to, step_x).min(across - start);
            let colours = layer.read(part, (wide, down))?;
            for y in 0..down {
                let row = &colours.texels[y * colours.rows / down * colours.columns..][..colours.columns];
                let out = &mut means[y * across + start..][..wide];
                for (x, mean) in out.iter_mut().enumerate() {
                    *mean = linear(row[x * colours.columns / wide]);
                }
            }
            from = to;
        }
        // Means of what is not a whole number of them are a little smaller.
        let exact = |from: i64, to: i64, step: i64, count: usize, whole: bool| {
            if whole { step as f64 } else { (to - from) as f64 / count as f64 }
        };
        let step =
            DVec2::new(exact(left, right, step_x, across, turn.is_some()), exact(top, bottom, step_y, down, false));
        let corner = DVec2::new(left as f64, top as f64);
        let mut window =
            Self { corner, step, columns: across, rows: down, means, low: DVec2::MIN, high: DVec2::MAX, turn };
        let ends = [DVec2::splat(-0.5), DVec2::new(columns as f64, rows as f64) - 0.5].map(|end| window.place(end));
        (window.low, window.high) = (ends[0], ends[1]);
        if turn.is_some() {
            (window.low.x, window.high.x) = (f64::MIN, f64::MAX);
        }
        Some(window)
    }

    /// Where a place of the layer is among the means, (0, 0) in the middle of the first.
    pub fn place(&self, place: DVec2) -> DVec2 {
        (place + 0.5 - self.corner) / self.step - 0.5
    }

    /// The same for a difference of places.
    pub fn step(&self, mut step: DVec2) -> DVec2 {
        step.x = column_step(step.x, self.turn);
        step / self.step
    }

    /// The colour at a place among the means, linear between them; nothing outside of the layer.
    #[inline]
    pub fn sample(&self, place: DVec2) -> Vec4 {
        // Written so that what is not a number is outside.
        let is_inside =
            place.x >= self.low.x && place.x <= self.high.x && place.y >= self.low.y && place.y <= self.high.y;
        if !is_inside {
            return Vec4::ZERO;
        }
        let x = place.x.clamp(0.0, (self.columns - 1) as f64);
        let y = place.y.clamp(0.0, (self.rows - 1) as f64);
        let (left, top) = (x as usize, y as usize);
        let (s, t) = ((x - left as f64) as f32, (y - top as f64) as f32);
        let (right, bottom) = ((left + 1).min(self.columns - 1), (top + 1).min(self.rows - 1));
        let (upper, lower) = (&self.means[top * self.columns..], &self.means[bottom * self.columns..]);
        let mix = |a: Vec4, b: Vec4, w: f32| a + (b - a) * w;
        mix(mix(upper[left], upper[right], s), mix(lower[left], lower[right], s), t)
    }
}

/// A difference of columns, at most half a turn.
pub(super) fn within_half(columns: f64, turn: f64) -> f64 {
    columns - turn * (columns / turn).round()
}

/// A difference of columns of a layer, the short way where it goes around the Earth.
fn column_step(columns: f64, turn: Option<usize>) -> f64 {
    turn.map_or(columns, |turn| within_half(columns, turn as f64))
}
