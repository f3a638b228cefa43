//! What is the height where files of several lattices meet? That of the finest file that has one; between files it goes over from one
//! to the other.
//!
//! A file has a height at and between its valid postings, and nothing of any other file counts there, but of a finer one. Outside of
//! its heights a file goes over to a coarser one. If they lie side by side, it does so across the gap between them, so that the
//! postings of both are exact. Where the coarser one lies below it, it does so over as much as that has below it, and at most over
//! the feather. Gaps no wider than those between neighbours belong to the data: nothing of what lies below the mosaic shows through.

use smallvec::SmallVec;

use super::super::{elevation_source::Elevation, region::HeightBounds};

/// Texels within which a place is as good as at a posting.
const AS_EXACT: f64 = 1e-3;
/// Depths beyond these say no more.
const DEPTHS: [f64; 2] = [-80.0, 9.0];
/// The least width, in texels of the finer file, over which heights go over: half of a texel is its own.
const LEAST: f64 = 0.5;
/// The widest gap between neighbours, in texels of both: those that abut are half a texel of each apart.
const GAP: f64 = 0.75;

/// Metres up to which a height is a file's own, whatever share others have in it.
pub(super) const TOLD_M: f64 = 5e-4;

/// Which file a height is of: the one with the largest share, that share, and the next one where it is not a file's own.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct MemberShare {
    pub member: u32,
    pub share: f64,
    pub other: Option<u32>,
}

impl MemberShare {
    /// A file's own.
    pub fn one(member: u32) -> Self {
        Self { member, share: 1.0, other: None }
    }

    /// Of a height and a share of it, over another that has the rest.
    fn mixed(
        share: f64,
        (found, by): (&Elevation, Self),
        (below, below_by): (&Elevation, Self),
        height_m: f64,
    ) -> Self {
        let ((most, most_by, share), next_by) =
            if share >= 0.5 { ((found, by, share), below_by) } else { ((below, below_by, 1.0 - share), by) };
        if (height_m - most.height_m).abs() > TOLD_M {
            Self { share: share * most_by.share, other: Some(next_by.member), ..most_by }
        } else {
            most_by
        }
    }
}

/// How finely files of one lattice answer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lattice {
    /// Metres of a texel, or of the mean of many.
    pub texel_m: f64,
    /// Metres beyond its heights up to which it answers.
    pub reach_m: f64,
}

impl Lattice {
    /// Metres inside of the heights, by a depth in texels; negative outside.
    fn inside_m(self, depth: f64) -> f64 {
        (depth.clamp(DEPTHS[0], DEPTHS[1]) - 1.0 + AS_EXACT) * self.texel_m
    }
}

/// What files of one lattice answer at a place.
#[derive(Clone, Copy, Debug)]
pub(super) struct LatticeSample {
    pub found: Elevation,
    /// Texels to the nearest void: 1 on the rim of the data, less outside.
    pub depth: f64,
    pub lattice: Lattice,
    pub by: MemberShare,
}

/// Bounds of what files of one lattice answer in a region, and their least and greatest depth there.
pub(super) type BoundsOfLattice = (HeightBounds, [f64; 2], Lattice);

/// What the answers of several lattices, the finest first, are together, and of which files.
pub(super) fn blend(answers: &[LatticeSample]) -> Option<(Elevation, MemberShare)> {
    let mut all: Option<(Elevation, f64, MemberShare)> = None;
    for answer in answers.iter().rev() {
        let LatticeSample { found, depth, lattice, by } = *answer;
        let inside_m = lattice.inside_m(depth);
        all = Some(match all {
            None => (found, inside_m, by),
            Some((below, below_m, below_by)) => {
                let weights = [found.weight, below.weight];
                let share = across(weights, [inside_m, below_m]).max(over(lattice, [inside_m, below_m]));
                let mix = |a: f64, b: f64| if share >= 1.0 { a } else { share * a + (1.0 - share) * b };
                let mixed = Elevation {
                    height_m: mix(found.height_m, below.height_m),
                    weight: mix(found.weight, below.weight),
                    filled: share > 0.0 && found.filled || share < 1.0 && below.filled,
                };
                let by = MemberShare::mixed(share, (&found, by), (&below, below_by), mixed.height_m);
                (mixed, mix(inside_m, below_m), by)
            }
        });
    }
    let weights: SmallVec<[Weight; 4]> = answers
        .iter()
        .map(|answer| (answer.found.weight, answer.lattice.inside_m(answer.depth), answer.lattice))
        .collect();
    all.map(|(found, _, by)| (Elevation { weight: weight(&weights), ..found }, by))
}

