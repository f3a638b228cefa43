//! How high are the horizons along sixteen lines side by side?
//!
//! A thread's unit of work is a group of lines. Their eyes in one column look together. At each column of the ground before them their
//! lines pass the same part between two rows. So sixteen slopes are loads, products and maxima of neighbouring values, which the
//! compiler turns into vectors. While the maxima of a block stay below the lines under the highest slopes found so far, of all sixteen,
//! nothing in it is looked at. The first guess is the block where the eyes before had their horizons.
//!
//! Slopes are f32, of differences: a height before an eye is off by 3 * 2^-24 of its distance above or below the eye. What may be
//! rounded is added to maxima, so that an answer does not depend on the lines beside it.

// Several arrays at once, by lane.
#![allow(clippy::needless_range_loop)]

mod farthest;

use std::ops::Range;

use multiversion::multiversion;

use super::shape::{LANES, RIM, Shape, row_and_part};
use super::strip::{BLOCK, BLOCKS, Maxima, Strip};
use super::{GroupHorizons, Sweep, rounding};
pub(super) use farthest::farthest;

/// Slope of an eye that looks at nothing.
const ALL_SEEN: f32 = 1e30;
/// Slope of an eye that has not looked yet.
const NOTHING_SEEN: f32 = -1e30;

type Lanes = [f32; LANES];

/// The eyes of a group in one column, in the map, and the highest slopes before them so far.
struct EyeGroup {
    u: usize,
    x_m: f64,
    /// Row of the first in its strip.
    row: isize,
    /// s of the ground, of the eyes above it, and of both.
    ground: Lanes,
    above: Lanes,
    s: Lanes,
    best: Lanes,
    /// What rounding may hide near the eye, in metres; farther out some more by the curvature of the Earth.
    rounding_m: f32,
    per_square: f32,
    /// Ground nearer than the first is of interest only for what it hides, ground farther than the second not at all: along the line.
    least_m: f64,
    most_m: f64,
}

/// Horizons of the cells of a group that are within ranges of u and v.
#[multiversion(targets("x86_64+avx2"))]
pub(super) fn horizons(
    sweep: &Sweep<'_>,
    group: isize,
    [along, across]: &[Range<usize>; 2],
    eye_height_m: f64,
) -> GroupHorizons {
    let ground = &sweep.levels[0];
    let row_at = |u: usize| group * LANES as isize + ground.shape.shift(u);
    let meets = |u: &usize| row_at(*u) + LANES as isize > across.start as isize && row_at(*u) < across.end as isize;
    let first_u = along.clone().find(meets).unwrap_or(along.end);
    let mut elevations_rad = Vec::new();
    let maxima = ground.maxima_of([ground.shape.group((group * LANES as isize) as f64); 2]);
    let mut hint = HorizonHint::default();
    for u in (first_u..along.end).take_while(meets) {
        let row = row_at(u);
        let mut eyes = EyeGroup::new(sweep, u, row, across, eye_height_m);
        scan_levels(sweep, &mut eyes, &maxima, &mut hint);
        elevations_rad.extend(eyes.elevations_rad(sweep.radius_m, ground.shape.angle_rad[u]));
    }
    GroupHorizons { first_u, elevations_rad }
}

/// What a scan does with a block of columns that its bounds do not rule out.
trait BlockScan {
    fn scan_columns(&mut self, eyes: &mut EyeGroup, u: Range<usize>);
}

/// The ground of the level in which the eyes are.
struct NearScan<'a> {
    strip: &'a Strip,
    passed: &'a [(isize, f32)],
    /// The block with the last horizon.
    hint: usize,
}

impl BlockScan for NearScan<'_> {
    #[inline(always)]
    fn scan_columns(&mut self, eyes: &mut EyeGroup, u: Range<usize>) {
        let before = eyes.best;
        let block = u.start / BLOCK;
        for u in u {
            eyes.scan_column(self.strip, self.passed, u);
        }
        let mut rose = false;
        for lane in 0..LANES {
            rose |= before[lane] != eyes.best[lane];
        }
        if rose {
            self.hint = block;
        }
    }
}

