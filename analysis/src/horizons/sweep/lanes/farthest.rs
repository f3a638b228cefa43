//! Which is the farthest ground that is seen along sixteen lines side by side?
//!
//! What is seen rises to the greatest slope of all ground or above it, unless it is before that ground. So the greatest slope is found
//! first, as for horizons, and then the last place whose target reaches it. Ground nearer than what is asked for is only looked at
//! as long as something farther may still be seen: most eyes are done with one guess.

use std::ops::Range;

use multiversion::multiversion;

use super::{BlockScan, EyeGroup, FarSegment, HorizonHint, scan_far_levels, scan_levels};
use crate::horizons::sweep::{
    FarthestTarget, LineQuery, Sweep,
    shape::{LANES, row_and_part},
    strip::Strip,
};

/// Slopes beyond this are those of nothing.
const STEEPEST: f32 = 1e6;

/// Of each lane the level and the u of the farthest target so far.
type Last = [Option<(usize, usize)>; LANES];

/// Looks for the last targets in the level in which the eyes are.
struct NearTargets<'a> {
    strip: &'a Strip,
    passed: &'a [(isize, f32)],
    last: &'a mut Last,
}

impl BlockScan for NearTargets<'_> {
    #[inline(always)]
    fn scan_columns(&mut self, eyes: &mut EyeGroup, u: Range<usize>) {
        for u in u {
            eyes.each_slope(self.strip, self.passed, u, |lane, slope| {
                if slope >= eyes.best[lane] {
                    self.last[lane] = Some((0, u));
                }
            });
        }
    }
}

/// The same in a level farther out.
struct FarTargets<'a> {
    part: &'a FarSegment<'a>,
    /// The first u of each lane that is far enough.
    from: [usize; LANES],
    slope: f64,
    last: &'a mut Last,
}

impl BlockScan for FarTargets<'_> {
    #[inline(always)]
    fn scan_columns(&mut self, eyes: &mut EyeGroup, u: Range<usize>) {
        let FarSegment { number, strip, lines, to, .. } = self.part;
        for u in u {
            let scale = (1.0 / (strip.shape.x_m[u] - eyes.x_m)) as f32;
            for lane in 0..LANES {
                let (row, part) = row_and_part(lines[lane] + self.slope * u as f64);
                let slope = scale * eyes.rise_m(strip, lane, u, row, part);
                if slope >= eyes.best[lane] && u >= self.from[lane] && u <= to[lane] {
                    self.last[lane] = Some((*number, u));
                }
            }
        }
    }
}

/// The farthest targets of the eyes of a group that are within ranges of u and v.
#[multiversion(targets("x86_64+avx2"))]
pub(in crate::horizons::sweep) fn farthest(
    sweep: &Sweep<'_>,
    group: isize,
    [along, across]: &[Range<usize>; 2],
    query: &LineQuery<'_>,
) -> Vec<FarthestTarget> {
    let ground = &sweep.levels[0];
    let row_at = |u: usize| group * LANES as isize + ground.shape.shift(u);
    let meets = |u: &usize| row_at(*u) + LANES as isize > across.start as isize && row_at(*u) < across.end as isize;
    let first_u = along.clone().find(meets).unwrap_or(along.end);
    let maxima = ground.maxima_of([ground.shape.group((group * LANES as isize) as f64); 2]);
    let (mut hint, mut runs) = (HorizonHint::default(), TargetRuns::default());
    let above_m = query.target_height_m as f32;
    for u in (first_u..along.end).take_while(meets) {
        let mut eyes = EyeGroup::new(sweep, u, row_at(u), across, query.eye_height_m);
        (eyes.least_m, eyes.most_m) = (query.least_m, query.most_m);
        // Bounds hold for targets, too.
        eyes.rounding_m += above_m;
        scan_levels(sweep, &mut eyes, &maxima, &mut hint);
        let farthest_m = sweep.farthest_m - eyes.x_m;
        if !eyes.may_rise(ground.most, eyes.least_m, farthest_m) {
            continue;
        }
        // Targets that stand higher are seen as ground from lower down: without them to the last bit as before.
        for lane in 0..LANES {
            eyes.above[lane] -= above_m;
        }
        let mut last = Last::default();
        let stretch_m = ground.shape.cell_m * sweep.axes.stretch;
        let from = (u as f64 + eyes.least_m / stretch_m).ceil().max((u + 1) as f64) as usize;
        let [least, end] = eyes.ends(sweep);
        let mut near = NearTargets { strip: ground, passed: &sweep.passed, last: &mut last };
        eyes.scan(ground, &maxima, from..end + 1, farthest_m, &mut near);
        scan_far_levels(sweep, &mut eyes, least, farthest_m, |eyes, part| {
            let shape = &part.strip.shape;
            let u0 = ground.shape.middle(u, ground.shape.along) / shape.cell_m + 0.5 * (shape.along as f64 - 1.0);
            let enough = (u0 + eyes.least_m / (shape.cell_m * sweep.axes.stretch)).ceil() as usize;
            let from = part.from.map(|from| from.max(enough));
            let begin = from.iter().copied().fold(usize::MAX, usize::min);
            let mut far = FarTargets { part, from, slope: sweep.axes.slope, last: &mut last };
            eyes.scan(part.strip, &part.maxima, begin..part.range().end, farthest_m, &mut far);
        });
        for lane in 0..LANES {
            if let Some((level, to)) = last[lane]
                && eyes.best[lane].abs() < STEEPEST
            {
                runs.add(sweep, (u, eyes.row + lane as isize, lane), (level, to), [along, across], query);
            }
        }
    }
    runs.finish()
}

/// Targets of the eyes of each lane, of which those beside each other are one.
#[derive(Default)]
struct TargetRuns {
    /// Where the first of a run has its eye and its target along the line, and the farthest of the run.
    open: [Option<([f64; 2], FarthestTarget)>; LANES],
    done: Vec<FarthestTarget>,
}

impl TargetRuns {
    /// Takes what the eye at a u and a row sees at the u of a level.
    fn add(
        &mut self,
        sweep: &Sweep<'_>,
        (u, row, lane): (usize, isize, usize),
        (level, to): (usize, usize),
        [along, across]: [&Range<usize>; 2],
        query: &LineQuery<'_>,
    ) {
        let [ground, there] = [0, level].map(|level| &sweep.levels[level].shape);
        let found = FarthestTarget::of(sweep.axes, [ground, there], ([u, row as usize], to), [along, across]);
        if !query.sees_from(found.cell, sweep.grid) {
            return;
        }
        let [eye_m, target_m] = [ground.middle(u, ground.along), there.middle(to, there.along)];
        let beside = |(a, b): (f64, f64)| (a - b).abs() * sweep.axes.stretch < query.separation_m;
        match &mut self.open[lane] {
            Some((first_m, best)) if beside((first_m[0], eye_m)) && beside((first_m[1], target_m)) => {
                if found.distance_m > best.distance_m {
                    *best = found;
                }
            }
            open => self.done.extend(open.replace(([eye_m, target_m], found)).map(|(_, best)| best)),
        }
    }

    fn finish(mut self) -> Vec<FarthestTarget> {
        self.done.extend(self.open.into_iter().flatten().map(|(_, best)| best));
        self.done
    }
}