/// Bounds of what the answers of several lattices are in a region, the finest first.
pub(super) fn blend_bounds(all: &[BoundsOfLattice]) -> Option<HeightBounds> {
    let mut below: Option<(HeightBounds, [f64; 2])> = None;
    for (bounds, depths, lattice) in all.iter().rev() {
        let inside_m = depths.map(|depth| lattice.inside_m(depth));
        below = Some(match below {
            None => (*bounds, inside_m),
            Some((other, other_m)) => {
                let shares = shares_between(*lattice, [bounds, &other], [inside_m, other_m]);
                let ends = |value: [f64; 2], other: [f64; 2]| {
                    let mix = |k: usize| shares.map(|share| share * value[k] + (1.0 - share) * other[k]);
                    let ([a, b], [c, d]) = (mix(0), mix(1));
                    [a.min(b), c.max(d)]
                };
                let [low_m, high_m] = ends([bounds.low_m, bounds.high_m], [other.low_m, other.high_m]);
                let [least, most] = ends([bounds.least, bounds.most], [other.least, other.most]);
                (HeightBounds { low_m, high_m, least, most }, ends(inside_m, other_m))
            }
        });
    }
    let (found, _) = below?;
    let of = |end: fn(&HeightBounds) -> f64, k: usize| {
        let one = |(bounds, depths, lattice): &BoundsOfLattice| (end(bounds), lattice.inside_m(depths[k]), *lattice);
        weight(&all.iter().map(one).collect::<SmallVec<[Weight; 4]>>())
    };
    Some(HeightBounds { least: of(|bounds| bounds.least, 0), most: of(|bounds| bounds.most, 1), ..found })
}

/// Least and greatest share of a finer lattice over what is coarser.
fn shares_between(lattice: Lattice, [fine, coarse]: [&HeightBounds; 2], [fine_m, coarse_m]: [[f64; 2]; 2]) -> [f64; 2] {
    // One that may not answer leaves all to the other.
    let least = if fine.least <= 0.0 {
        0.0
    } else {
        let across = across([fine.least, coarse.most], [fine_m[0], coarse_m[1]]);
        across.max(over(lattice, [fine_m[0], coarse_m[0]]))
    };
    let most = if coarse.least <= 0.0 {
        1.0
    } else {
        let across = across([fine.most, coarse.least], [fine_m[1], coarse_m[0]]);
        across.max(over(lattice, [fine_m[1], coarse_m[1]]))
    };
    // Of rounding.
    [(least - 1e-12).max(0.0), (most + 1e-12).min(1.0)]
}

/// Share of a file across the gap to a coarser one, by the weights of both and the metres inside of their heights. It grows with the
/// first of each, and falls with the second.
fn across([weight, below]: [f64; 2], inside_m: [f64; 2]) -> f64 {
    let [to_own_m, to_below_m] = inside_m.map(|inside_m| (-inside_m).max(0.0));
    let (own, other) = (weight * to_below_m, below * to_own_m);
    match () {
        () if to_below_m <= 0.0 => 0.0,
        () if other <= 0.0 => 1.0,
        () => own / (own + other),
    }
}

