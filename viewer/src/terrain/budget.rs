//! How much error may a frame have to be drawn in time? More while frames take too long, and only where that helps.

use bevy_ecs::resource::Resource;

/// Milliseconds of a frame that quality gives way for unless the user says otherwise: 20 frames a second.
pub const DEFAULT_FRAME_MS: f64 = 50.0;

/// Frames of which the median decides: a single slow one is no reason.
const FRAMES: usize = 12;
/// Above this part of the target the error grows; below the other it shrinks. A step of the error changes the time by less
/// than what lies between, so no step calls for the one back: quality does not flicker.
const SLOW: f64 = 1.1;
const FAST: f64 = 0.6;
/// A step up, one where frames take more than so many times as long as they should, and a step back.
const COARSER: f64 = std::f64::consts::SQRT_2;
const MUCH_COARSER: f64 = 2.0;
const VERY_SLOW: f64 = 3.0;
const FINER: f64 = 0.84;
/// The error never grows more than this.
const MOST: f64 = 8.0;
/// At this factor or above, frames that still take more than a part of what they took at factor 1 say that it is pixels that
/// take the time, not triangles: the error is taken back.
const PROVEN: f64 = 2.0;
const GAIN: f64 = 0.8;
/// Frames before it is tried again; twice as many after each time that it did not help, up to the other, so that quality does
/// not come and go for ever.
const PATIENCE: u32 = 120;
const MOST_PATIENCE: u32 = 1 << 14;

/// Holds the time of a frame by the tolerated error.
#[derive(Resource, Debug, Clone)]
pub struct FrameBudget {
    /// Milliseconds to hold; none leaves the error alone.
    pub target_ms: Option<f64>,
    times_ms: Vec<f64>,
    factor: f64,
    /// The last median at factor 1.
    without_ms: f64,
    /// The last median whose error was taken back; infinite where there is none.
    taken_back_ms: f64,
    waiting: u32,
    patience: u32,
}

impl Default for FrameBudget {
    fn default() -> Self {
        FrameBudget {
            target_ms: None,
            times_ms: Vec::new(),
            factor: 1.0,
            without_ms: 0.0,
            taken_back_ms: f64::INFINITY,
            waiting: 0,
            patience: PATIENCE,
        }
    }
}

impl FrameBudget {
    /// A budget of milliseconds a frame; none leaves the error alone.
    pub fn new(target_ms: Option<f64>) -> FrameBudget {
        FrameBudget { target_ms, ..FrameBudget::default() }
    }

    /// By what the wished error is multiplied, 1 or more.
    pub fn factor(&self) -> f64 {
        if self.target_ms.is_some() { self.factor } else { 1.0 }
    }

    /// Takes in the time between two frames that followed each other.
    pub fn add(&mut self, interval_ms: f64) {
        let Some(target_ms) = self.target_ms else { return };
        self.times_ms.push(interval_ms);
        self.waiting = self.waiting.saturating_sub(1);
        if self.times_ms.len() < FRAMES {
            return;
        }
        self.times_ms.sort_by(f64::total_cmp);
        let median_ms = self.times_ms[FRAMES / 2];
        self.times_ms.clear();
        self.decide(median_ms, target_ms);
    }

    fn decide(&mut self, median_ms: f64, target_ms: f64) {
        if self.factor == 1.0 {
            self.without_ms = median_ms;
            // Where frames got slower since the error was taken back there was more to draw by then, and it may help now.
            let is_slower = GAIN * median_ms > self.taken_back_ms;
            if median_ms <= target_ms || is_slower {
                self.patience = PATIENCE;
            }
            if is_slower {
                (self.waiting, self.taken_back_ms) = (0, f64::INFINITY);
            }
        }
        if self.factor >= PROVEN && median_ms > target_ms && median_ms > GAIN * self.without_ms {
            (self.factor, self.waiting, self.taken_back_ms) = (1.0, self.patience, median_ms);
            self.patience = (2 * self.patience).min(MOST_PATIENCE);
        } else if median_ms > SLOW * target_ms {
            if self.waiting == 0 {
                let step = if median_ms > VERY_SLOW * target_ms { MUCH_COARSER } else { COARSER };
                self.factor = (self.factor * step).min(MOST);
            }
        } else if median_ms < FAST * target_ms {
            self.factor = (self.factor * FINER).max(1.0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Flies for some decisions where a frame takes what `ms` says for a factor; returns the factors.
    fn fly(budget: &mut FrameBudget, decisions: usize, ms: impl Fn(f64) -> f64) -> Vec<f64> {
        let mut factors = Vec::new();
        for _ in 0..decisions {
            for frame in 0..FRAMES {
                // One frame in six takes thrice as long, as loading does.
                let now = ms(budget.factor());
                budget.add(if frame % 6 == 0 { 3.0 * now } else { now });
            }
            factors.push(budget.factor());
        }
        factors
    }

    /// Law: where triangles take the time, the target is held, and then nothing changes any more.
    #[test]
    fn the_target_is_held_without_flicker() {
        for (fixed_ms, mesh_ms) in [(5.0, 120.0), (20.0, 200.0), (1.0, 70.0), (30.0, 30.0)] {
            let ms = |factor: f64| fixed_ms + mesh_ms / factor;
            let mut budget = FrameBudget::new(Some(50.0));
            let factors = fly(&mut budget, 60, ms);
            let last = factors[59];
            assert!(ms(last) <= SLOW * 50.0, "{fixed_ms} + {mesh_ms}: {} ms", ms(last));
            assert!(factors[20..].iter().all(|factor| *factor == last), "{factors:?}");
        }
    }

    /// Law: where pixels take the time, quality is not given away for nothing.
    #[test]
    fn error_that_does_not_help_is_taken_back() {
        let mut budget = FrameBudget::new(Some(50.0));
        let factors = fly(&mut budget, 60, |_| 200.0);
        let spoiled = factors.iter().filter(|factor| **factor > 1.0).count();
        assert!(factors.contains(&1.0) && spoiled * 4 < factors.len(), "{factors:?}");
        // And it is tried ever more rarely: a minute or two later the picture stays as it is.
        let later = fly(&mut budget, 400, |_| 200.0);
        let tries = later.windows(2).filter(|two| two[0] == 1.0 && two[1] > 1.0).count();
        assert!(tries <= 5 && later[300..].windows(2).filter(|two| two[0] != two[1]).count() <= 3, "{later:?}");
        fly(&mut budget, 2, |_| 20.0);
        assert_eq!(budget.patience, PATIENCE, "what was slow is over");
    }

    /// Law: an error that did not help while the mesh was still growing is tried again when frames have become slower.
    #[test]
    fn a_mesh_that_grows_is_held() {
        let mut budget = FrameBudget::new(Some(50.0));
        let factors = fly(&mut budget, 6, |_| 70.0);
        assert_eq!(factors[5], 1.0, "{factors:?}");
        let factors = fly(&mut budget, 12, |factor| 40.0 + 260.0 / (factor * factor));
        assert!(factors[11] > 4.0, "{factors:?}");
    }

    #[test]
    fn quality_comes_back_and_none_is_lost_without_a_target() {
        let mut budget = FrameBudget::new(Some(50.0));
        fly(&mut budget, 10, |factor| 5.0 + 100.0 / factor);
        assert!(budget.factor() > 1.0);
        assert_eq!(*fly(&mut budget, 20, |_| 10.0).last().expect("some"), 1.0);
        let mut free = FrameBudget::new(None);
        assert_eq!(*fly(&mut free, 20, |_| 900.0).last().expect("some"), 1.0);
    }
}
