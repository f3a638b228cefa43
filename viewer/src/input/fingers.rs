//! What do fingers on the screen do? One is a pointer that drags, taps or rests; two pinch, twist, or tilt.

use std::time::{Duration, Instant};

use glam::DVec2;
use winit::event::TouchPhase;

/// Fingers that move no further than this have stayed, points: as far on every screen.
pub(super) const STAYS_PT: f64 = 14.0;
/// Of two fingers that tilt both move; the first to tell has waited for the other one until it has gone this far, points.
const WAITS_PT: f64 = 28.0;
/// A finger that moves less than this beside another one rests, points.
const RESTS_PT: f64 = 5.0;
/// A finger that stays for so long is a long press.
const LONG: Duration = Duration::from_millis(550);

/// A finger on the screen.
#[derive(Debug, Clone, Copy)]
struct Finger {
    id: u64,
    began_px: DVec2,
    now_px: DVec2,
}

/// What two fingers do, which is decided once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum GestureMode {
    Undecided,
    PinchAndTwist,
    Tilt,
}

/// What two fingers have done since the last frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Gesture {
    /// True in the first frame of it.
    pub began: bool,
    /// The middle between them, pixels from the upper left corner.
    pub middle_px: DVec2,
    /// How many times as far apart they are.
    pub spread: f64,
    /// How far they have turned, radians clockwise.
    pub twist_rad: f64,
    /// How far both have moved down to tilt, pixels.
    pub down_px: f64,
}

impl Gesture {
    fn at(middle_px: DVec2, began: bool) -> Gesture {
        Gesture { began, middle_px, spread: 1.0, twist_rad: 0.0, down_px: 0.0 }
    }
}

/// What one finger does as a pointer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Pointer {
    /// It goes down, pixels from the upper left corner.
    Down(DVec2),
    /// It moves.
    To(DVec2),
    /// It comes up.
    Up,
    /// What it began is not to be finished: another finger came, or the system took it away.
    Lost,
}

/// The fingers on the screen.
#[derive(Debug)]
pub(super) struct Fingers {
    /// Pixels of the screen that are a point.
    px_per_pt: f64,
    down: Vec<Finger>,
    gesture: Option<(GestureMode, Gesture)>,
    /// Since when the only finger has stayed.
    stays_since: Option<Instant>,
    /// Until all are up, those that are left do nothing: what they had to say is said.
    spent: bool,
}

impl Default for Fingers {
    fn default() -> Fingers {
        Fingers::on(1.0)
    }
}

impl Fingers {
    /// None, on a screen of so many pixels a point.
    pub fn on(px_per_pt: f64) -> Fingers {
        Fingers { px_per_pt, down: Vec::new(), gesture: None, stays_since: None, spent: false }
    }

    /// The screen has so many pixels a point from now on.
    pub fn scale_to(&mut self, px_per_pt: f64) {
        self.px_per_pt = px_per_pt;
    }

    /// Pixels of the screen that are a point.
    pub fn px_per_pt(&self) -> f64 {
        self.px_per_pt
    }

    /// A finger goes down, moves, or comes up.
    pub fn touch(&mut self, id: u64, phase: TouchPhase, at_px: DVec2, now: Instant) -> Option<Pointer> {
        match phase {
            TouchPhase::Started => {
                self.down.retain(|finger| finger.id != id);
                self.down.push(Finger { id, began_px: at_px, now_px: at_px });
                match self.down[..] {
                    [_] => {
                        (self.spent, self.stays_since) = (false, Some(now));
                        Some(Pointer::Down(at_px))
                    }
                    [a, b] if !self.spent => {
                        self.down[0].began_px = a.now_px;
                        let middle_px = 0.5 * (a.now_px + b.now_px);
                        (self.gesture, self.stays_since) =
                            (Some((GestureMode::Undecided, Gesture::at(middle_px, true))), None);
                        self.spent = true;
                        Some(Pointer::Lost)
                    }
                    _ => None,
                }
            }
            TouchPhase::Moved => self.moved(id, at_px),
            TouchPhase::Ended | TouchPhase::Cancelled => {
                let at = self.down.iter().position(|finger| finger.id == id)?;
                self.down.remove(at);
                if self.down.len() < 2 {
                    self.gesture = None;
                }
                self.stays_since = None;
                let pointer = if phase == TouchPhase::Ended { Pointer::Up } else { Pointer::Lost };
                Some(pointer).filter(|_| !self.spent)
            }
        }
    }