/// Share of a file beside its heights where a coarser one has some below it. It grows with the metres inside of both.
fn over(lattice: Lattice, [inside_m, below_m]: [f64; 2]) -> f64 {
    let Lattice { texel_m, reach_m } = lattice;
    let outside_m = (-inside_m).max(0.0);
    let width_m = (below_m - outside_m).min(reach_m).max(LEAST * texel_m);
    (1.0 - outside_m / width_m).max(0.0)
}

/// The weight of a lattice, the metres inside of its heights, and itself.
type Weight = (f64, f64, Lattice);

/// The weight of several lattices: the largest, and more in the gap between two of them. It grows with all weights and with the
/// metres inside.
fn weight(all: &[Weight]) -> f64 {
    let mut weight = all.iter().map(|(weight, ..)| *weight).fold(0.0, f64::max);
    for (k, (a_weight, a_m, a)) in all.iter().enumerate() {
        for (b_weight, b_m, b) in &all[k + 1..] {
            let (least, most) = (a_weight.min(*b_weight), a_weight.max(*b_weight));
            let gap_m = (-a_m).max(0.0) + (-b_m).max(0.0);
            let filled_m = (GAP * (a.texel_m + b.texel_m)).min(a.reach_m).min(b.reach_m);
            if least > 0.0 {
                // Less and less where one of them ends.
                let filled = (1.0 - (gap_m - filled_m).max(0.0) / (filled_m * least)).max(0.0);
                weight = weight.max(most + (1.0 - most) * filled);
            }
        }
    }
    weight
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::Rng;

    /// Files of a line of postings: where their heights begin and end, their posting, feather and height, all in metres.
    #[derive(Clone, Copy, Debug)]
    struct Line {
        from_m: f64,
        to_m: f64,
        posting_m: f64,
        feather: f64,
        height_m: f64,
    }

    impl Line {
        fn answer(&self, x_m: f64) -> Option<LatticeSample> {
            let depth = 1.0 + (x_m - self.from_m).min(self.to_m - x_m) / self.posting_m;
            let weight = ((depth + self.feather - 1.0) / self.feather).clamp(0.0, 1.0);
            let lattice = Lattice { texel_m: self.posting_m, reach_m: self.feather * self.posting_m };
            let found = Elevation { height_m: self.height_m, weight, filled: depth < 1.0 };
            (weight > 0.0).then_some(LatticeSample { found, depth: depth.min(9.0), lattice, by: MemberShare::one(0) })
        }
    }

    fn lines(rng: &mut impl Rng) -> Vec<Line> {
        let mut all: Vec<Line> = (0..rng.random_range(2..4))
            .map(|_| {
                let from_m = rng.random_range(-200.0..200.0);
                Line {
                    from_m,
                    to_m: from_m + rng.random_range(20.0..300.0),
                    posting_m: rng.random_range(3.0..30.0),
                    feather: f64::from(rng.random_range(1..12)),
                    height_m: rng.random_range(-100.0..100.0),
                }
            })
            .collect();
        all.sort_by(|a, b| a.posting_m.total_cmp(&b.posting_m));
        all
    }

    fn at(lines: &[Line], x_m: f64) -> Option<(Elevation, MemberShare)> {
        blend(&lines.iter().filter_map(|line| line.answer(x_m)).collect::<Vec<_>>())
    }

    /// Law: wherever files lie, heights and weights have no step, and the finest file that has a height there is the answer.
    #[test]
    fn heights_and_weights_are_continuous() {
        let mut rng = crate::random::rng();
        for _ in 0..3_000 {
            let lines = lines(&mut rng);
            for _ in 0..60 {
                let x_m = rng.random_range(-350.0..650.0);
                let [a, b] = [x_m, x_m + 1e-5].map(|x_m| {
                    at(&lines, x_m).map_or([0.0; 2], |(found, _)| [found.weight, found.weight * found.height_m])
                });
                assert!((a[0] - b[0]).abs() < 1e-3 && (a[1] - b[1]).abs() < 0.1, "{x_m} of {lines:?}: {a:?} {b:?}");
                let finest = lines.iter().find(|line| line.from_m <= x_m && x_m <= line.to_m);
                let Some(finest) = finest else { continue };
                let (found, _) = at(&lines, x_m).expect("a height");
                assert_eq!(found.weight, 1.0, "{x_m} of {lines:?}");
                if finest.posting_m == lines[0].posting_m {
                    assert_eq!((found.height_m, found.filled), (finest.height_m, false), "{x_m} of {lines:?}");
                }
            }
        }
    }

    /// Law: of two files side by side, half a texel of each apart or more, each is exact at all of its postings, and between them
    /// heights go evenly from one to the other, with nothing below.
    #[test]
    fn files_side_by_side_are_exact() {
        let mut rng = crate::random::rng();
        for _ in 0..2_000 {
            let mut two = lines(&mut rng);
            two.truncate(2);
            for line in &mut two {
                line.feather = rng.random_range(30.0..63.0);
            }
            two[1].from_m = two[0].to_m + 0.5 * (two[0].posting_m + two[1].posting_m);
            two[1].to_m = two[1].from_m + 200.0;
            let gap_m = two[1].from_m - two[0].to_m;
            for k in 0..=20 {
                let along = f64::from(k) / 20.0;
                let (found, _) = at(&two, two[0].to_m + along * gap_m).expect("a height");
                let even = two[0].height_m + along * (two[1].height_m - two[0].height_m);
                let step = (two[1].height_m - two[0].height_m).abs();
                assert!((found.height_m - even).abs() <= 0.06 * step + 1e-9, "{along} of {two:?}: {found:?}");
                assert_eq!(found.weight, 1.0);
            }
            for beyond in 0..5 {
                let x_m = two[1].from_m + f64::from(beyond) * two[1].posting_m;
                assert_eq!(
                    at(&two, x_m).expect("a height").0,
                    Elevation::whole(two[1].height_m),
                    "{beyond} of {two:?}"
                );
            }
        }
    }

    /// Law: bounds of a stretch hold what is answered in it.
    #[test]
    fn bounds_hold_the_answers() {
        let mut rng = crate::random::rng();
        for _ in 0..6_000 {
            let lines = lines(&mut rng);
            let (x_m, length_m) = (rng.random_range(-350.0..650.0), 10f64.powf(rng.random_range(-3.0..2.0)));
            let all: Vec<_> = lines
                .iter()
                .filter_map(|line| {
                    // Depths have their extremes at the ends and in the middle of the line.
                    let middle = (0.5 * (line.from_m + line.to_m)).clamp(x_m, x_m + length_m);
                    let found = [x_m, x_m + length_m, middle].map(|x_m| line.answer(x_m));
                    let answers: Vec<LatticeSample> = found.into_iter().flatten().collect();
                    let first = answers.first()?;
                    let range = |value: fn(&LatticeSample) -> f64| {
                        answers.iter().map(value).fold([f64::MAX, f64::MIN], |[l, h], v| [l.min(v), h.max(v)])
                    };
                    let ([mut least, most], mut depths) = (range(|a| a.found.weight), range(|a| a.depth));
                    if answers.len() < 3 {
                        (least, depths[0]) = (0.0, f64::NEG_INFINITY);
                    }
                    let (low_m, high_m) = (line.height_m, line.height_m);
                    Some((HeightBounds { low_m, high_m, least, most }, depths, first.lattice))
                })
                .collect();
            let bounds = blend_bounds(&all);
            for _ in 0..30 {
                let x_m = x_m + length_m * rng.random::<f64>();
                let Some((found, _)) = at(&lines, x_m) else { continue };
                let bounds = bounds.expect("it answers");
                assert!(
                    found.height_m >= bounds.low_m - 1e-9
                        && found.height_m <= bounds.high_m + 1e-9
                        && found.weight >= bounds.least - 1e-9
                        && found.weight <= bounds.most + 1e-9,
                    "{x_m} of {lines:?}: {found:?} {bounds:?}"
                );
            }
        }
    }
}
