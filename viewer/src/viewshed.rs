//! What is seen from a place of the window? A viewshed of the data around it: coarse while the place moves, and as fine as the data when it
//! rests. It is made on threads of its own.

use std::sync::atomic::Ordering;

use analysis::{Viewshed, ViewshedError, ViewshedOptions};
use bevy_ecs::prelude::*;
use terrain::geodesy::Geodetic;
use terrain::surface::Surface;

use crate::app::{App, Clock, FrameStep, Plugin};
use crate::background::{Background, JobResult};
use crate::camera::{Camera, Lens};
use crate::frame::{Context, Viewport};
use crate::input::bindings::Action;
use crate::input::{Controls, Devices, read_devices};
use crate::measure::EYE_M;
use crate::render::{MOST_SIDE, PlaceCells, Renderer};
use crate::terrain::Planet;

/// How far is looked before it is said otherwise, metres.
const RADIUS_M: f64 = 10_000.0;
/// Cells from the eye to the rim while the place moves: of 200 m within 10 km.
const MOVING_CELLS: f64 = 50.0;
/// Seconds that a place has to rest before it is looked at finely.
const REST_S: f64 = 0.2;

/// Inputs of a viewshed.
#[derive(Debug, Clone, Copy, PartialEq)]
struct ViewshedQuery {
    at: Geodetic,
    radius_m: f64,
    cell_m: f64,
}

impl ViewshedQuery {
    /// Whether another one is about the same ground.
    fn is_about(&self, at: Geodetic, radius_m: f64) -> bool {
        self.at == at && self.radius_m == radius_m
    }
}

/// A finished viewshed.
#[derive(Debug, Clone)]
pub struct ViewshedResult {
    /// Its number, from 1.
    pub number: u64,
    /// The cells.
    pub viewshed: Viewshed,
    /// How many of them are seen.
    pub seen_cells: u64,
    /// How far was looked, metres.
    pub radius_m: f64,
    /// What it took, milliseconds.
    pub took_ms: f64,
}

/// What is seen from a place, if somebody asks.
#[derive(Resource, Debug)]
pub struct LiveViewshed {
    at: Option<Geodetic>,
    /// How far to look, metres.
    pub radius_m: f64,
    /// Why nothing is seen, until it is told.
    pub warning: Option<String>,
    seen: Option<(ViewshedQuery, ViewshedResult)>,
    job: Background<ViewshedQuery, Result<Viewshed, ViewshedError>>,
    /// Since the question changed, seconds.
    rested_s: f64,
    asked: Option<(Geodetic, f64)>,
    numbers: u64,
}

impl Default for LiveViewshed {
    fn default() -> Self {
        LiveViewshed {
            at: None,
            radius_m: RADIUS_M,
            warning: None,
            seen: None,
            job: Background::new("viewshed"),
            rested_s: 0.0,
            asked: None,
            numbers: 0,
        }
    }
}

impl LiveViewshed {
    /// Looks from a place, above its ground.
    pub fn set_observer(&mut self, place: Geodetic) {
        self.at = Some(Geodetic { height_m: 0.0, ..place });
    }

    /// Looks no longer; false if nobody did.
    pub fn end(&mut self) -> bool {
        self.job.cancel();
        self.seen = None;
        self.at.take().is_some()
    }

    /// Where the eye stands, at no height.
    pub fn at(&self) -> Option<Geodetic> {
        self.at
    }

    /// What is seen, as far as it is known.
    pub fn result(&self) -> Option<&ViewshedResult> {
        self.seen.as_ref().map(|(_, seen)| seen)
    }

    /// A line on what is seen; none where nobody looks, or nothing is known yet.
    pub fn summary(&self) -> Option<String> {
        let ViewshedResult { viewshed, seen_cells, took_ms, radius_m, .. } = self.result()?;
        let (cell_m, area_km2) = (viewshed.cell_m, *seen_cells as f64 * viewshed.cell_m * viewshed.cell_m * 1e-6);
        let radius_km = radius_m / 1e3;
        Some(format!(
            "orange is seen from {EYE_M} m above the pin: {area_km2:.2} km² within {radius_km} km, by cells of {cell_m:.0} m in {took_ms:.0} ms"
        ))
    }

