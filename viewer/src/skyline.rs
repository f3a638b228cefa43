//! What stands against the sky around the eye? The horizon of the drawn ground, and the summits that form it. It is found on threads of its
//! own, again and again while the eye moves.

use std::f64::consts::TAU;
use std::sync::atomic::{AtomicBool, Ordering};

use analysis::{Horizon, HorizonError, HorizonOptions, HorizonPoint};
use bevy_ecs::prelude::*;
use terrain::geodesy::{Ellipsoid, Geodetic, east_north_up, n_vector};
use terrain::surface::Surface;

use crate::app::{App, FrameStep, Plugin};
use crate::background::{Background, JobResult};
use crate::camera::Camera;
use crate::gazetteer::{PlaceEntry, PlaceKind, entries};
use crate::terrain::Planet;

/// Azimuths that are looked at: each half degree.
const DIRECTIONS: usize = 720;
/// From higher than this the Earth's limb is seen, which is no skyline, metres.
const HIGHEST_M: f64 = 100_000.0;
/// The ground that forms the skyline at a summit is at most so far from the place of the name, metres and postings.
const NEAR: (f64, f64) = (500.0, 1.5);

/// Inputs of a skyline: the eye, and whether water has a surface.
#[derive(Debug, Clone, Copy, PartialEq)]
struct SkylineQuery {
    eye: Geodetic,
    water: bool,
}

/// A summit that stands against the sky.
#[derive(Debug, Clone, PartialEq)]
pub struct SkylineSummit {
    /// Its name.
    pub name: &'static str,
    /// How well it is known, 0 the best.
    pub rank: u8,
    /// The ground there.
    pub point: HorizonPoint,
}

/// What stands against the sky around an eye.
#[derive(Debug, Clone, PartialEq)]
pub struct Skyline {
    /// The drawn ground, and the sea, azimuth by azimuth.
    pub horizon: Horizon,
    /// Those that are known best first.
    pub summits: Vec<SkylineSummit>,
}

impl Skyline {
    /// Of an eye over the drawn ground and the sea.
    fn new(surface: &Surface, eye: Geodetic, goes_on: &(dyn Fn() -> bool + Sync)) -> Result<Self, HorizonError> {
        let eye = Geodetic { height_m: eye.height_m.max(surface.height_m(eye.normal()) + 0.1), ..eye };
        let options = HorizonOptions::default().with_directions(DIRECTIONS);
        let horizon = Horizon::of_eye(surface, eye, &options, goes_on)?;
        let summits = summits(&horizon, surface);
        Ok(Self { horizon, summits })
    }

    /// The point of the horizon nearest to an azimuth.
    pub fn at(&self, azimuth_rad: f64) -> Option<&HorizonPoint> {
        let points = &self.horizon.points;
        let number = (azimuth_rad.rem_euclid(TAU) / TAU * points.len() as f64).round() as usize;
        points.get(number % points.len().max(1))
    }
}

/// The summits near which the ground is that forms the horizon.
fn summits(horizon: &Horizon, surface: &Surface) -> Vec<SkylineSummit> {
    let farthest_m = horizon.points.iter().map(|point| point.distance_m).fold(0.0, f64::max);
    let mut found: Vec<(usize, SkylineSummit)> = entries()
        .iter()
        // They are of the Earth.
        .filter(|entry| entry.kind == PlaceKind::Summit && horizon.ellipsoid == Ellipsoid::WGS84)
        .filter_map(|entry| against_sky(entry, horizon, farthest_m, surface))
        .collect();
    // Of several on one part of the ground the one that is known best.
    found.sort_by_key(|(number, summit)| (*number, summit.rank));
    found.dedup_by_key(|(number, _)| *number);
    let mut found: Vec<SkylineSummit> = found.into_iter().map(|(_, summit)| summit).collect();
    found.sort_by_key(|summit| summit.rank);
    found
}

