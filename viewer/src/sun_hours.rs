//! How long does the sun shine on the ground around a place? Hours of a day for cells around it, by the horizon of each. They are found on
//! threads of their own.

use std::sync::atomic::{AtomicBool, Ordering};

use analysis::calendar::{DAY_S, ahead_of_utc_s, written};
use analysis::{Grid, HorizonError, HorizonGround, HorizonsOptions, Insolation, InsolationError, InsolationOptions};
use bevy_ecs::prelude::*;
use terrain::geodesy::Geodetic;
use terrain::surface::Surface;

use crate::app::{App, FrameStep, Plugin};
use crate::background::{Background, JobResult};
use crate::frame::Context;
use crate::overlays::Overlays;
use crate::render::{Light, MOST_SUN_SIDE, PlaceCells, Renderer, SunMode};
use crate::sun_clock;
use crate::terrain::Planet;
use crate::viewshed::LiveViewshed;

/// How far from the place hours are found, metres.
const RADIUS_M: f64 = 10_000.0;

/// A place at no height, and when its day begins, seconds since 1970.
#[derive(Debug, Clone, Copy, PartialEq)]
struct SunHoursQuery {
    at: Geodetic,
    from_s: f64,
}

/// Hours of a day.
#[derive(Debug, Clone)]
pub struct SunHours {
    /// Hours on cells around the place.
    pub insolation: Insolation,
    /// The most of them.
    pub most: f32,
    /// Their number, from 1.
    pub number: u64,
    /// What they took, milliseconds.
    pub took_ms: f64,
}