/// The ground of a level farther out. Lines are known by their rows at u = 0, and count from some u on.
struct FarScan<'a> {
    part: &'a FarSegment<'a>,
    slope: f64,
    hint: &'a mut HorizonHint,
}

/// Where the last eyes had their horizons: the first guess for those of the next column.
#[derive(Default)]
struct HorizonHint {
    /// Block of the level in which the eyes are.
    block: usize,
    /// Farther out, of each lane: level and u.
    far: [(usize, usize); LANES],
}

impl FarScan<'_> {
    /// Slope of one eye to the ground at u, by what is one over the distance.
    #[inline(always)]
    fn slope(&self, eyes: &EyeGroup, lane: usize, u: usize, scale: f32) -> f32 {
        let (row, part) = row_and_part(self.part.lines[lane] + self.slope * u as f64);
        scale * eyes.rise_m(self.part.strip, lane, u, row, part)
    }

    /// Scans the place of the hint.
    #[inline(always)]
    fn try_hint(&self, eyes: &mut EyeGroup) {
        for lane in 0..LANES {
            let (level, u) = self.hint.far[lane];
            if level == self.part.number && u >= self.part.from[lane] && u <= self.part.to[lane] {
                let scale = (1.0 / (self.part.strip.shape.x_m[u] - eyes.x_m)) as f32;
                eyes.best[lane] = eyes.best[lane].max(self.slope(eyes, lane, u, scale));
            }
        }
    }
}

impl BlockScan for FarScan<'_> {
    #[inline(always)]
    fn scan_columns(&mut self, eyes: &mut EyeGroup, u: Range<usize>) {
        let away_m = |u: usize| self.part.strip.shape.x_m[u] - eyes.x_m;
        let mut most = [0.0; LANES];
        for lane in 0..LANES {
            most[lane] = self.part.maxima.block_of(self.part.groups[lane], u.start / BLOCK);
        }
        let may_rise = eyes.may_rise_each(most, away_m(u.start), away_m(u.end - 1));
        let mut scales = [0.0; BLOCK];
        for (scale, u) in scales.iter_mut().zip(u.clone()) {
            *scale = (1.0 / away_m(u)) as f32;
        }
        // Rows are wider, so that lanes have no neighbouring values; mostly few of them have to look.
        for lane in 0..LANES {
            if may_rise[lane] {
                let mut best = eyes.best[lane];
                for (scale, u) in scales.iter().zip(u.clone()) {
                    let slope = self.slope(eyes, lane, u, *scale);
                    if slope > best && u >= self.part.from[lane] {
                        best = slope;
                        self.hint.far[lane] = (self.part.number, u);
                    }
                }
                eyes.best[lane] = best;
            }
        }
    }
}

/// Looks along all levels.
#[inline(always)]
fn scan_levels(sweep: &Sweep<'_>, eyes: &mut EyeGroup, maxima: &Maxima<'_>, hint: &mut HorizonHint) {
    let (slope, ground) = (sweep.axes.slope, &sweep.levels[0]);
    let farthest_m = sweep.farthest_m - eyes.x_m;
    let [least, end] = eyes.ends(sweep);
    let mut near = NearScan { strip: ground, passed: &sweep.passed, hint: hint.block };
    let (from, block) = (eyes.u + 1, hint.block * BLOCK);
    if block > from && block <= end {
        near.scan_columns(eyes, block..(block + BLOCK).min(end + 1));
    }
    eyes.scan(ground, maxima, from..end + 1, farthest_m, &mut near);
    hint.block = near.hint;
    scan_far_levels(sweep, eyes, least, farthest_m, |eyes, part| {
        let mut far = FarScan { part, slope, hint: &mut *hint };
        far.try_hint(eyes);
        eyes.scan(part.strip, &part.maxima, part.range(), farthest_m, &mut far);
    });
}

/// The part of the lines of a group that is in a level farther out.
struct FarSegment<'a> {
    /// Of the level.
    number: usize,
    strip: &'a Strip,
    /// Rows at u = 0.
    lines: [f64; LANES],
    /// The first and the last u of each.
    from: [usize; LANES],
    to: [usize; LANES],
    maxima: Maxima<'a>,
    groups: [usize; LANES],
}