fn against_sky(
    entry: &PlaceEntry,
    horizon: &Horizon,
    farthest_m: f64,
    surface: &Surface,
) -> Option<(usize, SkylineSummit)> {
    let eye = horizon.eye;
    let n = n_vector(entry.lat_deg.to_radians(), entry.lon_deg.to_radians());
    let place_m = horizon.ellipsoid.ecef(n, 0.0);
    let away = place_m - eye.to_ecef(horizon.ellipsoid);
    // Before the data are asked.
    if away.length() > farthest_m + 30_000.0 + eye.height_m.abs() {
        return None;
    }
    let near_m = NEAR.0 + NEAR.1 * surface.ground(n).provenance.posting_m;
    let (east, north, _) = east_north_up(eye.normal());
    let (aside, ahead) = (away.dot(east), away.dot(north));
    let count = horizon.points.len();
    let middle = (aside.atan2(ahead).rem_euclid(TAU) / TAU * count as f64).round() as usize;
    let spread = (near_m / aside.hypot(ahead).max(1.0)).min(1.0).asin() / TAU * count as f64;
    let spread = (spread.ceil() as usize).min(count / 2);
    let around = (0..=2 * spread).map(|k| (middle + count + k - spread) % count);
    let on_ground = |place: &Geodetic| horizon.ellipsoid.ecef(place.normal(), 0.0);
    let highest = around
        .map(|number| (number, horizon.points[number]))
        .filter(|(_, point)| on_ground(&point.place).distance(place_m) <= near_m)
        .max_by(|(_, a), (_, b)| a.elevation_rad.total_cmp(&b.elevation_rad));
    highest.map(|(number, point)| (number, SkylineSummit { name: entry.name, rank: entry.rank, point }))
}

/// The skyline of the eye, if somebody looks at it.
#[derive(Resource, Debug)]
pub struct LiveSkyline {
    /// Whether it is looked at.
    pub shown: bool,
    known: Option<(SkylineQuery, Result<Skyline, String>)>,
    asked: Option<SkylineQuery>,
    job: Background<SkylineQuery, Result<Skyline, HorizonError>>,
}

impl Default for LiveSkyline {
    fn default() -> Self {
        LiveSkyline { shown: false, known: None, asked: None, job: Background::new("skyline") }
    }
}

impl LiveSkyline {
    /// What is known of it, perhaps from where the eye was; else what is to be said.
    pub fn current(&self) -> Result<&Skyline, &str> {
        if self.asked.is_some_and(|question| question.eye.height_m > HIGHEST_M) {
            return Err("the skyline is shown from below 100 km");
        }
        match &self.known {
            Some((_, Ok(skyline))) => Ok(skyline),
            Some((_, Err(why))) => Err(why),
            None => Err("the skyline is being found"),
        }
    }

    /// Whether there will be another answer without another question.
    pub fn is_busy(&self) -> bool {
        self.job.question().is_some()
    }

    /// Another ground is asked from now on.
    fn forget(&mut self) {
        self.job.cancel();
        (self.known, self.asked) = (None, None);
    }

    /// Takes in what is found, and asks where the eye has moved.
    fn advance(&mut self, surface: &Surface, question: SkylineQuery) {
        if let Some(JobResult { question, answer }) = self.job.take_result() {
            let found = answer.map_or_else(
                || Err(String::from("there is no skyline: its work failed")),
                |(found, _)| found.map_err(|error| format!("there is no skyline: {error}")),
            );
            self.known = Some((question, found));
        }
        if !self.shown {
            self.forget();
            return;
        }
        self.asked = Some(question);
        let is_known = self.known.as_ref().is_some_and(|(of, _)| *of == question);
        if is_known || self.is_busy() || question.eye.height_m > HIGHEST_M {
            return;
        }
        let surface = surface.clone();
        let work = move |is_stopped: &AtomicBool| {
            Skyline::new(&surface, question.eye, &|| !is_stopped.load(Ordering::Relaxed))
        };
        if !self.job.start(question, work) {
            self.known = Some((question, Err(String::from("there is no skyline: no thread can be had"))));
        }
    }
}

/// The skyline of the eye. Needs camera, render and terrain.
pub struct SkylinePlugin;

impl Plugin for SkylinePlugin {
    fn build(&self, app: &mut App) {
        app.world.init_resource::<LiveSkyline>();
        app.systems(FrameStep::Terrain, update_skyline);
    }
}