    /// Whether there will be another answer without another question.
    pub fn is_busy(&self) -> bool {
        self.job.question().is_some() || (self.at.is_some() && self.asked.is_some() && self.rested_s.is_finite())
    }

    /// Another ground is asked from now on.
    pub fn forget(&mut self) {
        self.job.cancel();
        (self.seen, self.asked) = (None, None);
    }

    /// Takes in what is found, and asks for what is not yet.
    ///
    /// # Errors
    /// Why nothing is seen from there; it is looked from nowhere then.
    pub fn advance(&mut self, data: &Surface, dt_s: f64) -> Result<(), ViewshedError> {
        self.take_answer()?;
        let Some(at) = self.at else { return Ok(()) };
        let radius_m = self.radius_m;
        if self.asked.replace((at, radius_m)) != Some((at, radius_m)) {
            self.rested_s = 0.0;
        } else {
            self.rested_s += dt_s;
        }
        let [moving_m, resting_m] = cells_m(data, at, radius_m);
        if let Some(question) = self.job.question() {
            // What is coarse comes soon, and shows that something moves.
            if !question.is_about(at, radius_m) && question.cell_m < moving_m {
                self.job.cancel();
            }
            return Ok(());
        }
        let known_m = self.seen.as_ref().filter(|(of, _)| of.is_about(at, radius_m)).map(|(of, _)| of.cell_m);
        match known_m {
            None => self.request(data, ViewshedQuery { at, radius_m, cell_m: moving_m }),
            Some(cell_m) if cell_m > resting_m && self.rested_s >= REST_S => {
                self.request(data, ViewshedQuery { at, radius_m, cell_m: resting_m });
            }
            Some(cell_m) if cell_m > resting_m => {}
            // There is nothing more to find.
            Some(_) => self.rested_s = f64::INFINITY,
        }
        Ok(())
    }

    fn take_answer(&mut self) -> Result<(), ViewshedError> {
        let Some(JobResult { question, answer }) = self.job.take_result() else { return Ok(()) };
        let Some((answer, took_ms)) = answer else {
            self.at = None;
            return Ok(());
        };
        self.numbers += 1;
        let viewshed = answer.inspect_err(|_| self.at = None)?;
        let (number, radius_m, (seen_cells, _)) = (self.numbers, question.radius_m, viewshed.count());
        self.seen = Some((question, ViewshedResult { number, viewshed, seen_cells, radius_m, took_ms }));
        Ok(())
    }

    fn request(&mut self, data: &Surface, question: ViewshedQuery) {
        let data = data.clone();
        let is_asked = self.job.start(question, move |is_stopped| {
            let options = options(question.radius_m, question.cell_m);
            let goes_on = |_, _| !is_stopped.load(Ordering::Relaxed);
            Viewshed::new_while(&data, question.at, &options, goes_on)
        });
        if !is_asked {
            self.at = None;
        }
    }
}

/// What is asked of the data.
fn options(radius_m: f64, cell_m: f64) -> ViewshedOptions {
    ViewshedOptions::within(radius_m).with_eye_height_m(EYE_M).with_cell_m(Some(cell_m))
}

/// Sides of the cells while a place moves, and when it rests: those of the data, but no more than can be drawn, and no fewer than while it moves.
fn cells_m(data: &Surface, at: Geodetic, radius_m: f64) -> [f64; 2] {
    let most = (MOST_SIDE / 2) as f64;
    let posting_m = data.ground(at.normal()).provenance.posting_m.max(radius_m / most);
    let moving_m = radius_m / MOVING_CELLS;
    [moving_m, posting_m.min(moving_m)]
}

/// What is seen from a place. Needs camera, input, render and terrain.
pub struct ViewshedPlugin;

impl Plugin for ViewshedPlugin {
    fn build(&self, app: &mut App) {
        app.world.init_resource::<LiveViewshed>();
        app.systems(FrameStep::Input, update_observer.after(read_devices));
        app.systems(FrameStep::Terrain, show);
    }
}

/// While its key is held the place follows the cursor.
fn update_observer(
    (controls, devices): (Res<Controls>, Res<Devices>),
    (camera, lens, viewport, planet): (Res<Camera>, Res<Lens>, Res<Viewport>, Res<Planet>),
    mut viewshed: ResMut<LiveViewshed>,
) {
    if controls.is_triggered(Action::SeenFrom) || devices.is_held(Action::SeenFrom) {
        let ray = camera.ray(controls.cursor.x, controls.cursor.y, viewport.aspect(), lens.fov_y_rad);
        if let Some(hit) = planet.pick(camera.eye_m, ray) {
            viewshed.set_observer(hit.place);
        }
    }
}