    fn moved(&mut self, id: u64, at_px: DVec2) -> Option<Pointer> {
        let finger = self.down.iter_mut().find(|finger| finger.id == id)?;
        let before_px = std::mem::replace(&mut finger.now_px, at_px);
        if at_px.distance(finger.began_px) > STAYS_PT * self.px_per_pt {
            self.stays_since = None;
        }
        let Some((mode, gesture)) = &mut self.gesture else {
            return (!self.spent).then_some(Pointer::To(at_px));
        };
        let [a, b, ..] = self.down[..] else { return None };
        // The other two fingers of a hand do nothing.
        let before = match id {
            _ if id == a.id => [before_px, b.now_px],
            _ if id == b.id => [a.now_px, before_px],
            _ => return None,
        };
        gesture.middle_px = 0.5 * (a.now_px + b.now_px);
        if *mode == GestureMode::Undecided {
            let way_pt = |finger: Finger| (finger.now_px - finger.began_px) / self.px_per_pt;
            *mode = decide(way_pt(a), way_pt(b));
        }
        let (then, now) = (before[1] - before[0], b.now_px - a.now_px);
        match mode {
            GestureMode::PinchAndTwist if then.length() > 1.0 && now.length() > 1.0 => {
                gesture.spread *= now.length() / then.length();
                gesture.twist_rad += then.angle_to(now);
            }
            GestureMode::Tilt => gesture.down_px += 0.5 * (at_px.y - before_px.y),
            _ => {}
        }
        None
    }

    /// What two fingers have done since the last call.
    pub fn take_gesture(&mut self) -> Option<Gesture> {
        let (_, gesture) = self.gesture.as_mut()?;
        let next = Gesture::at(gesture.middle_px, false);
        Some(std::mem::replace(gesture, next))
    }

    /// Where a finger has stayed for so long that it asks for something, once.
    pub fn take_long_press(&mut self, now: Instant) -> Option<DVec2> {
        let since = self.stays_since?;
        if now.duration_since(since) < LONG {
            return None;
        }
        (self.stays_since, self.spent) = (None, true);
        self.down.first().map(|finger| finger.began_px)
    }

    /// Whether any finger is on the screen.
    pub fn are_down(&self) -> bool {
        !self.down.is_empty()
    }
}

