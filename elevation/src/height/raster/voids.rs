//! Which texels of an array have a height of the file's own, which are filled from around, and how far into the voids do the
//! heights reach?
//!
//! A void in which no square of [`FILL_TEXELS`] + 1 texels has room is *filled*: it counts as data, and says that it is filled.
//! Around what is left, heights are continued outward for as far as the feather reaches, while their weight falls to nothing: for one
//! texel by their own slope, so that the ground of the outermost postings is as steep as the data say, then level.
//! Everything here is a function of texels within [`margin`] of a texel, so parts of a raster agree with the whole.

use rayon::prelude::*;

use super::{BORDER, distance::NearVoids};
use crate::height::values::range_of;

/// Voids up to so many texels wide are filled from the heights around.
pub const FILL_TEXELS: usize = 16;
/// Half of it.
const FILL_RADIUS: usize = FILL_TEXELS / 2;
/// Rounds in which texels without a height of the file's own approach the mean of their neighbours.
const ROUNDS: usize = 32;
/// What a round of plain means leaves of an error that spans a void of the widest that is filled: the largest eigenvalue of the
/// means on a strip of that width, between (1 + cos(pi / 17)) / 2 and 1.
const LEFT_BY_A_ROUND: f64 = 0.9915;
/// Texels from voids up to which a depth is told apart.
const DEEPEST: u8 = 9;
/// Texels around a place that decide about its height and depth where none of them is void.
#[cfg(feature = "gdal")]
pub(crate) const RIM: usize = DEEPEST as usize + BORDER;
/// Heights of a column, row or diagonal that tell how the ground goes on beyond the last of them.
const RIM_TEXELS: usize = 3;
/// The longest feather, in texels.
pub(crate) const LONGEST_FEATHER: u32 = 63;

/// Texels from a height of the file up to which heights are continued: the kernel looks two texels beyond where the weight ends, and what
/// is filled widens the heights by the radius.
fn reach(feather: u32) -> usize {
    feather as usize + BORDER + FILL_RADIUS
}

/// Texels around a place that decide about its height and weight.
pub(crate) fn margin(feather: u32) -> usize {
    ROUNDS + reach(feather) + BORDER + RIM_TEXELS
}

/// What is known of a texel, in a byte that orders by depth.
///
/// The *depth* of a texel with a height, the file's own or filled, is its distance to the nearest void, from 1; that of a void is
/// 0 beside a height and falls by 1 a texel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Mark(pub u8);

impl Mark {
    /// Where other data answer alone, with the same heights: no void is as near to nothing as this and filled.
    pub const ELSEWHERE: Self = Self(1);
    /// A height of the file's own, far from voids.
    pub const DEEPEST: Self = Self::of(DEEPEST as i32, false);
    /// The least mark of a texel with a height.
    pub const HEIGHT: Self = Self::of(1, false);

    const fn of(depth: i32, filled: bool) -> Self {
        Self(((depth + LONGEST_FEATHER as i32) as u8) << 1 | filled as u8)
    }

    #[inline]
    pub fn depth(self) -> f64 {
        f64::from(i32::from(self.0 >> 1) - LONGEST_FEATHER as i32)
    }

    #[inline]
    pub fn is_filled(self) -> bool {
        self.0 & 1 == 1
    }

    /// Whether the height there is not the file's own, but filled or continued from others.
    #[inline]
    pub fn is_foreign(self) -> bool {
        self.is_filled() || self < Self::HEIGHT
    }
}

/// What is known of the texels of an array with voids.
#[derive(Debug)]
pub(super) struct Marked {
    pub marks: Vec<Mark>,
    /// Metres that heights beyond the data lie below and above all of these.
    pub overshoot_m: [f64; 2],
}