pub(crate) fn show(
    (clock, context, planet): (Res<Clock>, Res<Context>, Res<Planet>),
    (mut viewshed, mut renderer): (ResMut<LiveViewshed>, ResMut<Renderer>),
    mut had_water: Local<bool>,
) {
    // From a dry sea its floor is seen.
    if planet.is_added() || std::mem::replace(&mut *had_water, planet.water) != planet.water {
        viewshed.forget();
    }
    if let Err(error) = viewshed.advance(planet.seen_data(), clock.dt_s) {
        viewshed.warning = Some(format!("what is seen from there is not known: {error}"));
    }
    if let Some(seen) = viewshed.result() {
        renderer.show_place_cells(&context.0.queue, seen.number, PlaceCells::Seen(&seen.viewshed, seen.radius_m));
    }
}

#[cfg(feature = "gdal")]
#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::sync::Arc;
    use std::time::{Duration, Instant};

    use gpu::{Gpu, GpuOptions};
    use image::RgbImage;
    use terrain::height::{GlobalGrid, OpenOptions, Registration, Relief};

    use super::*;
    use crate::camera::Pose;
    use crate::headless::OffscreenRenderer;
    use crate::overlays::Overlays;
    use crate::render::ShadingPath;
    use crate::scene::{SceneOptions, open_relief};

    const RADIUS: f64 = 8_000.0;

    /// 30 km of Tennessee at 92 m.
    fn mountains() -> Arc<Relief> {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../data/jacksboro.tif");
        Arc::new(open_relief(&[file], &OpenOptions::default()).expect("the sample"))
    }

    /// Frames until nothing more comes; the answers in their order, as sides of cells.
    fn rest(viewshed: &mut LiveViewshed, data: &Surface) -> Vec<f64> {
        let mut known: Vec<(u64, f64)> = Vec::new();
        let since = Instant::now();
        loop {
            viewshed.advance(data, 0.05).expect("an answer");
            if let Some((question, seen)) = &viewshed.seen
                && viewshed.at == Some(question.at)
                && known.last().is_none_or(|(number, _)| *number != seen.number)
            {
                known.push((seen.number, seen.viewshed.cell_m));
            }
            if !viewshed.is_busy() {
                return known.into_iter().map(|(_, cell_m)| cell_m).collect();
            }
            assert!(since.elapsed() < Duration::from_secs(300), "it never rests: {viewshed:?}");
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    /// Law: a place that rests is seen coarsely and then as finely as the data are, each as a query of those cells answers; one that moves
    /// on is asked about coarsely alone; what ends is gone.
    #[test]
    fn cells_are_those_of_a_query() {
        let data = Surface::new(mountains());
        let mut viewshed = LiveViewshed { radius_m: RADIUS, ..LiveViewshed::default() };
        assert!(!viewshed.is_busy());
        for place in [Geodetic::from_degrees(36.33, -84.18, 500.0), Geodetic::from_degrees(36.25, -84.25, 0.0)] {
            viewshed.set_observer(place);
            viewshed.advance(&data, 0.05).expect("nothing yet");
            assert!(viewshed.is_busy());
            let known = rest(&mut viewshed, &data);
            let at = viewshed.at().expect("a place");
            let [moving_m, resting_m] = cells_m(&data, at, RADIUS);
            assert!(moving_m == RADIUS / MOVING_CELLS && (90.0..95.0).contains(&resting_m));
            assert_eq!(known, [moving_m, resting_m]);
            let seen = viewshed.result().expect("an answer");
            let query = Viewshed::new(&data, at, &options(RADIUS, resting_m), |_, _| ()).expect("an answer");
            assert_eq!((seen.viewshed.side, &seen.viewshed.cells), (query.side, &query.cells));
            assert_eq!((seen.seen_cells, query.count().0 > 100), (query.count().0, true));
            assert!(viewshed.summary().is_some_and(|told| told.contains("cells of 93 m")));
        }
        let mut coarse = 0;
        for step in 0..50 {
            viewshed.set_observer(Geodetic::from_degrees(36.25, -84.25 + 1e-4 * f64::from(step), 0.0));
            viewshed.advance(&data, 0.05).expect("an answer");
            std::thread::sleep(Duration::from_millis(20));
            coarse +=
                usize::from(viewshed.job.question().is_some_and(|question| question.cell_m < RADIUS / MOVING_CELLS));
        }
        assert_eq!(coarse, 0);
        assert!(viewshed.end() && !viewshed.end() && viewshed.result().is_none());
        assert!(rest(&mut viewshed, &data).is_empty());
    }

    /// Law: whatever the radius, there are no more cells than can be drawn, and no fewer than one.
    #[test]
    fn cells_can_be_drawn() {
        let data = Surface::new(mountains());
        for radius_m in [1_000.0, 10_000.0, 100_000.0] {
            for place in [Geodetic::from_degrees(36.33, -84.18, 0.0), Geodetic::from_degrees(1.0, 2.0, 0.0)] {
                for cell_m in cells_m(&data, place, radius_m) {
                    let side = 2.0 * (radius_m / cell_m).floor() + 1.0;
                    assert!(side <= MOST_SIDE as f64 && cell_m <= radius_m, "{radius_m} {cell_m}");
                }
            }
        }
    }

    /// Law: in a picture the middle of every cell that is seen is more orange than without, that of every other one darker, and what lies
    /// beyond the radius is as without.
    #[test]
    fn the_picture_shows_the_cells() {
        [ShadingPath::Forward, ShadingPath::Deferred].into_iter().for_each(shows_the_cells);
    }

    fn shows_the_cells(shading: ShadingPath) {
        const SIZE: u32 = 512;
        let relief = mountains();
        let data = Surface::new(relief.clone());
        let gpu = Gpu::new(&GpuOptions::default().with_software(true)).expect("Mesa's lavapipe (./x setup)");
        let scene = SceneOptions::default()
            .with_relief(Some(relief))
            .with_overlays(Overlays::default())
            .with_shading(Some(shading))
            .with_samples(Some(1));
        let mut offscreen = OffscreenRenderer::new(gpu, &scene, (SIZE, SIZE)).expect("a scene");
        let (lat_deg, lon_deg) = (36.3, -84.25);
        let camera =
            Camera::from_pose(&Pose { lat_deg, lon_deg, height_m: 24_000.0, heading_deg: 0.0, pitch_deg: -90.0 });
        let without = offscreen.render(camera).expect("a picture").0;
        let place = Geodetic::from_degrees(lat_deg, lon_deg, 0.0);
        let viewshed = Viewshed::new(&data, place, &options(RADIUS, 160.0), |_, _| ()).expect("an answer");
        let world = offscreen.world_mut();
        let queue = world.resource::<Context>().0.queue.clone();
        world.resource_mut::<Renderer>().show_place_cells(&queue, 1, PlaceCells::Seen(&viewshed, RADIUS));
        world.insert_resource(Overlays::PLACE_CELLS);
        let with = offscreen.render(camera).expect("a picture").0;
        let world = offscreen.world_mut();
        let (viewport, lens) = (*world.resource::<Viewport>(), *world.resource::<Lens>());
        let pixel = |picture: &RgbImage, n: glam::DVec3| {
            let at =
                viewport.on_screen_pt(terrain::geodesy::Ellipsoid::WGS84.ecef(n, data.height_m(n)), &camera, &lens)?;
            let inside = at.cmpge(glam::DVec2::ZERO).all() && at.cmplt(glam::DVec2::splat(f64::from(SIZE))).all();
            inside.then(|| picture.get_pixel(at.x as u32, at.y as u32).0.map(f64::from))
        };
        let (mut wrong, mut counts) = (0, [0, 0]);
        for row in 0..viewshed.side {
            for column in 0..viewshed.side {
                let n = viewshed.place(column, row).normal();
                let (Some(now), Some(before)) = (pixel(&with, n), pixel(&without, n)) else { continue };
                let warmth = |[red, _, blue]: [f64; 3]| red - blue;
                let light = |colour: [f64; 3]| colour.iter().sum::<f64>();
                let cell = viewshed.cells[row * viewshed.side + column];
                let is_right = match cell {
                    Viewshed::SEEN => warmth(now) > warmth(before) + 15.0,
                    Viewshed::HIDDEN => light(now) < 0.9 * light(before),
                    _ => now == before,
                };
                wrong += usize::from(!is_right);
                counts[usize::from(cell == Viewshed::SEEN)] += 1;
            }
        }
        assert!(counts[0] > 3_000 && counts[1] > 100, "{counts:?}");
        assert_eq!(wrong, 0, "of {counts:?}");
    }

    /// Law: on the sea cells lie on its surface, where pixels are picked, however deep it is; where no water is drawn, on its floor.
    #[test]
    fn cells_of_the_sea_lie_on_its_surface() {
        const SIZE: u32 = 256;
        const DEPTH_M: f64 = 4_000.0;
        let relief = Relief::from_grid(GlobalGrid::from_fn(72, 37, Registration::Node, |_, _| -DEPTH_M));
        let relief = Arc::new(relief.expect("a grid of the Earth"));
        let camera = Camera::from_pose(&Pose {
            lat_deg: 30.0,
            lon_deg: -40.0,
            height_m: 9_000.0,
            heading_deg: 20.0,
            pitch_deg: -40.0,
        });
        let (radius_m, cell_m) = (3_000.0, 60.0);
        for (shading, water) in [
            (ShadingPath::Forward, Overlays::WATER),
            (ShadingPath::Deferred, Overlays::WATER),
            (ShadingPath::Deferred, Overlays::default()),
        ] {
            let gpu = Gpu::new(&GpuOptions::default().with_software(true)).expect("Mesa's lavapipe (./x setup)");
            let scene = SceneOptions::default()
                .with_relief(Some(relief.clone()))
                .with_overlays(water)
                .with_shading(Some(shading))
                .with_samples(Some(1));
            let mut offscreen = OffscreenRenderer::new(gpu, &scene, (SIZE, SIZE)).expect("a scene");
            let without = offscreen.render(camera).expect("a picture").0;
            let world = offscreen.world_mut();
            let (lens, planet) = (*world.resource::<Lens>(), world.resource::<Planet>());
            let hit = |ray| planet.pick(camera.eye_m, ray).expect("the sea");
            let place = hit(camera.forward()).place;
            assert!((place.height_m + if water.has(Overlays::WATER) { 0.0 } else { DEPTH_M }).abs() < 1.0, "{place:?}");
            let viewshed = Viewshed::new(planet.seen_data(), place, &options(radius_m, cell_m), |_, _| ());
            let viewshed = viewshed.expect("an answer");
            // From 2 m one sees 5 km of it.
            let (seen, all) = viewshed.count();
            assert_eq!(seen, all, "level sea");
            let places = (0..SIZE * SIZE / 64).map(|number| {
                let (x, y) = (number % (SIZE / 8) * 8 + 4, number / (SIZE / 8) * 8 + 4);
                let on_screen = |at: u32| (f64::from(at) + 0.5) / f64::from(SIZE) * 2.0 - 1.0;
                let ray = camera.ray(on_screen(x), -on_screen(y), 1.0, lens.fov_y_rad);
                let at = hit(ray).place;
                let away_m = at.normal().angle_between(place.normal()) * 6_371e3;
                (x, y, away_m)
            });
            let places: Vec<_> = places.collect();
            let queue = world.resource::<Context>().0.queue.clone();
            world.resource_mut::<Renderer>().show_place_cells(&queue, 1, PlaceCells::Seen(&viewshed, radius_m));
            world.insert_resource(water.with(Overlays::PLACE_CELLS, true));
            let with = offscreen.render(camera).expect("a picture").0;
            let (mut inside, mut outside) = (0, 0);
            for (x, y, away_m) in places {
                let warmth = |picture: &RgbImage| {
                    let [red, _, blue] = picture.get_pixel(x, y).0.map(f64::from);
                    red - blue
                };
                let warmer = warmth(&with) - warmth(&without);
                if away_m < radius_m - 3.0 * cell_m {
                    inside += 1;
                    assert!(warmer > 15.0, "{shading:?} {x},{y}: {warmer}, {away_m} m away");
                } else if away_m > radius_m + 3.0 * cell_m {
                    outside += 1;
                    assert!(warmer == 0.0, "{shading:?} {x},{y}: {warmer}, {away_m} m away");
                }
            }
            assert!(inside > 50 && outside > 50, "{inside} {outside}");
        }
    }
}
