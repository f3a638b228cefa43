//! Does the time of day go on by itself? A clock that plays at some speed, or stands, and that keys set.

use analysis::calendar;
use bevy_ecs::prelude::*;
use foreign::sun::FARTHEST_S;
use terrain::geodesy::Ellipsoid;

use crate::annotations::MONTHS;
use crate::app::{App, Clock, FrameStep, Plugin};
use crate::camera::Camera;
use crate::input::bindings::Action;
use crate::input::{Controls, read_devices};
use crate::render::{Light, SunMode};

/// What a key moves the time by, seconds.
const STEP_S: f64 = 3_600.0;

/// How fast time plays: seconds a second, and their name.
pub const SPEEDS: [(f64, &str); 4] =
    [(60.0, "1 min/s"), (600.0, "10 min/s"), (3_600.0, "1 h/s"), (86_400.0, "1 day/s")];

/// A day of a year, from 1, as `21 Jun`.
pub fn day_written(year: i64, day: f64) -> String {
    let (_, month, of_month) = calendar::date_of(calendar::days_of(year, 1, 1) + day.round() as i64 - 1);
    let month = MONTHS.iter().zip(1..).find(|(_, number)| *number == month).map_or("", |(name, _)| &name[..3]);
    format!("{of_month} {month}")
}

/// The day of a year that is written so, or by its number; none where there is no such day.
pub fn day_read(year: i64, text: &str) -> Option<f64> {
    let mut words = text.split_whitespace();
    let of_month: i64 = words.next()?.parse().ok()?;
    let first = calendar::days_of(year, 1, 1);
    let Some(name) = words.next().map(str::to_lowercase) else {
        return (1..=calendar::days_of(year + 1, 1, 1) - first).contains(&of_month).then_some(of_month as f64);
    };
    if name.len() < 3 || words.next().is_some_and(|word| word.parse() != Ok(year)) {
        return None;
    }
    let (month, _) = (1..).zip(MONTHS).find(|(_, month)| month.to_lowercase().starts_with(&name))?;
    let days = calendar::days_of(year, month, of_month.clamp(1, 31));
    (calendar::date_of(days) == (year, month, of_month)).then_some((days - first + 1) as f64)
}

/// Whether time plays, and how fast.
#[derive(Resource, Debug, Clone, Copy, PartialEq)]
pub struct SunClock {
    /// Whether it does.
    pub plays: bool,
    /// Which of [`SPEEDS`].
    pub speed: usize,
    /// Whether the key that stops what moves by itself has stopped it in this frame.
    pub was_stopped: bool,
}

impl Default for SunClock {
    /// It stands; a day plays in two and a half minutes.
    fn default() -> Self {
        SunClock { plays: false, speed: 1, was_stopped: false }
    }
}

impl SunClock {
    /// Its speed: seconds a second, and their name.
    pub fn speed(&self) -> (f64, &'static str) {
        SPEEDS[self.speed.min(SPEEDS.len() - 1)]
    }
}

/// A clock for the sun. Needs input, and [`Light`] in the world.
pub struct SunClockPlugin;

impl Plugin for SunClockPlugin {
    fn build(&self, app: &mut App) {
        app.world.init_resource::<SunClock>();
        app.systems(FrameStep::Input, run.after(read_devices));
    }
}

fn run(
    (clock, controls, camera): (Res<Clock>, Res<Controls>, Option<Res<Camera>>),
    (mut sun_clock, mut light): (ResMut<SunClock>, ResMut<Light>),
) {
    if camera.is_some_and(|camera| camera.ellipsoid != Ellipsoid::WGS84) {
        // Where the sun stands at a time is known over the Earth alone.
        return;
    }
    let mut next = SunClock { was_stopped: false, ..*sun_clock };
    let mut step_s = 0.0;
    for action in &controls.actions {
        match action {
            Action::PlayTime => next.plays = !next.plays,
            Action::Earlier => step_s -= STEP_S,
            Action::Later => step_s += STEP_S,
            Action::Pause if next.plays => next = SunClock { plays: false, was_stopped: true, ..next },
            _ => {}
        }
    }
    let is_set = step_s != 0.0 || next.plays && !sun_clock.plays;
    let unix_s = match light.0 {
        SunMode::At { unix_s } => Some(unix_s),
        // A sun over the shoulder has no time to play.
        SunMode::Follow { .. } => is_set.then(now_s),
    };
    next.plays &= unix_s.is_some();
    if next.plays {
        step_s += next.speed().0 * clock.dt_s;
    }
    if let Some(unix_s) = unix_s.filter(|_| is_set || step_s != 0.0) {
        light.0 = SunMode::At { unix_s: (unix_s + step_s).clamp(-FARTHEST_S, FARTHEST_S) };
    }
    sun_clock.set_if_neq(next);
}

