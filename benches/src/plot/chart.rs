//! How is a chart laid out? What was varied across, time upwards on a logarithmic scale, the legend in the order of the right
//! ends of the lines.

use super::canvas::{Anchor, Canvas, Colour};

/// Nominal width in pixels.
pub const WIDTH: f32 = 1080.0;
/// Nominal height in pixels.
pub const HEIGHT: f32 = 640.0;

const LEFT: f32 = 74.0;
const RIGHT: f32 = 768.0;
const TOP: f32 = 76.0;
const BOTTOM: f32 = 584.0;
const INK: Colour = Colour(0x22, 0x22, 0x22);
const FAINT: Colour = Colour(0x66, 0x66, 0x66);
const GRID: Colour = Colour(0xdd, 0xdd, 0xdd);
const FINE_GRID: Colour = Colour(0xf2, 0xf2, 0xf2);

/// How points are joined.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Line {
    /// Not at all.
    None,
    /// Without gaps.
    Solid,
    /// With dashes and gaps of these lengths in pixels.
    Dashed(&'static [f32]),
}

/// How points are marked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// Not at all.
    None,
    /// With a filled circle.
    Dot,
    /// With a circle.
    Ring,
}

/// Measurements that belong together.
pub struct Series {
    /// Name in the legend.
    pub label: String,
    /// Colour of line and marks.
    pub colour: Colour,
    /// How points are joined.
    pub line: Line,
    /// How points are marked. One that stands alone is marked in any case.
    pub mark: Mark,
    /// Position across and seconds, by rising position.
    pub points: Vec<(f64, f64)>,
}

impl Series {
    /// A series of points in any order.
    #[must_use]
    pub fn new(label: String, colour: Colour, line: Line, mark: Mark, mut points: Vec<(f64, f64)>) -> Self {
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        Self { label, colour, line, mark, points }
    }
}

/// What was varied.
pub struct Axis {
    /// Name below the axis.
    pub title: &'static str,
    /// Name of a whole number on it.
    pub tick: fn(i32) -> String,
}

/// Time over what was varied.
pub struct Chart {
    /// What is shown.
    pub title: String,
    /// On which machine.
    pub subtitle: String,
    /// What was varied.
    pub across: Axis,
    /// The lines.
    pub series: Vec<Series>,
}

/// From values to pixels.
struct Scale {
    across: (f64, f64),
    decades: (f64, f64),
}

impl Scale {
    fn of(series: &[Series]) -> Self {
        let points = || series.iter().flat_map(|line| &line.points).filter(|point| point.1 > 0.0);
        let least = |values: &mut dyn Iterator<Item = f64>| values.fold(f64::MAX, f64::min);
        let most = |values: &mut dyn Iterator<Item = f64>| values.fold(f64::MIN, f64::max);
        let across = (least(&mut points().map(|point| point.0)), most(&mut points().map(|point| point.0)));
        let low = least(&mut points().map(|point| point.1)).log10().floor();
        let high = most(&mut points().map(|point| point.1)).log10().ceil();
        let single = |(low, high): (f64, f64)| if high > low { (low, high) } else { (low - 0.5, high + 0.5) };
        Self { across: single(across), decades: single((low, high)) }
    }

    fn x(&self, position: f64) -> f32 {
        LEFT + 14.0 + ((position - self.across.0) / (self.across.1 - self.across.0)) as f32 * (RIGHT - LEFT - 28.0)
    }

    fn y(&self, decade: f64) -> f32 {
        BOTTOM - ((decade - self.decades.0) / (self.decades.1 - self.decades.0)) as f32 * (BOTTOM - TOP)
    }

    fn point(&self, (position, seconds): (f64, f64)) -> (f32, f32) {
        (self.x(position), self.y(seconds.log10()))
    }
}