/// Why there are none.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SunHoursError {
    /// Horizons are not known.
    #[error(transparent)]
    Horizon(#[from] HorizonError),
    /// The sun is not known.
    #[error(transparent)]
    Insolation(#[from] InsolationError),
}

/// The hours of sun around a place, if somebody asks.
#[derive(Resource, Debug)]
pub struct LiveSunHours {
    at: Option<Geodetic>,
    known: Option<(SunHoursQuery, SunHours)>,
    job: Background<SunHoursQuery, Result<Insolation, SunHoursError>>,
    numbers: u64,
}

impl Default for LiveSunHours {
    fn default() -> Self {
        LiveSunHours { at: None, known: None, job: Background::new("sun hours"), numbers: 0 }
    }
}

impl LiveSunHours {
    /// Asks for those around a place.
    pub fn request_around(&mut self, place: Geodetic) {
        self.at = Some(Geodetic { height_m: 0.0, ..place });
    }

    /// Asks no longer; false if nobody did.
    pub fn end(&mut self) -> bool {
        self.forget();
        self.at.take().is_some()
    }

    /// The place, at no height.
    pub fn at(&self) -> Option<Geodetic> {
        self.at
    }

    /// What is known, perhaps of another day.
    pub fn current(&self) -> Option<&SunHours> {
        self.known.as_ref().filter(|(of, _)| Some(of.at) == self.at).map(|(_, hours)| hours)
    }

    /// A line on what is shown; none where nothing is asked.
    pub fn summary(&self) -> Option<String> {
        self.at?;
        let Some((SunHoursQuery { at, from_s }, SunHours { insolation, took_ms, .. })) =
            self.known.as_ref().filter(|(of, _)| Some(of.at) == self.at)
        else {
            return Some(String::from("hours of sun are being found"));
        };
        // Noon is in the day whose name it has there.
        let day = written(from_s + 0.5 * DAY_S + ahead_of_utc_s(at.lon_rad));
        let day = day.split('T').next().unwrap_or_default();
        let (cell_m, radius_km) = (insolation.grid.cell_m, RADIUS_M / 1e3);
        Some(format!("hours of sun on {day} within {radius_km} km, by cells of {cell_m:.0} m in {took_ms:.0} ms"))
    }

    /// Whether there will be an answer without another question.
    pub fn is_busy(&self) -> bool {
        self.job.question().is_some()
    }

    /// Another ground is asked from now on.
    fn forget(&mut self) {
        self.job.cancel();
        self.known = None;
    }

    /// Takes in what is found, and asks for what is not yet.
    ///
    /// # Errors
    /// Why there are none; nothing is asked then.
    fn advance(&mut self, data: &Surface, unix_s: f64) -> Result<(), SunHoursError> {
        if let Some(JobResult { question, answer }) = self.job.take_result() {
            let Some((found, took_ms)) = answer else {
                self.at = None;
                return Ok(());
            };
            let insolation = found.inspect_err(|_| self.at = None)?;
            self.numbers += 1;
            let most = insolation.sun_hours.iter().copied().fold(0.0, f32::max);
            self.known = Some((question, SunHours { insolation, most, number: self.numbers, took_ms }));
        }
        let Some(at) = self.at else { return Ok(()) };
        let question = SunHoursQuery { at, from_s: day_begins_s(at, unix_s) };
        let is_known = self.known.as_ref().is_some_and(|(of, _)| *of == question);
        if is_known || self.job.question() == Some(&question) {
            return Ok(());
        }
        // A day that passes before its hours are found is found all the same; another place is not waited for.
        if self.job.question().is_some_and(|asked| asked.at == at) {
            return Ok(());
        }
        let data = data.clone();
        if !self.job.start(question, move |is_stopped| found(&data, &question, is_stopped)) {
            self.at = None;
        }
        Ok(())
    }
}

/// Midnight of a place by its mean time, before a time.
fn day_begins_s(at: Geodetic, unix_s: f64) -> f64 {
    let east_s = ahead_of_utc_s(at.lon_rad);
    ((unix_s + east_s) / DAY_S).floor() * DAY_S - east_s
}

fn found(data: &Surface, question: &SunHoursQuery, is_stopped: &AtomicBool) -> Result<Insolation, SunHoursError> {
    let goes_on = || !is_stopped.load(Ordering::Relaxed);
    let least_m = RADIUS_M / (MOST_SUN_SIDE / 2) as f64;
    let cell_m = data.ground(question.at.normal()).provenance.posting_m.clamp(least_m, RADIUS_M);
    let grid = Grid::around(data.relief().ellipsoid(), question.at, RADIUS_M, cell_m)?;
    let ground = HorizonGround::new(data, &grid, &HorizonsOptions::default(), &goes_on)?;
    let horizons = ground.horizons(&grid, &goes_on)?;
    let day = InsolationOptions::between(question.from_s, question.from_s + DAY_S);
    Ok(Insolation::new_while(data, &horizons, &day, &|_| goes_on())?)
}

/// Hours of sun. Needs render, terrain and viewsheds.
pub struct SunHoursPlugin;

impl Plugin for SunHoursPlugin {
    fn build(&self, app: &mut App) {
        app.world.init_resource::<LiveSunHours>();
        app.systems(FrameStep::Terrain, show.after(crate::viewshed::show));
    }
}

fn show(
    (context, planet, light): (Res<Context>, Res<Planet>, Res<Light>),
    (mut hours, mut viewshed, mut renderer): (ResMut<LiveSunHours>, ResMut<LiveViewshed>, ResMut<Renderer>),
    mut overlays: ResMut<Overlays>,
    mut asked: Local<Option<Geodetic>>,
    mut tinted: Local<Option<(bool, Geodetic)>>,
    mut had_water: Local<bool>,
) {
    let hours = hours.bypass_change_detection();
    if planet.is_added() || std::mem::replace(&mut *had_water, planet.water) != planet.water {
        hours.forget();
    }
    // Both tint the ground: what is asked for last is shown.
    if hours.at.is_some() && viewshed.at().is_some() {
        if *asked == hours.at {
            hours.end();
        } else {
            viewshed.end();
        }
    }
    *asked = hours.at;
    let unix_s = match light.0 {
        SunMode::At { unix_s } => unix_s,
        SunMode::Follow { .. } => sun_clock::now_s(),
    };
    if let Err(error) = hours.advance(planet.seen_data(), unix_s) {
        viewshed.warning = Some(format!("the hours of sun there are not known: {error}"));
    }
    // Who asks about another place wants to see it; who ticks it off does not.
    let about = hours.at.map(|at| (true, at)).or(viewshed.at().map(|at| (false, at)));
    if *tinted != about {
        *tinted = about;
        *overlays = overlays.with(Overlays::PLACE_CELLS, about.is_some());
    }
    if let Some(SunHours { insolation, most, number, .. }) = hours.current() {
        let cells = PlaceCells::SunHours(&insolation.grid, &insolation.sun_hours, RADIUS_M, most.max(0.1));
        renderer.show_place_cells(&context.0.queue, *number, cells);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use gpu::{Gpu, GpuOptions};
    use terrain::height::{GlobalGrid, Registration, Relief};

    use super::*;
    use crate::app::Clock;
    use crate::headless::OffscreenRenderer;
    use crate::scene::SceneOptions;

    /// A wall of 6 km from east to west at a latitude, on a plain.
    fn wall(at_lat: f64) -> Surface {
        let height = move |_, lat: f64| 6_000.0 * (1.0 - (lat - at_lat).abs() / 0.1).max(0.0);
        let grid = GlobalGrid::from_fn(3600, 1801, Registration::Node, height);
        Surface::new(Arc::new(Relief::from_grid(grid).expect("a grid of the Earth")))
    }

    fn rest(hours: &mut LiveSunHours, data: &Surface, unix_s: f64) {
        loop {
            hours.advance(data, unix_s).expect("hours");
            if !hours.is_busy() {
                return;
            }
            std::thread::sleep(std::time::Duration::from_millis(2));
        }
    }

    /// Law: days begin at midnight of the place's mean time.
    #[test]
    fn days_begin_where_the_place_has_them() {
        for (lon, unix_s, from_s) in [
            (0.0, 1_782_043_200.0, 1_782_000_000.0),
            (90.0, 1_782_043_200.0, 1_782_000_000.0 - 21_600.0),
            (-90.0, 1_782_000_001.0, 1_782_000_000.0 - 64_800.0),
        ] {
            assert!((day_begins_s(Geodetic::from_degrees(46.0, lon, 0.0), unix_s) - from_s).abs() < 1e-3, "{lon}");
        }
    }

    /// Law: on a midwinter day the northern side of a wall has no sun and its southern side has. Another day is another answer; one who asks
    /// no longer has none.
    #[test]
    fn walls_take_the_sun() {
        let data = wall(46.0);
        let mut hours = LiveSunHours::default();
        assert!(!hours.is_busy() && hours.summary().is_none());
        // 21 December 2026, noon.
        let winter_s = 1_797_854_400.0;
        let place = Geodetic::from_degrees(46.05, 8.0, 700.0);
        hours.request_around(place);
        assert!(hours.summary().is_some_and(|told| told.contains("being found")));
        rest(&mut hours, &data, winter_s);
        let first = hours.current().expect("hours").clone();
        let grid = &first.insolation.grid;
        assert!(grid.columns <= MOST_SUN_SIDE && grid.columns % 2 == 1);
        let at = |row: usize| first.insolation.sun_hours[row * grid.columns + grid.columns / 2];
        let (north, south) = (at(grid.rows / 2), at(grid.rows - 1));
        assert!(north < 0.5 && south > 6.0 && first.most >= south, "{north} {south}");
        assert!(hours.summary().is_some_and(|told| told.contains("on 2026-12-21")), "{:?}", hours.summary());
        // Half a year later.
        rest(&mut hours, &data, winter_s + 182.0 * DAY_S);
        let second = hours.current().expect("hours");
        assert!(second.number > first.number && second.most > first.most + 4.0);
        assert!(hours.end() && !hours.end() && hours.current().is_none() && hours.summary().is_none());
    }

    /// Law: what is asked for last, hours of sun or a viewshed, is what tints the ground, in either order; when both have ended nothing does.
    #[test]
    fn what_is_asked_for_last_tints_the_ground() {
        let gpu = Gpu::new(&GpuOptions::default().with_software(true)).expect("Mesa's lavapipe (./x setup)");
        let scene = SceneOptions::default().with_overlays(Overlays::default()).with_samples(Some(1));
        let mut offscreen = OffscreenRenderer::new(gpu, &scene, (64, 64)).expect("a scene");
        let world = offscreen.world_mut();
        world.init_resource::<Clock>();
        world.init_resource::<LiveViewshed>();
        world.init_resource::<LiveSunHours>();
        let mut frame = Schedule::default();
        frame.add_systems((crate::viewshed::show, show).chain());
        let place = Geodetic::from_degrees(46.0, 8.0, 0.0);
        let mut after = |world: &mut World, change: fn(&mut World, Geodetic)| {
            change(world, place);
            (0..3).for_each(|_| frame.run(world));
            let (hours, sight) = (world.resource::<LiveSunHours>().at(), world.resource::<LiveViewshed>().at());
            (world.resource::<Overlays>().has(Overlays::PLACE_CELLS), hours.is_some(), sight.is_some())
        };
        let look = |world: &mut World, place| world.resource_mut::<LiveViewshed>().set_observer(place);
        let ask = |world: &mut World, place| world.resource_mut::<LiveSunHours>().request_around(place);
        let end = |world: &mut World, _| {
            world.resource_mut::<LiveViewshed>().end();
            world.resource_mut::<LiveSunHours>().end();
        };
        assert_eq!(after(world, look), (true, false, true));
        assert_eq!(after(world, ask), (true, true, false));
        assert_eq!(after(world, look), (true, false, true));
        assert_eq!(after(world, end), (false, false, false));
        assert_eq!(after(world, ask), (true, true, false));
        // Who ticks it off does not want to see it.
        let hide = |world: &mut World, _| {
            let overlays = world.resource::<Overlays>().with(Overlays::PLACE_CELLS, false);
            world.insert_resource(overlays);
        };
        assert_eq!(after(world, hide), (false, true, false));
        assert_eq!(after(world, end), (false, false, false));
    }
}