/// Marks all texels of an array, NaN where void, and continues the heights into the voids, not beyond the least and the greatest that are
/// `believed`; `None` if there is no void.
pub(super) fn mark_and_continue(
    data: &mut [f32],
    stride: usize,
    feather: u32,
    believed_m: (f64, f64),
) -> Option<Marked> {
    let near = NearVoids::of(data, stride)?;
    let is_void = |at: usize| data[at].is_nan();
    let reach = reach(feather) as u8;
    let outside = near.distances(reach, |at| !is_void(at));
    let radius = FILL_RADIUS as u8;
    let open = near.distances(radius + 1, |at| outside[at] > radius);
    // Wide voids are all squares that fit into them; what none of these covers is narrow.
    let is_filled = |at: usize| is_void(at) && open[at] > radius;
    let is_left = |at: usize| is_void(at) && !is_filled(at);
    let inner = near.distances(DEEPEST, is_left);
    let outer = near.distances(LONGEST_FEATHER as u8 + 1, |at| !is_left(at));
    let mut marks = vec![Mark::DEEPEST; data.len()];
    let mut layers: Vec<Vec<usize>> = vec![Vec::new(); usize::from(reach)];
    // Beside heights, and the others that are not void any more.
    let (mut rim, mut level) = (Vec::new(), Vec::new());
    for at in near.texels() {
        let depth = if is_left(at) { 1 - i32::from(outer[at]) } else { i32::from(inner[at]) };
        marks[at] = Mark::of(depth, is_filled(at));
        if outside[at] == 1 && is_left(at) {
            rim.push(at);
        } else if (1..reach).contains(&outside[at]) {
            layers[usize::from(outside[at])].push(at);
            level.push(at);
        }
    }
    let overshoot_m = continue_by_slope(data, stride, &rim, believed_m);
    continue_outward(data, stride, &layers);
    relax(data, stride, &Run::all(level.into_iter(), stride));
    Some(Marked { marks, overshoot_m })
}

/// Gives each void texel of a rim beside heights the mean of what these go on to along the columns, rows and diagonals that end there: by their last
/// step, but no farther than by the one before, and not at all where the two differ in sign. So planes go on, and cliffs do not.
fn continue_by_slope(data: &mut [f32], stride: usize, rim: &[usize], (least_m, most_m): (f64, f64)) -> [f64; 2] {
    let lines = data.len() / stride;
    let height = |x: isize, y: isize| {
        let inside = (0..stride as isize).contains(&x) && (0..lines as isize).contains(&y);
        inside.then(|| f64::from(data[y as usize * stride + x as usize])).filter(|height| !height.is_nan())
    };
    let mean = |at: &usize| {
        let (x, y) = ((at % stride) as isize, (at / stride) as isize);
        let around = || (-1..=1).flat_map(|down| (-1..=1).map(move |right| (right, down)));
        let next = |(right, down): (isize, isize)| {
            let [last, before, first] = [1, 2, 3].map(|k| height(x + k * right, y + k * down));
            let (last, before, first) = (last?, before?, first?);
            Some(last + least_step(last - before, before - first))
        };
        let mean = |heights: &mut dyn Iterator<Item = f64>| {
            let (sum, count) = heights.fold((0.0, 0), |(sum, count), height| (sum + height, count + 1));
            (count > 0).then(|| sum / f64::from(count))
        };
        // Where all lines are too short, it goes on level.
        let beside = |(right, down): (isize, isize)| height(x + right, y + down);
        let mean = mean(&mut around().filter_map(next)).or_else(|| mean(&mut around().filter_map(beside)));
        mean.map_or(f32::NAN, |mean| mean.clamp(least_m, most_m) as f32)
    };
    let means: Vec<f32> = rim.par_iter().with_min_len(1 << 12).map(mean).collect();
    if rim.is_empty() {
        return [0.0; 2];
    }
    let ((low, high), (rim_low, rim_high)) = (range_of(data), range_of(&means));
    rim.iter().zip(means).for_each(|(at, mean)| data[*at] = mean);
    [low - rim_low, rim_high - high].map(|beyond| beyond.max(0.0))
}

/// The smaller one of two steps in the same direction, 0 of others.
fn least_step(a: f64, b: f64) -> f64 {
    if a * b <= 0.0 {
        return 0.0;
    }
    if a.abs() < b.abs() { a } else { b }
}