/// The time now, seconds from 1970.
pub fn now_s() -> f64 {
    // A clock before 1970 gives the sun of 1970.
    std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default().as_secs_f64()
}

/// A time for people: `2026-06-21 12:00:00 UTC`.
pub fn written(unix_s: f64) -> String {
    calendar::written(unix_s).replace('T', " ").replace('Z', " UTC")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Law: each day of a year is read as it is written, and by its number; what is no day of it is none.
    #[test]
    fn days_are_read_as_they_are_written() {
        for (year, days) in [(2024, 366), (2026, 365)] {
            for day in 1..=days {
                let day = f64::from(day);
                assert_eq!(day_read(year, &day_written(year, day)), Some(day));
                assert_eq!(day_read(year, &day.to_string()), Some(day));
            }
        }
        assert_eq!((day_written(2026, 172.0), day_read(2026, "21 June")), (String::from("21 Jun"), Some(172.0)));
        for none in ["29 Feb", "31 Apr", "0", "366", "0 Jan", "June", "", "x", "21 ju", "21 Jun 2024", "21 Junk"] {
            assert_eq!(day_read(2026, none), None, "{none}");
        }
    }

    fn frame(app: &mut App, actions: &[Action], dt_s: f64) -> Option<f64> {
        app.world.resource_mut::<Controls>().actions = actions.to_vec();
        app.frame(dt_s).expect("a frame");
        match app.world.resource::<Light>().0 {
            SunMode::At { unix_s } => Some(unix_s),
            SunMode::Follow { .. } => None,
        }
    }

    fn app(sun: SunMode) -> App {
        let mut app = App::default();
        app.world.init_resource::<Controls>();
        app.world.insert_resource(Light(sun));
        app.world.init_resource::<SunClock>();
        app.systems(FrameStep::Input, run);
        app
    }

    /// Law: after so many seconds of play the time is as much later as the speed says, in few frames or many; when it is stopped, by its own
    /// key or by that of all that moves, it stands.
    #[test]
    fn time_plays_at_its_speed_until_it_is_stopped() {
        for (speed, (factor, _)) in SPEEDS.into_iter().enumerate() {
            for (frames, stop) in [(5, Action::PlayTime), (200, Action::Pause)] {
                let mut app = app(SunMode::At { unix_s: 1e9 });
                app.world.resource_mut::<SunClock>().speed = speed;
                assert_eq!(frame(&mut app, &[], 3.0), Some(1e9), "it stands at first");
                let dt_s = 10.0 / f64::from(frames);
                frame(&mut app, &[Action::PlayTime], dt_s);
                let later = (1..frames).map(|_| frame(&mut app, &[], dt_s)).last().flatten().expect("a time");
                assert!((later - 1e9 - 10.0 * factor).abs() < 1e-3, "{later}");
                assert_eq!(frame(&mut app, &[stop], dt_s), Some(later));
                assert_eq!(app.world.resource::<SunClock>().was_stopped, stop == Action::Pause);
                assert_eq!(frame(&mut app, &[], 7.0), Some(later));
                assert!(!app.world.resource::<SunClock>().was_stopped);
            }
        }
    }

    /// Law: keys move the time by an hour, whether it plays or not; a sun over the shoulder gets the time of now, and one that goes back there
    /// stops the clock.
    #[test]
    fn keys_set_the_time() {
        let mut at = app(SunMode::At { unix_s: 1e9 });
        assert_eq!(frame(&mut at, &[Action::Later, Action::Later], 1.0), Some(1e9 + 7_200.0));
        assert_eq!(frame(&mut at, &[Action::Earlier], 1.0), Some(1e9 + 3_600.0));
        let mut shoulder = app(SunMode::default());
        assert_eq!(frame(&mut shoulder, &[Action::Pause], 1.0), None);
        let before = now_s();
        let begun = frame(&mut shoulder, &[Action::PlayTime], 0.0).expect("a time");
        assert!((before..=now_s()).contains(&begun) && shoulder.world.resource::<SunClock>().plays);
        shoulder.world.resource_mut::<Light>().0 = SunMode::default();
        assert_eq!(frame(&mut shoulder, &[], 1.0), None);
        assert!(!shoulder.world.resource::<SunClock>().plays);
        let mut far = app(SunMode::At { unix_s: FARTHEST_S });
        assert_eq!(frame(&mut far, &[Action::Later], 1.0), Some(FARTHEST_S));
    }

    #[test]
    fn times_are_written_for_people() {
        assert_eq!(written(1_782_043_200.0), "2026-06-21 12:00:00 UTC");
    }
}