/// What two fingers do that have moved so far, points: tilt where both go up or down, as far as each other, else pinch and twist.
fn decide(a: DVec2, b: DVec2) -> GestureMode {
    let (far, near) = (a.length().max(b.length()), a.length().min(b.length()));
    if far < STAYS_PT || (near < RESTS_PT && far < WAITS_PT) {
        return GestureMode::Undecided;
    }
    let is_upright = |way: DVec2| way.y.abs() > way.x.abs();
    let together = a.y * b.y > 0.0 && near > 0.4 * far;
    if is_upright(a) && is_upright(b) && together { GestureMode::Tilt } else { GestureMode::PinchAndTwist }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn put(fingers: &mut Fingers, id: u64, at: (f64, f64)) -> Option<Pointer> {
        fingers.touch(id, TouchPhase::Started, DVec2::new(at.0, at.1), Instant::now())
    }

    /// Moves two fingers from where they are to other places, in steps, one after the other as screens tell it.
    fn slide(fingers: &mut Fingers, to: [(f64, f64); 2]) -> Gesture {
        let from = [fingers.down[0].now_px, fingers.down[1].now_px];
        let mut all = Gesture::at(DVec2::ZERO, false);
        for step in 1..=20 {
            for id in 0..2 {
                let end = DVec2::new(to[id].0, to[id].1);
                let at = from[id] + (end - from[id]) * (f64::from(step) / 20.0);
                assert_eq!(fingers.touch(id as u64, TouchPhase::Moved, at, Instant::now()), None);
            }
            let part = fingers.take_gesture().expect("two fingers");
            all.spread *= part.spread;
            all.twist_rad += part.twist_rad;
            all.down_px += part.down_px;
            all.middle_px = part.middle_px;
        }
        all
    }

    fn two(a: (f64, f64), b: (f64, f64)) -> Fingers {
        let mut fingers = Fingers::default();
        assert!(matches!(put(&mut fingers, 0, a), Some(Pointer::Down(_))));
        assert_eq!(put(&mut fingers, 1, b), Some(Pointer::Lost), "one finger drags no more");
        assert!(fingers.take_gesture().is_some_and(|gesture| gesture.began));
        fingers
    }

    /// Law: fingers that part by a factor and turn by an angle are told so, but for what it took to decide that; the same way up or down is a
    /// tilt by its length, and nothing else.
    #[test]
    fn two_fingers_pinch_twist_and_tilt() {
        let apart = slide(&mut two((300.0, 300.0), (400.0, 300.0)), [(150.0, 300.0), (550.0, 300.0)]);
        assert!(
            (2.8..=4.0).contains(&apart.spread) && apart.twist_rad.abs() < 1e-9 && apart.down_px == 0.0,
            "{apart:?}"
        );
        assert_eq!(apart.middle_px, DVec2::new(350.0, 300.0));
        // A quarter of a turn, clockwise: the right finger goes down.
        let turned = slide(&mut two((200.0, 300.0), (500.0, 300.0)), [(350.0, 150.0), (350.0, 450.0)]);
        let angle = turned.twist_rad.to_degrees();
        assert!((75.0..=90.1).contains(&angle) && turned.down_px == 0.0, "{turned:?}");
        // A thumb that rests while the other finger parts from it, downwards.
        let resting = slide(&mut two((300.0, 300.0), (310.0, 400.0)), [(301.0, 302.0), (310.0, 600.0)]);
        assert!(resting.spread > 2.0 && resting.down_px == 0.0, "{resting:?}");
        for down in [-200.0, 200.0] {
            let tilted =
                slide(&mut two((300.0, 300.0), (420.0, 310.0)), [(300.0, 300.0 + down), (424.0, 310.0 + down)]);
            assert_eq!((tilted.spread, tilted.twist_rad), (1.0, 0.0));
            let part = tilted.down_px / down;
            assert!((0.8..=1.0).contains(&part), "{tilted:?}");
        }
    }

    /// Law: one finger is a pointer until another one comes; what is left of two does nothing until all are up, and a third one never does.
    #[test]
    fn what_is_left_of_two_fingers_does_nothing() {
        let mut fingers = two((100.0, 100.0), (200.0, 100.0));
        let mut touch = |id, phase, x| fingers.touch(id, phase, DVec2::new(x, 100.0), Instant::now());
        assert_eq!(touch(2, TouchPhase::Started, 300.0), None);
        assert_eq!(touch(2, TouchPhase::Moved, 500.0), None);
        assert_eq!(touch(0, TouchPhase::Ended, 100.0), None);
        assert_eq!(touch(2, TouchPhase::Ended, 500.0), None);
        assert_eq!(touch(1, TouchPhase::Moved, 400.0), None);
        assert_eq!(touch(1, TouchPhase::Ended, 400.0), None);
        assert_eq!(touch(7, TouchPhase::Moved, 1.0), None, "a finger that nobody knows");
        assert_eq!(touch(1, TouchPhase::Started, 50.0), Some(Pointer::Down(DVec2::new(50.0, 100.0))));
        assert_eq!(touch(1, TouchPhase::Moved, 60.0), Some(Pointer::To(DVec2::new(60.0, 100.0))));
        assert_eq!(touch(1, TouchPhase::Cancelled, 60.0), Some(Pointer::Lost));
        assert!(!fingers.are_down() && fingers.take_gesture().is_none());
    }

    /// Law: a finger that stays is a long press once, where it went down, and no tap after that; one that moves or has company is none.
    #[test]
    fn a_finger_that_stays_is_a_long_press() {
        let start = Instant::now();
        let later = start + LONG;
        let press = |fingers: &mut Fingers| fingers.touch(0, TouchPhase::Started, DVec2::splat(50.0), start);
        let mut fingers = Fingers::default();
        press(&mut fingers);
        fingers.touch(0, TouchPhase::Moved, DVec2::splat(52.0), start);
        assert_eq!(fingers.take_long_press(start + LONG / 2), None);
        assert_eq!(fingers.take_long_press(later), Some(DVec2::splat(50.0)));
        assert_eq!(fingers.take_long_press(later), None);
        assert_eq!(fingers.touch(0, TouchPhase::Ended, DVec2::splat(52.0), later), None);
        press(&mut fingers);
        fingers.touch(0, TouchPhase::Moved, DVec2::splat(90.0), start);
        assert_eq!(fingers.take_long_press(later), None);
        fingers.touch(1, TouchPhase::Started, DVec2::splat(300.0), start);
        assert_eq!(fingers.take_long_press(later), None);
    }
}