/// Gives each texel of a layer the mean of its neighbours in those before, so that heights go on and grow smoother. Where layers from several
/// sides meet there is a step.
fn continue_outward(data: &mut [f32], stride: usize, layers: &[Vec<usize>]) {
    let lines = data.len() / stride;
    for layer in layers {
        let mean = |at: &usize| {
            let (x, y) = (at % stride, at / stride);
            let (mut sum, mut count) = (0.0, 0u32);
            for row in y.saturating_sub(1)..(y + 2).min(lines) {
                for v in &data[row * stride..][x.saturating_sub(1)..(x + 2).min(stride)] {
                    if !v.is_nan() {
                        sum += f64::from(*v);
                        count += 1;
                    }
                }
            }
            (sum / f64::from(count)) as f32
        };
        let means: Vec<f32> = layer.par_iter().with_min_len(1 << 12).map(mean).collect();
        layer.iter().zip(means).for_each(|(at, mean)| data[*at] = mean);
    }
}

/// Texels beside each other in a row.
#[derive(Clone, Copy, Debug)]
struct Run {
    at: usize,
    len: usize,
}

impl Run {
    /// Those of texels in the order of the array, none longer than a few thousand.
    fn all(texels: impl Iterator<Item = usize>, stride: usize) -> Vec<Run> {
        const LONGEST: usize = 1 << 12;
        let mut runs: Vec<Run> = Vec::new();
        for at in texels {
            match runs.last_mut() {
                Some(run) if run.at + run.len == at && at % stride != 0 && run.len < LONGEST => run.len += 1,
                _ => runs.push(Run { at, len: 1 }),
            }
        }
        runs
    }

    /// The next heights of its texels by those in `data` and the ones before.
    fn relax(self, data: &[f32], stride: usize, before: &[f32], weight: f32, next: &mut [f32]) {
        let Run { at, len } = self;
        let one = |own: f32, before: f32, neighbours: [f32; 4]| {
            // The membrane is free where it ends.
            let [a, b, c, d] = neighbours.map(|v| if v.is_nan() { own } else { v });
            let mean = 0.25 * ((a + b) + (c + d));
            (before + weight * (mean - before)).max(a.min(b).min(c.min(d))).min(a.max(b).max(c.max(d)))
        };
        let row = |start: Option<usize>| &data[start.filter(|start| start + len <= data.len()).unwrap_or(at)..][..len];
        let (above, own, below) = (row(at.checked_sub(stride)), row(Some(at)), row(Some(at + stride)));
        let ends = [at % stride == 0, (at + len) % stride == 0];
        let beside = |k: usize, off: isize| data[(at + k).wrapping_add_signed(off)];
        let at_end = |k: usize| {
            let left = if k == 0 && ends[0] { own[k] } else { beside(k, -1) };
            let right = if k + 1 == len && ends[1] { own[k] } else { beside(k, 1) };
            one(own[k], before[k], [left, right, above[k], below[k]])
        };
        if len > 2 {
            let (left, right) = (&data[at..][..len - 2], &data[at + 2..][..len - 2]);
            let inner = next[1..len - 1].iter_mut().zip(&own[1..]).zip(&before[1..]);
            let around = left.iter().zip(right).zip(above[1..].iter().zip(&below[1..]));
            for (((next, own), before), ((left, right), (above, below))) in inner.zip(around) {
                *next = one(*own, *before, [*left, *right, *above, *below]);
            }
        }
        next[0] = at_end(0);
        next[len - 1] = at_end(len - 1);
    }
}