fn update_skyline((camera, planet): (Res<Camera>, Res<Planet>), mut skyline: ResMut<LiveSkyline>) {
    if planet.is_added() {
        skyline.forget();
    }
    let question = SkylineQuery { eye: camera.ellipsoid.geodetic(camera.eye_m), water: planet.water };
    skyline.bypass_change_detection().advance(planet.seen_surface(), question);
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use terrain::height::{GlobalGrid, Registration, Relief};
    use terrain::water::Water;

    use super::*;

    /// The Earth as a plain, with a cone of 4 000 m at each of some places.
    fn cones(places: &'static [(f64, f64)]) -> Surface {
        let height = move |lon: f64, lat: f64| {
            let nearest = places
                .iter()
                .map(|(to_lat, to_lon)| {
                    let aside = ((lon - to_lon + 540.0).rem_euclid(360.0) - 180.0) * to_lat.to_radians().cos();
                    (lat - to_lat).hypot(aside)
                })
                .fold(f64::MAX, f64::min);
            200.0 + 4_000.0 * (1.0 - nearest / 0.3).max(0.0)
        };
        let grid = GlobalGrid::from_fn(3600, 1801, Registration::Node, height);
        Surface::new(Arc::new(Relief::from_grid(grid).expect("a grid of the Earth")))
    }

    fn skyline(surface: &Surface, eye: Geodetic) -> Skyline {
        Skyline::new(surface, eye, &|| true).expect("a skyline")
    }

    /// Law: a summit that stands against the sky is named where it stands; one behind a nearer one as high is not, and one below the horizon
    /// of the plain is not.
    #[test]
    fn summits_against_the_sky_are_named() {
        let named = |name: &str| {
            entries().iter().find(|entry| entry.kind == PlaceKind::Summit && entry.name == name).expect("a summit")
        };
        let (matterhorn, kilimanjaro) = (named("Matterhorn"), named("Kilimanjaro"));
        assert!((matterhorn.lat_deg - 45.976).abs() < 0.05 && (kilimanjaro.lat_deg + 3.07).abs() < 0.05);
        let surface = cones(&[(45.976, 7.658), (-3.07, 37.35)]);
        let eye = Geodetic::from_degrees(46.6, 7.658, 300.0);
        let seen = skyline(&surface, eye);
        let found = seen.summits.iter().find(|summit| summit.name == "Matterhorn").expect("it is seen");
        assert!((found.point.azimuth_rad.to_degrees() - 180.0).abs() < 3.0, "{found:?}");
        assert!((found.point.elevation_rad.to_degrees() - 2.65).abs() < 0.3, "{found:?}");
        assert!(seen.summits.iter().all(|summit| summit.name != "Kilimanjaro"));
        // Behind a cone that is nearer.
        let hidden = cones(&[(45.976, 7.658), (46.25, 7.658), (46.1, 7.658)]);
        assert!(skyline(&hidden, eye).summits.iter().all(|summit| summit.name != "Matterhorn"));
    }

    /// Law: over the sea the skyline is as low as the sea's own horizon, not as the floor's, unless water has no surface.
    #[test]
    fn the_sea_has_a_skyline() {
        let deep = GlobalGrid::from_fn(72, 37, Registration::Node, |_, _| -4_000.0);
        let deep = Relief::from_grid(deep).expect("a grid of the Earth");
        let surface = Surface::new(Arc::new(deep.with_sea_surface(Water::earth())));
        let eye = Geodetic::from_degrees(10.0, -150.0, 100.0);
        let sea = skyline(&surface, eye);
        assert!(sea.horizon.points.iter().all(|point| (point.elevation_rad.to_degrees() + 0.321).abs() < 0.002));
        let place = sea.horizon.points[0].place;
        assert!((place.lat_rad.to_degrees() - 10.321).abs() < 0.01 && place.height_m.abs() < 1e-5, "{place:?}");
        let floor = skyline(&Surface::new(Arc::new(deep)), eye);
        assert!(floor.horizon.points.iter().all(|point| point.elevation_rad.to_degrees() < -1.9));
        assert!(sea.summits.is_empty());
        // In the Sahara there is no sea, however low the ground is.
        let dry = skyline(&surface, Geodetic { lon_rad: 0.1, ..Geodetic::from_degrees(23.0, 0.0, 100.0) });
        assert!(dry.horizon.points.iter().all(|point| point.elevation_rad.to_degrees() < -1.9));
    }

    /// Law: it is asked again when the eye moves, answered once it rests, and gone when nobody looks.
    #[test]
    fn it_follows_the_eye() {
        let surface = crate::terrain::flat(10.0);
        let mut live = LiveSkyline { shown: true, ..LiveSkyline::default() };
        let question =
            |lat: f64, height_m: f64| SkylineQuery { eye: Geodetic::from_degrees(lat, 7.0, height_m), water: true };
        assert_eq!(live.current().err(), Some("the skyline is being found"));
        for lat in [10.0, 20.0] {
            loop {
                live.advance(&surface, question(lat, 500.0));
                let is_there =
                    live.current().is_ok_and(|known| (known.horizon.eye.lat_rad.to_degrees() - lat).abs() < 1e-9);
                if is_there && !live.is_busy() {
                    break;
                }
                std::thread::sleep(std::time::Duration::from_millis(2));
            }
        }
        live.advance(&surface, question(20.0, 2e5));
        assert!(live.current().is_err_and(|why| why.contains("below 100 km")) && !live.is_busy());
        live.shown = false;
        live.advance(&surface, question(30.0, 500.0));
        assert_eq!((live.current().err(), live.is_busy()), (Some("the skyline is being found"), false));
    }
}
