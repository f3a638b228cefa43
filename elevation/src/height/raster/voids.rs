//! Which texels of an array have a height of the file's own, which are filled from around, and how far into the voids do the
//! heights reach?
//!
//! A void in which no square of [`FILL_TEXELS`] + 1 texels has room is *filled*: it counts as data, and says that it is filled.
//! Around what is left, heights are continued outward for as far as the feather reaches, while their weight falls to nothing.
//! Everything here is a function of texels within [`margin`] of a texel, so parts of a raster agree with the whole.

use rayon::prelude::*;

use super::{BORDER, distance::NearVoids};

/// Voids up to so many texels wide are filled from the heights around.
pub const FILL_TEXELS: usize = 16;
/// Half of it.
const FILL_RADIUS: usize = FILL_TEXELS / 2;
/// Rounds in which filled texels approach the mean of their neighbours.
const ROUNDS: usize = 24;
/// What a round of plain means leaves of an error that spans a void of the widest that is filled: the largest eigenvalue of the
/// means on a strip of that width, between (1 + cos(pi / 17)) / 2 and 1.
const LEFT_BY_A_ROUND: f64 = 0.9915;
/// Texels from voids up to which a depth is told apart.
const DEEPEST: u8 = 9;
/// Texels around a place that decide about its height and depth where none of them is void.
#[cfg(feature = "gdal")]
pub(crate) const RIM: usize = DEEPEST as usize + BORDER;
/// The longest feather, in texels.
pub(crate) const LONGEST_FEATHER: u32 = 63;

/// Texels around a place that decide about its height and weight.
pub(crate) fn margin(feather: u32) -> usize {
    let marks = feather as usize + 2 * FILL_RADIUS + 3;
    marks.max(ROUNDS + FILL_RADIUS + 2) + BORDER
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

/// Marks all texels of an array, NaN where void, and continues the heights into the voids; `None` if there is no void.
pub(super) fn mark_and_continue(data: &mut [f32], stride: usize, feather: u32) -> Option<Vec<Mark>> {
    let near = NearVoids::of(data, stride)?;
    let is_void = |at: usize| data[at].is_nan();
    // The kernel looks two texels beyond where the weight ends, and what is filled widens the heights by the radius.
    let reach = (feather as usize + BORDER + FILL_RADIUS) as u8;
    let outside = near.distances(reach, |at| !is_void(at));
    let radius = FILL_RADIUS as u8;
    let open = near.distances(radius + 1, |at| outside[at] > radius);
    // Wide voids are all squares that fit into them; what none of these covers is narrow.
    let is_filled = |at: usize| is_void(at) && open[at] > radius;
    let is_left = |at: usize| is_void(at) && !is_filled(at);
    let inner = near.distances(DEEPEST, is_left);
    let outer = near.distances(LONGEST_FEATHER as u8 + 1, |at| !is_left(at));
    let mut marks = vec![Mark::DEEPEST; data.len()];
    let mut filled = Vec::new();
    let mut layers: Vec<Vec<usize>> = vec![Vec::new(); usize::from(reach)];
    for at in near.texels() {
        let depth = if is_left(at) { 1 - i32::from(outer[at]) } else { i32::from(inner[at]) };
        marks[at] = Mark::of(depth, is_filled(at));
        if is_filled(at) {
            filled.push(at);
        }
        if (1..reach).contains(&outside[at]) {
            layers[usize::from(outside[at])].push(at);
        }
    }
    continue_outward(data, stride, &layers);
    relax(data, stride, &filled);
    Some(marks)
}

/// Gives each texel of a layer the mean of its neighbours in those before, so that heights go on and grow smoother.
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

/// Brings filled texels nearer to a membrane that is held by what is around: each approaches the mean of its four neighbours, all
/// at once, so that the order does not matter, and by Chebyshev's weights, so that few rounds suffice (Golub & Varga 1961). None
/// leaves the range of its neighbours.
fn relax(data: &mut [f32], stride: usize, filled: &[usize]) {
    let lines = data.len() / stride;
    let mut before: Vec<f32> = filled.iter().map(|at| data[*at]).collect();
    let mut weight = 1.0;
    for round in 0..ROUNDS {
        if round > 0 {
            let square = LEFT_BY_A_ROUND * LEFT_BY_A_ROUND;
            weight = 1.0 / (1.0 - square * weight / if round == 1 { 2.0 } else { 4.0 });
        }
        let next = |(&at, before): (&usize, &f32)| {
            let (x, y) = (at % stride, at / stride);
            let neighbours = [
                (x > 0).then(|| at - 1),
                (x + 1 < stride).then(|| at + 1),
                (y > 0).then(|| at - stride),
                (y + 1 < lines).then(|| at + stride),
            ];
            let heights = neighbours.into_iter().flatten().map(|at| data[at]).filter(|v| !v.is_nan());
            let (mut sum, mut count, mut low, mut high) = (0.0, 0.0, f64::INFINITY, f64::NEG_INFINITY);
            for v in heights.map(f64::from) {
                (sum, count, low, high) = (sum + v, count + 1.0, low.min(v), high.max(v));
            }
            let before = f64::from(*before);
            (before + weight * (sum / count - before)).max(low).min(high) as f32
        };
        let next: Vec<f32> = filled.par_iter().zip(&before).with_min_len(1 << 12).map(next).collect();
        for ((at, before), next) in filled.iter().zip(&mut before).zip(next) {
            *before = std::mem::replace(&mut data[*at], next);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
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
            let Some(marks) = mark_and_continue(&mut data, WIDTH, feather) else { continue };
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
                    assert!(data[at] >= range.0 && data[at] <= range.1, "{x} {y}: {}", data[at]);
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
            let Some(marks) = mark_and_continue(&mut whole, WIDTH, feather) else { continue };
            let middle = margin..WIDTH - margin;
            let side = rng.random_range(1..=middle.len().min(20));
            let corner = [0, 1].map(|_| rng.random_range(middle.start..=middle.end - side));
            let part_side = side + 2 * margin;
            let of_whole = |k: usize| {
                let (x, y) = (k % part_side + corner[0] - margin, k / part_side + corner[1] - margin);
                y * WIDTH + x
            };
            let mut part: Vec<f32> = (0..part_side * part_side).map(|k| values[of_whole(k)]).collect();
            let part_marks = mark_and_continue(&mut part, part_side, feather);
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

    /// Law: what is filled continues a slope: a plane with holes is the plane again, to a twentieth of the hole's rise.
    #[test]
    fn a_plane_is_filled_as_a_plane() {
        for hole in [1usize, 3, 8, 16] {
            let plane = |at: usize| 3.0 * (at % WIDTH) as f32 - 2.0 * (at / WIDTH) as f32;
            let mut data: Vec<f32> = (0..WIDTH * WIDTH).map(plane).collect();
            let inside = |c: usize| (70..70 + hole).contains(&c);
            let holes: Vec<usize> = (0..data.len()).filter(|at| inside(at % WIDTH) && inside(at / WIDTH)).collect();
            holes.iter().for_each(|at| data[*at] = f32::NAN);
            mark_and_continue(&mut data, WIDTH, 8).expect("there are voids");
            let worst = holes.iter().map(|at| (data[*at] - plane(*at)).abs()).fold(0.0, f32::max);
            assert!(worst <= 0.05 * 5.0 * hole as f32, "{hole}: {worst}");
        }
    }
}