/// Brings texels nearer to a membrane that is held by the heights around and free where they end: each approaches the mean of its four
/// neighbours, all at once, so that the order does not matter, and by Chebyshev's weights, so that few rounds suffice (Golub & Varga 1961). None
/// leaves the range of its neighbours.
fn relax(data: &mut [f32], stride: usize, runs: &[Run]) {
    let mut before: Vec<f32> = runs.iter().flat_map(|run| &data[run.at..][..run.len]).copied().collect();
    let mut next = before.clone();
    let mut weight = 1.0;
    for round in 0..ROUNDS {
        if round > 0 {
            let square = LEFT_BY_A_ROUND * LEFT_BY_A_ROUND;
            weight = 1.0 / (1.0 - square * weight / if round == 1 { 2.0 } else { 4.0 });
        }
        let (mut all_before, mut all_next) = (&before[..], &mut next[..]);
        let mut parts = Vec::with_capacity(runs.len());
        for run in runs {
            let (before, next);
            (before, all_before) = all_before.split_at(run.len);
            (next, all_next) = all_next.split_at_mut(run.len);
            parts.push((run, before, next));
        }
        parts.into_par_iter().with_min_len(64).for_each(|(run, before, next)| {
            run.relax(data, stride, before, weight as f32, next);
        });
        let mut first = 0;
        for run in runs {
            let (now, part) = (&mut data[run.at..][..run.len], first..first + run.len);
            before[part.clone()].copy_from_slice(now);
            now.copy_from_slice(&next[part]);
            first += run.len;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::height::raster::ANY_HEIGHT;
    use rand::Rng;

    const WIDTH: usize = 160;

    /// A smooth field with voids of all sizes, some wider than what is filled.
    fn field(rng: &mut impl Rng) -> Vec<f32> {
        let mut values: Vec<f32> =
            (0..WIDTH * WIDTH).map(|i| ((i % WIDTH) as f32 * 0.1).sin() * 100.0 + (i / WIDTH) as f32).collect();
        for _ in 0..rng.random_range(1..6) {
            let side = [rng.random_range(1..40), rng.random_range(1..40)];
            let corner = side.map(|side| rng.random_range(0..WIDTH - side));
            for y in corner[1]..corner[1] + side[1] {
                values[y * WIDTH + corner[0]..][..side[0]].fill(f32::NAN);
            }
        }
        values
    }

    /// Law: a void is filled where no square of [`FILL_TEXELS`] + 1 texels in the void covers it, by looking at all squares; depths
    /// fall by at most 1 a texel; no height of the file changes, and those that are continued stay within their range.
    #[test]
    fn narrow_voids_are_filled() {
        let mut rng = crate::random::rng();
        for _ in 0..12 {
            let values = field(&mut rng);
            let (mut data, feather) = (values.clone(), rng.random_range(1..=LONGEST_FEATHER));
            let Some(Marked { marks, overshoot_m }) = mark_and_continue(&mut data, WIDTH, feather, ANY_HEIGHT) else {
                continue;
            };
            let side = FILL_TEXELS + 1;
            let mut covered = vec![false; values.len()];
            for y in 0..=WIDTH - side {
                for x in 0..=WIDTH - side {
                    let square = || (y..y + side).flat_map(|y| (x..x + side).map(move |x| y * WIDTH + x));
                    if square().all(|at| values[at].is_nan()) {
                        square().for_each(|at| covered[at] = true);
                    }
                }
            }
            let range =
                values.iter().filter(|v| !v.is_nan()).fold((f32::MAX, f32::MIN), |r, v| (r.0.min(*v), r.1.max(*v)));
            for at in 0..values.len() {
                let (x, y) = (at % WIDTH, at / WIDTH);
                // Near the array's end a square need not be whole in it.
                let inside = (side..WIDTH - side).contains(&x) && (side..WIDTH - side).contains(&y);
                if inside {
                    assert_eq!(marks[at].is_filled(), values[at].is_nan() && !covered[at], "{x} {y}");
                }
                let has_height = !values[at].is_nan() || marks[at].is_filled();
                assert_eq!(marks[at] >= Mark::HEIGHT, has_height, "{x} {y}");
                if !values[at].is_nan() {
                    assert_eq!(data[at], values[at]);
                }
                if marks[at].depth() >= -f64::from(feather) - 1.0 {
                    let [below, above] = overshoot_m;
                    let height_m = f64::from(data[at]);
                    let is_within = height_m >= f64::from(range.0) - below && height_m <= f64::from(range.1) + above;
                    assert!(is_within, "{x} {y}: {height_m}");
                }
                if x > 0 {
                    assert!((marks[at].depth() - marks[at - 1].depth()).abs() <= 1.0, "{x} {y}");
                }
            }
        }
    }

    /// Law: what is decided about a texel depends on nothing that is farther than the margin away.
    #[test]
    fn parts_agree_with_the_whole() {
        let mut rng = crate::random::rng();
        for _ in 0..12 {
            let values = field(&mut rng);
            let feather = rng.random_range(1..30);
            let margin = margin(feather);
            let mut whole = values.clone();
            let Some(Marked { marks, .. }) = mark_and_continue(&mut whole, WIDTH, feather, ANY_HEIGHT) else {
                continue;
            };
            let middle = margin..WIDTH - margin;
            let side = rng.random_range(1..=middle.len().min(20));
            let corner = [0, 1].map(|_| rng.random_range(middle.start..=middle.end - side));
            let part_side = side + 2 * margin;
            let of_whole = |k: usize| {
                let (x, y) = (k % part_side + corner[0] - margin, k / part_side + corner[1] - margin);
                y * WIDTH + x
            };
            let mut part: Vec<f32> = (0..part_side * part_side).map(|k| values[of_whole(k)]).collect();
            let part_marks = mark_and_continue(&mut part, part_side, feather, ANY_HEIGHT).map(|marked| marked.marks);
            for k in 0..part.len() {
                let (x, y) = (k % part_side, k / part_side);
                let inner = |c: usize| (margin - BORDER..margin + side + BORDER).contains(&c);
                if inner(x) && inner(y) && marks[of_whole(k)].depth() >= -f64::from(feather) {
                    let mark = part_marks.as_ref().map_or(Mark::of(i32::from(DEEPEST), false), |marks| marks[k]);
                    assert_eq!((part[k], mark), (whole[of_whole(k)], marks[of_whole(k)]), "{x} {y} of {part_side}");
                }
            }
        }
    }

    /// Law: where heights of all sides of a wide void meet, in its corners and middle, there is no step: over a plane that goes on below, no slope
    /// is more than three times that of the plane.
    #[test]
    fn a_plane_with_a_wide_void_stays_smooth() {
        let mut rng = crate::random::rng();
        for feather in [4, 8, 8, 20, LONGEST_FEATHER] {
            let [east, south] = [0, 0].map(|_| rng.random_range(-3.0..3.0));
            let plane = |x: f64, y: f64| east * x + south * y;
            let hole = [0, 0].map(|_| rng.random_range(18..110));
            let is_void = |x: usize, y: usize| (40..40 + hole[0]).contains(&x) && (40..40 + hole[1]).contains(&y);
            let value = |at: usize| match is_void(at % WIDTH, at / WIDTH) {
                true => f32::NAN,
                false => plane((at % WIDTH) as f64, (at / WIDTH) as f64) as f32,
            };
            let values = (0..WIDTH * WIDTH).map(value).collect();
            let raster = crate::height::raster::Raster::new(WIDTH, WIDTH, values, None, feather);
            let blended = |x: f64, y: f64| {
                let sample = raster.sample(crate::height::Interpolation::Cubic, x, y);
                sample.map_or(plane(x, y), |spot| spot.weight * spot.height_m + (1.0 - spot.weight) * plane(x, y))
            };
            let mut worst: f64 = 0.0;
            for k in 0..200_000 {
                let [x, y] = hole.map(|side| 38.0 + rng.random_range(0.0..side as f64 + 4.0));
                let [aside, down] = if k % 2 == 0 { [0.05, 0.0] } else { [0.0, 0.05] };
                worst = worst.max((blended(x + aside, y + down) - blended(x, y)).abs() / 0.05);
            }
            let steepest = f64::hypot(east, south);
            assert!(worst <= 3.0 * steepest, "feather {feather}, hole {hole:?}: {worst}, the plane {steepest}");
        }
    }

    /// Law: what is filled continues a slope: a plane with holes is the plane again, to a twentieth of the hole's rise.
    #[test]
    fn a_plane_is_filled_as_a_plane() {
        for hole in [1usize, 3, 8, 16] {
            let plane = |at: usize| 3.0 * (at % WIDTH) as f32 - 2.0 * (at / WIDTH) as f32;
            let mut data: Vec<f32> = (0..WIDTH * WIDTH).map(plane).collect();
            let inside = |c: usize| (70..70 + hole).contains(&c);
            let holes: Vec<usize> = (0..data.len()).filter(|at| inside(at % WIDTH) && inside(at / WIDTH)).collect();
            holes.iter().for_each(|at| data[*at] = f32::NAN);
            mark_and_continue(&mut data, WIDTH, 8, ANY_HEIGHT).expect("there are voids");
            let worst = holes.iter().map(|at| (data[*at] - plane(*at)).abs()).fold(0.0, f32::max);
            assert!(worst <= 0.05 * 5.0 * hole as f32, "{hole}: {worst}");
        }
    }
}