impl FarSegment<'_> {
    /// All u of all lines.
    #[inline(always)]
    fn range(&self) -> Range<usize> {
        let (mut begin, mut end) = (usize::MAX, 0);
        for lane in 0..LANES {
            (begin, end) = (begin.min(self.from[lane]), end.max(self.to[lane]));
        }
        begin..end + 1
    }
}

/// Looks along all levels but the first, where some lines leave that at `least`, as long as their ground may be high enough.
#[inline(always)]
fn scan_far_levels(
    sweep: &Sweep<'_>,
    eyes: &mut EyeGroup,
    least: usize,
    farthest_m: f64,
    mut scan: impl FnMut(&mut EyeGroup, &FarSegment<'_>),
) {
    let (slope, ground) = (sweep.axes.slope, &sweep.levels[0]);
    let Some(first) = sweep.levels.get(1) else { return };
    let away_m = (ground.shape.x_m[least] - eyes.x_m).max(eyes.least_m);
    if eyes.last_within(&ground.shape, sweep.axes.stretch, eyes.u as f64) <= least
        || !eyes.may_rise(first.most, away_m, farthest_m)
    {
        return;
    }
    let along_m = ground.shape.middle(eyes.u, ground.shape.along);
    let (mut to, mut across_m) = ([0; LANES], [0.0; LANES]);
    for lane in 0..LANES {
        // A row beyond the strip is no row of an eye.
        let row = (eyes.row + lane as isize) as f64;
        across_m[lane] = (row - 0.5 * (ground.shape.across as f64 - 1.0)) * ground.shape.cell_m;
        to[lane] = ground.shape.last(row - slope * eyes.u as f64);
    }
    let mut level = ground;
    for (number, next) in sweep.levels.iter().enumerate().skip(1) {
        // The next level goes on where this one ends, if its ground can be high enough there.
        let least = to.iter().copied().fold(usize::MAX, usize::min);
        let away_m = (level.shape.x_m[least] - eyes.x_m).max(eyes.least_m);
        if !eyes.may_rise(next.most, away_m, farthest_m) {
            return;
        }
        let u0 = along_m / next.shape.cell_m + 0.5 * (next.shape.along as f64 - 1.0);
        let (mut lines, mut from, mut groups) = ([0.0; LANES], [0; LANES], [0; LANES]);
        let within = eyes.last_within(&next.shape, sweep.axes.stretch, u0);
        for lane in 0..LANES {
            let end_m = level.shape.middle(to[lane], level.shape.along);
            let next_u = (end_m / next.shape.cell_m + 0.5 * (next.shape.along as f64 - 1.0)).floor() as usize + 1;
            from[lane] = next_u.min(next.shape.along);
            lines[lane] = across_m[lane] / next.shape.cell_m + 0.5 * (next.shape.across as f64 - 1.0) - slope * u0;
            groups[lane] = next.shape.group(lines[lane]);
            to[lane] = next.shape.last(lines[lane]).min(within);
        }
        let maxima = next.maxima_of([groups[0], groups[LANES - 1]]);
        let before = groups[0];
        groups.iter_mut().for_each(|group| *group -= before);
        scan(eyes, &FarSegment { number, strip: next, lines, from, to, maxima, groups });
        level = next;
    }
}

impl EyeGroup {
    /// At a column, from a row on.
    #[inline(always)]
    fn new(sweep: &Sweep<'_>, u: usize, row: isize, across: &Range<usize>, eye_height_m: f64) -> Self {
        let (ground, radius_m) = (&sweep.levels[0], sweep.radius_m);
        let x_m = ground.shape.x_m[u];
        let cos = radius_m / x_m.hypot(radius_m);
        let [rounding_m, per_square] = rounding(eye_height_m, radius_m).map(|bound| bound as f32);
        let mut eyes = Self {
            u,
            x_m,
            row,
            ground: [0.0; LANES],
            above: [0.0; LANES],
            s: [0.0; LANES],
            best: [ALL_SEEN; LANES],
            rounding_m,
            per_square,
            least_m: 0.0,
            most_m: f64::INFINITY,
        };
        for lane in 0..LANES {
            let row = row + lane as isize;
            if row < across.start as isize || row >= across.end as isize {
                continue;
            }
            let s = ground.s[u * ground.shape.stride + RIM + row as usize];
            // An eye at a height e over the ground: Z grows by e cos a, and s = R - R^2 / Z.
            let below_m = radius_m - f64::from(s);
            let of_eye = radius_m - radius_m * radius_m / (radius_m * radius_m / below_m + eye_height_m * cos);
            eyes.ground[lane] = s;
            eyes.above[lane] = if eye_height_m == 0.0 { 0.0 } else { (of_eye - f64::from(s)) as f32 };
            eyes.s[lane] = of_eye as f32;
            eyes.best[lane] = NOTHING_SEEN;
        }
        eyes
    }

    /// Where the first of the lines leaves the level in which the eyes are, and the last u that is of interest there.
    #[inline(always)]
    fn ends(&self, sweep: &Sweep<'_>) -> [usize; 2] {
        let shape = &sweep.levels[0].shape;
        let line = self.row as f64 - sweep.axes.slope * self.u as f64;
        // The lines that leave first and last are outer ones.
        let ends = [shape.last(line), shape.last(line + (LANES - 1) as f64)];
        [ends[0].min(ends[1]), ends[0].max(ends[1]).min(self.last_within(shape, sweep.axes.stretch, self.u as f64))]
    }

    /// The last u of a level that is of interest; there the eyes are at `u0`.
    #[inline(always)]
    fn last_within(&self, shape: &Shape, stretch: f64, u0: f64) -> usize {
        if self.most_m == f64::INFINITY {
            return usize::MAX;
        }
        (u0 + self.most_m / (shape.cell_m * stretch)) as usize
    }

    /// Looks at the ground at u.
    #[inline(always)]
    fn scan_column(&mut self, strip: &Strip, passed: &[(isize, f32)], u: usize) {
        let mut best = self.best;
        self.each_slope(strip, passed, u, |lane, slope| {
            best[lane] = if slope > best[lane] { slope } else { best[lane] }
        });
        self.best = best;
    }

    /// Lane by lane, the slope to the ground at u.
    #[inline(always)]
    fn each_slope(&self, strip: &Strip, passed: &[(isize, f32)], u: usize, mut of: impl FnMut(usize, f32)) {
        let (rows, part) = passed[u - self.u];
        let first = (u * strip.shape.stride) as isize + RIM as isize + self.row + rows;
        let values = &strip.s[first as usize..first as usize + LANES + 1];
        let scale = (1.0 / (strip.shape.x_m[u] - self.x_m)) as f32;
        for lane in 0..LANES {
            let (low, high) = (values[lane], values[lane + 1]);
            let rise_m = (low - self.ground[lane]) + (high - low) * part - self.above[lane];
            of(lane, rise_m * scale);
        }
    }

    /// By how much the ground at u of a level farther out, between two rows, is above one eye.
    #[inline(always)]
    fn rise_m(&self, strip: &Strip, lane: usize, u: usize, row: isize, part: f32) -> f32 {
        let k = u * strip.shape.stride + (row + RIM as isize).clamp(0, strip.shape.stride as isize - 2) as usize;
        let (low, high) = (strip.s[k], strip.s[k + 1]);
        (low - self.ground[lane]) + (high - low) * part - self.above[lane]
    }

    /// Looks at those blocks of a range of u that may have a greater slope than the best of a lane.
    #[inline(always)]
    fn scan(
        &mut self,
        strip: &Strip,
        maxima: &Maxima<'_>,
        range: Range<usize>,
        farthest_m: f64,
        ground: &mut impl BlockScan,
    ) {
        let x_m = self.x_m;
        let away_m = |u: usize| strip.shape.x_m[u] - x_m;
        let mut u = range.start;
        while u < range.end {
            // Uphill: nothing of interest from here on is high enough.
            if !self.may_rise(strip.most, away_m(u).max(self.least_m), farthest_m) {
                return;
            }
            let end = ((u / (BLOCK * BLOCKS) + 1) * BLOCK * BLOCKS).min(range.end);
            if self.may_rise(maxima.wide(u / (BLOCK * BLOCKS)), away_m(u), away_m(end - 1)) {
                while u < end {
                    let next = ((u / BLOCK + 1) * BLOCK).min(end);
                    if self.may_rise(maxima.block(u / BLOCK), away_m(u), away_m(next - 1)) {
                        ground.scan_columns(self, u..next);
                    }
                    u = next;
                }
            }
            u = end;
        }
    }

    /// Whether ground of at most so much s between two distances may have a greater slope than the best of a lane.
    #[inline(always)]
    fn may_rise(&self, most: f32, near_m: f64, far_m: f64) -> bool {
        let mut any = false;
        for may_rise in self.may_rise_each([most; LANES], near_m, far_m) {
            any |= may_rise;
        }
        any
    }

    /// The same of each lane.
    #[inline(always)]
    fn may_rise_each(&self, most: Lanes, near_m: f64, far_m: f64) -> [bool; LANES] {
        let (near_m, far_m) = (near_m as f32, far_m as f32);
        let rounding_m = self.rounding_m + self.per_square * far_m * far_m;
        let mut may_rise = [false; LANES];
        for lane in 0..LANES {
            let (a, b) = (self.best[lane] * near_m, self.best[lane] * far_m);
            may_rise[lane] = most[lane] - self.s[lane] + rounding_m > if a < b { a } else { b };
        }
        may_rise
    }

    /// Elevations of the horizons of eyes at an angle from the middle.
    #[inline(always)]
    fn elevations_rad(&self, radius_m: f64, angle_rad: f64) -> [f32; LANES] {
        let mut elevations_rad = [0.0; LANES];
        for lane in 0..LANES {
            let slope = f64::from(self.best[lane]);
            let ahead_m = radius_m - f64::from(self.s[lane]) + slope * self.x_m;
            elevations_rad[lane] = (atan2(slope * radius_m, ahead_m) + angle_rad) as f32;
        }
        elevations_rad
    }
}

/// Arc tangent of y / x, to 3e-8: Abramowitz and Stegun, Handbook of Mathematical Functions, 4.4.49. Without branches.
#[inline(always)]
fn atan2(y: f64, x: f64) -> f64 {
    const TERMS: [f64; 9] = [
        0.002_866_225_7,
        -0.016_165_736_7,
        0.042_909_613_8,
        -0.075_289_640_0,
        0.106_562_639_3,
        -0.142_088_994_4,
        0.199_935_508_5,
        -0.333_331_452_8,
        1.0,
    ];
    let (a, b) = (x.abs(), y.abs());
    let (low, high) = if a < b { (a, b) } else { (b, a) };
    let t = low / high;
    let square = t * t;
    let mut sum = 0.0;
    for term in TERMS {
        sum = sum * square + term;
    }
    let angle = t * sum;
    let angle = if a < b { std::f64::consts::FRAC_PI_2 - angle } else { angle };
    let angle = if x < 0.0 { std::f64::consts::PI - angle } else { angle };
    if y < 0.0 { -angle } else { angle }
}

#[cfg(test)]
mod tests {
    use rand::Rng;

    /// Law: the arc tangent is that of the library, to 3e-8, in all quadrants.
    #[test]
    fn arc_tangents_are_those_of_the_library() {
        let mut rng = crate::random::rng();
        for _ in 0..100_000 {
            let mut number = || 10f64.powf(rng.random_range(-3.0..9.0)) * [-1.0, 1.0][rng.random_range(0..2)];
            let (x, y) = (number(), number());
            assert!((super::atan2(y, x) - y.atan2(x)).abs() < 3e-8, "{y} {x}");
        }
        assert_eq!((super::atan2(0.0, 5.0), super::atan2(0.0, -5.0)), (0.0, std::f64::consts::PI));
    }
}