impl Chart {
    /// Draws the chart onto a white surface.
    pub fn draw(&self, canvas: &mut impl Canvas) {
        canvas.text((LEFT, 32.0), 21.0, Anchor::Start, INK, &self.title);
        canvas.text((LEFT, 54.0), 13.0, Anchor::Start, FAINT, &self.subtitle);
        if self.series.iter().all(|line| line.points.is_empty()) {
            return;
        }
        let scale = Scale::of(&self.series);
        axes(&scale, &self.across, canvas);
        for line in &self.series {
            let points: Vec<(f32, f32)> = line.points.iter().map(|&point| scale.point(point)).collect();
            line.stroke(&points, canvas);
            let mark = if points.len() == 1 && line.mark == Mark::None { Mark::Dot } else { line.mark };
            points.iter().for_each(|&point| mark.draw(point, line.colour, canvas));
        }
        self.legend(canvas);
    }

    /// Names, highest right end first, so that they stand in the order of the lines.
    fn legend(&self, canvas: &mut impl Canvas) {
        let mut lines: Vec<&Series> = self.series.iter().collect();
        let end = |line: &Series| line.points.last().map_or(0.0, |point| point.1);
        lines.sort_by(|a, b| end(b).total_cmp(&end(a)));
        let step = (BOTTOM - TOP).min(22.0 * lines.len() as f32) / lines.len() as f32;
        for (i, line) in lines.into_iter().enumerate() {
            let y = TOP + 6.0 + step * i as f32;
            line.stroke(&[(RIGHT + 20.0, y), (RIGHT + 56.0, y)], canvas);
            line.mark.draw((RIGHT + 38.0, y), line.colour, canvas);
            canvas.text((RIGHT + 64.0, y + 4.5), 13.0, Anchor::Start, INK, &line.label);
        }
    }
}

impl Series {
    fn stroke(&self, points: &[(f32, f32)], canvas: &mut impl Canvas) {
        match self.line {
            Line::None => {}
            Line::Solid => canvas.polyline(points, self.colour, 2.0, &[]),
            Line::Dashed(lengths) => canvas.polyline(points, self.colour, 2.0, lengths),
        }
    }
}

impl Mark {
    fn draw(self, at: (f32, f32), colour: Colour, canvas: &mut impl Canvas) {
        if self != Self::None {
            canvas.dot(at, 3.6, colour);
        }
        if self == Self::Ring {
            canvas.dot(at, 2.0, Colour(0xff, 0xff, 0xff));
        }
    }
}

/// Grid, ticks and their names.
fn axes(scale: &Scale, across: &Axis, canvas: &mut impl Canvas) {
    let mut decade = scale.decades.0.floor();
    while decade <= scale.decades.1 {
        for digit in 2..10 {
            let y = scale.y(decade + f64::from(digit).log10());
            if y > TOP {
                canvas.polyline(&[(LEFT, y), (RIGHT, y)], FINE_GRID, 1.0, &[]);
            }
        }
        let y = scale.y(decade);
        canvas.polyline(&[(LEFT, y), (RIGHT, y)], GRID, 1.0, &[]);
        canvas.text((LEFT - 8.0, y + 4.5), 13.0, Anchor::End, FAINT, &time_name(decade));
        decade += 1.0;
    }
    let step = if scale.across.1 - scale.across.0 > 12.0 { 2 } else { 1 };
    for position in (scale.across.0.ceil() as i32..=scale.across.1.floor() as i32).step_by(step) {
        let x = scale.x(f64::from(position));
        canvas.polyline(&[(x, TOP), (x, BOTTOM)], FINE_GRID, 1.0, &[]);
        canvas.text((x, BOTTOM + 20.0), 13.0, Anchor::Middle, FAINT, &(across.tick)(position));
    }
    canvas.polyline(&[(LEFT, BOTTOM), (RIGHT, BOTTOM)], FAINT, 1.0, &[]);
    canvas.text(((LEFT + RIGHT) / 2.0, BOTTOM + 42.0), 13.0, Anchor::Middle, FAINT, across.title);
}

/// `100 µs` for -4.
fn time_name(decade: f64) -> String {
    let decade = decade as i32;
    let (unit, exponent) = match decade {
        0.. => ("s", 0),
        -3..=-1 => ("ms", -3),
        -6..=-4 => ("µs", -6),
        _ => ("ns", -9),
    };
    let number = 10_f64.powi(decade - exponent);
    format!("{number} {unit}")
}
